import { Option, type Command } from "commander";
import { organizationRoles } from "../db/entities/people.js";
import type { OrganizationRole } from "../domain/access/caller.js";
import { commit } from "../domain/history/transactions.js";
import { setRoleByOperator } from "../domain/people/member-roles.js";
import { listMembersByOperator, type MemberLine } from "../domain/people/people.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { findAccount, findOrganization } from "./lookup.js";
import { json, printList, printResult, toDay, type Column, type ResultOptions } from "./results.js";

interface ListOptions extends ResultOptions {
  organization: string;
}

interface RoleOptions extends ListOptions {
  email: string;
  role: OrganizationRole;
}

export function addMemberCommands(program: Command, io: Io): void {
  const member = program.command("member").description("Manage members of organizations.");
  withExamples(
    inOrganization(member, "list", "List the members of an organization.")
      .option(...json)
      .action((options: ListOptions) => list(io, options)),
    'fettle member list --organization "Northgate Facilities"',
  );
  withExamples(
    inOrganization(member, "set-role", "Restore access: make a member owner or admin.")
      .requiredOption("--email <email>", "the person's sign-in email")
      .addOption(
        new Option("--role <role>", "role in the organization")
          .choices(organizationRoles)
          .makeOptionMandatory(),
      )
      .option(...json)
      .action((options: RoleOptions) => setRole(io, options)),
    'fettle member set-role --organization "Northgate Facilities" \\\n    --email ana@example.com --role owner',
  );
}

function inOrganization(member: Command, name: string, description: string): Command {
  return member
    .command(name)
    .description(description)
    .requiredOption("--organization <organization>", "id, slug or name");
}

const columns: Column<MemberLine>[] = [
  { title: "EMAIL", value: ({ email }) => email, isWhole: true },
  { title: "NAME", value: ({ name }) => name },
  { title: "ROLE", value: ({ role }) => role },
  { title: "STATUS", value: ({ active }) => (active ? "active" : "deactivated") },
  { title: "LAST ACTIVE", value: ({ last_active_at }) => toDay(last_active_at), isWhole: true },
];

async function list(io: Io, { organization, ...options }: ListOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    const { id, name } = await findOrganization(db, organization);
    const members = await listMembersByOperator(db, id);
    printList(io, options, members, { columns, none: `${name} has no members.` });
  });
}

async function setRole(io: Io, { organization, email, role, ...options }: RoleOptions) {
  await withDatabase(io, async ({ db }) => {
    const { id: organization_id, name } = await findOrganization(db, organization);
    const person = await findAccount(db, email);
    const { from } = await commit({ db, caller: null }, (tx) =>
      setRoleByOperator(tx, organization_id, person, role),
    );
    const result = { organization_id, user_id: person.id, from, to: role };
    printResult(io, options, result, `${email} is now ${role} of ${name} (was ${from}).`);
  });
}
