import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startBridgedFettle, type BridgedFettle } from "../support/bridge-fettle.js";
import { startBridge, type BridgeProcess, type Frame } from "../support/bridge-process.js";

const { WINDOWS_NODE, WINDOWS_BRIDGE, WINDOWS_BROWSER, WINEPREFIX, WINEDEBUG } = process.env;
const starter = fileURLToPath(new URL("./start.mjs", import.meta.url));
const execute = promisify(execFile);

/** The path of a local file as Windows programs see it. */
const windowsPath = (path: string) => `Z:${path.replaceAll("/", "\\")}`;

describe("bridge as a Windows program, with a running Fettle server", () => {
  const folder = mkdtempSync(join(tmpdir(), "fettle-windows-"));
  const opened = join(folder, "opened");
  let fettle: BridgedFettle;
  let home: string;
  let running: BridgeProcess[] = [];

  beforeAll(async () => {
    fettle = await startBridgedFettle();
  });
  afterAll(async () => {
    await fettle.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    home = mkdtempSync(join(folder, "home-"));
    writeFileSync(opened, "");
  });
  afterEach(async () => {
    await Promise.all(running.map((bridge) => bridge.end()));
    running = [];
  });

  function start(words: readonly string[], command = [WINDOWS_NODE, WINDOWS_BRIDGE]) {
    const program = command.map((word) => word ?? "");
    const bridge = startBridge({
      command: [process.execPath, starter, ...program, ...words],
      home,
      variables: {
        FETTLE_BRIDGE_HOME: windowsPath(home),
        BROWSER: windowsPath(WINDOWS_BROWSER ?? ""),
        OPENED: windowsPath(opened),
        WINDOWS_NODE: WINDOWS_NODE ?? "",
        WINEPREFIX: WINEPREFIX ?? "",
        WINEDEBUG: WINEDEBUG ?? "",
        HOME: process.env["HOME"] ?? "",
      },
    });
    running.push(bridge);
    return bridge;
  }

  const windows = () => readFileSync(opened, "utf8").split("\n").slice(0, -1);

  /** Completes the sign-in in the window that opens. */
  async function signIn(): Promise<void> {
    await vi.waitFor(
      () => {
        expect(windows()).toHaveLength(1);
      },
      { timeout: 60_000, interval: 200 },
    );
    const person = fettle.variables["BROWSER"] ?? "";
    await execute(process.execPath, [person, windows()[0] ?? ""], {
      env: { ...process.env, ...fettle.variables },
    });
  }

  /** Starts a bridge that waits long: programs start slowly under Windows, and people act in between. */
  const serve = () => start(["--timeout", "200", fettle.mcp]);
  const callTool = (bridge: BridgeProcess) =>
    bridge.request("tools/call", { name: "get_current_user", arguments: {} });
  /** The caller's email, or the whole response if it has none. */
  const emailOf = (response: Frame) =>
    (response.result?.["structuredContent"] as { user?: { email?: string } } | undefined)?.user
      ?.email ?? response;

  async function signedIn(): Promise<BridgeProcess> {
    const bridge = serve();
    await bridge.initialize();
    const answer = callTool(bridge);
    await signIn();
    expect(emailOf(await answer)).toBe("dara@example.com");
    return bridge;
  }

  const tokensIn = (path: string) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) =>
        /mcp_[ar]t_/.test(readFileSync(join(entry.parentPath, entry.name), "latin1")),
      );

  test("a person signs in once, and tokens are only in Credential Manager", async () => {
    const first = await signedIn();
    expect(await first.end()).toMatchObject({ code: 0 });

    const second = serve();
    await second.initialize();
    const answer = await callTool(second);
    const exit = await second.end();

    expect(emailOf(answer)).toBe("dara@example.com");
    expect(windows()).toHaveLength(1);
    expect({ exit, stderr: second.stderr() }).toEqual({
      exit: { code: 0, signal: null },
      stderr: "",
    });
    expect(tokensIn(home)).toEqual([]);
    const status = start(["status"]);
    await status.exit;
    expect(status.strayLines.join("\n")).toContain("tokens are in the keychain (@napi-rs/keyring)");
  });

  test("three bridges that start together share one window", async () => {
    const bridges = [1, 2, 3].map(() => serve());
    await Promise.all(bridges.map((bridge) => bridge.initialize()));
    const answers = bridges.map(callTool);

    await signIn();

    expect((await Promise.all(answers)).map(emailOf)).toEqual(
      bridges.map(() => "dara@example.com"),
    );
    expect(windows()).toHaveLength(1);
  });

  test("killing a bridge loses nothing", async () => {
    const killed = await signedIn();
    killed.child.kill("SIGKILL");
    await killed.exit;

    const next = serve();
    await next.initialize();

    expect(emailOf(await callTool(next))).toBe("dara@example.com");
    expect(windows()).toHaveLength(1);
  });

  test("a sign-in outlives the bridge that started it", async () => {
    const killed = serve();
    await killed.initialize();
    void callTool(killed).catch(() => undefined);
    await vi.waitFor(
      () => {
        expect(windows()).toHaveLength(1);
      },
      { timeout: 60_000, interval: 200 },
    );
    killed.child.kill("SIGKILL");
    await killed.exit;
    await signIn();

    const next = serve();
    await next.initialize();

    expect(emailOf(await callTool(next))).toBe("dara@example.com");
    expect(windows()).toHaveLength(1);
  });

  test("doctor detects Windows, its keychain and problems", async () => {
    const doctor = start(["doctor", fettle.mcp]);

    const exit = await doctor.exit;

    const findings = doctor.strayLines.join("\n");
    expect(findings).toMatch(/ok {7}Node\.js: \d+\.\d+\.\d+ on win32 x64/);
    expect(findings).toContain("it works by way of @napi-rs/keyring");
    expect(findings).toContain("ok       Connection: localhost");
    expect(exit).toMatchObject({ code: 3 });
  });

  test("install writes to the Windows folders, and the result starts", async () => {
    const install = start(["install", "claude-desktop", "vscode", fettle.mcp]);
    expect(await install.exit, install.stderr()).toMatchObject({ code: 0 });

    const users = join(WINEPREFIX ?? "", "drive_c/users");
    const user = readdirSync(users).find((name) => name !== "Public") ?? "";
    const roaming = join(users, user, "AppData/Roaming");
    expect(existsSync(join(roaming, "Code/User/mcp.json"))).toBe(true);
    const file = join(roaming, "Claude/claude_desktop_config.json");
    const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as {
      mcpServers: { fettle: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.fettle;
    expect(command).toMatch(/^Z:\\.*\\node\.exe$/);
    expect(args).toEqual([expect.stringMatching(/^Z:\\.*\\dist\\main\.js$/), fettle.mcp]);
    const bridge = start([], [command, ...args]);
    await bridge.initialize();
    const answer = callTool(bridge);
    await signIn();
    expect(emailOf(await answer)).toBe("dara@example.com");
    const uninstall = start(["uninstall"]);
    expect(await uninstall.exit).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
  });
});
