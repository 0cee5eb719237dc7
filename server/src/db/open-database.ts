import { Database } from "./database.js";
import { createDataSource, type DatabaseAddress, type DataSourceOptions } from "./data-source.js";
import { openEmbedded } from "./embedded.js";
import { losesPreparedStatements } from "./pooler.js";

/** The database can't be opened. The message is for the operator and omits the password. */
export class DatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "DatabaseError";
  }
}

export interface DatabaseChoice extends DataSourceOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  /** "own": be the folder's server, or fail. "join": connect through a running server's socket. */
  embedded: "own" | "join";
  /** Called when the embedded database fails while the process runs. */
  onFailure: (error: Error) => void;
  /** Called when the embedded database must be created first, which takes seconds. */
  onCreate?: () => void;
}

export interface OpenDatabase {
  db: Database;
  close: () => Promise<void>;
}

/** Opens PostgreSQL, or the embedded database without a URL. The caller must close it. */
export async function openDatabase(choice: DatabaseChoice): Promise<OpenDatabase> {
  if (choice.databaseUrl !== undefined) {
    const db = await connect({ url: choice.databaseUrl }, choice, () =>
      unreachable(choice.databaseUrl ?? ""),
    );
    if (await losesPreparedStatements(db)) {
      await db.source.destroy();
      throw new DatabaseError(
        "The pooler in front of the database loses prepared statements. Use PgBouncer 1.21 or newer with max_prepared_statements, or set DATABASE_PREPARED_STATEMENTS=off.",
      );
    }
    return { db, close: () => db.source.destroy() };
  }
  if (process.platform === "win32") {
    throw new DatabaseError(
      "The embedded database does not run on Windows. Set DATABASE_URL to a PostgreSQL address.",
    );
  }
  const start = await openFolder(choice);
  if (start.kind === "taken") {
    if (choice.embedded === "own") {
      throw new DatabaseError(
        `The data directory ${choice.dataDir} is in use by another Fettle process (pid ${start.pid}). Stop that one, or set DATA_DIR to another directory.`,
      );
    }
    const db = await connect({ socketFolder: start.socketFolder }, choice);
    return { db, close: () => db.source.destroy() };
  }
  const { database } = start;
  try {
    const db = await connect({ socketFolder: database.socketFolder }, choice);
    return {
      db,
      close: async () => {
        await db.source.destroy();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openFolder(choice: DatabaseChoice) {
  try {
    return await openEmbedded(choice.dataDir, choice.onFailure, choice.onCreate);
  } catch (error) {
    throw new DatabaseError(
      `The embedded database in ${choice.dataDir} cannot be opened: ${reasonOf(error)}`,
      error,
    );
  }
}

async function connect(
  address: DatabaseAddress,
  options: DataSourceOptions,
  where: () => string = () => "The embedded database does not answer",
): Promise<Database> {
  try {
    return new Database(await createDataSource(address, options).initialize());
  } catch (error) {
    throw new DatabaseError(`${where()}: ${reasonOf(error)}`, error);
  }
}

function unreachable(url: string): string {
  const { host, pathname } = new URL(url);
  return `The database ${pathname.slice(1)} at ${host} cannot be reached. Check that PostgreSQL runs there and that DATABASE_URL is right`;
}

/** One line. `pg` reports several failed addresses as one error without a message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  if (!(error instanceof Error)) return String(error);
  return (error.message.split("\n")[0] ?? "") || error.name;
}
