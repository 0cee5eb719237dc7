import { isDeepStrictEqual } from "node:util";
import { isRecord, toRecord } from "../common/json.js";
import type { Client, Entry } from "./clients.js";
import type * as settingsLibraries from "./settings-libraries.js";

/** A separate file that only `install` and `uninstall` load. */
export type SettingsLibraries = typeof settingsLibraries;

export function loadSettingsLibraries(): Promise<SettingsLibraries> {
  return import("./settings-libraries.js");
}

/** Why a settings file is left unchanged, as the end of a sentence. */
export class SettingsProblem extends Error {
  override name = "SettingsProblem";
}

function lineEndOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function splice(text: string, [from, to]: readonly [number, number], by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** A settings format. Unchanged parts are preserved byte for byte. */
export interface SettingsFormat {
  /** Parses the whole content. Throws SettingsProblem for invalid syntax. */
  parse: (text: string) => unknown;
  set: (text: string, path: EntryPath, entry: Entry) => string;
  remove: (text: string, path: EntryPath) => string;
}

interface EntryPath {
  key: string;
  name: string;
}

type JsonNode = NonNullable<ReturnType<SettingsLibraries["parseTree"]>>;

const endOf = ({ offset, length }: JsonNode) => offset + length;
const tolerant = { allowTrailingComma: true };

/** JSON with comments and trailing commas, which many clients allow in settings. */
function createJsonFormat(libraries: SettingsLibraries): SettingsFormat {
  const { applyEdits, findNodeAtLocation, modify, parseTree, parseJsonc, printParseErrorCode } =
    libraries;
  const read = (text: string) => {
    const errors: Parameters<typeof parseTree>[1] = [];
    const root = parseTree(text, errors, tolerant);
    const [first] = errors;
    if (first === undefined) return root;
    const line = text.slice(0, first.offset).split("\n").length;
    const reason = printParseErrorCode(first.error).replace(/\B([A-Z])/g, " $1");
    throw new SettingsProblem(`it is not valid JSON (line ${line}: ${reason.toLowerCase()})`);
  };
  const parse = (text: string): unknown => {
    if (text.trim() === "") return undefined;
    read(text);
    return parseJsonc(text, [], tolerant) as unknown;
  };
  const nodeAt = (text: string, path: string[]) => {
    const root = read(text);
    return root && findNodeAtLocation(root, path);
  };
  /**
   * Creates missing parent objects. Puts a new entry first, so that comments stay with their
   * entries.
   */
  const setAt = (text: string, path: string[], value: unknown): string => {
    const isOnLines = text.includes("\n") && nodeAt(text, path) === undefined;
    const edits = modify(text, path, value, {
      getInsertionIndex: () => 0,
      ...(isOnLines && { formattingOptions: formattingOf(text) }),
    });
    return applyEdits(text, edits);
  };
  const removeAt = (text: string, path: string[]): string => {
    const node = nodeAt(text, path)?.parent;
    return node === undefined ? text : removeProperty(text, node, libraries);
  };
  return {
    parse,
    set: (given, { key, name }, entry) => {
      const text = given.trim() === "" ? "{}\n" : given;
      const data = parse(text);
      const servers = isRecord(data) ? data[key] : undefined;
      if (servers === null) return setAt(removeAt(text, [key]), [key, name], entry);
      const before = isRecord(servers) ? servers[name] : undefined;
      if (!isRecord(before)) return setAt(removeAt(text, [key, name]), [key, name], entry);
      const fields = Object.keys({ ...before, ...entry });
      return fields
        .filter((field) => !isDeepStrictEqual(before[field], entry[field]))
        .reduce((result, field) => {
          const path = [key, name, field];
          return field in entry ? setAt(result, path, entry[field]) : removeAt(result, path);
        }, text);
    },
    remove: (text, { key, name }) => removeAt(text, [key, name]),
  };
}

function formattingOf(text: string) {
  const indent = /^([ \t]+)["}\]/]/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.includes("\t"),
    tabSize: indent.length,
    eol: lineEndOf(text),
  };
}

function removeProperty(text: string, property: JsonNode, libraries: SettingsLibraries): string {
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const comma = findComma(text, endOf(property), libraries);
  const from = text.slice(0, property.offset).trimEnd().length;
  const without = splice(text, [from, comma === undefined ? endOf(property) : comma + 1], "");
  if (previous === undefined) return closeUp(without, from);
  // The new last property has no comma, unless the removed one had one.
  const separator = comma === undefined ? findComma(text, endOf(previous), libraries) : undefined;
  return separator === undefined ? without : splice(without, [separator, separator + 1], "");
}

/** Removes white space from an empty object. */
function closeUp(text: string, from: number): string {
  const to = from + text.slice(from).search(/\S|$/);
  return text[from - 1] === "{" && text[to] === "}" ? splice(text, [from, to], "") : text;
}

function findComma(
  text: string,
  end: number,
  { createScanner }: SettingsLibraries,
): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(end);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
}

type Ast = ReturnType<SettingsLibraries["parseTOML"]>;
type TomlNode = Ast["body"][0]["body"][number];

/** TOML: entries are separate tables, appended to the file. */
function createTomlFormat({ getStaticTOMLValue, parseTOML }: SettingsLibraries): SettingsFormat {
  const read = (text: string): Ast => {
    try {
      return parseTOML(text);
    } catch (cause) {
      const { lineNumber, message } = cause as { lineNumber?: number; message: string };
      const where = lineNumber === undefined ? "" : `line ${lineNumber}: `;
      throw new SettingsProblem(`it is not valid TOML (${where}${message})`, { cause });
    }
  };
  // As JSON, because the parser's objects have no prototype.
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
  };
}

