import { describe, expect, test } from "vitest";
import {
  changeEntry,
  createFormat,
  readEntries,
  type SettingsFormat,
} from "../../bridge/src/install/formats.js";
import * as libraries from "../../bridge/src/install/settings-libraries.js";

const address = { url: "https://fettle.example.com/mcp" };
const program = { command: "C:\\node.exe", args: ["C:\\main.js", 'say "hi"'] };

const set = (format: SettingsFormat, text: string, key: string, entry: object = address) =>
  changeEntry(format, text, { key, name: "fettle" }, entry as Record<string, unknown>);
const remove = (format: SettingsFormat, text: string, key: string) =>
  changeEntry(format, text, { key, name: "fettle" }, undefined);

describe("JSON", () => {
  const json = createFormat("json", libraries);
  const lines = (...of: string[]) => of.map((line) => `${line}\n`).join("");

  test.each([
    [
      "comments, odd spacing and a trailing comma",
      lines(
        "{",
        "    // mine",
        '    "mcpServers": {',
        '        "a": {"command":"x"}, // why',
        "    },",
        "}",
      ),
      lines(
        ...["{", "    // mine", '    "mcpServers": {', '        "fettle": {'],
        ...['            "url": "https://fettle.example.com/mcp"', "        },"],
        ...['        "a": {"command":"x"}, // why', "    },", "}"],
      ),
    ],
    [
      "a comment behind the last server",
      lines("{", '  "mcpServers": {', '    "a": 1 // one', "    // end", "  },", '  "z": 2', "}"),
      lines(
        ...["{", '  "mcpServers": {', '    "fettle": {'],
        ...['      "url": "https://fettle.example.com/mcp"', "    },"],
        ...['    "a": 1 // one', "    // end", "  },", '  "z": 2', "}"],
      ),
    ],
    [
      "other settings only, with tabs and the line ends of Windows",
      '{\r\n\t"theme": "One"\r\n}\r\n',
      '{\r\n\t"mcpServers": {\r\n\t\t"fettle": {\r\n\t\t\t"url": "https://fettle.example.com/mcp"\r\n\t\t}\r\n\t},\r\n\t"theme": "One"\r\n}\r\n',
    ],
    [
      "everything on one line",
      '{"mcpServers":{"a":{}}}',
      '{"mcpServers":{"fettle": {"url":"https://fettle.example.com/mcp"},"a":{}}}',
    ],
    [
      "a byte order mark",
      '\uFEFF{\n  "mcpServers": {}\n}\n',
      '\uFEFF{\n  "mcpServers": {\n    "fettle": {\n      "url": "https://fettle.example.com/mcp"\n    }\n  }\n}\n',
    ],
    [
      "nothing but a comment",
      "{\n  // later\n}\n",
      '{\n  "mcpServers": {\n    "fettle": {\n      "url": "https://fettle.example.com/mcp"\n    }\n  }\n  // later\n}\n',
    ],
  ])(
    "a file with %s keeps its formatting, and removal restores the original",
    (_, before, after) => {
      const written = set(json, before, "mcpServers");

      expect(written).toBe(after);
      expect(set(json, written, "mcpServers")).toBe(written);
      const without = remove(json, written, "mcpServers");
      expect([without, without.replace(/\s*"mcpServers": \{\},?/, "")]).toContain(before);
    },
  );

  test.each(["", "  \n", "{}", '{"mcpServers": null}'])("adds a first server to %j", (before) => {
    expect(readEntries(json, set(json, before, "mcpServers"), "mcpServers")).toEqual({
      fettle: address,
    });
  });

  test("updates an entry field by field and keeps its comments", () => {
    const before = lines(
      ...[
        "{",
        '  "mcpServers": {',
        '    "fettle": {',
        "      // by hand",
        '      "command": "old",',
      ],
      ...['      "args": [], // none', '      "env": { "A": "1" }', "    }", "  }", "}"],
    );

    const after = set(json, before, "mcpServers", { ...program, env: { A: "1" } });

    expect(after).toBe(
      before
        .replace('"old"', JSON.stringify(program.command))
        .replace("[]", JSON.stringify(program.args)),
    );
  });

  test.each([
    ['{"mcpServers": {', "it is not valid JSON (line 1: close brace expected)"],
    ['{\n  "a": 1\n  "b": 2\n}', "it is not valid JSON (line 3: comma expected)"],
    ["[]", "it does not hold settings by name"],
    ['{"mcpServers": []}', 'its "mcpServers" does not hold servers by name'],
    ["not JSON", "it is not valid JSON (line 1: invalid symbol)"],
  ])("leaves %j unchanged", (text, reason) => {
    expect(() => readEntries(json, text, "mcpServers")).toThrow(reason);
  });

  test("rejects a file with a duplicate server entry", () => {
    const twice = '{"mcpServers": {"fettle": {"url": "a"}, "fettle": {"url": "b"}}}';

    expect(() => set(json, twice, "mcpServers")).toThrow("written in a way that cannot be changed");
  });
});

