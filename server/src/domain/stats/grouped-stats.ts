import type { EntityManager } from "typeorm";
import { isRepair, toPercent } from "../assets/reliability.js";
import { createParameters, type Parameters } from "../sql/parameters.js";
import { customPlan } from "../sql/custom-plan.js";
import { totalCost } from "../tasks/task-costs.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import { findGroupNames } from "./group-names.js";
import { isCounted, type Grouping, type StatsRequest } from "./stats-request.js";

/** Calendar days in the organization's time zone, both included. */
export interface Days {
  from: string;
  to: string;
}

/** What was done in a period, in a group or in all. */
interface Work {
  completed_tasks: number;
  cost: Record<string, number>;
  hours: number;
  failures: number;
}

export interface Group extends Work {
  /** Null is what has none: not placed, without a category, or nobody's. */
  id: string | null;
  name: string | null;
  /** Of the planned work that was due in the period. */
  on_time_percent: number | null;
  planned_due: number;
  /** The same over the equal span before; null by month, where the row above tells it. */
  previous: Work | null;
  /** Now. */
  open_tasks: number | null;
  overdue_tasks: number | null;
  estimated_hours: number | null;
  assets: number | null;
  purchase_value: Record<string, number> | null;
}

export interface GroupedStats {
  groups: Group[];
  groups_not_shown: number;
}

const maxGroups = 100;

/** How a row of a table belongs to a group, by the alias of its table; undefined where it belongs to none. */
interface Keys {
  /** Of `t`, a task, whose asset is `a`; `at` is an instant that decides the month. */
  ofTask: (at: string) => string;
  /** Of `a`, an asset. */
  ofAsset?: string;
  /** Whether there is anything to tell of now. */
  isNow: boolean;
}

function keysOf(grouping: Grouping, timeZone: string, { add }: Parameters): Keys {
  if (grouping === "workspace") {
    return { ofTask: () => "t.workspace_id", ofAsset: "a.workspace_id", isNow: true };
  }
  if (grouping === "category") {
    return { ofTask: () => "a.category_id", ofAsset: "a.category_id", isNow: true };
  }
  if (grouping === "assignee") {
    return {
      ofTask: () => "t.assigned_to_user_id",
      ofAsset: "a.assigned_to_user_id",
      isNow: true,
    };
  }
  if (grouping === "task_type") return { ofTask: () => "t.type", isNow: true };
  const zone = add(timeZone);
  return { ofTask: (at) => `to_char(${at} AT TIME ZONE ${zone}, 'YYYY-MM')`, isNow: false };
}

const ofAsset = "LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id";

/** Figures of each group over a period, beside those of the equal span before. */
export async function groupStats(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
  days: Days,
): Promise<GroupedStats> {
  const [work, failures, planned, open, assets] = await Promise.all([
    sumWork(db, request, grouping, days),
    countEntries(db, request, grouping, days),
    countPlanned(db, request, grouping, days),
    countOpen(db, request, grouping),
    countAssets(db, request, grouping),
  ]);
  const groups = new Map<string | null, Group>();
  const groupOf = (key: string | null) => {
    const group = groups.get(key) ?? emptyGroup(key, grouping);
    groups.set(key, group);
    return group;
  };
  for (const row of work) addWork(groupOf(row.key), row);
  for (const row of failures) addWork(groupOf(row.key), { ...noWork, ...row });
  for (const { key, due, in_time: inTime } of planned) {
    Object.assign(groupOf(key), { planned_due: due, on_time_percent: toPercent(inTime, due) });
  }
  for (const { key, ...now } of open) Object.assign(groupOf(key), now);
  for (const { key, currency, count, value } of assets) {
    const group = groupOf(key);
    group.assets = (group.assets ?? 0) + count;
    if (value !== null) group.purchase_value = { ...group.purchase_value, [currency]: value };
  }
  return show(db, request, grouping, [...groups.values()]);
}

