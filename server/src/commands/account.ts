import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import { Option, type Command } from "commander";
import { organizationRoles, workspaceRoles } from "../db/entities/people.js";
import {
  activateAccount,
  hasUnconfirmedAccount,
  listAccounts,
  setPassword,
  type AccountLine,
  type AccountPerson,
} from "../domain/accounts/accounts.js";
import { cancelEmailChange, changeEmail } from "../domain/accounts/email-changes.js";
import type { Config } from "../config.js";
import { resetSecondFactors } from "../domain/accounts/second-factors.js";
import { deactivatePerson } from "../domain/people/account-deactivation.js";
import { addAccount, type AccountRequest } from "../domain/people/memberships.js";
import { cleanEmail } from "../domain/shared/emails.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import { readPassword, type Io } from "./io.js";
import { findAccount } from "./lookup.js";
import { createNoticeServices } from "./notice-services.js";
import {
  alwaysJson,
  json,
  printList,
  printResult,
  toDay,
  type Column,
  type ResultOptions,
} from "./results.js";

type CreateOptions = Omit<AccountRequest, "password">;

interface PersonOptions extends ResultOptions {
  email: string;
}

const email = ["--email <email>", "the person's sign-in email"] as const;
const passwordStdin = [
  "--password-stdin",
  "read the password from stdin, or ask for it in a terminal",
] as const;

export function addAccountCommands(program: Command, io: Io): void {
  const account = program.command("account").description("Manage accounts.");
  addCreation(account, io);
  withExamples(
    account
      .command("list")
      .description("List accounts and their organizations.")
      .option(...json)
      .action((options: ResultOptions) => list(io, options)),
    "fettle account list",
    "fettle account list --json | jq -r 'select(.active | not) | .email'",
  );
  forOnePerson(account, "deactivate", "Deactivate an account and end its sessions.").action(
    (options: PersonOptions) => setActive(io, options, false),
  );
  forOnePerson(account, "activate", "Reactivate a deactivated account.").action(
    (options: PersonOptions) => setActive(io, options, true),
  );
  withExamples(
    account
      .command("set-password")
      .description("Set an account's password and end its sessions.")
      .requiredOption(...email)
      .requiredOption(...passwordStdin)
      .option(...json)
      .action((options: PersonOptions) => changePassword(io, options)),
    "fettle account set-password --email ana@example.com --password-stdin",
  );
  withExamples(
    account
      .command("set-email")
      .description("Change an account's email.")
      .requiredOption(...email)
      .requiredOption("--new-email <email>", "the new email")
      .option(...json)
      .action((options: PersonOptions & { newEmail: string }) => setEmail(io, options)),
    "fettle account set-email --email ana@example.com --new-email ana@example.org",
  );
  forOnePerson(
    account,
    "reset-second-factors",
    "Remove passkeys, authenticator app and recovery codes, and end sessions.",
  ).action((options: PersonOptions) => resetFactors(io, options));
}

function addCreation(account: Command, io: Io): void {
  const create = account
    .command("create")
    .description("Create an account, and its organization, membership and workspace if missing.")
    .summary("Create an account, and its organization if missing.")
    .requiredOption(...email)
    .requiredOption("--name <name>", "the person's name")
    .requiredOption("--organization <name>", "organization; created if missing")
    .requiredOption(...passwordStdin)
    .addOption(
      new Option("--role <role>", "role; member if left out, owner for the first person").choices(
        organizationRoles,
      ),
    )
    .option("--workspace <name>", "workspace; created if missing")
    .addOption(
      new Option("--workspace-role <role>", "role in the workspace; member if left out").choices(
        workspaceRoles,
      ),
    )
    .option(...alwaysJson)
    .action((options: CreateOptions) => createAccount(io, options));
  withExamples(
    create,
    'fettle account create --email ana@example.com --name "Ana Keller" \\\n    --organization "Northgate Facilities" --role owner --password-stdin',
  );
}

function forOnePerson(account: Command, name: string, description: string): Command {
  return withExamples(account.command(name), `fettle account ${name} --email ana@example.com`)
    .description(description)
    .requiredOption(...email)
    .option(...json);
}

async function createAccount(io: Io, options: CreateOptions): Promise<void> {
  const password = await readPassword(io);
  await withDatabase(io, async ({ db }) => {
    const [isStrange, added] = await commit({ db, caller: null }, async (tx) => [
      await hasUnconfirmedAccount(tx, options.email),
      await addAccount(tx, { ...options, password }),
    ]);
    const { userId: user_id, organizationId: organization_id, workspaceId: workspace_id } = added;
    if (isStrange) io.writeError(toldOfUnconfirmed(options.email));
    io.write(JSON.stringify({ user_id, organization_id, workspace_id }));
  });
}

/**
 * Admins see invitation links that were not emailed, so they can create accounts with others'
 * addresses.
 */
function toldOfUnconfirmed(email: string): string {
  return [
    `There was already an account of ${email}, with another password and an unconfirmed address. The person`,
    "who created it is now in the organization. If that may be someone else, end their sessions with",
    `"fettle account set-password" and "fettle account reset-second-factors".`,
  ].join(" ");
}

const columns: Column<AccountLine>[] = [
  { title: "EMAIL", value: ({ email }) => email, isWhole: true },
  { title: "NAME", value: ({ name }) => name },
  { title: "STATUS", value: ({ active }) => (active ? "active" : "deactivated") },
  { title: "LAST SIGN-IN", value: ({ last_login_at }) => toDay(last_login_at) },
  {
    title: "ORGANIZATIONS",
    value: ({ organizations }) => organizations.map(({ name }) => name).join(", "),
  },
];

async function list(io: Io, options: ResultOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    printList(io, options, await listAccounts(db), { columns, none: "No accounts." });
  });
}

async function setActive(io: Io, { email, ...options }: PersonOptions, active: boolean) {
  const change = active ? activateAccount : deactivatePerson;
  await changeAccount(io, email, (tx, { id }) => change(tx, id));
  const words = active
    ? `${email} is active.`
    : `${email} is deactivated. All sessions and tokens ended.`;
  printResult(io, options, { email, active }, words);
}

async function changePassword(io: Io, { email, ...options }: PersonOptions): Promise<void> {
  const password = await readPassword(io);
  await changeAccount(io, email, (tx, { id }) => setPassword(tx, id, password));
  const words = `Password of ${email} changed. All sessions ended.`;
  printResult(io, options, { email, password: "changed" }, words);
}

async function setEmail(
  io: Io,
  { email, newEmail, ...options }: PersonOptions & { newEmail: string },
): Promise<void> {
  const next = cleanEmail(newEmail);
  await changeAccount(io, email, async (tx, person) => {
    await cancelEmailChange(tx, person);
    await changeEmail(tx, person, { email: next, isConfirmed: false });
  });
  printResult(io, options, { email: next, former_email: email }, `${email} is now ${next}.`);
}

async function resetFactors(io: Io, { email, ...options }: PersonOptions): Promise<void> {
  const had = await changeAccount(io, email, (tx, person, config) =>
    resetSecondFactors(tx, createNoticeServices(config), person),
  );
  const words = had
    ? `Second factors of ${email} removed. All sessions ended.`
    : `${email} has no second factors.`;
  printResult(io, options, { email, second_factors: had ? "removed" : "none" }, words);
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
