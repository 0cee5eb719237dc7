import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../common/json.js";
import {
  lineEndOf,
  lineStart,
  nextLine,
  type SettingsFormat,
  type SettingsLibraries,
  SettingsProblem,
  splice,
} from "./common.js";

type Node = NonNullable<ReturnType<SettingsLibraries["parseTree"]>>;

const endOf = ({ offset, length }: Node) => offset + length;

/** As the last one of an object, in the way that the object is written: on lines, or on one. */
function insertProperty(
  text: string,
  object: Node,
  [name, value]: readonly [string, unknown],
  libraries: SettingsLibraries,
): string {
  const last = object.children?.at(-1);
  const close = endOf(object) - 1;
  const end = last === undefined ? object.offset + 1 : endOf(last);
  const inner = text.slice(end, close);
  const lineEnd = lineEndOf(text);
  const unit = indentUnit(text);
  const outer = indentAt(text, object.offset);
  const render = (indent: string) =>
    `${indent}${JSON.stringify(name)}: ${JSON.stringify(value, null, unit)}`
      .replaceAll("\n", `\n${indent}`)
      .replaceAll("\n", lineEnd);
  if (last === undefined && inner.trim() === "") {
    return splice(text, [end, close], lineEnd + render(outer + unit) + lineEnd + outer);
  }
  if (!inner.includes("\n")) {
    const compact = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    return last === undefined
      ? splice(text, [close, close], `${compact} `)
      : splice(text, [end, end], `, ${compact}`);
  }
  if (last === undefined) {
    const at = lineStart(text, close);
    return splice(text, [at, at], render(outer + unit) + lineEnd);
  }
  const comma = findComma(text, end, libraries);
  const at = nextLine(text, comma ?? end);
  const line = render(indentAt(text, last.offset)) + (comma === undefined ? "" : ",") + lineEnd;
  const inserted = splice(text, [at, at], line);
  return comma === undefined ? splice(inserted, [end, end], ",") : inserted;
}

/** With its comma, and with its lines where it has them for itself. */
function removeProperty(text: string, property: Node, libraries: SettingsLibraries): string {
  const siblings = property.parent?.children ?? [];
  const index = siblings.indexOf(property);
  const previous = siblings[index - 1];
  const next = siblings[index + 1];
  const comma = findComma(text, endOf(property), libraries);
  const lines = ownLines(text, property, next, comma);
  if (next !== undefined) return splice(text, lines ?? [property.offset, next.offset], "");
  if (previous === undefined) {
    return closeUp(splice(text, lines ?? [property.offset, endOf(property)], ""), property.parent);
  }
  if (lines === undefined) return splice(text, [endOf(previous), endOf(property)], "");
  const without = splice(text, lines, "");
  // What is last now has no comma, unless the last one had one before.
  const separator = comma === undefined ? findComma(text, endOf(previous), libraries) : undefined;
  return separator === undefined ? without : splice(without, [separator, separator + 1], "");
}

/** Undefined when something else is on them. */
function ownLines(
  text: string,
  property: Node,
  next: Node | undefined,
  comma: number | undefined,
): readonly [number, number] | undefined {
  const start = lineStart(text, property.offset);
  const after = nextLine(text, comma ?? endOf(property));
  const follower = next?.offset ?? (property.parent ? endOf(property.parent) - 1 : text.length);
  const isAlone = text.slice(start, property.offset).trim() === "" && follower >= after;
  return isAlone ? [start, after] : undefined;
}

/** An object in which only white space is left. */
function closeUp(text: string, object: Node | undefined): string {
  if (object === undefined) return text;
  const from = object.offset + 1;
  const to = from + text.slice(from).search(/\S|$/);
  return text[to] === "}" ? splice(text, [from, to], "") : text;
}

/** Where the comma after a value stands; there may be comments on the way. */
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

/** White space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/** As the file is written; two spaces where it does not tell. */
function indentUnit(text: string): string {
  return /^([ \t]+)["}\]/]/m.exec(text)?.[1] ?? "  ";
}

const tolerant = { allowTrailingComma: true };

/** JSON with the comments and trailing commas that many clients allow in their settings. */
export function createJsonFormat(libraries: SettingsLibraries): SettingsFormat {
  const { findNodeAtLocation, parseTree, parseJsonc, printParseErrorCode } = libraries;
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
  /** With the objects on the way to it. */
  const setAt = (text: string, path: readonly string[], value: unknown): string => {
    const parent = path.slice(0, -1);
    const name = path.at(-1) ?? "";
    const node = nodeAt(text, [...path]);
    if (node !== undefined) {
      const range = [node.offset, node.offset + node.length] as const;
      return splice(text, range, JSON.stringify(value));
    }
    const object = nodeAt(text, parent);
    if (object === undefined) return setAt(text, parent, { [name]: value });
    return insertProperty(text, object, [name, value], libraries);
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
    removeEmpty: (text, key) => removeAt(text, [key]),
  };
}
