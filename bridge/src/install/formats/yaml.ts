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
  toLineEnd,
} from "./common.js";

/** Where something stands: its first character, and the one after its last. */
type Range = readonly [number, number];

interface Item {
  name: unknown;
  start: number;
  /** Undefined for a key without a value. */
  value: Range | undefined;
}

/** What is written on lines of its own is changed line by line; the rest the library writes anew. */
export function createYamlFormat(libraries: SettingsLibraries): SettingsFormat {
  return {
    parse: (text) => read(text, libraries).toJS() as unknown,
    set: (text, path, entry) => set(text, path, entry, libraries),
    remove: (text, path) => remove(text, path, libraries),
    removeEmpty: (text, key) => {
      const { container } = find(text, { key, name: "" }, libraries);
      return container === undefined ? text : splice(text, linesOf(text, container), "");
    },
  };
}

function read(text: string, { LineCounter, parseDocument }: SettingsLibraries) {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [first] = document.errors;
  if (first === undefined) return document;
  const { line } = lineCounter.linePos(first.pos[0]);
  const reason = first.message.split(/ at line |\n/, 1)[0] ?? "";
  throw new SettingsProblem(`it is not valid YAML (line ${line}: ${reason})`, { cause: first });
}

/** `items` are undefined where they are not written on lines of their own. */
function find(text: string, { key, name }: EntryPath, libraries: SettingsLibraries) {
  const document = read(text, libraries);
  const container = itemsOf(document.contents, libraries)?.find((item) => item.name === key);
  const items = itemsOf(document.get(key, true), libraries);
  return { document, container, items, item: items?.find((item) => item.name === name) };
}

function itemsOf(map: unknown, { isMap, isScalar }: SettingsLibraries): Item[] | undefined {
  if (!isMap(map) || map.flow) return undefined;
  return map.items.map(({ key, value }) => {
    const node = isScalar(key) ? key : undefined;
    const range = (value as { range?: readonly [number, number, number] | null } | null)?.range;
    const [from, to] = range ?? [];
    return {
      name: node?.value,
      start: node?.range?.[0] ?? 0,
      value: from === undefined || to === undefined ? undefined : [from, to],
    };
  });
}

function set(given: string, path: EntryPath, entry: Entry, libraries: SettingsLibraries): string {
  const text = openBraces(given, find(given, path, libraries).container);
  const { document, container, items, item } = find(text, path, libraries);
  const lineEnd = lineEndOf(text);
  const render = (indent: number) => {
    const lines = new libraries.Document({ [path.name]: entry });
    const block = lines.toString({ lineWidth: 0, indent: Math.max(indent, 2) });
    return toLineEnd(block.replace(/^(?=.)/gm, " ".repeat(indent)), lineEnd);
  };
  const renderBeside = ({ start }: Item) => render(start - lineStart(text, start));
  const insert = (at: number, block: string) =>
    endLine(text.slice(0, at), lineEnd) + block + text.slice(at);
  if (item !== undefined) return splice(text, linesOf(text, item), renderBeside(item));
  const last = items?.at(-1);
  if (last !== undefined) return insert(linesOf(text, last)[1], renderBeside(last));
  if (document.contents === null || (container === undefined && !document.has(path.key))) {
    return insert(text.length, `${path.key}:${lineEnd}${render(2)}`);
  }
  if (container !== undefined && document.get(path.key) === undefined) {
    return insert(nextLine(text, container.start), render(2));
  }
  document.setIn([path.key, path.name], entry);
  return toLineEnd(document.toString({ lineWidth: 0 }), lineEnd);
}

function remove(text: string, path: EntryPath, libraries: SettingsLibraries): string {
  const { document, container, items, item } = find(text, path, libraries);
  if (item === undefined) {
    document.deleteIn([path.key, path.name]);
    return toLineEnd(document.toString({ lineWidth: 0 }), lineEndOf(text));
  }
  const without = splice(text, linesOf(text, item), "");
  if ((items?.length ?? 0) > 1 || container === undefined) return without;
  // Nothing below the key would be no object any more.
  const colon = without.indexOf(":", container.start) + 1;
  return splice(without, [colon, colon], " {}");
}

/** Makes room for lines below a key that has nothing, or "{}". */
function openBraces(text: string, container: Item | undefined): string {
  if (container?.value === undefined || text.slice(...container.value) !== "{}") return text;
  const colon = text.lastIndexOf(":", container.value[0]) + 1;
  return splice(text, [colon, container.value[1]], "");
}

/** The lines of a key with its value. */
function linesOf(text: string, { start, value }: Item): Range {
  const end = value === undefined ? start : Math.max(start, value[1] - 1);
  return [lineStart(text, start), nextLine(text, end)];
}
