import { bytes, flag, instantNow, text, instant, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";

/** An organization's identity provider (OpenID Connect). */
export const IdentityProvider = table(
  "identity_providers",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    issuer: text(),
    client_id: text(),
    client_secret_encrypted: bytes(),
    /** True if addresses count as verified although the provider doesn't confirm each one. */
    verifies_addresses: flag().default(false),
    /** True if people in the organization's domains can sign in only through the provider. */
    sso_required: flag().default(false),
    /** The owner who may still use other sign-in methods. */
    break_glass_owner_id: text().nullable().references("users", "SET NULL"),
    created_at: instantNow(),
    updated_at: instantNow(),
  },
  { checks: ["issuer", "client_id"] },
);
export type IdentityProvider = Row<typeof IdentityProvider>;

/** A domain of email addresses that an organization claims. */
export const IdentityProviderDomain = table(
  "identity_provider_domains",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    /** Lowercase. */
    domain: text().primary(),
    /** Text that the organization adds to DNS to prove control of the domain. */
    challenge: text(),
    /** Once verified, the domain is one of the `unique_names`. */
    verified_at: instant().nullable(),
    created_at: instantNow(),
  },
  { indexes: { verified: ["domain"] }, checks: ["domain"] },
);
export type IdentityProviderDomain = Row<typeof IdentityProviderDomain>;

/** Links a subject of an organization's identity provider to a person, since the first sign-in. */
export const ProviderIdentity = table(
  "provider_identities",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    issuer: text().primary(),
    subject: text().primary(),
    user_id: text().references("users", "CASCADE"),
    /** True if the provider required more than one factor at the last sign-in. */
    multi_factor: flag(),
    /** Reset when the person shows a second factor that was added later. */
    created_at: instantNow(),
    last_used_at: instantNow(),
  },
  { uniques: [["user_id", "organization_id", "issuer"]], checks: ["subject"] },
);
export type ProviderIdentity = Row<typeof ProviderIdentity>;

/** A name that only one organization can have: its slug or a verified domain. */
export const UniqueName = table("unique_names", {
  kind: oneOf(["slug", "domain"]).primary(),
  name: text().primary(),
  organization_id: text(),
});
export type UniqueName = Row<typeof UniqueName>;
