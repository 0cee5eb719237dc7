import type { Tx } from "../../db/database.js";
import { Organization } from "../../db/entities/organizations.js";
import { OrganizationMember } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { getPerson } from "../shared/person-references.js";
import { lockMemberChanges } from "./member-removal.js";

/** Minutes per week, spread evenly over ISO weekdays. */
export type WorkingTime = Pick<Organization, "weekly_minutes" | "working_days">;

export interface StoredWorkingTime {
  /** Of people without their own. */
  usual: WorkingTime;
  /** Null if the person works as usual. */
  own: WorkingTime | null;
}

/** The organization's working time and, with a user id, the person's own. */
export async function getWorkingTime(
  db: Tx,
  { organizationId }: Caller,
  userId?: string,
): Promise<StoredWorkingTime> {
  return db.one<StoredWorkingTime>(
    `SELECT jsonb_build_object('weekly_minutes', o.weekly_minutes, 'working_days', o.working_days)
         AS usual,
       CASE WHEN m.weekly_minutes IS NOT NULL THEN
         jsonb_build_object('weekly_minutes', m.weekly_minutes, 'working_days', m.working_days)
       END AS own
     FROM organizations o
     LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = $2
     WHERE o.id = $1`,
    [organizationId, userId ?? null],
  );
}

/** A hash of the working time that a form was loaded with. */
export function readingOfWorkingTime(time: WorkingTime | null): number {
  return contentHash({ time });
}

interface NewWorkingTime {
  /** Without it, the time applies to everyone without their own. */
  user_id?: string | undefined;
  /** Null lets the person work as usual. */
  time: WorkingTime | null;
  expected?: number | undefined;
}

const mostMinutes = 7 * 24 * 60;

/** Sets the working time of a person or the organization, for the load in the plan. */
export async function setWorkingTime(
  tx: Tx,
  asking: Caller,
  { user_id, time, expected }: NewWorkingTime,
): Promise<{ name: string | undefined }> {
  checkWorkingTime(time);
  const caller = await lockMemberChanges(tx, asking);
  const action = user_id === undefined ? "edit the organization" : "manage members";
  await requireOrganizationAdmin(tx, caller, action);
  const { organizationId: organization_id } = caller;
  const person =
    user_id === undefined
      ? undefined
      : await getPerson(tx, caller, user_id, "user_id", { deactivated: true });
  const stored = await getWorkingTime(tx, caller, person?.id);
  const before = person === undefined ? stored.usual : stored.own;
  if (contentHash({ time: before }) !== contentHash({ time })) {
    assertUnchanged("organization", { time: before }, expected);
    if (person !== undefined) {
      const own = time ?? { weekly_minutes: null, working_days: null };
      await tx.update(OrganizationMember, { organization_id, user_id: person.id }, own);
    } else if (time !== null) {
      await tx.update(Organization, { id: organization_id }, time);
    }
    await recordCallerActivity(tx, caller, "working_time_changed", {
      ...(person !== undefined && { user_id: person.id, name: person.name }),
      ...time,
    });
  }
  return { name: person?.name };
}

function checkWorkingTime(time: WorkingTime | null): void {
  if (time === null) return;
  if (time.weekly_minutes > mostMinutes) {
    const details = { field: "weekly_hours", max: mostMinutes / 60 };
    throw new AppError("validation_failed", "above_max", details);
  }
  if (time.working_days.length === 0) {
    throw new AppError("validation_failed", "missing", { field: "working_days" });
  }
}
