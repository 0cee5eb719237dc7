import { bigint, instant, instantNow, json, oneOf, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

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

export const historySources = ["mcp", "web", "import", "public_scan", "system"] as const;
export type HistorySource = (typeof historySources)[number];

/** One changed field; long text is kept as a hash and its beginning. */
export interface HistoryChange {
  field: string;
  from: unknown;
  to: unknown;
}

export const HistoryEvent = table(
  "history_events",
  {
    organization_id: text().primary().references("organizations"),
    id: text().primary(),
    /** The order of recording. */
    sequence: bigint().generated(),
    workspace_id: text().nullable(),
    asset_id: text().nullable().references("assets", "RESTRICT"),
    task_id: text().nullable(),
    occurred_at: instant(),
    recorded_at: instantNow(),
    type: oneOf(historyEventTypes),
    actor_user_id: text().nullable(),
    actor_name: text(),
    source: oneOf(historySources),
    client_id: text().nullable(),
    client_name: text().nullable(),
    request_id: text().nullable(),
    changes: json<HistoryChange[]>().default([]),
    note: text().nullable(),
    /** The ids of places and parents that were, and are now; null where none is named. */
    refers_from: texts().nullable(),
    refers_to: texts().nullable(),
    /** The workspace in which its asset or work is today, or "" where that is in none; kept by triggers. */
    visible_in: text().nullable(),
    /** The import or undo that it belongs to. */
    change_set_id: text().nullable(),
    /** What `changes` leaves out or shortens of how it was before, for who undoes it. */
    before: json().nullable(),
  },
  {
    indexes: { task_id: ["task_id"] },
    sqlIndexes: [
      "occurred_at",
      "type",
      "asset_id",
      "actor_user_id",
      "workspace_id",
      "visible_in",
      "client_name",
      "source",
      "search",
      "change_set_id",
      "client_id",
    ],
    checks: ["note"],
    searchable: ["search", "search_unreferring", "search_from", "search_to"],
  },
);
export type HistoryEvent = Row<typeof HistoryEvent>;
