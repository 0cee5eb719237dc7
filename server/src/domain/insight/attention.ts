import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import type { MaintenanceTask } from "../../db/entities/tasks.js";
import type { ProblemReport } from "../../db/entities/reports.js";
import { createParameters } from "../../db/parameters.js";
import { findPlacesWithRole, workspaceRefOf, type WorkspaceRef } from "../access/roles.js";
import { lastStateNote } from "../assets/down-reason.js";
import { toTaskNumber } from "../shared/task-references.js";
import { findTop } from "./top-assets.js";
import {
  attentionBands,
  attentionReasons,
  bandOf,
  failurePeaks,
  manyFailures,
  strongestFirst,
  type AttentionBand,
  type AttentionReason,
  type AttentionScope,
} from "./reasons.js";

interface InCategory {
  category: string | null;
}

export interface AttentionEntry {
  reason: AttentionReason;
  /** Null for work on a place. */
  asset:
    (Pick<Asset, "id" | "inventory_number" | "name" | "state" | "criticality"> & InCategory) | null;
  /** Workspace of the asset or task. Null if there is none. */
  workspace: WorkspaceRef;
  /** Set for `overdue` and `unassigned`. For broken assets, the planned repair, if any. */
  task:
    | (Pick<MaintenanceTask, "id" | "task_number" | "title" | "priority" | "due_date" | "state"> & {
        assigned_to_user_id: string | null;
        assigned_to: string | null;
      })
    | null;
  /** Set for `reported_unusable`. */
  report: Pick<ProblemReport, "id" | "description" | "created_at"> | null;
  /** Why the asset was taken out of service, if someone noted it. */
  note: string | null;
  /**
   * Days past due, since the report, down, until the due date (null without one), or until the
   * warranty ends. Null for repeated failures.
   */
  days: number | null;
  /** Failures in the last 365 days, for `repeated_failures`. */
  failures: number | null;
  /** Number of the asset's further reasons. Each task is a separate reason. 0 in bands. */
  more: number;
  may_change: boolean;
}

interface Found {
  total: number;
  /** True if the real total may be higher. */
  isCapped: boolean;
}

export interface Attention extends Found {
  entries: AttentionEntry[];
  /** Everything found, also what `entries` leaves out. Bands of work count tasks, others assets. */
  bands: Record<AttentionBand, Found>;
}

interface AttentionRequest extends AttentionScope {
  limit: number;
  /** True for up to `limit` entries of each band. An asset may then appear in several bands. */
  isByBand?: boolean;
}

/**
 * Returns assets and work that need attention, most pressing first. An asset appears once, with its
 * strongest reason. Work on a place appears on its own.
 *
 * The rank is a sum of points:
 * - the reason: 200 for an asset reported as unusable or out of service; 140 for one in maintenance
 *   without planned work in progress; for both, 150 more while no repair is planned; 50, plus 1 per
 *   day late (at most 30), for overdue work; 45 (urgent), 35 (high) or 25 for unassigned work, plus
 *   up to 7 as its due date gets closer; 20, plus 2 per failure (at most 10), for repeated failures;
 *   10 to 20 for a warranty that ends soon;
 * - the asset's criticality: critical 40, high 20, medium 0, low -10.
 *
 * Broken assets therefore come before late work, and a day late on a critical asset before a month
 * late on a medium one. Equal points are ordered by `attentionReasons`, then the older or larger item.
 */
