import type { EntityManager } from "typeorm";
import { createParameters } from "../sql/parameters.js";
import { isOverdue } from "../tasks/task-states.js";
import { customPlan } from "../sql/custom-plan.js";
import { addFrom, addToday, isCounted, type StatsRequest } from "./stats-request.js";

interface StateRow {
  state: string;
  criticality: string;
  assets: number;
  unassigned: number;
  not_placed: number;
  warranty_30: number;
  warranty_90: number;
  created: number;
}

/** How many assets there are in each state, of each criticality, and so on, from one scan. */
export async function countAssets(db: EntityManager, request: StatsRequest) {
  const parameters = createParameters(request.caller.organizationId);
  const today = addToday(request, parameters);
  const from = addFrom(request, parameters);
  const rows: StateRow[] = await db.query(
    `${customPlan}SELECT a.state, a.criticality, count(*)::int AS assets,
       count(*) FILTER (WHERE a.assigned_to_user_id IS NULL)::int AS unassigned,
       count(*) FILTER (WHERE a.workspace_id IS NULL)::int AS not_placed,
       count(*) FILTER (WHERE a.warranty_expires_on BETWEEN ${today} AND ${today} + 29)::int
         AS warranty_30,
       count(*) FILTER (WHERE a.warranty_expires_on BETWEEN ${today} AND ${today} + 89)::int
         AS warranty_90,
       count(*) FILTER (WHERE a.created_at >= ${from})::int AS created
     FROM assets a WHERE a.organization_id = $1 AND ${isCounted(request, parameters, "a")}
     GROUP BY a.state, a.criticality`,
    parameters.values,
  );
  const live = rows.filter(({ state }) => state !== "deleted");
  const sum = (of: readonly StateRow[], field: Exclude<keyof StateRow, "state" | "criticality">) =>
    of.reduce((total, row) => total + row[field], 0);
  const inState = (state: string) =>
    sum(
      live.filter((row) => row.state === state),
      "assets",
    );
  const ofCriticality = (criticality: string) =>
    sum(
      live.filter((row) => row.criticality === criticality),
      "assets",
    );
  return {
    total: sum(live, "assets"),
    deleted: sum(rows, "assets") - sum(live, "assets"),
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
    unassigned: sum(live, "unassigned"),
    not_placed: sum(live, "not_placed"),
    ending_in_30_days: sum(live, "warranty_30"),
    ending_in_90_days: sum(live, "warranty_90"),
    created: sum(live, "created"),
  };
}

/** The ten categories with most assets. */
export async function countByCategory(
  db: EntityManager,
  request: StatsRequest,
): Promise<{ category: string; assets: number }[]> {
  const parameters = createParameters(request.caller.organizationId);
  return db.query(
    `${customPlan}SELECT c.name::text AS category, counted.assets
     FROM (SELECT a.category_id, count(*)::int AS assets FROM assets a
           WHERE a.organization_id = $1 AND a.state <> 'deleted' AND a.category_id IS NOT NULL
             AND ${isCounted(request, parameters, "a")}
           GROUP BY a.category_id) counted
     JOIN asset_categories c ON c.organization_id = $1 AND c.id = counted.category_id
     ORDER BY counted.assets DESC, c.name LIMIT 10`,
    parameters.values,
  );
}

/** The ten workspaces with most assets; one that holds only work counts by what is overdue. */
export async function countByWorkspace(
  db: EntityManager,
  request: StatsRequest,
): Promise<
  { workspace_id: string; workspace_name: string; assets: number; overdue_tasks: number }[]
> {
  const parameters = createParameters(request.caller.organizationId);
  const overdue = isOverdue("t", addToday(request, parameters));
  return db.query(
    `${customPlan}SELECT w.id AS workspace_id, w.name::text AS workspace_name,
       coalesce(placed.assets, 0) AS assets, coalesce(late.tasks, 0) AS overdue_tasks
     FROM (SELECT a.workspace_id, count(*)::int AS assets FROM assets a
           WHERE a.organization_id = $1 AND a.state <> 'deleted'
             AND ${isCounted(request, parameters, "a")}
           GROUP BY a.workspace_id) placed
     FULL JOIN (SELECT t.workspace_id, count(*)::int AS tasks FROM maintenance_tasks t
           WHERE t.organization_id = $1 AND ${overdue} AND ${isCounted(request, parameters, "t")}
           GROUP BY t.workspace_id) late ON late.workspace_id = placed.workspace_id
     JOIN workspaces w ON w.organization_id = $1
       AND w.id = coalesce(placed.workspace_id, late.workspace_id)
     ORDER BY assets DESC, overdue_tasks DESC, w.name LIMIT 10`,
    parameters.values,
  );
}

/** What the assets cost, by currency. */
export async function sumPurchases(
  db: EntityManager,
  request: StatsRequest,
): Promise<Record<string, number>> {
  const parameters = createParameters(request.caller.organizationId);
  const rows: { currency: string; value: number }[] = await db.query(
    `${customPlan}SELECT a.currency::text AS currency, sum(a.purchase_cost)::float8 AS value FROM assets a
     WHERE a.organization_id = $1 AND a.state <> 'deleted' AND a.purchase_cost IS NOT NULL
       AND ${isCounted(request, parameters, "a")}
     GROUP BY a.currency ORDER BY a.currency`,
    parameters.values,
  );
  return Object.fromEntries(rows.map(({ currency, value }) => [currency, value]));
}
