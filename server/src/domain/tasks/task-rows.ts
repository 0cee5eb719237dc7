import type { TaskPriority, TaskState, TaskType } from "../../db/entities/tasks.js";
import { toTimestamp } from "../shared/dates.js";
import { describeRecurrence } from "./task-answers.js";
import { shownState } from "./task-states.js";
import { toTaskNumber } from "../shared/task-references.js";
import { totalCost } from "./task-costs.js";
import {
  describeDueUsage,
  meterJoin,
  planJoin,
  usageColumns,
  type TaskUsage,
} from "./task-usage.js";
import type { TaskRecord } from "./task-record.js";

export interface TaskRow {
  id: string;
  /** "T-118" */
  task_number: string;
  title: string;
  state: TaskState | "overdue";
  /** The stored state of an overdue task. */
  progress: TaskState | null;
  priority: TaskPriority;
  type: TaskType;
  due_date: string | null;
  days_overdue: number | null;
  asset_id: string | null;
  asset_name: string | null;
  inventory_number: string | null;
  workspace_id: string | null;
  workspace_name: string | null;
  assigned_to_user_id: string | null;
  assigned_to: string | null;
  estimated_minutes: number | null;
  /** "every 3 months", "every month on the first Monday" */
  repeats: string | null;
  /** "130,000 km, now 120,500 km" */
  due_usage: string | null;
  /** Set for completed tasks only, and the cost only if there is one. */
  completed_at: string | null;
  total_cost: number | null;
  currency: string | null;
}

type Shown =
  | Exclude<keyof TaskRow, "progress" | "days_overdue" | "repeats">
  | keyof TaskUsage
  | "hidden"
  | "every"
  | "unit"
  | "on_weekday"
  | "plan_active";

export type StoredTaskRow = Pick<TaskRecord, Shown>;

export const taskRowColumns = `t.id, t.task_number::int AS task_number, t.title, t.state, t.hidden,
  t.priority, t.type, t.due_date, t.asset_id, a.name AS asset_name, a.inventory_number,
  t.workspace_id, w.name::text AS workspace_name, t.assigned_to_user_id, u.name AS assigned_to, t.estimated_minutes,
  t.completed_at, (${totalCost("t")})::float8 AS total_cost, t.currency::text AS currency,
  p.every, p.unit, p.on_weekday, p.active AS plan_active, ${usageColumns}`;

/** JOINs for the tasks `t`, in a statement whose $1 is the organization. */
export const taskRowJoins = `
  LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
  LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = t.workspace_id
  LEFT JOIN users u ON u.id = t.assigned_to_user_id
  ${planJoin}
  ${meterJoin}`;

export function toTaskRow(task: StoredTaskRow, today: string): TaskRow {
  const { state, progress = null, days_overdue = null } = shownState(task, today);
  return {
    id: task.id,
    task_number: toTaskNumber(task.task_number),
    title: task.title,
    state,
    progress,
    priority: task.priority,
    type: task.type,
    due_date: task.due_date,
    days_overdue,
    asset_id: task.asset_id,
    asset_name: task.asset_name,
    inventory_number: task.inventory_number,
    workspace_id: task.workspace_id,
    workspace_name: task.workspace_name,
    assigned_to_user_id: task.assigned_to_user_id,
    assigned_to: task.assigned_to,
    estimated_minutes: task.estimated_minutes,
    repeats: describeRecurrence(task),
    due_usage: describeDueUsage(task),
    ...describeCompletion(task),
  };
}

function describeCompletion({ completed_at: at, total_cost: cost, currency }: StoredTaskRow) {
  const known = at === null ? null : cost;
  return {
    completed_at: at && toTimestamp(at),
    total_cost: known,
    currency: known === null ? null : currency,
  };
}
