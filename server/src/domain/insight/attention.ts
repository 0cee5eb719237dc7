import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { MaintenanceTask } from "../../db/entities/tasks.js";
import type { ProblemReport } from "../../db/entities/reports.js";
import { createParameters } from "../../db/parameters.js";
import { findPlacesWithRole, workspaceRefOf, type WorkspaceRef } from "../access/roles.js";
import { toTaskNumber } from "../shared/task-references.js";
import { findTop } from "./top-assets.js";
import {
  attentionReasons,
  failurePeaks,
  manyFailures,
  repairOf,
  strongestFirst,
  type AttentionReason,
  type AttentionScope,
} from "./reasons.js";

export interface AttentionEntry {
  reason: AttentionReason;
  /** Null for work on a place. */
  asset: Pick<Asset, "id" | "inventory_number" | "name" | "state" | "criticality"> | null;
  /** Of the asset or the work; null for what is not placed. */
  workspace: WorkspaceRef;
  /** For `overdue` and `unassigned`; the repair of what is broken, if one is planned. */
  task:
    | (Pick<MaintenanceTask, "id" | "task_number" | "title" | "priority" | "due_date"> & {
        assigned_to: string | null;
      })
    | null;
  /** For `reported_unusable`. */
  report: Pick<ProblemReport, "id" | "description"> | null;
  /**
   * Days past due, days since the report, days down, days until the work is due (null without a due day), days
   * until the warranty ends; null for repeated failures.
   */
  days: number | null;
  /** In the last 365 days, for `repeated_failures`. */
  failures: number | null;
  /** How many further reasons the same asset has; several tasks are several reasons. */
  more: number;
  /** Whether the caller's role there is enough to do something about it. */
  may_change: boolean;
}

export interface Attention {
  entries: AttentionEntry[];
  /** How many assets, and tasks on places, need attention altogether. */
  total: number;
  /** Whether there may be more than the total. */
  isCapped: boolean;
}

/**
 * What needs attention among what the caller sees, most pressing first. An asset is there once, with
 * its strongest reason; work on a place is there for itself.
 *
 * Rank follows from points, a sum of
 * - the reason: 200 for an asset that was reported as unusable or is out of service; 140 for one in
 *   maintenance for anything but planned work in progress; 50 and one for each day late (at most 30) for overdue work;
 *   45 (urgent), 35 (high) or 25 for unassigned work, and up to 7 the nearer its due day; 20 and two for
 *   each failure (at most ten) for repeated failures; 10 to 20 for a warranty, the sooner it ends the more;
 * - the asset's criticality: critical 40, high 20, medium 0, low -10.
 *
 * So broken assets come before late work, and a day late on a critical asset before a month late on a
 * medium one. Where points are equal, the reason decides in the order of `attentionReasons`, then the
 * older or larger matter.
 */
export async function findAttention(
  db: Tx,
  { limit, ...scope }: AttentionScope & { limit: number },
): Promise<Attention> {
  const reasons = Object.keys(attentionReasons) as AttentionReason[];
  const [mayChange, ...found] = await Promise.all([
    findPlacesWithRole(db, scope.caller, "member"),
    ...reasons.map((reason) => findStrongest(db, scope, reason, limit + 1)),
  ]);
  const best = keepStrongest(found.flatMap(({ rows }) => rows));
  const shown = await addNames(db, scope, best.slice(0, limit));
  const totals = await countReasons(db, scope, shown);
  return {
    entries: shown.map((row) => ({
      ...toEntry(row),
      more: (totals.get(row.asset_id ?? "") ?? 1) - 1,
      may_change: mayChange(workspaceRefOf(row)),
    })),
    total: best.length,
    isCapped: found.some(({ isCut }) => isCut),
  };
}

interface MatterRow extends Pick<MaintenanceTask, "asset_id"> {
  reason: AttentionReason;
  points: number;
  days: number | null;
  failures: number | null;
  task_id: string | null;
  report_id: string | null;
}

interface NamedRow
  extends
    MatterRow,
    Pick<Asset, "inventory_number" | "name" | "state" | "criticality">,
    Pick<MaintenanceTask, "workspace_id" | "title" | "priority" | "due_date"> {
  workspace_name: string;
  description: string;
  task_number: number;
  assigned_to: string | null;
}

interface Strongest {
  rows: MatterRow[];
  /** Whether there may be more. */
  isCut: boolean;
}

/** So many matters of a reason are counted; more would be slow in a large organization. */
const counted = 50;

/**
 * Of one reason, the strongest matters, of so many assets and places if there are so many. Only where
 * few assets have a great many, each is looked at for the strongest of each asset.
 */
async function findStrongest(
  db: Tx,
  scope: AttentionScope,
  reason: AttentionReason,
  limit: number,
): Promise<Strongest> {
  if (reason === "repeated_failures") {
    const most = Math.max(limit, counted);
    const rows = await findRepeated(db, scope, most);
    return { rows, isCut: rows.length >= most };
  }
  for (const most of [Math.max(4 * limit, counted), 100 * limit]) {
    const rows = await findMatters(db, scope, reason, { most });
    const isCut = rows.length >= most;
    if (!isCut || keepStrongest(rows).length >= limit) return { rows, isCut };
  }
  const rows = await findMatters(db, scope, reason, { most: limit, isOneOfEach: true });
  return { rows, isCut: true };
}

/** Looks at the assets with the highest peaks of failures first. */
function findRepeated(db: Tx, scope: AttentionScope, limit: number): Promise<MatterRow[]> {
  return findTop({
    limit,
    findPeaks: (most) => {
      const parameters = createParameters(scope.caller.organizationId);
      const peaks = failurePeaks({ ...scope, parameters, most: parameters.add(most) });
      return db.query(peaks, parameters.values, { replan: scope.caller.organizationId });
    },
    find: (assetIds) => findMatters(db, scope, "repeated_failures", { most: limit, assetIds }),
    amountOf: ({ points, failures }) => points * manyFailures + (failures ?? 0),
  });
}

