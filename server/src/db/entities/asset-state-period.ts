import { bigint, flag, instant, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { AssetState } from "./asset.js";

const downtimeKinds = ["planned", "unplanned"] as const;
export type DowntimeKind = (typeof downtimeKinds)[number];

export const AssetStatePeriod = table(
  "asset_state_periods",
  {
    organization_id: text().primary(),
    id: bigint().primary().generated(),
    asset_id: text().references("assets", "RESTRICT"),
    state: text<AssetState>(),
    started_at: instant(),
    /** Null: the open period, one for each asset. */
    ended_at: instant().nullable(),
    downtime_kind: oneOf(downtimeKinds).nullable(),
    task_id: text().nullable(),
    /** Those of the asset, and whether it is retired; kept by triggers. */
    workspace_id: text().nullable(),
    category_id: text().nullable(),
    hidden: flag().default(false),
    /** When the asset was last up or down, for periods in which it is neither. */
    idle_since: instant().nullable(),
    /** An entry into out_of_service that no corrective task covers; see `domain/assets/reliability.ts`. */
    is_failure: flag().default(false),
  },
  {
    indexes: {
      asset_id: ["organization_id", "asset_id", "started_at"],
      started_at: ["organization_id", "started_at"],
      ended_at: ["organization_id", "ended_at"],
      idle_since: ["organization_id", "idle_since"],
    },
    sqlIndexes: ["failed", "down"],
    uniqueIndexes: { open: ["organization_id", "asset_id"] },
    checks: ["order"],
  },
);
export type AssetStatePeriod = Row<typeof AssetStatePeriod>;
