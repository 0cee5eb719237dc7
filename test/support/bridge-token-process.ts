import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { TokenChildPlan } from "./bridge-token-child.js";
import { bundleChild } from "./bridge-child.js";

const bundle = bundleChild(new URL("./bridge-token-child.ts", import.meta.url));

/** A process that replaces tokens. See the child. */
export interface TokenProcess {
  lines: string[];
  /** Resolves at the next line, or undefined at the end. */
  nextLine: () => Promise<string | undefined>;
  tell: () => void;
  kill: () => void;
  /** The terminating signal, if any, and stderr. */
  ended: Promise<{ signal: NodeJS.Signals | null; stderr: string }>;
}

export async function startTokenProcess(plan: TokenChildPlan): Promise<TokenProcess> {
  const child = spawn(process.execPath, [await bundle, JSON.stringify(plan)], {
    env: { PATH: process.env["PATH"] },
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const lines: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  const ended = new Promise<{ signal: NodeJS.Signals | null; stderr: string }>((done) => {
    child.once("close", (_code, signal) => {
      for (const wake of waiting.splice(0)) wake(undefined);
      done({ signal, stderr });
    });
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const wake of waiting.splice(0)) wake(line);
  });
  return {
    lines,
    nextLine: () => new Promise((wake) => waiting.push(wake)),
    tell: () => child.stdin.write("\n"),
    kill: () => child.kill("SIGKILL"),
    ended,
  };
}
