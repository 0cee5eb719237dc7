import { bigint, instant, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import type { AssetState } from "./asset.js";

const downtimeKinds = ["planned", "unplanned"] as const;
export type DowntimeKind = (typeof downtimeKinds)[number];

export const AssetStatePeriod = table(
  "asset_state_periods",
  {
    id: bigint().primary().generated(),
    organization_id: text(),
    asset_id: text().references("assets", "RESTRICT"),
    state: text<AssetState>(),
    started_at: instant(),
    /** Null: the open period, one for each asset. */
    ended_at: instant().nullable(),
    downtime_kind: oneOf(downtimeKinds).nullable(),
    task_id: text().nullable(),
  },
  {
    indexes: {
      asset_id: ["organization_id", "asset_id", "started_at"],
      failures: ["organization_id", "started_at"],
    },
    uniqueIndexes: { open: ["asset_id"] },
    checks: ["order"],
  },
);
export type AssetStatePeriod = Row<typeof AssetStatePeriod>;
