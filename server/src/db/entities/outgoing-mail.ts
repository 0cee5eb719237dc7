import { EntitySchema } from "typeorm";

export type MailStatus = "queued" | "sent" | "failed" | "kept";

export type MailKind =
  "invitation" | "password_reset" | "sign_up" | "account_exists" | "connection_ended";

export interface OutgoingMail {
  id: string;
  kind: MailKind;
  organizationId: string | null;
  inviteId: string | null;
  recipient: string;
  /** Sealed, because links that let people in stand in it; NULL once the mail is sent. */
  bodySealed: Buffer | null;
  /** "kept": written while no mail server was set, for admins to read and never sent. */
  status: MailStatus;
  attempts: number;
  /** Also moved ahead while a node tries, so that no other one does. */
  nextAttemptAt: Date;
  /** In our words: never an address, a link, or what a mail server answered. */
  lastError: string | null;
  /** From then on there is no use in sending it; its link is dead. */
  expiresAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
}

export const OutgoingMailEntity = new EntitySchema<OutgoingMail>({
  name: "OutgoingMail",
  tableName: "mail_outbox",
  columns: {
    id: {
      type: "bigint",
      primary: true,
      primaryKeyConstraintName: "mail_outbox_pkey",
      generated: "increment",
    },
    kind: { type: "text" },
    organizationId: { name: "organization_id", type: "text", nullable: true },
    inviteId: { name: "invite_id", type: "text", nullable: true },
    recipient: { type: "citext" },
    bodySealed: { name: "body_sealed", type: "bytea", nullable: true },
    status: { type: "text" },
    attempts: { type: "integer", default: 0 },
    nextAttemptAt: { name: "next_attempt_at", type: "timestamptz" },
    lastError: { name: "last_error", type: "text", nullable: true },
    expiresAt: { name: "expires_at", type: "timestamptz", nullable: true },
    createdAt: { name: "created_at", type: "timestamptz", default: () => "now()" },
    sentAt: { name: "sent_at", type: "timestamptz", nullable: true },
  },
  foreignKeys: [
    {
      name: "mail_outbox_organization_id_fkey",
      target: "Organization",
      columnNames: ["organizationId"],
      referencedColumnNames: ["id"],
      onDelete: "CASCADE",
    },
    {
      name: "mail_outbox_invite_id_fkey",
      target: "Invite",
      columnNames: ["organizationId", "inviteId"],
      referencedColumnNames: ["organizationId", "id"],
      onDelete: "CASCADE",
    },
  ],
  indices: [
    { name: "mail_outbox_due_idx", columns: ["nextAttemptAt"], where: "status = 'queued'" },
    { name: "mail_outbox_invite_id_idx", columns: ["organizationId", "inviteId"] },
    {
      name: "mail_outbox_recipient_idx",
      columns: ["recipient", "createdAt"],
      where: "invite_id IS NULL",
    },
  ],
  checks: [
    {
      name: "mail_outbox_kind_check",
      expression:
        "kind IN ('invitation', 'password_reset', 'sign_up', 'account_exists', 'connection_ended')",
    },
    {
      name: "mail_outbox_invite_check",
      expression: "kind <> 'invitation' OR num_nonnulls(organization_id, invite_id) = 2",
    },
    {
      name: "mail_outbox_status_check",
      expression: "status IN ('queued', 'sent', 'failed', 'kept')",
    },
    {
      name: "mail_outbox_sent_check",
      expression:
        "(status = 'sent') = (sent_at IS NOT NULL) AND (status = 'sent') = (body_sealed IS NULL)",
    },
  ],
});
