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

/** Returns the token of a new set-up link while no account exists. Only its hash is stored. */
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

export type NewOwner = NewAccount & {
  organization: Pick<NewOrganization, "name" | "timeZone" | "currency">;
};

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

/** Consumes a set-up link. If several people use links at once, one gets the account. */
export async function createFirstAccount(
  tx: Tx,
  token: string,
  fields: NewOwner,
): Promise<AccountPerson> {
  // Waits for every other account that is being created, and then sees it.
  await tx.query("LOCK TABLE setup_links IN EXCLUSIVE MODE");
  if (!(await isSetupLinkValid(tx, token))) throw invalidSetupLink();
  const person = await createAccount(tx, fields);
  await foundOrganization(tx, person, fields.organization, fields.origin);
  return person;
}

/** The error for a set-up link that is wrong, used, or for a server that is already set up. */
export function invalidSetupLink(): AppError {
  return new AppError("not_found", "no_set_up_link");
}
