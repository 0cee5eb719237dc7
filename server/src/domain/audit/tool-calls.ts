import type { Database } from "../../db/database.js";
import { toolCallRowsLost } from "../../metrics.js";
import { deleteInBatches } from "../history/batches.js";
import { defaultRetention, type Retention } from "../shared/retention.js";
import { createCallFolder, type LoggedCall, type MadeCall } from "./call-folding.js";

export interface ToolCallLog {
  /** Buffers a call until the next write. Never waits and never throws. */
  record: (call: MadeCall, isRead: boolean) => void;
  close: () => Promise<void>;
}

const flushEveryMs = 1000;
const flushAtRows = 200;
/** Beyond this, older calls are dropped if the database doesn't accept them. */
const maxBuffered = 10_000;

/**
 * Buffers tool calls and writes them every second, or at 200, as one statement. Rows that count
 * several calls are written when their minute is over.
 */
export function createToolCallLog(db: Database, onError: (error: unknown) => void): ToolCallLog {
  let waiting: LoggedCall[] = [];
  let writing: Promise<void> = Promise.resolve();
  const folder = createCallFolder();

  const flush = () => {
    writing = writing.then(async () => {
      const calls = waiting.slice(0, flushAtRows);
      if (calls.length === 0) return;
      waiting = waiting.slice(calls.length);
      try {
        await writeToolCalls(db, calls);
      } catch (error) {
        onError(error);
        const all = [...calls, ...waiting];
        waiting = all.slice(-maxBuffered);
        toolCallRowsLost.inc(all.length - waiting.length);
      }
    });
    return writing;
  };
  const timer = setInterval(() => {
    waiting.push(...folder.takeEnded(new Date()));
    void flush();
  }, flushEveryMs);
  timer.unref();

  return {
    record(call, isRead) {
      const row = folder.add(call, isRead);
      if (row === undefined) return;
      waiting.push(row);
      if (waiting.length % flushAtRows === 0) void flush();
    },
    async close() {
      clearInterval(timer);
      waiting.push(...folder.takeEnded());
      for (let left = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < left;) {
        left = waiting.length;
        await flush();
      }
      await writing;
    },
  };
}

export async function cleanUpToolCalls(
  db: Database,
  { toolCalls }: Retention = defaultRetention,
): Promise<void> {
  const isOld = "created_at < app_now() - make_interval(days => $1)";
  await deleteInBatches(db, "tool_call_log", isOld, [toolCalls]);
}

const columns = `organization_id, user_id, client_id, tool, arguments, outcome, error_code,
  calls, duration_ms, request_id, created_at`;

/**
 * Uses one statement text for any number of rows. Skips rows of deleted organizations. It isn't a
 * join, so the order is kept.
 */
async function writeToolCalls(db: Database, calls: LoggedCall[]): Promise<void> {
  await db.query(
    `INSERT INTO tool_call_log (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::tool_call_log, $1) AS made
     WHERE (SELECT true FROM organizations o WHERE o.id = made.organization_id)`,
    [JSON.stringify(calls)],
  );
}
