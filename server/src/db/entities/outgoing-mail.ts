import { bigint, bytes, citext, instant, instantNow, integer, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import { notificationKinds } from "./notification.js";

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
