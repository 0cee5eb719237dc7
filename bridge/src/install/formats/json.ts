import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../common/json.js";
import {
  lineEndOf,
  type SettingsFormat,
  type SettingsLibraries,
  SettingsProblem,
  splice,
} from "./common.js";

type Node = NonNullable<ReturnType<SettingsLibraries["parseTree"]>>;

const endOf = ({ offset, length }: Node) => offset + length;
const tolerant = { allowTrailingComma: true };

/** JSON with the comments and trailing commas that many clients allow in their settings. */
export function createJsonFormat(libraries: SettingsLibraries): SettingsFormat {
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
  /** With the objects on the way to it. A new one comes first: comments stay with what they are about. */
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
    removeEmpty: (text, key) => removeAt(text, [key]),
  };
}

/** As the file is written; two spaces where it doesn't tell. */
function formattingOf(text: string) {
  const indent = /^([ \t]+)["}\]/]/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.includes("\t"),
    tabSize: indent.length,
    eol: lineEndOf(text),
  };
}

/** With its comma and the white space before it. */
function removeProperty(text: string, property: Node, libraries: SettingsLibraries): string {
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const comma = findComma(text, endOf(property), libraries);
  const from = text.slice(0, property.offset).trimEnd().length;
  const without = splice(text, [from, comma === undefined ? endOf(property) : comma + 1], "");
  if (previous === undefined) return closeUp(without, from);
  // What is last now has no comma, unless the last one had one before.
  const separator = comma === undefined ? findComma(text, endOf(previous), libraries) : undefined;
  return separator === undefined ? without : splice(without, [separator, separator + 1], "");
}

/** An object in which only white space is left. */
function closeUp(text: string, from: number): string {
  const to = from + text.slice(from).search(/\S|$/);
  return text[from - 1] === "{" && text[to] === "}" ? splice(text, [from, to], "") : text;
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
