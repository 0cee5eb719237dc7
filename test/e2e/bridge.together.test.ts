import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startBridgedFettle, type BridgedFettle } from "../support/bridge-fettle.js";
import {
  makeBridgeHome,
  removeBridgeHome,
  startBridge,
  type BridgeProcess,
  type Frame,
} from "../support/bridge-process.js";

describe("several bridges of one person at a real Fettle", () => {
  let fettle: BridgedFettle;
  let home: string;
  let running: BridgeProcess[] = [];

  beforeAll(async () => {
    fettle = await startBridgedFettle();
  });
  afterAll(() => fettle.stop());
  beforeEach(() => {
    home = makeBridgeHome();
  });
  afterEach(async () => {
    await Promise.all(running.map((bridge) => bridge.stop()));
    running = [];
    removeBridgeHome(home);
  });

  function bridge(args: string[] = [], variables: Record<string, string> = {}): BridgeProcess {
    const started = startBridge({
      server: fettle.mcp,
      args: ["--storage", "file", ...args],
      variables: { ...fettle.variables, ...variables },
      home,
    });
    running.push(started);
    return started;
  }

  async function namesOf(one: BridgeProcess): Promise<string[]> {
    const answer = await one.request("tools/list");
    expect(answer.error).toBeUndefined();
    return (answer.result?.["tools"] as { name: string }[]).map(({ name }) => name);
  }

  /** Returns the full list. The first response may contain only the sign-in tool. */
  async function realNamesOf(one: BridgeProcess): Promise<string[]> {
    const names = await namesOf(one);
    if (names.length > 1) return names;
    await one.frame(({ method }) => method === "notifications/tools/list_changed");
    return namesOf(one);
  }

  function call(one: BridgeProcess, name: string, args: object = {}): Promise<Frame> {
    return one.request("tools/call", { name, arguments: args });
  }

  async function startTogether(count: number): Promise<BridgeProcess[]> {
    const bridges = Array.from({ length: count }, () => bridge());
    await Promise.all(bridges.map((one) => one.initialize()));
    return bridges;
  }

  /** Returns all stored files as [path, text]. */
  function filesOf(folder: string): [string, string][] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, "utf8")]);
  }

  function accessTokenOf(folder: string): string {
    const [token] = filesOf(folder).flatMap(([, text]) => /mcp_at_[\w-]+/.exec(text)?.[0] ?? []);
    if (token === undefined) throw new Error("No access token is kept.");
    return token;
  }

  test("ten concurrent first starts share one window, and all of them work", async () => {
    const before = fettle.windows();

    const bridges = await startTogether(10);
    const lists = await Promise.all(bridges.map(realNamesOf));
    const answers = await Promise.all(bridges.map((one) => call(one, "get_current_user")));

    expect(lists.every((names) => names.includes("list_assets"))).toBe(true);
    expect(answers.map(({ error, result }) => error ?? result?.["isError"] ?? false)).toEqual(
      bridges.map(() => false),
    );
    expect(fettle.windows() - before).toBe(1);
  });

  test("ten bridges whose access token is revoked share one refresh and open no window", async () => {
    const bridges = await startTogether(10);
    await Promise.all(bridges.map(realNamesOf));
    await Promise.all(bridges.map((one) => call(one, "get_current_user")));
    const windows = fettle.windows();
    const requests = fettle.tokenRequests();

    await fettle.post("/oauth/revoke", { client_id: "fettle-bridge", token: accessTokenOf(home) });
    const answers = await Promise.all(bridges.map((one) => call(one, "get_current_user")));

    expect(answers.every(({ error }) => error === undefined)).toBe(true);
    expect(fettle.tokenRequests() - requests).toBe(1);
    expect(fettle.windows()).toBe(windows);
  });

  test("a restart needs no new sign-in, and stderr stays empty", async () => {
    const first = bridge();
    await first.initialize();
    await realNamesOf(first);
    await first.end();
    const windows = fettle.windows();

    const second = bridge();
    await second.initialize();
    const answer = await call(second, "get_current_user");
    const exit = await second.end();

    expect(answer.error).toBeUndefined();
    expect(fettle.windows()).toBe(windows);
    expect(second.stderr()).toBe("");
    expect(second.strayLines).toEqual([]);
    expect(exit).toEqual({ code: 0, signal: null });
    const readableByOthers = filesOf(home).filter(([path]) => (statSync(path).mode & 0o077) !== 0);
    expect(readableByOthers).toEqual([]);
  });

  test("a call waits out a server restart and a lost network", async () => {
    const one = bridge();
    await one.initialize();
    await realNamesOf(one);
    const windows = fettle.windows();

    await fettle.restart();
    const afterRestart = await call(one, "list_assets");
    await fettle.cutNetwork();
    const duringCut = call(one, "list_assets");
    await fettle.joinNetwork();

    expect(afterRestart.error).toBeUndefined();
    expect((await duringCut).error).toBeUndefined();
    expect(fettle.windows()).toBe(windows);
  });

  test("a revoked connection opens one window, for the next call but not a list", async () => {
    const one = bridge();
    await one.initialize();
    await realNamesOf(one);
    await fettle.post("/oauth/revoke", {
      client_id: "fettle-bridge",
      token: filesOf(home).flatMap(([, text]) => /mcp_rt_[\w-]+/.exec(text)?.[0] ?? [])[0] ?? "",
    });
    const windows = fettle.windows();

    const names = await namesOf(one);
    const windowsAfterList = fettle.windows();
    const answer = await call(one, "get_current_user");

    expect(names).toContain("list_assets");
    expect(windowsAfterList).toBe(windows);
    expect(answer.error).toBeUndefined();
    expect(fettle.windows()).toBe(windows + 1);
  });

  test("a denial is answered in the conversation, without a second window", async () => {
    const before = fettle.windows();
    const one = bridge([], { PERSON_DECISION: "deny" });
    await one.initialize();

    const names = await namesOf(one);
    const again = await namesOf(one);
    const refused = await call(one, "list_assets");
    const unasked = fettle.windows() - before;
    const asked = await call(one, "sign_in");

    expect(names).toEqual(["sign_in"]);
    expect(again).toEqual(["sign_in"]);
    expect(refused.error?.message).toContain("Call the tool sign_in");
    expect(unasked).toBe(1);
    expect(JSON.stringify(asked)).toContain("denied in the browser");
    expect(fettle.windows() - before).toBe(2);
  });

  test("no process keeps running after the bridges have ended", async () => {
    const bridges = await startTogether(3);
    await Promise.all(bridges.map(realNamesOf));

    const exits = await Promise.all(bridges.map((one) => one.end()));

    expect(exits.map(({ code }) => code)).toEqual([0, 0, 0]);
    await expect.poll(() => processesWith(home)).toEqual([]);
  });

  /** Processes started for this home, including the sign-in helper (Linux only). */
  function processesWith(folder: string): string[] {
    return readdirSync("/proc").filter((pid) => {
      try {
        const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        return variables.includes(`FETTLE_BRIDGE_HOME=${folder}`);
      } catch {
        return false;
      }
    });
  }

  test("--read-only hides writing tools and rejects calls to them", async () => {
    const one = bridge(["--read-only"]);
    await one.initialize();
    const names = await realNamesOf(one);

    const refused = await call(one, "create_workspace", { name: "Never made" });
    const allowed = await call(one, "list_workspaces");

    expect(names).toContain("list_assets");
    expect(names).not.toContain("create_workspace");
    expect(refused.error?.data?.["code"]).toBe("read_only");
    expect(JSON.stringify(allowed.result)).not.toContain("Never made");
  });
});
