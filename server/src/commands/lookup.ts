import type { Tx } from "../db/database.js";
import { findPersonByEmail, type AccountPerson } from "../domain/accounts/accounts.js";
import { findOrganizations, type OrganizationRow } from "../domain/organizations/organizations.js";
import { StartError } from "../errors.js";

export async function findAccount(db: Tx, email: string): Promise<AccountPerson> {
  const person = await findPersonByEmail(db, email);
  if (person !== undefined) return person;
  throw new StartError(`No account with the email ${email}. See: fettle account list`);
}

/** Finds by id, slug or name. A name may be ambiguous. */
export async function findOrganization(db: Tx, reference: string): Promise<OrganizationRow> {
  const found = await findOrganizations(db, reference);
  const [organization, ...others] = found;
  if (organization === undefined) {
    throw new StartError(`No organization ${reference}. See: fettle organization list`);
  }
  if (others.length === 0) return organization;
  const ids = found.map(({ id }) => id).join(", ");
  throw new StartError(`Several organizations are named ${reference}; use an id: ${ids}.`);
}
