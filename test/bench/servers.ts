import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface MeasuredServer {
  /** The server's own public address. */
  baseUrl: string;
  /** CPU time of the process so far, in milliseconds. */
  cpuMs: () => Promise<number>;
  /** CPU time of the main thread only (Linux). */
  mainThreadMs: () => Promise<number>;
  /** Peak and current memory in MiB. */
  peakMiB: () => Promise<number>;
  memoryMiB: () => Promise<number>;
  send: (message: object) => void;
  stop: () => Promise<void>;
}

/** Writes a CPU profile of each server to this folder, if set. */
export interface Profiling {
  profileFolder: string | undefined;
}

/** Starts the product's build as operators run it, with rate limits off. */
export function startProduct(
  databaseUrl: string,
  profiling: Profiling,
  variables: Record<string, string> = {},
): Promise<MeasuredServer> {
  return start(import.meta.resolve("../../server/dist/main.js"), profiling, [], {
    DATABASE_URL: databaseUrl,
    PORT: "0",
    SECRET_KEYS: "bench-key-that-is-at-least-32-characters",
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    ...variables,
  });
}

/** `baseUrl` is the product's, for the addresses in responses. */
export function startFloor(
  databaseUrl: string,
  profiling: Profiling,
  baseUrl: string,
): Promise<MeasuredServer> {
  return start(import.meta.resolve("./floor.ts"), profiling, fromSources, {
    DATABASE_URL: databaseUrl,
    BASE_URL: baseUrl,
  });
}

/** Common MCP server libraries. See `peers/`. */
export type PeerName = "sdk" | "fastmcp";

export function startPeer(name: PeerName, databaseUrl: string): Promise<MeasuredServer> {
  return start(
    import.meta.resolve(`./peers/${name}.mjs`),
    { profileFolder: undefined },
    fromSources,
    {
      DATABASE_URL: databaseUrl,
    },
  );
}

const fromSources = ["--conditions=development", "--import", "tsx"];

/** See `report-cpu.mjs`. */
interface Use {
  cpuMs: number;
  mainThreadMs: number;
  peakKiB: number;
  memoryKiB: number;
}

async function start(
  file: string,
  { profileFolder }: Profiling,
  execArgv: string[],
  variables: Record<string, string>,
): Promise<MeasuredServer> {
  const reporter = import.meta.resolve("./report-cpu.mjs");
  const profile =
    profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
  const child = fork(fileURLToPath(file), ["serve"], {
    execArgv: [...execArgv, "--import", reporter, ...profile],
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const askUse = async () => {
    const answer = once(child, "message") as Promise<[Use]>;
    child.send("use");
    return (await answer)[0];
  };
  return {
    baseUrl: await readyUrl(child),
    cpuMs: async () => (await askUse()).cpuMs,
    mainThreadMs: async () => (await askUse()).mainThreadMs,
    peakMiB: async () => (await askUse()).peakKiB / 1024,
    memoryMiB: async () => (await askUse()).memoryKiB / 1024,
    send: (message) => {
      child.send(message);
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The server's output is not read.");
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(() => {
    throw new Error(`${child.spawnargs.join(" ")} ended before it was ready.`);
  });
  return Promise.race([
    ended,
    new Promise<string>((found) => {
      lines.on("line", (line) => {
        if (line.includes('"msg":"ready"')) found((JSON.parse(line) as { url: string }).url);
      });
    }),
  ]);
}
