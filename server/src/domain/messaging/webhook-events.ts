import type { Tx } from "../../db/database.js";
import type { HistoryEventType } from "../../db/entities/history.js";
import { sampleUntil, type WebhookData, type WebhookEvent } from "../../db/entities/messaging.js";
import type { Actor } from "../access/caller.js";
import { createId } from "../shared/ids.js";
import type { HistoryEvent } from "../history/history-event.js";

/** Webhook events by history event. A note triggers no event. */
const events: Partial<Record<HistoryEventType, WebhookEvent>> = {
  asset_created: "asset.created",
  asset_updated: "asset.updated",
  asset_moved: "asset.updated",
  asset_assigned: "asset.updated",
  asset_state_changed: "asset.state_changed",
  asset_deleted: "asset.retired",
  asset_restored: "asset.restored",
  task_created: "task.created",
  task_updated: "task.updated",
  task_state_changed: "task.state_changed",
  task_completed: "task.completed",
  task_cancelled: "task.cancelled",
};

interface WebhookNote {
  /** Event id. Each endpoint receives it once. */
  id: string;
  type: WebhookEvent;
  data: WebhookData;
}

/**
 * SQL to queue deliveries for an organization's webhooks. `notes` are the placeholders for the
 * columns of `toColumns`.
 */
export function insertDeliveries(notes: readonly string[]): string {
  const [ids, types, data] = notes;
  return `INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, data)
    SELECT $1, w.id, n.id, n.type, n.data
    FROM webhooks w JOIN unnest(${ids}::text[], ${types}::text[], ${data}::jsonb[]) n (id, type, data)
      ON n.type = ANY (w.events)
    WHERE w.organization_id = $1 AND w.is_active AND w.busy_until < '${sampleUntil.toISOString()}'`;
}

export function toColumns(notes: readonly WebhookNote[]): string[][] {
  return [
    notes.map(({ id }) => id),
    notes.map(({ type }) => type),
    notes.map(({ data }) => JSON.stringify(data)),
  ];
}

export function toNotes(
  { userId }: Actor,
  lines: readonly HistoryEvent[],
  ids: readonly string[],
): WebhookNote[] {
  return lines.flatMap(({ type, assetId, taskId, workspaceId }, index) => {
    const told = events[type];
    const id = ids[index];
    if (told === undefined || id === undefined) return [];
    const data = {
      ...(assetId !== null && { asset_id: assetId }),
      ...(taskId !== undefined && { task_id: taskId }),
      ...(workspaceId !== null && { workspace_id: workspaceId }),
      ...(userId !== null && { actor_user_id: userId }),
    };
    return [{ id, type: told, data }];
  });
}

async function note(tx: Tx, organizationId: string, one: WebhookNote): Promise<void> {
  await tx.query(insertDeliveries(["$2", "$3", "$4"]), [organizationId, ...toColumns([one])]);
}

export async function noteReportForWebhooks(
  tx: Tx,
  { organizationId, userId }: Pick<Actor, "organizationId" | "userId">,
  type: "report.created" | "report.closed",
  report: { id: string; asset_id: string | null; workspace_id: string | null },
): Promise<void> {
  const { id: report_id, asset_id, workspace_id } = report;
  const data = {
    report_id,
    ...(asset_id !== null && { asset_id }),
    ...(asset_id === null && workspace_id !== null && { workspace_id }),
    ...(userId !== null && { actor_user_id: userId }),
  };
  await note(tx, organizationId, { id: createId("event"), type, data });
}

/** For permanent deletion, which the history doesn't record. */
export async function noteDeletionForWebhooks(
  tx: Tx,
  { organizationId, userId }: Pick<Actor, "organizationId" | "userId">,
  asset_id: string,
): Promise<void> {
  const data = { asset_id, ...(userId !== null && { actor_user_id: userId }) };
  await note(tx, organizationId, { id: createId("event"), type: "asset.deleted", data });
}
