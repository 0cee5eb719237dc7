import { EntitySchema } from "typeorm";

export type DowntimeKind = "planned" | "unplanned";

export interface AssetStatePeriod {
  id: string;
  organizationId: string;
  assetId: string;
  /** An asset state. */
  state: string;
  startedAt: Date;
  /** Null: the open period, one for each asset. */
  endedAt: Date | null;
  downtimeKind: DowntimeKind | null;
  taskId: string | null;
}

export const AssetStatePeriodEntity = new EntitySchema<AssetStatePeriod>({
  name: "AssetStatePeriod",
  tableName: "asset_state_periods",
  columns: {
    id: {
      type: "bigint",
      primary: true,
      primaryKeyConstraintName: "asset_state_periods_pkey",
      generated: "increment",
    },
    organizationId: { name: "organization_id", type: "text" },
    assetId: { name: "asset_id", type: "text" },
    state: { type: "text" },
    startedAt: { name: "started_at", type: "timestamptz" },
    endedAt: { name: "ended_at", type: "timestamptz", nullable: true },
    downtimeKind: { name: "downtime_kind", type: "text", nullable: true },
    taskId: { name: "task_id", type: "text", nullable: true },
  },
  foreignKeys: [
    {
      name: "asset_state_periods_asset_id_fkey",
      target: "Asset",
      columnNames: ["organizationId", "assetId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
  ],
  indices: [
    {
      name: "asset_state_periods_open_idx",
      columns: ["assetId"],
      unique: true,
      where: "ended_at IS NULL",
    },
    {
      name: "asset_state_periods_asset_id_idx",
      columns: ["organizationId", "assetId", "startedAt"],
    },
    {
      name: "asset_state_periods_failures_idx",
      columns: ["organizationId", "startedAt"],
      where: "state = 'out_of_service' AND task_id IS NULL",
    },
  ],
  checks: [
    {
      name: "asset_state_periods_downtime_kind_check",
      expression: "downtime_kind IN ('planned', 'unplanned')",
    },
    { name: "asset_state_periods_order_check", expression: "ended_at >= started_at" },
  ],
});
