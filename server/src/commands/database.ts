import { parseConfig, type Config } from "../config.js";
import { migrate } from "../db/migrate.js";
import { openDatabase, type DatabaseChoice, type OpenDatabase } from "../db/open-database.js";
import type { Io } from "./io.js";

/**
 * Runs an admin command on the configured database. The embedded one is opened, or joined through
 * the socket of the server that has it. The schema is brought up to date first.
 */
export async function withDatabase<T>(
  io: Io,
  work: (database: OpenDatabase, config: Config) => Promise<T>,
): Promise<T> {
  const config = parseConfig(io.variables);
  const onCreate = sayPreparing(io);
  return withOpened({ ...databaseChoice(io, config), onCreate }, async (database) => {
    await migrate(database.db, onCreate);
    return work(database, config);
  });
}

/** The same for a database of the caller's choice, and with the schema that it has. */
export async function withOpened<T>(
  choice: DatabaseChoice,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(choice);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Said once, when the database has to be made or changed before it can be used. */
export function sayPreparing(io: Io): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) io.complain("Preparing the database…");
    isSaid = true;
  };
}

/** How commands open the configured database. */
export function databaseChoice(
  io: Io,
  { databaseUrl, preparedStatements, dataDir }: Config,
): DatabaseChoice {
  return {
    databaseUrl,
    preparedStatements,
    dataDir,
    embedded: "join",
    poolSize: 2,
    onFailure: (error) => {
      io.complain(error.message);
      io.abort(1);
    },
  };
}
