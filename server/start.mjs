import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// What `npm start`, `npm run demo` and `npm run fettle` run: builds what is needed, then runs the
// `fettle` command in this same process. An install for production has no compiler, only the build.
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
if (!existsSync(`${root}node_modules`) || !existsSync(`${root}server/dist/main.js`)) {
  fail("The packages that Fettle needs are not installed. Run npm ci first.");
}

// npm hands SIGTERM to its shell, and the shell ends without handing it on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 250).unref();

await import("./dist/main.js");

/** The compiler finds out in a moment when there is nothing to do. Types are a matter of the checks. */
async function build() {
  const said = setTimeout(() => console.error("Building…"), 700);
  const [code] = await once(
    spawn(process.execPath, [compiler, "-b", `${root}server`, "--noCheck"], { stdio: "inherit" }),
    "exit",
  );
  clearTimeout(said);
  if (code !== 0) fail("Fettle cannot be built; what is wrong stands above.");
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
