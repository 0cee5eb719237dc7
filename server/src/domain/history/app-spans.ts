import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { nowOf, todayOf } from "../access/clock.js";
import { createParameters } from "../../db/parameters.js";
import { addDays, instantIn } from "../shared/dates.js";

export const undoSpans = ["hour", "morning", "today", "week", "all"] as const;
export type UndoSpan = (typeof undoSpans)[number];

/**
 * Returns the start and end of a span as instants, by the organization's time zone. The end is
 * never after now.
 */
export function toInstants(caller: Caller, span: UndoSpan): { from: string; until: string } {
  const now = nowOf(caller);
  const today = todayOf(caller);
  const at = (day: string, time: string) => instantIn(caller.timeZone, `${day}T${time}`);
  const noon = at(today, "12:00");
  const starts: Record<UndoSpan, Date> = {
    hour: new Date(now.getTime() - 3_600_000),
    morning: at(today, "00:00"),
    today: at(today, "00:00"),
    week: at(addDays(today, -6), "00:00"),
    all: new Date(0),
  };
  const until = span === "morning" && noon < now ? noon : now;
  return { from: starts[span].toISOString(), until: until.toISOString() };
}

export interface AppSpan {
  clientId: string;
  userId: string;
  from: string;
  until: string;
}

export async function countPermanentDeletions(
  db: Tx,
  caller: Caller,
  { clientId, userId, from, until }: AppSpan,
): Promise<number> {
  const parameters = createParameters(caller.organizationId, userId, clientId, from, until);
  const row = await db.maybe<{ count: number }>(
    `SELECT count(*)::int AS count FROM deletion_records
     WHERE organization_id = $1 AND actor_user_id = $2 AND client_id = $3
       AND deleted_at BETWEEN $4::timestamptz AND $5::timestamptz`,
    parameters.values,
  );
  return row?.count ?? 0;
}
