import type { Pool } from "pg";
import { replicaReads } from "../metrics.js";
import { isConnectionLost } from "./connection-errors.js";
import type { Database } from "./database.js";
import { withinTime } from "./within-time.js";

/** A streaming replica, named by host and port, with a pool for each of the two kinds of plans. */
export interface Replica {
  name: string;
  reads: Pool;
  planned: Pool;
}

/** The caller's membership row, with the version that the primary has. */
export interface KnownCaller {
  organizationId: string;
  userId: string;
  memberVersion?: string;
}

export interface ReplicaState {
  name: string;
  isUsed: boolean;
  /**
   * Milliseconds since the primary's state that the replica has. Undefined before it first caught
   * up.
   */
  lagMs: number | undefined;
}

/**
 * The replicas for reads. Access is always read from the primary, together with the version of the
 * caller's membership row. A replica is used only if it has the row in this version. It then has
 * all the person's changes, because each change updates the row (see `confirmAccess`). It also has
 * the person's roles, because each role change updates the row too.
 */
export interface Replicas {
  areThere: boolean;
  choose: (caller: KnownCaller) => Promise<Replica | undefined>;
  /** Called after a read failed on the replica. */
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
/** A replica that lags more isn't used. Changes by others would be missing for too long. */
const defaultMaxLagMs = 3000;

// A promoted replica isn't used, because it may have been cut off.
const knows = `SELECT FROM organization_members
  WHERE organization_id = $1 AND user_id = $2 AND xmin::text = $3 AND pg_is_in_recovery()`;

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

/** A position in the primary's write-ahead log, and when it was read. */
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

  /** Throws if the replica lags too far behind the primary. */
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
