import type { Database, Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import { addCounts, lockChangeSet, updateChangeSet } from "../history/change-sets.js";
import { countAmount, eachRow } from "../../traffic/write-quota.js";
import { always, type ShouldContinue } from "../../traffic/slots.js";
import { beginStep } from "../history/change-all.js";
import { commit } from "../history/transactions.js";
import { dropFile } from "./import-files.js";
import type { ImportSettings } from "./import-settings.js";
import { toImporter } from "./imports.js";
import { createMissingPlaces } from "./missing-places.js";
import type { ImportContext } from "./row-kinds.js";
import { findNextRows, storeRows } from "./store-rows.js";

/** Starts storing the valid rows of a plan. `continueImport` does the work. */
export async function startApplying(tx: Tx, caller: Caller, id: string): Promise<void> {
  await requireOrganizationAdmin(tx, caller, "import");
  const set = await lockChangeSet(tx, caller, id);
  if (set.kind === "import" && set.state === "applying") return;
  if (set.state !== "planned") throw new AppError("conflict", "import_not_planned");
  await dropFile(tx, caller, id);
  const settings = set.settings as ImportSettings;
  await createMissingPlaces(tx, toImporter(caller, id), { id, settings });
  await countKept(tx, caller, id);
  await updateChangeSet(tx, caller, id, { state: "applying", position: "0 0" });
}

/** The rows are kept from now on, including those that change nothing. */
async function countKept(tx: Tx, caller: Caller, id: string): Promise<void> {
  const kept = await tx.maybe<{ amount: number }>(
    `SELECT coalesce(sum(${eachRow} + pg_column_size(name) + pg_column_size(details)), 0)::float8
       AS amount
     FROM change_set_rows WHERE organization_id = $1 AND change_set_id = $2`,
    [caller.organizationId, id],
  );
  countAmount(caller, kept?.amount ?? 0);
}

/**
 * Stores rows one after another, a few per transaction. A record that was changed since the plan
 * was made isn't overwritten, and its row is marked wrong.
 */
export async function continueImport(
  db: Database,
  context: ImportContext,
  id: string,
  shouldContinue: ShouldContinue = always,
): Promise<void> {
  const { caller } = context;
  for (let isDone = false; !isDone && (await shouldContinue());) {
    isDone = await commit({ db, caller }, (tx) =>
      applySome(tx, { ...context, caller: toImporter(caller, id) }, id),
    );
  }
}

async function applySome(tx: Tx, context: ImportContext, id: string): Promise<boolean> {
  const { caller } = context;
  const isOver = await beginStep(tx, caller);
  const set = await lockChangeSet(tx, caller, id);
  if (set.kind !== "import" || set.state !== "applying") return true;
  const { of } = set.settings as ImportSettings;
  const rows = await findNextRows(tx, caller, set);
  const { stored, refused, last } = await storeRows(tx, context, { kind: of, rows, isOver });
  const isDone = rows.length === 0;
  await updateChangeSet(tx, caller, id, {
    counts: addCounts(set.counts, { stored, refused }),
    position: last === undefined ? set.position : `${last.level} ${last.line}`,
    ...(isDone && { state: "applied" }),
  });
  return isDone;
}
