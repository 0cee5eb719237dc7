import { z } from "zod";
import {
  deliveryStatuses,
  inviteOrganizationRoles,
  workspaceRoles,
} from "../../db/entities/people.js";
import { inviteStatuses } from "../../domain/people/invite-status.js";
import { listInvites } from "../../domain/people/invite-queries.js";
import { createInvite, resendInvite, withdrawInvite } from "../../domain/people/invites.js";
import { commit } from "../../domain/history/transactions.js";
import { changes, defineTool, readOnly } from "../define-tool.js";
import { withWarnings } from "../warnings.js";
import { cursor, day, limit, output, text, workspaceReference } from "../parameter-schemas.js";

const inviteId = z.string().describe("Invite id, or the email it was sent to.");

export const listInvitesTool = defineTool({
  name: "list_invites",
  title: "List invitations",
  description: "List invitations to the organization. Default: pending ones only.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    status: z.enum([...inviteStatuses, "all"]).default("pending"),
    workspace_id: workspaceReference.optional(),
    limit,
    cursor,
  }),
  output: output({
    invites: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        status: z.string(),
        organization_role: z.string(),
        workspace_id: z.string().optional(),
        workspace_name: z.string().optional(),
        workspace_role: z.string().optional(),
        invited_by: z.string(),
        created_at: z.string(),
        last_sent_at: z.string(),
        expires_at: z.string(),
      }),
    ),
    total_count: z.int(),
    next_cursor: z.string().optional(),
  }),
  handler: (listing, { db, caller, cursors }) => listInvites(db, caller, listing, cursors),
});

const sentInvite = output({
  invite: z.object({
    id: z.string(),
    email: z.string(),
    status: z.string().optional(),
    expires_at: z.string().optional(),
    workspace_id: z.string().optional(),
    workspace_name: z.string().optional(),
    workspace_role: z.string().optional(),
    organization_role: z.string().optional(),
  }),
  delivery_status: z.enum(deliveryStatuses),
  warnings: z.array(z.string()).optional(),
});

export const createInviteTool = defineTool({
  name: "create_invite",
  title: "Invite a person",
  description:
    "Invite one person by email: into the organization, or as a member into one more workspace. Sends an email at once. One call per address.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false, openWorld: true }),
  input: z.strictObject({
    email: text({ max: 254 }).meta({ format: "email" }),
    workspace_id: text({ max: 100 })
      .optional()
      .describe("Workspace they join (id or exact name). Without it they see no workspace yet."),
    workspace_role: z.enum(workspaceRoles).default("member").describe("Role in that workspace."),
    organization_role: z
      .enum(inviteOrganizationRoles)
      .default("member")
      .describe("admin sees and manages every workspace."),
    access_ends_on: day().optional().describe("Last day with access, e.g. for a contractor."),
    message: text({ max: 500 }).optional().describe("Personal message in the email."),
  }),
  output: sentInvite,
  handler: async (fields, { db, caller, mails }) => {
    const answer = await commit({ db, caller }, (tx) => createInvite(tx, caller, fields, mails));
    mails.announce();
    return withWarnings(answer);
  },
});

export const deleteInviteTool = defineTool({
  name: "delete_invite",
  title: "Withdraw an invitation",
  description:
    "Withdraw a pending invitation. Its link stops working. create_invite can issue it again.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true, destructive: true }),
  input: z.strictObject({ invite_id: inviteId }),
  output: output({
    invite: z.object({ id: z.string(), email: z.string(), status: z.string().optional() }),
  }),
  handler: ({ invite_id }, { db, caller }) =>
    commit({ db, caller }, (tx) => withdrawInvite(tx, caller, invite_id)),
});

export const resendInviteTool = defineTool({
  name: "resend_invite",
  title: "Send an invitation again",
  description:
    "Send a pending or expired invitation again. The new link works for 7 days, the old one stops working.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false, openWorld: true }),
  input: z.strictObject({ invite_id: inviteId }),
  output: sentInvite,
  handler: async ({ invite_id }, { db, caller, mails }) => {
    const answer = await commit({ db, caller }, (tx) => resendInvite(tx, caller, invite_id, mails));
    mails.announce();
    return withWarnings(answer);
  },
});
