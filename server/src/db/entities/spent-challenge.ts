import { bytes, instant } from "../columns.js";
import { table, type Row } from "../table.js";

/** A WebAuthn challenge that was answered, until it would be too old anyway. */
export const SpentChallenge = table(
  "spent_challenges",
  {
    challenge_hash: bytes().primary(),
    expires_at: instant(),
  },
  { indexes: { expires_at: ["expires_at"] } },
);
export type SpentChallenge = Row<typeof SpentChallenge>;
