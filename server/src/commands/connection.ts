import type { Command } from "commander";
import type { Tx } from "../db/database.js";
import { commit } from "../domain/history/transactions.js";
import {
  disconnectByOperator,
  listConnections,
  type ConnectionFilter,
  type ConnectionLine,
} from "../domain/oauth/operator-connections.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { findAccount, findOrganization } from "./lookup.js";
import {
  count,
  json,
  printList,
  printResults,
  toDay,
  type Column,
  type ResultOptions,
} from "./results.js";

interface ConnectionOptions extends ResultOptions {
  id?: string;
  email?: string;
  organization?: string;
}

export function addConnectionCommands(program: Command, io: Io): void {
  const connection = program.command("connection").description("Manage connected apps.");
  withExamples(
    withFilter(connection, "list", "List live connections.")
      .option(...json)
      .action((options: ConnectionOptions) => list(io, options)),
    "fettle connection list",
    "fettle connection list --email ana@example.com --json",
  );
  withExamples(
    withFilter(connection, "revoke", "End connections; their tokens stop at once.")
      .option("--id <connection>", "only this connection")
      .option(...json)
      .action((options: ConnectionOptions, command: Command) => revoke(io, options, command)),
    "fettle connection revoke --id con_4f8k2m9x7q1z",
    'fettle connection revoke --organization "Northgate Facilities"',
  );
}

function withFilter(connection: Command, name: string, description: string): Command {
  return connection
    .command(name)
    .description(description)
    .option("--email <email>", "only this person's connections")
    .option("--organization <organization>", "only to this organization: id, slug or name");
}

const columns: Column<ConnectionLine>[] = [
  { title: "ID", value: ({ connection_id }) => connection_id, isWhole: true },
  { title: "APP", value: ({ client_name }) => client_name },
  { title: "EMAIL", value: ({ email }) => email },
  { title: "ORGANIZATION", value: ({ organization }) => organization },
  { title: "LAST USED", value: ({ last_used_at }) => toDay(last_used_at), isWhole: true },
];

async function toFilter(
  db: Tx,
  { id, email, organization }: ConnectionOptions,
): Promise<ConnectionFilter> {
  return {
    connectionId: id,
    userId: email === undefined ? undefined : (await findAccount(db, email)).id,
    organizationId:
      organization === undefined ? undefined : (await findOrganization(db, organization)).id,
  };
}

async function list(io: Io, options: ConnectionOptions): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    const connections = await listConnections(db, await toFilter(db, options));
    printList(io, options, connections, { columns, none: "No connections." });
  });
}

async function revoke(io: Io, options: ConnectionOptions, command: Command): Promise<void> {
  const { id, email, organization } = options;
  if (id === undefined && email === undefined && organization === undefined) {
    command.error("error: specify at least one of --id, --email, --organization");
  }
  await withDatabase(io, async ({ db }) => {
    const ended = await commit({ db, caller: null }, async (tx) =>
      disconnectByOperator(tx, await toFilter(tx, options)),
    );
    if (id !== undefined && ended.length === 0) {
      throw new StartError(`There is no live connection ${id}. See: fettle connection list`);
    }
    printResults(io, options, ended, [`Ended ${count(ended.length, "connection")}.`]);
  });
}
