import type { Suggestions } from "../../domain/assets/asset-suggestions.js";
import { nameAsset, quote } from "../../domain/values/quote.js";
import { restoreHint } from "../refusals-for-assistants.js";
import { withWarnings } from "../warnings.js";
import { z } from "zod";
import {
  assetFields,
  assetStates,
  criticalities,
  deletionReasons,
  liveAssetStates,
} from "../../db/entities/asset.js";
import { getAsset } from "../../domain/assets/asset-details.js";
import { listAssets } from "../../domain/assets/asset-queries.js";
import { changeAssetState } from "../../domain/assets/change-asset-state.js";
import { clearableFields, updateAsset } from "../../domain/assets/asset-updates.js";
import { createAsset } from "../../domain/assets/create-asset.js";
import { changes, defineTool, readOnly } from "../define-tool.js";
import { runOrDryRun, createOrDryRun } from "../run-change.js";
import { toParameters } from "../record-schemas.js";
import {
  assetReference,
  changeOutput,
  cursor,
  day,
  dryRun,
  dryRunOutput,
  expectedVersion,
  instant,
  limit,
  note,
  output,
  requestKey,
  text,
} from "../parameter-schemas.js";
import { assetOutput, assetRowOutput, eventOutput, openTaskOutput } from "./asset-outputs.js";

export const listAssetsTool = defineTool({
  name: "list_assets",
  title: "List assets",
  description:
    'List or search assets, summary rows sorted by name. Deleted assets are left out unless state is "deleted" or "all". Use get_asset for full details, get_organization_stats for counts.',
  scope: "mcp_read",
  annotations: readOnly,
  input: z.strictObject({
    query: text({ max: 200 })
      .optional()
      .describe(
        "Words in name, inventory number, serial, manufacturer, model, category, location or description.",
      ),
    workspace_id: text({ max: 100 })
      .optional()
      .describe('Workspace id (wsp_…), exact workspace name, or "none" for assets not placed.'),
    state: z
      .enum([...assetStates, "all"])
      .optional()
      .describe('One state, or "all" to include deleted.'),
    category: text({ max: 100 }).optional().describe("Category name, case ignored."),
    assigned_to_user_id: text({ max: 254 })
      .optional()
      .describe('User id, email, "me", or "none" for unassigned.'),
    criticality: z.enum(criticalities).optional(),
    tag: text({ max: 40 }).optional(),
    warranty_expires_from: day().optional().describe("Warranty ends on or after this date."),
    warranty_expires_before: day().optional().describe("Warranty ends before this date."),
    updated_since: instant().optional().describe("RFC 3339 time."),
    sort: z
      .enum(["name", "inventory_number", "-created_at", "-updated_at", "warranty_expires_on"])
      .default("name"),
    limit,
    cursor,
  }),
  output: output({
    assets: z.array(assetRowOutput),
    total_count: z.int(),
    total_is_minimum: z.literal(true).optional(),
    next_cursor: z.string().optional(),
    did_you_mean: z.array(z.string()).optional(),
  }),
  handler: async (listing, { db, caller, cursors }) => {
    const found = await listAssets(db.manager, caller, listing, cursors);
    return { ...found, did_you_mean: found.did_you_mean && nameSuggestions(found.did_you_mean) };
  },
});

export const getAssetTool = defineTool({
  name: "get_asset",
  title: "Get an asset",
  description:
    "Everything about one asset: fields, version, cost and reliability figures, up to 5 open tasks and the last 5 history events. Needed before force_delete_asset.",
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
        cost_365d: z.record(z.string(), z.number()),
        downtime_minutes_365d: z.int(),
        failures_365d: z.int(),
        mtbf_days: z.number(),
        mttr_hours: z.number(),
      })
      .partial()
      .optional(),
    open_tasks: z.array(openTaskOutput).optional(),
    recent_history: z.array(eventOutput).optional(),
  }),
  handler: async ({ asset_id }, { db, caller }) => {
    const { asset, ...rest } = await getAsset(db.manager, caller, asset_id);
    return { ...rest, asset: { ...asset, restore_hint: asset.deleted_at && restoreHint } };
  },
});

/** As the arguments of another call. */
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

const parameters = toParameters(assetFields, {
  name: 'Short name, e.g. "Air compressor 2".',
  category: 'Category, e.g. "HVAC"; created if new.',
  description: "Plain text or Markdown.",
  location: 'Place inside the workspace, e.g. "Roof, bay 3".',
  parent_asset_id: "Asset this one is part of (id or inventory number).",
  assigned_to_user_id: 'Person responsible: user id, email or "me".',
  criticality: "Consequence of failure.",
  condition: "Observed condition.",
  purchase_date: "YYYY-MM-DD.",
  purchase_cost: "Amount in currency units, e.g. 1249.9.",
  currency: "ISO 4217; default is the organization currency.",
  warranty_expires_on: "YYYY-MM-DD.",
  in_service_date: "YYYY-MM-DD.",
  end_of_life_on: "Planned replacement date, YYYY-MM-DD.",
});
const { name, workspace_id, inventory_number, tags } = parameters;

