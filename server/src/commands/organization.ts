import type { Command } from "commander";
import { commit } from "../domain/history/transactions.js";
import { endOnlyWay } from "../domain/accounts/only-way.js";
import { listOrganizations } from "../domain/organizations/organizations.js";
import { withDatabase } from "./database.js";
import { addDeletion } from "./erasure.js";
import { addOrganizationExport } from "./export.js";
import { alwaysJson, writeLines, type Io } from "./io.js";
import { findOrganization } from "./lookup.js";
import { createNoticeServices } from "./notice-services.js";

export function addOrganizationCommands(program: Command, io: Io): void {
  const organization = program.command("organization").description("Manage organizations.");
  organization
    .command("list")
    .description("List organizations and their size, one JSON line each.")
    .option(...alwaysJson)
    .action(() =>
      withDatabase(io, async ({ db }) => {
        writeLines(io, await listOrganizations(db));
      }),
    );
  addOrganizationExport(organization, io);
  addDeletion(organization, io);
  organization
    .command("allow-passwords")
    .description("Allow passwords and passkeys again (turn off mandatory single sign-on).")
    .argument("<organization>", "id, slug or name")
    .action((reference: string) => allowPasswords(io, reference));
}

async function allowPasswords(io: Io, reference: string): Promise<void> {
  await withDatabase(io, async ({ db }, config) => {
    const organization = await findOrganization(db, reference);
    const ended = await commit({ db, caller: null }, (tx) =>
      endOnlyWay(tx, createNoticeServices(config), organization),
    );
    const { id, name } = organization;
    io.write(JSON.stringify({ organization_id: id, name, only_way: ended ? "ended" : "none" }));
  });
}
