import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toMcpUrl } from "../../bridge/src/common/server-address.js";
import { findHome } from "../../bridge/src/context/io.js";
import { openProfile, updateState } from "../../bridge/src/profile/profile.js";
import { makeHome } from "../support/bridge-context.js";
import { makeIo, runBridge } from "../support/bridge-io.js";

const folder = makeHome();
afterAll(folder.remove);

describe("command line", () => {
  test("--help lists every command and option on stdout", async () => {
    const { code, stdout, stderr } = await runBridge(["--help"]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const word of [
      ...["login", "logout", "status", "doctor"],
      ...["--storage", "--profile", "--scope", "--header", "--callback-port", "--timeout"],
      ...["--ca-file", "--read-only", "--log-level", "--version"],
      ...["FETTLE_BRIDGE_STORAGE", "FETTLE_BRIDGE_PROFILE", "FETTLE_BRIDGE_SCOPE"],
      ...["FETTLE_BRIDGE_LOG", "NODE_EXTRA_CA_CERTS", "Examples:"],
    ]) {
      expect(stdout).toContain(word);
    }
    expect(stdout).not.toContain("sign-in-helper");
  });

  test("a command's help includes the options that all commands share", async () => {
    const { code, stdout } = await runBridge(["status", "--help"]);

    expect(code).toBe(0);
    expect(stdout).toContain("--json");
    expect(stdout).toContain("--profile");
  });

  test.each([[], ["install"], ["uninstall"], ["login"], ["logout"], ["status"], ["doctor"]])(
    "the help of %j fits 80 columns, and has examples and exit codes",
    async (...command) => {
      const { stdout } = await runBridge([...command, "--help"]);

      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect(stdout).toMatch(
        new RegExp(`\nExamples:\n  ${["fettle-bridge", ...command].join(" ")}`),
      );
      expect(stdout).toContain("Exit codes: 0 done");
    },
  );

  test("--help lists every command in a group", async () => {
    const { stdout } = await runBridge(["--help"]);

    expect(stdout).not.toContain("\nCommands:\n");
    for (const group of ["Set up clients", "Sign in", "Find problems"]) {
      expect(stdout).toMatch(new RegExp(`\n${group}:\n  [a-z]+ +[A-Z]`));
    }
  });

  test("--version prints only the version", async () => {
    const { code, stdout } = await runBridge(["--version"]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [[], "The server's address is missing"],
    [["--storage", "disk", "https://x.example"], "--storage must be auto, keychain or file."],
    [["--nonsense", "https://x.example"], "unknown option '--nonsense'"],
    [["https://x.example", "https://y.example"], "too many arguments"],
    [["--profile"], "option '--profile <name>' argument missing"],
    [["logn"], "unknown command 'logn'. Did you mean login? See: fettle-bridge --help\n"],
    [["logn", "https://fettle.example.com"], "Did you mean login?"],
    [["https://fettle.example.com", "login"], "give one address"],
    [["login", "https://a.example", "https://b.example"], "too many arguments"],
    [["status", "--profile", "a b"], "--profile must be"],
    [["login", "--json"], "unknown option '--json'"],
    [["login", "https://x.example", "--header", "Authorization: k"], "There is nothing to sign in"],
  ])("%j is wrong usage: exit code 2 and a sentence on stderr", async (args, sentence) => {
    const { code, stdout, stderr } = await runBridge(args, { FETTLE_BRIDGE_HOME: folder.path });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^fettle-bridge: /);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/error/i);
  });

  test("accepts options before and after the command", async () => {
    const home = { FETTLE_BRIDGE_HOME: folder.path };

    const before = await runBridge(["--profile", "p", "status", "https://x.example"], home);
    const after = await runBridge(["status", "https://x.example", "--profile", "p"], home);

    expect(before.stdout).toContain("https://x.example/mcp (profile p)");
    expect(after).toEqual(before);
  });

  test("reports an unusable home as wrong usage and suggests a fix", async () => {
    const file = join(folder.path, "a-file");
    writeFileSync(file, "");

    const { code, stderr } = await runBridge(["status", "https://x.example"], {
      FETTLE_BRIDGE_HOME: join(file, "home"),
    });

    expect(code).toBe(2);
    expect(stderr).toContain("FETTLE_BRIDGE_HOME");
  });
});

