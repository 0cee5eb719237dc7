import { instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

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
