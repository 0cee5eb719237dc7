import {
  bigint,
  instant,
  instantNow,
  json,
  oneOf,
  text,
  texts,
  flag,
  integer,
  bytes,
} from "../columns.js";
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

/** One changed field. Long text is stored as a hash and its beginning. */
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
    /** Ids of places and parents before and after the change. Null if none is named. */
    refers_from: texts().nullable(),
    refers_to: texts().nullable(),
    /**
     * The current workspace of the event's asset or work, or "" if it is in none. Maintained by
     * triggers.
     */
    visible_in: text().nullable(),
    change_set_id: text().nullable(),
    /** Previous values that `changes` omits or shortens, for undo. */
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

const changeSetKinds = ["import", "undo", "call", "bulk"] as const;

/** "reading" while the plan is made, "applying" while the changes are made. */
const changeSetStates = ["reading", "planned", "applying", "applied"] as const;

/** Number of rows or records by outcome. */
export type Counts = Record<string, number>;

/**
 * Changes that belong together: an import, an undo, a call that changes several records, or a
 * person's bulk change.
 */
export const ChangeSet = table(
  "change_sets",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    kind: oneOf(changeSetKinds),
    state: oneOf(changeSetStates),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    client_name: text().nullable(),
    /** A name for people, such as the file name. */
    title: text(),
    /** The plan's input. Each kind has its own shape. */
    settings: json<object>().default({}),
    counts: json<Counts>().default({}),
    /** For an undo: the change set that it undoes. */
    undoes: text().nullable(),
    /** How far the change set is applied. */
    position: text().nullable(),
    /** Time of the last work on the change set. Anyone may continue an idle set. */
    worked_at: instant().nullable(),
    created_at: instantNow(),
    applied_at: instant().nullable(),
  },
  {
    indexes: { created_at: ["organization_id", "created_at", "id"] },
    sqlIndexes: ["undoes"],
    checks: ["title"],
  },
);
export type ChangeSet = Row<typeof ChangeSet>;

export const rowOutcomes = ["create", "update", "same", "wrong", "conflict"] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** The outcome of a row of an imported file, or a record that an undo left unchanged. */
export const ChangeSetRow = table(
  "change_set_rows",
  {
    organization_id: text().primary(),
    change_set_id: text().primary().references("change_sets", "CASCADE"),
    /** Line in the file. The header is line 1. */
    line: integer().primary(),
    outcome: oneOf(rowOutcomes),
    /**
     * Rows of lower levels are stored first: the asset's parent, the parent's parent, and so on.
     */
    level: integer().default(0),
    /** Id of the asset, task, workspace or invitation. */
    subject_id: text().nullable(),
    name: text(),
    details: json<object>().default({}),
    stored: flag().default(false),
  },
  {
    indexes: { outcome: ["organization_id", "change_set_id", "outcome", "line"] },
    sqlIndexes: ["subject_id", "pending"],
  },
);
export type ChangeSetRow = Row<typeof ChangeSetRow>;

export const IdempotencyRecord = table(
  "idempotency_records",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    user_id: text().primary(),
    client_id: text().primary(),
    tool: text().primary(),
    request_key: text().primary(),
    arguments_hash: bytes(),
    result: json<object>(),
    created_at: instantNow(),
  },
  {
    indexes: { created_at: ["created_at"] },
  },
);
export type IdempotencyRecord = Row<typeof IdempotencyRecord>;
