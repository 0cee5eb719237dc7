// Builds the files of the npm package. dist/program.js bundles all our code into one file: it loads
// faster, and a running bridge can't miss a file when another version is installed. dist/main.js
// only starts it, so that Node can cache the compiled code. The OAuth library, several times
// larger, and dynamically imported packages have separate files. An install fetches only the
// keychain libraries. The format is CommonJS because Node loads it faster and doesn't evaluate
// dynamic imports early.
import { build } from "esbuild";
import { execFile } from "node:child_process";
import { chmod, readFile, readdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(folder, "..");
const dist = join(folder, "dist");
const { version } = await readJson(join(folder, "package.json"));

const packagesApart = new Set();
const keychainLibraries = ["keytar", "@napi-rs/keyring"];
const apart = {
  name: "apart",
  setup({ onResolve }) {
    onResolve(
      { filter: /^(\.\/(program|oauth-library|settings-libraries)\.js|[^.].*)$/ },
      ({ kind, path }) => {
        if (kind !== "dynamic-import" || keychainLibraries.includes(path)) return undefined;
        if (isBuiltin(path)) return undefined;
        if (path.startsWith("./")) return { path, external: true };
        packagesApart.add(path);
        return { path: `./${path}.js`, external: true };
      },
    );
  },
};

// Only the package's unused MCP client validates with it. The validator is a third of the file.
const noValidator = {
  name: "no-validator",
  setup({ onResolve, onLoad }) {
    const filter = /^@modelcontextprotocol\/client\/_shims$/;
    onResolve({ filter }, ({ path }) => ({ path, namespace: "no-validator" }));
    onLoad({ filter, namespace: "no-validator" }, () => ({
      contents: "export const CORS_IS_POSSIBLE = false, DefaultJsonSchemaValidator = undefined;",
    }));
  },
};

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  supported: { "dynamic-import": false },
  outdir: dist,
  conditions: ["development"],
  external: keychainLibraries,
  define: { bridgeVersion: JSON.stringify(version) },
  // Keeps names for readable stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

// A default import of a separate package gets all its exports, as Node does for CommonJS.
const withDefault =
  'if (typeof module.exports.default === "function") module.exports = Object.assign(module.exports.default, module.exports);';

const source = (name) => join(folder, "src", name);
const built = [
  await build({ ...options, entryPoints: [source("main.ts")], plugins: [apart] }),
  await build({ ...options, entryPoints: [source("program.ts")], plugins: [apart] }),
  await build({
    ...options,
    entryPoints: [source("sign-in/oauth-library.ts")],
    plugins: [noValidator],
  }),
  await build({
    ...options,
    // esbuild can't follow the imports in its CommonJS build.
    mainFields: ["module", "main"],
    entryPoints: [source("install/settings-libraries.ts")],
  }),
  await build({ ...options, entryPoints: [...packagesApart], footer: { js: withDefault } }),
];
await writeFile(join(dist, "package.json"), '{ "type": "commonjs" }\n');
await chmod(join(dist, "main.js"), 0o755);
await writeFile(
  join(dist, "THIRD-PARTY-LICENSES.txt"),
  await collectLicenses(built.map(({ metafile }) => metafile)),
);
await pack();

/** Builds the package for `/downloads/fettle-bridge.tgz`. Equal sources produce equal bytes. */
async function pack() {
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"];
  const { stdout } = await promisify(execFile)(
    command,
    [...before, "pack", "--silent", "--ignore-scripts", "--pack-destination", dist],
    { cwd: folder, shell: process.platform === "win32" && npm === undefined },
  );
  await rename(join(dist, stdout.trim()), join(dist, "fettle-bridge.tgz"));
}

async function collectLicenses(metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs));
  const packages = new Set(
    inputs
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => toPackage(path)),
  );
  const texts = [];
  for (const path of [...packages].sort()) {
    const manifest = await readJson(join(root, path, "package.json"));
    const { name, version, license } = manifest;
    const file = (await readdir(join(root, path))).find((it) => /^licen[cs]e/i.test(it));
    const text = file === undefined ? await ourLicenseFor(manifest) : await readText(path, file);
    texts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function toPackage(path) {
  const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path);
  return found === null ? [] : [found[0]];
}

function readText(...path) {
  return readFile(join(root, ...path), "utf8");
}

/** Some packages name the MIT license without its text. The text differs only in the holder. */
async function ourLicenseFor({ name, license, author }) {
  if (license !== "MIT" || author === undefined)
    throw new Error(`${name} comes without its licence.`);
  const text = await readText("bridge/LICENSE");
  return text.replace(/^Copyright.*$/m, `Copyright (c) ${author.name ?? author}`);
}

async function readJson(path) {
  return JSON.parse(await readFile(path, "utf8"));
}
