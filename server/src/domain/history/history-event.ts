import type { HistoryEventType } from "../../db/entities/history.js";

/** A field before and after. Empty values are omitted. */
export interface Change {
  field: string;
  from?: unknown;
  to?: unknown;
}

export interface HistoryEvent {
  type: HistoryEventType;
  /** Null for work on a location. */
  assetId: string | null;
  taskId?: string;
  /** A consequence of the caller's action, such as an asset going into maintenance. */
  bySystem?: boolean;
  /** The assignee of a new task. For other tasks, `changes` has it. */
  assigneeId?: string | null;
  /** The asset's or task's workspace after the event, kept as it was then. */
  workspaceId: string | null;
  /** The actual time of the event. */
  occurredAt: Date;
  /** The time of entry. Later than `occurredAt` only for backdated events. */
  recordedAt: Date;
  changes?: Change[];
  /** The former values that `changes` doesn't contain. */
  before?: Record<string, unknown>;
  note?: string | undefined;
  /** The initial values of a new record. They aren't stored with the event. */
  entered?: object;
}