interface MatterRequest {
  most: number;
  /** Whether only the strongest of each asset counts; work on a place is there for itself. */
  isOneOfEach?: boolean;
  assetIds?: string[] | undefined;
}

async function findMatters(
  db: Tx,
  scope: AttentionScope,
  reason: AttentionReason,
  { most, isOneOfEach = false, assetIds }: MatterRequest,
): Promise<MatterRow[]> {
  const parameters = createParameters(scope.caller.organizationId);
  const limit = parameters.add(most);
  const all = attentionReasons[reason]({
    ...scope,
    parameters,
    most: isOneOfEach ? "ALL" : limit,
    ...(assetIds !== undefined && { assetIds: parameters.add(assetIds) }),
  });
  const subject = "coalesce(asset_id, task_id)";
  const matters = isOneOfEach
    ? `SELECT DISTINCT ON (${subject}) * FROM (${all}) one ORDER BY ${subject}, ${strongestFirst}`
    : all;
  const rows = await db.query<Omit<MatterRow, "reason">>(
    `SELECT asset_id, task_id, report_id, days, failures, points FROM (${matters}) matter
     ORDER BY ${strongestFirst} LIMIT ${limit}`,
    parameters.values,
    { replan: scope.caller.organizationId },
  );
  return rows.map((row) => ({ ...row, reason }));
}

/** With what they are called, and the repair of what is down: only of the few that are shown. */
async function addNames(
  db: Tx,
  { caller }: AttentionScope,
  rows: readonly MatterRow[],
): Promise<NamedRow[]> {
  const isDown = ({ reason }: MatterRow) =>
    reason === "out_of_service" || reason === "in_maintenance";
  const names = await db.query<Omit<NamedRow, keyof Omit<MatterRow, "task_id">>>(
    `SELECT a.inventory_number, a.name, a.state, a.criticality, w.id AS workspace_id,
       w.name::text AS workspace_name, t.id AS task_id, t.task_number::int AS task_number, t.title,
       t.priority, t.due_date, u.name AS assigned_to, r.description
     FROM unnest($2::text[], $3::text[], $4::text[], $5::boolean[])
       WITH ORDINALITY m (asset_id, task_id, report_id, is_down, at)
     LEFT JOIN assets a ON a.organization_id = $1 AND a.id = m.asset_id
     LEFT JOIN maintenance_tasks t ON t.organization_id = $1
       AND t.id = CASE WHEN m.is_down THEN ${repairOf("m.asset_id")} ELSE m.task_id END
     LEFT JOIN workspaces w ON w.organization_id = $1
       AND w.id = CASE WHEN m.asset_id IS NULL THEN t.workspace_id ELSE a.workspace_id END
     LEFT JOIN users u ON u.id = t.assigned_to_user_id
     LEFT JOIN problem_reports r ON r.organization_id = $1 AND r.id = m.report_id
     ORDER BY m.at`,
    [
      caller.organizationId,
      rows.map(({ asset_id }) => asset_id),
      rows.map(({ task_id }) => task_id),
      rows.map(({ report_id }) => report_id),
      rows.map(isDown),
    ],
  );
  return names.map((name, at) => ({ ...(rows[at] as MatterRow), ...name }));
}

/** In order of rank; sorting keeps the order of what is equal, which is that of the reasons. */
function keepStrongest(rows: readonly MatterRow[]): MatterRow[] {
  const seen = new Set<string>();
  return rows
    .toSorted((one, other) => other.points - one.points)
    .filter(({ asset_id, task_id }) => {
      const subject = asset_id ?? task_id ?? "";
      if (seen.has(subject)) return false;
      seen.add(subject);
      return true;
    });
}

/** How many reasons these assets have altogether, by asset. */
async function countReasons(
  db: Tx,
  scope: AttentionScope,
  rows: readonly MatterRow[],
): Promise<Map<string, number>> {
  const ids = rows.flatMap(({ asset_id }) => asset_id ?? []);
  if (ids.length === 0) return new Map();
  const parameters = createParameters(scope.caller.organizationId);
  const query = { ...scope, parameters, assetIds: parameters.add(ids), most: "ALL" };
  const matters = Object.values(attentionReasons).map(
    (toQuery) => `SELECT asset_id FROM (${toQuery(query)}) matter`,
  );
  const counted = await db.query<{ asset_id: string; reasons: number }>(
    `SELECT asset_id, count(*)::int AS reasons FROM (${matters.join(" UNION ALL ")}) matters
     GROUP BY asset_id`,
    parameters.values,
    { replan: scope.caller.organizationId },
  );
  return new Map(counted.map(({ asset_id, reasons }) => [asset_id, reasons]));
}

function toEntry(row: NamedRow): Omit<AttentionEntry, "more" | "may_change"> {
  const { reason, days, failures } = row;
  return {
    reason,
    asset: assetOf(row),
    workspace: workspaceRefOf(row),
    task: taskOf(row),
    report: row.report_id === null ? null : { id: row.report_id, description: row.description },
    days,
    failures,
  };
}

function assetOf(row: NamedRow): AttentionEntry["asset"] {
  const { asset_id: id, inventory_number, name, state, criticality } = row;
  return id === null ? null : { id, inventory_number, name, state, criticality };
}

function taskOf(row: NamedRow): AttentionEntry["task"] {
  const { task_id: id, task_number, title, priority, due_date, assigned_to } = row;
  if (id === null) return null;
  return { id, task_number: toTaskNumber(task_number), title, priority, due_date, assigned_to };
}
