import type { EntityManager } from "typeorm";
import { User } from "../../db/entities/user.js";
import { recordActivity, type Origin } from "../logs/record-activity.js";

/** What can be asked for besides the first way; a passkey is enough by itself. */
export type SecondFactor = "authenticator" | "recovery_code" | "passkey";

/** How a person showed who they are: the way in, and the second factor where that way asks for one. */
export interface SignInProof {
  method: "password" | "passkey" | "provider";
  factor?: SecondFactor;
  /** The organization whose identity provider asked for more than one factor: enough there. */
  factorsOf?: string;
}

export function isFirstWayAlone({ method, factor, factorsOf }: SignInProof): boolean {
  return method !== "passkey" && factor === undefined && factorsOf === undefined;
}

/** Notes a sign-in, which is complete only now. */
export async function recordSignIn(
  db: EntityManager,
  person: Pick<User, "id" | "name">,
  proof: SignInProof,
  origin: Origin | undefined,
): Promise<void> {
  await db.getRepository(User).update({ id: person.id }, { last_login_at: () => "fettle_now()" });
  await recordActivity(db, {
    userId: person.id,
    actorName: person.name,
    type: "signed_in",
    details: { ...proof },
    origin,
  });
}
