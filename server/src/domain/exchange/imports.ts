import { isDeepStrictEqual } from "node:util";
import type { Database, Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { ChangeSetRow, type Counts } from "../../db/entities/history.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import {
  addCounts,
  createChangeSet,
  dropOldestPlans,
  getChangeSet,
  lockChangeSet,
  updateChangeSet,
  type ChangeSetRecord,
} from "../history/change-sets.js";
import { toCounted, type Counted } from "../history/counted.js";
import { commit, dryRun } from "../history/transactions.js";
import { checkWriteQuota } from "../../traffic/write-quota.js";
import { always, type ShouldContinue } from "../../traffic/slots.js";
import { createPauses } from "../shared/pauses.js";
import type { ColumnStyle } from "./cell-styles.js";
import { createKeys, type FileKeys } from "./file-keys.js";
import type { FileContent } from "../files/file-contents.js";
import { readFile, storeFile } from "./import-files.js";
import type { ImportKind, ImportWords } from "./import-kinds.js";
import {
  createUnknownValues,
  settle,
  toCorrected,
  toReading,
  withQuestions,
  type ImportSettings,
} from "./import-settings.js";
import { addRowKeys, insertRows, planRows, readRows, type PlannedRow } from "./plan-rows.js";
import type { TableRow } from "./read-csv.js";
import { lengthOf, readTable } from "./read-table.js";
import { addToStyles, type NumberedRow, type RowValues } from "./read-values.js";
import { addPlaceName, findMissingPlaces, toCreated } from "./missing-places.js";
import type { ImportContext } from "./row-kinds.js";

const plannedAtOnce = 500;
/** Limits rows per batch if they are long. */
const charactersAtOnce = 5_000_000;

export async function getImport(db: Tx, caller: Caller, id: string): Promise<ChangeSetRecord> {
  const set = await getChangeSet(db, caller, id);
  if (set.kind !== "import") throw new AppError("not_found", "no_such_change_set");
  await requireOrganizationAdmin(db, caller, "import");
  return set;
}

/**
 * Per person with their files, and separately for all of their apps. One more replaces the oldest.
 */
const maxOpenPlans = 10;

interface NewImport {
  file: FileContent;
  title: string;
  settings: ImportSettings;
}

/** Stores the file. `makePlan` plans its rows. */
export async function startImport(
  tx: Tx,
  caller: Caller,
  { file, title, settings }: NewImport,
): Promise<string> {
  await requireOrganizationAdmin(tx, caller, "import");
  checkWriteQuota(caller);
  await dropOldestPlans(tx, caller, maxOpenPlans - 1);
  const id = await createChangeSet(tx, caller, {
    kind: "import",
    state: "reading",
    title: title.slice(0, 200),
    settings,
  });
  await storeFile(tx, caller, id, file);
  return id;
}

/** Restarts the plan with other columns or another reading of the file. */
export async function changeSettings(
  tx: Tx,
  caller: Caller,
  id: string,
  settings: ImportSettings,
): Promise<void> {
  const set = await lockChangeSet(tx, caller, id);
  if (!["planned", "reading"].includes(set.state)) {
    throw new AppError("conflict", "import_not_planned");
  }
  await tx.delete(ChangeSetRow, {
    organization_id: caller.organizationId,
    change_set_id: id,
  });
  const changes = { state: "reading", settings, counts: {}, position: null } as const;
  await updateChangeSet(tx, caller, id, changes);
}

/** Plans each row, in batches. Stores only the plan. */
export async function makePlan(
  db: Database,
  context: ImportContext & { words: ImportWords },
  id: string,
  shouldContinue: ShouldContinue = always,
): Promise<void> {
  const { caller } = context;
  const { state, settings: stored } = await getChangeSet(db, caller, id);
  const settings = stored as ImportSettings;
  const { of, format } = settings;
  if (state !== "reading" || format.format === "values") return;
  const file = await readFile(db, caller, id);
  const reading = toReading(settings, context);
  const found = new Map<number, ColumnStyle>();
  const unknown = createUnknownValues();
  const keys = createKeys();
  const places = new Map<string, string>();
  for await (const rows of inBatches(readTable(file, format), settings)) {
    if (!(await shouldContinue())) return;
    for (const row of rows) addToStyles(reading, row, found);
    const read = readRows(reading, rows);
    for (const row of read) {
      unknown.add(row.unknown ?? []);
      addPlaceName(of, places, row);
    }
    addRowKeys(of, read, keys);
  }
  const missingPlaces = await findMissingPlaces(db, caller, places);
  keys.places = toCreated(settings, missingPlaces);
  const plan: OpenPlan = { id, settings, rows: 0 };
  const settled = settle(reading, found);
  for await (const rows of inBatches(readTable(file, format), settings)) {
    if (!(await shouldContinue())) return;
    const some = { of, rows: readRows(settled, rows), keys };
    if (!(await planSome(db, context, plan, some))) return;
  }
  await endPlan(
    db,
    caller,
    plan,
    withQuestions(settings, { found, unknown: unknown.list(), missingPlaces }, caller.currency),
  );
}

