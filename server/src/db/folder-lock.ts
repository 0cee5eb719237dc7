import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Who owns a data folder, and where its socket is. */
export interface Owner {
  pid: number;
  /** Tells a process from a later one with the same number; null where the system does not say. */
  startedAt: string | null;
  socketFolder: string;
}

/**
 * Takes a folder for this process, or returns the living process that has it. The lock of a process
 * that was killed is recognized and replaced. `link` and `rename` make each step all or nothing.
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

/** The living owner of a folder, if there is one. */
export function findOwner(path: string): Owner | undefined {
  const owner = readOwner(path);
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

/** Moves a dead owner's lock away. A living owner who came in between gets its lock back. */
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
 * Field 22 of Linux' /proc/<pid>/stat: when the process started, in clock ticks since boot. A
 * process that ended and only waits for its parent ("Z") has no start any more.
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
