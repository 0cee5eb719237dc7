import type { Pool, PoolClient } from "pg";
import { AppError } from "../errors.js";
import { Database, type Send, type StatementOptions, type Tx } from "./database.js";
import { poolOf, sendOn, type Answer } from "./pools.js";
import { isTimeout } from "./query-errors.js";
import type { KnownCaller, Replica, Replicas } from "./replicas.js";

/**
 * The database for one request. Statements with `replan` use the connections of `planned`, which
 * plan each statement again. `admit` limits these statements per organization, and all other
 * statements and transactions. Cancelling closes a statement's connection, which PostgreSQL notices
 * within `client_connection_check_interval`. The embedded database runs one statement at a time on
 * this machine, and its statements can't be cancelled.
 */
export interface RequestDb {
  db: Database;
  /**
   * For reads only: sends `query` to a replica that is current enough for the caller. Uses the
   * primary if there is none or the replica fails.
   */
  readsOf: (caller: KnownCaller) => Database;
  /**
   * Call when the client has disconnected. Running `query` reads end, and no new ones start.
   * Transactions and entity reads, which are short, continue to their end.
   */
  cancel: () => void;
  /** Like `cancel`, and rolls back transactions unless their commit has begun. */
  cancelChanges: () => void;
}

/**
 * Waits for a slot among the connections and returns the function that frees it. Returns undefined
 * after waiting too long.
 */
export interface Admit {
  planned: (connections: Pool, organizationId: string) => Promise<(() => void) | undefined>;
  /** For all other statements and transactions of the request. */
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

function createRequestPlaces(admit: Pick<Admit, "others">) {
  let transactions = 0;
  return {
    // Statements beside an open transaction need no slot. The transaction may wait for them while
    // it holds the slot that they would need.
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

/** Runs statements until it is cancelled. Cancelling ends running statements. */
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

/** Runs transactions until they are cancelled. Cancelling rolls back unfinished ones. */
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
        // Closing the connection from here on would leave the outcome of the change unknown.
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

/** No one reads this error, and it isn't a server failure to log. */
export function callerGone(): AppError {
  return new AppError("conflict", "caller_gone");
}

// The query rejects with the error.
const ignore = () => undefined;

function socketOf(client: PoolClient): { destroy: () => void } {
  return (client as unknown as { connection: { stream: { destroy: () => void } } }).connection
    .stream;
}
