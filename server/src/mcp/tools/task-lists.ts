import { z } from "zod";
import { taskPriorities, taskStates, taskTypes } from "../../db/entities/tasks.js";
import { tellComments } from "../../domain/comments/find-comments.js";
import { tellFilesOf } from "../../domain/files/find-files.js";
import { getTask } from "../../domain/tasks/task-details.js";
import { listTasks } from "../../domain/tasks/task-queries.js";
import { columnParameters, formerColumnNames, pickColumns } from "../columns.js";
import { defineTool, readOnly } from "../define-tool.js";
import {
  assetReference,
  assigneeFilter,
  cursor,
  day,
  limit,
  oneOrMore,
  output,
  taskStateSynonyms,
  text,
  workspaceReference,
} from "../parameter-schemas.js";
import { commentsOutput, filesOutput } from "./asset-outputs.js";
import { taskOutput, taskRowOutput } from "./task-outputs.js";

export const listMaintenanceTasksTool = defineTool({
  name: "list_maintenance_tasks",
  title: "List maintenance tasks",
  description:
    'List maintenance tasks, most urgent first; completed tasks come by completion time. "open" = not completed or cancelled, "overdue" = open and past due_date. Tasks of deleted assets are left out unless asset_id is given.',
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    state: oneOrMore([...taskStates, "overdue", "open", "all"], taskStateSynonyms)
      .default("all")
      .describe(
        "overdue finds every late task. in_progress and on_hold include late tasks, scheduled does not.",
      ),
    asset_id: assetReference.optional(),
    workspace_id: workspaceReference.optional(),
    assigned_to_user_id: assigneeFilter,
    type: oneOrMore(taskTypes).optional(),
    priority: oneOrMore(taskPriorities).optional(),
    due_from: day().optional().describe("Due on or after."),
    due_to: day().optional().describe("Due on or before."),
    completed_from: day().optional().describe("Completed on or after."),
    completed_to: day().optional().describe("Completed on or before."),
    query: text({ max: 200 })
      .optional()
      .describe("Words in title or description, or in the name or category of the asset."),
    sort: z
      .enum(["urgency", "due_date", "-due_date", "-completed_at", "-updated_at"])
      .default("urgency"),
    limit,
    cursor,
    ...columnParameters(taskRowOutput),
  }),
  formerNames: formerColumnNames,
  elsewhere: {
    category: 'Use query, which also finds the name and category of the asset, e.g. query "Vans".',
  },
  output: output({
    tasks: z.array(taskRowOutput.partial()),
    total_count: z.int(),
    total_is_minimum: z.literal(true).optional(),
    overdue_count: z.int(),
    overdue_is_minimum: z.literal(true).optional(),
    next_cursor: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
  }),
  handler: async ({ fields, include_ids, ...listing }, { db, caller, cursors }) => {
    const found = await listTasks(db, caller, listing, cursors);
    return { ...found, tasks: pickColumns(found.tasks, { fields, include_ids }) };
  },
});

export const getMaintenanceTaskTool = defineTool({
  name: "get_maintenance_task",
  title: "Get a maintenance task",
  description:
    "All fields of one task, with its version: description, checklist, costs, recurrence and next due date, completion record, files, comments.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    task_id: text({ max: 64 }).describe('Task id or number, e.g. "T-118".'),
  }),
  output: output({ task: taskOutput, files: filesOutput, ...commentsOutput }),
  handler: async ({ task_id }, { db, caller }) => {
    const { task } = await getTask(db, caller, task_id);
    const owner = { task_id: task.id };
    const [files, comments] = await Promise.all([
      tellFilesOf(db, caller, owner),
      tellComments(db, caller, owner),
    ]);
    return { task, files, ...comments };
  },
});
