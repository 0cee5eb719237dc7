import pg from "pg";
import { DataSource } from "typeorm";
import { allEntities } from "./entities.js";
import { allMigrations } from "./migrations.js";
import { DatabaseClient, StatementClient } from "./statement-client.js";

/** A PostgreSQL address, or the folder of the embedded database's socket. */
export type DatabaseAddress = { url: string } | { socketFolder: string };

export interface DataSourceOptions {
  poolSize?: number;
  /** The longest a statement may take; without it, as long as it needs. */
  statementTimeoutMs?: number | undefined;
  /** The longest a statement may wait for what another transaction holds; without it, as long as it may take. */
  lockTimeoutMs?: number;
  /** How long a statement may stay without an answer until its connection is given up. */
  maxSilenceMs?: number;
  /** Whether a statement is planned once for all values, or for its values each time. */
  plans?: "generic" | "custom";
  /** Whether statements that are planned once have names; false behind poolers that lose them. */
  preparedStatements?: boolean;
  /** Told when an idle connection breaks; the pool replaces it by itself. */
  onPoolError?: (error: unknown) => void;
}

// Calendar days stay "YYYY-MM-DD": a Date would move them with the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);

const defaultPoolSize = 16;

/** For strangers, sign-in and tokens: who waits there for what others hold makes everybody wait. */
export const strangersPool = { poolSize: 4, lockTimeoutMs: 1000 };

const maxConnectMs = 10_000;
const applicationName = "fettle";

/** The one set of options for PostgreSQL and the embedded database. Not initialized yet. */
export function createDataSource(
  address: DatabaseAddress,
  { poolSize = defaultPoolSize, onPoolError = () => undefined, ...options }: DataSourceOptions = {},
): DataSource {
  return new DataSource({
    type: "postgres",
    ...("url" in address
      ? { url: address.url }
      : { host: address.socketFolder, username: "postgres", database: "postgres" }),
    entities: allEntities,
    migrations: allMigrations,
    migrationsTableName: "migrations",
    synchronize: false,
    installExtensions: false,
    logging: false,
    // Migrations that fail are told on stdout otherwise.
    logger: "debug",
    poolSize,
    poolErrorHandler: onPoolError,
    connectTimeoutMS: maxConnectMs,
    applicationName,
    extra: "url" in address ? serverOptions(options) : {},
  });
}

/** The connections to a replica, made when they are needed: it may be away at the start. */
export function createPool(
  url: string,
  { poolSize = defaultPoolSize, ...options }: Omit<DataSourceOptions, "onPoolError"> = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: maxConnectMs,
    application_name: applicationName,
    ...serverOptions(options),
  });
  // Of idle connections, which the pool replaces by itself.
  pool.on("error", () => undefined);
  return pool;
}

function serverOptions({
  plans = "generic",
  preparedStatements = true,
  maxSilenceMs = 0,
  statementTimeoutMs = 0,
  lockTimeoutMs = 0,
}: DataSourceOptions) {
  return {
    Client: clientFor(plans, preparedStatements),
    maxSilenceMs,
    // With "auto", small organizations are planned anew on every call; generic plans look
    // expensive, and compiling them would take longer than running them.
    options: [
      `-c plan_cache_mode=force_${plans}_plan -c jit=off`,
      // A statement ends soon after the connection that it came by.
      "-c client_connection_check_interval=500",
      // Filters of large organizations meet many pages, of which 4 MB keep no exact account.
      ...(plans === "custom" ? ["-c work_mem=16MB"] : []),
      `-c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs}`,
    ].join(" "),
    keepAlive: true,
  };
}

/** Names are of use where plans are kept, and lost behind some poolers. */
function clientFor(plans: "generic" | "custom", preparedStatements: boolean): typeof pg.Client {
  return plans === "generic" && preparedStatements ? StatementClient : DatabaseClient;
}
