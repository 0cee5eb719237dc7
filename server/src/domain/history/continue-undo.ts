import type { Database, Tx } from "../../db/database.js";
import { ChangeSetRow, type ChangeSet, type Counts } from "../../db/entities/history.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { lockParents } from "../assets/asset-parents.js";
import { addCounts, lockChangeSet, updateChangeSet } from "./change-sets.js";
import { beginStep } from "./change-all.js";
import { inSavepoint } from "./savepoints.js";
import { commit } from "./transactions.js";
import { countAmount, eachRow, hasRoomToWrite } from "../../traffic/write-quota.js";
import { lockAssets } from "../shared/asset-references.js";
import { toStoredError } from "../shared/refusals.js";
import { always, type ShouldContinue } from "../../traffic/slots.js";
import { omit } from "../shared/omit.js";
import { findSubjects, withEvents } from "./find-subjects.js";
import { orConflict, toRefusal, type Conflict, type Subject, type Undone } from "./outcomes.js";
import { problemOf, type UndoSettings } from "./undo.js";
import { undoRows, type UndoneNext } from "./undo-rows.js";
import { findName, recordsAtOnce, undoSubject } from "./undo-subject.js";

export interface Continuation {
  shouldContinue?: ShouldContinue;
  /** Receives each unexpected error that left a record unchanged. */
  report?: (error: unknown) => void;
}

/**
 * Undoes records one after another, a few per transaction. An interrupted undo resumes where it
 * stopped. An error that ends the undo is stored with the set.
 */
export async function continueUndo(
  db: Database,
  caller: Caller,
  id: string,
  { shouldContinue = always, report = ignore }: Continuation = {},
): Promise<void> {
  const inSet = { ...caller, changeSetId: id };
  try {
    for (let isDone = false; !isDone && (await shouldContinue());) {
      isDone = await commit({ db, caller }, (tx) => undoSome(tx, inSet, { id, report }));
    }
  } catch (error) {
    // If the database is unavailable, the page still offers to continue after a minute.
    await commit({ db, caller: null }, (tx) => storeProblem(tx, caller, id, error)).catch(ignore);
    throw error;
  }
}

const ignore = () => undefined;

async function storeProblem(tx: Tx, caller: Caller, id: string, error: unknown): Promise<void> {
  const { state, settings } = await lockChangeSet(tx, caller, id);
  if (state !== "applying") return;
  const problem = toStoredError(
    error instanceof AppError ? error : new AppError("unavailable", "undo_failed"),
  );
  await updateChangeSet(tx, caller, id, { settings: { ...settings, problem } });
}

type Report = Required<Continuation>["report"];

async function undoSome(
  tx: Tx,
  caller: Caller,
  { id, report }: { id: string; report: Report },
): Promise<boolean> {
  const isOver = await beginStep(tx, caller);
  const set = await lockChangeSet(tx, caller, id);
  if (set.kind !== "undo" || set.state !== "applying") return true;
  const { records, position, isDone } = await undoNext(tx, caller, set, { isOver, report });
  await storeConflicts(tx, caller, set, records);
  await updateChangeSet(tx, caller, id, {
    counts: addCounts(set.counts, countRecords(records)),
    position: position ?? set.position,
    ...(problemOf(set) !== undefined && {
      settings: omit(set.settings as UndoSettings, "problem"),
    }),
    ...(isDone && { state: "applied" }),
  });
  return isDone;
}

async function undoNext(
  tx: Tx,
  caller: Caller,
  { settings, position: after }: ChangeSet,
  { isOver, report }: { isOver: () => boolean; report: Report },
): Promise<UndoneNext> {
  const { selection, isOfRows } = settings as UndoSettings;
  const page = { after, limit: recordsAtOnce };
  if (isOfRows === true && "changeSetId" in selection) {
    return undoRows(tx, caller, selection.changeSetId, { ...page, isOver, report });
  }
  const subjects = await findSubjects(tx, caller, selection, page);
  const idsOf = (of: Subject["kind"]) =>
    subjects.flatMap(({ kind, id }) => (kind === of ? [id] : []));
  const chosen = { assets: idsOf("asset"), tasks: idsOf("task") };
  if (chosen.assets.length > 0) await lockParents(tx, caller);
  // Locked before their histories are read. Concurrent changes are then either in the histories or
  // come later.
  await lockAssets(tx, caller, chosen);
  const records: Undone[] = [];
  for await (const subject of withEvents(tx, caller, selection, subjects)) {
    const done = await inSavepoint(
      tx,
      () => undoSubject(tx, caller, { subject, selection, isApplied: true }),
      (error) => toRefusal(error, report),
    );
    records.push(done instanceof AppError ? await keep(tx, caller, subject, done) : done);
    if (isOver()) break;
  }
  return {
    records,
    position: subjects[records.length - 1]?.position,
    isDone: records.length === subjects.length && records.length < recordsAtOnce,
  };
}

/** A record that can't be undone, with its name if the caller can see it. */
async function keep(tx: Tx, caller: Caller, subject: Subject, refusal: AppError): Promise<Undone> {
  const name = (await orConflict([], undefined, () => findName(tx, caller, subject))) ?? "";
  const conflicts = [{ refusal: toStoredError(refusal) }];
  return { subject, name, changes: [], isRemoved: false, conflicts };
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

export interface KeptRecord {
  kind: Undone["subject"]["kind"];
  conflicts: Conflict[];
}

/**
 * An undo can be repeated forever and continues past the write limit. Beyond the limit, unchanged
 * records aren't listed.
 */
async function storeConflicts(
  tx: Tx,
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
  await tx.insert(
    ChangeSetRow,
    rows.map((row) => ({
      ...row,
      organization_id: caller.organizationId,
      change_set_id: id,
      outcome: "conflict" as const,
    })),
  );
}
