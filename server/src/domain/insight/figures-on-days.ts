export interface OnDays {
  /** SQL parameter with an array of dates. */
  days: string;
  table: "assets" | "maintenance_tasks" | "asset_state_periods";
  /** The timestamp column, exposed as `x.at`. */
  instant: "created_at" | "completed_at" | "started_at" | "ended_at" | "idle_since";
  /** SQL condition on `x`. */
  isMeant?: string;
}

/**
 * FROM clause that computes figures `f` from the rows `x` of some UTC days, where only part of a
 * day counts. OFFSET 0 forces one index search per day. Without it, PostgreSQL underestimates the
 * matching rows and scans the whole table.
 */
export function figuresOnDays({ days, table, instant, isMeant = "TRUE" }: OnDays): string {
  return `unnest(${days}::date[]) c (day) CROSS JOIN LATERAL (
      SELECT x AS stored, x.${instant} AS at FROM ${table} x WHERE x.organization_id = $1
        AND x.${instant} >= c.day::timestamp AT TIME ZONE 'UTC'
        AND x.${instant} < (c.day + 1)::timestamp AT TIME ZONE 'UTC' AND ${isMeant} OFFSET 0) x,
    figures_of(x.stored) f`;
}
