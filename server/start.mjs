import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

// What `npm start`, `npm run demo` and `npm run fettle` run: builds what is needed, then runs the
// `fettle` command in this same process. An install for production has no compiler, only the build.
const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = `${root}node_modules/@typescript/native/bin/tsc`;
if (existsSync(compiler) && existsSync(`${root}server/src`)) {
  execFileSync(process.execPath, [compiler, "-b", root], { stdio: "inherit" });
}

// npm hands SIGTERM to its shell, and the shell ends without handing it on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 250).unref();

await import("./dist/main.js");
