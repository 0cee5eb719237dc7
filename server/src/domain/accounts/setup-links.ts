import type { Tx } from "../../db/database.js";
import { User } from "../../db/entities/accounts.js";
import { AppError } from "../../errors.js";
import { createAccount, type AccountPerson, type NewAccount } from "./accounts.js";
import { recordActivity, type Origin } from "../audit/record-activity.js";
import {
  addMember,
  createOrganization,
  type NewOrganization,
} from "../organizations/organizations.js";
import { createSecret, hashSecret } from "../shared/secrets.js";

/** The token of a new set-up link, while nobody has an account; only its hash is kept. */
export async function createSetupLink(db: Tx): Promise<string | undefined> {
  const token = createSecret();
  const created = await db.query(
    `INSERT INTO setup_links (token_hash)
     SELECT $1::bytea WHERE NOT EXISTS (SELECT FROM users) RETURNING 1`,
    [hashSecret(token)],
  );
  return created.length === 0 ? undefined : token;
}

export async function isSetupLinkValid(db: Tx, token: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 FROM setup_links WHERE token_hash = $1 AND NOT EXISTS (SELECT FROM users)`,
    [hashSecret(token)],
  );
  return rows.length > 0;
}

export async function hasAccounts(db: Tx): Promise<boolean> {
  return db.exists(User);
}

/** An account that founds an organization. */
export type NewOwner = NewAccount & {
  organization: Pick<NewOrganization, "name" | "timeZone" | "currency">;
};

/** An organization with the person as its owner; answers with its id. */
export async function foundOrganization(
  tx: Tx,
  person: AccountPerson,
  given: NewOwner["organization"],
  origin: Origin | undefined,
): Promise<string> {
  const organization = await createOrganization(tx, given);
  const actor = { userId: person.id, organizationId: organization.id };
  await recordActivity(tx, {
    ...actor,
    actorName: person.name,
    type: "organization_created",
    origin,
  });
  await addMember(tx, { ...actor, userName: person.name, role: "owner", origin });
  return organization.id;
}

/** Uses a set-up link up. Of several people with links at the same time, one gets the account. */
export async function createFirstAccount(
  tx: Tx,
  token: string,
  fields: NewOwner,
): Promise<AccountPerson> {
  // Waits for, and then sees, every other account that is being made.
  await tx.query("LOCK TABLE setup_links IN EXCLUSIVE MODE");
  if (!(await isSetupLinkValid(tx, token))) throw invalidSetupLink();
  const person = await createAccount(tx, fields);
  await foundOrganization(tx, person, fields.organization, fields.origin);
  return person;
}

/** What a set-up link says that is wrong, used, or of a server that is set up. */
export function invalidSetupLink(): AppError {
  return new AppError("not_found", "no_set_up_link");
}
