import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { citext } from "@electric-sql/pglite/contrib/citext";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

export interface WorkerSettings {
  dataFolder: string;
  socketPath: string;
}

export type WorkerMessage = { kind: "ready" } | { kind: "failed"; reason: string };

async function serve({ dataFolder, socketPath }: WorkerSettings): Promise<() => Promise<void>> {
  const database = await PGlite.create({ dataDir: dataFolder, extensions: { citext, pg_trgm } });
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

/** Parse, Bind, Describe, Execute, Close, Flush: more of the same statement follows, up to Sync. */
const batchMessages = new Set(Array.from("PBDECH", (letter) => letter.charCodeAt(0)));
const sync = new Uint8Array([0x53, 0, 0, 0, 4]);

/**
 * The socket server lets connections take turns message by message, and holds a turn only inside a
 * transaction. All connections share one unnamed statement, so without this a statement could be
 * bound to another connection's values. A begun batch therefore counts as a transaction.
 */
function keepBatchesWhole(database: PGlite): PGlite {
  let isOpen = false;
  const gate = {
    runExclusive: <T>(work: () => Promise<T>) => database.runExclusive(work),
    isInTransaction: () => isOpen || database.isInTransaction(),
    // Called to roll back for a connection that went away, maybe within a batch.
    exec: async (text: string) => {
      if (isOpen) await database.execProtocolRaw(sync);
      isOpen = false;
      return database.exec(text);
    },
    execProtocolRawStream: async (
      ...[message, options]: Parameters<PGlite["execProtocolRawStream"]>
    ) => {
      try {
        await database.execProtocolRawStream(message, options);
      } catch (error) {
        // Wrong statements are answered, not thrown: the database itself is broken. The socket
        // server would wait for ever, so the worker ends and with it the process.
        setImmediate(() => {
          throw error;
        });
        throw error;
      }
      isOpen = batchMessages.has(message[0] ?? 0);
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
  tell({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
}
