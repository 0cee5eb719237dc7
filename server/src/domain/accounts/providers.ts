import type { Database, Tx } from "../../db/database.js";
import {
  IdentityProvider,
  IdentityProviderDomain,
  ProviderIdentity,
} from "../../db/entities/identity-providers.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationAdmin, requireOrganizationOwner } from "../access/roles.js";
import { assertUnchanged, contentHash } from "../history/content-hash.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { findOwners, type Owner } from "../organizations/owners.js";
import { endWhatLacksOne } from "../organizations/organization-rules.js";
import { lockOrganization } from "../../db/locks.js";
import { renewSecrets } from "../shared/renew-secrets.js";
import type { JsonCipher } from "../shared/encryption.js";
import { omit } from "../shared/omit.js";
import { cleanText } from "../shared/text.js";
import type { ProviderAccess } from "./provider-client.js";

export const decideOnProvider = "change how people sign in";

export type StoredProvider = Omit<IdentityProvider, "client_secret_encrypted">;

/** An organization's sign-in settings, for owners and admins. They contain no secret. */
export interface ProviderSettings {
  provider: StoredProvider | null;
  /** Sorted by name. */
  domains: IdentityProviderDomain[];
  owners: Owner[];
  /** The owner who can still sign in another way. */
  break_glass_owner_name: string | null;
  /** Number of people who have signed in with the current provider. */
  people: number;
  /** True if the caller has signed in with the current provider. */
  has_own: boolean;
}

export async function getProviderSettings(db: Tx, caller: Caller): Promise<ProviderSettings> {
  await requireOrganizationAdmin(db, caller, "view how people sign in");
  const { organizationId: organization_id, userId } = caller;
  const found = await db.findOne(IdentityProvider, { where: { organization_id } });
  const domains = await db.find(IdentityProviderDomain, {
    where: { organization_id },
    order: { domain: "ASC" },
  });
  const owners = await findOwners(db, organization_id);
  const ofProvider = { organization_id, issuer: found?.issuer ?? "" };
  return {
    provider: found === undefined ? null : omit(found, "client_secret_encrypted"),
    domains,
    owners,
    break_glass_owner_name:
      owners.find(({ id }) => id === found?.break_glass_owner_id)?.name ?? null,
    people: await db.count(ProviderIdentity, ofProvider),
    has_own: await db.exists(ProviderIdentity, { ...ofProvider, user_id: userId }),
  };
}

export interface GivenProvider {
  issuer: string;
  client_id: string;
  /** If omitted, the stored secret is kept. */
  client_secret?: string | undefined;
  verifies_addresses: boolean;
  /** The values that the change is based on. See `readingOfProvider`. */
  expected?: number | undefined;
}

/**
 * A hash of the provider's settings without the secret. A form contains the secret only to replace
 * it.
 */
export function readingOfProvider(provider: ProviderValues | null | undefined): number {
  return contentHash(pickValues(provider));
}

type ProviderValues = Pick<IdentityProvider, "issuer" | "client_id" | "verifies_addresses">;

function pickValues(provider: ProviderValues | null | undefined): Partial<ProviderValues> {
  if (provider == null) return {};
  const { issuer, client_id, verifies_addresses } = provider;
  return { issuer, client_id, verifies_addresses };
}

/** Saves the provider. Throws for another issuer while the provider is the only way in. */
export async function saveProvider(
  tx: Tx,
  caller: Caller,
  secrets: JsonCipher,
  given: GivenProvider,
): Promise<Pick<StoredProvider, "issuer">> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  const present = await lockProvider(tx, caller);
  const issuer = cleanIssuer(given.issuer, caller.baseUrl);
  const { issuer: before, sso_required: isRequired } = present ?? {};
  const isOther = issuer !== before;
  if (isOther && isRequired === true) throw ssoIsRequired();
  const { client_secret: secret, verifies_addresses } = given;
  const client_id = cleanText(given.client_id, { field: "client_id", max: 300 });
  if (readingOfProvider({ issuer, client_id, verifies_addresses }) !== readingOfProvider(present)) {
    assertUnchanged("organization", pickValues(present), given.expected);
  }
  if (isOther && secret === undefined) {
    // The secret was entered for one provider and must not reach another.
    throw new AppError("validation_failed", "missing", { field: "client_secret" });
  }
  const values = {
    issuer,
    client_id,
    verifies_addresses,
    updated_at: () => "app_now()",
    ...(secret !== undefined && {
      client_secret_encrypted: secrets.encrypt({
        secret: cleanText(secret, { field: "client_secret", max: 1000 }),
      }),
    }),
  };
  const mine = { organization_id: caller.organizationId };
  if (present === undefined) await tx.insert(IdentityProvider, { ...mine, ...values });
  else await tx.update(IdentityProvider, mine, values);
  const former = isOther ? before : undefined;
  if (former !== undefined) await endWhatLacksOne(tx, caller);
  await recordCallerActivity(tx, caller, "identity_provider_saved", {
    issuer,
    client_id: values.client_id,
    verifies_addresses,
    secret_changed: secret !== undefined,
    ...(former !== undefined && { former_issuer: former }),
  });
  return { issuer };
}

