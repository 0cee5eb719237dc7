/*
 * Failures, repairs and uptime in SQL, over a period. The period begins at a parameter such as `$2`
 * and ends at another one, now.
 *
 * A failure of an asset is
 * - a corrective task that was completed in the period, or
 * - an entry into out_of_service in the period that no completed corrective task covers. A task
 *   covers the entry if it belongs to the asset and existed while the asset was out of service: from
 *   its creation, start or completion, whichever came first, until its completion. Unfinished work
 *   is not a failure yet. A state that finished work restores is not an entry.
 *
 * The two rules are the functions `is_failure` of the database.
 */

export interface Period {
  /** Statement parameters. */
  from: string;
  now: string;
}

export interface FailureSource {
  /** Conditions on `t`, a maintenance_tasks row, and on `p`, an asset_state_periods row. */
  ofTask: string;
  ofPeriod: string;
}

/** Query with one row per failure, its asset and its task, if any. $1 is the organization. */
export function failuresIn(from: string, { ofTask, ofPeriod }: FailureSource): string {
  return `SELECT t.asset_id, t.completed_at AS at, t.id AS task_id, t.title FROM maintenance_tasks t
    WHERE t.organization_id = $1 AND is_failure(t) AND t.completed_at >= ${from} AND ${ofTask}
    UNION ALL
    SELECT p.asset_id, p.started_at, NULL, NULL FROM asset_state_periods p
    WHERE p.organization_id = $1 AND p.is_failure AND p.started_at >= ${from} AND ${ofPeriod}`;
}

/**
 * SQL condition: the work was completed since `from`. `task` is the alias of a maintenance_tasks
 * row.
 */
export function isCompletedSince(task: string, from: string): string {
  return `(${task}.state = 'completed' AND ${task}.completed_at >= ${from})`;
}

export function isRepair(task: string, from: string): string {
  return `(${task}.type = 'corrective' AND ${isCompletedSince(task, from)})`;
}

/**
 * Duration of a repair: the recorded downtime, else the time from start to completion, else NULL.
 */
export function repairHours(task: string): string {
  // Without the second WHEN, greatest() would turn NULL into 0.
  return `CASE WHEN ${task}.downtime_minutes IS NOT NULL THEN ${task}.downtime_minutes / 60.0::float8
    WHEN ${task}.started_at IS NOT NULL
    THEN greatest(date_part('epoch', ${task}.completed_at - ${task}.started_at) / 3600, 0) END`;
}

export const upStates = "('available', 'in_use')";
export const downStates = "('in_maintenance', 'out_of_service')";

/**
 * Seconds of a state period within `from` and `now`. `period` is the alias of an
 * asset_state_periods row.
 */
export function secondsIn(period: string, { from, now }: Period): string {
  return `greatest(date_part('epoch', least(coalesce(${period}.ended_at, ${now}), ${now})
    - greatest(${period}.started_at, ${from})), 0)`;
}

/** Mean time between failures. Null for fewer than two failures, because it would be a guess. */
export function toMtbfDays(upSeconds: number, failures: number): number | null {
  return failures < 2 ? null : round(upSeconds / 86_400 / failures, 1);
}

/** Time in use or ready for use, in days. */
export function toOperatingDays(upSeconds: number): number {
  return round(upSeconds / 86_400, 1);
}

export function toMttrHours(hours: number, repairs: number): number | null {
  return repairs === 0 ? null : round(hours / repairs, 2);
}

export function toPercent(part: number, whole: number): number | null {
  return whole === 0 ? null : round((part / whole) * 100, 1);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
