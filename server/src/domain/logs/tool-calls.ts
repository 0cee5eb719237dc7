import type { DataSource } from "typeorm";
import type { ToolCall } from "../../db/entities/tool-call.js";

/** One call of a tool as the log keeps it; arguments come without free text and emails. */
export type LoggedCall = Omit<ToolCall, "id">;

export interface ToolCallLog {
  /** Keeps a call in memory until the next write; never waits and never fails. */
  record: (call: LoggedCall) => void;
  /** Writes what is left and ends. */
  close: () => Promise<void>;
}

const flushEveryMs = 1000;
const flushAtRows = 200;
/** When the database does not take them, older calls are dropped beyond this. */
const maxBuffered = 10_000;

/** Collects tool calls and writes them every second, or at 200, as one statement. */
export function createToolCallLog(db: DataSource, onError: (error: unknown) => void): ToolCallLog {
  let waiting: LoggedCall[] = [];
  let writing: Promise<void> = Promise.resolve();

  const flush = () => {
    writing = writing.then(async () => {
      const calls = waiting.slice(0, flushAtRows);
      if (calls.length === 0) return;
      waiting = waiting.slice(calls.length);
      try {
        await writeToolCalls(db, calls);
      } catch (error) {
        onError(error);
        waiting = [...calls, ...waiting].slice(-maxBuffered);
      }
    });
    return writing;
  };
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  return {
    record(call) {
      waiting.push(call);
      if (waiting.length % flushAtRows === 0) void flush();
    },
    async close() {
      clearInterval(timer);
      for (let left = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < left;) {
        left = waiting.length;
        await flush();
      }
      await writing;
    },
  };
}

/** The log is kept for 90 days. */
export async function cleanUpToolCalls(db: DataSource): Promise<void> {
  await db.query("DELETE FROM tool_call_log WHERE created_at < fettle_now() - interval '90 days'");
}

const columns = `organization_id, user_id, client_id, tool, arguments, outcome, error_code,
  duration_ms, request_id, created_at`;

/** One text for any number of rows. */
async function writeToolCalls(db: DataSource, calls: LoggedCall[]): Promise<void> {
  await db.query(
    `INSERT INTO tool_call_log (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::tool_call_log, $1)`,
    [JSON.stringify(calls)],
  );
}
