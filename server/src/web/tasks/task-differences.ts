import { isDeepStrictEqual } from "node:util";
import { plannedFields } from "../../db/entities/tasks.js";
import { clearableNames } from "../../db/fields.js";
import type { ClearableField, TaskUpdate } from "../../domain/tasks/task-update-rules.js";
import { withPlainBreaks } from "../forms/stale-notice.js";
import type { Recurrence } from "../../domain/tasks/task-plans.js";
import { omit } from "../../domain/shared/omit.js";
import { isOpen, type OpenedTask, type Task } from "./read-task.js";
import { toRecurrence, type ChangedTask } from "./task-form-fields.js";

/** The changes that a form about a task requests. Undefined if there are none. */
export function findDifferences(opened: OpenedTask, given: ChangedTask): TaskUpdate | undefined {
  const { task } = opened;
  const typed = {
    ...given,
    description: given.description && withPlainBreaks(given.description),
    requires_downtime: given.requires_downtime === true,
  };
  const present = { ...task, requires_downtime: task.requires_downtime === true };
  const names = Object.keys(plannedFields) as (keyof typeof plannedFields)[];
  const asked: TaskUpdate = {
    ...Object.fromEntries(names.map((name) => [name, differing(typed[name], present[name])])),
    ...(task.asset_id === null
      ? { workspace_id: differing(given.workspace_id, task.workspace_id) }
      : { asset_id: differing(given.asset_id, task.inventory_number) }),
    recurrence: toNewRecurrence(opened, given),
    procedure: differing(given.procedure, task.procedure_id),
  };
  const cleared = findCleared(opened, given);
  const isSame = cleared.length === 0 && Object.values(asked).every((value) => value === undefined);
  if (isSame) return undefined;
  return { ...asked, ...(cleared.length > 0 && { clear_fields: cleared }) };
}

function differing<Value>(value: Value | undefined, before: Value | null): Value | undefined {
  return value === before ? undefined : value;
}

function toNewRecurrence({ task, ...opened }: OpenedTask, given: ChangedTask) {
  const { every, unit, anchor, on_weekday, ends_on, every_usage, meter, due_usage } = given;
  const byUsage = { every_usage, meter, due_usage };
  const asked = toRecurrence({ every, unit, anchor, on_weekday, ends_on, ...byUsage });
  if (asked === undefined || !isOpen(opened) || given.stop_repeating === true) return undefined;
  const { recurrence: present } = task;
  if (isDeepStrictEqual(present && omit(present, "meter_unit"), withNulls(asked, present))) {
    return undefined;
  }
  // An unchanged due usage is omitted, so the meter's count still determines it.
  const isCounted = due_usage === present?.due_usage && every_usage === present?.every_usage;
  return isCounted ? omit(asked, "due_usage") : asked;
}

/** The rule in the form that tasks have. The only meter need not be chosen. */
function withNulls(asked: Recurrence, present: Task["recurrence"]) {
  const usage = asked.every_usage ?? null;
  return {
    every: asked.every ?? null,
    unit: asked.unit ?? null,
    anchor: asked.anchor ?? "due_date",
    on_weekday: asked.on_weekday ?? null,
    ends_on: asked.ends_on ?? null,
    every_usage: usage,
    meter: usage === null ? null : (asked.meter ?? present?.meter),
    due_usage: asked.due_usage ?? null,
  };
}

function findCleared({ task, ...opened }: OpenedTask, given: ChangedTask): ClearableField[] {
  const emptied: ClearableField[] = clearableNames(plannedFields).filter(
    (field) => given[field] === undefined && task[field] !== null,
  );
  const stops = given.stop_repeating === true && task.recurrence !== undefined;
  if (stops) emptied.push("recurrence");
  // The form of finished work doesn't have this field.
  const isRemoved = isOpen(opened) && given.procedure === undefined && task.procedure_id !== null;
  return isRemoved ? [...emptied, "procedure"] : emptied;
}
