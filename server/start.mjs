import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// What `npm start`, `npm run demo` and `npm run fettle` run: builds what is needed, then runs the
// `fettle` command in this same process.
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const root = fileURLToPath(new URL("..", import.meta.url));
execFileSync(process.execPath, [tsc, "-b", root], { stdio: "inherit" });

// npm hands SIGTERM to its shell, and the shell ends without handing it on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
}, 250).unref();

await import("./dist/main.js");
