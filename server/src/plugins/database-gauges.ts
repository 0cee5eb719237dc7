import type { Pool } from "pg";
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../db/database.js";
import { measureOutbox } from "../domain/messaging/outbox.js";
import { poolOf } from "../db/pools.js";
import type { ReplicaState } from "../db/replicas.js";
import { withinTime } from "../db/within-time.js";
import { maxWaitMs, shareForASecond } from "./health.js";

/** Pools by the name for operators. If two names have one pool, only the first is reported. */
export type Pools = Record<string, Database>;

export function measurePools(registry: Registry, pools: Pools): void {
  const entries = Object.entries(pools);
  const distinct = entries.filter(([, db], at) => entries.findIndex((e) => e[1] === db) === at);
  const tell = (name: string, help: string, read: (pool: Pool) => number) => {
    new Gauge({
      name: `fettle_database_pool_${name}`,
      help,
      labelNames: ["pool"],
      registers: [registry],
      collect() {
        for (const [name, db] of distinct) {
          const pool = poolOf(db);
          if (pool !== undefined) this.set({ pool: name }, read(pool));
        }
      },
    });
  };
  tell("size", "The most connections a pool may have.", ({ options }) => options.max);
  tell("busy", "Connections in use.", ({ totalCount, idleCount }) => totalCount - idleCount);
  tell("waiting", "Requests that wait for a connection.", ({ waitingCount }) => waitingCount);
}

export function measureReplicas(registry: Registry, states: () => ReplicaState[]): void {
  const tell = (name: string, help: string, read: (state: ReplicaState) => number | undefined) => {
    new Gauge({
      name: `fettle_database_replica_${name}`,
      help,
      labelNames: ["replica"],
      registers: [registry],
      collect() {
        for (const state of states()) {
          const value = read(state);
          if (value !== undefined) this.set({ replica: state.name }, value);
        }
      },
    });
  };
  tell("used", "Whether reads may go there: 1 or 0.", ({ isUsed }) => Number(isUsed));
  tell("lag_seconds", "How long ago it had all that the primary had then.", ({ lagMs }) =>
    lagMs === undefined ? undefined : lagMs / 1000,
  );
}

/** Gauges of one check of the database. Without a response, only reports that it is down. */
export function measureDatabase(registry: Registry, db: Database): void {
  const look = shareForASecond(() => withinTime(lookAt(db), maxWaitMs));
  const tell = (name: string, help: string, read: (found: Found) => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = await look().catch(() => undefined);
        if (found === undefined) this.remove();
        else this.set(read(found));
      },
    });
  };
  new Gauge({
    name: "fettle_database_up",
    help: "Whether the database answers: 1 or 0.",
    registers: [registry],
    async collect() {
      this.set(
        await look().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  tell("fettle_schema_version", "Migrations of the database.", ({ version }) => version);
  tell("fettle_schema_expected", "Migrations of this program.", () => db.source.migrations.length);
  tell("fettle_mail_outbox_waiting", "Emails that wait to be sent.", ({ waiting }) => waiting);
  tell(
    "fettle_mail_outbox_oldest_seconds",
    "How long the oldest waiting email has waited.",
    ({ oldest_seconds }) => oldest_seconds,
  );
}

type Found = Awaited<ReturnType<typeof lookAt>>;

async function lookAt(db: Database) {
  const outbox = await measureOutbox(db);
  const row = await db.maybe<{ version: number }>(
    "SELECT count(*)::int AS version FROM migrations",
  );
  return { ...outbox, version: row?.version ?? 0 };
}
