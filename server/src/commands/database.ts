import { parseConfig, type Config } from "../config.js";
import { migrate } from "../db/migrate.js";
import { openDatabase, type DatabaseChoice, type OpenDatabase } from "../db/open-database.js";
import type { Io } from "./io.js";

/**
 * Runs an admin command on the configured database, with the schema updated first. Opens the
 * embedded database or connects through the socket of the running server.
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

/** Like `withDatabase`, for a database of the caller's choice and without schema updates. */
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

/** Printed once, if the database must be created or migrated before use. */
export function sayPreparing(io: Io): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) io.writeError("Preparing the database…");
    isSaid = true;
  };
}

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
      io.writeError(error.message);
      io.abort(1);
    },
  };
}
