import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";

/** A longer time is a task that was left in progress, not work. */
const mostMinutes = 12 * 60;

/**
 * The minutes in which a task was in progress because the caller started it. Undefined if it is
 * less than a minute or not plausible.
 */
export async function findMinutesInProgress(
  db: Tx,
  caller: Caller,
  taskId: string,
): Promise<number | undefined> {
  const found = await db.maybe<{ minutes: number }>(
    `SELECT round(extract(epoch FROM sum(ended_at - began_at)) / 60)::int AS minutes
     FROM (
       SELECT c.state, e.actor_user_id, e.occurred_at AS began_at,
         lead(e.occurred_at, 1, app_now()) OVER (ORDER BY e.occurred_at, e.sequence) AS ended_at
       FROM history_events e
       CROSS JOIN LATERAL (
         SELECT change->>'to' AS state FROM jsonb_array_elements(e.changes) change
         WHERE change->>'field' = 'state'
       ) c
       WHERE e.organization_id = $1 AND e.task_id = $2
     ) states
     WHERE state = 'in_progress' AND actor_user_id = $3`,
    [caller.organizationId, taskId, caller.userId],
  );
  const minutes = found?.minutes ?? 0;
  return minutes >= 1 && minutes < mostMinutes ? minutes : undefined;
}