describe("server address", () => {
  test.each([
    ["https://fettle.example.com", "https://fettle.example.com/mcp"],
    ["https://fettle.example.com/", "https://fettle.example.com/mcp"],
    ["https://fettle.example.com/mcp", "https://fettle.example.com/mcp"],
    ["https://other.example/v1/mcp/?team=1#top", "https://other.example/v1/mcp/?team=1"],
    ["HTTPS://Fettle.Example.com:443", "https://fettle.example.com/mcp"],
    ["http://localhost:3000", "http://localhost:3000/mcp"],
    ["http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000/mcp"],
    ["http://[::1]:3000", "http://[::1]:3000/mcp"],
  ])("%s means %s", (given, meant) => {
    expect(toMcpUrl(given)).toBe(meant);
  });

  test.each([
    ["fettle.example.com", "must be a web address"],
    ["ftp://fettle.example.com", "must begin with https://"],
    ["file:///etc/passwd", "must begin with https://"],
    ["http://fettle.example.com", "over http everybody on the way could read the tokens"],
    ["http://localhost.example.com", "over http everybody on the way could read the tokens"],
    ["http://fettle.localhost", "over http everybody on the way could read the tokens"],
    ["http://127.0.0.1.example.com", "over http everybody on the way could read the tokens"],
    ["https://me:secret@fettle.example.com", "must not hold a user name or password"],
  ])("rejects %s", (given, reason) => {
    expect(() => toMcpUrl(given)).toThrow(reason);
  });
});

describe("command without an address", () => {
  const remember = async (home: string, ...servers: (readonly [string, string])[]) => {
    for (const [server, profile] of servers) {
      await updateState(openProfile({ home, server, profile }), {});
    }
  };

  test("asks for one when no server has been used", async () => {
    const home = join(folder.path, "none");

    const { code, stderr } = await runBridge(["logout"], { FETTLE_BRIDGE_HOME: home });

    expect(code).toBe(2);
    expect(stderr).toContain("Name the server: none has been used yet.");
  });

  test("uses the only server that has been used", async () => {
    const home = join(folder.path, "one");
    await remember(home, ["https://one.example/mcp", "work"]);

    const { code, stdout } = await runBridge(["logout"], { FETTLE_BRIDGE_HOME: home });

    expect(code).toBe(0);
    expect(stdout).toContain("https://one.example/mcp");
  });

  test("lists the servers when there are several", async () => {
    const home = join(folder.path, "two");
    await remember(home, ["https://one.example/mcp", ""], ["https://two.example/mcp", "work"]);

    const { code, stderr } = await runBridge(["logout"], { FETTLE_BRIDGE_HOME: home });

    expect(code).toBe(2);
    expect(stderr).toContain("\n  https://one.example/mcp\n");
    expect(stderr).toContain("\n  https://two.example/mcp --profile work\n");
  });

  test("uses the server of the named profile", async () => {
    const home = join(folder.path, "named");
    await remember(home, ["https://one.example/mcp", ""], ["https://two.example/mcp", "work"]);

    const { stdout } = await runBridge(["logout", "--profile", "work"], {
      FETTLE_BRIDGE_HOME: home,
    });

    expect(stdout).toContain("https://two.example/mcp");
  });
});

describe("home folder", () => {
  test.each([
    ["linux", { FETTLE_BRIDGE_HOME: "/own" }, "/own"],
    ["linux", {}, "/home/dara/.config/fettle-bridge"],
    ["linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/fettle-bridge"],
    ["linux", { XDG_CONFIG_HOME: "relative" }, "/home/dara/.config/fettle-bridge"],
    ["darwin", {}, "/home/dara/Library/Application Support/fettle-bridge"],
    ["win32", { APPDATA: "C:\\Users\\dara\\AppData\\Roaming" }, undefined],
  ] as const)("on %s with %o", (platform, environment, expected) => {
    const home = findHome({ ...makeIo(environment), platform, userFolder: "/home/dara" });

    expect(home).toBe(expected ?? "C:\\Users\\dara\\AppData\\Roaming\\fettle-bridge");
  });
});

test("reports an unexpected failure in one plain line; --log-level debug adds the stack", async () => {
  const home = join(folder.path, "broken");
  mkdirSync(join(home, "0123456789abcdef", "state.json"), { recursive: true });

  const plain = await runBridge(["status"], { FETTLE_BRIDGE_HOME: home });
  const debug = await runBridge(["status", "--log-level", "debug"], { FETTLE_BRIDGE_HOME: home });

  expect(plain.code).toBe(1);
  expect(plain.stderr).toMatch(/^fettle-bridge: Something unexpected happened: .*\n$/);
  expect(debug.stderr).toContain("\n    at ");
});
