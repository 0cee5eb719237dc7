import { bigint, day, integer, numeric, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { Criticality } from "./assets.js";

/** Written by triggers: see `functions/figures_of.*.sql`. */
export const Figure = table(
  "figures",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    level: integer().primary().default(0),
    kind: text().primary(),
    workspace_id: text().primary().default(""),
    day: day().primary(),
    key: text().primary(),
    written: bigint().primary().generated(),
    n: integer(),
    amount: numeric(),
  },
  { indexes: { nothing: ["organization_id"] }, checks: ["level"] },
);
export type Figure = Row<typeof Figure>;

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
