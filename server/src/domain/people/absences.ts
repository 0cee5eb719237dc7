import type { Tx } from "../../db/database.js";
import { Absence } from "../../db/entities/people.js";
import { AppError } from "../../errors.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { getPerson, type PersonReference } from "../shared/person-references.js";
import { cleanText, isStorable } from "../shared/text.js";

export type AbsenceRow = Omit<Absence, "organization_id" | "user_id">;

/** More are old ones. */
const maxListed = 100;

/** A person's absences, latest first. Only the person and admins see notes. */
export async function listAbsences(db: Tx, caller: Caller, userId: string): Promise<AbsenceRow[]> {
  return db.query(
    `SELECT first_day, last_day, CASE WHEN $3 THEN note END AS note FROM absences
     WHERE organization_id = $1 AND user_id = $2 ORDER BY first_day DESC LIMIT ${maxListed}`,
    [caller.organizationId, userId, maySetAbsences(caller, userId)],
  );
}

export function maySetAbsences(caller: Caller, userId: string): boolean {
  return userId === caller.userId || isOrganizationAdmin(caller);
}

interface NewAbsence {
  user_id: string;
  first_day: string;
  /** Default: the first day. */
  last_day?: string | undefined;
  note?: string | undefined;
}

/** Adds an absence of the caller, or of anyone for admins. */
export async function addAbsence(tx: Tx, caller: Caller, given: NewAbsence): Promise<AbsenceRow> {
  const { first_day, last_day = first_day, note } = given;
  if (last_day < first_day) {
    throw new AppError("validation_failed", "before_other_day", {
      ...{ field: "last_day", day: last_day, otherField: "first_day", otherDay: first_day },
    });
  }
  const person = await getAbsent(tx, caller, given.user_id);
  const absence = {
    first_day,
    last_day,
    note: note === undefined ? null : cleanText(note, { field: "note", max: 200 }),
  };
  const where = { organization_id: caller.organizationId, user_id: person.id };
  const [other] = await tx.query<Pick<Absence, "first_day" | "last_day">>(
    `SELECT first_day, last_day FROM absences WHERE organization_id = $1 AND user_id = $2
       AND first_day <= $4 AND last_day >= $3 LIMIT 1`,
    [where.organization_id, where.user_id, first_day, last_day],
  );
  if (other !== undefined) {
    throw new AppError("validation_failed", "absent_already", {
      ...{ field: "first_day", day: other.first_day, otherDay: other.last_day },
    });
  }
  await tx.insert(Absence, { ...where, ...absence });
  await record(tx, caller, "absence_added", person, absence);
  return absence;
}

/** Removes the absence that begins on a day. Returns undefined if there is none. */
export async function removeAbsence(
  tx: Tx,
  caller: Caller,
  { user_id, first_day }: { user_id: string; first_day: string },
): Promise<AbsenceRow | undefined> {
  const person = await getAbsent(tx, caller, user_id);
  if (!isStorable(first_day)) return undefined;
  const absence = await tx.maybe<AbsenceRow>(
    `DELETE FROM absences WHERE organization_id = $1 AND user_id = $2 AND first_day::text = $3
     RETURNING first_day, last_day, note`,
    [caller.organizationId, person.id, first_day],
  );
  if (absence === undefined) return undefined;
  await record(tx, caller, "absence_removed", person, absence);
  return absence;
}

/** Locks the membership, because a removal deletes the absences. */
async function getAbsent(tx: Tx, caller: Caller, userId: string): Promise<PersonReference> {
  if (!maySetAbsences(caller, userId)) await requireOrganizationAdmin(tx, caller, "manage members");
  return getPerson(tx, caller, userId, "user_id", { deactivated: true, lock: true });
}

/** The log keeps no note: it may be about the person's health. */
async function record(
  tx: Tx,
  caller: Caller,
  type: "absence_added" | "absence_removed",
  { id, name }: PersonReference,
  { first_day, last_day }: AbsenceRow,
): Promise<void> {
  await recordCallerActivity(tx, caller, type, { user_id: id, name, first_day, last_day });
}
