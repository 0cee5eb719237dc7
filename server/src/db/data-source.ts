import pg from "pg";
import { DataSource } from "typeorm";
import { allEntities } from "./entities.js";
import { allMigrations } from "./migrations.js";
import { DatabaseClient, StatementClient } from "./statement-client.js";

export type DatabaseAddress = { url: string } | { socketFolder: string };

export interface DataSourceOptions {
  poolSize?: number;
  /** Time limit of a statement. Unlimited if omitted. */
  statementTimeoutMs?: number | undefined;
  /** Time limit for waiting for a lock. Unlimited if omitted. */
  lockTimeoutMs?: number;
  /** Time without a response after which a statement's connection is closed. */
  maxSilenceMs?: number;
  /** Plans a statement once for all values (generic), or for its values at each call (custom). */
  plans?: "generic" | "custom";
  /**
   * True if statements with generic plans are named. Set it to false behind poolers that lose the
   * names.
   */
  preparedStatements?: boolean;
  /** Called when an idle connection breaks. The pool replaces it automatically. */
  onPoolError?: (error: unknown) => void;
}

// Calendar days stay "YYYY-MM-DD". A Date would shift them with the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);

const defaultPoolSize = 16;

/** For anonymous requests, sign-in and tokens. Waiting there for a lock makes everyone wait. */
export const anonymousPool = { poolSize: 4, lockTimeoutMs: 1000 };

const maxConnectMs = 10_000;
const applicationName = "fettle";

/**
 * The only options for PostgreSQL and the embedded database. The data source isn't initialized yet.
 */
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
    // Otherwise failed migrations are printed to stdout.
    logger: "debug",
    poolSize,
    poolErrorHandler: onPoolError,
    connectTimeoutMS: maxConnectMs,
    applicationName,
    extra: "url" in address ? serverOptions(options) : {},
  });
}

/**
 * The connection pool of a replica. Connects on demand, because the replica may be unreachable at
 * the start.
 */
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
  // Errors of idle connections, which the pool replaces automatically.
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
    // With "auto", statements of small organizations are planned on every call, because generic
    // plans look expensive. JIT compilation would take longer than running them.
    options: [
      `-c plan_cache_mode=force_${plans}_plan -c jit=off`,
      // Ends a statement soon after its client disconnects.
      "-c client_connection_check_interval=500",
      // Filters of large organizations match many pages. 4 MB can't track them exactly.
      ...(plans === "custom" ? ["-c work_mem=16MB"] : []),
      `-c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs}`,
    ].join(" "),
    keepAlive: true,
  };
}

/** Names help where plans are cached. Some poolers lose them. */
function clientFor(plans: "generic" | "custom", preparedStatements: boolean): typeof pg.Client {
  return plans === "generic" && preparedStatements ? StatementClient : DatabaseClient;
}
