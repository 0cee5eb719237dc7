import type { Suggestions } from "../../domain/assets/asset-suggestions.js";
import { toTimestamp } from "../../domain/shared/dates.js";
import { nameAsset, quote } from "../../domain/shared/quote.js";
import { restoreHint } from "../refusals-for-assistants.js";
import { z } from "zod";
import { assetStates, criticalities } from "../../db/entities/assets.js";
import { tellComments } from "../../domain/comments/find-comments.js";
import { getAsset } from "../../domain/assets/asset-details.js";
import { listAssets } from "../../domain/assets/asset-queries.js";
import { columnParameters, formerColumnNames, pickColumns } from "../columns.js";
import { withoutSet } from "./history.js";
import { defineTool, readOnly } from "../define-tool.js";
import {
  assetReference,
  assetStateSynonyms,
  assigneeFilter,
  oneOrMore,
  cursor,
  day,
  instant,
  limit,
  output,
  text,
} from "../parameter-schemas.js";
import {
  assetOutput,
  assetRowOutput,
  eventOutput,
  commentsOutput,
  filesOutput,
  openTaskOutput,
} from "./asset-outputs.js";

export const listAssetsTool = defineTool({
  name: "list_assets",
  title: "List assets",
  description:
    'List or search assets, one short row each, sorted by name. Deleted assets appear only with state "deleted" or "all". Use get_asset for all fields of one asset, get_organization_stats for counts.',
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    query: text({ max: 200 })
      .optional()
      .describe(
        "Words in name, inventory number, serial number, manufacturer, model, category, location or description.",
      ),
    workspace_id: text({ max: 100 })
      .optional()
      .describe('Workspace id or exact name, or "none" for assets in no workspace.'),
    state: oneOrMore([...assetStates, "all"], assetStateSynonyms)
      .optional()
      .describe('Default: all but deleted. "all" includes deleted.'),
    category: text({ max: 100 }).optional().describe("Exact category name."),
    assigned_to_user_id: assigneeFilter,
    criticality: oneOrMore(criticalities).optional(),
    tag: text({ max: 40 }).optional().describe("One exact tag."),
    warranty_expires_from: day().optional().describe("Warranty ends on or after."),
    warranty_expires_to: day().optional().describe("Warranty ends on or before."),
    warranty_expires_before: day().optional().meta({ unlisted: true }),
    without_open_tasks: z.boolean().optional().describe("Has no open task."),
    overdue: z.boolean().optional().describe("Has overdue tasks."),
    not_seen_since: day().optional().describe("Not scanned since this date, or never."),
    updated_since: instant().optional().describe("Changed since this RFC 3339 time."),
    sort: z
      .enum(["name", "inventory_number", "-created_at", "-updated_at", "warranty_expires_on"])
      .default("name"),
    limit,
    cursor,
    ...columnParameters(assetRowOutput),
  }),
  formerNames: formerColumnNames,
  output: output({
    assets: z.array(assetRowOutput.partial()),
    total_count: z.int(),
    total_is_minimum: z.literal(true).optional(),
    next_cursor: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
  }),
  handler: async ({ fields, include_ids, ...listing }, { db, caller, cursors }) => {
    const found = await listAssets(db, caller, listing, cursors);
    const assets = found.assets.map(({ deleted_at: at, ...asset }) =>
      at ? { ...asset, deleted_at: toTimestamp(at) } : asset,
    );
    return {
      ...found,
      assets: pickColumns(assets, { fields, include_ids }),
      did_you_mean: found.did_you_mean && nameSuggestions(found.did_you_mean),
    };
  },
});

export const getAssetTool = defineTool({
  name: "get_asset",
  title: "Get an asset",
  description:
    "All fields of one asset, with its version, cost and reliability of the last 365 days, meters, files, up to 5 open tasks and the last 5 history events. Its parts, problem reports and rounds are only on its page (url). Call it before force_delete_asset.",
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({ asset_id: assetReference }),
  output: output({
    asset: assetOutput,
    maintenance: z
      .object({
        open_tasks: z.int(),
        overdue_tasks: z.int(),
        next_due_date: z.string(),
        last_completed_on: z.string(),
        cost_365d: z.record(z.string(), z.number()).describe("by currency"),
        downtime_minutes_365d: z.int(),
        down_since: z.string(),
        availability_percent: z.number(),
        failures_365d: z.int(),
        operating_days: z.number(),
        mtbf_days: z.number(),
        mttr_hours: z.number(),
      })
      .partial()
      .optional(),
    meters: z
      .array(
        z.object({
          name: z.string(),
          unit: z.string(),
          reading: z.number().optional(),
          read_at: z.string().optional(),
        }),
      )
      .optional(),
    files: filesOutput,
    ...commentsOutput,
    open_tasks: z.array(openTaskOutput).optional(),
    recent_history: z.array(eventOutput).optional(),
  }),
  handler: async ({ asset_id }, { db, caller }) => {
    const found = await getAsset(db, caller, asset_id);
    const { asset, maintenance, meters, recent_history } = found;
    const { down_since: since } = maintenance;
    return {
      asset: { ...asset, restore_hint: asset.deleted_at && restoreHint },
      maintenance: { ...maintenance, down_since: since && toTimestamp(since) },
      open_tasks: found.open_tasks,
      meters: meters.map(({ name, unit, value, read_at: at }) => ({
        name,
        unit,
        reading: value,
        read_at: at && toTimestamp(at),
      })),
      files: found.files,
      ...(await tellComments(db, caller, { asset_id: asset.id })),
      recent_history: recent_history.map(withoutSet),
    };
  },
});

/** As arguments for another call. */
function nameSuggestions({ categories, tags, assets }: Suggestions): string[] {
  return [
    ...new Set([
      ...categories.map((name) => `category ${quote(name)}`),
      ...tags.map((name) => `tag ${quote(name)}`),
      ...assets.map((asset) =>
        asset.state === "deleted"
          ? `${nameAsset(asset)} is deleted; use state "all"`
          : nameAsset(asset),
      ),
    ]),
  ];
}
