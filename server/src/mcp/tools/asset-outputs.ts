import { z } from "zod";
import { assetFields } from "../../db/entities/assets.js";
import { photoMoments } from "../../db/entities/files.js";
import { toOutputs } from "../record-schemas.js";
import { changeOutput } from "../parameter-schemas.js";

const string = z.string().optional();

export const assetRowOutput = z.object({
  id: z.string(),
  inventory_number: z.string(),
  name: z.string(),
  state: z.string(),
  category: string,
  workspace_id: string,
  workspace_name: string,
  location: string,
  assigned_to_user_id: string,
  assigned_to: string,
  criticality: string.describe("only high or critical"),
  next_due_date: string,
  overdue_tasks: z.int().optional(),
  tags: z.array(z.string()).optional(),
  deleted_at: string,
  deletion_reason: string,
  warranty_expires_on: string.describe("when filtered or sorted by it"),
});

export const assetOutput = z.object({
  id: z.string(),
  ...toOutputs(assetFields),
  name: z.string(),
  inventory_number: z.string(),
  state: string,
  state_changed_at: string,
  workspace_name: string,
  parent_asset: string,
  assigned_to: string,
  warranty_status: string.describe("active, ending, expired"),
  age_months: z.int().optional(),
  last_seen_at: string,
  deleted_at: string,
  deletion_reason: string,
  state_before_deletion: string,
  merged_into: z
    .object({ id: z.string(), inventory_number: z.string(), name: z.string() })
    .optional(),
  restore_hint: string,
  created_by: string,
  created_at: z.string(),
  updated_at: z.string(),
  version: z.int(),
  url: z.string(),
});

export const openTaskOutput = z.object({
  id: z.string(),
  task_number: z.string(),
  title: z.string(),
  state: string,
  priority: string,
  due_date: string,
  days_overdue: z.int().optional(),
  due_usage: string,
  assigned_to: string,
});

export const eventOutput = z.object({
  id: z.string(),
  occurred_at: z.string(),
  recorded_at: string,
  type: z.string(),
  task_id: string,
  task_number: string,
  task_title: string,
  actor: z.string(),
  actor_user_id: string,
  source: z.string(),
  client: string,
  changes: z.array(changeOutput).optional(),
  note: string,
});

/** Photos and files of a record, newest first, as links for people. */
export const filesOutput = z
  .array(
    z.object({
      name: z.string(),
      type: z.string(),
      moment: z.enum(photoMoments).optional(),
      url: z.string(),
    }),
  )
  .optional();

/** The last comments on a record, newest first, and the number of all. */
export const commentsOutput = {
  comments: z
    .array(
      z.object({
        author: z.string(),
        client: string,
        text: z.string(),
        files: filesOutput,
        created_at: z.string(),
        edited_at: string,
      }),
    )
    .optional(),
  comment_count: z.int().optional(),
};
