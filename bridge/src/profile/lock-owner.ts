import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { toRecord } from "../common/json.js";
import { isAlive } from "../common/process.js";

/** Who holds a lock, as written into its file. */
export interface LockOwner {
  pid: number;
  /** Clock ticks from boot to the start of the process; "" where only Linux could say. */
  startedAt: string;
  /** Where a process number means this process: host, boot and, in containers, PID namespace. */
  place: string;
}

/** How long a record that cannot be checked counts, by what is not known about it. */
const otherPlaceMs = 2 * 60_000;
const startUnknownMs = 10 * 60_000;

let own: LockOwner | undefined;

export function currentOwner(): LockOwner {
  own ??= {
    pid: process.pid,
    startedAt: readStart(process.pid)?.startedAt ?? "",
    place: [
      hostname(),
      readOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
      readOr("", () => readlinkSync("/proc/self/ns/pid")),
    ].join(" "),
  };
  return own;
}

/** Whether the owner of a record of this age cannot be in its critical section any more. */
export function isOwnerGone(record: unknown, ageMs: number): boolean {
  const self = currentOwner();
  if (!isOwner(record) || record.place !== self.place) return ageMs > otherPlaceMs;
  if (!isAlive(record.pid)) return true;
  // A number without a start time may long be another process's; no lock is held for minutes.
  if (record.startedAt === "") return ageMs > startUnknownMs;
  const found = readStart(record.pid);
  return found === undefined || found.startedAt !== record.startedAt || found.ended;
}

function isOwner(value: unknown): value is LockOwner {
  const { pid, startedAt, place } = toRecord(value);
  return Number.isSafeInteger(pid) && typeof startedAt === "string" && typeof place === "string";
}

/** Fields 3 and 22 of proc(5) stat; a killed process that nobody waited for is a zombie. */
function readStart(pid: number): { startedAt: string; ended: boolean } | undefined {
  const stat = readOr("", () => readFileSync(`/proc/${pid}/stat`, "utf8"));
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
