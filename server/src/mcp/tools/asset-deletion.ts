import { z } from "zod";
import { forceDeleteAsset } from "../../domain/assets/asset-deletion.js";
import { omit } from "../../domain/shared/omit.js";
import { changes, defineTool } from "../define-tool.js";
import { runOrDryRun } from "../run.js";
import { dryRun, dryRunOutput, output, text } from "../parameter-schemas.js";

const alternative =
  'To retire the asset and keep its history, use update_asset_state with state "deleted".';

const assetId = /^ast_[0-9a-z]{12}$/;

export const forceDeleteAssetTool = defineTool({
  name: "force_delete_asset",
  title: "Permanently delete an asset",
  description:
    'PERMANENTLY erase one asset with all its tasks and history. This cannot be undone. To retire an asset, use update_asset_state with state "deleted" instead. First read the asset with get_asset, have the person confirm this exact asset, then pass its inventory number unchanged.',
  scope: "mcp_destructive",
  annotations: changes({ idempotent: false, destructive: true }),
  input: z.strictObject({
    asset_id: z
      .string()
      .refine((value) => assetId.test(value), {
        error: "must be the id from get_asset, starting with ast_, not an inventory number",
      })
      .meta({ pattern: assetId.source })
      .describe("Asset id (ast_…), not an inventory number."),
    confirm_inventory_number: text({ max: 64 }).describe(
      "inventory_number exactly as get_asset returned it; never guess, trim or pad it.",
    ),
    dry_run: dryRun,
  }),
  verbatim: ["confirm_inventory_number"],
  output: output({
    deleted: z.literal(true).optional(),
    would_delete: z.literal(true).optional(),
    asset_id: z.string().optional(),
    inventory_number: z.string().optional(),
    name: z.string().optional(),
    tasks_removed: z.int(),
    history_events_removed: z.int(),
    files_removed: z.int(),
    last_activity_at: z.string().optional(),
    recorded_cost: z.record(z.string(), z.number()).optional().describe("by currency"),
    warranty_expires_on: z.string().optional(),
    alternative: z.string().optional(),
    dry_run: dryRunOutput,
  }),
  confirmation: () => ({
    deletes: true,
    ask: (foreseen) => ({
      question: {
        about: "asset",
        name: foreseen.name ?? "",
        number: foreseen.inventory_number ?? "",
        tasks: foreseen.tasks_removed,
        history: foreseen.history_events_removed,
        files: foreseen.files_removed,
      },
      label: "Inventory number",
      answer: foreseen.inventory_number ?? "",
    }),
  }),
  handler: async ({ dry_run, ...deletion }, { db, caller }) => {
    const done = await runOrDryRun({ db, caller }, dry_run, (tx) =>
      forceDeleteAsset(tx, caller, deletion),
    );
    if (dry_run) return { ...done, alternative };
    return omit(done, "last_activity_at", "recorded_cost", "warranty_expires_on");
  },
});
