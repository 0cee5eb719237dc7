import { EntitySchema } from "typeorm";

export const historyEventTypes = [
  "asset_created",
  "asset_updated",
  "asset_state_changed",
  "asset_moved",
  "asset_assigned",
  "asset_deleted",
  "asset_restored",
  "task_created",
  "task_updated",
  "task_state_changed",
  "task_completed",
  "task_cancelled",
  "note_added",
] as const;
export type HistoryEventType = (typeof historyEventTypes)[number];

export type HistorySource = "mcp" | "web" | "import" | "public_scan" | "system";

/** One changed field; long text is kept as a hash and its beginning. */
export interface HistoryChange {
  field: string;
  from: unknown;
  to: unknown;
}

export interface HistoryEvent {
  id: string;
  /** The order of recording. */
  sequence: string;
  organizationId: string;
  workspaceId: string | null;
  assetId: string | null;
  taskId: string | null;
  occurredAt: Date;
  recordedAt: Date;
  type: HistoryEventType;
  actorUserId: string | null;
  actorName: string;
  source: HistorySource;
  clientId: string | null;
  clientName: string | null;
  requestId: string | null;
  changes: HistoryChange[];
  note: string | null;
  /** Kept by a trigger; never selected. */
  search?: string;
}

export const HistoryEventEntity = new EntitySchema<HistoryEvent>({
  name: "HistoryEvent",
  tableName: "history_events",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "history_events_pkey" },
    sequence: { type: "bigint", generated: "increment" },
    organizationId: { name: "organization_id", type: "text" },
    workspaceId: { name: "workspace_id", type: "text", nullable: true },
    assetId: { name: "asset_id", type: "text", nullable: true },
    taskId: { name: "task_id", type: "text", nullable: true },
    occurredAt: { name: "occurred_at", type: "timestamptz" },
    recordedAt: { name: "recorded_at", type: "timestamptz", default: () => "clock_timestamp()" },
    type: { type: "text" },
    actorUserId: { name: "actor_user_id", type: "text", nullable: true },
    actorName: { name: "actor_name", type: "text" },
    source: { type: "text" },
    clientId: { name: "client_id", type: "text", nullable: true },
    clientName: { name: "client_name", type: "text", nullable: true },
    requestId: { name: "request_id", type: "text", nullable: true },
    changes: { type: "jsonb", default: [] },
    note: { type: "text", nullable: true },
    search: { type: "tsvector", default: "", select: false, insert: false, update: false },
  },
  foreignKeys: [
    {
      name: "history_events_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
    },
    {
      name: "history_events_asset_id_fkey",
      target: "Asset",
      columnNames: ["organizationId", "assetId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "RESTRICT",
    },
  ],
  indices: [
    // Descending: only the migration can say it.
    {
      name: "history_events_occurred_at_idx",
      columns: ["organizationId", "occurredAt", "sequence"],
      synchronize: false,
    },
    // Descending: only the migration can say it.
    {
      name: "history_events_asset_id_idx",
      columns: ["assetId", "occurredAt", "sequence"],
      synchronize: false,
    },
    // Descending: only the migration can say it.
    {
      name: "history_events_actor_user_id_idx",
      columns: ["organizationId", "actorUserId", "occurredAt", "sequence"],
      synchronize: false,
    },
    {
      name: "history_events_task_id_idx",
      columns: ["taskId"],
      where: "task_id IS NOT NULL",
    },
    // gin: only the migration can say it.
    { name: "history_events_search_idx", columns: ["search"], synchronize: false },
  ],
  checks: [
    {
      name: "history_events_type_check",
      expression:
        "type IN ('asset_created', 'asset_updated', 'asset_state_changed', 'asset_moved', 'asset_assigned', 'asset_deleted', 'asset_restored', 'task_created', 'task_updated', 'task_state_changed', 'task_completed', 'task_cancelled', 'note_added')",
    },
    {
      name: "history_events_source_check",
      expression: "source IN ('mcp', 'web', 'import', 'public_scan', 'system')",
    },
    { name: "history_events_note_check", expression: "char_length(note) <= 1000" },
  ],
});
