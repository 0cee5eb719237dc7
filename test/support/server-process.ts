import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { fastFolder } from "./fast-folder.js";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

export interface Ready {
  url: string;
  mcp: string;
  setup?: string;
}

export interface ServerProcess extends Ready {
  child: ChildProcess;
  output: () => string;
  /** Sends the signal and resolves with the exit code, or null if a signal ended the process. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The environment of a child. Only PATH and HOME are inherited from the test. */
function environment(variables: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables };
}

export interface DataDir {
  path: string;
  remove: () => void;
}

/** Creates an empty data directory, or a copy of `original`. */
export function makeDataDir(original?: string): DataDir {
  const path = mkdtempSync(join(fastFolder(), "fettle-data-"));
  if (original !== undefined) cpSync(original, path, { recursive: true });
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export async function runFettle(
  args: string[],
  variables: Record<string, string>,
  stdin = "",
  { isRead = true, pauseMs = 0 } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [main, ...args], { env: environment(variables) });
  if (!isRead) child.stdout.destroy();
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
    if (pauseMs === 0) return;
    child.stdout.pause();
    setTimeout(() => child.stdout.resume(), pauseMs);
  });
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  return { code, stdout, stderr };
}

/** Starts the built server and resolves at its ready line. Rejects if it exits earlier. */
export async function startServer(variables: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, "serve"], {
    env: environment({ PORT: "0", DRAIN_SECONDS: "0", ...variables }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((done) => child.once("close", done));
  const ready = await new Promise<Ready>((found, failed) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      output += line + "\n";
      if (line.includes('"msg":"ready"')) found(JSON.parse(line) as Ready);
    });
    void ended.then((code) => {
      failed(new Error(`The server ended with ${code ?? "a signal"}:\n${output}`));
    });
  });
  return {
    ...ready,
    child,
    output: () => output,
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}
