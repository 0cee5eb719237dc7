import { bigint, bytes, flag, instant, instantNow, text, texts } from "../columns.js";
import { table, type Row } from "../table.js";

/** A discoverable WebAuthn credential of a person. */
export const Passkey = table(
  "passkeys",
  {
    id: text().primary(),
    user_id: text().references("users", "CASCADE"),
    /** Base64url, as browsers name it. */
    credential_id: text(),
    public_key: bytes(),
    /** As the authenticator told last; stays 0 where it does not count. */
    sign_count: bigint(),
    transports: texts(),
    /** Whether it is kept in an account of its person, on several devices. */
    backed_up: flag(),
    name: text(),
    created_at: instantNow(),
    last_used_at: instant().nullable(),
  },
  {
    uniques: [["credential_id"]],
    indexes: { user_id: ["user_id"] },
    checks: ["name"],
  },
);
export type Passkey = Row<typeof Passkey>;
