import type { Pool } from "pg";
import { replicaReads } from "../metrics.js";
import { isConnectionLost } from "./connection-errors.js";
import type { Database } from "./database.js";
import { withinTime } from "./within-time.js";

/** A streaming replica, by its host and port, with its connections for the two kinds of plans. */
export interface Replica {
  name: string;
  reads: Pool;
  planned: Pool;
}

/** What a caller is known as: the row of their membership, in the version that the primary has. */
export interface KnownCaller {
  organizationId: string;
  userId: string;
  memberVersion?: string;
}

export interface ReplicaState {
  name: string;
  isUsed: boolean;
  /** How long ago it had all that the primary had then; not known before it once had. */
  lagMs: number | undefined;
}

/**
 * The replicas that reads may go to. Who may do what is always read from the primary, and with it the
 * version of the row of the caller's membership. A replica is asked only if it has the row in that
 * version: then it has all that the person has changed, as each change changes the row (see
 * `confirmAccess`), and their roles, as each change of those does.
 */
export interface Replicas {
  areThere: boolean;
  choose: (caller: KnownCaller) => Promise<Replica | undefined>;
  /** After a read that failed there. */
  noteFailure: (replica: Replica, error: unknown) => void;
  states: () => ReplicaState[];
  stop: () => void;
}

interface Log {
  info: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

const lookEveryMs = 500;
const maxWaitMs = 2000;
/** Behind by more, a replica is left: what others have changed would be missing for too long. */
const defaultMaxLagMs = 3000;

// One that is no replica any more is not asked, as it may have been cut off.
const knows = `SELECT FROM organization_members
  WHERE organization_id = $1 AND user_id = $2 AND xmin::text = $3 AND pg_is_in_recovery()`;

/** Looks after the replicas until it is stopped. */
export function watchReplicas(
  replicas: readonly Replica[],
  primary: Database,
  log: Log,
  maxLagMs = defaultMaxLagMs,
): Replicas {
  const watched = replicas.map((replica) => new WatchedReplica(replica, primary, log, maxLagMs));
  let turn = 0;
  return {
    areThere: watched.length > 0,
    choose: async (caller) => {
      const used = watched.filter(({ isUsed }) => isUsed);
      const next = used[turn++ % used.length];
      if (next === undefined) return undefined;
      const values = [caller.organizationId, caller.userId, caller.memberVersion];
      try {
        const { rowCount } = await withinTime(next.replica.reads.query(knows, values), maxWaitMs);
        replicaReads.inc({ answer: rowCount === 1 ? "asked" : "behind" });
        return rowCount === 1 ? next.replica : undefined;
      } catch (error) {
        replicaReads.inc({ answer: "failed" });
        next.leave(error);
        return undefined;
      }
    },
    noteFailure: (replica, error) => {
      replicaReads.inc({ answer: "failed" });
      if (!isConnectionLost(error)) return;
      watched.find((one) => one.replica === replica)?.leave(error);
    },
    states: () => watched.map((one) => one.state()),
    stop: () => {
      for (const one of watched) one.stop();
    },
  };
}

/** A position of the primary's write-ahead log, and when it was asked for. */
interface Mark {
  position: string;
  at: number;
}

class WatchedReplica {
  readonly replica: Replica;
  isUsed = false;
  readonly #primary: Database;
  readonly #log: Log;
  readonly #maxLagMs: number;
  #hasTold = false;
  #mark: Mark | undefined;
  #caughtUpAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(replica: Replica, primary: Database, log: Log, maxLagMs: number) {
    this.replica = replica;
    this.#primary = primary;
    this.#log = log;
    this.#maxLagMs = maxLagMs;
    void this.#watch();
  }

  state(): ReplicaState {
    const { name } = this.replica;
    const lagMs = this.#caughtUpAt && performance.now() - this.#caughtUpAt;
    return { name, isUsed: this.isUsed, lagMs };
  }

  leave(error: unknown): void {
    if (this.isUsed || !this.#hasTold) {
      this.#log.warn({ replica: this.replica.name, err: error }, "a replica is not used");
    }
    this.#hasTold = true;
    this.isUsed = false;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #watch(): Promise<void> {
    try {
      await withinTime(this.#look(), maxWaitMs);
      if (!this.isUsed && !this.#isStopped) {
        this.#log.info({ replica: this.replica.name }, "a replica is used");
      }
      this.isUsed = true;
    } catch (error) {
      if (!this.#isStopped) this.leave(error);
    }
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#watch(), lookEveryMs).unref();
  }

  /** Fails unless the replica had, not long ago, all that the primary had. */
  async #look(): Promise<void> {
    this.#mark ??= await this.#readMark();
    const { rows } = await this.replica.reads.query<{ is_replica: boolean; has_mark: boolean }>(
      `SELECT pg_is_in_recovery() AS is_replica,
         coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) AS has_mark`,
      [this.#mark.position],
    );
    if (rows[0]?.is_replica !== true) throw new Error("It is no replica.");
    if (rows[0].has_mark) {
      this.#caughtUpAt = this.#mark.at;
      this.#mark = undefined;
    }
    const { lagMs } = this.state();
    if (lagMs === undefined || lagMs > this.#maxLagMs) throw new Error("It is too far behind.");
  }

  async #readMark(): Promise<Mark> {
    const at = performance.now();
    const flushed = "SELECT pg_current_wal_flush_lsn()::text AS position";
    return { ...(await this.#primary.one<{ position: string }>(flushed)), at };
  }
}
