import { z } from "zod";
import { organizationRoles } from "../../db/entities/people.js";
import { removeUser } from "../../domain/people/member-removal.js";
import { listUsers } from "../../domain/people/people.js";
import { nameNear } from "../refusals-for-assistants.js";
import { changes, defineTool, readOnly } from "../define-tool.js";
import { runOrDryRun } from "../run.js";
import {
  cursor,
  day,
  dryRun,
  dryRunOutput,
  limit,
  output,
  text,
  workspaceReference,
} from "../parameter-schemas.js";

export const listUsersTool = defineTool({
  name: "list_users",
  title: "List users",
  description:
    "List members of the organization with role, workspaces and last activity. Roles change on the page Settings > Members, not with tools.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    query: text({ max: 200 }).optional().describe("Words in name, job title or email."),
    workspace_id: workspaceReference.optional(),
    role: z.enum(organizationRoles).optional().describe("Organization role."),
    inactive_since: day().optional().describe("Only people without activity since this date."),
    sort: z.enum(["name", "last_active_at"]).default("name"),
    limit,
    cursor,
  }),
  output: output({
    users: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string().optional(),
        job_title: z.string().optional(),
        organization_role: z.string(),
        access: z
          .string()
          .optional()
          .describe("organization = sees the workspace without belonging to it"),
        deactivated: z.literal(true).optional(),
        workspaces: z
          .array(z.object({ id: z.string(), name: z.string(), role: z.string() }))
          .optional(),
        last_active_at: z.string().optional(),
        open_tasks: z.int().optional(),
        assigned_assets: z.int().optional(),
        joined_at: z.string(),
        access_ends_on: z.string().optional(),
      }),
    ),
    total_count: z.int(),
    next_cursor: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
  }),
  handler: async (listing, { db, caller, cursors }) => {
    const { did_you_mean: near, ...page } = await listUsers(db, caller, listing, cursors);
    return { ...page, did_you_mean: near?.map(nameNear) };
  },
});

const heldOutput = z.object({ tasks: z.int(), assets: z.int() });

export const removeUserTool = defineTool({
  name: "remove_user",
  title: "Remove a user",
  description:
    "End a person's access to one workspace (workspace_id) or to the whole organization (from_organization: true). Their account stays. Their open tasks and assets become unassigned unless reassign_to_user_id is given.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true, destructive: true }),
  input: z.strictObject({
    user_id: text({ max: 254 }).describe("User id, email or full name."),
    workspace_id: text({ max: 100 })
      .optional()
      .describe("Remove from this workspace only (id or exact name)."),
    from_organization: z.boolean().optional().describe("true: remove from the whole organization."),
    reassign_to_user_id: text({ max: 254 })
      .optional()
      .describe("New assignee of their open tasks and assets: user id, email or full name."),
    dry_run: dryRun,
  }),
  output: output({
    user: z.object({ id: z.string(), name: z.string() }).optional(),
    removed_from: z.string(),
    still_member_of: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
    unassigned: heldOutput.optional(),
    reassigned_to: heldOutput.extend({ id: z.string(), name: z.string() }).optional(),
    connections_ended: z.int().optional(),
    dry_run: dryRunOutput,
  }),
  confirmation: ({ from_organization: isEverywhere }) =>
    isEverywhere === true
      ? {
          deletes: true,
          ask: ({ user }) => ({
            question: { about: "person", name: user?.name ?? "" },
            subject: user?.id,
            label: "Name of the person",
            answer: user?.name ?? "",
          }),
        }
      : undefined,
  handler: ({ dry_run, ...removal }, { db, caller }) =>
    runOrDryRun({ db, caller }, dry_run, (tx) => removeUser(tx, caller, removal)),
});
