import type { Tx } from "../../db/database.js";
import { Procedure, ProcedureVersion, type StepDefinition } from "../../db/entities/tasks.js";
import { violates } from "../../db/query-errors.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireAdminSomewhere } from "../access/roles.js";
import { ensureCategory } from "../assets/categories.js";
import { recordCallerActivity, type ActivityType } from "../audit/record-activity.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { createId } from "../shared/ids.js";
import { rejectReservedName } from "../shared/none-placeholder.js";
import { cleanText } from "../shared/text.js";
import { cleanChecklist, type GivenStep } from "./checklist-steps.js";

const maxProcedures = 500;
/** Names that a refusal suggests. */
const maxNamed = 20;

export interface ProcedureRow extends Pick<Procedure, "id" | "name" | "version" | "archived_at"> {
  category: string | null;
  steps: StepDefinition[];
  edited_at: Date;
  edited_by: string;
}

export interface GivenProcedure {
  name: string;
  /** A name. A new one is added. */
  category?: string | undefined;
  steps: readonly (string | GivenStep)[];
}

const columns = `p.id, p.name::text AS name, c.name::text AS category, p.version, p.archived_at,
  v.steps, v.edited_at, u.name AS edited_by`;
const joins = `procedures p
  JOIN procedure_versions v ON v.organization_id = p.organization_id AND v.procedure_id = p.id
  JOIN users u ON u.id = v.edited_by
  LEFT JOIN asset_categories c ON c.organization_id = p.organization_id AND c.id = p.category_id`;

/** All procedures by name, archived ones last. Every member may read them. */
export function listProcedures(
  db: Tx,
  { organizationId }: Caller,
  { isArchived }: { isArchived?: boolean } = {},
): Promise<ProcedureRow[]> {
  const condition = isArchived === false ? "AND p.archived_at IS NULL" : "";
  return db.query(
    `SELECT ${columns} FROM ${joins}
     WHERE p.organization_id = $1 AND v.version = p.version ${condition}
     ORDER BY p.archived_at IS NOT NULL, p.name, p.id`,
    [organizationId],
  );
}

export async function getProcedure(db: Tx, caller: Caller, id: string): Promise<ProcedureRow> {
  const [current] = await findProcedureVersions(db, caller, id, "v.version = p.version");
  if (current === undefined) throw new AppError("not_found", "no_such_procedure");
  return current;
}

/** All versions, newest first. `condition` selects some. */
export function findProcedureVersions(
  db: Tx,
  { organizationId }: Caller,
  id: string,
  condition: "TRUE" | "v.version = p.version" = "TRUE",
): Promise<ProcedureRow[]> {
  return db.query(
    `SELECT ${columns}, v.version FROM ${joins}
     WHERE p.organization_id = $1 AND p.id = $2 AND ${condition} ORDER BY v.version DESC`,
    [organizationId, id],
  );
}

export const requireProcedureEditor = (db: Tx, caller: Caller) =>
  requireAdminSomewhere(db, caller, "edit procedures");

export async function addProcedure(
  tx: Tx,
  caller: Caller,
  given: GivenProcedure,
): Promise<{ id: string; name: string }> {
  await requireProcedureEditor(tx, caller);
  const { organizationId: organization_id, userId: created_by } = caller;
  if ((await tx.count(Procedure, { organization_id })) >= maxProcedures) {
    const details = {
      field: "name",
      label: "procedures",
      max: maxProcedures,
      of: "entries",
    } as const;
    throw new AppError("validation_failed", "too_many_entries", details);
  }
  const { name, steps, category } = cleanProcedure(given);
  const id = createId("procedure");
  const category_id = await findCategoryId(tx, caller, category);
  await withName(tx, name, (savepoint) =>
    savepoint.insert(Procedure, { organization_id, id, name, category_id, created_by }),
  );
  await addVersion(tx, caller, { id, version: 1, steps });
  await record(tx, caller, "procedure_added", { id, name, version: 1 });
  return { id, name };
}

/** A hash of the values that a change is based on. */
export function readingOfProcedure(procedure: ProcedureRow): number {
  return contentHash(cleanProcedure(toGiven(procedure)));
}

/** Other steps make a new version. Returns undefined if nothing changes. */
export async function changeProcedure(
  tx: Tx,
  caller: Caller,
  id: string,
  { expected, ...given }: GivenProcedure & { expected?: number | undefined },
): Promise<ProcedureRow | undefined> {
  const before = await lockProcedure(tx, caller, id);
  if (before.archived_at !== null) {
    throw new AppError("invalid_transition", "procedure_archived", { name: before.name });
  }
  const present = cleanProcedure(toGiven(before));
  const { name, steps, category } = cleanProcedure(given);
  if (contentHash({ name, steps, category }) === contentHash(present)) return undefined;
  assertUnchanged("organization", present, expected);
  const isNew = contentHash({ steps }) !== contentHash({ steps: present.steps });
  const version = before.version + (isNew ? 1 : 0);
  const category_id = await findCategoryId(tx, caller, category);
  await withName(tx, name, (savepoint) =>
    savepoint.update(Procedure, keyOf(caller, id), { name, category_id, version }),
  );
  if (isNew) await addVersion(tx, caller, { id, version, steps });
  await record(tx, caller, "procedure_changed", { id, name, version });
  return { ...before, name, version };
}

