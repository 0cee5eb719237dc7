import { z } from "zod";
import {
  assetFields,
  assetStates,
  deletionReasons,
  liveAssetStates,
} from "../../db/entities/asset.js";
import type { AssetSummary } from "../../domain/assets/asset-answers.js";
import { clearableFields, updateAsset } from "../../domain/assets/asset-updates.js";
import { changeAssetState } from "../../domain/assets/change-asset-state.js";
import { createAsset, type CreatedAsset, type NewAsset } from "../../domain/assets/create-asset.js";
import type { Change } from "../../domain/events/record-events.js";
import { quote } from "../../domain/values/quote.js";
import { changes, defineTool } from "../define-tool.js";
import {
  assetReference,
  changeOutput,
  dryRun,
  dryRunOutput,
  expectedVersion,
  instant,
  note,
  output,
  assetStateSynonyms,
  requestKey,
} from "../parameter-schemas.js";
import { toParameters } from "../record-schemas.js";
import { restoreHint } from "../refusals-for-assistants.js";
import { createOrDryRun, runOrDryRun } from "../run-change.js";
import {
  changeSeveral,
  readTargets,
  referencesInPlaceOf,
  rowsOf,
  type Targets,
} from "../several.js";
import { withWarnings } from "../warnings.js";

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
const { workspace_id, inventory_number, tags } = parameters;

const newAsset = z.strictObject({
  ...parameters,
  workspace_id: workspace_id.describe(
    "Workspace id or exact name; leave out for an asset that is not placed yet (organization admins only).",
  ),
  inventory_number: inventory_number.describe(
    "Leave out to get the next free number (e.g. 434-000026). Admins may set their own.",
  ),
  tags: tags.describe("Free labels."),
  state: z.enum(liveAssetStates).optional(),
});

const assetOutput = z.object({
  id: z.string(),
  inventory_number: z.string(),
  name: z.string(),
  state: z.string().optional(),
  version: z.int().optional(),
  url: z.string().optional(),
});

/** One of several, in short. */
const rowOutput = assetOutput.omit({ url: true }).extend({
  open_tasks_hidden: z.int().optional(),
  unchanged: z.literal(true).optional(),
});

export const createAssetTool = defineTool({
  name: "create_asset",
  title: "Create an asset",
  description:
    "Register one asset, or several with assets: all or none. Returns id, inventory number and version.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: newAsset.extend({
    state: z.enum(liveAssetStates).default("available"),
    assets: rowsOf(
      newAsset,
      "Several: rows with the parameters above. Those given beside the rows hold for each that has none of its own.",
    ),
    request_key: requestKey,
    dry_run: dryRun,
  }),
  commaSeparated: ["tags"],
  output: output({
    asset: assetOutput
      .extend({ workspace_id: z.string().optional(), workspace_name: z.string().optional() })
      .optional(),
    assets: z.array(rowOutput).optional(),
    warnings: z.array(z.string()).optional(),
    deduplicated: z.literal(true).optional(),
    dry_run: dryRunOutput,
  }),
  handler: ({ request_key, dry_run, ...given }, { db, caller }) => {
    const intended = { tool: "create_asset", requestKey: request_key, arguments: given };
    const { assets, ...fields } = given;
    return createOrDryRun<CreatedAnswer>({ db, caller }, dry_run, intended, async (tx) => {
      const create = async (asset: NewAsset) => withWarnings(await createAsset(tx, caller, asset));
      if (assets === undefined) return create(fields);
      const { rows, warnings } = await changeSeveral(
        { field: "assets", items: assets, nameOf: nameRow },
        (row) => create({ ...fields, ...row }),
        (answer) => toRow(answer),
      );
      return { assets: rows, warnings };
    });
  },
});

function nameRow({ name }: NewAsset, index: number): string {
  return `assets[${index}]${name === undefined ? "" : ` ${quote(name)}`}`;
}

interface CreatedAnswer {
  asset?: CreatedAsset["asset"];
  assets?: z.output<typeof rowOutput>[];
  warnings: string[];
}

/** Of several, each by its number: that is what people and other calls use. */
function toRow({ asset }: { asset: z.output<typeof assetOutput> }) {
  const { id, inventory_number: number, name, state, version } = asset;
  return { id, inventory_number: number, name, state, version };
}

