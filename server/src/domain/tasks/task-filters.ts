import type { Tx } from "../../db/database.js";
import type { TaskPriority, TaskState, TaskType } from "../../db/entities/tasks.js";
import { getAssetId } from "../shared/asset-references.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import {
  isOneOf,
  matches,
  toAssigneeFilter,
  toWorkspaceFilter,
} from "../shared/filter-references.js";
import type { Parameters } from "../../db/parameters.js";
import { matchesWords } from "../shared/word-match.js";
import { checkDayRange, inTimeRange } from "../shared/time-ranges.js";
import { parseTaskNumber } from "../shared/task-references.js";
import { isFinished, isOpen, isOverdue, isUnfinished } from "./task-states.js";
import { dueFirst } from "./urgency.js";
import { visibleTaskSql } from "../access/visibility.js";

export type TaskListState = TaskState | "overdue" | "open" | "all";

export interface TaskFilters {
  /** One state, or several to match any. */
  state: TaskListState | readonly TaskListState[];
  /** Id or inventory number. Tasks of a retired asset are listed only if the asset is named. */
  asset_id?: string | undefined;
  /** Id or exact name, or "none" for work on assets without a workspace. */
  workspace_id?: string | undefined;
  /** User id, email or "me", or "none" for unassigned. */
  assigned_to_user_id?: string | undefined;
  type?: TaskType | readonly TaskType[] | undefined;
  priority?: TaskPriority | readonly TaskPriority[] | undefined;
  due_from?: string | undefined;
  due_to?: string | undefined;
  /** Days in the organization's time zone, inclusive. */
  completed_from?: string | undefined;
  completed_to?: string | undefined;
  query?: string | undefined;
  /** Planned work that the share done on time counts: done, cancelled too late, or overdue. */
  is_rated?: true | undefined;
}

/** Filters with ids instead of names, and the day for overdue. */
export interface ResolvedFilters extends TaskFilters {
  today: string;
}

/** Resolves names and numbers to ids. Throws not_found for anything invisible to the caller. */
export async function resolveFilters(
  db: Tx,
  caller: Caller,
  filters: TaskFilters,
): Promise<ResolvedFilters> {
  checkDayRange(["due_from", filters.due_from], ["due_to", filters.due_to]);
  const { completed_from: from, completed_to: to } = filters;
  checkDayRange(["completed_from", from], ["completed_to", to]);
  const { asset_id: asset, workspace_id: workspace, assigned_to_user_id: person } = filters;
  const resolved = { ...filters, today: todayOf(caller) };
  if (asset !== undefined) resolved.asset_id = await getAssetId(db, caller, asset);
  if (workspace !== undefined) {
    resolved.workspace_id = await toWorkspaceFilter(db, caller, workspace);
  }
  if (person !== undefined) {
    resolved.assigned_to_user_id = await toAssigneeFilter(
      db,
      caller,
      person,
      (parameters) =>
        `FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.assigned_to_user_id = $2
           AND ${visibleTaskSql(caller, parameters, "t")}`,
    );
  }
  return resolved;
}

/**
 * SQL conditions of the given filters, always in one order. Excludes visibility, see
 * `visiblePlaces`.
 */
