import { beforeAll, describe, expect, test } from "vitest";
import type { MadeCall } from "../../../server/src/domain/audit/call-folding.js";
import { createToolCallLog } from "../../../server/src/domain/audit/tool-calls.js";
import { useDatabase } from "../../support/database.js";

const db = useDatabase();

interface Row {
  tool: string;
  arguments: Record<string, unknown>;
  error_code: string | null;
  calls: number;
  duration_ms: number;
}

const readAsset = (n = 1): Partial<MadeCall> => ({
  tool: "get_asset",
  arguments: { asset_id: `ast_${n}` },
});

/** Logs an app's calls within a minute and returns the stored rows. */
async function log(calls: readonly Partial<MadeCall>[], clientId: string): Promise<Row[]> {
  const toolCalls = createToolCallLog(db(), (error) => {
    throw error;
  });
  for (const [n, call] of calls.entries()) {
    const made: MadeCall = {
      organization_id: "org_1",
      user_id: "usr_1",
      client_id: clientId,
      tool: "get_current_user",
      arguments: {},
      outcome: "ok",
      error_code: null,
      duration_ms: 2,
      request_id: `req_${n}`,
      created_at: new Date(Date.UTC(2026, 0, 1, 12, 0, 0, n)),
      ...call,
    };
    toolCalls.record(made, made.tool.startsWith("get_"));
  }
  await toolCalls.close();
  return db().query(
    `SELECT tool, arguments, error_code, calls, duration_ms FROM tool_call_log
     WHERE client_id = $1 ORDER BY id`,
    [clientId],
  );
}

const times = (n: number, callOf: (n: number) => Partial<MadeCall>) =>
  Array.from({ length: n }, (_, index) => callOf(index));

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { calls }) => sum + calls, 0);

describe("tool call log", () => {
  beforeAll(async () => {
    await db().query(
      `INSERT INTO organizations (id, name, slug, inventory_prefix)
       SELECT 'org_' || n, 'Log', 'log', 'L' FROM generate_series(1, 2) n`,
    );
  });

  test("GRO-03 writes ten rows a minute for identical reads and one for the rest", async () => {
    const rows = await log(
      times(600, () => readAsset()),
      "reader",
    );

    expect(rows.map(({ calls }) => calls)).toEqual([...Array<number>(10).fill(1), 590]);
    expect(rows[10]).toEqual({
      tool: "get_asset",
      arguments: { asset_id: "ast_1" },
      error_code: null,
      calls: 590,
      duration_ms: 1180,
    });
  });

  test("GRO-03 writes one row each for few reads, changes, and refusals, in order", async () => {
    const calls = [
      ...times(10, () => readAsset()),
      ...times(20, () => ({ tool: "update_asset", arguments: { asset_id: "ast_1" } })),
      ...times(10, (n) => ({ ...readAsset(n), outcome: "error", error_code: "not_found" })),
    ] satisfies Partial<MadeCall>[];

    const rows = await log(calls, "worker");

    expect(rows.map((row) => row.calls)).toEqual(Array(40).fill(1));
    expect(rows.map((row) => row.arguments)).toEqual(calls.map((call) => call.arguments));
  });

  test("GRO-03 counts refusals for one reason together, whatever was requested", async () => {
    const rows = await log(
      times(300, (n) => ({ ...readAsset(n), outcome: "error", error_code: "not_found" })),
      "guesser",
    );

    expect(rows).toHaveLength(11);
    expect(rows[10]).toMatchObject({ arguments: {}, error_code: "not_found", calls: 290 });
  });

  test("GRO-03 writes sixty rows a minute for distinct calls, then one per tool", async () => {
    const rows = await log(
      times(600, (n) => (n % 2 === 0 ? readAsset(n) : { ...readAsset(n), tool: "update_asset" })),
      "crawler",
    );

    expect(rows).toHaveLength(62);
    expect(sumOf(rows)).toBe(600);
    expect(rows.slice(60)).toEqual([
      { tool: "get_asset", arguments: {}, error_code: null, calls: 270, duration_ms: 540 },
      { tool: "update_asset", arguments: {}, error_code: null, calls: 270, duration_ms: 540 },
    ]);
  });

  test("GRO-03 counts people and organizations separately", async () => {
    const folded = await log(
      [
        ...times(12, () => ({ ...readAsset(), user_id: "usr_1" })),
        ...times(12, () => ({ ...readAsset(), user_id: "usr_2" })),
        ...times(12, () => ({ ...readAsset(), organization_id: "org_2" })),
      ],
      "shared",
    );

    expect(folded.filter(({ calls }) => calls > 1).map(({ calls }) => calls)).toEqual([2, 2, 2]);
  });
});
