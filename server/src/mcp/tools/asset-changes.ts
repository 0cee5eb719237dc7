import { z } from "zod";
import type { Tx } from "../../db/database.js";
import {
  assetFields,
  assetStates,
  deletionReasons,
  liveAssetStates,
} from "../../db/entities/assets.js";
import type { Caller } from "../../domain/access/caller.js";
import type { AssetSummary } from "../../domain/assets/asset-answers.js";
import { clearableFields, updateAsset } from "../../domain/assets/asset-updates.js";
import { changeAssetState } from "../../domain/assets/change-asset-state.js";
import { createAsset, type CreatedAsset, type NewAsset } from "../../domain/assets/create-asset.js";
import { toReadings } from "../../domain/meters/record-readings.js";
import { mergeAsset } from "../../domain/tasks/merge-asset.js";
import type { Report } from "../../domain/history/change-all.js";
import type { Change } from "../../domain/history/record-events.js";
import { quote } from "../../domain/shared/quote.js";
import { changes, defineTool, type ToolContext } from "../define-tool.js";
import {
  assetReference,
  changeOutput,
  comment,
  dryRun,
  dryRunOutput,
  expectedVersion,
  instant,
  note,
  output,
  assetStateSynonyms,
  requestKey,
  text,
} from "../parameter-schemas.js";
import { toParameters } from "../record-schemas.js";
import { restoreHint, describeRefusalForAssistants } from "../refusals-for-assistants.js";
import { createOrDryRun, runOrDryRun } from "../run.js";
import {
  changeSeveral,
  readTargets,
  askBeforeMany,
  wordStateChange,
  referencesInPlaceOf,
  rowsOf,
  type Targets,
} from "../several.js";
import { withWarnings } from "../warnings.js";
import { importUrl } from "../../domain/access/urls.js";
import { planValues } from "../../domain/exchange/imports.js";
import { aboutRecord, groupMistakes } from "../mistakes.js";

const parameters = toParameters(assetFields, {
  name: 'Short name, e.g. "Air compressor 2".',
  category: 'Category, e.g. "HVAC". Created if new.',
  description: "Plain text or Markdown.",
  location: 'Place inside the workspace, e.g. "Roof, bay 3".',
  parent_asset_id: "Asset that this one is a part of (id or inventory number).",
  assigned_to_user_id: 'Assignee: user id, email, full name or "me".',
  criticality: "Consequence of failure.",
  condition: "Observed condition.",
  purchase_cost: "Amount without currency, e.g. 1249.90.",
  currency: "Code such as EUR. Default: the organization's currency.",
  end_of_life_on: "Planned replacement date.",
});
const { workspace_id, inventory_number, tags } = parameters;

const newAsset = z.strictObject({
  ...parameters,
  criticality: parameters.criticality.describe("Consequence of failure. Default medium."),
  workspace_id: workspace_id.describe(
    "Workspace id or exact name. Without it the asset is in no workspace yet (organization admins only).",
  ),
  inventory_number: inventory_number.describe(
    "Leave out to get the next free number, e.g. 434-000026. Admins may set their own.",
  ),
  tags: tags.describe('Free words, e.g. ["rooftop"].'),
  state: z.enum(liveAssetStates).optional(),
});

const assetOutput = z.object({
  id: z.string().optional(),
  inventory_number: z.string().optional(),
  name: z.string(),
  state: z.string().optional(),
  version: z.int().optional(),
  url: z.string().optional(),
});

const rowOutput = assetOutput.omit({ url: true }).extend({
  open_tasks_hidden: z.int().optional(),
  unchanged: z.literal(true).optional(),
});

