import type { Database, Tx } from "../../db/database.js";
import { SpentChallenge } from "../../db/entities/accounts.js";
import { deleteInBatches } from "../history/batches.js";
import { ageOf } from "../shared/age.js";
import { createSecret, hashSecret } from "../shared/secrets.js";

/** The value that a passkey signs. Stored in the session or a cookie of the browser. */
export interface Challenge {
  /** Base64url. */
  value: string;
  purpose: "sign_in" | "confirm" | "register";
  madeAt: number;
}

export const challengeLifeMs = 5 * 60_000;

export function createChallenge(purpose: Challenge["purpose"]): Challenge {
  return { value: createSecret(), purpose, madeAt: Date.now() };
}

export function isOpen(
  challenge: Challenge | undefined,
  purpose: Challenge["purpose"],
): challenge is Challenge {
  return challenge?.purpose === purpose && ageOf(challenge.madeAt) < challengeLifeMs;
}

/** Longer than any challenge is valid. Uses only the database clock. */
const rememberedFor = "interval '1 hour'";

/**
 * Consumes a challenge. A cookie can be replayed, so used challenges are remembered until the
 * database clock says they are too old. A node with a wrong clock can't revive a used challenge.
 */
export async function spendChallenge(
  tx: Tx,
  { value, madeAt }: Pick<Challenge, "value" | "madeAt">,
): Promise<boolean> {
  const spent = await tx.query(
    `INSERT INTO spent_challenges (challenge_hash, expires_at)
     SELECT $1, greatest(app_now(), c.made_at) + ${rememberedFor}
     FROM (SELECT to_timestamp($2::float8 / 1000) AS made_at) c
     WHERE c.made_at > app_now() - ${rememberedFor}
     ON CONFLICT ON CONSTRAINT spent_challenges_pkey DO NOTHING RETURNING 1`,
    [hashSecret(value), madeAt],
  );
  return spent.length === 1;
}

export async function cleanUpChallenges(db: Database): Promise<void> {
  await deleteInBatches(db, SpentChallenge.options.name, "expires_at <= app_now()");
}
