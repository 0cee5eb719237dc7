import { IsNull, type Tx } from "../../db/database.js";
import { User } from "../../db/entities/accounts.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import type { AccountPerson } from "./accounts.js";

/** Marks the person's email as verified. A second call changes nothing. */
export async function verifyEmail(
  tx: Tx,
  person: Pick<AccountPerson, "id" | "name">,
  origin: Origin | undefined,
): Promise<void> {
  const affected = await tx.update(
    User,
    { id: person.id, email_verified_at: IsNull() },
    { email_verified_at: () => "app_now()" },
  );
  if (affected === 0) return;
  await recordActivity(tx, {
    userId: person.id,
    actorName: person.name,
    type: "email_verified",
    origin,
  });
}
