import { bytes, flag, instantNow, text } from "../columns.js";
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
