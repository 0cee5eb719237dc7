import { bytes, flag, instantNow, text, instant, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";

/** Where the people of an organization sign in (OpenID Connect). */
export const IdentityProvider = table(
  "identity_providers",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    issuer: text(),
    client_id: text(),
    client_secret_encrypted: bytes(),
    /** Whether addresses count as verified although the provider does not say so of each. */
    verifies_addresses: flag().default(false),
    /** Whether the people of the organization's domains sign in by no other way. */
    only_way: flag().default(false),
    /** The owner who keeps the other ways even so. */
    way_back_user_id: text().nullable().references("users", "SET NULL"),
    created_at: instantNow(),
    updated_at: instantNow(),
  },
  { checks: ["issuer", "client_id"] },
);
export type IdentityProvider = Row<typeof IdentityProvider>;

/** A domain of email addresses that an organization says is its own. */
export const IdentityProviderDomain = table(
  "identity_provider_domains",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    /** In lower case. */
    domain: text().primary(),
    /** What the organization puts into DNS to show it. */
    challenge: text(),
    /** From then on it is one of the `unique_names`. */
    verified_at: instant().nullable(),
    created_at: instantNow(),
  },
  { indexes: { verified: ["domain"] }, checks: ["domain"] },
);
export type IdentityProviderDomain = Row<typeof IdentityProviderDomain>;

/** Whom an organization's identity provider means by a subject, since the first sign-in. */
export const ProviderIdentity = table(
  "provider_identities",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    issuer: text().primary(),
    subject: text().primary(),
    user_id: text().references("users", "CASCADE"),
    /** Whether the provider asked for more than one factor at the last sign-in. */
    multi_factor: flag(),
    /** Anew when a second factor that came later is shown. */
    created_at: instantNow(),
    last_used_at: instantNow(),
  },
  { uniques: [["user_id", "organization_id", "issuer"]], checks: ["subject"] },
);
export type ProviderIdentity = Row<typeof ProviderIdentity>;

/** A name that one organization has alone among all: its slug, or a domain that it verified. */
export const UniqueName = table("unique_names", {
  kind: oneOf(["slug", "domain"]).primary(),
  name: text().primary(),
  organization_id: text(),
});
export type UniqueName = Row<typeof UniqueName>;
