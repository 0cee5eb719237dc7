import type { DataSource } from "typeorm";
import type { ToolCallOutcome } from "../../db/entities/tool-call.js";

/** One call of a tool as the log keeps it; arguments come without free text and emails. */
export interface ToolCall {
  organizationId: string;
  userId: string;
  clientId: string;
  tool: string;
  arguments: Record<string, unknown>;
  outcome: ToolCallOutcome;
  errorCode: string | undefined;
  durationMs: number;
  requestId: string;
  createdAt: Date;
}

export interface ToolCallLog {
  /** Keeps a call in memory until the next write; never waits and never fails. */
  record: (call: ToolCall) => void;
  /** Writes what is left and ends. */
  close: () => Promise<void>;
}

const flushEveryMs = 1000;
const flushAtRows = 200;
/** When the database does not take them, older calls are dropped beyond this. */
const maxKept = 10_000;

/** Collects tool calls and writes them every second, or at 200, as one statement. */
export function createToolCallLog(db: DataSource, onError: (error: unknown) => void): ToolCallLog {
  let waiting: ToolCall[] = [];
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
        waiting = [...calls, ...waiting].slice(-maxKept);
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

/** One text for any number of rows. */
async function writeToolCalls(db: DataSource, calls: ToolCall[]): Promise<void> {
  await db.query(
    `INSERT INTO tool_call_log (organization_id, user_id, client_id, tool, arguments, outcome,
       error_code, duration_ms, request_id, created_at)
     SELECT organization_id, user_id, client_id, tool, arguments::jsonb, outcome, error_code,
       duration_ms, request_id, created_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::text[], $8::int[], $9::text[], $10::timestamptz[])
       AS call (organization_id, user_id, client_id, tool, arguments, outcome, error_code,
         duration_ms, request_id, created_at)`,
    [
      calls.map((call) => call.organizationId),
      calls.map((call) => call.userId),
      calls.map((call) => call.clientId),
      calls.map((call) => call.tool),
      calls.map((call) => JSON.stringify(call.arguments)),
      calls.map((call) => call.outcome),
      calls.map((call) => call.errorCode ?? null),
      calls.map((call) => Math.round(call.durationMs)),
      calls.map((call) => call.requestId),
      calls.map((call) => call.createdAt),
    ],
  );
}
