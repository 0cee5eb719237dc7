import { isDeepStrictEqual } from "node:util";
import { plannedFields } from "../../db/entities/maintenance-task.js";
import { clearableNames } from "../../db/fields.js";
import type { ClearableField, TaskUpdate } from "../../domain/task-changes/task-update-rules.js";
import { withPlainBreaks } from "../forms/stale-notice.js";
import { isOpen, type OpenedTask } from "./read-task.js";
import { toRecurrence, type ChangedTask } from "./task-form-fields.js";

/** What a form about a task asks to change; undefined when everything is so already. */
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
  const { every, unit, anchor, on_weekday, ends_on } = given;
  const asked = toRecurrence({ every, unit, anchor, on_weekday, ends_on });
  if (asked === undefined || !isOpen(opened) || given.stop_repeating === true) return undefined;
  const isSame = isDeepStrictEqual(task.recurrence, {
    ...asked,
    anchor: anchor ?? "due_date",
    on_weekday: on_weekday ?? null,
    ends_on: ends_on ?? null,
  });
  return isSame ? undefined : asked;
}

function findCleared({ task }: OpenedTask, given: ChangedTask): ClearableField[] {
  const emptied: ClearableField[] = clearableNames(plannedFields).filter(
    (field) => given[field] === undefined && task[field] !== null,
  );
  const stops = given.stop_repeating === true && task.recurrence !== undefined;
  return stops ? [...emptied, "recurrence"] : emptied;
}
