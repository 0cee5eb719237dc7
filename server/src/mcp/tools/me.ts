import { allScopes } from "fettle-shared";
import { z } from "zod";
import { nowOf, todayOf } from "../../domain/access/clock.js";
import { findOwnWorkspaces } from "../../domain/people/current-user.js";
import { toTimestamp } from "../../domain/shared/dates.js";
import { defineTool, readOnly } from "../define-tool.js";
import { output } from "../parameter-schemas.js";
import { howToGetScopes } from "../scope-texts.js";

export const getCurrentUserTool = defineTool({
  name: "get_current_user",
  title: "Get the current user",
  description:
    'The person you act for: user, organization, role, workspaces, granted scopes, and today\'s date and time zone. Call it first to resolve "me", "my" and relative dates.',
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({}),
  output: output({
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
    organization: z.object({
      id: z.string(),
      name: z.string(),
      time_zone: z.string(),
      currency: z.string(),
    }),
    organization_role: z.string(),
    workspaces: z
      .array(z.object({ id: z.string(), name: z.string(), role: z.string() }))
      .optional()
      .describe("The first 25; left out for admins of all workspaces."),
    workspace_count: z.int(),
    granted_scopes: z.array(z.string()),
    missing_scopes: z.array(z.string()).optional(),
    how_to_get_scopes: z.string().optional(),
    now: z.string(),
    today: z.string(),
    client_name: z.string().optional(),
  }),
  async handler(_input, { db, caller, scopes }) {
    const missing = allScopes.filter((scope) => !scopes.includes(scope));
    return {
      user: { id: caller.userId, name: caller.userName, email: caller.userEmail },
      organization: {
        id: caller.organizationId,
        name: caller.organizationName,
        time_zone: caller.timeZone,
        currency: caller.currency,
      },
      organization_role: caller.organizationRole,
      ...(await findOwnWorkspaces(db, caller)),
      granted_scopes: [...scopes],
      missing_scopes: missing,
      ...(missing.length > 0 && { how_to_get_scopes: howToGetScopes(scopes, missing) }),
      now: toTimestamp(nowOf(caller)),
      today: todayOf(caller),
      ...(caller.client !== undefined && { client_name: caller.client.name }),
    };
  },
});
