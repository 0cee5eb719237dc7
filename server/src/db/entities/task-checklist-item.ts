import { EntitySchema } from "typeorm";

/** One step of a task, numbered from 1. */
export interface TaskChecklistItem {
  organizationId: string;
  taskId: string;
  position: number;
  label: string;
  doneAt: Date | null;
  doneBy: string | null;
}

export const TaskChecklistItemEntity = new EntitySchema<TaskChecklistItem>({
  name: "TaskChecklistItem",
  tableName: "task_checklist_items",
  columns: {
    organizationId: { name: "organization_id", type: "text" },
    taskId: {
      name: "task_id",
      type: "text",
      primary: true,
      primaryKeyConstraintName: "task_checklist_items_pkey",
    },
    position: {
      type: "integer",
      primary: true,
      primaryKeyConstraintName: "task_checklist_items_pkey",
    },
    label: { type: "text" },
    doneAt: { name: "done_at", type: "timestamptz", nullable: true },
    doneBy: { name: "done_by", type: "text", nullable: true },
  },
  foreignKeys: [
    {
      name: "task_checklist_items_task_id_fkey",
      target: "MaintenanceTask",
      columnNames: ["organizationId", "taskId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
    {
      name: "task_checklist_items_done_by_fkey",
      target: "User",
      columnNames: ["doneBy"],
      referencedColumnNames: ["id"],
    },
  ],
  checks: [
    { name: "task_checklist_items_position_check", expression: "position BETWEEN 1 AND 50" },
    {
      name: "task_checklist_items_label_check",
      expression: "char_length(label) BETWEEN 1 AND 200",
    },
    {
      name: "task_checklist_items_done_check",
      expression: "(done_at IS NULL) = (done_by IS NULL)",
    },
  ],
});
