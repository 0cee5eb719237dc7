export interface OnDays {
  /** Dates as a parameter. */
  days: string;
  table: "maintenance_tasks" | "asset_state_periods";
  /** The column that says when, told as `x.at`. */
  instant: "completed_at" | "started_at" | "ended_at";
  /** Which rows, `x`. */
  isMeant?: string;
}

/**
 * What follows FROM to read figures, `f`, of the rows `x` of some days (UTC), where a part of a day is
 * counted. OFFSET keeps each day a search in the index: PostgreSQL guesses that hardly any row lies in a
 * segment, and would read all rows there are.
 */
export function figuresOnDays({ days, table, instant, isMeant = "TRUE" }: OnDays): string {
  return `unnest(${days}::date[]) c (day) CROSS JOIN LATERAL (
      SELECT x AS stored, x.${instant} AS at FROM ${table} x WHERE x.organization_id = $1
        AND x.${instant} >= c.day::timestamp AT TIME ZONE 'UTC'
        AND x.${instant} < (c.day + 1)::timestamp AT TIME ZONE 'UTC' AND ${isMeant} OFFSET 0) x,
    figures_of(x.stored) f`;
}
