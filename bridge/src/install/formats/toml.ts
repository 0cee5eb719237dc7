import { isRecord, toRecord } from "../../common/json.js";
import type { Entry } from "../clients.js";
import {
  endLine,
  type EntryPath,
  lineEndOf,
  lineStart,
  nextLine,
  type SettingsFormat,
  type SettingsLibraries,
  SettingsProblem,
  splice,
} from "./common.js";

type Ast = ReturnType<SettingsLibraries["parseTOML"]>;
type Node = Ast["body"][0]["body"][number];
type Range = readonly [number, number];

/** TOML: entries are tables of their own, put at the end of the file. */
export function createTomlFormat({
  getStaticTOMLValue,
  parseTOML,
}: SettingsLibraries): SettingsFormat {
  const read = (text: string): Ast => {
    try {
      return parseTOML(text);
    } catch (cause) {
      const { lineNumber, message } = cause as { lineNumber?: number; message: string };
      const where = lineNumber === undefined ? "" : `line ${lineNumber}: `;
      throw new SettingsProblem(`it is not valid TOML (${where}${message})`, { cause });
    }
  };
  // As JSON, for the parser's objects have no prototype.
  const parse = (text: string): unknown =>
    JSON.parse(JSON.stringify(getStaticTOMLValue(read(text))));
  const remove = (text: string, path: EntryPath): string =>
    rangesOf(read(text), path)
      .toReversed()
      .reduce((result, range) => removeLines(result, range), text);
  return {
    parse,
    remove,
    set: (text, path, entry) => {
      const before = toRecord(toRecord(parse(text))[path.key]);
      return append(path.name in before ? remove(text, path) : text, path, entry);
    },
    // Without servers nothing is left of it.
    removeEmpty: (text) => text,
  };
}

function append(text: string, { key, name }: EntryPath, entry: Entry): string {
  const lineEnd = lineEndOf(text);
  const begin = endLine(text, lineEnd);
  const lines = [`[${key}.${name}]`, ...Object.entries(entry).map(toLine)];
  return begin + (begin === "" ? "" : lineEnd) + lines.map((line) => line + lineEnd).join("");
}

function toLine([field, value]: [string, unknown]): string {
  return `${field} = ${toToml(value)}`;
}

/** JSON writes texts, numbers and truth values as TOML does. */
function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)} = ${toToml(field)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

function keysOf(node: Node): (string | number)[] {
  if (node.type === "TOMLTable") return node.resolvedKey;
  return node.key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
}

function isBelow(keys: readonly (string | number)[], { key, name }: EntryPath): boolean {
  return keys[0] === key && keys[1] === name;
}

/** Everything that makes up an entry: its table, tables below, and lines in other tables. */
function rangesOf(ast: Ast, path: EntryPath): Range[] {
  return ast.body[0].body.flatMap((node): Range[] => {
    const keys = keysOf(node);
    if (isBelow(keys, path)) return [node.range];
    if (node.type !== "TOMLTable") return [];
    return node.body
      .filter((line) => isBelow([...keys, ...keysOf(line)], path))
      .map(({ range }) => range);
  });
}

/** With the empty line that `append` put before it. */
function removeLines(text: string, [from, to]: Range): string {
  const end = nextLine(text, Math.max(from, to - 1));
  let start = lineStart(text, from);
  const previous = lineStart(text, start - 1);
  const isLast = text.slice(end).trim() === "";
  if (start > 0 && isLast && text.slice(previous, start).trim() === "") start = previous;
  return splice(text, [start, end], "");
}
