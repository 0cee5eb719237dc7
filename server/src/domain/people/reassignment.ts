import type { Tx } from "../../db/database.js";
import type { Actor } from "../access/caller.js";
import { recordEvents, type Change } from "../history/record-events.js";
import { createParameters } from "../../db/parameters.js";
import type { PersonReference } from "../shared/person-references.js";
import { isOpen } from "../tasks/task-states.js";

export interface Holder {
  id: string;
  name: string;
  workspaceId?: string | undefined;
  /** Limits it to workspaces that the person is not a member of. */
  elsewhere?: true;
}

interface HoldingRow {
  id: string;
  /** The asset's own id, or the id of a task's asset. */
  asset_id: string | null;
  workspace_id: string | null;
  /** True for retired assets and their tasks, which are in no list or count until restored. */
  hidden: boolean;
}

interface Holdings {
  assets: HoldingRow[];
  tasks: HoldingRow[];
}

export interface HoldingCount {
  tasks: number;
  assets: number;
}

export interface Reassignment {
  unassigned: HoldingCount;
  reassigned: HoldingCount;
}

/**
 * Reassigns a person's work to the new assignee where visible to them, and unassigns the rest.
 * Records an event for each. Retired assets and their tasks are only unassigned and not counted.
 */
export async function reassignHoldings(
  tx: Tx,
  actor: Actor,
  holder: Holder,
  newAssignee: PersonReference | undefined,
): Promise<Reassignment> {
  const done = { unassigned: { tasks: 0, assets: 0 }, reassigned: { tasks: 0, assets: 0 } };
  const newAssigneeSees = await findSight(tx, actor, newAssignee);
  // Loops, because work may be assigned while waiting for a lock.
  for (;;) {
    const held = await lockHoldings(tx, actor, holder);
    if (held.assets.length + held.tasks.length === 0) return done;
    for (const kind of ["assets", "tasks"] as const) {
      const rows = held[kind];
      const isReassigned = (row: HoldingRow) => !row.hidden && newAssigneeSees(row.workspace_id);
      const reassigned = rows.filter(isReassigned);
      const unassigned = rows.filter((row) => !isReassigned(row));
      await assign(tx, actor, kind, reassigned, changesOf(holder, newAssignee));
      await assign(tx, actor, kind, unassigned, changesOf(holder, undefined));
      done.reassigned[kind] += reassigned.length;
      done.unassigned[kind] += unassigned.filter(({ hidden }) => !hidden).length;
    }
  }
}

export async function unassignTasks(
  tx: Tx,
  actor: Actor,
  holder: Holder,
  tasks: readonly HoldingRow[],
): Promise<void> {
  await assign(tx, actor, "tasks", tasks, changesOf(holder, undefined));
}

/**
 * Locks a person's work: assets before tasks, each by id. Changes to an asset lock it before its
 * tasks, so there is no deadlock.
 */
export async function lockHoldings(
  tx: Tx,
  actor: Actor,
  { id, workspaceId, elsewhere }: Holder,
): Promise<Holdings> {
  const parameters = createParameters(actor.organizationId, id);
  const place = workspaceId === undefined ? undefined : parameters.add(workspaceId);
  const isHeld = (row: string) =>
    `${row}.organization_id = $1 AND ${row}.assigned_to_user_id = $2` +
    (place === undefined ? "" : ` AND ${row}.workspace_id = ${place}`) +
    (elsewhere === undefined ? "" : ` AND ${isElsewhere(row)}`);
  const { values } = parameters;
  await tx.query(
    `SELECT 1 FROM assets a WHERE a.organization_id = $1 AND a.id IN (
       SELECT held.id FROM assets held WHERE ${isHeld("held")}
       UNION
       SELECT t.asset_id FROM maintenance_tasks t WHERE ${isHeld("t")} AND ${isOpen("t")})
     ORDER BY a.id FOR NO KEY UPDATE`,
    values,
  );
  const assets = await tx.query<HoldingRow>(
    `SELECT a.id, a.id AS asset_id, a.workspace_id, a.state = 'deleted' AS hidden
     FROM assets a WHERE ${isHeld("a")} ORDER BY a.id FOR NO KEY UPDATE`,
    values,
  );
  const tasks = await tx.query<HoldingRow>(
    `SELECT t.id, t.asset_id, t.workspace_id, t.hidden
     FROM maintenance_tasks t WHERE ${isHeld("t")} AND ${isOpen("t")}
     ORDER BY t.id FOR NO KEY UPDATE`,
    values,
  );
  return { assets, tasks };
}

/** SQL condition: the row is in a workspace where the holder, $2, has no role. */
function isElsewhere(row: string): string {
  return `${row}.workspace_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM workspace_members own
    WHERE own.organization_id = $1 AND own.user_id = $2 AND own.workspace_id = ${row}.workspace_id)`;
}

/**
 * Returns a check for places that the new assignee can see. Locks their memberships until the
 * transaction ends.
 */
async function findSight(
  tx: Tx,
  actor: Actor,
  newAssignee: PersonReference | undefined,
): Promise<(workspaceId: string | null) => boolean> {
  if (newAssignee === undefined) return () => false;
  if (newAssignee.role !== "member") return () => true;
  const rows = await tx.query<{ workspace_id: string }>(
    `SELECT workspace_id FROM workspace_members WHERE organization_id = $1 AND user_id = $2
     ORDER BY workspace_id FOR KEY SHARE`,
    [actor.organizationId, newAssignee.id],
  );
  const places = new Set(rows.map((row) => row.workspace_id));
  return (workspaceId) => workspaceId === null || places.has(workspaceId);
}

interface NewAssignee {
  to: string | null;
  changes: Change[];
}

function changesOf(from: Holder, to: PersonReference | undefined): NewAssignee {
  return {
    to: to?.id ?? null,
    changes: [
      { field: "assigned_to_user_id", from: from.id, ...(to !== undefined && { to: to.id }) },
      { field: "assigned_to", from: from.name, ...(to !== undefined && { to: to.name }) },
    ],
  };
}

/** Batch size, to limit the duration of each statement. */
const mostTogether = 2000;

async function assign(
  tx: Tx,
  actor: Actor,
  kind: keyof Holdings,
  all: readonly HoldingRow[],
  to: NewAssignee,
): Promise<void> {
  for (let first = 0; first < all.length; first += mostTogether) {
    await assignTogether(tx, actor, kind, all.slice(first, first + mostTogether), to);
  }
}

async function assignTogether(
  tx: Tx,
  actor: Actor,
  kind: keyof Holdings,
  rows: readonly HoldingRow[],
  { to, changes }: NewAssignee,
): Promise<void> {
  const updated = await tx.query<{ id: string; at: Date }>(
    `UPDATE ${kind === "assets" ? "assets" : "maintenance_tasks"}
     SET assigned_to_user_id = $3, version = version + 1, updated_at = app_now()
     WHERE organization_id = $1 AND id = ANY ($2::text[]) RETURNING id, updated_at AS at`,
    [actor.organizationId, rows.map(({ id }) => id), to],
  );
  const moments = new Map(updated.map(({ id, at }) => [id, at]));
  await recordEvents(
    tx,
    actor,
    rows.map((row) => {
      const at = moments.get(row.id);
      if (at === undefined) throw new Error(`The locked row ${row.id} is gone.`);
      return {
        type: kind === "assets" ? "asset_assigned" : "task_updated",
        assetId: row.asset_id,
        workspaceId: row.workspace_id,
        occurredAt: at,
        recordedAt: at,
        changes,
        ...(kind === "tasks" && { taskId: row.id }),
      };
    }),
    { always: true },
  );
}
