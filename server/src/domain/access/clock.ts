import type { Tx } from "../../db/database.js";
import type { Caller } from "./caller.js";
import { dayIn } from "../shared/dates.js";

/**
 * When what the caller does happens: now, unless sample data is replayed. In SQL, `fettle_now()` says
 * the same for one statement. That function is the only clock of statements and column defaults;
 * `nowOf` and `todayOf` are the clock of code that has a caller, for what is shown or compared with
 * days. A moment that is written to several rows, or checked after a wait for a lock, is the
 * database's: `momentOf`.
 */
export function nowOf(caller: Caller): Date {
  return caller.at ?? new Date();
}

/** The calendar day in the organization's time zone. */
export function todayOf(caller: Caller): string {
  return dayIn(caller.timeZone, nowOf(caller));
}

/** Clocks of clients may run a little ahead of ours. */
const clockSkewMs = 60_000;

/** Whether a time that somebody gives lies in the future. */
export function isFuture(caller: Caller, at: Date): boolean {
  return at.getTime() - nowOf(caller).getTime() > clockSkewMs;
}

/** The present moment of the database, for columns that must agree with what statements write. */
export async function momentOf(tx: Tx): Promise<Date> {
  const row = await tx.maybe<{ at: Date }>("SELECT fettle_now() AS at");
  const at = row?.at;
  if (at === undefined) throw new Error("The database does not tell the time.");
  return at;
}

/** Lets the rest of the transaction happen at an earlier moment; its callers have it as `at`. */
export async function setClock(tx: Tx, at: Date): Promise<void> {
  await tx.query("SELECT set_config('fettle.now', $1, true)", [at.toISOString()]);
}