/** An archived procedure isn't offered. Repeating tasks keep their last copy of its steps. */
export async function archiveProcedure(tx: Tx, caller: Caller, id: string): Promise<ProcedureRow> {
  const procedure = await lockProcedure(tx, caller, id);
  if (procedure.archived_at !== null) return procedure;
  await tx.update(Procedure, keyOf(caller, id), { archived_at: () => "app_now()" });
  await record(tx, caller, "procedure_archived", procedure);
  return procedure;
}

export async function restoreProcedure(tx: Tx, caller: Caller, id: string): Promise<ProcedureRow> {
  const procedure = await lockProcedure(tx, caller, id);
  if (procedure.archived_at === null) return procedure;
  await withName(tx, procedure.name, (savepoint) =>
    savepoint.update(Procedure, keyOf(caller, id), { archived_at: null }),
  );
  await record(tx, caller, "procedure_restored", procedure);
  return procedure;
}

/** The steps that a task copies. */
export type ProcedureCopy = Pick<ProcedureRow, "id" | "name" | "version" | "steps">;

/** Finds a procedure by id or name for a task. */
export async function pickProcedure(
  tx: Tx,
  caller: Caller,
  reference: string,
): Promise<ProcedureCopy> {
  const found = await tx.maybe<ProcedureCopy>(
    `SELECT ${columns} FROM ${joins}
     WHERE p.organization_id = $1 AND v.version = p.version AND p.archived_at IS NULL
       AND (p.id = $2 OR p.name = $2::citext)`,
    [caller.organizationId, reference.trim()],
  );
  if (found !== undefined) return found;
  const present = await listProcedures(tx, caller, { isArchived: false });
  const names = present.slice(0, maxNamed).map(({ name }) => name);
  const details = { field: "procedure", name: reference, names };
  throw new AppError("not_found", "procedure_not_found", details);
}

/** The current version for the next task of a repetition. Undefined if it is archived. */
export async function findCurrentProcedure(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<ProcedureCopy | undefined> {
  const procedure = await getProcedure(tx, caller, id);
  return procedure.archived_at === null ? procedure : undefined;
}

function toGiven({ name, category, steps }: ProcedureRow): GivenProcedure {
  return { name, category: category ?? undefined, steps: steps.map(toGivenStep) };
}

/** A stored step as a person would give it. */
function toGivenStep(step: StepDefinition): GivenStep {
  const values = Object.entries(step).filter(([, value]) => value !== null);
  return Object.fromEntries(values) as unknown as GivenStep;
}

function cleanProcedure({ name: given, category, steps: givenSteps }: GivenProcedure) {
  const name = cleanText(given, { field: "name", max: 100 });
  rejectReservedName(name);
  const steps = cleanChecklist(givenSteps);
  if (steps.length === 0)
    throw new AppError("validation_failed", "missing", { field: "checklist" });
  return { name, category: category?.trim() || null, steps };
}

async function lockProcedure(tx: Tx, caller: Caller, id: string): Promise<ProcedureRow> {
  await requireProcedureEditor(tx, caller);
  const lock = { mode: "for_no_key_update" } as const;
  await tx.findOne(Procedure, { where: keyOf(caller, id), lock });
  return getProcedure(tx, caller, id);
}

const keyOf = ({ organizationId: organization_id }: Caller, id: string) => ({
  organization_id,
  id,
});

async function findCategoryId(
  tx: Tx,
  caller: Caller,
  category: string | null,
): Promise<string | null> {
  return category === null ? null : (await ensureCategory(tx, caller, category)).id;
}

async function withName<Result>(
  tx: Tx,
  name: string,
  change: (savepoint: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await tx.transaction(change);
  } catch (error) {
    if (!violates(error, "the name of a procedure is free")) throw error;
    throw new AppError("duplicate", "procedure_name_taken", { field: "name", name });
  }
}

async function addVersion(
  tx: Tx,
  { organizationId: organization_id, userId: edited_by }: Caller,
  { id: procedure_id, version, steps }: Omit<ProcedureCopy, "name">,
): Promise<void> {
  await tx.insert(ProcedureVersion, { organization_id, procedure_id, version, steps, edited_by });
}

async function record(
  tx: Tx,
  caller: Caller,
  type: ActivityType,
  { id, name, version }: Pick<Procedure, "id" | "name" | "version">,
): Promise<void> {
  const details = { procedure_id: id, procedure: name, version };
  await recordCallerActivity(tx, caller, type, details);
}