export async function findAttention(
  db: Tx,
  { limit, isByBand = false, ...scope }: AttentionRequest,
): Promise<Attention> {
  const [mayChange, repeated, others] = await Promise.all([
    findPlacesWithRole(db, scope.caller, "member"),
    findRepeated(db, scope, Math.max(limit + 1, counted)),
    findStrongest(db, scope, { limit: limit + 1, isByBand }),
  ]);
  const found = reasons.flatMap((reason) =>
    [repeated, ...others].filter((one) => one.reason === reason),
  );
  const bands = attentionBands.map((band) => {
    const inBand = found.filter(({ reason }) => bandOf[reason] === band);
    return { band, rows: sortBand(band, rowsOf(inBand)), isCapped: isAnyCut(inBand) };
  });
  const best = keepStrongest(rowsOf(found));
  const listed = isByBand
    ? bands.flatMap(({ rows }) => rows.slice(0, limit))
    : best.slice(0, limit);
  const shown = await addNames(db, scope, listed);
  const totals = isByBand ? new Map<string, number>() : await countReasons(db, scope, shown);
  return {
    entries: shown.map((row) => ({
      ...toEntry(row),
      more: (totals.get(row.asset_id ?? "") ?? 1) - 1,
      may_change: mayChange(workspaceRefOf(row)),
    })),
    total: best.length,
    isCapped: isAnyCut(found),
    bands: Object.fromEntries(
      bands.map(({ band, rows, isCapped }) => [band, { total: rows.length, isCapped }]),
    ) as Attention["bands"],
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
    InCategory,
    Pick<
      MaintenanceTask,
      "workspace_id" | "title" | "priority" | "due_date" | "assigned_to_user_id"
    >,
    Pick<ProblemReport, "description" | "created_at"> {
  workspace_name: string;
  task_number: number;
  task_state: MaintenanceTask["state"];
  assigned_to: string | null;
  note: string | null;
}

interface Strongest {
  reason: AttentionReason;
  rows: MatterRow[];
  isCut: boolean;
}

const rowsOf = (found: readonly Strongest[]) => found.flatMap(({ rows }) => rows);
const isAnyCut = (found: readonly Strongest[]) => found.some(({ isCut }) => isCut);

/** Maximum number of matters counted per reason. More would be slow in a large organization. */
const counted = 50;

const reasons = Object.keys(attentionReasons) as AttentionReason[];

/**
 * Returns the strongest matters of each other reason across enough assets and places. Falls back to
 * one matter per asset, a slower query, if few assets have very many. Bands show every task.
 */
async function findStrongest(
  db: Tx,
  scope: AttentionScope,
  { limit, isByBand }: { limit: number; isByBand: boolean },
): Promise<Strongest[]> {
  const enough = [{ most: Math.max(4 * limit, counted) }, { most: 100 * limit }];
  const tries = isByBand ? [{ most: limit }] : [...enough, { most: limit, isOneOfEach: true }];
  const last = tries.at(-1);
  const found: Strongest[] = [];
  let missing = reasons.filter((reason) => reason !== "repeated_failures");
  for (const request of tries) {
    if (missing.length === 0) break;
    const rows = await findMatters(db, scope, missing, request);
    const strongest = missing.map((reason) => {
      const ofReason = rows.filter((row) => row.reason === reason);
      return { reason, rows: ofReason, isCut: ofReason.length >= request.most };
    });
    const isEnough = ({ rows: some, isCut }: Strongest) =>
      !isCut || request === last || keepStrongest(some).length >= limit;
    found.push(...strongest.filter(isEnough));
    missing = strongest.filter((one) => !isEnough(one)).map(({ reason }) => reason);
  }
  return found;
}

/** Checks the assets with the highest failure peaks first. */
async function findRepeated(db: Tx, scope: AttentionScope, limit: number): Promise<Strongest> {
  const reason = "repeated_failures";
  const rows = await findTop({
    limit,
    findPeaks: (most) => {
      const parameters = createParameters(scope.caller.organizationId);
      const peaks = failurePeaks({ ...scope, parameters, most: parameters.add(most) });
      return db.query(peaks, parameters.values, { replan: scope.caller.organizationId });
    },
    find: (assetIds) => findMatters(db, scope, [reason], { most: limit, assetIds }),
    amountOf: ({ points, failures }) => points * manyFailures + (failures ?? 0),
  });
  return { reason, rows, isCut: rows.length >= limit };
}

interface MatterRequest {
  most: number;
  /**
   * True if only the strongest matter of each asset counts. Each task on a place counts separately.
   */
  isOneOfEach?: boolean;
  assetIds?: string[] | undefined;
}

/** Returns up to `most` matters of each reason, strongest first. */
async function findMatters(
  db: Tx,
  scope: AttentionScope,
  of: readonly AttentionReason[],
  { most, isOneOfEach = false, assetIds }: MatterRequest,
): Promise<MatterRow[]> {
  const parameters = createParameters(scope.caller.organizationId);
  const limit = parameters.add(most);
  const query = {
    ...scope,
    parameters,
    most: isOneOfEach ? "ALL" : limit,
    ...(assetIds !== undefined && { assetIds: parameters.add(assetIds) }),
  };
  const subject = "coalesce(asset_id, task_id)";
  const matters = of.map((reason) => {
    const all = attentionReasons[reason](query);
    const some = isOneOfEach
      ? `SELECT DISTINCT ON (${subject}) * FROM (${all}) one ORDER BY ${subject}, ${strongestFirst}`
      : all;
    return `(SELECT '${reason}' AS reason, matter.* FROM (${some}) matter
      ORDER BY ${strongestFirst} LIMIT ${limit})`;
  });
  return db.query<MatterRow>(
    `SELECT reason, asset_id, task_id, report_id, days, failures, points
     FROM (${matters.join(" UNION ALL ")}) matter ORDER BY ${strongestFirst}`,
    parameters.values,
    { replan: scope.caller.organizationId },
  );
}

/** Adds names. Runs only for the rows in the response. */
async function addNames(
  db: Tx,
  { caller }: AttentionScope,
  rows: readonly MatterRow[],
): Promise<NamedRow[]> {
  if (rows.length === 0) return [];
  const names = await db.query<Omit<NamedRow, keyof MatterRow>>(
    `SELECT a.inventory_number, a.name, a.state, a.criticality, c.name::text AS category,
       w.id AS workspace_id, w.name::text AS workspace_name, t.task_number::int AS task_number, t.title, t.priority,
       t.due_date, t.state AS task_state, t.assigned_to_user_id, u.name AS assigned_to, r.description, r.created_at,
       CASE WHEN a.state IN ('out_of_service', 'in_maintenance') THEN ${lastStateNote} END AS note
     FROM unnest($2::text[], $3::text[], $4::text[])
       WITH ORDINALITY m (asset_id, task_id, report_id, at)
     LEFT JOIN assets a ON a.organization_id = $1 AND a.id = m.asset_id
     LEFT JOIN asset_categories c ON c.organization_id = $1 AND c.id = a.category_id
     LEFT JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = m.task_id
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
    ],
  );
  return names.map((name, at) => ({ ...(rows[at] as MatterRow), ...name }));
}

/** Work counts by task, anything else by asset. The next day comes first, matters without one last. */
function sortBand(band: AttentionBand, rows: readonly MatterRow[]): MatterRow[] {
  if (band === "broken") return keepStrongest(rows);
  if (band === "late") return [...rows];
  const day = ({ days }: MatterRow) => days ?? Number.MAX_SAFE_INTEGER;
  const found = band === "watch" ? keepStrongest(rows) : rows;
  return found.toSorted((one, other) => day(one) - day(other));
}

/** Sorts by points. The sort is stable, so equal points keep the order of the reasons. */
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
  const { reason, note, days, failures } = row;
  return {
    reason,
    asset: assetOf(row),
    workspace: workspaceRefOf(row),
    task: taskOf(row),
    report: reportOf(row),
    note,
    days,
    failures,
  };
}

function assetOf(row: NamedRow): AttentionEntry["asset"] {
  const { asset_id: id, inventory_number, name, state, criticality, category } = row;
  return id === null ? null : { id, inventory_number, name, state, criticality, category };
}

function taskOf(row: NamedRow): AttentionEntry["task"] {
  const { task_id: id, title, priority, due_date, task_state: state } = row;
  if (id === null) return null;
  const { assigned_to_user_id, assigned_to } = row;
  const task_number = toTaskNumber(row.task_number);
  return { id, task_number, title, priority, due_date, state, assigned_to_user_id, assigned_to };
}

function reportOf({ report_id: id, description, created_at }: NamedRow): AttentionEntry["report"] {
  return id === null ? null : { id, description, created_at };
}
