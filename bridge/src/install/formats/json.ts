import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../common/json.js";
import type { SettingsLibraries } from "../load-settings-libraries.js";
import type { SettingsFormat } from "./settings-format.js";
import { insertProperty, removeProperty } from "./json-properties.js";
import { splice } from "./lines.js";
import { SettingsProblem } from "./problem.js";

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
