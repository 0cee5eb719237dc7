import type { Tx } from "../../db/database.js";
import type { ChangeSetRow } from "../../db/entities/history.js";
import { Workspace } from "../../db/entities/organizations.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { inSavepoint } from "./savepoints.js";
import type { Change } from "./record-events.js";
import { withdrawInvite } from "../people/invites.js";
import { toStoredError } from "../shared/refusals.js";
import { deleteWorkspace } from "../organizations/workspace-deletion.js";
import { updateWorkspace } from "../organizations/workspace-updates.js";
import { toRefusal, type Conflict, type Undone } from "./outcomes.js";

type StoredRow = Pick<ChangeSetRow, "line" | "outcome" | "subject_id" | "name" | "details">;

export interface UndoneNext {
  records: Undone[];
  position: string | undefined;
  isDone: boolean;
}

interface Step {
  after: string | null;
  limit: number;
  isOver: () => boolean;
  report: (error: unknown) => void;
}

/** Imported workspaces and invitations have no history. The stored rows say what to undo. */
export async function undoRows(
  tx: Tx,
  caller: Caller,
  changeSetId: string,
  { after, limit, isOver, report }: Step,
): Promise<UndoneNext> {
  const rows = await tx.query<StoredRow>(
    `SELECT line, outcome, subject_id, name, details FROM change_set_rows
     WHERE organization_id = $1 AND change_set_id = $2 AND stored AND line > $3::int
     ORDER BY line LIMIT $4`,
    [caller.organizationId, changeSetId, after ?? "0", limit],
  );
  const records: Undone[] = [];
  for (const row of rows) {
    records.push(await undoRow(tx, caller, row, report));
    if (isOver()) break;
  }
  return {
    records,
    position: rows[records.length - 1]?.line.toString(),
    isDone: records.length === rows.length && records.length < limit,
  };
}

async function undoRow(
  tx: Tx,
  caller: Caller,
  row: StoredRow,
  report: Step["report"],
): Promise<Undone> {
  const { subject_id: id, name } = row;
  const kind = id?.startsWith("inv_") === true ? "invite" : "workspace";
  const subject = { kind, id: id ?? "" } as const;
  const done = await inSavepoint(
    tx,
    () => takeBack(tx, caller, row),
    (error) => toRefusal(error, report),
  );
  const nothing = { subject, name, changes: [], isRemoved: false, conflicts: [] };
  if (!(done instanceof AppError)) return { ...nothing, ...done };
  return { ...nothing, conflicts: [{ refusal: toStoredError(done) }] };
}

type Outcome = Partial<Pick<Undone, "changes" | "isRemoved" | "conflicts">>;

async function takeBack(tx: Tx, caller: Caller, row: StoredRow): Promise<Outcome> {
  const { subject_id: id, outcome, details } = row;
  if (id === null) return {};
  if (id.startsWith("inv_")) {
    await withdrawInvite(tx, caller, id);
    return { isRemoved: true };
  }
  if (outcome === "create") {
    await deleteWorkspace(tx, caller, id);
    return { isRemoved: true };
  }
  return restoreWorkspace(tx, caller, id, (details as { changes?: Change[] }).changes ?? []);
}

async function restoreWorkspace(
  tx: Tx,
  caller: Caller,
  id: string,
  changes: readonly Change[],
): Promise<Outcome> {
  const { organizationId: organization_id } = caller;
  const workspace = await tx.findOne(Workspace, { where: { organization_id, id } });
  if (workspace === undefined) return {};
  const conflicts: Conflict[] = [];
  // A concurrent change becomes a conflict.
  const update: Record<string, unknown> = { expected_version: workspace.version };
  const emptied: string[] = [];
  for (const { field, from, to } of changes) {
    if (workspace[field as keyof Workspace] !== to) conflicts.push({ field });
    else if (from === undefined) emptied.push(field);
    else update[field] = from;
  }
  if (emptied.length > 0) update["clear_fields"] = emptied;
  if (Object.keys(update).length === 1) return { conflicts };
  const { changed } = await updateWorkspace(tx, caller, id, update);
  return { changes: changed, conflicts };
}
