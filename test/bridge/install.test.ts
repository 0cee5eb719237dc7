import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runBridge } from "../support/bridge-io.js";
import { makePerson, type Person } from "../support/bridge-install.js";

const server = "https://fettle.example.com";
const mcp = `${server}/mcp`;

let person: Person;
beforeEach(() => {
  person = makePerson();
});
afterEach(() => {
  person.remove();
});

const json = (...parts: string[]) => JSON.parse(person.read(...parts)) as Record<string, unknown>;

/** Each client's default entry, and its entry with an option that only the bridge knows. */
const byClient: [id: string, file: string, address: unknown, program: unknown][] = [
  ["claude-desktop", ".config/Claude/claude_desktop_config.json", undefined, {}],
  ["claude-code", ".claude.json", { type: "http", url: mcp }, { type: "stdio" }],
  ["cursor", ".cursor/mcp.json", { url: mcp }, {}],
  ["vscode", ".config/Code/User/mcp.json", { type: "http", url: mcp }, { type: "stdio" }],
  ["windsurf", ".codeium/windsurf/mcp_config.json", { serverUrl: mcp }, {}],
  ["zed", ".config/zed/settings.json", { url: mcp }, {}],
  ["gemini", ".gemini/settings.json", { httpUrl: mcp }, {}],
  [
    "copilot",
    ".copilot/mcp-config.json",
    { type: "http", url: mcp, tools: ["*"] },
    { type: "local", tools: ["*"] },
  ],
  ["kiro", ".kiro/settings/mcp.json", { url: mcp }, {}],
  ["lm-studio", ".lmstudio/mcp.json", undefined, {}],
];
const keys: Record<string, string> = { vscode: "servers", zed: "context_servers" };

describe.each(byClient)("%s", (id, file, address, extra) => {
  const key = keys[id] ?? "mcpServers";

  test("writes the address if the client supports sign-in, otherwise the program", async () => {
    const { code, stdout, stderr } = await person.install([id, server]);

    const program = { ...(extra as object), command: person.node, args: [person.script, mcp] };
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(json(file)).toEqual({ [key]: { fettle: address ?? program } });
    expect(stdout).toContain(person.path(file));
  });

  test("writes the program when an option is given", async () => {
    await person.install([id, server], { given: { readOnly: true, profile: "work" } });

    const args = [person.script, "--profile", "work", "--read-only", mcp];
    const program = { ...(extra as object), command: person.node, args };
    expect(json(file)).toEqual({ [key]: { fettle: program } });
  });

  test("keeps existing settings, and uninstall restores them", async () => {
    const before = `{\n    // mine\n    "${key}": {\n        "other": {"command":"x"} // why\n    },\n    "z": 1\n}\n`;
    person.write(file, before);

    await person.install([id, server]);
    const once = person.read(file);
    const again = await person.install([id, server]);

    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain("has it already");
    expect(person.read(file)).toBe(once);
    expect(once).toContain("    // mine\n");
    expect(once).toContain('        },\n        "other": {"command":"x"} // why\n    },\n');
    expect(person.read(`${file}.before-fettle-bridge`)).toBe(before);
    await person.uninstall([id]);
    expect(person.read(file)).toBe(before);
    expect(person.exists(`${file}.before-fettle-bridge`)).toBe(false);
  });
});

test("Codex uses tables, with the address or the program", async () => {
  const before = '# mine\nmodel = "x" # why\n';
  person.write(".codex/config.toml", before);

  await person.install(["codex", server]);
  const address = person.read(".codex/config.toml");
  await person.install(["codex", server], { given: { readOnly: true } });

  expect(address).toBe(`${before}\n[mcp_servers.fettle]\nurl = "${mcp}"\n`);
  expect(person.read(".codex/config.toml")).toBe(
    `${before}\n[mcp_servers.fettle]\ncommand = "${person.node}"\n` +
      `args = ["${person.script}", "--read-only", "${mcp}"]\n`,
  );
  await person.uninstall(["codex"]);
  expect(person.read(".codex/config.toml")).toBe(before);
});

