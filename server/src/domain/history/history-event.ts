import type { HistoryEventType } from "../../db/entities/history.js";

/** One field before and after; an empty value is left out. */
export interface Change {
  field: string;
  from?: unknown;
  to?: unknown;
}

export interface HistoryEvent {
  type: HistoryEventType;
  /** Null for work on a place. */
  assetId: string | null;
  taskId?: string;
  /** What follows from what the caller did, such as an asset that goes into maintenance. */
  bySystem?: boolean;
  /** Who a new task is assigned to; of others the changes say it. */
  assigneeId?: string | null;
  /** Where the asset or the work is after the event; kept as it was at that time. */
  workspaceId: string | null;
  /** When it really happened. */
  occurredAt: Date;
  /** When it was entered; later than `occurredAt` only when somebody backdates. */
  recordedAt: Date;
  changes?: Change[];
  /** How it was before, where `changes` does not say it. */
  before?: Record<string, unknown>;
  note?: string | undefined;
  /** What something new was given: it is not stored with the event. */
  entered?: object;
}
