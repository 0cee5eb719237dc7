import type { Pool, PoolClient } from "pg";
import { AppError } from "../errors.js";
import { Database, type Send, type StatementOptions, type Tx } from "./database.js";
import { poolOf, sendOn, type Answer } from "./pools.js";
import { isTimeout } from "./query-errors.js";
import type { KnownCaller, Replica, Replicas } from "./replicas.js";

/**
 * The database for one request. Statements with `replan` go to the connections of `planned`, which plan
 * each statement anew. `admit` lets only some of an organization run at the same time, as of all other
 * statements and transactions. The connection of what is ended is cut, which PostgreSQL notices within
 * `client_connection_check_interval`. The embedded database runs one statement at a time in this machine,
 * and its statements are not ended.
 */
export interface RequestDb {
  db: Database;
  /**
   * The same for what only reads: what it reads with `query` is asked of a replica that is good
   * enough for the caller, and of the primary where none is, or where that fails.
   */
  readsOf: (caller: KnownCaller) => Database;
  /**
   * Nobody waits for an answer any more: what is read with `query` ends, and no more of it
   * begins. Transactions and reads of entities, which are short, run to their end.
   */
  cancel: () => void;
  /** The same, and a transaction ends without a change unless its commit has begun. */
  cancelChanges: () => void;
}

/** Wait for a place among the connections and give the function that frees it; undefined after waiting too long. */
export interface Admit {
  planned: (connections: Pool, organizationId: string) => Promise<(() => void) | undefined>;
  /** For whoever asks. */
  others: (connections: Pool) => Promise<(() => void) | undefined>;
}

export function createRequestDb(
  base: Database,
  planned: Database,
  admit: Admit,
  replicas: Pick<Replicas, "areThere" | "choose" | "noteFailure">,
): RequestDb {
  const pool = poolOf(base);
  const plannedPool = poolOf(planned);
  const { transact: transactAtOnce, cancelTransactions } = createTransactions(base);
  if (pool === undefined || plannedPool === undefined) {
    const db = new Database(base.source, { transact: transactAtOnce });
    return { db, readsOf: () => base, cancel: () => undefined, cancelChanges: cancelTransactions };
  }
  const primary = { reads: pool, planned: plannedPool };
  const { run, cancel } = createRunner();
  const places = createRequestPlaces(admit);
  const query = async (
    { reads, planned }: Pick<Replica, "reads" | "planned">,
    sql: string,
    values: unknown[] = [],
    { replan }: StatementOptions = {},
  ): Promise<Answer> =>
    replan === undefined
      ? places.ofStatement(reads, () => run(reads, sql, values))
      : within(admit.planned(planned, replan), () => run(planned, sql, values));
  const transact: typeof transactAtOnce = (work) =>
    places.ofTransaction(pool, () => transactAtOnce(work));
  const readsOf = (caller: KnownCaller): Database => {
    let choosing: Promise<Replica | undefined> | undefined;
    const send: Send = async (...statement) => {
      const replica = await (choosing ??= replicas.choose(caller));
      if (replica === undefined) return query(primary, ...statement);
      try {
        return await query(replica, ...statement);
      } catch (error) {
        if (error instanceof AppError || isTimeout(error)) throw error;
        replicas.noteFailure(replica, error);
        choosing = Promise.resolve(undefined);
        return query(primary, ...statement);
      }
    };
    return new Database(base.source, { send, transact });
  };
  const db = new Database(base.source, {
    send: (...statement) => query(primary, ...statement),
    transact,
  });
  return {
    db,
    readsOf: replicas.areThere ? readsOf : () => db,
    cancel,
    cancelChanges: () => {
      cancel();
      cancelTransactions();
    },
  };
}

/** The places that one request takes. */
function createRequestPlaces(admit: Pick<Admit, "others">) {
  let transactions = 0;
  return {
    // A transaction that waited for what is read beside it would keep the place that this needs.
    ofStatement: <Result>(connections: Pool, work: () => Promise<Result>) =>
      transactions > 0 ? work() : within(admit.others(connections), work),
    ofTransaction: <Result>(connections: Pool, work: () => Promise<Result>) =>
      within(admit.others(connections), async () => {
        transactions += 1;
        try {
          return await work();
        } finally {
          transactions -= 1;
        }
      }),
  };
}

async function within<Result>(
  entering: Promise<(() => void) | undefined>,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await entering;
  if (leave === undefined) throw new AppError("unavailable", "too_slow");
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Runs statements until it is cancelled, which ends those under way. */
function createRunner() {
  const running = new Set<PoolClient>();
  let isCancelled = false;
  const wasCancelled = () => isCancelled;
  const run = async (from: Pool, sql: string, values: unknown[]): Promise<Answer> => {
    const client = await from.connect();
    if (wasCancelled()) {
      client.release();
      throw callerGone();
    }
    running.add(client);
    client.on("error", ignore);
    try {
      return await sendOn(client, sql, values);
    } catch (error) {
      throw wasCancelled() ? callerGone() : error;
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

type Work<Result> = (tx: Tx) => Promise<Result>;

/** Runs transactions until they are cancelled, which rolls back those whose work is not done. */
function createTransactions(base: Database) {
  const working = new Set<PoolClient>();
  let isCancelled = false;
  const wasCancelled = () => isCancelled;
  const transact = <Result>(work: Work<Result>): Promise<Result> =>
    base.transaction(async (tx) => {
      const client = (await tx.queryRunner?.connect()) as PoolClient;
      if (wasCancelled()) throw callerGone();
      working.add(client);
      try {
        const result = await work(tx);
        // A connection that is cut from here on would leave open what became of the change.
        if (!wasCancelled()) return result;
      } catch (error) {
        if (!wasCancelled()) throw error;
      } finally {
        working.delete(client);
      }
      throw callerGone();
    });
  return {
    transact,
    cancelTransactions: () => {
      isCancelled = true;
      if (poolOf(base) === undefined) return;
      for (const client of working) socketOf(client).destroy();
    },
  };
}

/** Nobody reads it, and it is no failure of ours that a log should tell of. */
export function callerGone(): AppError {
  return new AppError("conflict", "caller_gone");
}

// The query fails with the same error.
const ignore = () => undefined;

function socketOf(client: PoolClient): { destroy: () => void } {
  return (client as unknown as { connection: { stream: { destroy: () => void } } }).connection
    .stream;
}