test("Goose uses extensions, with the address or the program", async () => {
  const before = "# mine\nextensions:\n  developer: # why\n    enabled: true\nGOOSE_MODE: auto\n";
  // The library moves the comment to a separate line.
  const kept = before.replace(" # why", "\n    # why");
  const file = ".config/goose/config.yaml";
  person.write(file, before);
  const common =
    '    name: fettle\n    description: "Fettle: assets and maintenance"\n    timeout: 300\n';

  await person.install(["goose", server]);
  const address = person.read(file);
  await person.install(["goose", server], { given: { readOnly: true } });

  expect(address).toBe(
    kept.replace(
      "GOOSE_MODE",
      `  fettle:\n    enabled: true\n    type: streamable_http\n${common}    uri: ${mcp}\nGOOSE_MODE`,
    ),
  );
  expect(person.read(file)).toBe(
    kept.replace(
      "GOOSE_MODE",
      `  fettle:\n    enabled: true\n    type: stdio\n${common}    cmd: ${person.node}\n    args:\n` +
        `      - ${person.script}\n      - --read-only\n      - ${mcp}\nGOOSE_MODE`,
    ),
  );
  await person.uninstall(["goose"]);
  expect(person.read(file)).toBe(before);
});

describe("install command", () => {
  test("covers every installed client when no client is named", async () => {
    mkdirSync(person.path(".cursor"));
    person.write(".config/zed/settings.json", "{}\n");

    const { code } = await person.install([server]);

    expect(code).toBe(0);
    expect(json(".cursor/mcp.json")).toEqual({ mcpServers: { fettle: { url: mcp } } });
    expect(json(".config/zed/settings.json")).toEqual({
      context_servers: { fettle: { url: mcp } },
    });
    expect(person.exists(".codex")).toBe(false);
  });

  test("leaves broken settings unchanged, names them, and updates the other clients", async () => {
    person.write(".cursor/mcp.json", '{ "mcpServers": {\n');
    person.write(".gemini/settings.json", "{}");

    const { code, stderr } = await person.install([server]);

    expect(code).toBe(1);
    expect(stderr).toBe(
      `fettle-bridge: Cursor (cursor): ${person.path(".cursor/mcp.json")} was left as it is: ` +
        "it is not valid JSON (line 2: close brace expected).\n",
    );
    expect(person.read(".cursor/mcp.json")).toBe('{ "mcpServers": {\n');
    expect(readdirSync(person.path(".cursor"))).toEqual(["mcp.json"]);
    expect(json(".gemini/settings.json")).toEqual({ mcpServers: { fettle: { httpUrl: mcp } } });
  });

  test("leaves text in another encoding unchanged", async () => {
    person.write(".cursor/mcp.json", "");
    const { writeFileSync, readFileSync } = await import("node:fs");
    const bytes = Buffer.from('{"name": "M\xfcller"}', "latin1");
    writeFileSync(person.path(".cursor/mcp.json"), bytes);

    const { code, stderr } = await person.install(["cursor", server]);

    expect(code).toBe(1);
    expect(stderr).toContain("it is not written in UTF-8");
    expect(readFileSync(person.path(".cursor/mcp.json"))).toEqual(bytes);
  });

  test("with --dry-run shows the difference and writes nothing", async () => {
    const before = '{\n  "mcpServers": {\n    "a": 1\n  }\n}\n';
    person.write(".cursor/mcp.json", before);

    const { code, stdout } = await person.install(["cursor", server], { dryRun: true });

    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        ...['   "mcpServers": {', '+    "fettle": {'],
        ...[`+      "url": "${mcp}"`, "+    },", '     "a": 1', "   }"],
      ].join("\n"),
    );
    expect(stdout).toContain("Nothing was written.");
    expect(person.read(".cursor/mcp.json")).toBe(before);
    expect(readdirSync(person.path(".cursor"))).toEqual(["mcp.json"]);
    expect(person.exists("bridge-home")).toBe(false);
  });

  test("with --list shows the clients found and their servers", async () => {
    person.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { x: { url: mcp } } }));
    person.write(".config/zed/settings.json", "{");
    mkdirSync(person.path(".kiro"));

    const { code, stdout } = await person.install([], { list: true });

    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      `Cursor (cursor): ${person.path(".cursor/mcp.json")}`,
      `  "x" for ${mcp} (by address)`,
      expect.stringContaining("Zed (zed)"),
      `Kiro (kiro): ${person.path(".kiro/settings/mcp.json")}`,
      "  no server by address or bridge",
      "",
    ]);
  });

  test.each([
    [["emacs", server], 'There is no client "emacs". These can be named: claude-desktop'],
    [["cursor", server, "https://other.example"], "Name one server's address only."],
    [["cursor", "fettle.example.com"], "must be a web address"],
    [["cursor", "http://fettle.example.com"], "must begin with https://"],
    [["cursor"], "Name the server: none has been used yet."],
    [[server], "None of the clients was found. Name the one you use: claude-desktop"],
  ])("rejects %j as wrong usage", async (words, sentence) => {
    await expect(person.install(words)).rejects.toThrow(sentence);
  });

  test("uses another name when its default is taken, and one per profile", async () => {
    person.write(
      ".cursor/mcp.json",
      '{"mcpServers": {"fettle": {"url": "https://x.example/mcp"}}}',
    );

    await person.install(["cursor", server]);
    await person.install(["cursor", server], { given: { profile: "work" } });
    await person.install(["cursor", server], { given: { profile: "work", readOnly: true } });

    expect(json(".cursor/mcp.json")["mcpServers"]).toEqual({
      fettle: { url: "https://x.example/mcp" },
      "fettle-fettle-example-com": { url: mcp },
      "fettle-work": {
        command: person.node,
        args: [person.script, "--profile", "work", "--read-only", mcp],
      },
    });
  });

  test("repairs a manually written entry and keeps its additions", async () => {
    const mine = { command: "npx", args: ["-y", "fettle-bridge", server], env: { A: "1" } };
    person.write(
      ".config/Claude/claude_desktop_config.json",
      JSON.stringify({ mcpServers: { work: mine } }),
    );

    await person.install(["claude-desktop", server]);

    expect(json(".config/Claude/claude_desktop_config.json")["mcpServers"]).toEqual({
      work: { command: person.node, args: [person.script, mcp], env: { A: "1" } },
    });
  });

  test("writes through a symbolic link and keeps the file mode", async () => {
    person.write("dotfiles/mcp.json", "{}\n");
    chmodSync(person.path("dotfiles/mcp.json"), 0o644);
    mkdirSync(person.path(".cursor"));
    symlinkSync(person.path("dotfiles/mcp.json"), person.path(".cursor/mcp.json"));

    await person.install(["cursor", server]);

    expect(lstatSync(person.path(".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(json("dotfiles/mcp.json")).toEqual({ mcpServers: { fettle: { url: mcp } } });
    expect(statSync(person.path("dotfiles/mcp.json")).mode & 0o777).toBe(0o644);
  });

  test("writes full paths for given files", async () => {
    const caFile = "test/support/localhost.pem";

    await person.install(["cursor", server], { given: { caFile, header: ["A: 1", "B: 2"] } });

    const args = ["--header", "A: 1", "--header", "B: 2", "--ca-file", join(process.cwd(), caFile)];
    expect(json(".cursor/mcp.json")["mcpServers"]).toEqual({
      fettle: { command: person.node, args: [person.script, ...args, mcp] },
    });
  });
});

describe("uninstall command", () => {
  test("removes only the entries that install wrote, from all clients", async () => {
    const mine = {
      "fettle-mine": { url: "https://mine.example/mcp" },
      other: { command: "node", args: ["/srv/bridge/dist/main.js", mcp] },
    };
    person.write(".cursor/mcp.json", JSON.stringify({ mcpServers: mine }));
    mkdirSync(person.path(".kiro"));
    await person.install([server]);

    const { code, stdout } = await person.uninstall();

    expect(code).toBe(0);
    expect(stdout).toContain(`removed "fettle" for ${mcp} (by address)`);
    expect(json(".cursor/mcp.json")).toEqual({ mcpServers: mine });
    expect(person.exists(".kiro/settings/mcp.json")).toBe(false);
    expect(readdirSync(person.path(".kiro"))).toEqual(["settings"]);
    expect(readdirSync(person.path(".kiro/settings"))).toEqual([]);
  });

  test("removes manually written bridge entries, and named addresses under the bridge's name", async () => {
    const servers = {
      a: { command: "fettle-bridge", args: [server] },
      b: { command: "cmd", args: ["/c", "fettle-bridge", "https://b.example"] },
      c: { command: "npx", args: ["-y", "fettle-bridge@0.1.0", server] },
      d: { url: mcp },
      "fettle-2": { url: mcp },
      e: { command: "npx", args: ["-y", "not-fettle-bridge", server] },
      f: { command: "npx", args: ["--yes", `${server}/downloads/fettle-bridge.tgz`, server] },
      g: { command: "npx", args: ["--yes", "@acme/fettle-bridge", server] },
    };
    person.write(".cursor/mcp.json", JSON.stringify({ mcpServers: servers }));

    await person.uninstall(["cursor", server]);
    const named = json(".cursor/mcp.json");
    await person.uninstall(["cursor"]);

    expect(named).toEqual({ mcpServers: { b: servers.b, d: servers.d, e: servers.e } });
    expect(json(".cursor/mcp.json")).toEqual({ mcpServers: { d: servers.d, e: servers.e } });
  });

  test("with a profile removes only that profile", async () => {
    await person.install(["cursor", server]);
    await person.install(["cursor", server], { given: { profile: "work" } });

    await person.uninstall(["cursor"], { given: { profile: "work" } });

    expect(json(".cursor/mcp.json")).toEqual({ mcpServers: { fettle: { url: mcp } } });
  });

  test("keeps an address that existed before install", async () => {
    const before = JSON.stringify({ mcpServers: { fettle: { url: mcp } } });
    person.write(".cursor/mcp.json", before);
    await person.install(["cursor", server]);

    const { stdout } = await person.uninstall(["cursor"]);

    expect(stdout).toContain("holds nothing of the bridge");
    expect(person.read(".cursor/mcp.json")).toBe(before);
  });

  test("with --dry-run shows the entries to remove", async () => {
    await person.install(["cursor", server]);
    const before = person.read(".cursor/mcp.json");

    const { stdout } = await person.uninstall(["cursor"], { dryRun: true });

    expect(stdout).toContain(`-      "url": "${mcp}"`);
    expect(person.read(".cursor/mcp.json")).toBe(before);
  });

  test("keeps changes made after install", async () => {
    person.write(".cursor/mcp.json", '{\n  "mcpServers": {\n    "a": 1\n  }\n}\n');
    await person.install(["cursor", server]);
    const edited = person.read(".cursor/mcp.json").replace("{\n", "{\n  // later\n");
    person.write(".cursor/mcp.json", edited);

    await person.uninstall();

    expect(person.read(".cursor/mcp.json")).toBe(
      '{\n  // later\n  "mcpServers": {\n    "a": 1\n  }\n}\n',
    );
    expect(person.exists(".cursor/mcp.json.before-fettle-bridge")).toBe(true);
  });
});

test("the command line has both commands, and reports wrong usage of them", async () => {
  const help = await runBridge(["install", "--help"]);
  const wrong = await runBridge(["uninstall", "emacs"]);

  expect(help).toMatchObject({ code: 0, stderr: "" });
  for (const word of ["--dry-run", "--list", "--read-only"]) expect(help.stdout).toContain(word);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toMatch(/^fettle-bridge: There is no client "emacs"\./);
});