describe("TOML", () => {
  const toml = createFormat("toml", libraries);
  const before =
    '# mine\nmodel = "x"   # why\n\n[mcp_servers.a] # docs\ncommand = "npx"   \n\n  [mcp_servers.a.env]\n  A = "1"\n\n[features]\nfast = true # yes\n';

  test.each(["\n", "\r\n"])(
    "adds an entry as a table at the end and keeps everything else (%j)",
    (lineEnd) => {
      const text = before.replaceAll("\n", lineEnd);

      const written = set(toml, text, "mcp_servers");

      const table = '\n[mcp_servers.fettle]\nurl = "https://fettle.example.com/mcp"\n';
      expect(written).toBe(text + table.replaceAll("\n", lineEnd));
      expect(set(toml, written, "mcp_servers")).toBe(written);
      expect(remove(toml, written, "mcp_servers")).toBe(text);
    },
  );

  test("escapes Windows paths so that they can be read back", () => {
    const written = set(toml, "", "mcp_servers", program);

    expect(readEntries(toml, written, "mcp_servers")).toEqual({ fettle: program });
  });

  test("replaces a changed entry", () => {
    const text =
      '[mcp_servers.fettle]\nurl = "old"\n\n[mcp_servers.fettle.env]\nA = "1"\n\n[z]\na = 1\n';

    const after = set(toml, text, "mcp_servers", { ...address, env: { "B C": "2" } });

    expect(after).toBe(
      `\n\n[z]\na = 1\n\n[mcp_servers.fettle]\nurl = "${address.url}"\nenv = { "B C" = "2" }\n`,
    );
  });

  test.each([
    'mcp_servers.fettle = { url = "a" }\nb = 1\n',
    '[mcp_servers]\nfettle = { url = "a" }\nother = { url = "b" }\n',
    '[mcp_servers]\nfettle.url = "a"\n\n[z]\n',
    '[mcp_servers.fettle]\nurl = "a"\n[mcp_servers.fettle.env]\nA = "1"\n[z]\nb = 1\n',
  ])("removes the whole entry and nothing else from %j", (text) => {
    const after = remove(toml, text, "mcp_servers");

    expect(after).not.toContain("fettle");
    expect(after).toBe(
      text
        .split("\n")
        .filter((line) => !/fettle|^url|^A/.test(line))
        .join("\n"),
    );
  });

  test.each([
    ['mcp_servers = { a = { url = "b" } }\n', "written in a way that cannot be changed"],
    ["a = [1,\n b", "it is not valid TOML (line 2: "],
  ])("leaves %j unchanged", (text, reason) => {
    expect(() => set(toml, text, "mcp_servers")).toThrow(reason);
  });
});

describe("YAML", () => {
  const yaml = createFormat("yaml", libraries);
  const entry = { enabled: true, type: "streamable_http", uri: address.url };
  const before =
    "# mine\nGOOSE_MODEL: x # why\nextensions:\n    developer:\n        # dev\n        enabled: true\n        args: ['a']\n    # last\nz: 1\n";
  const after = before.replace(
    "    # last\n",
    "    fettle:\n        enabled: true\n        type: streamable_http\n        uri: https://fettle.example.com/mcp\n    # last\n",
  );

  test.each(["\n", "\r\n"])("adds an entry in the style of the existing ones (%j)", (lineEnd) => {
    const text = before.replaceAll("\n", lineEnd);

    const written = set(yaml, text, "extensions", entry);

    expect(written).toBe(after.replaceAll("\n", lineEnd));
    expect(set(yaml, written, "extensions", entry)).toBe(written);
    expect(remove(yaml, written, "extensions")).toBe(text);
  });

  test.each([
    "",
    "a: 1\n",
    "# only this\n",
    "extensions: {} # none\nz: 1\n",
    "extensions:\nz: 1\n",
  ])("adds a first server to %j and removes it again", (text) => {
    const written = set(yaml, text, "extensions", entry);

    expect(readEntries(yaml, written, "extensions")).toEqual({ fettle: entry });
    expect(readEntries(yaml, remove(yaml, written, "extensions"), "extensions")).toEqual({});
    for (const comment of text.match(/#.*/g) ?? []) expect(written).toContain(comment);
  });

  test("updates an entry in place", () => {
    const written = set(yaml, after, "extensions", { ...entry, uri: "https://other.example/mcp" });

    expect(written).toBe(after.replace("https://fettle.example.com", "https://other.example"));
  });

  test("rewrites servers in braces and keeps comments", () => {
    const text = "# mine\nextensions: { a: { enabled: true } } # why\n";

    const written = set(yaml, text, "extensions", entry);

    expect(readEntries(yaml, written, "extensions")).toEqual({
      a: { enabled: true },
      fettle: entry,
    });
    expect(written).toContain("# mine");
    expect(written).toContain("# why");
  });

  test.each([
    ["a: [1\nb: 2\n", "it is not valid YAML (line "],
    ["- a\n", "it does not hold settings by name"],
    ["extensions: [a]\n", 'its "extensions" does not hold servers by name'],
  ])("leaves %j unchanged", (text, reason) => {
    expect(() => set(yaml, text, "extensions", entry)).toThrow(reason);
  });
});
