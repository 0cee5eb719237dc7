import type { EntityManager } from "typeorm";
import { User } from "../../db/entities/user.js";
import { recordActivity, type Origin } from "../logs/record-activity.js";
import type { AccountPerson } from "./accounts.js";

/** What can be asked for besides a password; a passkey is enough by itself. */
export type SecondFactor = "authenticator" | "recovery_code";

/** How a person showed who they are: the way in, and the second factor where that way asks for one. */
export interface SignInProof {
  method: "password" | "passkey";
  factor?: SecondFactor;
}

/** Notes a sign-in, which is complete only now. */
export async function recordSignIn(
  db: EntityManager,
  person: AccountPerson,
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
