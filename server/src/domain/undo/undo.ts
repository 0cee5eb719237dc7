import type { DataSource, EntityManager } from "typeorm";
import { ChangeSetRow } from "../../db/entities/change-set-row.js";
import type { ChangeSet, Counts } from "../../db/entities/change-set.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { lockParents } from "../assets/asset-parents.js";
import {
  addCounts,
  createChangeSet,
  getChangeSet,
  lockChangeSet,
  updateChangeSet,
  type ChangeSetRecord,
} from "../change-sets/change-sets.js";
import type { Counted } from "../change-sets/counted.js";
import { always, type GoOn } from "../values/fair-turns.js";
import { beginStep } from "../changes/change-all.js";
import { commit } from "../changes/transactions.js";
import { createRedactor } from "../events/redact-changes.js";
import {
  countAmount,
  eachRow,
  hasRoomToWrite,
  requireRoomToWrite,
} from "../events/writing-limit.js";
import { lockAssets } from "../references/asset-references.js";
import { countSubjects, findSubjects, withEvents } from "./find-subjects.js";
import type { Conflict, Subject, Undone } from "./outcomes.js";
import type { Selection } from "./selections.js";
import { undoRows, type UndoneNext } from "./undo-rows.js";
import { undoAsset } from "./undo-asset.js";
import { undoTask } from "./undo-task.js";

const recordsAtOnce = 50;

export interface UndoPage {
  total: number;
  records: Undone[];
  /** Where the next page begins. */
  next?: string;
}

