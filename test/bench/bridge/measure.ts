import { setTimeout } from "node:timers/promises";
import type { Contender } from "./contenders.js";
import { openSession } from "./session.js";

export interface Round {
  coldStartMs: number;
  startCpuMs: number;
  callP50Ms: number;
  callP99Ms: number;
  callsPerSecond: number;
  cpuPerCallMs: number;
  echoMs: number;
  idleMib: number;
}

const coldStarts = 5;
const calls = 1000;
const atOnce = 50;
const many = 3000;

export async function measure(contender: Contender, address: string, home: string): Promise<Round> {
  const starts: Pick<Round, "coldStartMs" | "startCpuMs">[] = [];
  for (let start = 0; start < coldStarts; start += 1) {
    const session = await openSession(contender, address, home);
    starts.push(session);
    await session.close();
  }
  const medianOf = (figure: (start: (typeof starts)[number]) => number) =>
    quantile(starts.map(figure), 0.5);
  const session = await openSession(contender, address, home);
  const call = (text: string) =>
    session.request("tools/call", { name: "echo", arguments: { text } });
  try {
    await setTimeout(2000);
    const idleMib = session.memoryMib();
    for (let warm = 0; warm < 200; warm += 1) await call("warm");
    const cpuBefore = session.cpuMs();
    const times: number[] = [];
    for (let done = 0; done < calls; done += 1) times.push(await timed(() => call("a pump")));
    const cpuPerCallMs = (session.cpuMs() - cpuBefore) / calls;
    const callsPerSecond = await throughput(() => call("a pump"));
    const mebibyte = "x".repeat(1024 * 1024);
    const echoes: number[] = [];
    for (let done = 0; done < 10; done += 1) echoes.push(await timed(() => call(mebibyte)));
    return {
      coldStartMs: medianOf((start) => start.coldStartMs),
      startCpuMs: medianOf((start) => start.startCpuMs),
      callP50Ms: quantile(times, 0.5),
      callP99Ms: quantile(times, 0.99),
      callsPerSecond,
      cpuPerCallMs,
      echoMs: quantile(echoes, 0.5),
      idleMib,
    };
  } finally {
    await session.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function throughput(call: () => Promise<unknown>): Promise<number> {
  let left = many;
  const begin = performance.now();
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return many / ((performance.now() - begin) / 1000);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
