import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { makeKeychainHome, type KeychainKind } from "../support/bridge-keychain.js";
import { startBridge, type BridgeProcess, type Frame } from "../support/bridge-process.js";
import { useChromium } from "../support/chromium.js";
import {
  makeDataDir,
  runFettle,
  startServer,
  type ServerProcess,
} from "../support/server-process.js";

interface NpmVariables extends Record<string, string> {
  npm_config_ignore_scripts: string;
}

const person = { email: "dara@example.com", password: "correct horse battery" };

describe("bridge run by npx from a running Fettle server", () => {
  const browser = useChromium();
  const folder = mkdtempSync(join(tmpdir(), "fettle-packed-"));
  const windowsFile = join(folder, "windows");
  const browserCommand = join(folder, "browser");
  const data = makeDataDir();
  let server: ServerProcess;
  let running: BridgeProcess[] = [];
  const computers: { remove: () => void }[] = [];

  beforeAll(async () => {
    // The window opens in the test's Chromium.
    writeFileSync(browserCommand, `#!/bin/sh\nprintf '%s\\n' "$1" >>'${windowsFile}'\n`);
    chmodSync(browserCommand, 0o755);
    const variables = { DATA_DIR: data.path, RATE_LIMIT: "off" };
    server = await startServer(variables);
    const created = await runFettle(
      ["account", "create", "--email", person.email, "--name", "Dara Novak"].concat(
        ["--organization", "Northgate Facilities", "--password-stdin"],
        ["--workspace", "Boiler house"],
      ),
      { ...variables, BASE_URL: server.url },
      person.password,
    );
    expect(created.stderr).toBe("");
  });
  afterEach(async () => {
    await Promise.all(running.map((bridge) => bridge.end()));
    running = [];
  });
  afterAll(async () => {
    for (const computer of computers) computer.remove();
    await server.stop("SIGKILL");
    data.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * Simulates one computer: its keychain, the bridge's folder, and the packages that npx installs.
   */
  function makeComputer(name: string, npm: NpmVariables) {
    const keychain = makeKeychainHome();
    const path = join(folder, name);
    const home = join(path, "bridge");
    const work = join(path, "work");
    for (const each of [home, work]) mkdirSync(each, { recursive: true });
    const start = (kind: KeychainKind, ...args: string[]): BridgeProcess => {
      const { prefix, variables } = keychain.session(kind);
      const npx = [
        "npx",
        "--yes",
        "--allow-remote=root",
        `${server.url}/downloads/fettle-bridge.tgz`,
      ];
      const bridge = startBridge({
        command: ["env", "-C", work, ...prefix, ...npx],
        server: server.mcp,
        args,
        home,
        variables: {
          ...variables,
          BROWSER: browserCommand,
          npm_config_cache: join(folder, `npm-${npm.npm_config_ignore_scripts}`),
          npm_config_update_notifier: "false",
          npm_config_loglevel: "error",
          ...npm,
        },
      });
      running.push(bridge);
      return bridge;
    };
    computers.push({
      remove: () => {
        endHelpers(home);
        keychain.remove();
      },
    });
    return {
      home,
      start,
      /**
       * Returns everything readable without a password, except npm's packages. Retries if a
       * keychain program removes its folder meanwhile.
       */
      filesWithTokens: () =>
        vi.waitFor(
          () =>
            [keychain.path, home, work]
              .flatMap(filesBelow)
              .filter((file) => /mcp_[ar]t_/.test(readFileSync(file, "latin1"))),
          60_000,
        ),
    };
  }

  function windows(): string[] {
    return existsSync(windowsFile) ? readFileSync(windowsFile, "utf8").trim().split("\n") : [];
  }

  function callTool(bridge: BridgeProcess): Promise<Frame> {
    return bridge.request("tools/call", { name: "get_current_user", arguments: {} });
  }

  /** Completes the sign-in in the window that opens. */
  async function signInAfter(before: number): Promise<void> {
    await vi.waitFor(() => {
      expect(windows()).toHaveLength(before + 1);
    }, 60_000);
    const context = await browser().newContext();
    const page = await context.newPage();
    await page.goto(windows().at(-1) ?? "");
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("You are signed in").first().waitFor();
    await context.close();
  }

  /** Starts the bridge, signs in through the browser, calls a tool and ends. */
  async function firstRun(bridge: BridgeProcess): Promise<BridgeProcess> {
    const before = windows().length;
    await bridge.initialize();
    const answer = callTool(bridge);
    await signInAfter(before);
    expect((await answer).result).toMatchObject({
      structuredContent: { user: { email: person.email } },
    });
    expect(await bridge.end()).toMatchObject({ code: 0 });
    return bridge;
  }

  /** Starts the bridge again. It must be signed in without a window. */
  async function laterRun(bridge: BridgeProcess): Promise<BridgeProcess> {
    const before = windows().length;
    await bridge.initialize();
    const answer = await callTool(bridge);
    expect(answer.result).toMatchObject({ structuredContent: { user: { email: person.email } } });
    expect(await bridge.end()).toMatchObject({ code: 0 });
    expect(windows()).toHaveLength(before);
    expect(saidBy(bridge)).toBe("");
    return bridge;
  }

  /** The bridge's own lines, without output of keychain programs. */
  function saidBy(bridge: BridgeProcess): string {
    const lines = bridge.stderr().split("\n");
    return lines.filter((line) => line.includes("fettle-bridge:")).join("\n");
  }

  describe.each([
    // npm's default up to 11. The headers of this Node aren't downloaded if they are installed.
    { backend: "keytar", npm: { npm_config_ignore_scripts: "false", ...nodeHeaders() } },
    // The default of npm 12 and of careful people.
    { backend: "keyring", npm: { npm_config_ignore_scripts: "true" } },
  ])("with $backend", ({ backend, npm }) => {
    const computer = makeComputer(backend, npm);

    test("a person signs in once, and no file holds a token", async () => {
      const first = await firstRun(computer.start("unlocked"));
      await laterRun(computer.start("unlocked"));

      expect(first.strayLines).toEqual([]);
      expect(stateOf(computer.home)).toMatchObject({ backend, signedIn: true });
      expect(await computer.filesWithTokens()).toEqual([]);
    });

    test("reports a locked keychain, opens no window and loses nothing", async () => {
      const before = windows().length;
      const bridge = computer.start("locked");
      await bridge.initialize();

      const answer = await callTool(bridge);

      expect(answer.error?.data).toMatchObject({ code: "keychain_locked" });
      expect(answer.error?.message).toContain("locked");
      expect(windows()).toHaveLength(before);
      await bridge.end();
      await laterRun(computer.start("unlocked"));
    });
  });

  test.each([
    ["unlocked", 0, "ok       Keychain: it works by way of @napi-rs/keyring"],
    ["locked", 3, "PROBLEM  Keychain: it is locked, says @napi-rs/keyring"],
  ] as const)("doctor reports that the keychain is %s", async (kind, code, line) => {
    const computer = makeComputer(`doctor-${kind}`, { npm_config_ignore_scripts: "true" });
    await firstRun(computer.start("unlocked"));

    const doctor = computer.start(kind, "doctor");

    expect(await doctor.exit).toMatchObject({ code });
    expect(doctor.strayLines).toContain(line);
  });

  test("keeps tokens in memory without a keychain and says so", async () => {
    const computer = makeComputer("memory", { npm_config_ignore_scripts: "true" });

    const first = await firstRun(computer.start("no service"));

    expect(saidBy(first)).toContain("There is no keychain here");
    expect(await computer.filesWithTokens()).toEqual([]);
  });

  test("stores tokens in an owner-only file on request and says so once", async () => {
    const computer = makeComputer("file", { npm_config_ignore_scripts: "true" });

    const first = await firstRun(computer.start("no bus", "--storage", "file"));
    await laterRun(computer.start("no bus", "--storage", "file"));

    const [secrets, ...others] = await computer.filesWithTokens();
    expect(saidBy(first)).toContain(
      `in a file that only you can read, in ${dirname(secrets ?? "")}`,
    );
    expect(others).toEqual([]);
    expect(statSync(secrets ?? "").mode & 0o777).toBe(0o600);
    expect(statSync(dirname(secrets ?? "")).mode & 0o777).toBe(0o700);
  });
});

/** The path of this Node's installed headers, if any. Otherwise building keytar downloads them. */
function nodeHeaders(): Record<string, string> {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, "include/node/node.h")) ? { npm_config_nodedir: prefix } : {};
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function stateOf(home: string): unknown {
  const [file] = filesBelow(home).filter((path) => path.endsWith("/state.json"));
  return JSON.parse(readFileSync(file ?? "", "utf8"));
}

/** Ends helpers: one that holds tokens in memory waits a while for the next bridge. */
function endHelpers(home: string): void {
  for (const file of filesBelow(home).filter((path) => path.endsWith("/helper.json"))) {
    const { pid } = JSON.parse(readFileSync(file, "utf8")) as { pid: number };
    process.kill(pid, "SIGTERM");
  }
}
