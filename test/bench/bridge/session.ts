import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Contender } from "./contenders.js";

export interface Session {
  /** From process start to the response to `initialize`. */
  coldStartMs: number;
  request: (method: string, params: unknown) => Promise<unknown>;
  /** Current resident memory in MiB (Linux only). */
  memoryMib: () => number;
  /** CPU time of the process up to that response, in milliseconds (Linux only). */
  startCpuMs: number;
  /** CPU time of all its threads so far, in milliseconds (Linux only). */
  cpuMs: () => number;
  close: () => Promise<void>;
}

export async function openSession(
  contender: Contender,
  address: string,
  home: string,
): Promise<Session> {
  const begin = performance.now();
  const child = spawn(process.execPath, contender.args(address), {
    env: { PATH: process.env["PATH"], HOME: home, FETTLE_BRIDGE_HOME: `${home}/fettle` },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<unknown, (result: unknown) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line) as { id?: unknown; result?: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const write = (message: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  let last = 0;
  const request = (method: string, params: unknown) => {
    last += 1;
    const id = last;
    return new Promise<unknown>((done) => {
      waiting.set(id, done);
      write({ id, method, params });
    });
  };
  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  const coldStartMs = performance.now() - begin;
  const pid = String(child.pid);
  const startCpuMs = readCpuMs(pid);
  write({ method: "notifications/initialized" });
  await request("tools/list", {});
  return {
    coldStartMs,
    startCpuMs,
    request,
    memoryMib: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    cpuMs: () => readCpuMs(pid),
    close: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 3000);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Finer than the CPU time that the process reports itself, which is counted in steps of 10 ms. */
function readCpuMs(pid: string): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    const [used] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(used);
  });
  return nanoseconds.reduce((sum, used) => sum + used, 0) / 1e6;
}
