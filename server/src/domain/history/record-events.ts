import { createHash } from "node:crypto";
import type { Tx } from "../../db/database.js";
import type { Actor } from "../access/caller.js";
import { createId } from "../shared/ids.js";
import type { Change, HistoryEvent } from "./history-event.js";
import { noteAssignments } from "../messaging/notify.js";
import { countWritten, checkWriteQuota } from "../../traffic/write-quota.js";
import { insertDeliveries, toColumns, toNotes } from "../messaging/webhook-events.js";

export type { Change, HistoryEvent } from "./history-event.js";

/**
 * Writes one history event in the transaction of its change. One tool call or form creates at most
 * one event of a type for an asset or task.
 */
export async function recordEvent(tx: Tx, actor: Actor, event: HistoryEvent): Promise<void> {
  await recordEvents(tx, actor, [event]);
}

/**
 * Writes any number of events and their webhook deliveries in one statement, in the given order.
 * Throws if the person exceeded today's write limit, except for approved change sets and with
 * `always`.
 */
export async function recordEvents(
  tx: Tx,
  actor: Actor,
  events: readonly HistoryEvent[],
  { always = actor.changeSetId !== undefined } = {},
): Promise<void> {
  if (events.length === 0) return;
  if (!always) checkWriteQuota(actor);
  countWritten(actor, events);
  const ids = events.map(() => createId("event"));
  await tx.query(
    `WITH told AS (${insertDeliveries(["$19", "$20", "$21"])})
     INSERT INTO history_events
       (id, organization_id, workspace_id, asset_id, task_id, occurred_at, recorded_at, type,
        actor_user_id, actor_name, source, client_id, client_name, request_id, change_set_id, changes,
        before, note)
     SELECT e.id, $1, e.workspace_id, e.asset_id, e.task_id, e.occurred_at, e.recorded_at, e.type,
       $2, $3, e.source, $4, $5, $6, $7, e.changes, e.before, e.note
     FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[],
       $13::timestamptz[], $14::text[], $15::text[], $16::jsonb[], $17::jsonb[], $18::text[])
       AS e (id, workspace_id, asset_id, task_id, occurred_at, recorded_at, type, source, changes,
         before, note)`,
    [
      actor.organizationId,
      actor.userId,
      actor.userName,
      actor.client?.id ?? null,
      actor.client?.name ?? null,
      actor.requestId,
      actor.changeSetId ?? null,
      ids,
      events.map(({ workspaceId }) => workspaceId),
      events.map(({ assetId }) => assetId),
      events.map(({ taskId }) => taskId ?? null),
      events.map(({ occurredAt }) => occurredAt),
      events.map(({ recordedAt }) => recordedAt),
      events.map(({ type }) => type),
      events.map(({ bySystem }) => (bySystem === true ? "system" : actor.source)),
      events.map(({ changes = [] }) => JSON.stringify(changes.map(shorten))),
      events.map(toBefore),
      events.map(({ note }) => note ?? null),
      ...toColumns(toNotes(actor, events, ids)),
    ],
  );
  await noteAssignments(tx, actor, events);
}

/** Adds the full texts whose change holds only the beginning. */
function toBefore({ before, changes = [] }: HistoryEvent): string | null {
  const long = changes.filter(({ from }) => from !== undefined && shortValue(from) !== from);
  const all = { ...before, ...Object.fromEntries(long.map(({ field, from }) => [field, from])) };
  return Object.keys(all).length === 0 ? null : JSON.stringify(all);
}

function shorten({ field, from, to }: Change): Change {
  return {
    field,
    ...(from !== undefined && { from: shortValue(from) }),
    ...(to !== undefined && { to: shortValue(to) }),
  };
}

/** Keeps values of up to 500 characters. Longer text becomes its start and a hash. */
export function shortValue(value: unknown): unknown {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= 500) return value;
  const hash = createHash("sha256").update(text).digest("hex");
  return `${Array.from(text).slice(0, 200).join("")}… (sha256 ${hash})`;
}
