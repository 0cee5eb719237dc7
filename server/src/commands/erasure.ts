import type { Command } from "commander";
import { findPersonByEmail } from "../domain/accounts/accounts.js";
import { commit } from "../domain/history/transactions.js";
import { deleteOrganization } from "../domain/organizations/organization-deletion.js";
import { erasePerson } from "../domain/people/person-erasure.js";
import { findOrganizationsOf } from "../domain/organizations/organizations.js";
import { formerMember } from "../domain/shared/former-member.js";
import { withDatabase } from "./database.js";
import { findOrganization } from "./lookup.js";
import { alwaysJson, requireYes, writeLines, yes, type Io } from "./io.js";

interface ErasureOptions {
  email: string;
  yes?: true;
}

export function addErasure(person: Command, io: Io): void {
  person
    .command("erase")
    .description(`Erase a person's data; their history stays under "${formerMember}".`)
    .requiredOption("--email <email>", "address the person signs in with, or was invited at")
    .option(...yes)
    .option(...alwaysJson)
    .action((options: ErasureOptions) => erase(io, options));
}

async function erase(io: Io, { email: given, ...options }: ErasureOptions): Promise<void> {
  const email = given.trim();
  await withDatabase(io, async ({ db }) => {
    const found = await findPersonByEmail(db, email);
    const organizations = found ? await findOrganizationsOf(db, found.id) : [];
    const places = organizations.map(({ name }) => name).join(", ");
    requireYes(
      options,
      found === undefined
        ? `No one has an account with ${email}. This removes invitations and emails to it, and erases it from the activity log.`
        : `This takes ${found.name} (${email}) out of ${places === "" ? "no organization" : places}, ends all their apps and sign-ins, and puts "${formerMember}" in place of the name wherever it is.`,
    );
    const erased = await commit({ db, caller: null }, async (tx) =>
      erasePerson(tx, email, await findPersonByEmail(tx, email)),
    );
    if (erased === undefined) io.complain(`No data found for ${email}.`);
    writeLines(io, [{ email, erased: erased !== undefined, ...erased }]);
  });
}

export function addDeletion(organization: Command, io: Io): void {
  organization
    .command("delete")
    .description("Delete an organization and all its data. Accounts stay.")
    .argument("<organization>", "id, slug or name")
    .option(...yes)
    .option(...alwaysJson)
    .action((reference: string, options: { yes?: true }) =>
      withDatabase(io, async ({ db }) => {
        const { id, name } = await findOrganization(db, reference);
        requireYes(
          options,
          `This deletes ${name} (${id}) with its assets, work, history and activity log, for good. To keep a copy, run: fettle organization export, fettle audit export.`,
        );
        const deleted = await deleteOrganization(db, id, (table, rows) => {
          io.report(`Deleting ${table}: ${rows} rows`);
        });
        io.report("Deleted.\n");
        writeLines(io, [{ organization_id: id, name, ...deleted }]);
      }),
    );
}
