import type { EntityManager } from "typeorm";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import type { SignInProof } from "../shared/sign-in-proof.js";

/** Notes a sign-in, in the transaction that stores its session. */
export async function recordSignIn(
  tx: EntityManager,
  userId: string,
  proof: SignInProof,
  origin: Origin | undefined,
): Promise<void> {
  const [[person]]: [{ name: string }[], number] = await tx.query(
    "UPDATE users SET last_login_at = fettle_now() WHERE id = $1 RETURNING name",
    [userId],
  );
  const actorName = person?.name ?? "";
  await recordActivity(tx, { userId, actorName, type: "signed_in", details: { ...proof }, origin });
}
