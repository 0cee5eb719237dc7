import type { Tx } from "../../db/database.js";
import { CalendarFeed, type CalendarCoverage } from "../../db/entities/tasks.js";
import type { Caller } from "../access/caller.js";
import { confirmAccess } from "../access/confirm-access.js";
import { lockSession } from "../access/lock-session.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { findMemberCaller } from "../people/member-caller.js";
import { createToken, idPrefixes } from "../shared/ids.js";
import { createSecret, hashSecret } from "../shared/secrets.js";

export type CalendarAddress = Pick<CalendarFeed, "covers" | "created_at" | "last_read_at">;

export async function findCalendarAddress(
  db: Tx,
  { organizationId: organization_id, userId: user_id }: Caller,
): Promise<CalendarAddress | null> {
  const select = { covers: true, created_at: true, last_read_at: true } as const;
  return (await db.findOne(CalendarFeed, { select, where: { organization_id, user_id } })) ?? null;
}

/**
 * Creates the person's only calendar address, replaces an earlier one, and returns its secret. The
 * secret begins with the organization, which is needed to look up its hash. Throws if the session
 * has ended, because ending a session ends the address.
 */
export async function makeCalendarAddress(
  tx: Tx,
  caller: Caller,
  { covers, sessionId }: { covers: CalendarCoverage; sessionId: string },
): Promise<string> {
  // Confirm access first: signing out and password changes wait for the locks taken below.
  await confirmAccess(tx, caller);
  await lockSession(tx, sessionId);
  const { organizationId, userId } = caller;
  const secret = organizationId.slice(idPrefixes.organization.length) + createSecret();
  await tx.query(
    `INSERT INTO calendar_feeds (organization_id, user_id, token_hash, covers)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT ON CONSTRAINT calendar_feeds_pkey DO UPDATE SET token_hash = excluded.token_hash,
       covers = excluded.covers, created_at = app_now(), last_read_at = NULL`,
    [organizationId, userId, hashSecret(secret), covers],
  );
  await recordCallerActivity(tx, caller, "calendar_address_made", { covers });
  return secret;
}

export async function revokeCalendarAddress(tx: Tx, caller: Caller): Promise<void> {
  await confirmAccess(tx, caller);
  const { organizationId: organization_id, userId: user_id } = caller;
  const affected = await tx.delete(CalendarFeed, { organization_id, user_id });
  if (affected === 0) return;
  await recordCallerActivity(tx, caller, "calendar_address_revoked", {});
}

export interface OpenedCalendar {
  /** The person with their current access. */
  caller: Caller;
  covers: CalendarCoverage;
}

const secretForm = new RegExp(`^([0-9a-z]{${createToken().length}})[\\w-]{43}$`);

/**
 * Returns the owner of a calendar by its secret. Undefined unless address, account and membership
 * are active. Visibility follows the person's roles at each request, as on pages.
 */
export async function openCalendar(
  db: Tx,
  baseUrl: string,
  secret: string,
): Promise<OpenedCalendar | undefined> {
  const [, organization] = secretForm.exec(secret) ?? [];
  if (organization === undefined) return undefined;
  const organizationId = idPrefixes.organization + organization;
  const feed = await db.findOne(CalendarFeed, {
    select: { user_id: true, covers: true },
    where: { organization_id: organizationId, token_hash: hashSecret(secret) },
  });
  if (feed === undefined) return undefined;
  const caller = await findMemberCaller(db, baseUrl, { organizationId, userId: feed.user_id });
  return caller && { caller, covers: feed.covers };
}

/** Records a read by a program, at most once an hour. Skips a locked row. */
export async function noteCalendarRead(db: Tx, { organizationId, userId }: Caller): Promise<void> {
  await db.query(
    `UPDATE calendar_feeds SET last_read_at = app_now()
     WHERE organization_id = $1 AND user_id IN (SELECT user_id FROM calendar_feeds
       WHERE organization_id = $1 AND user_id = $2
         AND coalesce(last_read_at, '-infinity') < app_now() - interval '1 hour'
       FOR NO KEY UPDATE SKIP LOCKED)`,
    [organizationId, userId],
  );
}
