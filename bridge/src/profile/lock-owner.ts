import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { toRecord } from "../common/json.js";
import { isAlive } from "../common/process.js";

/** Who holds a lock, as written into its file. */
export interface LockOwner {
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

export interface LockOwners {
  current: () => LockOwner;
  /** Whether the owner of a record of this age cannot be in its critical section any more. */
  isGone: (record: unknown, ageMs: number) => boolean;
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

export function createLockOwners(system: System): LockOwners {
  let own: LockOwner | undefined;
  let seen: { pid: number; at: number; process: Start | undefined } | undefined;
  const current = () =>
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
  const isGone = (record: unknown, ageMs: number) => {
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
