import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Runs `npm start`, `npm run demo` and `npm run fettle`: builds if needed, then runs the `fettle`
// command in this process. A production install has only the build, no compiler.
const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = `${root}node_modules/@typescript/native/bin/tsc`;

const [oldest] = /\d+\.\d+/.exec(
  JSON.parse(readFileSync(`${root}package.json`, "utf8")).engines.node,
);
if (isOlder(process.versions.node, oldest)) {
  fail(
    `Fettle needs Node.js ${oldest} or newer, and this is ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  );
}
if (existsSync(compiler) && existsSync(`${root}server/src`)) await build();
if (!existsSync(`${root}node_modules`)) {
  fail("The packages that Fettle needs are not installed. Run npm ci first.");
}
if (!existsSync(`${root}server/dist/main.js`)) {
  fail(
    "Fettle is not built, and the compiler is a development package that is not installed. " +
      "Run npm ci && npm run build && npm prune --omit=dev, then start it again.",
  );
}

// npm forwards SIGTERM to its shell, and the shell ends without forwarding it.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 250).unref();

await import("./dist/main.js");

/** The compiler quickly detects that nothing changed. Types are checked separately. */
async function build() {
  const said = setTimeout(() => console.error("Building…"), 700);
  const built = await Promise.all([
    run(compiler, "-b", `${root}server`, "--noCheck"),
    isBridgeBuilt() || run(`${root}bridge/bundle.mjs`),
  ]);
  clearTimeout(said);
  if (built.includes(false)) fail("Fettle cannot be built. The lines above say why.");
}

async function run(...args) {
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
  return code === 0;
}

/** True if the server can offer a bridge built from the current sources. */
function isBridgeBuilt() {
  const packed = `${root}bridge/dist/fettle-bridge.tgz`;
  if (!existsSync(packed)) return !existsSync(`${root}bridge/src`);
  const sources = ["bridge", "bridge/src", "shared/src"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: folder !== "bridge", withFileTypes: true }),
  );
  const { mtimeMs } = statSync(packed);
  return sources.every(
    (file) => !file.isFile() || statSync(`${file.parentPath}/${file.name}`).mtimeMs < mtimeMs,
  );
}

function isOlder(version, than) {
  const [[major, minor], [leastMajor, leastMinor]] = [version, than].map((it) =>
    it.split(".").map(Number),
  );
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
