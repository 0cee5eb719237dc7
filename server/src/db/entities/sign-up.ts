import { bytes, citext, currency, instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** An account that waits for its address to be verified. */
export const SignUp = table(
  "sign_ups",
  {
    token_hash: bytes().primary(),
    email: citext(),
    name: text(),
    organization_name: text(),
    /** NULL once used: the password belongs to the account from then on. */
    password_hash: text().nullable(),
    time_zone: text().default("UTC"),
    currency: currency().default("USD"),
    locale: text().default("en-GB"),
    created_at: instantNow(),
    expires_at: instant(),
    used_at: instant().nullable(),
  },
  {
    indexes: { expires_at: ["expires_at"] },
    checks: ["email", "name", "organization_name", "time_zone", "used"],
  },
);
export type SignUp = Row<typeof SignUp>;
