import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Installs the compared packages outside our own packages if they are missing. */
export function installPeers(folder: URL): void {
  const cwd = fileURLToPath(folder);
  if (existsSync(`${cwd}/node_modules`)) return;
  console.log(`Installing ${cwd} ...`);
  // `npm run` passes the repository's settings on, and they override the folder's .npmrc.
  const flags = ["--engine-strict=false", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["ci", ...flags], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci in ${cwd} ended with ${status ?? "a signal"}`);
}
