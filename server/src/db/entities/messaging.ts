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

/** One mail each; a reminder is of what is due tomorrow and of what is overdue. */
export const notificationKinds = [
  "assigned",
  "reminder",
  "report_answered",
  "weekly_digest",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a person has been told of, or is to be told of. */
export const Notification = table(
  "notifications",
  {
    organization_id: text().primary(),
    user_id: text().primary().references("organization_members.user_id", "CASCADE"),
    kind: oneOf(notificationKinds).primary(),
    /** The id of the task or the report, or the day of the organization that the mail is of. */
    subject: text().primary(),
    /** Who assigned the task. */
    actor_user_id: text().nullable(),
    created_at: instantNow(),
    /** When its mail went into the outbox. */
    queued_at: instant().nullable(),
  },
  { indexes: { waiting: ["created_at"] } },
);
export type Notification = Row<typeof Notification>;

/** What a person said about mails; null where they said nothing. */
export const NotificationChoice = table("notification_choices", {
  organization_id: text().primary(),
  user_id: text().primary().references("organization_members.user_id", "CASCADE"),
  assigned: flag().nullable(),
  due_tomorrow: flag().nullable(),
  overdue: flag().nullable(),
  report_answered: flag().nullable(),
  weekly_digest: flag().nullable(),
});
export type NotificationChoice = Row<typeof NotificationChoice>;

const mailStatuses = ["queued", "sent", "failed", "kept"] as const;
export type MailStatus = (typeof mailStatuses)[number];

const mailKinds = [
  "invitation",
  "password_reset",
  "sign_up",
  "account_exists",
  "connection_ended",
  "second_factor_changed",
  "only_way_ended",
  "second_factor_guessed",
  "report_closed",
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
    /** Encrypted, because links that let people in stand in it; NULL once the mail is sent. */
    body_encrypted: bytes().nullable(),
    /** "kept": written while no mail server was set, for admins to read; sent only when an operator says so. */
    status: oneOf(mailStatuses),
    attempts: integer().default(0),
    /** Also moved ahead while a node tries, so that no other one does. */
    next_attempt_at: instant(),
    /** In our words: never an address, a link, or what a mail server answered. */
    last_error: text().nullable(),
    /** From then on there is no use in sending it; its link is dead. */
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
