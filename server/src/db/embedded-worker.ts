import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { citext } from "@electric-sql/pglite/contrib/citext";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { EmbeddedStatements } from "./embedded-statements.js";

export interface WorkerSettings {
  dataFolder: string;
  socketPath: string;
}

export type WorkerMessage = { kind: "ready" } | { kind: "failed"; reason: string };

async function serve({ dataFolder, socketPath }: WorkerSettings): Promise<() => Promise<void>> {
  const database = await PGlite.create({
    dataDir: dataFolder,
    extensions: { btree_gin, citext, pg_trgm },
  });
  // As on PostgreSQL, see data-source.ts.
  await database.exec("SET plan_cache_mode = force_generic_plan");
  const server = new PGLiteSocketServer({
    db: keepBatchesWhole(database),
    path: socketPath,
    maxConnections: 100,
  });
  await server.start();
  return async () => {
    await server.stop();
    await database.close();
  };
}

const flush = 0x48;
/** Parse, Bind, Describe, Execute, Close, Flush: the statement continues until Sync. */
const batchMessages = new Set([...Buffer.from("PBDEC"), flush]);
const sync = new Uint8Array([0x53, 0, 0, 0, 4]);

/**
 * The socket server lets connections take turns per message, and holds a turn only inside a
 * transaction. All connections share one unnamed statement, so a statement could be bound to
 * another connection's values. An open batch therefore counts as a transaction. A batch runs when
 * it is complete or its client waits for answers: once per statement instead of five times.
 */
function keepBatchesWhole(database: PGlite): PGlite {
  let isOpen = false;
  let gathered: Uint8Array[] = [];
  const statements = new EmbeddedStatements();
  const gate = {
    runExclusive: <T>(work: () => Promise<T>) => database.runExclusive(work),
    isInTransaction: () => isOpen || database.isInTransaction(),
    // Called to roll back for a closed connection, possibly within a batch.
    exec: async (text: string) => {
      if (isOpen) await database.execProtocolRaw(sync);
      isOpen = false;
      gathered = [];
      return database.exec(text);
    },
    execProtocolRawStream: async (
      message: Uint8Array,
      { onRawData }: { onRawData: (data: Uint8Array) => void },
    ) => {
      const type = message[0] ?? 0;
      isOpen = batchMessages.has(type);
      gathered.push(message);
      if (isOpen && type !== flush) return;
      const { messages, learn } = statements.prepare(gathered);
      gathered = [];
      let isAnswered = false;
      try {
        await database.execProtocolRawStream(messages, {
          onRawData: (data) => {
            if (!isAnswered) learn(data);
            isAnswered = true;
            onRawData(data);
          },
        });
      } catch (error) {
        // Invalid statements are answered, not thrown. A thrown error means that the database is
        // broken. The socket server would wait forever, so the worker ends, and the process with
        // it.
        setImmediate(() => {
          throw error;
        });
        throw error;
      }
    },
  };
  return gate as unknown as PGlite;
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

try {
  const close = await serve(workerData as WorkerSettings);
  tell({ kind: "ready" });
  parentPort?.once("message", () => {
    void close().finally(() => parentPort?.close());
  });
} catch (error) {
  // The database's file system throws objects that aren't errors.
  tell({ kind: "failed", reason: error instanceof Error ? error.message : JSON.stringify(error) });
}
