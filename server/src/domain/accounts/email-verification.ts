import type { EntityManager } from "typeorm";
import { recordActivity, type Origin } from "../logs/activity.js";
import type { AccountPerson } from "./accounts.js";

/** Notes that the person got a mail at their address; a second time changes nothing. */
export async function verifyEmail(
  tx: EntityManager,
  person: Pick<AccountPerson, "id" | "name">,
  origin: Origin | undefined,
): Promise<void> {
  const [, count]: [unknown, number] = await tx.query(
    "UPDATE users SET email_verified_at = fettle_now() WHERE id = $1 AND email_verified_at IS NULL",
    [person.id],
  );
  if (count === 0) return;
  await recordActivity(tx, {
    userId: person.id,
    actorName: person.name,
    type: "email_verified",
    ...(origin !== undefined && { origin }),
  });
}
