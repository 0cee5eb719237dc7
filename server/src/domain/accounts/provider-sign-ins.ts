import type { Tx } from "../../db/database.js";
import type { IdentityProvider } from "../../db/entities/identity-providers.js";
import { AppError } from "../../errors.js";
import { insertAccount, type AccountPerson } from "./accounts.js";
import { verifyEmail } from "./email-verification.js";
import { acceptOpenInvitations, hasOpenInvitation } from "../people/invite-acceptance.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import { lockAccount } from "../../db/locks.js";
import { domainSql } from "./sso-required-sql.js";
import { hasSecondFactorSql, secondFactorSinceSql } from "./second-factor-sql.js";
import { cleanEmail, toLookup } from "../shared/emails.js";
import type { JsonCipher } from "../shared/encryption.js";
import { cleanText } from "../shared/text.js";
import type { ProviderAccess, ProviderClaims } from "./provider-client.js";
import { toAccess } from "./providers.js";

export interface SignInProvider {
  organizationId: string;
  organizationName: string;
  verifiesAddresses: boolean;
  access: ProviderAccess;
}

/** Returns the provider for an email, whether or not an account exists. */
export async function findProviderOfEmail(
  db: Tx,
  secrets: JsonCipher,
  email: string,
): Promise<SignInProvider | undefined> {
  return findProvider(
    db,
    secrets,
    `p.organization_id = (SELECT d.organization_id FROM identity_provider_domains d
       WHERE d.domain = ${domainSql("$1")} AND d.verified_at IS NOT NULL)`,
    toLookup(email),
  );
}

export async function findProviderOf(
  db: Tx,
  secrets: JsonCipher,
  organizationId: string,
): Promise<SignInProvider | undefined> {
  return findProvider(db, secrets, "p.organization_id = $1", organizationId);
}

async function findProvider(
  db: Tx,
  secrets: JsonCipher,
  condition: string,
  value: string,
): Promise<SignInProvider | undefined> {
  const row = await db.maybe<IdentityProvider & { name: string }>(
    `SELECT p.*, o.name FROM identity_providers p JOIN organizations o ON o.id = p.organization_id
     WHERE ${condition}`,
    [value],
  );
  const access = row && toAccess(row, secrets);
  if (row === undefined || access === undefined) return undefined;
  return {
    organizationId: row.organization_id,
    organizationName: row.name,
    verifiesAddresses: row.verifies_addresses,
    access,
  };
}

export type ProviderRefusal =
  "no_address" | "not_verified" | "other_domain" | "other_subject" | "not_invited";

/**
 * The person that the provider identifies: a member, an invited person, or a refusal. A binding
 * older than the account's second factors doesn't count, because no factor was shown.
 */
export type ProviderPerson =
  | { is: "member"; person: AccountPerson; isBound: boolean; hasSecondFactor: boolean }
  | { is: "invited"; email: string; account: AccountPerson | undefined }
  | { is: "refused"; why: ProviderRefusal };

interface AccountRow extends AccountPerson {
  is_bound: boolean;
  is_member: boolean;
  is_active: boolean;
  has_subject: boolean;
  has_second_factor: boolean;
  /** True if the binding is older than all of the second factors. */
  is_older_than_factors: boolean;
}

/**
 * Finds the person by a known subject, else by the verified email. An email without a known subject finds only a
 * member to whom the provider has given no other subject. This prevents the takeover of accounts.
 */
export async function findProviderPerson(
  db: Tx,
  { organizationId, verifiesAddresses }: SignInProvider,
  { issuer, subject, email: given, emailVerified = verifiesAddresses }: ProviderClaims,
): Promise<ProviderPerson> {
  const email = toEmail(given);
  if (email === undefined) return refused("no_address");
  if (!emailVerified) return refused("not_verified");
  if (!(await isOwnDomain(db, organizationId, email))) return refused("other_domain");
  const row = await findAccount(db, [organizationId, issuer, subject, email]);
  if (row === undefined) return findInvited(db, organizationId, email);
  if (!row.is_active) return refused("not_invited");
  // A subject can outlive the organization's ownership of the domain.
  if (!(await isOwnDomain(db, organizationId, row.email))) return refused("other_domain");
  const person = { id: row.id, name: row.name, email: row.email };
  if (row.is_member) return toMember(row, person);
  const comesBack = await mayComeBack(db, organizationId, row);
  return comesBack ? { is: "invited", email: row.email, account: person } : refused("not_invited");
}

function toMember(row: AccountRow, person: AccountPerson): ProviderPerson {
  if (!row.is_bound && row.has_subject) return refused("other_subject");
  const isBound = row.is_bound && !row.is_older_than_factors;
  return { is: "member", person, isBound, hasSecondFactor: row.has_second_factor };
}

/**
 * True for a person who left and is invited again. Other people's accounts stay theirs. A person
 * with their own second factor signs in with it and opens the invitation link.
 */
async function mayComeBack(
  db: Tx,
  organizationId: string,
  { is_bound, has_second_factor, email }: AccountRow,
): Promise<boolean> {
  return is_bound && !has_second_factor && (await hasOpenInvitation(db, organizationId, email));
}

async function findInvited(db: Tx, organizationId: string, email: string): Promise<ProviderPerson> {
  const isInvited = await hasOpenInvitation(db, organizationId, email);
  return isInvited ? { is: "invited", email, account: undefined } : refused("not_invited");
}