/** What an undo would do, a page at a time; nothing is changed. */
export async function planUndo(
  db: EntityManager,
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

function undoSubject(
  tx: EntityManager,
  caller: Caller,
  given: { subject: Subject; selection: Selection; isApplied: boolean },
): Promise<Undone> {
  const undo = given.subject.kind === "asset" ? undoAsset : undoTask;
  return undo({ tx, caller, ...given });
}

/** What an undo is about, and the set that it takes back, if it is one. */
interface UndoSettings {
  selection: Selection;
  /** Whether it is found in the rows of an import, and not in histories. */
  isOfRows?: boolean;
  /** Whether it takes back an undo. */
  isRedo: boolean;
}

interface UndoSettingsGiven extends Partial<UndoSettings & Counted> {
  selection: Selection;
  title: string;
  undoes?: string;
}

/** Begins to undo; `continueUndo` does it. */
export async function startUndo(
  tx: EntityManager,
  caller: Caller,
  { title, undoes, isRedo = false, isOfRows = false, ...given }: UndoSettingsGiven,
): Promise<string> {
  if (isRedo) requireRoomToWrite(caller);
  const settings: UndoSettings & Partial<Counted> = { ...given, isRedo, isOfRows };
  return createChangeSet(tx, caller, {
    ...{ kind: "undo", state: "applying", title, settings },
    ...(undoes !== undefined && { undoes }),
  });
}

/** Whether a set takes back an undo, and so brings changes again. */
export function isRedoing({ settings }: Pick<ChangeSetRecord, "settings">): boolean {
  return (settings as Partial<UndoSettings>).isRedo === true;
}

/** Whether a set is about what has no history: such an undo is not undone again. */
export function isOfRows({ settings }: Pick<ChangeSetRecord, "settings">): boolean {
  return (settings as Partial<UndoSettings>).isOfRows === true;
}

/** Of imports. */
const kindsWithoutHistory = new Set(["people", "workspaces"]);

/** Begins to undo all changes of a set, once. */
export async function startUndoOf(
  tx: EntityManager,
  caller: Caller,
  id: string,
): Promise<{ undo: string; set: ChangeSetRecord }> {
  await lockChangeSet(tx, caller, id);
  const set = await getChangeSet(tx, caller, id);
  if (set.state !== "applied") throw new AppError("conflict", "change_set_not_applied");
  if (set.undone_by !== null) throw new AppError("conflict", "change_set_undone");
  const selection = { changeSetId: id };
  const isRedo = set.kind === "undo" && !isRedoing(set);
  const { of = "", counted } = set.settings as Partial<Counted> & { of?: string };
  const isOfRows = kindsWithoutHistory.has(of);
  const given = {
    ...{ selection, title: set.title, isRedo, isOfRows, undoes: id },
    ...(counted !== undefined && { counted }),
  };
  const undo = await startUndo(tx, caller, given);
  return { undo, set };
}

/**
 * Undoes a few records after the other, each few in a transaction of their own: what an interruption
 * leaves is taken up where it ended.
 */
export async function continueUndo(
  db: DataSource,
  caller: Caller,
  id: string,
  goOn: GoOn = always,
): Promise<void> {
  for (let isDone = false; !isDone && (await goOn());) {
    isDone = await commit({ db, caller }, (tx) => undoSome(tx, { ...caller, changeSetId: id }, id));
  }
}

async function undoSome(tx: EntityManager, caller: Caller, id: string): Promise<boolean> {
  const isOver = await beginStep(tx, caller);
  const set = await lockChangeSet(tx, caller, id);
  if (set.kind !== "undo" || set.state !== "applying") return true;
  const { records, position, isDone } = await undoNext(tx, caller, set, isOver);
  await storeConflicts(tx, caller, set, records);
  await updateChangeSet(tx, caller, id, {
    counts: addCounts(set.counts, countRecords(records)),
    position: position ?? set.position,
    ...(isDone && { state: "applied" }),
  });
  return isDone;
}

async function undoNext(
  tx: EntityManager,
  caller: Caller,
  { settings, position: after }: ChangeSet,
  isOver: () => boolean,
): Promise<UndoneNext> {
  const { selection, isOfRows } = settings as UndoSettings;
  const page = { after, limit: recordsAtOnce };
  if (isOfRows === true && "changeSetId" in selection) {
    return undoRows(tx, caller, selection.changeSetId, { ...page, isOver });
  }
  const subjects = await findSubjects(tx, caller, selection, page);
  const idsOf = (of: Subject["kind"]) =>
    subjects.flatMap(({ kind, id }) => (kind === of ? [id] : []));
  const chosen = { assets: idsOf("asset"), tasks: idsOf("task") };
  if (chosen.assets.length > 0) await lockParents(tx, caller);
  // Before their histories are read: what somebody does with them meanwhile is in these, or comes after.
  await lockAssets(tx, caller, chosen);
  const records: Undone[] = [];
  for await (const subject of withEvents(tx, caller, selection, subjects)) {
    records.push(await undoSubject(tx, caller, { subject, selection, isApplied: true }));
    if (isOver()) break;
  }
  return {
    records,
    position: subjects[records.length - 1]?.position,
    isDone: records.length === subjects.length && records.length < recordsAtOnce,
  };
}

function countRecords(records: readonly Undone[]): Counts {
  const count = (of: (record: Undone) => boolean) => records.filter(of).length;
  return {
    records: records.length,
    undone: count(({ changes, isRemoved }) => isRemoved || changes.length > 0),
    removed: count(({ isRemoved }) => isRemoved),
    conflicts: count(({ conflicts }) => conflicts.length > 0),
  };
}

/** What an undo left as it was, as it is kept. */
export interface KeptRecord {
  kind: Undone["subject"]["kind"];
  conflicts: Conflict[];
}

/** An undo can be repeated for ever, and goes on past the ceiling: what it left is not listed then. */
async function storeConflicts(
  tx: EntityManager,
  caller: Caller,
  { id, counts }: ChangeSet,
  records: readonly Undone[],
): Promise<void> {
  const before = counts["records"] ?? 0;
  const rows = records.flatMap(({ subject, name, conflicts }, index) => {
    const details: KeptRecord = { kind: subject.kind, conflicts };
    const line = before + index + 1;
    return conflicts.length === 0 ? [] : [{ line, subject_id: subject.id, name, details }];
  });
  if (rows.length === 0 || !hasRoomToWrite(caller)) return;
  countAmount(caller, Buffer.byteLength(JSON.stringify(rows)) + eachRow * rows.length);
  await tx.getRepository(ChangeSetRow).insert(
    rows.map((row) => ({
      ...row,
      organization_id: caller.organizationId,
      change_set_id: id,
      outcome: "conflict" as const,
    })),
  );
}
