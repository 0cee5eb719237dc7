/*
 * What counts as a failure, as a repair and as up, in SQL. Everything is about a period that begins
 * at a parameter such as `$2` and ends now, which is another one.
 *
 * A failure of an asset is
 * - a corrective task that was completed in the period, or
 * - an entry into out_of_service in the period that no completed corrective task covers: work that is
 *   not finished is no failure yet, and what is down meanwhile is one. A task covers it that belongs to
 *   the asset and was there at some time while the asset was out of service: from when it was created,
 *   started or completed, whichever came first, until it was completed. That finished work gives the
 *   state back is no entry.
 *
 * Both are functions of the database, `is_failure`, which the figures use too. It keeps the second as
 * `is_failure` of the period.
 */

export interface Period {
  /** Parameters of the statement. */
  from: string;
  now: string;
}

export interface FailureSource {
  /** Conditions on `t`, a maintenance_tasks row, and on `p`, an asset_state_periods row. */
  ofTask: string;
  ofPeriod: string;
}

/** A query with a row for each failure: the asset's id as asset_id. Its $1 is the organization. */
export function failuresIn(from: string, { ofTask, ofPeriod }: FailureSource): string {
  return `SELECT t.asset_id FROM maintenance_tasks t
    WHERE t.organization_id = $1 AND is_failure(t) AND t.completed_at >= ${from} AND ${ofTask}
    UNION ALL
    SELECT p.asset_id FROM asset_state_periods p
    WHERE p.organization_id = $1 AND p.is_failure AND p.started_at >= ${from} AND ${ofPeriod}`;
}

/** The condition that work, the alias of a maintenance_tasks row, was completed since `from`. */
export function isCompletedSince(task: string, from: string): string {
  return `(${task}.state = 'completed' AND ${task}.completed_at >= ${from})`;
}

export function isRepair(task: string, from: string): string {
  return `(${task}.type = 'corrective' AND ${isCompletedSince(task, from)})`;
}

/** How long a repair took: the downtime it recorded, else from start to completion, else NULL. */
export function repairHours(task: string): string {
  // Without the second WHEN greatest() would make 0 of NULL.
  return `CASE WHEN ${task}.downtime_minutes IS NOT NULL THEN ${task}.downtime_minutes / 60.0::float8
    WHEN ${task}.started_at IS NOT NULL
    THEN greatest(date_part('epoch', ${task}.completed_at - ${task}.started_at) / 3600, 0) END`;
}

export const upStates = "('available', 'in_use')";
export const downStates = "('in_maintenance', 'out_of_service')";

/** The seconds of a state period, the alias of an asset_state_periods row, that lie in the period. */
export function secondsIn(period: string, { from, now }: Period): string {
  return `greatest(date_part('epoch', least(coalesce(${period}.ended_at, ${now}), ${now})
    - greatest(${period}.started_at, ${from})), 0)`;
}

/** Mean time between failures; with fewer than two it would be a guess. */
export function toMtbfDays(upSeconds: number, failures: number): number | null {
  return failures < 2 ? null : round(upSeconds / 86_400 / failures, 1);
}

/** Time in use or ready for it, in days. */
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
