import { z } from "zod";
import { createOnce } from "../../domain/idempotency.js";
import { createWorkspace, listWorkspaces } from "../../domain/workspaces.js";
import { changes, defineTool, readOnly } from "../define-tool.js";
import { changeOutput, cursor, limit, output, requestKey, text } from "../fields.js";

export const listWorkspacesTool = defineTool({
  name: "list_workspaces",
  title: "List workspaces",
  description:
    "List the workspaces you can see, with asset, open-task and overdue counts and your role in each.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    query: text({ max: 200 }).optional().describe("Words in the name or description."),
    limit,
    cursor,
  }),
  output: output({
    workspaces: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string().optional(),
        asset_count: z.int(),
        open_tasks: z.int(),
        overdue_tasks: z.int(),
        members: z.int(),
        my_role: z.string(),
      }),
    ),
    total_count: z.int(),
    next_cursor: z.string().optional(),
  }),
  handler: (listing, { db, caller, cursors }) =>
    listWorkspaces(db.manager, caller, listing, cursors),
});

export const createWorkspaceTool = defineTool({
  name: "create_workspace",
  title: "Create a workspace",
  description: "Create a workspace (site, building, fleet or team area).",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: z.strictObject({
    name: text({ min: 1, max: 100 }).describe("Unique in the organization, ignoring case."),
    description: text({ max: 2000 }).optional(),
    address: text({ max: 500 }).optional(),
    request_key: requestKey,
  }),
  output: output({
    workspace: z.object({
      id: z.string(),
      name: z.string(),
      version: z.int().optional(),
      url: z.string().optional(),
    }),
    changed: z.array(changeOutput).optional(),
    deduplicated: z.literal(true).optional(),
  }),
  handler: ({ request_key, ...fields }, { db, caller }) =>
    db.transaction((tx) => {
      const intended = { tool: "create_workspace", requestKey: request_key, arguments: fields };
      return createOnce(tx, caller, intended, () => createWorkspace(tx, caller, fields));
    }),
});
