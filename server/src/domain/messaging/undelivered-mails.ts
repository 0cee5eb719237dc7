import type { Tx } from "../../db/database.js";
import type { Invite } from "../../db/entities/people.js";
import type { MailStatus, OutgoingMail } from "../../db/entities/messaging.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import type { CursorCodec } from "../shared/cursors.js";
import { inviteStatusSql } from "../people/invite-status.js";
import {
  rowsAfterCursorSql,
  nextCursor,
  orderBy,
  positionOf,
  timeKey,
  type Order,
} from "../shared/keyset.js";
import { omit } from "../shared/omit.js";
import { toPage } from "../shared/page-rows.js";
import { createParameters } from "../../db/parameters.js";
import { requireOrganizationAdmin } from "../access/roles.js";
import type { MailCipher } from "./mail-cipher.js";

/** An undelivered email of an open invitation: it failed, or there is no mail server. */
export interface UndeliveredMail
  extends
    Pick<OutgoingMail, "id" | "recipient" | "created_at">,
    Pick<
      Invite,
      "organization_role" | "workspace_name" | "workspace_role" | "invited_by" | "expires_at"
    > {
  invite_id: string;
  status: Extract<MailStatus, "kept" | "failed">;
  reason: string | null;
  /** Undefined if its key is no longer configured. */
  link: string | undefined;
}

export interface UndeliveredMailPage {
  mails: UndeliveredMail[];
  total_count: number;
  next_cursor?: string;
}

const listed = { table: "mail_outbox", alias: "m" };
const newestFirst: Order = { keys: [timeKey("m.created_at")], direction: "DESC" };
const what = "view the organization's emails";

/** Invitations only. Only the account's owner may see sign-up and password links. */
const ofInvitations = `FROM mail_outbox m
  JOIN invites i ON i.organization_id = m.organization_id AND i.id = m.invite_id
  JOIN users u ON u.id = i.invited_by
  LEFT JOIN workspaces w ON w.organization_id = i.organization_id AND w.id = i.workspace_id
  WHERE m.organization_id = $1 AND m.kind = 'invitation'`;
const isWaiting = `m.status IN ('kept', 'failed') AND ${inviteStatusSql("i")} = 'pending'`;

/** Returns a page of emails that must be sent by hand, with their links, newest first. */
export async function listUndeliveredMails(
  db: Tx,
  caller: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { cursors, mails }: { cursors: CursorCodec; mails: MailCipher },
): Promise<UndeliveredMailPage> {
  await requireOrganizationAdmin(db, caller, what);
  const { organizationId } = caller;
  const scope = { organizationId, list: "kept_mails", sort: "-created_at", filters: {} };
  const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
  const parameters = createParameters(organizationId);
  const behind =
    after === undefined
      ? ""
      : ` AND ${await rowsAfterCursorSql(db, caller, listed, { order: newestFirst, after, parameters })}`;
  const [found, [count]] = await Promise.all([
    db.query<FoundMail>(
      `SELECT m.id, m.invite_id, m.recipient, m.status, m.body_encrypted,
         m.created_at, m.last_error AS reason, i.organization_role, i.workspace_role, i.expires_at,
         coalesce(w.name::text, i.workspace_name) AS workspace_name, u.name AS invited_by,
         ${positionOf(newestFirst)} AS position
       ${ofInvitations} AND ${isWaiting}${behind}
       ORDER BY ${orderBy(newestFirst, listed)} LIMIT ${parameters.add(limit + 1)}`,
      parameters.values,
    ),
    db.query<{ total: number }>(`SELECT count(*)::int AS total ${ofInvitations} AND ${isWaiting}`, [
      organizationId,
    ]),
  ]);
  const { rows, last } = toPage(found, limit, (row) => toUndeliveredMail(row, mails));
  return { mails: rows, total_count: count?.total ?? 0, ...nextCursor(cursors, scope, last) };
}

interface FoundMail extends Omit<UndeliveredMail, "link"> {
  body_encrypted: Buffer;
  position: string;
}

function toUndeliveredMail(row: FoundMail, mails: MailCipher): UndeliveredMail {
  return {
    ...omit(row, "body_encrypted", "position"),
    link: mails.decryptInvitation(row.body_encrypted)?.link,
  };
}

export interface Delivery extends Pick<
  OutgoingMail,
  "id" | "recipient" | "status" | "attempts" | "created_at" | "sent_at" | "next_attempt_at"
> {
  reason: string | null;
}

/** Returns the latest invitation emails that were sent or are queued, newest first. */
export async function findRecentDeliveries(
  db: Tx,
  caller: Caller,
  limit = 20,
): Promise<Delivery[]> {
  await requireOrganizationAdmin(db, caller, what);
  return db.query(
    `SELECT m.id, m.recipient::text AS recipient, m.status, m.attempts, m.created_at, m.sent_at,
       m.next_attempt_at, m.last_error AS reason
     FROM mail_outbox m
     WHERE m.organization_id = $1 AND m.kind = 'invitation' AND m.status IN ('queued', 'sent')
     ORDER BY coalesce(m.sent_at, m.created_at) DESC, m.id DESC LIMIT $2`,
    [caller.organizationId, limit],
  );
}

export interface InviteDelivery {
  status: MailStatus;
  reason: string | null;
  /** For admins, if the email wasn't delivered. Undefined if its key is no longer configured. */
  link: string | undefined;
}

/**
 * Returns the status of each invitation's newest email. Invitations without an email are absent.
 */
export async function findDeliveryStates(
  db: Tx,
  caller: Caller,
  inviteIds: readonly string[],
  mails: MailCipher,
): Promise<Map<string, InviteDelivery>> {
  if (inviteIds.length === 0) return new Map();
  const rows = await db.query<Omit<InviteDelivery, "link"> & Letter>(
    `SELECT DISTINCT ON (invite_id) invite_id, status, last_error AS reason,
       CASE WHEN status IN ('kept', 'failed') THEN body_encrypted END AS body_encrypted
       FROM mail_outbox
       WHERE organization_id = $1 AND invite_id = ANY ($2::text[]) AND kind = 'invitation'
       ORDER BY invite_id, id DESC`,
    [caller.organizationId, inviteIds],
  );
  const mayRead = isOrganizationAdmin(caller) && caller.lacksSecondFactor !== true;
  return new Map(
    rows.map(({ invite_id: id, body_encrypted: body, ...state }) => [
      id,
      { ...state, link: mayRead && body ? mails.decryptInvitation(body)?.link : undefined },
    ]),
  );
}

interface Letter {
  invite_id: string;
  body_encrypted: Buffer | null;
}
