import type { Tx } from "../../db/database.js";
import { momentOf } from "../access/clock.js";
import { lockAccount } from "../../db/locks.js";
import { recordActivity, type Activity } from "./record-activity.js";

/** Lines of one type per person and hour. Further ones share a line. */
const maxLines = 10;

/** Enough to contain the lines of the last hour. */
const searchedLines = 200;

/**
 * Records actions that anyone can repeat without limit. The first time has its own line, and
 * repeats within an hour are counted in a second line. Beyond ten lines of a type, different ones
 * are counted in one line without their details. A counting line joins the chain when its hour is
 * over.
 */
export async function countActivity(
  tx: Tx,
  activity: Activity & { userId: string },
  times = 1,
): Promise<void> {
  // Two concurrent calls must not both find nothing.
  if (!(await lockAccount(tx, activity.userId))) return;
  if (await addTo(tx, activity, times)) return;
  const { all, same } = await countLines(tx, activity);
  if (all < maxLines) return record(tx, activity, times, same > 0);
  const rest = { ...activity, details: { various: true }, origin: undefined };
  if (!(await addTo(tx, rest, times))) await record(tx, rest, times, true);
}

/** Returns how often the log recorded this action by the person in the last hour. */
export async function countLately(tx: Tx, activity: Activity): Promise<number> {
  const row = await tx.maybe<{ times: number }>(
    `SELECT coalesce(sum((details->>'times')::int), 0)::int AS times FROM (${lately}) l`,
    toParameters(activity).slice(0, 3),
  );
  return row?.times ?? 0;
}

async function record(tx: Tx, activity: Activity, times: number, counts: boolean): Promise<void> {
  const details = { ...activity.details, times };
  if (!counts) return recordActivity(tx, { ...activity, details });
  const countedUntil = new Date((await momentOf(tx)).getTime() + hourMs);
  await recordActivity(tx, { ...activity, details, countedUntil });
}

const hourMs = 3_600_000;

/** The person's lines of this type in the last hour. Uses parameters $1 to $3. */
const lately = `
  SELECT id, details, ip_address, counted_until FROM (
    SELECT * FROM activity_log WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${searchedLines}) l
  WHERE type = $2 AND organization_id IS NOT DISTINCT FROM $3
    AND created_at > app_now() - interval '1 hour'`;

/** SQL condition for lines with equal content. Uses parameters $4 and $5. */
const isSame = "ip_address IS NOT DISTINCT FROM $4 AND details - 'times' = $5::jsonb";

function toParameters({ userId, type, organizationId, details, origin }: Activity): unknown[] {
  const same = [origin?.ipAddress ?? null, JSON.stringify(details ?? {})];
  return [userId, type, organizationId ?? null, ...same];
}

async function addTo(tx: Tx, activity: Activity, times: number): Promise<boolean> {
  const counted = await tx.query(
    `WITH same AS (
       SELECT id FROM (${lately}) l WHERE ${isSame} AND counted_until > app_now()
       ORDER BY id DESC LIMIT 1),
     counted AS (
       UPDATE activity_log l
       SET details = l.details
         || jsonb_build_object('times', (l.details->>'times')::int + $6::int)
       FROM same WHERE l.id = same.id AND l.sequence IS NULL RETURNING l.id)
     SELECT id FROM counted`,
    [...toParameters(activity), times],
  );
  return counted.length > 0;
}

async function countLines(tx: Tx, activity: Activity) {
  const row = await tx.maybe<{ all: number; same: number }>(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE ${isSame})::int AS same
     FROM (${lately}) l`,
    toParameters(activity),
  );
  return row ?? { all: 0, same: 0 };
}
