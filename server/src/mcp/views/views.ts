import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { labelTemplates, layOutLabel } from "../../domain/labels/templates.js";

/** The extension's identifier, without settings. */
export const viewExtension = { "io.modelcontextprotocol/ui": {} };

export const viewUris = {
  attention: "ui://fettle/attention",
  labelSheet: "ui://fettle/label-sheet",
};

interface View {
  uri: string;
  name: string;
  title: string;
  description: string;
  document: string;
}

const mimeType = "text/html;profile=mcp-app";

// Below src whether this runs from src or, compiled, from dist.
const folder = new URL("../../../src/mcp/views/public/", import.meta.url);
const require = createRequire(import.meta.url);

const views: readonly View[] = [
  {
    uri: viewUris.attention,
    name: "attention_view",
    title: "Needs attention",
    description: "Shows the attention list of get_organization_stats, with actions on its tasks.",
    document: toDocument("attention", [
      "host",
      "page",
      "attention-words",
      "task-acts",
      "attention",
    ]),
  },
  {
    uri: viewUris.labelSheet,
    name: "label_sheet_view",
    title: "Label sheet",
    description: "Shows a label sheet of generate_asset_qr_codes before it is printed.",
    document: toDocument("label-sheet", ["host", "page", "sheet-preview", "label-sheet"], {
      library: `const { generate, correction } = ${wrapCommonJs("lean-qr")};`,
      data: findTemplates(),
    }),
  },
];

/** For resources/list. */
export const viewList = views.map(({ uri, name, title, description }) => ({
  uri,
  name,
  title,
  description,
  mimeType,
}));

/** The resources/read result for a view. A view loads nothing, so its policy needs no domain. */
export function findView(uri: unknown) {
  const view = views.find((it) => it.uri === uri);
  if (view === undefined) return undefined;
  const content = { uri: view.uri, mimeType, text: view.document };
  return { contents: [{ ...content, _meta: { ui: { prefersBorder: true } } }] };
}

/**
 * Builds one self-contained document. The scripts are modules only for linting and type checks, and
 * are concatenated here.
 */
function toDocument(
  name: string,
  scripts: readonly string[],
  { library, data }: { library?: string; data?: object } = {},
): string {
  const modules = scripts.map((script) =>
    readText(`${script}.js`)
      .replace(/^import\b[^;]*;\n/gm, "")
      .replace(/^export (?=(async )?function |const )/gm, ""),
  );
  const script = [library, ...modules].join("\n").replaceAll("</script", "<\\/script");
  return readText(`${name}.html`)
    .replace("<style></style>", () => `<style>\n${readText("view.css")}</style>`)
    .replace(/(?<=application\/json">)(?=<)/, () => JSON.stringify(data))
    .replace("<script></script>", () => `<script type="module">\n${script}</script>`);
}

function readText(file: string): string {
  return readFileSync(new URL(file, folder), "utf8");
}

/** An expression that evaluates to the package's exports, with its license. */
function wrapCommonJs(name: string): string {
  const path = require.resolve(name);
  const license = readFileSync(new URL("LICENSE", pathToFileURL(path)), "utf8");
  const code = readFileSync(path, "utf8");
  return `((exports) => {\n/*! ${name}\n${license}*/\n${code}\nreturn exports;\n})({})`;
}

function findTemplates() {
  return Object.fromEntries(
    Object.entries(labelTemplates).map(([name, template]) => [
      name,
      { ...template, ...layOutLabel(template) },
    ]),
  );
}
