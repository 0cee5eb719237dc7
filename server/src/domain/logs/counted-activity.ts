import type { EntityManager } from "typeorm";
import { recordActivity, type Activity } from "./record-activity.js";

/** Lines of one type that a person gets within an hour, before the rest shares one. */
const maxLines = 10;

/** Enough to find the lines of the last hour among. */
const searchedLines = 200;

/**
 * Records what anybody can repeat without end: the same again within an hour is counted in the line of
 * the first time. Beyond ten lines of a type, whatever differs in them is counted in one without it.
 */
export async function countActivity(
  tx: EntityManager,
  activity: Activity & { userId: string },
  times = 1,
): Promise<void> {
  // Two at the same moment must not both find nothing.
  await tx.query("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", [activity.userId]);
  if (await addTo(tx, activity, times)) return;
  if ((await countLines(tx, activity)) < maxLines) return record(tx, activity, times);
  const rest = { ...activity, details: { various: true }, origin: undefined };
  if (!(await addTo(tx, rest, times))) await record(tx, rest, times);
}

async function record(tx: EntityManager, activity: Activity, times: number): Promise<void> {
  await recordActivity(tx, { ...activity, details: { ...activity.details, times } });
}

/** The lines of this type that the person got in the last hour; parameters $1 to $3. */
const lately = `
  SELECT id, details, ip_address FROM (
    SELECT * FROM activity_log WHERE user_id = $1 ORDER BY id DESC LIMIT ${searchedLines}) l
  WHERE type = $2 AND organization_id IS NOT DISTINCT FROM $3
    AND created_at > fettle_now() - interval '1 hour'`;

function toParameters({ userId, type, organizationId }: Activity): unknown[] {
  return [userId, type, organizationId ?? null];
}

async function addTo(tx: EntityManager, activity: Activity, times: number): Promise<boolean> {
  const { details = {}, origin } = activity;
  const counted: unknown[] = await tx.query(
    `WITH same AS (
       SELECT id FROM (${lately}) l
       WHERE ip_address IS NOT DISTINCT FROM $4 AND details - 'times' = $5::jsonb
       ORDER BY id DESC LIMIT 1),
     counted AS (
       UPDATE activity_log l
       SET details = l.details
         || jsonb_build_object('times', (l.details->>'times')::int + $6::int)
       FROM same WHERE l.id = same.id RETURNING l.id)
     SELECT id FROM counted`,
    [...toParameters(activity), origin?.ipAddress ?? null, JSON.stringify(details), times],
  );
  return counted.length > 0;
}

async function countLines(tx: EntityManager, activity: Activity): Promise<number> {
  const rows: { lines: number }[] = await tx.query(
    `SELECT count(*)::int AS lines FROM (${lately}) l`,
    toParameters(activity),
  );
  return rows[0]?.lines ?? 0;
}
