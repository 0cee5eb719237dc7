import {
  flag,
  instant,
  instantNow,
  oneOf,
  text,
  bigint,
  bytes,
  citext,
  integer,
  json,
  texts,
} from "../columns.js";
import { table, type Row } from "../table.js";

/** Each kind has its own email. A reminder covers tasks that are due tomorrow or overdue. */
export const notificationKinds = [
  "assigned",
  "comment",
  "reminder",
  "report_answered",
  "contractor_done",
  "weekly_digest",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/**
 * A notification that a person has received or will receive. The key makes it unique on several
 * nodes.
 */
export const Notification = table(
  "notifications",
  {
    organization_id: text().primary(),
    user_id: text().primary().references("organization_members.user_id", "CASCADE"),
    kind: oneOf(notificationKinds).primary(),
    /** Id of the task, comment, report or contractor link, or the organization's day that the email covers. */
    subject: text().primary(),
    /** The person who assigned the task or wrote the comment. */
    actor_user_id: text().nullable(),
    created_at: instantNow(),
    /** When the email was added to the outbox. */
    queued_at: instant().nullable(),
    /** True if the person's list in the app shows it. */
    in_app: flag().default(false),
    read_at: instant().nullable(),
  },
  { indexes: { waiting: ["created_at"], unread: ["organization_id", "user_id"] } },
);
export type Notification = Row<typeof Notification>;

export const notificationChannels = ["email", "app", "push"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** A person's preferences for one channel. Null if not set. */
export const NotificationChoice = table("notification_choices", {
  organization_id: text().primary(),
  user_id: text().primary().references("organization_members.user_id", "CASCADE"),
  channel: oneOf(notificationChannels).primary(),
  assigned: flag().nullable(),
  comments: flag().nullable(),
  due_tomorrow: flag().nullable(),
  overdue: flag().nullable(),
  report_answered: flag().nullable(),
  contractor_done: flag().nullable(),
  weekly_digest: flag().nullable(),
});
export type NotificationChoice = Row<typeof NotificationChoice>;

/** A browser that shows a person's notifications while no page is open. */
export const PushSubscription = table(
  "push_subscriptions",
  {
    /** Of the address at the push service. The browser's cookie has it too. */
    endpoint_hash: bytes().primary(),
    user_id: text().references("users", "CASCADE"),
    /** Address and keys. Anyone with the address and our key can send to the browser. */
    subscription_encrypted: bytes(),
    created_at: instantNow(),
  },
  { indexes: { user_id: ["user_id", "created_at"] } },
);
export type PushSubscription = Row<typeof PushSubscription>;

/** A waiting message to one browser. Deleted once it is sent or given up. */
export const PushMessage = table(
  "push_messages",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: bigint().primary().generated(),
    endpoint_hash: bytes().references("push_subscriptions.endpoint_hash", "CASCADE"),
    /** Only the subjects. The text depends on the reader's access when it is sent. */
    body_encrypted: bytes(),
    attempts: integer().default(0),
    /** Also moved ahead while a node tries, so no other node does. */
    next_attempt_at: instantNow(),
    expires_at: instant(),
  },
  {
    indexes: {
      due: ["next_attempt_at"],
      endpoint_hash: ["endpoint_hash"],
    },
  },
);
export type PushMessage = Row<typeof PushMessage>;

const mailStatuses = ["queued", "sent", "failed", "kept"] as const;
export type MailStatus = (typeof mailStatuses)[number];

const mailKinds = [
  "invitation",
  "password_reset",
  "sign_up",
  "account_exists",
  "email_change",
  "connection_ended",
  "second_factor_changed",
  "sso_required_ended",
  "second_factor_guessed",
  "report_closed",
  "task_link",
  "task_sent_back",
  ...notificationKinds,
] as const;

export const OutgoingMail = table(
  "mail_outbox",
  {
    id: bigint().primary().generated(),
    kind: oneOf(mailKinds),
    organization_id: text().nullable(),
    invite_id: text().nullable(),
    recipient: citext(),
    /** Encrypted, because it contains links that grant access. Null once the email is sent. */
    body_encrypted: bytes().nullable(),
    /**
     * "kept": written while no mail server was configured, for admins to read. Sent only if an
     * operator requests it.
     */
    status: oneOf(mailStatuses),
    attempts: integer().default(0),
    /** Also moved ahead while a node tries, so no other node does. */
    next_attempt_at: instant(),
    /** Fettle's wording. Never contains an address, a link or a mail server's response. */
    last_error: text().nullable(),
    /** Not sent after this time, because the email's link has expired. */
    expires_at: instant().nullable(),
    created_at: instantNow(),
    sent_at: instant().nullable(),
  },
  {
    indexes: {
      due: ["next_attempt_at"],
      invite_id: ["organization_id", "invite_id"],
      recipient: ["recipient", "created_at"],
    },
    checks: ["invite", "sent"],
  },
);
export type OutgoingMail = Row<typeof OutgoingMail>;

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

/** The event that an admin sends to test a webhook. */
export const webhookTest = "webhook.test";

export const Webhook = table(
  "webhooks",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    url: text(),
    events: texts(),
    secret_encrypted: bytes(),
    is_active: flag().default(true),
    /** When the webhook stopped because its address responded badly. */
    failing_since: instant().nullable(),
    /** Until then, one node delivers to the webhook, or the webhook pauses after a failure. */
    busy_until: instantNow(),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  { checks: ["url"] },
);
export type Webhook = Row<typeof Webhook>;

/** A webhook that is busy until then is a sample of the demo: its address doesn't exist. */
export const sampleUntil = new Date("2999-01-01T00:00:00Z");

const deliveryStates = ["queued", "delivered", "failed"] as const;

/** Ids of the affected records. A receiver with access reads the details from the server. */
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
    /** The event's id. Equal for every retry and every address. */
    id: text().primary(),
    type: text<WebhookEvent | typeof webhookTest>(),
    data: json<WebhookData>(),
    state: oneOf(deliveryStates).default("queued"),
    attempts: integer().default(0),
    next_attempt_at: instantNow(),
    /** Fettle's wording. Never contains the response. */
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
