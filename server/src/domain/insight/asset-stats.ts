import type { Tx } from "../../db/database.js";
import { createParameters } from "../../db/parameters.js";
import { omit } from "../shared/omit.js";
import { isCountedFigure, type Figures } from "./figures.js";
import { addToday, type StatsRequest } from "./stats-request.js";

export function describeAssets(figures: Figures) {
  // A key is like "in_use high".
  const count = (isMeant: (state: string, criticality: string) => boolean) =>
    figures.count("asset", undefined, (key) => {
      const [state = "", criticality = ""] = key.split(" ");
      return isMeant(state, criticality);
    });
  const inState = (name: string) => count((state) => state === name);
  const ofCriticality = (name: string) =>
    count((state, criticality) => state !== "deleted" && criticality === name);
  return {
    total: count((state) => state !== "deleted"),
    deleted: inState("deleted"),
    by_state: {
      available: inState("available"),
      in_use: inState("in_use"),
      in_maintenance: inState("in_maintenance"),
      out_of_service: inState("out_of_service"),
      stored: inState("stored"),
    },
    by_criticality: {
      critical: ofCriticality("critical"),
      high: ofCriticality("high"),
      medium: ofCriticality("medium"),
      low: ofCriticality("low"),
    },
    unassigned: figures.count("asset_of_person"),
    not_placed: figures.count("not_placed"),
    ending_in_30_days: figures.count("warranty", ["today", "week", "month"]),
    ending_in_90_days: figures.count("warranty", ["today", "week", "month", "quarter"]),
    created: figures.count("created_asset", ["period"]),
    purchase_value: Object.fromEntries(
      figures.each("purchase").map(({ key, amount }) => [key, amount]),
    ),
  };
}

/** Longer lists are hard to read. The response counts the omitted groups. */
const maxGroups = 100;

export interface Groups<Group> {
  groups: Group[];
  not_shown: number;
}

function toGroups<Group extends { groups: number }>(rows: Group[]): Groups<Omit<Group, "groups">> {
  return {
    groups: rows.map((row) => omit(row, "groups")),
    not_shown: (rows[0]?.groups ?? 0) - rows.length,
  };
}

export async function countByCategory(
  db: Tx,
  request: StatsRequest,
): Promise<Groups<{ category: string; assets: number }>> {
  const parameters = createParameters(request.caller.organizationId);
  const rows = await db.query<{ category: string; assets: number; groups: number }>(
    `SELECT c.name::text AS category, counted.assets, (count(*) OVER ())::int AS groups
     FROM (SELECT f.key, sum(f.n)::int AS assets FROM figures f
           WHERE f.organization_id = $1 AND f.kind = 'asset_of_category'
             AND ${isCountedFigure(request, parameters)}
           GROUP BY f.key HAVING sum(f.n) > 0) counted
     JOIN asset_categories c ON c.organization_id = $1 AND c.id = counted.key
     ORDER BY counted.assets DESC, c.name LIMIT ${maxGroups}`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
  return toGroups(rows);
}

export interface WorkspaceCounts {
  /** Null for assets without a workspace. */
  workspace_id: string | null;
  workspace_name: string | null;
  assets: number;
  overdue_tasks: number;
}

/**
 * Workspaces, and one row for assets without a workspace. Most assets first, then most overdue
 * tasks.
 */
export async function countByWorkspace(
  db: Tx,
  request: StatsRequest,
): Promise<Groups<WorkspaceCounts>> {
  const parameters = createParameters(request.caller.organizationId);
  const overdue = `f.kind = 'task' AND f.day BETWEEN '0001-01-01' AND ${addToday(request, parameters)} - 1`;
  const rows = await db.query<WorkspaceCounts & { groups: number }>(
    `SELECT w.id AS workspace_id, w.name::text AS workspace_name, counted.assets,
       counted.overdue_tasks, (count(*) OVER ())::int AS groups
     FROM (SELECT f.workspace_id,
             coalesce(sum(f.n) FILTER (WHERE f.kind = 'asset'), 0)::int AS assets,
             coalesce(sum(f.n) FILTER (WHERE f.kind = 'task'), 0)::int AS overdue_tasks
           FROM figures f WHERE f.organization_id = $1
             AND (f.kind = 'asset' AND f.key NOT LIKE 'deleted %' OR ${overdue})
             AND ${isCountedFigure(request, parameters, { each: true })} GROUP BY f.workspace_id) counted
     LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = counted.workspace_id
     WHERE counted.assets > 0 OR counted.overdue_tasks > 0
     ORDER BY counted.assets DESC, counted.overdue_tasks DESC, w.name LIMIT ${maxGroups}`,
    parameters.values,
    { replan: request.caller.organizationId },
  );
  return toGroups(rows);
}
