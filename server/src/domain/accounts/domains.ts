import { IsNull, Not, type Tx } from "../../db/database.js";
import { IdentityProviderDomain, UniqueName } from "../../db/entities/identity-providers.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireOrganizationOwner } from "../access/roles.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { violates } from "../../db/query-errors.js";
import { createSecret } from "../shared/secrets.js";
import { cleanText } from "../shared/text.js";
import type { ProviderClient } from "./provider-client.js";
import { decideOnProvider, lockProvider, ssoIsRequired } from "./providers.js";

const maxDomains = 20;

/** The TXT record that an organization adds to the domain's DNS. */
export function textOf({ challenge }: Pick<IdentityProviderDomain, "challenge">): string {
  return `fettle-domain-verification=${challenge}`;
}

/** Adds a domain. It has no effect until it is verified. */
export async function addDomain(tx: Tx, caller: Caller, given: string): Promise<string> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  await lockProvider(tx, caller);
  const domain = cleanDomain(given);
  const mine = { organization_id: caller.organizationId };
  if (await tx.exists(IdentityProviderDomain, { ...mine, domain })) {
    throw new AppError("duplicate", "domain_added_already", { field: "domain", domain });
  }
  if ((await tx.count(IdentityProviderDomain, mine)) >= maxDomains) {
    throw new AppError("invalid_transition", "too_many_domains", { max: maxDomains });
  }
  await tx.insert(IdentityProviderDomain, { ...mine, domain, challenge: createSecret() });
  return domain;
}

export async function getDomain(
  db: Tx,
  { organizationId: organization_id }: Caller,
  domain: string,
): Promise<IdentityProviderDomain> {
  const found = await db.findOne(IdentityProviderDomain, { where: { organization_id, domain } });
  if (found === undefined) throw new AppError("not_found", "no_such_domain");
  return found;
}

/**
 * Looks up the TXT record. Call it before any transaction. Throws the reason if the domain isn't
 * verified.
 */
export async function lookUpDomain(
  client: ProviderClient,
  found: IdentityProviderDomain,
): Promise<void> {
  const { domain } = found;
  const texts = await client.findTexts(domain).catch((cause: unknown) => {
    throw new AppError("invalid_transition", "domain_unreadable", { domain }, { cause });
  });
  if (texts.some((text) => text.trim() === textOf(found))) return;
  throw new AppError("invalid_transition", "domain_not_verified", { domain, name: domain });
}

/** Marks a domain as verified. A domain belongs to the first organization that verifies it. */
export async function verifyDomain(
  tx: Tx,
  caller: Caller,
  { domain, challenge }: IdentityProviderDomain,
): Promise<void> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  await lockProvider(tx, caller);
  const affected = await tx.update(
    IdentityProviderDomain,
    { organization_id: caller.organizationId, domain, challenge, verified_at: IsNull() },
    { verified_at: () => "app_now()" },
  );
  if (affected === 0) return;
  await tx.insert(UniqueName, nameOf(caller, domain)).catch((error: unknown) => {
    if (!violates(error, "a domain belongs to one organization")) throw error;
    throw new AppError("invalid_transition", "domain_of_other", { domain });
  });
  await recordCallerActivity(tx, caller, "sign_in_domain_verified", { domain });
}

export async function removeDomain(tx: Tx, caller: Caller, domain: string): Promise<void> {
  await requireOrganizationOwner(tx, caller, decideOnProvider);
  const provider = await lockProvider(tx, caller);
  const mine = { organization_id: caller.organizationId, domain };
  // Read again: since the form was loaded, the domain may have been verified and the provider made
  // the only way in.
  const isVerified = await tx.exists(IdentityProviderDomain, {
    ...mine,
    verified_at: Not(IsNull()),
  });
  if (provider?.sso_required === true && isVerified) throw ssoIsRequired();
  await tx.delete(IdentityProviderDomain, mine);
  await tx.delete(UniqueName, nameOf(caller, domain));
  if (!isVerified) return;
  await recordCallerActivity(tx, caller, "sign_in_domain_removed", { domain });
}

function nameOf({ organizationId: organization_id }: Caller, name: string) {
  return { kind: "domain", name, organization_id } as const;
}

/**
 * Returns the domain as used in email addresses. Other scripts are converted to ASCII, the form
 * that mail servers use.
 */
function cleanDomain(value: string): string {
  const text = cleanText(value, { field: "domain", max: 253 }).replace(/^@/, "");
  const name = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined;
  const domain = name?.hostname ?? "";
  const isDomain =
    name?.href === `https://${domain}/` &&
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(domain);
  if (isDomain) return domain;
  throw new AppError("validation_failed", "no_domain", { field: "domain" });
}
