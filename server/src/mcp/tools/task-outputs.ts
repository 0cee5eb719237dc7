import { z } from "zod";
import { taskFields } from "../../db/entities/tasks.js";
import { toOutputs } from "../record-schemas.js";

const string = z.string().optional();
const whole = z.int().optional();
const amount = z.number().optional();

export const taskRowOutput = z.object({
  id: z.string(),
  task_number: z.string(),
  title: z.string(),
  state: z.string(),
  progress: string.describe("stored state of an overdue task"),
  priority: z.string(),
  type: z.string(),
  due_date: string,
  days_overdue: whole,
  asset_id: string,
  asset_name: string,
  inventory_number: string,
  workspace_id: string,
  workspace_name: string,
  assigned_to_user_id: string,
  assigned_to: string,
  estimated_minutes: whole,
  repeats: string,
  due_usage: string,
  completed_at: string,
  total_cost: amount,
  currency: string,
});

export const taskOutput = z.object({
  ...toOutputs(taskFields),
  ...taskRowOutput.shape,
  checklist: z
    .array(
      z.object({
        number: z.int(),
        label: z.string(),
        done: z.boolean(),
        kind: string,
        required: z.literal(true).optional(),
        unit: string,
        min: amount,
        max: amount,
        options: z.array(z.string()).optional(),
        meter: string,
        follow_up: string,
        follow_up_priority: string,
        out_of_service: z.literal(true).optional(),
        answer: string,
        drawing: string,
        failed: z.literal(true).optional(),
        answered_by: string,
        answered_at: string,
        follow_up_task: string,
      }),
    )
    .optional(),
  done_by_contractor: string,
  procedure: string,
  procedure_id: string,
  procedure_version: whole,
  recurrence: z
    .object({
      every: whole,
      unit: string,
      anchor: z.string(),
      on_weekday: string,
      ends_on: string,
      every_usage: amount,
      meter: string,
      meter_unit: string,
      due_usage: amount,
    })
    .optional(),
  next_due_date: string.describe("of the next task, if this one is done on time"),
  started_at: string,
  completed_by: string,
  cancelled_at: string,
  previous_task_id: string,
  next_task_id: string,
  url: z.string(),
  version: z.int(),
  created_by: string,
  created_at: z.string(),
  updated_at: z.string(),
});
