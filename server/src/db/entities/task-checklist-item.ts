import { instant, integer, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** One step of a task, numbered from 1. */
export const TaskChecklistItem = table(
  "task_checklist_items",
  {
    organization_id: text().primary(),
    task_id: text().primary().references("maintenance_tasks", "RESTRICT"),
    position: integer().primary(),
    label: text(),
    done_at: instant().nullable(),
    done_by: text().nullable().references("users"),
  },
  {
    checks: ["position", "label", "done"],
  },
);
export type TaskChecklistItem = Row<typeof TaskChecklistItem>;
