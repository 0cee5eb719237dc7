import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is measured: arguments for Node that make a bridge to the address. */
export interface Contender {
  name: string;
  args: (address: string) => string[];
}

const peers = fileURLToPath(new URL("./peers", import.meta.url));
const remote = `${peers}/node_modules/mcp-remote/dist/proxy.js`;

export const floorName = "bare pipe (fetch)";
export const ourName = "fettle-bridge";

export const contenders: readonly Contender[] = [
  { name: floorName, args: (address) => [fileOf("./floor.mjs"), address] },
  { name: ourName, args: (address) => [fileOf("../../../bridge/dist/main.js"), address] },
  { name: "mcp-remote 0.15.1", args: (address) => [remote, address, "--allow-http", "--silent"] },
];

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Installs the bridges of others when they are not there yet, outside our own packages. */
export function installPeers(): void {
  if (existsSync(remote)) return;
  console.log("Installing mcp-remote ...");
  // `npm run` hands the repository's own settings down, and they win over the folder's .npmrc.
  const flags = ["--engine-strict=false", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["ci", ...flags], {
    cwd: peers,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci in ${peers} ended with ${status ?? "a signal"}`);
}