export const createAssetTool = defineTool({
  name: "create_asset",
  title: "Create an asset",
  description: "Register one asset. Returns its id, inventory number and version.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: z.strictObject({
    ...parameters,
    name: name.unwrap(),
    workspace_id: workspace_id.describe(
      "Workspace id (wsp_…) or exact workspace name; leave out for an asset that is not placed yet (organization admins only).",
    ),
    inventory_number: inventory_number.describe(
      "Leave out to get the next free number (e.g. 434-000026). Admins may set their own.",
    ),
    tags: tags.describe("Free labels."),
    state: z.enum(liveAssetStates).default("available"),
    request_key: requestKey,
    dry_run: dryRun,
  }),
  commaSeparated: ["tags"],
  output: output({
    asset: z.object({
      id: z.string(),
      inventory_number: z.string(),
      name: z.string(),
      state: z.string().optional(),
      workspace_id: z.string().optional(),
      workspace_name: z.string().optional(),
      version: z.int().optional(),
      url: z.string().optional(),
    }),
    warnings: z.array(z.string()).optional(),
    deduplicated: z.literal(true).optional(),
    dry_run: dryRunOutput,
  }),
  handler: ({ request_key, dry_run, ...fields }, { db, caller }) => {
    const intended = { tool: "create_asset", requestKey: request_key, arguments: fields };
    return createOrDryRun({ db, caller }, dry_run, intended, async (tx) =>
      withWarnings(await createAsset(tx, caller, fields)),
    );
  },
});

const changedAssetOutput = {
  asset: z.object({
    id: z.string(),
    inventory_number: z.string(),
    name: z.string(),
    state: z.string().optional(),
    version: z.int().optional(),
    url: z.string().optional(),
  }),
  changed: z.array(changeOutput),
  warnings: z.array(z.string()).optional(),
  dry_run: dryRunOutput,
};

export const updateAssetTool = defineTool({
  name: "update_asset",
  title: "Update an asset",
  description:
    "Change fields of one asset, or move it to another workspace. Only the fields given change; clear_fields empties fields. State changes go through update_asset_state.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true }),
  input: z.strictObject({
    asset_id: assetReference,
    ...parameters,
    workspace_id: workspace_id.describe("Move to this workspace (id or exact name)."),
    inventory_number: inventory_number.describe(
      "New inventory number (organization or workspace admin only).",
    ),
    tags: tags.describe("Replaces the whole tag list."),
    clear_fields: z
      .array(z.enum(clearableFields))
      .max(20)
      .optional()
      .describe("Fields to make empty."),
    note,
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  commaSeparated: ["tags"],
  output: output(changedAssetOutput),
  handler: ({ asset_id, dry_run, ...update }, { db, caller }) =>
    runOrDryRun({ db, caller }, dry_run, async (tx) =>
      withWarnings(await updateAsset(tx, caller, asset_id, update)),
    ),
});

export const updateAssetStateTool = defineTool({
  name: "update_asset_state",
  title: "Change an asset's state",
  description:
    'Change an asset\'s state. "deleted" retires it: it leaves lists and counts but keeps its history and can be restored by setting available, in_use or stored. This is what "delete this asset" means.',
  scope: "mcp_write",
  annotations: changes({ idempotent: true, destructive: true }),
  input: z.strictObject({
    asset_id: assetReference,
    state: z.enum(assetStates),
    reason: z.enum(deletionReasons).optional().describe('Only with state "deleted".'),
    note,
    effective_at: instant()
      .optional()
      .describe("When it really happened, RFC 3339, at most 90 days back."),
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  output: output({
    ...changedAssetOutput,
    open_tasks_hidden: z.int().optional(),
    restore_hint: z.string().optional(),
  }),
  handler: ({ asset_id, dry_run, ...given }, { db, caller }) =>
    runOrDryRun({ db, caller }, dry_run, async (tx) => {
      const change = await changeAssetState(tx, caller, asset_id, {
        state: given.state,
        reason: given.reason,
        note: given.note,
        effectiveAt: given.effective_at === undefined ? undefined : new Date(given.effective_at),
        expectedVersion: given.expected_version,
      });
      const isRetired = change.asset.state === "deleted";
      return { ...withWarnings(change), ...(isRetired && { restore_hint: restoreHint }) };
    }),
});
