import { bytes, flag, instant, instantNow, integer, json, oneOf, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

/** What an address can be told of. */
export const webhookEvents = [
  "asset.created",
  "asset.updated",
  "asset.state_changed",
  "asset.retired",
  "asset.restored",
  "asset.deleted",
  "task.created",
  "task.updated",
  "task.state_changed",
  "task.completed",
  "task.cancelled",
  "report.created",
  "report.closed",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What an admin has sent to try an address. */
export const webhookTest = "webhook.test";

/** An address of an organization that is told of what happens there. */
export const Webhook = table(
  "webhooks",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    url: text(),
    events: texts(),
    secret_encrypted: bytes(),
    is_active: flag().default(true),
    /** Since when it is stopped because it did not answer well. */
    failing_since: instant().nullable(),
    /** Until then it is one node's to deliver to, or it rests after a failure. */
    busy_until: instantNow(),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  { checks: ["url"] },
);
export type Webhook = Row<typeof Webhook>;

const deliveryStates = ["queued", "delivered", "failed"] as const;

/** Which records something happened to; what happened is asked of the server, by who may. */
export interface WebhookData {
  asset_id?: string;
  task_id?: string;
  report_id?: string;
  workspace_id?: string;
  actor_user_id?: string;
}

export const WebhookDelivery = table(
  "webhook_deliveries",
  {
    organization_id: text().primary(),
    webhook_id: text().primary().references("webhooks", "CASCADE"),
    /** The same on every try, and for every address: that of the event. */
    id: text().primary(),
    type: text<WebhookEvent | typeof webhookTest>(),
    data: json<WebhookData>(),
    state: oneOf(deliveryStates).default("queued"),
    attempts: integer().default(0),
    next_attempt_at: instantNow(),
    /** In our words: never what was answered. */
    last_result: text().nullable(),
    created_at: instantNow(),
    finished_at: instant().nullable(),
  },
  {
    indexes: {
      due: ["organization_id", "webhook_id", "next_attempt_at"],
      finished: ["finished_at"],
      created_at: ["organization_id", "webhook_id", "created_at"],
    },
    checks: ["finished"],
  },
);
export type WebhookDelivery = Row<typeof WebhookDelivery>;
