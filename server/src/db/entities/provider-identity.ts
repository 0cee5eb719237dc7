import { flag, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

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