const noWork = { currency: "", completed: 0, minutes: 0, cost: 0 };

function addWork(group: Group, row: WorkRow): void {
  const target = row.is_current ? group : group.previous;
  if (target === null) return;
  target.completed_tasks += row.completed;
  target.failures += row.failures;
  target.hours += row.minutes / 60;
  if (row.cost > 0) target.cost[row.currency] = row.cost;
}

/** The largest groups, or the months in order, by their names. */
async function show(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
  groups: Group[],
): Promise<GroupedStats> {
  const weight = ({ id, completed_tasks: done, open_tasks: open, assets }: Group) =>
    grouping === "month"
      ? -Number(id?.replace("-", ""))
      : (done + (open ?? 0)) * 1e9 + (assets ?? 0);
  const largestFirst = (left: Group, right: Group) => weight(right) - weight(left);
  const shown = groups.toSorted(largestFirst).slice(0, maxGroups);
  const ids = shown.flatMap(({ id }) => id ?? []);
  const nameOf = await findGroupNames(db, request.caller, grouping, ids);
  return {
    groups: shown
      .map((group) => ({ ...group, name: nameOf(group.id), hours: round(group.hours) }))
      .toSorted(
        (left, right) =>
          largestFirst(left, right) || (left.name ?? "").localeCompare(right.name ?? ""),
      ),
    groups_not_shown: groups.length - shown.length,
  };
}

function emptyGroup(id: string | null, grouping: Grouping): Group {
  const work = (): Work => ({ completed_tasks: 0, cost: {}, hours: 0, failures: 0 });
  return {
    ...{ id, name: null, ...work(), planned_due: 0, on_time_percent: null },
    previous: grouping === "month" ? null : work(),
    ...{ open_tasks: null, overdue_tasks: null, estimated_hours: null },
    ...{ assets: null, purchase_value: null },
  };
}

function round(hours: number): number {
  return Math.round(hours * 10) / 10;
}

/** The bounds of the period, and where the equal span before it begins, as instants. */
function boundsOf({ caller }: StatsRequest, { from, to }: Days, { add }: Parameters) {
  const [first, last, zone] = [`${add(from)}::date`, `${add(to)}::date`, add(caller.timeZone)];
  const at = (day: string) => `(${day})::timestamp AT TIME ZONE ${zone}`;
  return {
    before: at(`${first} - (${last} + 1 - ${first})`),
    from: at(first),
    until: at(`${last} + 1`),
  };
}

interface WorkRow {
  key: string | null;
  is_current: boolean;
  currency: string;
  completed: number;
  failures: number;
  minutes: number;
  cost: number;
}

function sumWork(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
  days: Days,
): Promise<WorkRow[]> {
  const parameters = createParameters(request.caller.organizationId);
  const { before, from, until } = boundsOf(request, days, parameters);
  const begin = grouping === "month" ? from : before;
  const { ofTask } = keysOf(grouping, request.caller.timeZone, parameters);
  return db.query(
    `${customPlan}SELECT ${ofTask("t.completed_at")} AS key, t.completed_at >= ${from} AS is_current,
       coalesce(t.currency::text, '') AS currency, count(*)::int AS completed,
       (count(*) FILTER (WHERE ${isRepair("t", begin)} AND t.asset_id IS NOT NULL))::int AS failures,
       coalesce(sum(t.actual_minutes), 0)::float8 AS minutes,
       coalesce(sum(${totalCost("t")}), 0)::float8 AS cost
     FROM maintenance_tasks t ${grouping === "category" ? ofAsset : ""}
     WHERE t.organization_id = $1 AND t.state = 'completed' AND NOT t.hidden
       AND t.completed_at >= ${begin} AND t.completed_at < ${until}
       AND ${isCounted(request, parameters, "t")}
     GROUP BY 1, 2, 3`,
    parameters.values,
  );
}

