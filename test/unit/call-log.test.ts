import { describe, expect, test } from "vitest";
import { createCallFolder, type MadeCall } from "../../server/src/domain/audit/call-folding.js";
import { redactArguments } from "../../server/src/mcp/redact.js";
import type { JsonSchema } from "../../server/src/mcp/json-schema.js";

describe("call folding", () => {
  const at = (seconds: number): MadeCall => ({
    organization_id: "org_1",
    user_id: "usr_1",
    client_id: "app",
    tool: "get_asset",
    arguments: {},
    outcome: "ok",
    error_code: null,
    duration_ms: 1,
    request_id: "req_1",
    created_at: new Date(Date.UTC(2026, 0, 1) + seconds * 1000),
  });

  test("GRO-03 the count row appears after its minute ends, and a new minute begins", () => {
    const folder = createCallFolder();
    for (let second = 0; second < 15; second += 1) folder.add(at(second), true);

    expect(folder.takeEnded(at(59).created_at)).toEqual([]);
    expect(folder.takeEnded(at(60).created_at)).toMatchObject([
      { calls: 5, created_at: at(10).created_at },
    ]);
    expect(folder.add(at(61), true)).toMatchObject({ calls: 1 });
    expect(folder.takeEnded()).toEqual([]);
  });

  test("a minute ends when the clock was set back", () => {
    const folder = createCallFolder();
    for (let second = 7200; second < 7215; second += 1) folder.add(at(second), true);

    expect(folder.takeEnded(at(20).created_at)).toMatchObject([{ calls: 5 }]);
  });
});

describe("logged call arguments", () => {
  const ids: JsonSchema = { type: "array", items: { type: "string" } };
  const names = Array.from({ length: 30 }, (_, n) => `ids_${n}`);
  const schema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, ids])),
  };

  test("GRO-03 take at most 2 kB and show how much was cut", () => {
    const many = Array.from({ length: 100 }, () => "ast_0123456789ab");
    const given = Object.fromEntries(names.map((name) => [name, many]));

    const kept = redactArguments(schema, given);

    expect(JSON.stringify(kept).length).toBeLessThan(2048);
    expect(kept["ids_1"]).toHaveLength(20);
    expect(kept["ids_29"]).toBe("[cut 381]");
  });

  test("keep short values whole", () => {
    expect(redactArguments(schema, { ids_1: ["ast_0123456789ab", "free text"] })).toEqual({
      ids_1: ["ast_0123456789ab", "[text 9]"],
    });
  });
});
