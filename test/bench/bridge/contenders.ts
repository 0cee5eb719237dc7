import { fileURLToPath } from "node:url";

/** What is measured: arguments for Node that make a bridge to the address. */
export interface Contender {
  name: string;
  args: (address: string) => string[];
}

export const peers = new URL("./peers", import.meta.url);
const remote = fileURLToPath(`${peers.href}/node_modules/mcp-remote/dist/proxy.js`);

export const floorName = "bare pipe (fetch)";
export const ourName = "fettle-bridge";

export const contenders: readonly Contender[] = [
  { name: floorName, args: (address) => [fileOf("./floor.mjs"), address] },
  { name: "bare pipe (node:http)", args: (address) => [fileOf("./floor-http.mjs"), address] },
  { name: ourName, args: (address) => [fileOf("../../../bridge/dist/main.js"), address] },
  { name: "mcp-remote 0.15.1", args: (address) => [remote, address, "--allow-http", "--silent"] },
];

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
