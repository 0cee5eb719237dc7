import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export interface StaticFile {
  type: string;
  body: Buffer;
}

// Resolves to src/web/public from both src and dist.
const publicFolder = new URL("../../src/web/public/", import.meta.url);

const require = createRequire(import.meta.url);
const pico = require.resolve("@picocss/pico/css/pico.classless.min.css");

const files = new Map<string, StaticFile>();

export const staticPath = "/static";

const script = "text/javascript; charset=utf-8";

/** Our styles by area, as one file for the browser. General styles come first. */
const ownStyles = [
  "base",
  "parts",
  "pictures",
  "lists",
  "forms",
  "home",
  "assets",
  "files",
  "meters",
  "reports",
  "labels",
  "rounds",
  "offline",
  "tasks",
  "settings",
  "changes",
  "plan",
  "trends",
  "workspaces",
  "account",
  "print",
].map((area) => fileURLToPath(new URL(`css/${area}.css`, publicFolder)));

/**
 * The addresses of static files. The name depends on the content, so caches may store it forever.
 */
export const staticUrls = {
  pico: addStylesheet("pico", pico),
  app: addStylesheet("app", ...ownStyles),
  /** Only for pages that use a passkey. */
  passkeys: addScript("passkeys"),
  /** Only for forms with a new organization. */
  place: addScript("place"),
  /** Only for pages that scan, and for pages of rounds. */
  scanner: addScript("scanner"),
  rounds: addScript("rounds"),
  ...addCodeReader(),
  /** Only for the plan. */
  plan: addScript("plan"),
  /** Only for pages of records. They enhance lists and forms, and add keyboard shortcuts. */
  pages: addScript("pages"),
  keyboard: addScript("keyboard"),
  /** Only for members' pages. Keeps them and sends forms while offline. */
  offline: addScript("offline"),
  /** Only for forms with a step to sign. */
  signature: addScript("signature"),
  mark: addImage("mark", readFileSync(new URL("mark.svg", publicFolder))),
  /** Only for turning on push messages. */
  push: addScript("push"),
  icon180: addIcon("icon-180"),
  icon192: addIcon("icon-192"),
  icon512: addIcon("icon-512"),
  iconMaskable: addIcon("icon-maskable-512"),
};

/** `--paper` of the style sheet. */
export const themeColors = { light: "#fbfbf9", dark: "#14171a" };

export const manifestPath = "/manifest.webmanifest";

/** Lets people install Fettle as an app, which starts on Home. A manifest has one color scheme. */
export const manifest = JSON.stringify({
  id: "/",
  name: "Fettle",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: themeColors.light,
  theme_color: themeColors.light,
  icons: [
    { src: staticUrls.icon192, sizes: "192x192", type: "image/png" },
    { src: staticUrls.icon512, sizes: "512x512", type: "image/png" },
    { src: staticUrls.iconMaskable, sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
});

/** The service worker. Its address must not change, so it doesn't depend on the content. */
export const workerScript = readFileSync(new URL("worker.js", publicFolder), "utf8");

/** `name` is the last part of the file's address. */
export function findStaticFile(name: string): StaticFile | undefined {
  return files.get(name);
}

function addScript(name: string): string {
  return add(name, "js", script, readFileSync(new URL(`${name}.js`, publicFolder)));
}

/**
 * Only for browsers that can't read codes: two modules of a library, one of which imports the
 * other.
 */
function addCodeReader(): { codeReader: string; codeTables: string } {
  const paths = [require.resolve("qr/decode.js"), require.resolve("qr")];
  const [decoder = "", tables = ""] = paths.map((path) => readFileSync(path, "utf8"));
  const codeTables = add("qr-tables", "js", script, Buffer.from(tables));
  const linked = decoder.replace("'./index.js'", `"${codeTables}"`);
  return { codeReader: add("qr-reader", "js", script, Buffer.from(linked)), codeTables };
}

/**
 * Moves small inline images of a stylesheet to files, because the security policy forbids `data:`.
 */
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

function addIcon(name: string): string {
  return add(name, "png", "image/png", readFileSync(new URL(`${name}.png`, publicFolder)));
}

function add(name: string, extension: string, type: string, body: Buffer): string {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 12);
  const fileName = `${name}-${hash}.${extension}`;
  files.set(fileName, { type, body });
  return `${staticPath}/${fileName}`;
}