const changedOutput = {
  asset: assetOutput.optional(),
  assets: z.array(rowOutput).optional(),
  changed: z.array(changeOutput),
  warnings: z.array(z.string()).optional(),
  dry_run: dryRunOutput,
};

export const updateAssetTool = defineTool({
  name: "update_asset",
  title: "Update an asset",
  description:
    "Change fields of an asset, or move it to another workspace. Only the fields given change; clear_fields empties fields. State changes go through update_asset_state.",
  scope: "mcp_write",
  annotations: changes({ idempotent: true }),
  input: z.strictObject({
    asset_id: assetReference.optional(),
    asset_ids: referencesInPlaceOf("asset_id"),
    ...parameters,
    workspace_id: workspace_id.describe("Move to this workspace (id or exact name)."),
    inventory_number: inventory_number.describe(
      "New inventory number (organization or workspace admin only).",
    ),
    tags: tags.describe("Replaces the whole tag list."),
    add_tags: tags,
    remove_tags: tags,
    clear_fields: z
      .array(z.enum(clearableFields).meta({ abridged: true }))
      .max(20)
      .optional()
      .describe("Fields to make empty."),
    note,
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  commaSeparated: ["asset_ids", "tags", "add_tags", "remove_tags"],
  elsewhere: { state: "update_asset_state", reason: "update_asset_state" },
  output: output(changedOutput),
  handler: ({ asset_id, asset_ids, dry_run, ...update }, { db, caller }) => {
    const { inventory_number: number, expected_version } = update;
    const ofOne = { inventory_number: number, expected_version };
    const targets = readTargets({ asset_id, asset_ids }, ofOne);
    return runOrDryRun({ db, caller }, dry_run, (tx) =>
      changeAssets(targets, async (reference) =>
        withWarnings(await updateAsset(tx, caller, reference, update)),
      ),
    );
  },
});

interface ChangedAnswer {
  asset?: AssetSummary;
  assets?: z.output<typeof rowOutput>[];
  changed: Change[];
  warnings: string[];
  open_tasks_hidden?: number;
}

async function changeAssets(
  targets: Targets,
  change: (reference: string) => Promise<ChangedAnswer & { asset: AssetSummary }>,
): Promise<ChangedAnswer> {
  if ("one" in targets) return change(targets.one);
  const answered = await changeSeveral(targets.several, change, (answer) => ({
    ...toRow(answer),
    open_tasks_hidden: answer.open_tasks_hidden,
  }));
  const { rows, changed, warnings } = answered;
  return { assets: rows, changed, warnings };
}

export const updateAssetStateTool = defineTool({
  name: "update_asset_state",
  title: "Change an asset's state",
  description:
    'Change the state of an asset. "deleted" retires it: it leaves lists and counts but keeps its history and can be restored by setting available, in_use or stored. This is what "delete this asset" means.',
  scope: "mcp_write",
  annotations: changes({ idempotent: true, destructive: true }),
  input: z.strictObject({
    asset_id: assetReference.optional(),
    asset_ids: referencesInPlaceOf("asset_id"),
    state: z.enum(assetStates).meta({ synonyms: assetStateSynonyms }),
    reason: z.enum(deletionReasons).optional().describe('Only with state "deleted".'),
    note,
    effective_at: instant()
      .optional()
      .describe("When it really happened, RFC 3339, at most 90 days back."),
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  commaSeparated: ["asset_ids"],
  output: output({
    ...changedOutput,
    open_tasks_hidden: z.int().optional(),
    restore_hint: z.string().optional(),
  }),
  handler: ({ asset_id, asset_ids, dry_run, ...given }, { db, caller }) => {
    const { expected_version } = given;
    const targets = readTargets({ asset_id, asset_ids }, { expected_version });
    const change = {
      state: given.state,
      reason: given.reason,
      note: given.note,
      effectiveAt: given.effective_at === undefined ? undefined : new Date(given.effective_at),
      expectedVersion: expected_version,
    };
    return runOrDryRun({ db, caller }, dry_run, async (tx) => ({
      ...(await changeAssets(targets, async (reference) =>
        withWarnings(await changeAssetState(tx, caller, reference, change)),
      )),
      ...(change.state === "deleted" && { restore_hint: restoreHint }),
    }));
  },
});
