import { nameAsset } from "../../domain/shared/quote.js";
import { z } from "zod";
import { organizationEventTypes } from "../../db/entities/audit.js";
import { historyEventTypes, historySources } from "../../db/entities/history.js";
import { searchHistory, type HistoryPage } from "../../domain/history/history-queries.js";
import {
  asksForOrganization,
  searchOrganizationEvents,
} from "../../domain/history/organization-events.js";
import { columnParameters, formerColumnNames, pickColumns } from "../columns.js";
import { defineTool, readOnly } from "../define-tool.js";
import {
  assetReference,
  cursor,
  dayOrInstant,
  limit,
  output,
  text,
  workspaceReference,
} from "../parameter-schemas.js";
import { omit } from "../../domain/shared/omit.js";
import { eventOutput } from "./asset-outputs.js";

const foundEventOutput = eventOutput.extend({
  asset_id: z.string().optional(),
  inventory_number: z.string().optional(),
  asset_name: z.string().optional(),
});

/** Change sets have pages but no tool. */
export function withoutSet<Event extends { change_set_id: string | null }>(event: Event) {
  return omit(event, "change_set_id");
}

export const searchAssetHistoryTool = defineTool({
  name: "search_asset_history",
  title: "Search asset history",
  description:
    "Search the history: who changed what and when, newest first, with the values before and after. Includes deleted assets. Force-deleted assets leave only an asset_force_deleted event.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    query: text({ max: 200 })
      .optional()
      .describe("Words in notes, changed values, actor, app or event type; or a task number."),
    asset_id: assetReference.optional(),
    task_id: text({ max: 64 }).optional().describe("Task id or number."),
    workspace_id: workspaceReference.optional(),
    actor_user_id: text({ max: 254 })
      .optional()
      .describe('The person who made the change: user id, email, full name or "me".'),
    event_types: z
      .array(z.enum([...historyEventTypes, ...organizationEventTypes]))
      .max(10)
      .optional()
      .describe(
        "member_added and the types after it are for admins only, in a call without the types before it.",
      ),
    source: z
      .enum(historySources)
      .optional()
      .describe("mcp = by an assistant; public_scan = by someone without an account."),
    client: text({ max: 200 }).optional().describe("Name of the assistant's app, or part of it."),
    field: text({ max: 64 }).optional().describe('Only changes of this field, e.g. "location".'),
    from: dayOrInstant().optional().describe("Date or RFC 3339 time, inclusive."),
    to: dayOrInstant().optional().describe("Date or RFC 3339 time, inclusive."),
    order: z.enum(["newest", "oldest"]).default("newest"),
    limit,
    cursor,
    ...columnParameters(foundEventOutput),
  }),
  formerNames: formerColumnNames,
  output: output({
    events: z.array(foundEventOutput.partial()),
    total_count: z.int(),
    total_is_minimum: z.literal(true).optional(),
    next_cursor: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
  }),
  handler: async ({ fields, include_ids, event_types, ...listing }, { db, caller, cursors }) => {
    const found: HistoryPage<string> = asksForOrganization(event_types)
      ? await searchOrganizationEvents(db, caller, { ...listing, event_types }, cursors)
      : await searchHistory(db, caller, { ...listing, event_types }, cursors);
    return {
      ...found,
      events: pickColumns(found.events.map(withoutSet), { fields, include_ids }),
      did_you_mean: found.did_you_mean?.map((asset) => `asset_id ${nameAsset(asset)}`),
    };
  },
});