function append(text: string, { key, name }: EntryPath, entry: Entry): string {
  const lineEnd = lineEndOf(text);
  const before = text === "" || text.endsWith("\n") ? text : text + lineEnd;
  const lines = Object.entries(entry).map(([field, value]) => `${field} = ${toToml(value)}`);
  const table = [`[${key}.${name}]`, ...lines].map((line) => line + lineEnd).join("");
  return before === "" ? table : before + lineEnd + table;
}

/** JSON strings, numbers and booleans are valid TOML. */
function toToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)} = ${toToml(field)}`,
  );
  return `{ ${fields.join(", ")} }`;
}

function keysOf(node: TomlNode): (string | number)[] {
  if (node.type === "TOMLTable") return node.resolvedKey;
  return node.key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
}

function isBelow(keys: readonly (string | number)[], { key, name }: EntryPath): boolean {
  return keys[0] === key && keys[1] === name;
}

/** All ranges of an entry: its table, subtables, and lines in other tables. */
function rangesOf(ast: Ast, path: EntryPath): TomlNode["range"][] {
  return ast.body[0].body.flatMap((node) => {
    const keys = keysOf(node);
    if (isBelow(keys, path)) return [node.range];
    if (node.type !== "TOMLTable") return [];
    return node.body
      .filter((line) => isBelow([...keys, ...keysOf(line)], path))
      .map(({ range }) => range);
  });
}

/** Also removes the empty line that `append` added. */
function removeLines(text: string, [from, to]: TomlNode["range"]): string {
  const before = text.slice(0, text.lastIndexOf("\n", from - 1) + 1);
  const end = text.indexOf("\n", Math.max(from, to - 1));
  const after = end < 0 ? "" : text.slice(end + 1);
  return (after.trim() === "" ? before.replace(/(?<![^\n])[^\S\n]*\n$/, "") : before) + after;
}

/** The library rewrites the file but retains comments and their order. */
function createYamlFormat({
  isMap,
  LineCounter,
  parseDocument,
}: SettingsLibraries): SettingsFormat {
  const read = (text: string) => {
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter });
    const [first] = document.errors;
    if (first === undefined) return document;
    const { line } = lineCounter.linePos(first.pos[0]);
    const reason = first.message.split(/ at line |\n/, 1)[0] ?? "";
    throw new SettingsProblem(`it is not valid YAML (line ${line}: ${reason})`, { cause: first });
  };
  const change = (text: string, work: (document: ReturnType<typeof read>) => void) => {
    const document = read(text);
    work(document);
    const indent = /^ +(?=[^ #-])/m.exec(text)?.[0].length ?? 2;
    const written = document.toString({ lineWidth: 0, indent, flowCollectionPadding: false });
    return written.replace(/\r?\n/g, lineEndOf(text));
  };
  return {
    parse: (text) => read(text).toJS() as unknown,
    set: (text, { key, name }, entry) =>
      change(text, (document) => {
        const servers = document.get(key);
        if (!isMap(servers)) document.set(key, document.createNode({ [name]: entry }));
        else {
          servers.flow = servers.flow === true && servers.items.length > 0;
          servers.set(name, document.createNode(entry));
        }
      }),
    remove: (text, { key, name }) => change(text, (document) => document.deleteIn([key, name])),
  };
}

export function createFormat(
  format: Client["format"],
  libraries: SettingsLibraries,
): SettingsFormat {
  const create = { json: createJsonFormat, toml: createTomlFormat, yaml: createYamlFormat };
  const { parse, set, remove } = create[format](libraries);
  // Some Windows programs start a text with a byte order mark.
  const keepMark = (text: string, change: (withoutMark: string) => string) =>
    text.startsWith("\uFEFF") ? `\uFEFF${change(text.slice(1))}` : change(text);
  return {
    parse: (text) => parse(text.replace(/^\uFEFF/, "")),
    set: (text, path, entry) => keepMark(text, (plain) => set(plain, path, entry)),
    remove: (text, path) => keepMark(text, (plain) => remove(plain, path)),
  };
}

export function readEntries(
  format: SettingsFormat,
  text: string,
  key: string,
): Record<string, unknown> {
  const data = format.parse(text);
  if (data === undefined || data === null) return {};
  if (!isRecord(data)) throw new SettingsProblem("it does not hold settings by name");
  const servers = data[key];
  if (servers === undefined || servers === null) return {};
  if (!isRecord(servers)) throw new SettingsProblem(`its "${key}" does not hold servers by name`);
  return servers;
}

/** Sets or removes one entry. Throws if anything else would change. */
export function changeEntry(
  format: SettingsFormat,
  text: string,
  path: EntryPath,
  entry: Entry | undefined,
): string {
  const expected = { ...readEntries(format, text, path.key) };
  if (entry === undefined) Reflect.deleteProperty(expected, path.name);
  else expected[path.name] = entry;
  const changed = entry === undefined ? format.remove(text, path) : format.set(text, path, entry);
  const before = { ...toRecord(format.parse(text)), [path.key]: expected };
  const after = { [path.key]: {}, ...toRecord(parseChanged(format, changed)) };
  if (isDeepStrictEqual(before, after)) return changed;
  const { key, name } = path;
  throw new SettingsProblem(`"${name}" in its "${key}" is written in a way that cannot be changed`);
}

function parseChanged(format: SettingsFormat, text: string): unknown {
  try {
    return format.parse(text);
  } catch {
    return undefined;
  }
}