export const createAssetTool = defineTool({
  name: "create_asset",
  title: "Create an asset",
  description:
    "Register one asset, or several with assets (all or none). Returns id, inventory number and version.",
  scope: "mcp_write",
  annotations: changes({ idempotent: false }),
  input: newAsset.extend({
    // Documented, but not filled in: a plan doesn't change the states of existing assets.
    state: z.enum(liveAssetStates).optional().meta({ default: "available" }),
    assets: rowsOf(
      newAsset,
      "Up to 100 assets, each with the parameters above. A value given beside assets applies to every row without its own.",
    ),
    prepare_only: z
      .boolean()
      .optional()
      .describe(
        "true: prepare an import instead. A person checks it, also rows with mistakes, and applies it at plan_url.",
      ),
    request_key: requestKey,
    dry_run: dryRun,
  }),
  commaSeparated: ["tags"],
  formerNames: { plan: "prepare_only" },
  output: output({
    plan_url: z.string().optional(),
    asset: assetOutput
      .extend({ workspace_id: z.string().optional(), workspace_name: z.string().optional() })
      .optional(),
    assets: z.array(rowOutput).optional(),
    warnings: z.array(z.string()).optional(),
    deduplicated: z.literal(true).optional(),
    dry_run: dryRunOutput,
  }),
  several: ["assets"],
  confirmation: ({ assets, prepare_only: isPrepared }) =>
    isPrepared === true
      ? undefined
      : askBeforeMany((several) => `Create ${several}?`, assets, "assets"),
  handler: (
    { request_key, dry_run, prepare_only: isPrepared, ...given },
    { db, caller, mails, report },
  ) => {
    const intended = { tool: "create_asset", requestKey: request_key, arguments: given };
    const { assets, ...fields } = given;
    if (isPrepared === true) {
      const rows = (assets ?? [{}]).map((row) => ({ ...fields, ...row }));
      return planAssets({ db, caller, mails }, rows);
    }
    return createOrDryRun<CreatedAnswer>({ db, caller }, dry_run, intended, async (tx) => {
      const create = async (asset: NewAsset, by: Caller) =>
        withWarnings(await createAsset(tx, by, asset));
      if (assets === undefined) return create(fields, caller);
      const { rows, warnings } = await changeSeveral(
        { tx, caller },
        { field: "assets", items: assets, nameOf: nameRow, report },
        (row, by) => create({ ...fields, ...row }, by),
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

/** One of several, with its number, which people and other calls use. */
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
    "Change fields of one asset, or of several with asset_ids (all or none). Only the fields given change; clear_fields empties fields. workspace_id moves an asset with its tasks. Use update_asset_state to change the state.",
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
    tags: tags.describe("Replaces all tags."),
    add_tags: tags.describe("Tags to add."),
    remove_tags: tags.describe("Tags to remove."),
    meter_readings: z
      .record(z.string(), z.number())
      .meta({ abridged: true, example: '{"km": 120500}' })
      .optional()
      .describe('Readings by meter name or unit, e.g. {"km": 120500}.'),
    clear_fields: z
      .array(z.enum(clearableFields).meta({ abridged: true }))
      .max(20)
      .optional()
      .describe(
        'Fields to empty, e.g. ["location"]. ["workspace_id"] takes it out of its workspace.',
      ),
    comment,
    note,
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  commaSeparated: ["asset_ids", "tags", "add_tags", "remove_tags"],
  elsewhere: {
    state: "Use update_asset_state to change the state.",
    reason: "Use update_asset_state with state and reason.",
  },
  output: output(changedOutput),
  several: ["asset_ids"],
  confirmation: ({ asset_ids: ids }) =>
    askBeforeMany((assets) => `Change ${assets}?`, ids, "assets"),
  handler: (
    { asset_id, asset_ids, dry_run, meter_readings, ...fields },
    { db, caller, report },
  ) => {
    const update = { ...fields, meter_readings: toReadings(meter_readings) };
    const { inventory_number: number, expected_version } = update;
    const ofOne = { inventory_number: number, expected_version, meter_readings };
    const targets = readTargets({ asset_id, asset_ids }, ofOne);
    return runOrDryRun({ db, caller }, dry_run, (tx) =>
      changeAssets({ tx, caller }, targets, report, async (reference, by) =>
        withWarnings(await updateAsset(tx, by, reference, update)),
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
  tasks_moved?: number;
}

async function changeAssets(
  writer: { tx: Tx; caller: Caller },
  targets: Targets,
  report: Report,
  change: (reference: string, by: Caller) => Promise<ChangedAnswer & { asset: AssetSummary }>,
): Promise<ChangedAnswer> {
  if ("one" in targets) return change(targets.one, writer.caller);
  const several = { ...targets.several, report };
  const answered = await changeSeveral(writer, several, change, (answer) => ({
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
    'Change the state of one asset, or of several with asset_ids (all or none). "deleted" retires an asset: it leaves lists and counts, keeps its history, and is restored by setting available, in_use or stored. Use it when someone says "delete this asset".',
  scope: "mcp_write",
  annotations: changes({ idempotent: true, destructive: true }),
  input: z.strictObject({
    asset_id: assetReference.optional(),
    asset_ids: referencesInPlaceOf("asset_id"),
    state: z.enum(assetStates).meta({ synonyms: assetStateSynonyms }),
    reason: z.enum(deletionReasons).optional().describe('Only with state "deleted".'),
    merged_into: text({ max: 64 })
      .optional()
      .describe("For a duplicate: the asset that stays and takes over open tasks (id or number)."),
    note,
    effective_at: instant()
      .optional()
      .describe("When the state really changed, RFC 3339, at most 90 days back. Default now."),
    expected_version: expectedVersion,
    dry_run: dryRun,
  }),
  commaSeparated: ["asset_ids"],
  output: output({
    ...changedOutput,
    open_tasks_hidden: z.int().optional(),
    tasks_moved: z.int().optional(),
    restore_hint: z.string().optional(),
  }),
  several: ["asset_ids", "merged_into"],
  confirmation: ({ asset_ids: ids, state }) =>
    askBeforeMany((assets) => wordStateChange(state, assets), ids, "assets"),
  handler: ({ asset_id, asset_ids, dry_run, ...given }, { db, caller, report }) => {
    const { expected_version, merged_into: into } = given;
    const targets = readTargets({ asset_id, asset_ids }, { expected_version });
    const change = {
      state: given.state,
      reason: given.reason,
      note: given.note,
      effectiveAt: given.effective_at === undefined ? undefined : new Date(given.effective_at),
      expectedVersion: expected_version,
    };
    return runOrDryRun({ db, caller }, dry_run, async (tx) => ({
      ...(await changeAssets({ tx, caller }, targets, report, async (reference, by) =>
        withWarnings(
          into === undefined
            ? await changeAssetState(tx, by, reference, change)
            : await mergeAsset(tx, by, reference, { ...change, into }),
        ),
      )),
      ...(change.state === "deleted" && { restore_hint: restoreHint }),
    }));
  },
});

/** An import whose page waits for a person's approval, with the problems of its rows. */
async function planAssets(
  { db, caller, mails }: Pick<ToolContext, "db" | "caller" | "mails">,
  given: NewAsset[],
): Promise<{ plan_url: string; warnings: string[] }> {
  const of = { noun: "asset", rows: given.map((row) => ({ ...row })) } as const;
  const { id, rows } = await planValues(db, { caller, mails }, "assets", of);
  const mistakes = rows.flatMap(({ line, details: { problems = [] } }) =>
    problems.map((problem) =>
      aboutRecord(`assets[${line - 1}]`, describeRefusalForAssistants(problem)),
    ),
  );
  return { plan_url: importUrl(caller, id), warnings: groupMistakes(mistakes) };
}
