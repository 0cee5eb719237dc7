import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { link, mkdir, open, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../common/errors.js";
import { parseJson, toRecord } from "../common/json.js";
import { ageOf } from "../common/timing.js";
import { readNames, readText, touchFile } from "./files.js";
import type { Profile } from "./profile.js";

/** Whether there is a process of this number, whoever runs it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Who holds a lock, as written into its file. */
interface LockOwner {
  pid: number;
  /** When the process started, as the system says it; "" where it does not. */
  startedAt: string;
  /** Where a process number means this process: boot and, in containers, PID namespace. */
  place: string;
}

/** What is asked of the system; each can throw. */
export interface System {
  platform: NodeJS.Platform;
  hostname: () => string;
  /** The content of a file, or where a link leads. */
  read: (path: string) => string;
  run: (command: string, args: readonly string[]) => string;
}

/** How long a record that cannot be checked counts, by what is not known about it. */
const otherPlaceMs = 2 * 60_000;
const startUnknownMs = 10 * 60_000;
const lookAgainMs = 2_000;

const thisSystem: System = {
  platform: process.platform,
  hostname,
  read: (path) =>
    path.startsWith("/proc/self/ns/") ? readlinkSync(path) : readFileSync(path, "utf8"),
  run: (command, args) =>
    // Not at every start: on Linux nothing is run.
    process.getBuiltinModule("node:child_process").execFileSync(command, args, {
      encoding: "utf8",
      env: { LC_ALL: "C", TZ: "UTC" },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 2_000,
    }),
};

export const lockOwners = createLockOwners(thisSystem);

export function createLockOwners(system: System) {
  let own: LockOwner | undefined;
  let seen: { pid: number; at: number; process: Start | undefined } | undefined;
  const current = (): LockOwner =>
    (own ??= {
      pid: process.pid,
      startedAt: findStart(system, process.pid)?.startedAt ?? "",
      place: findPlace(system),
    });
  const look = (pid: number) => {
    const now = performance.now();
    // Who waits for a lock asks every few milliseconds, and some systems answer with a process.
    if (seen?.pid !== pid || now - seen.at > lookAgainMs || system.platform === "linux")
      seen = { pid, at: now, process: findStart(system, pid) };
    return seen.process;
  };
  /** Whether the owner of a record of this age cannot be in its critical section any more. */
  const isGone = (record: unknown, ageMs: number): boolean => {
    if (!isOwner(record) || record.place !== current().place) return ageMs > otherPlaceMs;
    if (!isAlive(record.pid)) return true;
    const found = record.startedAt === "" ? undefined : look(record.pid);
    // A number without a start time may long be another process's; no lock is held for minutes.
    if (found === undefined) return ageMs > startUnknownMs;
    return found.startedAt !== record.startedAt || found.ended;
  };
  return { current, isGone };
}

function isOwner(value: unknown): value is LockOwner {
  const { pid, startedAt, place } = toRecord(value);
  return Number.isSafeInteger(pid) && typeof startedAt === "string" && typeof place === "string";
}

/** The name of the machine only where nothing tells boots apart: macOS changes it with the network. */
function findPlace({ platform, hostname: nameOf, read, run }: System): string {
  const boot = () =>
    platform === "darwin"
      ? run("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"])
      : read("/proc/sys/kernel/random/boot_id");
  const namespace = readOr("", () => read("/proc/self/ns/pid"));
  return `${readOr("", boot).trim() || nameOf()} ${namespace}`.trim();
}

interface Start {
  startedAt: string;
  /** A killed process that nobody waited for: a zombie. */
  ended: boolean;
}

