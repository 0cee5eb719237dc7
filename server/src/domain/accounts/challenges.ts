import type { Database, Tx } from "../../db/database.js";
import { SpentChallenge } from "../../db/entities/accounts.js";
import { deleteInBatches } from "../history/batches.js";
import { ageOf } from "../shared/age.js";
import { createSecret, hashSecret } from "../shared/secrets.js";

/** What a passkey signs: kept in the session, or the cookie, of the browser that was asked. */
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

/** Longer than anything that is spent here is open; told by the database's clock alone. */
const rememberedFor = "interval '1 hour'";

/**
 * Uses a challenge up. A cookie can be sent again, so what was answered is remembered here, until the
 * same clock says that it is too old: how wrong the clock of a node was at any time, or is now, brings
 * nothing back that was answered.
 */
export async function spendChallenge(
  tx: Tx,
  { value, madeAt }: Pick<Challenge, "value" | "madeAt">,
): Promise<boolean> {
  const spent = await tx.query(
    `INSERT INTO spent_challenges (challenge_hash, expires_at)
     SELECT $1, greatest(fettle_now(), c.made_at) + ${rememberedFor}
     FROM (SELECT to_timestamp($2::float8 / 1000) AS made_at) c
     WHERE c.made_at > fettle_now() - ${rememberedFor}
     ON CONFLICT ON CONSTRAINT spent_challenges_pkey DO NOTHING RETURNING 1`,
    [hashSecret(value), madeAt],
  );
  return spent.length === 1;
}

/** Removes what is too old to be answered in any case. */
export async function cleanUpChallenges(db: Database): Promise<void> {
  await deleteInBatches(db, SpentChallenge.options.name, "expires_at <= fettle_now()");
}
