import type { Tx } from "../../db/database.js";
import { createParameters } from "../../db/parameters.js";
import type { Caller } from "../access/caller.js";
import { visibleMemberSql } from "../access/visibility.js";
import { weekdayOf } from "../shared/dates.js";
import type { AbsenceRow } from "./absences.js";
import type { WorkingTime } from "./working-time.js";

/** A person's working time, and the absences in a period. */
export interface Capacity extends WorkingTime {
  id: string;
  name: string;
  absences: Pick<AbsenceRow, "first_day" | "last_day">[];
}

interface Wanted {
  ids: readonly string[];
  from: string;
  to: string;
  /** Adds other people who do work, by name, up to this total. */
  atLeast: number;
  /** Adds only people of this workspace. */
  workspaceId?: string | undefined;
}

/** How much people can do in a period. The plan compares it with their work. */
export async function findCapacities(
  db: Tx,
  caller: Caller,
  { ids, from, to, atLeast, workspaceId }: Wanted,
): Promise<Capacity[]> {
  const parameters = createParameters(caller.organizationId, ids, from, to);
  const place =
    workspaceId === undefined ? "" : `AND wm.workspace_id = ${parameters.add(workspaceId)}`;
  const others =
    atLeast <= ids.length
      ? ""
      : `OR m.user_id IN (
         SELECT c.user_id FROM organization_members c JOIN users cu ON cu.id = c.user_id
         WHERE c.organization_id = $1 AND c.removed_at IS NULL AND cu.deactivated_at IS NULL
           AND c.user_id <> ALL ($2::text[]) AND ${visibleMemberSql(caller, parameters, "c")}
           AND EXISTS (SELECT FROM workspace_members wm WHERE wm.organization_id = $1
             AND wm.user_id = c.user_id AND wm.role <> 'viewer' ${place})
         ORDER BY lower(cu.name), c.user_id LIMIT ${atLeast - ids.length})`;
  return db.query(
    `SELECT u.id, u.name, coalesce(m.weekly_minutes, o.weekly_minutes) AS weekly_minutes,
       coalesce(m.working_days, o.working_days) AS working_days,
       coalesce((SELECT jsonb_agg(jsonb_build_object('first_day', a.first_day,
            'last_day', a.last_day)) FROM absences a
          WHERE a.organization_id = $1 AND a.user_id = m.user_id
            AND a.first_day <= $4::date AND a.last_day >= $3::date), '[]') AS absences
     FROM organization_members m JOIN organizations o ON o.id = m.organization_id
     JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = $1 AND m.removed_at IS NULL
       AND (m.user_id = ANY ($2::text[]) ${others})
     ORDER BY lower(u.name), u.id`,
    parameters.values,
  );
}

export function isAbsentOn({ absences }: Capacity, day: string): boolean {
  return absences.some(({ first_day, last_day }) => first_day <= day && day <= last_day);
}

/** The minutes that a person can work on some days. */
export function minutesOn(capacity: Capacity, days: readonly string[]): number {
  const { weekly_minutes: minutes, working_days: workdays } = capacity;
  const worked = days.filter(
    (day) => workdays.includes(weekdayOf(day)) && !isAbsentOn(capacity, day),
  );
  return Math.round((minutes / workdays.length) * worked.length);
}