async function findAccount(
  db: Tx,
  values: [organizationId: string, issuer: string, subject: string, email: string],
): Promise<AccountRow | undefined> {
  return db.maybe<AccountRow>(
    `SELECT u.id, u.name, u.email::text AS email, u.deactivated_at IS NULL AS is_active,
       i.user_id IS NOT NULL AS is_bound, m.user_id IS NOT NULL AS is_member,
       EXISTS (SELECT FROM provider_identities x WHERE x.user_id = u.id
         AND x.organization_id = $1 AND x.issuer = $2) AS has_subject,
       ${hasSecondFactorSql("u.id")} AS has_second_factor,
       coalesce(i.created_at <= ${secondFactorSinceSql("u.id")}, FALSE) AS is_older_than_factors
     FROM users u
     LEFT JOIN provider_identities i ON i.organization_id = $1 AND i.issuer = $2
       AND i.subject = $3 AND i.user_id = u.id
     LEFT JOIN organization_members m ON m.organization_id = $1 AND m.user_id = u.id
       AND m.removed_at IS NULL
     WHERE u.email = $4::citext OR u.id = (SELECT b.user_id FROM provider_identities b
       WHERE b.organization_id = $1 AND b.issuer = $2 AND b.subject = $3)
     ORDER BY is_bound DESC LIMIT 1`,
    values,
  );
}

function refused(why: ProviderRefusal): ProviderPerson {
  return { is: "refused", why };
}

function toEmail(given = ""): string | undefined {
  try {
    return cleanEmail(given);
  } catch {
    return undefined;
  }
}

async function isOwnDomain(db: Tx, organizationId: string, email: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM identity_provider_domains d WHERE d.organization_id = $1
       AND d.domain = ${domainSql("$2")} AND d.verified_at IS NOT NULL`,
    [organizationId, email],
  );
  return rows.length > 0;
}

/**
 * Lets an invited person join. Without an account, they get one that has no password. Fails if the
 * provider or domain is gone meanwhile, because binding happens in the same transaction.
 */
export async function joinByInvitation(
  tx: Tx,
  subject: ProviderSubject,
  { email, account }: { email: string; account: AccountPerson | undefined },
  { name, origin }: { name: string | undefined; origin: Origin },
): Promise<AccountPerson> {
  const person = account ?? (await insertAccount(tx, { email, name: toName(name, email) }, origin));
  await acceptOpenInvitations(tx, subject.organizationId, person, origin);
  await verifyEmail(tx, person, origin);
  await bindSubject(tx, person, subject, origin);
  return person;
}

function toName(given: string | undefined, email: string): string {
  try {
    return cleanText(given ?? "", { field: "name", max: 120 });
  } catch {
    return email.split("@", 1)[0]?.slice(0, 120) ?? email;
  }
}

export interface ProviderSubject {
  organizationId: string;
  issuer: string;
  subject: string;
  multiFactor: boolean;
}

/**
 * Binds a member's account to the subject at the first sign-in, and again at the first that shows a
 * newer second factor. Records every other sign-in. Throws if anything changed since the person was
 * found.
 */
export async function bindSubject(
  tx: Tx,
  person: AccountPerson,
  given: ProviderSubject & { showsFactor?: boolean },
  origin: Origin,
): Promise<void> {
  const { organizationId, issuer, subject, multiFactor, showsFactor = false } = given;
  await lockAccount(tx, person.id);
  const bound = await tx.maybe<{ is_first: boolean }>(
    `INSERT INTO provider_identities AS i
       (organization_id, issuer, subject, user_id, multi_factor, created_at, last_used_at)
     SELECT p.organization_id, p.issuer, $3, m.user_id, $5, app_now(), app_now()
     FROM identity_providers p JOIN organization_members m
       ON m.organization_id = p.organization_id AND m.user_id = $4 AND m.removed_at IS NULL
     JOIN users u ON u.id = m.user_id AND u.deactivated_at IS NULL
     JOIN identity_provider_domains d ON d.organization_id = p.organization_id
       AND d.domain = ${domainSql("u.email")} AND d.verified_at IS NOT NULL
     WHERE p.organization_id = $1 AND p.issuer = $2
       AND NOT EXISTS (SELECT FROM provider_identities x WHERE x.user_id = $4
         AND x.organization_id = $1 AND x.issuer = $2 AND x.subject <> $3)
     ON CONFLICT ON CONSTRAINT provider_identities_pkey DO UPDATE
       SET multi_factor = excluded.multi_factor, last_used_at = excluded.last_used_at,
         created_at = CASE WHEN $6 AND i.created_at <= ${secondFactorSinceSql("excluded.user_id")}
           THEN excluded.created_at ELSE i.created_at END
       WHERE i.user_id = excluded.user_id
     RETURNING created_at = last_used_at AS is_first`,
    [organizationId, issuer, subject, person.id, multiFactor, showsFactor],
  );
  if (bound === undefined) throw new AppError("forbidden", "access_changed");
  if (!bound.is_first) return;
  await recordActivity(tx, {
    organizationId,
    userId: person.id,
    actorName: person.name,
    type: "provider_identity_bound",
    details: { issuer },
    origin,
  });
}
