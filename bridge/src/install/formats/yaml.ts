import {
  lineEndOf,
  type SettingsFormat,
  type SettingsLibraries,
  SettingsProblem,
  toLineEnd,
} from "./common.js";

/** The library rewrites the file, and keeps its comments and their order. */
export function createYamlFormat({
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
    return toLineEnd(written, lineEndOf(text));
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
    removeEmpty: (text, key) => change(text, (document) => document.delete(key)),
  };
}
