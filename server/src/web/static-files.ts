import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export interface StaticFile {
  type: string;
  body: Buffer;
}

// Below src whether this runs from src or, compiled, from dist.
const publicFolder = new URL("../../src/web/public/", import.meta.url);

const require = createRequire(import.meta.url);
const pico = require.resolve("@picocss/pico/css/pico.classless.min.css");

const files = new Map<string, StaticFile>();

export const staticPath = "/static";

const script = "text/javascript; charset=utf-8";

/** Our styles by area, one file for the browser; what is general comes first. */
const ownStyles = [
  "base",
  "parts",
  "lists",
  "forms",
  "home",
  "assets",
  "files",
  "meters",
  "reports",
  "labels",
  "rounds",
  "tasks",
  "settings",
  "changes",
  "plan",
  "trends",
  "workspaces",
  "account",
  "print",
].map((area) => fileURLToPath(new URL(`css/${area}.css`, publicFolder)));

/** The addresses of what pages load. The content is part of the name, so it may be kept for ever. */
export const staticUrls = {
  pico: addStylesheet("pico", pico),
  app: addStylesheet("app", ...ownStyles),
  /** Only for pages that use a passkey. */
  passkeys: addScript("passkeys"),
  /** Only for pages that scan, and those of rounds. */
  scanner: addScript("scanner"),
  rounds: addScript("rounds"),
  ...addCodeReader(),
  /** Only for pages of records: lists and forms work better with it. */
  pages: addScript("pages"),
  mark: addImage("mark", readFileSync(new URL("mark.svg", publicFolder))),
};

/** What a browser keeps of the pages of rounds; its address has to stay, and says nothing of its content. */
export const roundsScript = readFileSync(new URL("rounds-worker.js", publicFolder), "utf8");

/** By the last part of its address. */
export function findStaticFile(name: string): StaticFile | undefined {
  return files.get(name);
}

function addScript(name: string): string {
  return add(name, "js", script, readFileSync(new URL(`${name}.js`, publicFolder)));
}

/** Only where the browser cannot read codes by itself: two modules of a library, of which one imports the other. */
function addCodeReader(): { codeReader: string; codeTables: string } {
  const paths = [require.resolve("qr/decode.js"), require.resolve("qr")];
  const [decoder = "", tables = ""] = paths.map((path) => readFileSync(path, "utf8"));
  const codeTables = add("qr-tables", "js", script, Buffer.from(tables));
  const linked = decoder.replace("'./index.js'", `"${codeTables}"`);
  return { codeReader: add("qr-reader", "js", script, Buffer.from(linked)), codeTables };
}

/** Small images that a stylesheet carries become files: the security policy allows no `data:`. */
function addStylesheet(name: string, ...paths: string[]): string {
  const text = paths.map((path) => readFileSync(path, "utf8")).join("\n");
  const css = text.replace(
    /url\("data:image\/svg\+xml,([^"]*)"\)/g,
    (_match, encoded: string) =>
      `url("${addImage("icon", Buffer.from(decodeURIComponent(encoded)))}")`,
  );
  return add(name, "css", "text/css; charset=utf-8", Buffer.from(css));
}

function addImage(name: string, body: Buffer): string {
  return add(name, "svg", "image/svg+xml", body);
}

function add(name: string, extension: string, type: string, body: Buffer): string {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 12);
  const fileName = `${name}-${hash}.${extension}`;
  files.set(fileName, { type, body });
  return `${staticPath}/${fileName}`;
}