interface OpenPlan {
  id: string;
  settings: ImportSettings;
  rows: number;
}

/**
 * Returns the plan's counts, or undefined if it was restarted since, by someone else or with other
 * settings.
 */
async function lockPlan(
  tx: Tx,
  caller: Caller,
  { id, settings, rows }: OpenPlan,
): Promise<Counts | undefined> {
  const { state, counts, settings: stored } = await lockChangeSet(tx, caller, id);
  const isSame = state === "reading" && (counts["rows"] ?? 0) === rows;
  return isSame && isDeepStrictEqual(stored, settings) ? counts : undefined;
}

async function endPlan(
  db: Database,
  caller: Caller,
  plan: OpenPlan,
  settings: ImportSettings,
): Promise<void> {
  await commit({ db, caller }, async (tx) => {
    if ((await lockPlan(tx, caller, plan)) === undefined) return;
    await updateChangeSet(tx, caller, plan.id, { state: "planned", settings });
  });
}

interface SomeRows {
  of: ImportKind;
  rows: readonly NumberedRow[];
  keys: FileKeys;
}

/** Returns false if the plan was restarted meanwhile. */
async function planSome(
  db: Database,
  context: ImportContext,
  plan: OpenPlan,
  some: SomeRows,
): Promise<boolean> {
  const { caller } = context;
  const { id } = plan;
  const importer = { ...context, caller: toImporter(caller, id) };
  for await (const planned of planInPieces(db, importer, some)) {
    const isStored = await commit({ db, caller }, async (tx) => {
      const counts = await lockPlan(tx, caller, plan);
      if (counts === undefined) return false;
      await insertRows(tx, caller, id, planned);
      await updateChangeSet(tx, caller, id, { counts: addCounts(counts, countBy(planned)) });
      return true;
    });
    if (!isStored) return false;
    plan.rows += planned.length;
  }
  return true;
}

/** Yields planned rows, in pieces that take only a moment each. */
async function* planInPieces(
  db: Database,
  importer: ImportContext,
  { of, rows, keys }: SomeRows,
): AsyncGenerator<PlannedRow[]> {
  let done = 0;
  while (done < rows.length) {
    const next = { rows: rows.slice(done), keys };
    const planned = await dryRun(db, (tx) => planRows(tx, importer, of, next));
    done += planned.length;
    yield planned;
  }
}

/** Prepares the import of an app's rows, for a person to review and approve. */
export async function planValues(
  db: Database,
  context: ImportContext,
  of: ImportKind,
  { noun, rows: values }: { noun: Counted["counted"]["noun"]; rows: readonly RowValues[] },
): Promise<{ id: string; rows: PlannedRow[] }> {
  const { caller } = context;
  const format = { format: "values" } as const;
  const { title, settings: counted } = toCounted(values.length, noun);
  const settings: ImportSettings = {
    of,
    format,
    headings: [],
    columns: [],
    rows: values.length,
    ...counted,
  };
  await requireOrganizationAdmin(db, caller, "import");
  const rows = values.map((row, at) => ({ line: at + 1, values: row, errors: [] }));
  const keys = createKeys();
  addRowKeys(of, rows, keys);
  const importer: ImportContext = { ...context, caller: { ...caller, source: "import" } };
  const planned: PlannedRow[] = [];
  for await (const some of planInPieces(db, importer, { of, rows, keys })) planned.push(...some);
  // Stored with all rows or not at all, because nothing could continue it.
  const id = await commit({ db, caller }, async (tx) => {
    const begun = await startImport(tx, caller, { file: () => [], title, settings });
    await insertRows(tx, caller, begun, planned);
    await updateChangeSet(tx, caller, begun, { state: "planned", counts: countBy(planned) });
    return begun;
  });
  return { id, rows: planned };
}

/** Returns a caller whose history entries name the import. */
export function toImporter(caller: Caller, id: string): Caller {
  return { ...caller, source: "import", changeSetId: id };
}

function countBy(rows: readonly PlannedRow[]): Counts {
  const retired = rows.filter(({ details }) => details.isRetired).length;
  const counts: Counts = { rows: rows.length, ...(retired > 0 && { retired }) };
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Skips the headings. */
async function* inBatches(
  rows: AsyncGenerator<TableRow>,
  settings: ImportSettings,
): AsyncGenerator<TableRow[]> {
  let batch: TableRow[] = [];
  let characters = 0;
  let isFirst = true;
  const pause = createPauses();
  for await (const row of rows) {
    if (!isFirst) batch.push(toCorrected(row, settings));
    isFirst = false;
    characters += lengthOf(row.cells);
    await pause();
    if (batch.length === plannedAtOnce || characters > charactersAtOnce) {
      yield batch;
      [batch, characters] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}
