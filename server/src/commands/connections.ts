import type { Command } from "commander";
import type { Tx } from "../db/database.js";
import { endSessionsByOperator } from "../domain/accounts/other-sessions.js";
import { commit } from "../domain/history/transactions.js";
import {
  disconnectByOperator,
  listConnections,
  type ConnectionFilter,
} from "../domain/oauth/operator-connections.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { alwaysJson, writeLines, type Io } from "./io.js";
import { findAccount, findOrganization } from "./lookup.js";

interface ConnectionOptions {
  id?: string;
  email?: string;
  organization?: string;
}

export function addConnectionCommands(program: Command, io: Io): void {
  const connections = program.command("connections").description("Manage connected apps.");
  withFilter(connections, "list", "One JSON line for each live connection.").action(
    (options: ConnectionOptions) => list(io, options),
  );
  withFilter(connections, "revoke", "End connections; their tokens stop at once.")
    .option("--id <connection>", "only this connection")
    .action((options: ConnectionOptions) => revoke(io, options));
  const sessions = program.command("sessions").description("Manage browser sessions.");
  sessions
    .command("end")
    .description("Sign a person out of every browser.")
    .requiredOption("--email <email>", "address the person signs in with")
    .option(...alwaysJson)
    .action(({ email }: { email: string }) => endSessions(io, email));
}

function withFilter(connections: Command, name: string, description: string): Command {
  return connections
    .command(name)
    .description(description)
    .option("--email <email>", "connections of this person")
    .option("--organization <organization>", "connections to this organization: id, slug or name")
    .option(...alwaysJson);
}

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
    writeLines(io, await listConnections(db, await toFilter(db, options)));
  });
}

async function revoke(io: Io, options: ConnectionOptions): Promise<void> {
  const { id, email, organization } = options;
  if (id === undefined && email === undefined && organization === undefined) {
    throw new StartError("Specify at least one of --id, --email, --organization.");
  }
  await withDatabase(io, async ({ db }) => {
    const ended = await commit({ db, caller: null }, async (tx) =>
      disconnectByOperator(tx, await toFilter(tx, options)),
    );
    if (id !== undefined && ended.length === 0) {
      throw new StartError(`There is no live connection ${id}. See: fettle connections list`);
    }
    writeLines(io, ended);
  });
}

async function endSessions(io: Io, email: string): Promise<void> {
  await withDatabase(io, async ({ db }) => {
    const sessions = await commit({ db, caller: null }, async (tx) =>
      endSessionsByOperator(tx, await findAccount(tx, email)),
    );
    writeLines(io, [{ email, sessions_ended: sessions }]);
  });
}
