import { z } from "zod";
import { workspaceFields } from "../../db/entities/organizations.js";
import { createOnce } from "../../domain/history/idempotency.js";
import { commit } from "../../domain/history/transactions.js";
import { deleteWorkspace } from "../../domain/organizations/workspace-deletion.js";
import {
  clearableWorkspaceFields,
  updateWorkspace,
} from "../../domain/organizations/workspace-updates.js";
import { createWorkspace, listWorkspaces } from "../../domain/organizations/workspaces.js";
import { changes, defineTool, readOnly } from "../define-tool.js";
import { runOrDryRun } from "../run.js";
import { toParameters } from "../record-schemas.js";
import {
  changeOutput,
  cursor,
  dryRun,
  dryRunOutput,
  expectedVersion,
  limit,
  output,
  requestKey,
  text,
  workspaceReference,
} from "../parameter-schemas.js";

export const listWorkspacesTool = defineTool({
  name: "list_workspaces",
  title: "List workspaces",
  description:
    "List the workspaces you can see, with your role and the number of assets, open tasks and overdue tasks in each.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    query: text({ max: 200 }).optional().describe("Words in name or description."),
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
        address: z.string().optional(),
        version: z.int().optional(),
      }),
    ),
    total_count: z.int(),
    next_cursor: z.string().optional(),
  }),
  handler: (listing, { db, caller, cursors }) => listWorkspaces(db, caller, listing, cursors),
});

const workspaceOutput = z.object({
  id: z.string(),
  name: z.string(),
  version: z.int().optional(),
  url: z.string().optional(),
});

const parameters = toParameters(workspaceFields, {});

export const createWorkspaceTool = defineTool({
  name: "create_workspace",
  title: "Create a workspace",
  description: "Create a workspace: a site, building, fleet or team area.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: z.strictObject({
    ...parameters,
    name: parameters.name
      .unwrap()
      .describe("Must be unique in the organization, whatever the case."),
    request_key: requestKey,
  }),
  output: output({
    workspace: workspaceOutput,
    changed: z.array(changeOutput).optional(),
    deduplicated: z.literal(true).optional(),
  }),
  handler: ({ request_key, ...fields }, { db, caller }) =>
    commit({ db, caller }, (tx) => {
      const intended = { tool: "create_workspace", requestKey: request_key, arguments: fields };
      return createOnce(tx, caller, intended, () => createWorkspace(tx, caller, fields));
    }),
});

export const updateWorkspaceTool = defineTool({
  name: "update_workspace",
  title: "Update a workspace",
  description:
    "Rename a workspace, or change its description or address. Only the fields given change.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true }),
  input: z.strictObject({
    workspace_id: workspaceReference,
    ...parameters,
    clear_fields: z
      .array(z.enum(clearableWorkspaceFields).meta({ abridged: true }))
      .max(2)
      .optional()
      .describe("Fields to empty: description, address."),
    expected_version: expectedVersion,
  }),
  output: output({
    workspace: workspaceOutput,
    changed: z.array(changeOutput),
    warnings: z.array(z.string()).optional(),
  }),
  handler: ({ workspace_id, ...update }, { db, caller }) =>
    commit({ db, caller }, (tx) => updateWorkspace(tx, caller, workspace_id, update)),
});

export const deleteWorkspaceTool = defineTool({
  name: "delete_workspace",
  title: "Delete a workspace",
  description:
    "Delete an empty workspace. Refused while it holds any asset (deleted ones too) or any task (finished ones too); the refusal says what is left and how to move it.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true, destructive: true }),
  input: z.strictObject({ workspace_id: workspaceReference, dry_run: dryRun }),
  output: output({
    workspace: z.object({ id: z.string(), name: z.string() }).optional(),
    deleted: z.literal(true).optional(),
    would_delete: z.literal(true).optional(),
    invites_revoked: z.int().optional(),
    members_removed: z.int().optional(),
    rounds_kept: z.int().optional(),
    reports_deleted: z.int().optional(),
    dry_run: dryRunOutput,
  }),
  confirmation: () => ({
    deletes: true,
    ask: ({ workspace }) => ({
      question: { about: "workspace", name: workspace?.name ?? "" },
      subject: workspace?.id,
      label: "Name of the workspace",
      answer: workspace?.name ?? "",
    }),
  }),
  handler: ({ workspace_id, dry_run }, { db, caller }) =>
    runOrDryRun({ db, caller }, dry_run, (tx) => deleteWorkspace(tx, caller, workspace_id)),
});
