import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import type { HistoryEventType } from "../db/entities/history-event.js";
import type { Caller } from "./caller.js";
import { createId } from "./ids.js";

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
  /** Where the asset or the work is after the event; kept as it was at that time. */
  workspaceId: string | null;
  /** When it really happened. */
  occurredAt: Date;
  /** When it was entered; later than `occurredAt` only when somebody backdates. */
  recordedAt: Date;
  changes?: Change[];
  note?: string | undefined;
}

/**
 * Writes one line of the history, in the transaction of the change it tells about. One call
 * of a tool or form gives at most one event of a type.
 */
export async function recordEvent(
  tx: EntityManager,
  caller: Caller,
  event: HistoryEvent,
): Promise<void> {
  await tx.query(
    `INSERT INTO history_events
       (id, organization_id, workspace_id, asset_id, task_id, occurred_at, recorded_at, type,
        actor_user_id, actor_name, source, client_id, client_name, request_id, changes, note)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      createId("event"),
      caller.organizationId,
      event.workspaceId,
      event.assetId,
      event.taskId ?? null,
      event.occurredAt,
      event.recordedAt,
      event.type,
      caller.userId,
      caller.userName,
      event.bySystem === true ? "system" : caller.source,
      caller.client?.id ?? null,
      caller.client?.name ?? null,
      caller.requestId,
      JSON.stringify((event.changes ?? []).map(shorten)),
      event.note ?? null,
    ],
  );
}

function shorten({ field, from, to }: Change): Change {
  return {
    field,
    ...(from !== undefined && { from: shortValue(from) }),
    ...(to !== undefined && { to: shortValue(to) }),
  };
}

/** Values of up to 500 characters are kept; of longer text its start and a hash. */
function shortValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= 500) return value;
  const hash = createHash("sha256").update(text).digest("hex");
  return `${Array.from(text).slice(0, 200).join("")}… (sha256 ${hash})`;
}
