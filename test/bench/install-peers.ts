import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Installs what is measured beside ours when it is not there yet, outside our own packages. */
export function installPeers(folder: URL): void {
  const cwd = fileURLToPath(folder);
  if (existsSync(`${cwd}/node_modules`)) return;
  console.log(`Installing ${cwd} ...`);
  // `npm run` hands the repository's own settings down, and they win over the folder's .npmrc.
  const flags = ["--engine-strict=false", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["ci", ...flags], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci in ${cwd} ended with ${status ?? "a signal"}`);
}
