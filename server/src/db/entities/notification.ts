import { flag, instant, instantNow, oneOf, text } from "../columns.js";
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
