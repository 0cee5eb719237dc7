import { Option, type Command } from "commander";
import { organizationRoles } from "../db/entities/people.js";
import type { OrganizationRole } from "../domain/access/caller.js";
import { commit } from "../domain/history/transactions.js";
import { setRoleByOperator } from "../domain/people/member-roles.js";
import { withDatabase } from "./database.js";
import { alwaysJson, writeLines, type Io } from "./io.js";
import { findAccount, findOrganization } from "./lookup.js";

interface RoleOptions {
  organization: string;
  email: string;
  role: OrganizationRole;
}

export function addMemberCommands(program: Command, io: Io): void {
  const members = program.command("members").description("Manage members.");
  members
    .command("set-role")
    .description("Restore access: make a member owner or admin.")
    .requiredOption("--organization <organization>", "id, slug or name")
    .requiredOption("--email <email>", "address the person signs in with")
    .addOption(
      new Option("--role <role>", "role in the organization")
        .choices(organizationRoles)
        .makeOptionMandatory(),
    )
    .option(...alwaysJson)
    .action((options: RoleOptions) => setRole(io, options));
}

async function setRole(io: Io, { organization, email, role }: RoleOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    const { id: organization_id } = await findOrganization(db, organization);
    const person = await findAccount(db, email);
    const { from } = await commit({ db, caller: null }, (tx) =>
      setRoleByOperator(tx, organization_id, person, role),
    );
    writeLines(io, [{ organization_id, user_id: person.id, from, to: role }]);
  });
}
