// Builds the desktop bundle, dist/fettle-bridge-<version>.mcpb: the files of the npm package, the
// keychain library, and a manifest whose only field is the server's address. With --installed-only
// it contains only this platform's native parts and fetches nothing.
import { createCanvas, Path2D } from "@napi-rs/canvas";
import { packExtension } from "@anthropic-ai/mcpb/cli";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const run = promisify(execFile);
const library = "@napi-rs/keyring";
// None for macOS: Claude's own Node loads only binaries signed by Anthropic, so macOS uses
// /usr/bin/security.
const nativeParts = ["win32-x64-msvc", "win32-arm64-msvc", "linux-x64-gnu", "linux-arm64-gnu"];
const iconSize = 512;

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = resolve(folder, "..");
const package_ = await readJson(join(folder, "package.json"));
const { values } = parseArgs({
  options: {
    "installed-only": { type: "boolean", default: false },
    out: {
      type: "string",
      default: join(folder, "dist", `fettle-bridge-${package_.version}.mcpb`),
    },
  },
});

const work = await mkdtemp(join(tmpdir(), "fettle-mcpb-"));
try {
  const bundle = join(work, "fettle-bridge");
  await mkdir(bundle);
  for (const { path } of await listPackage()) await cp(join(folder, path), join(bundle, path));
  await cp(await findKeychainLibrary(), join(bundle, "node_modules", "@napi-rs"), {
    recursive: true,
  });
  await writeFile(join(bundle, "icon.png"), await drawIcon());
  await writeJson(join(bundle, "package.json"), toManifestOfPackage(package_));
  await writeJson(join(bundle, "manifest.json"), toManifest(package_));
  const outputPath = resolve(values.out);
  if (!(await packExtension({ extensionPath: bundle, outputPath, silent: true }))) {
    throw new Error("The bundle could not be packed; mcpb says why above.");
  }
  console.log(outputPath);
} finally {
  await rm(work, { recursive: true, force: true });
}

async function listPackage() {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json"], { cwd: folder });
  return JSON.parse(stdout)[0].files;
}

/** https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
function toManifest({ version, description, keywords, license, engines, homepage, author }) {
  return {
    manifest_version: "0.3",
    name: "fettle-bridge",
    display_name: "Fettle",
    version,
    description,
    long_description:
      "Connects this app to Fettle, for assets and their maintenance, and signs in with the browser. " +
      "Tokens are kept in the keychain of the system.",
    author,
    homepage,
    icon: "icon.png",
    server: {
      type: "node",
      entry_point: "dist/main.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/dist/main.js", "${user_config.server_url}"],
      },
    },
    tools_generated: true,
    prompts_generated: true,
    keywords,
    license,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: engines.node } },
    user_config: {
      server_url: {
        type: "string",
        title: "Address of the server",
        description: "As in the browser, like https://fettle.example.com",
        required: true,
      },
    },
  };
}

/** For Node, which must treat the files as modules. */
function toManifestOfPackage({ name, version, license, type, engines }) {
  return { name, version, license, type, engines, private: true };
}

/** A folder with the library and its native parts, verified against the lock file. */
async function findKeychainLibrary() {
  if (values["installed-only"]) return join(root, "node_modules", dirname(library));
  const { packages, lockfileVersion } = await readJson(join(root, "package-lock.json"));
  const names = [library, ...nativeParts.map((part) => `${library}-${part}`)];
  const dependencies = Object.fromEntries(
    names.map((name) => [name, packages[`node_modules/${name}`].version]),
  );
  const manifest = { name: "keychain-library", version: "0.0.0", private: true, dependencies };
  const place = join(work, "fetched");
  await mkdir(place);
  await writeJson(join(place, "package.json"), manifest);
  await writeJson(join(place, "package-lock.json"), {
    ...manifest,
    lockfileVersion,
    packages: {
      "": manifest,
      ...Object.fromEntries(names.map((name) => toLocked(name, packages))),
    },
  });
  const options = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  await run("npm", ["ci", ...options], { cwd: place });
  return join(place, "node_modules", dirname(library));
}

/** Omits the platform: other platforms' packages are needed too. */
function toLocked(name, packages) {
  const path = `node_modules/${name}`;
  const { version, integrity, license } = packages[path];
  return [path, { version, integrity, license }];
}

/** The logo of the pages. The canvas can't read their style sheet. */
async function drawIcon() {
  const mark = await readFile(join(root, "server/src/web/public/mark.svg"), "utf8");
  const canvas = createCanvas(iconSize, iconSize);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.roundRect(0, 0, iconSize, iconSize, iconSize / 6);
  context.fill();
  context.translate(iconSize / 8, iconSize / 8);
  context.scale((iconSize * 0.75) / 32, (iconSize * 0.75) / 32);
  Object.assign(context, { lineWidth: 2.6, lineCap: "round", lineJoin: "round" });
  context.strokeStyle = /stroke: (#\w+)/.exec(mark)[1];
  for (const [, path] of mark.matchAll(/ d="([^"]+)"/g)) context.stroke(new Path2D(path));
  return canvas.encode("png");
}

async function readJson(path) {
  return JSON.parse(await readFile(path, "utf8"));
}

function writeJson(path, value) {
  return writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
