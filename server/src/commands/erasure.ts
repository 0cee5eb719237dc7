import type { Command } from "commander";
import { findPersonByEmail } from "../domain/accounts/accounts.js";
import { commit } from "../domain/history/transactions.js";
import { deleteOrganization } from "../domain/organizations/organization-deletion.js";
import { erasePerson } from "../domain/people/person-erasure.js";
import { findOrganizationsOf } from "../domain/organizations/organizations.js";
import { formerMember } from "../domain/shared/former-member.js";
import { withDatabase } from "./database.js";
import { findOrganization } from "./lookup.js";
import { withExamples } from "./help.js";
import { requireYes, yes, type Io } from "./io.js";
import { json, printResult, type ResultOptions } from "./results.js";

interface ConfirmedOptions extends ResultOptions {
  yes?: true;
}

interface ErasureOptions extends ConfirmedOptions {
  email: string;
}

export function addErasure(person: Command, io: Io): void {
  const command = person
    .command("erase")
    .description(`Erase a person's data. Their history is kept under "${formerMember}".`)
    .requiredOption("--email <email>", "the person's sign-in email, or an invited email")
    .option(...yes)
    .option(...json)
    .action((options: ErasureOptions) => erase(io, options));
  withExamples(
    command,
    "fettle person erase --email ana@example.com  # shows the consequences",
    "fettle person erase --email ana@example.com --yes",
  );
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
    if (erased === undefined) io.writeError(`No data found for ${email}.`);
    const words = erased === undefined ? [] : [`Erased the data of ${email}.`];
    printResult(io, options, { email, erased: erased !== undefined, ...erased }, ...words);
  });
}

export function addDeletion(organization: Command, io: Io): void {
  const command = organization
    .command("delete")
    .description("Delete an organization and all its data. Accounts are kept.")
    .argument("<organization>", "id, slug or name")
    .option(...yes)
    .option(...json)
    .action((reference: string, options: ConfirmedOptions) =>
      withDatabase(io, async ({ db }) => {
        const { id, name } = await findOrganization(db, reference);
        requireYes(
          options,
          `This deletes ${name} (${id}) with its assets, work, history and activity log, for good. To keep a copy, run: fettle organization export, fettle audit export.`,
        );
        const deleted = await deleteOrganization(db, id, (table, rows) => {
          io.report(`Deleting ${table}: ${rows} rows`);
        });
        io.report("Deleting: done\n");
        printResult(io, options, { organization_id: id, name, ...deleted }, `Deleted ${name}.`);
      }),
    );
  withExamples(
    command,
    'fettle organization delete "Northgate Facilities"  # shows the consequences',
    'fettle organization delete "Northgate Facilities" --yes',
  );
}
