import type { Pool, PoolClient } from "pg";
import { QueryFailedError, type DataSource, type EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import { customPlan } from "./custom-plan.js";
import { poolOf } from "./pools.js";

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
  cancel: () => void;
}

/** Waits for a place and gives the function that frees it; undefined after waiting too long. */
export type AdmitPlanned = (organizationId: string) => Promise<(() => void) | undefined>;

export function createRequestDb(
  base: DataSource,
  planned: DataSource,
  admitPlanned: AdmitPlanned,
): RequestDb {
  const pool = findPool(base);
  const plannedPool = findPool(planned);
  if (pool === undefined || plannedPool === undefined) return { db: base, cancel: () => undefined };
  const running = new Set<PoolClient>();
  let isCancelled = false;
  const wasCancelled = () => isCancelled;

  const query = async (sql: string, parameters: unknown[] = []): Promise<unknown> => {
    if (!sql.startsWith(customPlan)) return run(pool, sql, parameters);
    const leave = await admitPlanned(String(parameters[0]));
    if (leave === undefined) throw new AppError("unavailable", "too_slow");
    try {
      return await run(plannedPool, sql, parameters);
    } finally {
      leave();
    }
  };
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

  const manager = Object.create(base.manager, { query: { value: query } }) as EntityManager;
  const db = Object.create(base, {
    manager: { value: manager },
    query: { value: query },
  }) as DataSource;
  return {
    db,
    cancel: () => {
      isCancelled = true;
      for (const client of running) socketOf(client).destroy();
    },
  };
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
