import { fileURLToPath } from "node:url";

/** A measured bridge. `args` are the arguments for Node that start it for the address. */
export interface Contender {
  name: string;
  args: (address: string) => string[];
}

export const peers = new URL("./peers", import.meta.url);
const packages = `${peers.href}/node_modules`;
const remote = fileURLToPath(`${packages}/mcp-remote/dist/proxy.js`);
const gateway = fileURLToPath(`${packages}/supergateway/dist/index.js`);
/** A library. Its own command bridges in the opposite direction. */
const proxy = (address: string) =>
  `import { startStdioServer } from "${packages}/mcp-proxy/dist/index.mjs";
   await startStdioServer({ serverType: "HTTPStream", url: "${address}" });`;

export const floorName = "bare pipe (fetch)";
export const ourName = "fettle-bridge";

export const contenders: readonly Contender[] = [
  { name: floorName, args: (address) => [fileOf("./floor.mjs"), address] },
  { name: "bare pipe (node:http)", args: (address) => [fileOf("./floor-http.mjs"), address] },
  { name: ourName, args: (address) => [fileOf("../../../bridge/dist/main.js"), address] },
  { name: "mcp-remote 0.15.1", args: (address) => [remote, address, "--allow-http", "--silent"] },
  {
    name: "supergateway 4.0.0",
    args: (address) => [gateway, "--streamableHttp", address, "--logLevel", "none"],
  },
  {
    name: "mcp-proxy 6.7.19",
    args: (address) => ["--input-type=module", "--eval", proxy(address)],
  },
];

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
