import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createProgram } from "../../server/src/commands/program.js";
import { parseConfig, variableNames } from "../../server/src/config.js";
import { readVariables } from "../../server/src/variables.js";

const folder = fileURLToPath(new URL("../../docs/operate", import.meta.url));
const read = (path: string) => readFileSync(path, "utf8");
const pages = readdirSync(folder).map((name) => ({ name, text: read(join(folder, name)) }));
const configuration = read(join(folder, "configuration.md"));

const cellsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()));
const unquoted = (cell = "") => /^`(.*)`$/.exec(cell)?.[1];

describe("variables page", () => {
  const rows = cellsOf(configuration).flatMap(([, first, second]) => {
    const name = unquoted(first);
    return name === undefined ? [] : [{ name, default: unquoted(second) }];
  });

  test("has one row for each variable and no other", () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...variableNames].sort());
  });

  test("names the defaults", () => {
    const named = rows.filter(({ name }) => !["BASE_URL", "ALLOWED_ORIGINS"].includes(name));
    for (const { name, default: value } of named) {
      if (value === undefined) continue;
      expect(parseConfig({ [name]: value }), name).toEqual(parseConfig({}));
    }
  });

  test("lists the variables that may be read from a file", () => {
    const [, section = ""] = configuration.split("## Secrets from files");
    const listed = [...(section.split("\n## ")[0] ?? "").matchAll(/`([A-Z0-9_]+)`/g)];

    const known = [...variableNames, "MOVE_DATABASE_URL"].filter(
      (name) => readVariables({ [`${name}_FILE`]: "/nonexistent" }).problems.length > 0,
    );

    expect(
      listed
        .map(([, name]) => name)
        .filter((name) => name !== "_FILE")
        .sort(),
    ).toEqual(known.sort());
  });
});

describe.each(pages)("docs/operate/$name", ({ text }) => {
  test("names variables that exist", () => {
    const others = ["DATABASE_MEMORY", "MOVE_DATABASE_URL", "NODE_ENV", "SERVER_MEMORY"];
    const ofNode = ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"];
    const known = new Set([...variableNames, ...others, ...ofNode]);

    const named = [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name);

    const unknown = named.filter((name) => !known.has(name.replace(/_FILE$/, "")));
    expect(unknown.filter((name) => !name.startsWith("OTEL_"))).toEqual([]);
  });

  test("names commands that exist, with their options", async () => {
    for (const { words, options } of commandsIn(text)) {
      const help = await helpOf(words);
      expect(help, words.join(" ")).not.toMatch(/^Usage: fettle \[options\]|\[command\]/);
      for (const option of options) expect(help, words.join(" ")).toContain(`${option} `);
    }
  });

  test("has no long table cells", () => {
    expect(
      cellsOf(text)
        .flat()
        .filter((cell) => cell.length > 100 && !/^-+$/.test(cell)),
    ).toEqual([]);
  });

  test("links to pages and sections that exist", () => {
    const targets = [...text.matchAll(/\]\((?!https:)([^)#]*)#?([^)]*)\)/g)];
    for (const [link, path = "", anchor = ""] of targets) {
      const target = path === "" ? undefined : resolve(folder, path);
      if (target !== undefined) expect(existsSync(target), link).toBe(true);
      if (anchor === "") continue;
      expect(anchorsOf(target === undefined ? text : read(target)), link).toContain(anchor);
    }
  });
});

/** In code, after `fettle` or the file that runs it: the words of the command, and its options. */
function commandsIn(text: string): { words: string[]; options: string[] }[] {
  const code = [...text.matchAll(/```\w*\n(.*?)```|`([^`\n]+)`/gs)].map(
    ([, block, span]) => block ?? span ?? "",
  );
  return code.flatMap((part) =>
    [
      ...part
        .replaceAll("\\\n", " ")
        .matchAll(
          /(?:(?<![\w/=])fettle|silent fettle --|main\.js) +([a-z][a-z-]*(?: [a-z][a-z-]*)*)([^|>#\n]*)/g,
        ),
    ].map(([, words = "", rest = ""]) => ({
      words: words.split(" "),
      options: rest.match(/--[a-z-]+/g) ?? [],
    })),
  );
}

async function helpOf(words: string[]): Promise<string> {
  const lines: string[] = [];
  const program = createProgram({
    variables: {},
    stdin: Readable.from([]),
    write: (line) => lines.push(line),
    writeError: (line) => lines.push(line),
    report: () => undefined,
    onStopSignal: () => undefined,
    abort: () => undefined,
  });
  await program.run([...words, "--help"]);
  return lines.join("\n");
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}
