import type { Tx } from "../../db/database.js";
import type { Caller } from "./caller.js";
import { dayIn } from "../shared/dates.js";

/**
 * The time of the caller's action: now, unless sample data is replayed. In SQL, `app_now()` is
 * the equivalent and the only clock of statements and column defaults. `nowOf` and `todayOf` are
 * for code that has a caller and displays times or compares days. `momentOf` is for a time written
 * to several rows or checked after waiting for a lock.
 */
export function nowOf(caller: Caller): Date {
  return caller.at ?? new Date();
}

/** The calendar day in the organization's time zone. */
export function todayOf(caller: Caller): string {
  return dayIn(caller.timeZone, nowOf(caller));
}

/** Client clocks may run slightly ahead of ours. */
const clockSkewMs = 60_000;

export function isFuture(caller: Caller, at: Date): boolean {
  return at.getTime() - nowOf(caller).getTime() > clockSkewMs;
}

/** The database's current time, for columns that must agree with values written by statements. */
export async function momentOf(tx: Tx): Promise<Date> {
  const row = await tx.maybe<{ at: Date }>("SELECT app_now() AS at");
  const at = row?.at;
  if (at === undefined) throw new Error("The database does not tell the time.");
  return at;
}

/** Sets an earlier time for the rest of the transaction. Its callers have this time as `at`. */
export async function setClock(tx: Tx, at: Date): Promise<void> {
  await tx.query("SELECT set_config('fettle.now', $1, true)", [at.toISOString()]);
}
