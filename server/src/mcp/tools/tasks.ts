import { withWarnings } from "../warnings.js";
import { z } from "zod";
import { repeatAnchors, repeatUnits } from "../../db/entities/maintenance-plan.js";
import { completionFields, plannedFields, taskStates } from "../../db/entities/maintenance-task.js";
import { clearableTaskFields } from "../../domain/task-changes/task-update-rules.js";
import { updateTask } from "../../domain/task-changes/task-updates.js";
import { createTask } from "../../domain/task-changes/create-task.js";
import { changes, defineTool } from "../define-tool.js";
import { runOrDryRun, createOrDryRun } from "../run-change.js";
import { toParameters } from "../record-schemas.js";
import {
  assetReference,
  changeOutput,
  day,
  dryRun,
  dryRunOutput,
  expectedVersion,
  instant,
  note,
  output,
  requestKey,
  text,
} from "../parameter-schemas.js";

/** Fields that create_maintenance_task and update_maintenance_task have in common. */
const parameters = {
  ...toParameters(plannedFields, {
    title: "What is to be done.",
    description: "Plain text or Markdown.",
    type: "Kind of maintenance (EN 13306 terms).",
    due_date: "YYYY-MM-DD in the organization time zone; overdue from the next day on.",
    assigned_to_user_id: 'Who does it: user id, email or "me".',
    requires_downtime: "Asset must be taken out of use for this work.",
  }),
  recurrence: z
    .strictObject({
      every: z.int().min(1).max(999),
      unit: z.enum(repeatUnits),
      anchor: z
        .enum(repeatAnchors)
        .default("due_date")
        .describe(
          "Count the next due date from the old due date (fixed calendar) or from the day the work was done.",
        ),
      ends_on: day().optional().describe("No occurrence due after this date."),
    })
    .optional()
    .describe("Repeat rule; the next task is created when this one is completed or skipped."),
};

const taskOutput = z.object({
  id: z.string(),
  task_number: z.string(),
  title: z.string(),
  state: z.string().optional(),
  due_date: z.string().optional(),
  asset_id: z.string().optional(),
  asset_name: z.string().optional(),
  version: z.int().optional(),
  url: z.string().optional(),
});

export const createMaintenanceTaskTool = defineTool({
  name: "create_maintenance_task",
  title: "Create a maintenance task",
  description:
    "Plan or log maintenance on an asset, or on a whole workspace. Give asset_id or workspace_id.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: z.strictObject({
    asset_id: assetReference.optional(),
    workspace_id: text({ max: 100 })
      .optional()
      .describe("Only for work on a place without an asset."),
    ...parameters,
    title: parameters.title.unwrap(),
    checklist: z.array(z.string()).max(50).optional().describe("Steps in order."),
    request_key: requestKey,
    dry_run: dryRun,
  }),
  output: output({
    task: taskOutput.extend({
      workspace_id: z.string().optional(),
      workspace_name: z.string().optional(),
    }),
    next_due_date: z.string().optional(),
    warnings: z.array(z.string()).optional(),
    deduplicated: z.literal(true).optional(),
    dry_run: dryRunOutput,
  }),
  handler: ({ request_key, dry_run, ...fields }, { db, caller }) => {
    const tool = "create_maintenance_task";
    const intended = { tool, requestKey: request_key, arguments: fields };
    return createOrDryRun({ db, caller }, dry_run, intended, async (tx) =>
      withWarnings(await createTask(tx, caller, fields)),
    );
  },
});

export const updateMaintenanceTaskTool = defineTool({
  name: "update_maintenance_task",
  title: "Update a maintenance task",
  description:
    "Change a task, start it, complete it or cancel it. Completing a repeating task creates the next one and returns it.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true }),
  input: z.strictObject({
    task_id: text({ max: 64 }).describe('Task id (tsk_…) or task number, e.g. "T-118".'),
    workspace_id: text({ max: 100 })
      .optional()
      .describe("Move a task that has no asset to this workspace."),
    ...parameters,
    clear_fields: z
      .array(z.enum(clearableTaskFields))
      .max(6)
      .optional()
      .describe('Fields to make empty; "recurrence" stops the repetition.'),
    // Not listed: "overdue" gets a refusal of its own, which says what to do instead.
    state: z
      .enum([...taskStates, "overdue"])
      .meta({ enum: [...taskStates] })
      .optional()
      .describe('"overdue" is computed from due_date and cannot be set.'),
    completed_at: instant().optional().describe("RFC 3339; default now."),
    ...toParameters(completionFields, {
      completion_notes: "What was found and done.",
      downtime_minutes: "Time the asset could not be used.",
      activity: "What was done (ISO 14224 activity).",
      failure_cause: "For corrective work.",
    }),
    checklist_done: z
      .array(z.int())
      .max(50)
      .optional()
      .describe("Numbers of finished steps; replaces the earlier list."),
    note,
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  output: output({
    task: taskOutput.extend({ progress: z.string().optional() }),
    changed: z.array(changeOutput),
    next_task: z
      .object({ id: z.string(), task_number: z.string(), due_date: z.string() })
      .optional(),
    asset_state: z.string().optional(),
    warnings: z.array(z.string()).optional(),
    dry_run: dryRunOutput,
  }),
  handler: ({ task_id, dry_run, ...update }, { db, caller }) =>
    runOrDryRun({ db, caller }, dry_run, async (tx) =>
      withWarnings(await updateTask(tx, caller, task_id, update)),
    ),
});