/** Removes the provider. Its bound subjects are kept in case it is added again. */
export async function removeProvider(tx: Tx, caller: Caller): Promise<void> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  const present = await lockProvider(tx, caller);
  if (present === undefined) return;
  if (present.sso_required) throw ssoIsRequired();
  const { organizationId: organization_id } = caller;
  await tx.delete(IdentityProvider, { organization_id });
  await endWhatLacksOne(tx, caller);
  await recordCallerActivity(tx, caller, "identity_provider_removed", { issuer: present.issuer });
}

/** Locks the provider, the domains and the sso-required rule until the transaction ends. */
export async function lockProvider(
  tx: Tx,
  { organizationId: organization_id }: Pick<Caller, "organizationId">,
): Promise<IdentityProvider | undefined> {
  await lockOrganization(tx, organization_id);
  return tx.findOne(IdentityProvider, { where: { organization_id } });
}

export function ssoIsRequired(): AppError {
  return new AppError("invalid_transition", "sso_is_required");
}

/** Returns the provider with its decrypted secret, or undefined if decryption fails. */
export function toAccess(
  {
    organization_id: organizationId,
    issuer,
    client_id: clientId,
    client_secret_encrypted,
  }: IdentityProvider,
  secrets: JsonCipher,
): ProviderAccess | undefined {
  const opened = secrets.decrypt(client_secret_encrypted) as { secret: string } | undefined;
  if (opened === undefined) return undefined;
  return { organizationId, issuer, clientId, clientSecret: opened.secret };
}

function cleanIssuer(value: string, baseUrl: string): string {
  const text = cleanText(value, { field: "issuer", max: 500 });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isProper =
    url?.protocol === "https:" &&
    url.username === "" &&
    url.password === "" &&
    !/[?#{}]|\/\.well-known\//.test(text);
  if (!isProper) throw new AppError("validation_failed", "no_issuer", { field: "issuer" });
  if (url.hostname === new URL(baseUrl).hostname) {
    throw new AppError("validation_failed", "own_issuer", { field: "issuer" });
  }
  // A trailing slash after a path is significant: some issuers contain one.
  return url.pathname === "/" ? text.replace(/\/$/, "") : text;
}

/** Re-encrypts secrets with the newest key. Earlier keys can then be removed. */
export async function renewProviderSecrets(db: Database, secrets: JsonCipher): Promise<void> {
  const place = { keys: ["organization_id"], secret: "client_secret_encrypted" };
  await renewSecrets(db, { table: "identity_providers", ...place }, secrets);
}

export type MemberIdentity = Pick<ProviderIdentity, "issuer" | "created_at" | "last_used_at">;

export async function findIdentityOf(
  db: Tx,
  { organizationId: organization_id }: Caller,
  userId: string,
): Promise<MemberIdentity | undefined> {
  const provider = await db.findOne(IdentityProvider, { where: { organization_id } });
  if (provider === undefined) return undefined;
  const { issuer } = provider;
  return db.findOne(ProviderIdentity, { where: { organization_id, issuer, user_id: userId } });
}

/** Removes a member's identity. Their next sign-in binds a new one. */
export async function releaseIdentity(
  tx: Tx,
  caller: Caller,
  member: { id: string; name: string },
): Promise<void> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  const identity = await findIdentityOf(tx, caller, member.id);
  if (identity === undefined) return;
  const { issuer } = identity;
  const { organizationId: organization_id } = caller;
  await tx.delete(ProviderIdentity, { organization_id, issuer, user_id: member.id });
  await endWhatLacksOne(tx, caller);
  await recordCallerActivity(tx, caller, "provider_identity_released", {
    issuer,
    user_id: member.id,
    name: member.name,
  });
}
