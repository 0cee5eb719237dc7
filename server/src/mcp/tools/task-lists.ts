import { z } from "zod";
import { taskPriorities, taskStates, taskTypes } from "../../db/entities/tasks.js";
import { tellFilesOf } from "../../domain/files/find-files.js";
import { getTask } from "../../domain/tasks/task-details.js";
import { listTasks } from "../../domain/tasks/task-queries.js";
import { columnParameters, pickColumns } from "../columns.js";
import { defineTool, readOnly } from "../define-tool.js";
import {
  assetReference,
  cursor,
  day,
  limit,
  oneOrMore,
  output,
  taskStateSynonyms,
  text,
} from "../parameter-schemas.js";
import { filesOutput } from "./asset-outputs.js";
import { taskOutput, taskRowOutput } from "./task-outputs.js";

export const listMaintenanceTasksTool = defineTool({
  name: "list_maintenance_tasks",
  title: "List maintenance tasks",
  description:
    'List maintenance tasks, most urgent first, completed ones by time. "overdue" = not finished and due date passed; "open" = everything not completed or cancelled (includes overdue). Tasks of deleted assets are left out unless asset_id is given.',
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    state: oneOrMore([...taskStates, "overdue", "open", "all"], taskStateSynonyms)
      .default("all")
      .describe("in_progress and on_hold include late tasks, scheduled does not."),
    asset_id: assetReference.optional(),
    workspace_id: text({ max: 100 }).optional().describe("Workspace id or name."),
    assigned_to_user_id: text({ max: 254 }).optional().describe('User id, email, "me", or "none".'),
    type: oneOrMore(taskTypes).optional(),
    priority: oneOrMore(taskPriorities).optional(),
    due_from: day().optional().describe("Due on or after."),
    due_to: day().optional().describe("Due on or before."),
    completed_from: day().optional(),
    completed_to: day().optional().describe("Inclusive."),
    query: text({ max: 200 }).optional().describe("Words in title or description."),
    sort: z
      .enum(["urgency", "due_date", "-due_date", "-completed_at", "-updated_at"])
      .default("urgency"),
    limit,
    cursor,
    ...columnParameters(taskRowOutput),
  }),
  elsewhere: { category: "query also finds the name and category of the asset." },
  output: output({
    tasks: z.array(taskRowOutput.partial()),
    total_count: z.int(),
    total_is_minimum: z.literal(true).optional(),
    overdue_count: z.int(),
    overdue_is_minimum: z.literal(true).optional(),
    next_cursor: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
  }),
  handler: async ({ fields, ids, ...listing }, { db, caller, cursors }) => {
    const found = await listTasks(db, caller, listing, cursors);
    return { ...found, tasks: pickColumns(found.tasks, { fields, ids }) };
  },
});

export const getMaintenanceTaskTool = defineTool({
  name: "get_maintenance_task",
  title: "Get a maintenance task",
  description:
    "Everything about one task: description, checklist, costs, repeat rule and next occurrence, completion record, version.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    task_id: text({ max: 64 }).describe('Task id or number, e.g. "T-118".'),
  }),
  output: output({ task: taskOutput, files: filesOutput }),
  handler: async ({ task_id }, { db, caller }) => {
    const { task } = await getTask(db, caller, task_id);
    return { task, files: await tellFilesOf(db, caller, { task_id: task.id }) };
  },
});
