// Makes what the package ships. dist/main.js is everything a start needs in one file: reading many
// files is slow, and an install then fetches nothing but the keychain libraries. What is imported
// dynamically stays unevaluated in it; the OAuth library, several times its size, has a file of its
// own that only a sign-in reads.
import { build } from "esbuild";
import { chmod, readFile, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(folder, "..");
const dist = join(folder, "dist");
const { version } = await readJson(join(folder, "package.json"));

const oauthLibraryApart = {
  name: "oauth-library-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/oauth-library\.js$/ }, () => ({
      path: "./oauth-library.js",
      external: true,
    }));
  },
};

// Only the package's MCP client validates with it, which is not used; it is a third of the file.
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
  format: "esm",
  target: "node20.19",
  conditions: ["development"],
  external: ["keytar", "@napi-rs/keyring"],
  define: { bridgeVersion: JSON.stringify(version) },
  // Names stay, so that a stack still tells something.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  // Parts that are CommonJS ask for Node's own modules through it.
  banner: {
    js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);',
  },
  metafile: true,
  logLevel: "warning",
};

const built = await Promise.all([
  build({
    ...options,
    entryPoints: [join(folder, "src/main.ts")],
    outfile: join(dist, "main.js"),
    plugins: [oauthLibraryApart],
  }),
  build({
    ...options,
    entryPoints: [join(folder, "src/sign-in/oauth-library.ts")],
    outfile: join(dist, "oauth-library.js"),
    plugins: [noValidator],
  }),
]);
await chmod(join(dist, "main.js"), 0o755);
await writeFile(
  join(dist, "THIRD-PARTY-LICENSES.txt"),
  await collectLicenses(built.map(({ metafile }) => metafile)),
);

/** The licence of every package of which something is in the files. */
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

/** Some packages name the MIT licence without its text, which is the same but for the holder. */
async function ourLicenseFor({ name, license, author }) {
  if (license !== "MIT" || author === undefined)
    throw new Error(`${name} comes without its licence.`);
  const text = await readText("bridge/LICENSE");
  return text.replace(/^Copyright.*$/m, `Copyright (c) ${author.name ?? author}`);
}

async function readJson(path) {
  return JSON.parse(await readFile(path, "utf8"));
}