/** Entries into out_of_service that no work covers; they are nobody's and of no type. */
async function countEntries(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
  days: Days,
): Promise<{ key: string | null; is_current: boolean; failures: number }[]> {
  if (grouping === "assignee" || grouping === "task_type") return [];
  const parameters = createParameters(request.caller.organizationId);
  const { before, from, until } = boundsOf(request, days, parameters);
  const { ofTask } = keysOf(grouping, request.caller.timeZone, parameters);
  const key = grouping === "workspace" ? "t.workspace_id" : ofTask("t.started_at");
  return db.query(
    `${customPlan}SELECT ${key} AS key, t.started_at >= ${from} AS is_current, count(*)::int AS failures
     FROM asset_state_periods t ${grouping === "category" ? ofAsset : ""}
     WHERE t.organization_id = $1 AND t.is_failure AND NOT t.hidden
       AND t.started_at >= ${grouping === "month" ? from : before} AND t.started_at < ${until}
       AND ${isCounted(request, parameters, "t")}
     GROUP BY 1, 2`,
    parameters.values,
  );
}

/** What is due today and open is not judged yet, and what was cancelled before its due day was never due. */
function countPlanned(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
  { from, to }: Days,
): Promise<{ key: string | null; due: number; in_time: number }[]> {
  const parameters = createParameters(request.caller.organizationId, from, to);
  const { ofTask } = keysOf(grouping, "UTC", parameters);
  const isLate = isOverdue("t", parameters.add(request.today));
  return db.query(
    `${customPlan}SELECT ${ofTask("(t.due_date::timestamp AT TIME ZONE 'UTC')")} AS key,
       count(*)::int AS due, (count(*) FILTER (WHERE t.in_time))::int AS in_time
     FROM maintenance_tasks t ${grouping === "category" ? ofAsset : ""}
     WHERE t.organization_id = $1 AND NOT t.hidden AND t.due_date BETWEEN $2::date AND $3::date
       AND t.type IN ('preventive', 'inspection', 'calibration', 'compliance_test')
       AND (t.in_time IS NOT NULL OR ${isLate})
       AND ${isCounted(request, parameters, "t")}
     GROUP BY 1`,
    parameters.values,
  );
}

/** The work that waits now. */
async function countOpen(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
): Promise<
  { key: string | null; open_tasks: number; overdue_tasks: number; estimated_hours: number }[]
> {
  const parameters = createParameters(request.caller.organizationId);
  const { ofTask, isNow } = keysOf(grouping, request.caller.timeZone, parameters);
  if (!isNow) return [];
  const today = parameters.add(request.today);
  return db.query(
    `${customPlan}SELECT ${ofTask("")} AS key, count(*)::int AS open_tasks,
       (count(*) FILTER (WHERE ${isOverdue("t", today)}))::int AS overdue_tasks,
       round(coalesce(sum(t.estimated_minutes), 0) / 60.0, 1)::float8 AS estimated_hours
     FROM maintenance_tasks t ${grouping === "category" ? ofAsset : ""}
     WHERE t.organization_id = $1 AND NOT t.hidden AND ${isOpen("t")}
       AND ${isCounted(request, parameters, "t")}
     GROUP BY 1`,
    parameters.values,
  );
}

async function countAssets(
  db: EntityManager,
  request: StatsRequest,
  grouping: Grouping,
): Promise<{ key: string | null; currency: string; count: number; value: number | null }[]> {
  const parameters = createParameters(request.caller.organizationId);
  const { ofAsset: key } = keysOf(grouping, request.caller.timeZone, parameters);
  if (key === undefined) return [];
  return db.query(
    `${customPlan}SELECT ${key} AS key, coalesce(a.currency::text, '') AS currency,
       count(*)::int AS count, sum(a.purchase_cost)::float8 AS value
     FROM assets a WHERE a.organization_id = $1 AND a.state <> 'deleted'
       AND ${isCounted(request, parameters, "a")}
     GROUP BY 1, 2`,
    parameters.values,
  );
}
