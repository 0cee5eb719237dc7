import { readFileSync, readlinkSync } from "node:fs";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../common/errors.js";
import { parseJson, toRecord } from "../common/json.js";
import { ageOf } from "../common/timing.js";
import { readNames, readText } from "./files.js";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

interface LockOwner {
  pid: number;
  /** The process start time on Linux. "" elsewhere. */
  startedAt: string;
  /** Where a process id is valid: the boot or machine, and the PID namespace. */
  place: string;
}

let own: LockOwner | undefined;

export function currentOwner(): LockOwner {
  const { pid } = process;
  return (own ??= { pid, startedAt: findStart(pid) ?? "", place: findPlace() });
}

/** How long an unverifiable record counts, by the missing information. */
const otherPlaceMs = 2 * 60_000;
const startUnknownMs = 10 * 60_000;

/** Returns true if the owner of a record of this age can't still be in its critical section. */
export function isGone(record: unknown, ageMs: number): boolean {
  const { pid, startedAt, place } = toRecord(record);
  if (typeof pid !== "number" || place !== currentOwner().place) return ageMs > otherPlaceMs;
  if (!isAlive(pid)) return true;
  const found = startedAt === "" ? undefined : findStart(pid);
  // Without a start time, the process id may belong to a new process. No lock is held for minutes.
  return found === undefined ? ageMs > startUnknownMs : found !== startedAt;
}

function findPlace(): string {
  const boot = readOr(hostname(), () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  const namespace = readOr("", () => readlinkSync("/proc/self/ns/pid"));
  return `${boot.trim()} ${namespace}`.trim();
}

/**
 * Undefined if the system doesn't say. "ended" for a killed process that its parent hasn't reaped.
 */
function findStart(pid: number): string | undefined {
  // Fields 3 and 22 of proc(5) stat.
  const text = readOr("", () => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const [status = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return status === "Z" || status === "X" ? "ended" : fields[18];
}

function readOr(otherwise: string, read: () => string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export class LockTimeout extends Error {
  override name = "LockTimeout";
  readonly lock: string;

  constructor(lock: string) {
    super(`Another process was busy with "${lock}" for too long.`);
    this.lock = lock;
  }
}

/** How far below the newest a generation must be before no process still checks it. */
const keptGenerations = 8;
const done = "done";
/**
 * A record is written right after its file is created, unless the process was killed in between.
 */
const emptyMs = 1_000;

/**
 * Runs short work under a lock per profile and name, across processes and callers.
 *
 * Each holder owns a file `<name>.<n>` and overwrites its record when it is done. The next file is
 * created only after the newest holder is done or dead, and only one process can create it. A name
 * that counts is never removed: removing and recreating a stale lock would let two processes in.
 */
export async function withLock<Result>(
  { folder }: { folder: string },
  name: string,
  { waitMs }: { waitMs: number },
  work: () => Promise<Result>,
): Promise<Result> {
  // Earlier versions store other records in "locks" and may still run.
  const path = await acquire(join(folder, "held"), name, waitMs);
  try {
    return await work();
  } finally {
    // Overwrites the record: needs no space on a full disk and doesn't recreate a removed file.
    await writeFile(path, done, { flag: "r+" }).catch(() => undefined);
  }
}

async function acquire(locks: string, name: string, waitMs: number): Promise<string> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const newest = Math.max(0, ...(await readGenerations(locks, name)));
    const path = join(locks, `${name}.${newest + 1}`);
    const isFree = newest === 0 || (await isReleased(join(locks, `${name}.${newest}`)));
    if (isFree && (await create(path)) && (await isNewest(locks, name, newest + 1))) return path;
    if (performance.now() >= giveUpAt) throw new LockTimeout(name);
    await sleep(10 + Math.random() * 40);
  }
}

async function readGenerations(locks: string, name: string): Promise<number[]> {
  const pattern = new RegExp(`^${name}\\.(\\d+)$`);
  return (await readNames(locks))
    .map((entry) => Number(pattern.exec(entry)?.[1] ?? 0))
    .filter((generation) => generation > 0);
}

async function isReleased(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    const text = await readText(path);
    if (text === undefined) return false;
    if (text === "") return ageOf(mtimeMs) > emptyMs;
    return text.startsWith(done) || isGone(parseJson(text), ageOf(mtimeMs));
  } catch (error) {
    // Removed since it was listed, so it is not the newest.
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function create(path: string): Promise<boolean> {
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  try {
    await writeFile(path, JSON.stringify(currentOwner()), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Returns false for a process that slept and recreated an old name. Otherwise removes names that no
 * process checks.
 */
async function isNewest(locks: string, name: string, generation: number): Promise<boolean> {
  const generations = await readGenerations(locks, name);
  const isSuperseded = Math.max(...generations) > generation;
  for (const found of generations) {
    const isOld = isSuperseded ? found === generation : found <= generation - keptGenerations;
    if (isOld) await rm(join(locks, `${name}.${found}`), { force: true });
  }
  return !isSuperseded;
}
