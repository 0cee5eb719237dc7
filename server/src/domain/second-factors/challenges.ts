import type { DataSource, EntityManager } from "typeorm";
import { SpentChallenge } from "../../db/entities/spent-challenge.js";
import { deleteInBatches } from "../changes/batches.js";
import { createSecret, hashSecret } from "../values/secrets.js";

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
  return challenge?.purpose === purpose && Date.now() - challenge.madeAt < challengeLifeMs;
}

/** Uses a challenge up. A cookie can be sent again, so what was answered is remembered here. */
export async function spendChallenge(
  tx: EntityManager,
  { value }: Pick<Challenge, "value">,
): Promise<boolean> {
  const spent: unknown[] = await tx.query(
    `INSERT INTO spent_challenges (challenge_hash, expires_at)
     VALUES ($1, fettle_now() + interval '1 hour')
     ON CONFLICT ON CONSTRAINT spent_challenges_pkey DO NOTHING RETURNING 1`,
    [hashSecret(value)],
  );
  return spent.length === 1;
}

/** Removes what is too old to be answered in any case. */
export async function cleanUpChallenges(db: DataSource): Promise<void> {
  await deleteInBatches(db, SpentChallenge.options.name, "expires_at <= fettle_now()");
}
