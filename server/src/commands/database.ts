import { parseConfig, type Config } from "../config.js";
import { migrate } from "../db/migrate.js";
import { openDatabase, type OpenDatabase } from "../db/open-database.js";
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
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    embedded: "join",
    poolSize: 2,
    onFailure: (error) => {
      io.complain(error.message);
      io.abort(1);
    },
  });
  try {
    await migrate(database.dataSource);
    return await work(database, config);
  } finally {
    await database.close();
  }
}
