import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { MailLimit } from "../shared/common-texts.js";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import type { InviteRecord } from "./invite-references.js";

const minute = 60_000;
const day = 24 * 60 * minute;
const maxResendsADay = 5;
/** One invitation and all its resends. */
const maxMailsADay = 1 + maxResendsADay;
/** Far more than anyone invites by hand. Prevents mass email by an organization. */
const maxMailsOfOrganizationADay = 500;

/**
 * Throws if a resend is too early. Returns the resends of the last 24 hours. The first may follow
 * the invitation at once, then one per minute and five per day.
 */
export function checkResends(invite: InviteRecord, at: Date): Date[] {
  const { sent_count: sent, last_sent_at: last, recent_resends: resends } = invite;
  if (sent > 1) refuseUntil(last.getTime() + minute, at, { field: "invite_id" });
  const recent = resends.filter((earlier) => earlier.getTime() > at.getTime() - day);
  const [oldest] = recent.toSorted((one, two) => one.getTime() - two.getTime());
  if (oldest !== undefined && recent.length >= maxResendsADay) {
    const limit = { of: "invitation", max: maxResendsADay } as const;
    refuseUntil(oldest.getTime() + day, at, { field: "invite_id", limit });
  }
  return recent;
}

/**
 * Limits invitation emails to six per organization and address in 24 hours, counting all
 * invitations, even withdrawn ones. Also limits them to 500 per organization. Call it after the
 * invitation is stored. Concurrent calls for one address wait for each other.
 */
export async function refuseTooManyMails(
  tx: Tx,
  caller: Caller,
  { email }: { email: string },
  field: "email" | "invite_id",
): Promise<void> {
  await tx.query(
    "SELECT pg_advisory_xact_lock(hashtextextended('mails to ' || lower($2) || ' ' || $1, 0))",
    [caller.organizationId, email],
  );
  const at = nowOf(caller);
  const mails = await tx.query<{ sent_at: Date }>(
    `SELECT sent_at FROM invites i
     CROSS JOIN LATERAL unnest(i.created_at || i.recent_resends) AS mail (sent_at)
     WHERE i.organization_id = $1 AND i.email = $2::citext AND sent_at > $3
     ORDER BY sent_at DESC LIMIT $4`,
    [caller.organizationId, email, new Date(at.getTime() - day), maxMailsADay + 1],
  );
  // The current email comes first. The sixth one before it must be a day old.
  const sixth = mails[maxMailsADay];
  const limit = { of: "address", max: maxMailsADay } as const;
  if (sixth !== undefined) refuseUntil(sixth.sent_at.getTime() + day, at, { field, limit });
  await refuseTooManyOfAll(tx, caller, at, field);
}

async function refuseTooManyOfAll(
  tx: Tx,
  caller: Caller,
  at: Date,
  field: "email" | "invite_id",
): Promise<void> {
  const mails = await tx.query<{ sent_at: Date }>(
    `SELECT sent_at FROM invites i
     CROSS JOIN LATERAL unnest(i.created_at || i.recent_resends) AS mail (sent_at)
     WHERE i.organization_id = $1 AND i.last_sent_at > $2 AND sent_at > $2
     ORDER BY sent_at DESC OFFSET ${maxMailsOfOrganizationADay} LIMIT 1`,
    [caller.organizationId, new Date(at.getTime() - day)],
  );
  const limit = { of: "organization", max: maxMailsOfOrganizationADay } as const;
  for (const { sent_at } of mails) refuseUntil(sent_at.getTime() + day, at, { field, limit });
}

function refuseUntil(
  next: number,
  at: Date,
  given: { field: "email" | "invite_id"; limit?: MailLimit },
): void {
  const seconds = Math.ceil((next - at.getTime()) / 1000);
  if (seconds <= 0) return;
  const details = { ...given, retry_after_seconds: seconds };
  throw new AppError("rate_limited", "too_many_mails", details);
}
