import type { Tx } from "../../db/database.js";
import { RecoveryCode } from "../../db/entities/accounts.js";
import { lockSession } from "../access/lock-session.js";
import type { AccountPerson } from "./accounts.js";
import { deleteOtherSessions } from "./sessions.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import type { SecondFactorChange } from "../messaging/mail-cipher.js";
import { mayQueueNotice, queueNotice, type NoticeServices } from "../messaging/outbox.js";
import { AppError } from "../../errors.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { lockAccount } from "../../db/locks.js";
import { hasSecondFactorSql } from "./second-factor-sql.js";
import type { JsonCipher } from "../shared/encryption.js";
import { makeRecoveryCodes } from "./recovery-codes.js";

export interface SecondFactorServices extends NoticeServices {
  /** Encrypts the secrets of authenticator apps. */
  secrets: JsonCipher;
}

export interface FactorOwner {
  person: AccountPerson;
  sessionId: string;
  origin: Origin;
}

export interface FactorChange {
  type: SecondFactorChange;
  /** The passkey's name. */
  name?: string;
}

/**
 * Adds a factor. The first factor returns recovery codes and ends every other session, because
 * those signed in without one. Locks the person's factors.
 */
export async function addFactor(
  tx: Tx,
  services: SecondFactorServices,
  owner: FactorOwner,
  change: FactorChange,
  add: () => Promise<void>,
): Promise<string[] | undefined> {
  const { person, sessionId } = owner;
  const isFirst = !(await lockFactors(tx, person.id));
  await lockSession(tx, sessionId);
  await add();
  await tellOfChange(tx, services, person, change, owner.origin);
  if (!isFirst) return undefined;
  await deleteOtherSessions(tx, person.id, sessionId);
  return makeRecoveryCodes(tx, person.id);
}

/**
 * Removes a factor, and the recovery codes with the last one. Returns false if it was already gone.
 */
export async function removeFactor(
  tx: Tx,
  services: SecondFactorServices,
  { person, sessionId, origin }: FactorOwner,
  change: FactorChange,
  remove: () => Promise<boolean>,
): Promise<boolean> {
  await lockFactors(tx, person.id);
  await lockSession(tx, sessionId);
  if (!(await remove())) return false;
  if (!(await hasSecondFactor(tx, person.id))) {
    await refuseWhereNeeded(tx, person.id);
    await tx.delete(RecoveryCode, { user_id: person.id });
  }
  await tellOfChange(tx, services, person, change, origin);
  return true;
}

/** Locks the person's factors until the transaction ends. Returns true if the person has one. */
export async function lockFactors(tx: Tx, userId: string): Promise<boolean> {
  await lockAccount(tx, userId);
  return hasSecondFactor(tx, userId);
}

async function hasSecondFactor(db: Tx, userId: string): Promise<boolean> {
  const row = await db.maybe<{ has: boolean }>(`SELECT ${hasSecondFactorSql("$1::text")} AS has`, [
    userId,
  ]);
  return row?.has === true;
}

/**
 * Throws if an organization requires the factor, for the person's role or for an app's permission
 * to delete.
 */
async function refuseWhereNeeded(tx: Tx, userId: string): Promise<void> {
  const row = await tx.maybe<{ name: string }>(
    `SELECT o.name FROM organization_members m JOIN organizations o ON o.id = m.organization_id
     WHERE m.user_id = $1 AND m.removed_at IS NULL
       AND (o.admins_need_second_factor AND m.role <> 'member'
         OR o.destructive_needs_second_factor AND (
           EXISTS (SELECT FROM oauth_connections c
             WHERE c.organization_id = o.id AND c.user_id = m.user_id AND ${liveConnectionSql("c")}
               AND 'mcp_destructive' = ANY (c.scopes))
           -- An app that was allowed to, and has yet to get its first token.
           OR EXISTS (SELECT FROM oauth_authorization_codes a
             WHERE a.organization_id = o.id AND a.user_id = m.user_id AND a.consumed_at IS NULL
               AND a.expires_at > app_now() AND 'mcp_destructive' = ANY (a.scopes))))
     ORDER BY lower(o.name), o.id LIMIT 1`,
    [userId],
  );
  const organization = row?.name;
  if (organization === undefined) return;
  throw new AppError("invalid_transition", "last_second_factor", { organization });
}

/** Writes to the activity log. Also emails the person if `services` is given. */
export async function tellOfChange(
  tx: Tx,
  services: Pick<SecondFactorServices, "mails" | "baseUrl"> | undefined,
  person: AccountPerson,
  { type, name }: FactorChange,
  origin?: Origin,
): Promise<void> {
  await recordActivity(tx, {
    userId: person.id,
    actorName: person.name,
    type,
    details: name === undefined ? {} : { name },
    origin,
  });
  if (services === undefined) return;
  await sendNotice(tx, services, person, { type, ...(name !== undefined && { name }) });
}

/** Per hour. More notices tell a person nothing new, and everyone's emails queue behind them. */
const maxNotices = 20;

async function sendNotice(
  tx: Tx,
  { mails, baseUrl }: Pick<SecondFactorServices, "mails" | "baseUrl">,
  { email: recipient }: AccountPerson,
  { type: change, name }: { type: SecondFactorChange; name?: string },
): Promise<void> {
  const security = `${baseUrl}/settings/security`;
  const notice = { kind: "second_factor_changed", change, security } as const;
  if (!(await mayQueueNotice(tx, recipient, [notice.kind], maxNotices))) return;
  await queueNotice(tx, mails, {
    recipient,
    notice: { ...notice, ...(name !== undefined && { name }) },
  });
}
