import type { Pool, PoolClient } from "pg";
import { QueryFailedError, type DataSource, type EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { customPlan } from "./custom-plan.js";
import { poolOf } from "./pools.js";
import { isTimeout } from "./query-errors.js";
import type { KnownCaller, Replica, Replicas } from "./replicas.js";

/**
 * A data source for one request. Statements that begin with `customPlan` go to the connections of
 * `planned`, which plan each statement anew; their $1 is the organization, of which `admitPlanned` lets
 * only some at the same time. What it reads with `manager.query` ends when the request is
 * cancelled. The connection is cut, which PostgreSQL notices within `client_connection_check_interval`;
 * transactions and reads of entities, which are short, run to their end. The embedded database runs
 * one statement at a time in this machine, and has nothing to cancel.
 */
export interface RequestDb {
  db: DataSource;
  /**
   * The same for what only reads: what it reads with `manager.query` is asked of a replica that is good
   * enough for the caller, and of the primary where none is, or where that fails.
   */
  readsOf: (caller: KnownCaller) => DataSource;
  cancel: () => void;
}

/** Waits for a place and gives the function that frees it; undefined after waiting too long. */
export type AdmitPlanned = (organizationId: string) => Promise<(() => void) | undefined>;

export function createRequestDb(
  base: DataSource,
  planned: DataSource,
  admitPlanned: AdmitPlanned,
  replicas: Pick<Replicas, "areThere" | "choose" | "noteFailure">,
): RequestDb {
  const pool = findPool(base);
  const plannedPool = findPool(planned);
  if (pool === undefined || plannedPool === undefined) {
    return { db: base, readsOf: () => base, cancel: () => undefined };
  }
  const primary = { reads: pool, planned: plannedPool };
  const { run, cancel } = createRunner();
  const query = async (
    { reads, planned }: Pick<Replica, "reads" | "planned">,
    sql: string,
    parameters: unknown[],
  ): Promise<unknown> => {
    if (!sql.startsWith(customPlan)) return run(reads, sql, parameters);
    const leave = await admitPlanned(String(parameters[0]));
    if (leave === undefined) throw new AppError("unavailable", "too_slow");
    try {
      return await run(planned, sql, parameters);
    } finally {
      leave();
    }
  };
  const readsOf = (caller: KnownCaller): DataSource => {
    let choosing: Promise<Replica | undefined> | undefined;
    return withQuery(base, async (sql, parameters = []) => {
      const replica = await (choosing ??= replicas.choose(caller));
      if (replica === undefined) return query(primary, sql, parameters);
      try {
        return await query(replica, sql, parameters);
      } catch (error) {
        if (error instanceof AppError || isTimeout(error)) throw error;
        replicas.noteFailure(replica, error);
        choosing = Promise.resolve(undefined);
        return query(primary, sql, parameters);
      }
    });
  };
  const db = withQuery(base, (sql, parameters = []) => query(primary, sql, parameters));
  return {
    db,
    readsOf: replicas.areThere ? readsOf : () => db,
    cancel,
  };
}

/** Runs statements until it is cancelled, which ends those under way. */
function createRunner() {
  const running = new Set<PoolClient>();
  let isCancelled = false;
  const wasCancelled = () => isCancelled;
  const run = async (from: Pool, sql: string, parameters: unknown[]): Promise<unknown> => {
    const client = await from.connect();
    if (wasCancelled()) {
      client.release();
      throw callerGone();
    }
    running.add(client);
    client.on("error", ignore);
    try {
      const { command, rows, rowCount } = await client.query(sql, parameters);
      return command === "UPDATE" || command === "DELETE" ? [rows, rowCount] : rows;
    } catch (error) {
      throw wasCancelled() ? callerGone() : new QueryFailedError(sql, parameters, error as Error);
    } finally {
      running.delete(client);
      client.off("error", ignore);
      client.release(wasCancelled());
    }
  };
  return {
    run,
    cancel: () => {
      isCancelled = true;
      for (const client of running) socketOf(client).destroy();
    },
  };
}

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** Only what is read with `query` goes another way: transactions and entities stay with the base. */
function withQuery(base: DataSource, query: Query): DataSource {
  const manager = Object.create(base.manager, { query: { value: query } }) as EntityManager;
  return Object.create(base, {
    manager: { value: manager },
    query: { value: query },
  }) as DataSource;
}

/** Nobody reads it, and it is no failure of ours that a log should tell of. */
export function callerGone(): AppError {
  return new AppError("conflict", "caller_gone");
}

// The query fails with the same error.
const ignore = () => undefined;

function findPool(db: DataSource): Pool | undefined {
  const isServer = db.options.type === "postgres" && db.options.url !== undefined;
  return isServer ? poolOf(db) : undefined;
}

function socketOf(client: PoolClient): { destroy: () => void } {
  return (client as unknown as { connection: { stream: { destroy: () => void } } }).connection
    .stream;
}