export function toConditions(
  caller: Caller,
  filters: ResolvedFilters,
  parameters: Parameters,
): string[] {
  const { add } = parameters;
  const conditions = firstConditions(filters, parameters);
  const given = <Value>(value: Value | undefined, toCondition: (value: Value) => string) => {
    if (value !== undefined) conditions.push(toCondition(value));
  };
  given(filters.asset_id, (id) => `t.asset_id = ${add(id)}`);
  given(filters.workspace_id, (id) => matches("t.workspace_id", id, parameters));
  given(filters.assigned_to_user_id, (id) => matches("t.assigned_to_user_id", id, parameters));
  given(filters.type, (type) => isOneOf("t.type", type, parameters));
  given(filters.priority, (priority) => isOneOf("t.priority", priority, parameters));
  if (isAboutCompletion(filters)) {
    const completed = { from: filters.completed_from, to: filters.completed_to };
    conditions.push(isFinished, "t.state = 'completed'");
    conditions.push(...inTimeRange("t.completed_at", caller, completed, parameters));
  }
  // Must match maintenance_tasks_urgency_idx.
  given(
    filters.due_from,
    (day) => `${dueFirst.expression} >= ${add(day)}::date AND t.due_date IS NOT NULL`,
  );
  given(filters.due_to, (day) => `${dueFirst.expression} <= ${add(day)}::date`);
  given(filters.is_rated, () => {
    return `(t.in_time IS NOT NULL OR ${isUnfinished} AND t.due_date < ${add(filters.today)}::date)`;
  });
  given(filters.query, (query) => {
    const words = matchesWords(["t.title"], "t.search", query, parameters);
    return `(${words} OR t.task_number = ${add(parseTaskNumber(query))}::bigint)`;
  });
  return conditions;
}

export function isAboutCompletion({
  completed_from: from,
  completed_to: to,
}: TaskFilters): boolean {
  return (from ?? to) !== undefined;
}

export function areCompleted(filters: TaskFilters): boolean {
  return isAboutCompletion(filters) || [filters.state].flat().join() === "completed";
}

export function isAskedFor({ state }: TaskFilters): { open: boolean; finished: boolean } {
  const states = [state].flat();
  const isEither = states.length === 0 || states.includes("all");
  return {
    open: isEither || !states.every(isEnd),
    finished: isEither || states.some(isEnd),
  };
}

/** Conditions on the leading columns of all indexes, for every caller and filter. */
export function firstConditions(filters: ResolvedFilters, parameters: Parameters): string[] {
  const isShown = filters.asset_id === undefined ? ["NOT t.hidden"] : [];
  return ["t.organization_id = $1", ...isShown, ...stateConditions(filters, parameters)];
}

/**
 * Like `isOverdue`, but in terms of maintenance_tasks_urgency_idx only. In word searches, the
 * condition is repeated. PostgreSQL then checks the few overdue tasks, not the many that match the
 * words.
 */
export function isOverdueByUrgency({ query }: ResolvedFilters, today: string): string {
  const byUrgency = `NOT t.hidden AND ${isUnfinished} AND ${dueFirst.expression} < ${today}::date`;
  return query === undefined ? `(${byUrgency})` : `(${byUrgency} AND ${isOverdue("t", today)})`;
}

/** States are literals, because partial indexes apply only then. */
function stateConditions(filters: ResolvedFilters, parameters: Parameters): string[] {
  const states = [filters.state].flat();
  const [only = "all"] = states;
  if (states.length <= 1) return conditionsOfState(only, filters, parameters);
  if (states.includes("all")) return [];
  const each = states.map((state) => conditionsOfState(state, filters, parameters));
  // The common leading conditions. The indexes begin with them, too.
  const ends = [states.some(isEnd) || isUnfinished, states.every(isEnd) && isFinished];
  return [
    ...ends.filter((end) => typeof end === "string"),
    `(${each.map((conditions) => `(${conditions.join(" AND ")})`).join(" OR ")})`,
  ];
}

function isEnd(state: TaskListState): boolean {
  return state === "completed" || state === "cancelled";
}

function conditionsOfState(
  state: TaskListState,
  filters: ResolvedFilters,
  { add }: Parameters,
): string[] {
  const { today } = filters;
  const stillOpen = [isOpen("t"), isUnfinished];
  switch (state) {
    case "all":
      return [];
    case "open":
      return stillOpen;
    case "overdue":
      return [isOverdueByUrgency(filters, add(today))];
    case "scheduled":
      return [isUnfinished, "t.state = 'scheduled'", `${isOverdue("t", add(today))} IS NOT TRUE`];
    case "in_progress":
    case "on_hold":
      return [isUnfinished, `t.state = '${state}'`];
    case "completed":
    case "cancelled":
      return [isFinished, `t.state = '${state}'`];
  }
}
