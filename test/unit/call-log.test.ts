import { describe, expect, test } from "vitest";
import { createCallFolder, type MadeCall } from "../../server/src/domain/audit/call-folding.js";
import { redactArguments } from "../../server/src/mcp/redact.js";
import type { JsonSchema } from "../../server/src/mcp/json-schema.js";

describe("folding of calls", () => {
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

  test("GRO-03 the counting row comes when its minute is over, and the next begins anew", () => {
    const folder = createCallFolder();
    for (let second = 0; second < 15; second += 1) folder.add(at(second), true);

    expect(folder.takeEnded(at(59).created_at)).toEqual([]);
    expect(folder.takeEnded(at(60).created_at)).toMatchObject([
      { calls: 5, created_at: at(10).created_at },
    ]);
    expect(folder.add(at(61), true)).toMatchObject({ calls: 1 });
    expect(folder.takeEnded()).toEqual([]);
  });

  test("a minute whose clock was set back is over", () => {
    const folder = createCallFolder();
    for (let second = 7200; second < 7215; second += 1) folder.add(at(second), true);

    expect(folder.takeEnded(at(20).created_at)).toMatchObject([{ calls: 5 }]);
  });
});

describe("the arguments of a call in the log", () => {
  const ids: JsonSchema = { type: "array", items: { type: "string" } };
  const names = Array.from({ length: 30 }, (_, n) => `ids_${n}`);
  const schema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, ids])),
  };

  test("GRO-03 they have two kilobytes at most, and say what was cut", () => {
    const many = Array.from({ length: 100 }, () => "ast_0123456789ab");
    const given = Object.fromEntries(names.map((name) => [name, many]));

    const kept = redactArguments(schema, given);

    expect(JSON.stringify(kept).length).toBeLessThan(2048);
    expect(kept["ids_1"]).toHaveLength(20);
    expect(kept["ids_29"]).toBe("[cut 381]");
  });

  test("what is short stays whole", () => {
    expect(redactArguments(schema, { ids_1: ["ast_0123456789ab", "free text"] })).toEqual({
      ids_1: ["ast_0123456789ab", "[text 9]"],
    });
  });
});