/** Undefined where that cannot be found out. */
function findStart({ platform, read, run }: System, pid: number): Start | undefined {
  if (platform === "win32") return undefined;
  if (platform !== "linux") {
    const [status = "", ...started] = readOr("", () =>
      run("/bin/ps", ["-o", "stat=,lstart=", "-p", String(pid)]),
    )
      .trim()
      .split(/\s+/);
    return status === ""
      ? undefined
      : { startedAt: started.join(" "), ended: status.startsWith("Z") };
  }
  // Fields 3 and 22 of proc(5) stat.
  const stat = readOr("", () => read(`/proc/${pid}/stat`));
  const [status = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startedAt = fields[18];
  if (startedAt === undefined) return undefined;
  return { startedAt, ended: status === "Z" || status === "X" };
}

function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

interface LockOptions {
  waitMs: number;
  signal?: AbortSignal;
}

/** Somebody else held the lock for the whole wait. */
export class LockTimeout extends Error {
  readonly lock: string;

  constructor(lock: string) {
    super(`Another process was busy with "${lock}" for too long.`);
    this.name = "LockTimeout";
    this.lock = lock;
  }
}

/** Names so far below the newest that nobody can still be deciding about them. */
const keptGenerations = 8;
const leftoverMs = 2 * 60_000;
const markDoneRetryMs = 1000;

/** What this process is done with and could not say so: the paths that are still to be written. */
const unmarked = new Set<string>();

/**
 * Runs short work while no other process or caller of the profile runs work of that name.
 *
 * Each holder owns a file `<name>.<n>` and says that it is done with `<name>.<n>.done`. The next
 * one is made only when the newest holder is done or dead, and making it succeeds for one process
 * only. A name that counts is never removed: removing a stale lock and making it again lets two in.
 */
export async function withLock<Result>(
  { folder }: Pick<Profile, "folder">,
  name: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const locks = join(folder, "locks");
  const generation = await acquire(locks, name, options);
  try {
    await removeOld(locks, name, generation);
    return await work();
  } finally {
    await markDone(join(locks, doneName(name, generation)));
  }
}

/** Until even this small file can be written, the lock is free for this process only. */
async function markDone(path: string): Promise<void> {
  try {
    await touchFile(path);
    unmarked.delete(path);
  } catch (error) {
    // Without the folder there is nobody left to tell.
    if (hasCode(error, "ENOENT")) return;
    unmarked.add(path);
    setTimeout(() => void markDone(path), markDoneRetryMs).unref();
  }
}

async function acquire(
  locks: string,
  name: string,
  { waitMs, signal }: LockOptions,
): Promise<number> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const { newest, done } = await readGenerations(locks, name);
    if (newest === 0 || done || (await isAbandoned(join(locks, `${name}.${newest}`)))) {
      if (await createGeneration(locks, name, newest + 1)) return newest + 1;
    }
    if (performance.now() >= giveUpAt) throw new LockTimeout(name);
    await sleep(10 + Math.random() * 40, undefined, signal === undefined ? {} : { signal });
  }
}

/** The newest generation, 0 when there is none, and whether its holder said it is done. */
async function readGenerations(
  locks: string,
  name: string,
): Promise<{ newest: number; done: boolean }> {
  const names = await readNames(locks);
  const newest = Math.max(0, ...names.map((entry) => generationOf(entry, name, "")));
  const done = doneName(name, newest);
  return { newest, done: names.includes(done) || unmarked.has(join(locks, done)) };
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    const text = await readText(path);
    return text !== undefined && lockOwners.isGone(parseJson(text), ageOf(mtimeMs));
  } catch (error) {
    // Removed since it was listed, so it is not the newest any more.
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function createGeneration(locks: string, name: string, generation: number): Promise<boolean> {
  const path = join(locks, `${name}.${generation}`);
  const temporary = join(locks, `${name}.${randomBytes(8).toString("hex")}.tmp`);
  await mkdir(locks, { recursive: true, mode: 0o700 });
  try {
    await writeFile(temporary, JSON.stringify(lockOwners.current()), { flag: "wx", mode: 0o600 });
    if (!(await claim(temporary, path))) return false;
  } finally {
    await rm(temporary, { force: true });
  }
  // Whoever slept since it looked may have made an old name again that was cleaned up meanwhile.
  if ((await readGenerations(locks, name)).newest === generation) return true;
  await rm(path, { force: true });
  return false;
}

/** Gives a complete record its name, for one process only. False when another was faster. */
export async function claim(
  temporary: string,
  path: string,
  makeLink: typeof link = link,
): Promise<boolean> {
  try {
    await makeLink(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
  }
  // No hard links on this file system. A record that is seen half-written counts as held.
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(lockOwners.current()));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Removes what no decision can depend on any more. */
async function removeOld(locks: string, name: string, generation: number): Promise<void> {
  const isOld = (entry: string) =>
    [generationOf(entry, name, ""), generationOf(entry, name, ".done")].some(
      (found) => found > 0 && found <= generation - keptGenerations,
    );
  for (const entry of await readNames(locks)) {
    const path = join(locks, entry);
    if (isOld(entry) || (entry.endsWith(".tmp") && (await isLeftover(path)))) {
      await rm(path, { force: true });
    }
  }
}

async function isLeftover(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && ageOf(found.mtimeMs) > leftoverMs;
}

function doneName(name: string, generation: number): string {
  return `${name}.${generation}.done`;
}

/** 0 for an entry that is not `<name>.<generation><ending>`. */
function generationOf(entry: string, name: string, ending: "" | ".done"): number {
  if (!entry.startsWith(`${name}.`) || !entry.endsWith(ending)) return 0;
  const digits = entry.slice(name.length + 1, entry.length - ending.length);
  return /^\d+$/.test(digits) ? Number(digits) : 0;
}
