import { numeric, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { Criticality } from "./asset.js";

/** Written by triggers: see `functions/peaks_of.*.sql`. */
export const AssetPeak = table(
  "asset_peaks",
  {
    organization_id: text().primary(),
    asset_id: text().primary().references("assets", "CASCADE"),
    workspace_id: text().nullable(),
    criticality: text<Criticality>(),
    begins_in: text().primary(),
    kind: text().primary(),
    amount: numeric(),
  },
  { sqlIndexes: ["amount", "repeated_failures"] },
);
export type AssetPeak = Row<typeof AssetPeak>;
