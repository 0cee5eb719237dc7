import { IsNull, Not, type Tx } from "../../db/database.js";
import {
  IdentityProvider,
  IdentityProviderDomain,
  ProviderIdentity,
} from "../../db/entities/identity-providers.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { confirmAccess } from "../access/confirm-access.js";
import { requireOrganizationOwner } from "../access/roles.js";
import { operatorName, recordActivity, recordCallerActivity } from "../audit/record-activity.js";
import type { MailCipher } from "../messaging/mail-cipher.js";
import { mayQueueNotice, queueNotice, type NoticeServices } from "../messaging/outbox.js";
import type { OrganizationRow } from "../organizations/organizations.js";
import { findOwners } from "../organizations/owners.js";
import { toLookup } from "../shared/emails.js";
import { domainSql, requiresSsoSql } from "./sso-required-sql.js";
import { decideOnProvider, lockProvider } from "./providers.js";

export interface SsoRule {
  on: boolean;
  /** The owner who can still sign in another way. */
  breakGlassOwner: string | null;
}

/**
 * Makes the provider the only way in for people of the verified domains, or ends that rule.
 * Starting requires that the caller has signed in with the provider. All owners are notified when
 * the rule ends.
 */
export async function setSsoRequired(
  tx: Tx,
  caller: Caller,
  mails: MailCipher,
  { on, breakGlassOwner }: SsoRule,
): Promise<boolean> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  const present = await lockProvider(tx, caller);
  if (present === undefined) throw new AppError("invalid_transition", "no_identity_provider");
  const { organizationId: organization_id } = caller;
  const name = await findOwner(tx, caller, breakGlassOwner);
  if (on && !present.sso_required) await requireTried(tx, caller, present.issuer);
  const break_glass_owner_id = on ? breakGlassOwner : null;
  if (on === present.sso_required && break_glass_owner_id === present.break_glass_owner_id)
    return false;
  await tx.update(
    IdentityProvider,
    { organization_id },
    { sso_required: on, break_glass_owner_id },
  );
  await recordCallerActivity(tx, caller, on ? "sso_required_started" : "sso_required_ended", {
    issuer: present.issuer,
    ...(on && { break_glass_owner: name ?? null, user_id: breakGlassOwner }),
  });
  if (on) return true;
  // Confirm access first: an email to an owner waits for locks on their address.
  await confirmAccess(tx, caller);
  await tellOwners(tx, caller, mails);
  return true;
}

/**
 * Ends the rule for people who can't sign in because the provider is gone. For operators. Returns
 * false if there was no rule. Without `services`, no emails are sent.
 */
export async function endSsoRequired(
  tx: Tx,
  services: NoticeServices | undefined,
  { id, name }: OrganizationRow,
): Promise<boolean> {
  const present = await lockProvider(tx, { organizationId: id });
  if (present?.sso_required !== true) return false;
  const actorName = operatorName;
  await tx.update(
    IdentityProvider,
    { organization_id: id },
    { sso_required: false, break_glass_owner_id: null },
  );
  const details = { issuer: present.issuer };
  await recordActivity(tx, { organizationId: id, actorName, type: "sso_required_ended", details });
  if (services === undefined) return true;
  const { mails, baseUrl } = services;
  const ending = { organizationId: id, organizationName: name, userName: actorName, baseUrl };
  await tellOwners(tx, ending, mails);
  return true;
}

async function requireTried(
  tx: Tx,
  { organizationId: organization_id, userId: user_id }: Caller,
  issuer: string,
): Promise<void> {
  if (!(await tx.exists(ProviderIdentity, { organization_id, user_id, issuer }))) {
    throw new AppError("invalid_transition", "own_sign_in_first");
  }
  if (!(await tx.exists(IdentityProviderDomain, { organization_id, verified_at: Not(IsNull()) }))) {
    throw new AppError("invalid_transition", "no_verified_domain");
  }
}

async function findOwner(
  tx: Tx,
  { organizationId }: Caller,
  userId: string | null,
): Promise<string | undefined> {
  if (userId === null) return undefined;
  const owner = (await findOwners(tx, organizationId)).find(({ id }) => id === userId);
  if (owner !== undefined) return owner.name;
  throw new AppError("validation_failed", "no_break_glass_owner", { field: "break_glass_owner" });
}

/**
 * Per hour. More notices tell an owner nothing new, and toggling the rule repeatedly would fill the
 * outbox.
 */
const maxNotices = 20;

async function tellOwners(
  tx: Tx,
  ending: Pick<Caller, "organizationId" | "organizationName" | "userName" | "baseUrl">,
  mails: MailCipher,
): Promise<void> {
  const { organizationId, organizationName: organization, userName: by, baseUrl } = ending;
  const settings = `${baseUrl}/settings/organization/provider`;
  for (const { email: recipient } of await findOwners(tx, organizationId)) {
    const notice = { kind: "sso_required_ended", organization, by, settings } as const;
    if (!(await mayQueueNotice(tx, recipient, [notice.kind], maxNotices))) continue;
    await queueNotice(tx, mails, { recipient, notice, organizationId });
  }
}

export async function requiresSso(db: Tx, userId: string): Promise<boolean> {
  const row = await db.maybe<{ has: boolean }>(
    `SELECT ${requiresSsoSql("u")} AS has FROM users u WHERE u.id = $1`,
    [userId],
  );
  return row?.has === true;
}

/**
 * Returns true if people of the email's domain can sign in only with their provider. The answer
 * depends only on the domain, so it doesn't reveal accounts.
 */
export async function emailRequiresSso(
  db: Tx,
  email: string,
  organizationId?: string,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM identity_provider_domains d
     JOIN identity_providers p ON p.organization_id = d.organization_id AND p.sso_required
     WHERE d.domain = ${domainSql("$1")} AND d.verified_at IS NOT NULL
       AND ($2::text IS NULL OR d.organization_id = $2)`,
    [toLookup(email), organizationId ?? null],
  );
  return rows.length > 0;
}
