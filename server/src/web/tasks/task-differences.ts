import type { ClearableField, TaskUpdate } from "../../domain/task-changes/task-update-rules.js";
import { isOpen, type OpenedTask } from "./read-task.js";
import { toRecurrence, type ChangedTask } from "./task-form-fields.js";

/** What a form about a task asks to change; undefined when everything is so already. */
export function findDifferences(opened: OpenedTask, given: ChangedTask): TaskUpdate | undefined {
  const { task } = opened;
  const asked: TaskUpdate = {
    title: differing(given.title, task.title),
    description: differing(withPlainBreaks(given.description), task.description),
    type: differing(given.type, task.type),
    priority: differing(given.priority, task.priority),
    due_date: differing(given.due_date, task.due_date),
    assigned_to_user_id: differing(given.assigned_to_user_id, task.assigned_to_user_id),
    estimated_minutes: differing(given.estimated_minutes, task.estimated_minutes),
    requires_downtime: differing(given.requires_downtime === true, task.requires_downtime === true),
    ...(task.asset_id === null && {
      workspace_id: differing(given.workspace_id, task.workspace_id),
    }),
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

/** Browsers send line breaks as two characters. */
function withPlainBreaks(text: string | undefined): string | undefined {
  return text?.replace(/\r\n?/g, "\n").trim();
}

function toNewRecurrence({ task, ...opened }: OpenedTask, given: ChangedTask) {
  const asked = toRecurrence(given);
  if (asked === undefined || !isOpen(opened) || given.stop_repeating === true) return undefined;
  const { recurrence: before } = task;
  const isSame =
    before?.every === asked.every &&
    before.unit === asked.unit &&
    before.anchor === (asked.anchor ?? "due_date") &&
    before.ends_on === (asked.ends_on ?? null);
  return isSame ? undefined : asked;
}

function findCleared({ task }: OpenedTask, given: ChangedTask): ClearableField[] {
  const fields = ["description", "due_date", "assigned_to_user_id", "estimated_minutes"] as const;
  const emptied: ClearableField[] = fields.filter(
    (field) => given[field] === undefined && task[field] !== null,
  );
  const stops = given.stop_repeating === true && task.recurrence !== undefined;
  return stops ? [...emptied, "recurrence"] : emptied;
}
