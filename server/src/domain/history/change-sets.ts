import type { Database, Tx } from "../../db/database.js";
import { ChangeSet, type Counts } from "../../db/entities/history.js";
import { AppError } from "../../errors.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { requireSecondFactor } from "../access/roles.js";
import { deleteInBatches } from "./batches.js";
import { createId } from "../shared/ids.js";

export interface ChangeSetRecord extends Omit<ChangeSet, "organization_id"> {
  user_name: string;
  /** True if it is unfinished and no one has worked on it for a minute. */
  is_resting: boolean;
  /** The finished undo of this set. */
  undone_by: string | null;
  /** The unfinished undo of this set. */
  being_undone_by: string | null;
}

export async function createChangeSet(
  tx: Tx,
  caller: Caller,
  given: Pick<ChangeSet, "kind" | "state" | "title" | "settings"> & Partial<ChangeSet>,
): Promise<string> {
  const { id = createId("changeSet") } = given;
  await tx.insert(ChangeSet, {
    ...given,
    id,
    organization_id: caller.organizationId,
    user_id: caller.userId,
    client_name: caller.client?.name ?? null,
    worked_at: () => "app_now()",
  });
  return id;
}

/** Returns a set that the caller started or may see as an owner or admin. */
export async function getChangeSet(db: Tx, caller: Caller, id: string): Promise<ChangeSetRecord> {
  const found = await db.maybe<ChangeSetRecord>(
    `SELECT s.id, s.kind, s.state, s.user_id, u.name AS user_name, s.client_name, s.title,
       s.settings, s.counts, s.undoes, s.position, s.worked_at, s.created_at,
       s.applied_at, coalesce(s.worked_at < app_now() - interval '1 minute', true) AS is_resting,
       (SELECT z.id FROM change_sets z WHERE z.organization_id = $1 AND z.undoes = s.id
          AND z.state = 'applied' LIMIT 1) AS undone_by,
       (SELECT z.id FROM change_sets z WHERE z.organization_id = $1 AND z.undoes = s.id
          AND z.state = 'applying' LIMIT 1) AS being_undone_by
     FROM change_sets s JOIN users u ON u.id = s.user_id
     WHERE s.organization_id = $1 AND s.id = $2`,
    [caller.organizationId, id],
  );
  const isOwn = found?.user_id === caller.userId;
  if (found === undefined || !(isOwn || isOrganizationAdmin(caller))) {
    throw new AppError("not_found", "no_such_change_set");
  }
  if (!isOwn) requireSecondFactor(caller);
  return found;
}

/**
 * Deletes the caller's oldest unapproved imports and keeps the newest `kept` ones. Imports prepared
 * by apps count separately from the person's own.
 */
export async function dropOldestPlans(
  tx: Tx,
  { organizationId, userId, client }: Caller,
  kept: number,
): Promise<void> {
  const isOpen = `organization_id = $1 AND user_id = $2 AND state IN ('reading', 'planned')
    AND client_name IS ${client === undefined ? "NULL" : "NOT NULL"}`;
  await tx.query(
    `DELETE FROM change_sets WHERE ${isOpen} AND id IN
       (SELECT id FROM change_sets WHERE ${isOpen} ORDER BY created_at DESC, id OFFSET $3)`,
    [organizationId, userId, kept],
  );
}

export async function lockChangeSet(tx: Tx, caller: Caller, id: string): Promise<ChangeSet> {
  const where = { organization_id: caller.organizationId, id };
  const lock = { mode: "pessimistic_write" } as const;
  const found = await tx.findOne(ChangeSet, { where, lock });
  if (found === undefined) throw new AppError("not_found", "no_such_change_set");
  return found;
}

export async function updateChangeSet(
  tx: Tx,
  caller: Caller,
  id: string,
  changes: Partial<Pick<ChangeSet, "state" | "settings" | "counts" | "position">>,
): Promise<void> {
  await tx.update(
    ChangeSet,
    { organization_id: caller.organizationId, id },
    {
      ...changes,
      worked_at: () => "app_now()",
      ...(changes.state === "applied" && { applied_at: () => "app_now()" }),
    },
  );
}

export function addCounts(left: Counts, right: Counts): Counts {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries(
    [...names].map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)]),
  );
}

/** Deletes unapplied plans after a week, and the rows of applied sets after a month. */
export async function cleanUpChangeSets(db: Database): Promise<void> {
  await deleteInBatches(
    db,
    "change_sets",
    "state IN ('reading', 'planned') AND created_at < app_now() - interval '7 days'",
  );
  await deleteInBatches(
    db,
    "change_set_rows",
    `EXISTS (SELECT FROM change_sets s WHERE s.organization_id = change_set_rows.organization_id
       AND s.id = change_set_rows.change_set_id
       AND s.applied_at < app_now() - interval '30 days')`,
  );
}
