import { afterEach, beforeEach, expect, test } from "vitest";
import {
  bridgeMain,
  makeBridgeHome,
  removeBridgeHome,
  startBridge,
  type BridgeProcess,
  type BridgeStart,
} from "../support/bridge-process.js";
import { startUpstream, type Exchange, type Upstream } from "../support/bridge-upstream.js";

const endedWell = { code: 0, signal: null };
const call = (text: string) => ({ name: "read_thing", arguments: { text } });

let upstream: Upstream;
let home: string;
let bridges: BridgeProcess[];

beforeEach(async () => {
  home = makeBridgeHome();
  bridges = [];
  upstream = await startUpstream({ sessions: true });
});

afterEach(async () => {
  for (const bridge of bridges) await bridge.stop();
  await upstream.stop();
  removeBridgeHome(home);
});

function start(options: BridgeStart = {}): BridgeProcess {
  const bridge = startBridge({ server: upstream.url, home, ...options });
  bridges.push(bridge);
  return bridge;
}

/** Starts a session in which the server delays the response to the first call. */
async function startWithCallInFlight(options?: BridgeStart) {
  const bridge = start({ args: ["--log-level", "debug"], ...options });
  await bridge.initialize();
  const held = new Promise<Exchange>((found) => {
    upstream.once("tools/call", found);
  });
  const answer = bridge.request("tools/call", call("held back"));
  answer.catch(() => undefined);
  return { bridge, answer, held: await held };
}

test("a whole session writes only protocol to stdout and nothing to stderr", async () => {
  const bridge = start();

  await bridge.initialize();
  const list = await bridge.request("tools/list");
  const answer = await bridge.request("tools/call", call("ä\u2028\n"), "own id");
  const exit = await bridge.end();

  expect(list.result?.["tools"]).toHaveLength(3);
  expect(JSON.stringify(answer.result)).toContain("ä\u2028");
  expect(bridge.strayLines).toEqual([]);
  expect(bridge.frames.filter((frame) => frame.id !== undefined)).toHaveLength(3);
  expect(bridge.stderr()).toBe("");
  expect(exit).toEqual(endedWell);
  expect(upstream.sessions.size).toBe(0);
});

test("rejects an 11 MiB request by its id, and the next call works", async () => {
  const bridge = start();
  await bridge.initialize();

  const refused = await bridge.request("tools/call", call("x".repeat(11 * 1024 * 1024)), 41);
  const next = await bridge.request("tools/call", call("small"), 42);

  expect(refused.error).toMatchObject({ code: -32600, data: { code: "too_large" } });
  expect(refused.error?.message).toContain("10 MiB");
  expect(next.result).toBeDefined();
  expect(upstream.executed).toEqual(["read_thing"]);
});

test("reports a line that is not JSON, and accepts CRLF and empty lines", async () => {
  const bridge = start();
  await bridge.initialize();

  bridge.send("not json");
  bridge.send("");
  bridge.send('{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r');
  const answers = await Promise.all([
    bridge.frame((frame) => frame.id === null),
    bridge.frame((frame) => frame.id === "crlf"),
  ]);

  expect(answers.map(({ error, result }) => error?.code ?? result)).toEqual([-32700, {}]);
  expect((await bridge.end()).code).toBe(0);
});

test("redirects a library's stdout output to stderr", async () => {
  const bridge = start({ variables: onSignal('console.log("hello from a library")') });
  await bridge.initialize();

  bridge.child.kill("SIGUSR2");
  await until(() => bridge.stderr() !== "");
  await bridge.end();

  expect(bridge.strayLines).toEqual([]);
  expect(bridge.stderr()).toBe("hello from a library\n");
});

test("reports an internal error in one plain line, with exit code 1", async () => {
  const bridge = start({ variables: onSignal('Promise.reject(new Error("broken inside"))') });
  await bridge.initialize();

  bridge.child.kill("SIGUSR2");
  const exit = await bridge.exit;

  expect(exit).toEqual({ code: 1, signal: null });
  expect(bridge.stderr()).toMatch(/^fettle-bridge: .*broken inside\n$/);
});

test("answers a call in flight after stdin has ended", async () => {
  const { bridge, answer, held } = await startWithCallInFlight();

  const exit = bridge.end();
  await endBegins(bridge);
  held.result({ content: [] });

  expect((await answer).result).toEqual({ content: [] });
  expect(await exit).toEqual(endedWell);
  expect(upstream.sessions.size).toBe(0);
});

test("accepts a last line without a line break", async () => {
  const bridge = start();
  await bridge.initialize();

  bridge.child.stdin.write('{"jsonrpc":"2.0","id":"last","method":"ping"}');
  await bridge.end();

  expect(bridge.frames.find((frame) => frame.id === "last")?.result).toEqual({});
});

test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
  "%s waits for a call in flight, ends the session and exits with 0",
  async (signal) => {
    const { bridge, answer, held } = await startWithCallInFlight();

    bridge.child.kill(signal);
    await endBegins(bridge);
    held.result({ content: [] });

    expect((await answer).result).toEqual({ content: [] });
    expect(await bridge.exit).toEqual(endedWell);
    expect(upstream.sessions.size).toBe(0);
  },
);

test("a second signal skips the wait", async () => {
  const { bridge, held } = await startWithCallInFlight();
  const started = performance.now();

  bridge.child.kill("SIGTERM");
  await endBegins(bridge);
  bridge.child.kill("SIGTERM");

  expect(await bridge.exit).toEqual(endedWell);
  await held.gone;
  // Well below the five seconds allowed after one signal.
  expect(performance.now() - started).toBeLessThan(4_000);
});

test("a signal after the end of stdin skips the wait but ends the session", async () => {
  const { bridge } = await startWithCallInFlight();
  const started = performance.now();

  bridge.child.stdin.end();
  await endBegins(bridge);
  bridge.child.kill("SIGTERM");

  expect(await bridge.exit).toEqual(endedWell);
  expect(upstream.sessions.size).toBe(0);
  // Well below the ten seconds allowed after the end of stdin.
  expect(performance.now() - started).toBeLessThan(8_000);
});

test("exits when the host closes its end of stdout", async () => {
  const { bridge, held } = await startWithCallInFlight();

  bridge.child.stdout.destroy();
  held.result({ content: [] });

  expect(await bridge.exit).toEqual(endedWell);
  expect(upstream.sessions.size).toBe(0);
});

test("exits when its parent is killed, even if stdin is held open", async () => {
  const parent = `
    const { spawn } = require("node:child_process");
    const [main, ...args] = process.argv.slice(1);
    const bridge = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "inherit", "inherit"] });
    process.stdin.pipe(bridge.stdin);
    // Ends by itself when the other end, the bridge, is gone.
    spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: [bridge.stdin, "ignore", "ignore"] });
  `;
  const bridge = start({ command: [process.execPath, "-e", parent, bridgeMain] });
  await bridge.initialize();

  bridge.child.kill("SIGKILL");

  // Resolves only when no process has its stdout open, so the bridge has ended too.
  expect(await bridge.exit).toEqual({ code: null, signal: "SIGKILL" });
  expect(upstream.sessions.size).toBe(0);
});

/** Runs a statement in the process on each SIGUSR2. */
function onSignal(statement: string): Record<string, string> {
  const script = `process.on("SIGUSR2", () => { ${statement} })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

async function endBegins(bridge: BridgeProcess): Promise<void> {
  await until(() => bridge.stderr().includes("The end begins"));
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}
