import type { Command } from "commander";
import { commit } from "../domain/history/transactions.js";
import { endSsoRequired } from "../domain/accounts/sso-required.js";
import { listOrganizations, type OrganizationLine } from "../domain/organizations/organizations.js";
import { withDatabase } from "./database.js";
import { addDeletion } from "./erasure.js";
import { addOrganizationExport } from "./export.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { findOrganization } from "./lookup.js";
import { createNoticeServices } from "./notice-services.js";
import { json, printList, printResult, toDay, type Column, type ResultOptions } from "./results.js";

export function addOrganizationCommands(program: Command, io: Io): void {
  const organization = program.command("organization").description("Manage organizations.");
  const list = organization
    .command("list")
    .description("List organizations and their size.")
    .option(...json)
    .action((options: ResultOptions) =>
      withDatabase(io, async ({ db }) => {
        const none = "No organizations.";
        printList(io, options, await listOrganizations(db), { columns, none });
      }),
    );
  withExamples(list, "fettle organization list");
  addOrganizationExport(organization, io);
  addDeletion(organization, io);
  const allow = organization
    .command("allow-passwords")
    .description("Allow passwords and passkeys again (turn off mandatory single sign-on).")
    .summary("Turn off mandatory single sign-on.")
    .argument("<organization>", "id, slug or name")
    .option(...json)
    .action((reference: string, options: ResultOptions) => allowPasswords(io, reference, options));
  withExamples(allow, 'fettle organization allow-passwords "Northgate Facilities"');
}

const columns: Column<OrganizationLine>[] = [
  { title: "ID", value: ({ organization_id }) => organization_id, isWhole: true },
  { title: "NAME", value: ({ name }) => name },
  { title: "SLUG", value: ({ slug }) => slug },
  { title: "MEMBERS", value: ({ members }) => members },
  { title: "ASSETS", value: ({ assets }) => assets },
  { title: "CREATED", value: ({ created_at }) => toDay(created_at), isWhole: true },
];

async function allowPasswords(io: Io, reference: string, options: ResultOptions): Promise<void> {
  await withDatabase(io, async ({ db }, config) => {
    const organization = await findOrganization(db, reference);
    const ended = await commit({ db, caller: null }, (tx) =>
      endSsoRequired(tx, createNoticeServices(config), organization),
    );
    const { id, name } = organization;
    const result = { organization_id: id, name, sso_required: ended ? "ended" : "none" };
    const words = ended
      ? `${name} allows passwords and passkeys again.`
      : `${name} already allows passwords and passkeys.`;
    printResult(io, options, result, words);
  });
}
