import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Contender } from "./contenders.js";

/** A running bridge, spoken to by stdio. */
export interface Session {
  /** From the start of the process to the answer of `initialize`. */
  coldStartMs: number;
  request: (method: string, params: unknown) => Promise<unknown>;
  /** Resident memory now, in MiB (Linux only). */
  memoryMib: () => number;
  /** CPU time of the process so far, in milliseconds (Linux only). */
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
  write({ method: "notifications/initialized" });
  await request("tools/list", {});
  const pid = String(child.pid);
  return {
    coldStartMs,
    request,
    memoryMib: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
    cpuMs: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    close: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 3000);
      await ended;
      clearTimeout(late);
    },
  };
}
