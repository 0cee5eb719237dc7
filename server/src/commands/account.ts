import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import { Option, type Command } from "commander";
import { organizationRoles, workspaceRoles } from "../db/entities/people.js";
import {
  activateAccount,
  hasUnconfirmedAccount,
  listAccounts,
  setPassword,
  type AccountPerson,
} from "../domain/accounts/accounts.js";
import type { Config } from "../config.js";
import { resetSecondFactors } from "../domain/accounts/second-factors.js";
import { deactivatePerson } from "../domain/people/account-deactivation.js";
import { addAccount, type AccountRequest } from "../domain/people/memberships.js";
import { withDatabase } from "./database.js";
import { readPassword, type Io } from "./io.js";
import { findAccount } from "./lookup.js";
import { createNoticeServices } from "./notice-services.js";

type CreateOptions = Omit<AccountRequest, "password">;

export function addAccountCommands(program: Command, io: Io): void {
  const account = program.command("account").description("Manage accounts.");
  account
    .command("create")
    .description("Create an account, and its organization, membership and workspace if missing.")
    .requiredOption("--email <email>", "address the person signs in with")
    .requiredOption("--name <name>", "the person's name")
    .requiredOption(
      "--organization <name>",
      "organization; created when there is none of that name",
    )
    .addOption(
      new Option(
        "--role <role>",
        "role in the organization (default: member, owner for the first)",
      ).choices(organizationRoles),
    )
    .option("--workspace <name>", "workspace; created when the organization has none of that name")
    .addOption(
      new Option("--workspace-role <role>", "role in the workspace (default: member)").choices(
        workspaceRoles,
      ),
    )
    .requiredOption(
      "--password-stdin",
      "read the password from the first line of stdin, or ask for it in a terminal",
    )
    .action((options: CreateOptions) => createAccount(io, options));
  account
    .command("list")
    .description("List accounts, one JSON line each.")
    .action(() => list(io));
  forOnePerson(account, "deactivate", "Deactivate an account and end its sessions.").action(
    ({ email }: { email: string }) => setActive(io, email, false),
  );
  forOnePerson(account, "activate", "Let a deactivated account in again.").action(
    ({ email }: { email: string }) => setActive(io, email, true),
  );
  forOnePerson(
    account,
    "reset-second-factors",
    "Remove passkeys, authenticator app and recovery codes, and end sessions.",
  ).action(({ email }: { email: string }) => resetFactors(io, email));
  forOnePerson(account, "set-password", "Give an account another password; its sessions end.")
    .requiredOption(
      "--password-stdin",
      "read the password from the first line of stdin, or ask for it in a terminal",
    )
    .action(({ email }: { email: string }) => changePassword(io, email));
}

function forOnePerson(account: Command, name: string, description: string): Command {
  return account
    .command(name)
    .description(description)
    .requiredOption("--email <email>", "address the person signs in with");
}

async function createAccount(io: Io, options: CreateOptions): Promise<void> {
  const password = await readPassword(io);
  await withDatabase(io, async ({ db }) => {
    const [isStrange, added] = await commit({ db, caller: null }, async (tx) => [
      await hasUnconfirmedAccount(tx, options.email),
      await addAccount(tx, { ...options, password }),
    ]);
    const { userId: user_id, organizationId: organization_id, workspaceId: workspace_id } = added;
    if (isStrange) io.complain(toldOfUnconfirmed(options.email));
    io.write(JSON.stringify({ user_id, organization_id, workspace_id }));
  });
}

/** Links of invitations that were not mailed are shown to admins, who can make accounts of others' addresses. */
function toldOfUnconfirmed(email: string): string {
  return [
    `There was an account of ${email} already, whose password is not the one that you gave, and nobody has`,
    "confirmed the address: whoever made the account is in the organization now. Where that may be somebody",
    `else, run "fettle account set-password" and "fettle account reset-second-factors", which end its sessions.`,
  ].join(" ");
}

async function list(io: Io): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    for (const account of await listAccounts(db)) io.write(JSON.stringify(account));
  });
}

async function setActive(io: Io, email: string, active: boolean): Promise<void> {
  const change = active ? activateAccount : deactivatePerson;
  await changeAccount(io, email, (tx, { id }) => change(tx, id));
  io.write(JSON.stringify({ email, active }));
}

async function changePassword(io: Io, email: string): Promise<void> {
  const password = await readPassword(io);
  await changeAccount(io, email, (tx, { id }) => setPassword(tx, id, password));
  io.write(JSON.stringify({ email, password: "changed" }));
}

async function resetFactors(io: Io, email: string): Promise<void> {
  const had = await changeAccount(io, email, (tx, person, config) =>
    resetSecondFactors(tx, createNoticeServices(config), person),
  );
  io.write(JSON.stringify({ email, second_factors: had ? "removed" : "none" }));
}

async function changeAccount<Result>(
  io: Io,
  email: string,
  change: (tx: Tx, person: AccountPerson, config: Config) => Promise<Result>,
): Promise<Result> {
  return withDatabase(io, ({ db }, config) =>
    commit({ db, caller: null }, async (tx) => change(tx, await findAccount(tx, email), config)),
  );
}
