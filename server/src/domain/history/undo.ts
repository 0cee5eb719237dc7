import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import {
  createChangeSet,
  getChangeSet,
  lockChangeSet,
  type ChangeSetRecord,
} from "./change-sets.js";
import type { Counted } from "./counted.js";
import { createRedactor } from "./redact-changes.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import type { StoredError } from "../shared/refusals.js";
import { countSubjects, findSubjects, withEvents } from "./find-subjects.js";
import type { Undone } from "./outcomes.js";
import type { Selection } from "./selections.js";
import { recordsAtOnce, undoSubject } from "./undo-subject.js";

export interface UndoPage {
  total: number;
  records: Undone[];
  /** The cursor of the next page. */
  next?: string;
}

/** Returns a page of an undo's effects. Changes nothing. */
export async function planUndo(
  db: Tx,
  caller: Caller,
  selection: Selection,
  after?: string,
): Promise<UndoPage> {
  const page = { after: after ?? null, limit: recordsAtOnce + 1 };
  const [found, total] = await Promise.all([
    findSubjects(db, caller, selection, page),
    countSubjects(db, caller, selection),
  ]);
  const shown = found.slice(0, recordsAtOnce);
  const records: Undone[] = [];
  for await (const subject of withEvents(db, caller, selection, shown)) {
    records.push(await undoSubject(db, caller, { subject, selection, isApplied: false }));
  }
  const hide = await createRedactor(
    db,
    caller,
    records.flatMap(({ changes }) => changes),
  );
  const next = found.length > shown.length ? shown.at(-1)?.position : undefined;
  return {
    total,
    records: records.map((record) => ({ ...record, changes: hide(record.changes) })),
    ...(next !== undefined && { next }),
  };
}

export interface UndoSettings {
  selection: Selection;
  /** The error that ended the last attempt to continue. */
  problem?: StoredError;
  /** True if the undo uses an import's rows instead of histories. */
  isOfRows?: boolean;
  isRedo: boolean;
}

interface UndoSettingsGiven extends Partial<UndoSettings & Counted> {
  selection: Selection;
  title: string;
  undoes?: string;
}

/** Starts an undo. `continueUndo` does the work. */
export async function startUndo(
  tx: Tx,
  caller: Caller,
  { title, undoes, isRedo = false, isOfRows = false, ...given }: UndoSettingsGiven,
): Promise<string> {
  if (isRedo) checkWriteQuota(caller);
  const settings: UndoSettings & Partial<Counted> = { ...given, isRedo, isOfRows };
  return createChangeSet(tx, caller, {
    kind: "undo",
    state: "applying",
    title,
    settings,
    ...(undoes !== undefined && { undoes }),
  });
}

export function isRedoing({ settings }: Pick<ChangeSetRecord, "settings">): boolean {
  return (settings as Partial<UndoSettings>).isRedo === true;
}

/** Returns true if a set concerns records without a history. Such an undo can't be undone. */
export function isOfRows({ settings }: Pick<ChangeSetRecord, "settings">): boolean {
  return (settings as Partial<UndoSettings>).isOfRows === true;
}

export function problemOf({
  settings,
}: Pick<ChangeSetRecord, "settings">): StoredError | undefined {
  return (settings as Partial<UndoSettings>).problem;
}

/** Kinds of imports. */
const kindsWithoutHistory = new Set(["people", "workspaces"]);

/** Starts an undo of all changes of a set. Each set is undone once. */
export async function startUndoOf(
  tx: Tx,
  caller: Caller,
  id: string,
): Promise<{ undo: string; set: ChangeSetRecord }> {
  await lockChangeSet(tx, caller, id);
  const set = await getChangeSet(tx, caller, id);
  if (set.state !== "applied") throw new AppError("conflict", "change_set_not_applied");
  if (set.undone_by !== null) throw new AppError("conflict", "change_set_undone");
  // An unfinished undo continues.
  if (set.being_undone_by !== null) return { undo: set.being_undone_by, set };
  const selection = { changeSetId: id };
  const isRedo = set.kind === "undo" && !isRedoing(set);
  const { of = "", counted } = set.settings as Partial<Counted> & { of?: string };
  const isOfRows = kindsWithoutHistory.has(of);
  const given = {
    selection,
    title: set.title,
    isRedo,
    isOfRows,
    undoes: id,
    ...(counted !== undefined && { counted }),
  };
  const undo = await startUndo(tx, caller, given);
  return { undo, set };
}
