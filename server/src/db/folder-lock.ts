import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** The process that owns a data folder, and its socket's location. */
export interface Owner {
  pid: number;
  /**
   * Distinguishes a process from a later one with an equal number. Null if the system doesn't
   * report it.
   */
  startedAt: string | null;
  socketFolder: string;
}

/**
 * Acquires the lock of a folder for this process, or returns the running process that holds it.
 * Replaces the lock of a killed process. `link` and `rename` make each step atomic.
 */
export function acquireFolderLock(path: string, socketFolder: string): Owner | undefined {
  const mine: Owner = { pid: process.pid, startedAt: startOf(process.pid), socketFolder };
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(draft, path);
        return undefined;
      } catch (error) {
        if (!hasCode(error, "EEXIST")) throw error;
      }
      const owner = readOwner(path);
      if (owner !== undefined && isAlive(owner)) return owner;
      const displaced = removeStale(path, draft + ".stale");
      if (displaced !== undefined) return displaced;
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

export function releaseFolderLock(path: string): void {
  if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
}

/** Returns the running owner of a folder, if any. */
export function findOwner(path: string): Owner | undefined {
  const owner = readOwner(path);
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

/** Moves a dead owner's lock away. If a running owner took the lock meanwhile, moves it back. */
function removeStale(path: string, aside: string): Owner | undefined {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  const moved = readOwner(aside);
  if (moved !== undefined && isAlive(moved)) {
    renameSync(aside, path);
    return moved;
  }
  rmSync(aside, { force: true });
  return undefined;
}

function readOwner(path: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    typeof value.pid === "number" &&
    "socketFolder" in value &&
    typeof value.socketFolder === "string"
  );
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM");
  }
  return owner.startedAt === startOf(owner.pid);
}

/**
 * Field 22 of Linux' /proc/<pid>/stat: the start time of the process since boot. A process in state
 * "Z" has ended and only waits for its parent.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "ended" : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
