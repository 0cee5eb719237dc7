import type { Command } from "commander";
import { commit } from "../domain/changes/transactions.js";
import { endOnlyWay } from "../domain/identity-providers/only-way.js";
import { findOrganizations } from "../domain/organizations/organizations.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import type { Io } from "./io.js";
import { createNoticeServices } from "./notice-services.js";

export function addOrganizationCommands(program: Command, io: Io): void {
  const organization = program.command("organization").description("Organizations.");
  organization
    .command("allow-passwords")
    .description("End the rule that people sign in with the identity provider alone.")
    .argument("<organization>", "id, slug or name")
    .action((reference: string) => allowPasswords(io, reference));
}

async function allowPasswords(io: Io, reference: string): Promise<void> {
  await withDatabase(io, async ({ dataSource }, config) => {
    const found = await findOrganizations(dataSource.manager, reference);
    const [organization, ...others] = found;
    if (organization === undefined) throw new StartError(`There is no organization ${reference}.`);
    if (others.length > 0) {
      const ids = found.map(({ id }) => id).join(", ");
      throw new StartError(
        `Several organizations are called ${reference}; name one by id: ${ids}.`,
      );
    }
    const ended = await commit({ db: dataSource, caller: null }, (tx) =>
      endOnlyWay(tx, createNoticeServices(config), organization),
    );
    const { id, name } = organization;
    io.write(JSON.stringify({ organization_id: id, name, only_way: ended ? "ended" : "none" }));
  });
}
