import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../server/src/mcp/json-schema.js";
import { normalizeArguments } from "../../server/src/mcp/normalize.js";

const schema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    due: { type: "string", format: "date" },
    count: { type: "integer" },
    cost: { type: "number" },
    dry: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    repeat: {
      type: "object",
      properties: { every: { type: "integer" }, unit: { type: "string" } },
      required: ["every"],
    },
  },
  required: ["name"],
};

describe("arguments", () => {
  test.each([
    [{ name: " A " }, { name: "A" }],
    [{ name: "A", due: null, tags: null, repeat: null }, { name: "A" }],
    [{ name: "A", due: "", cost: "null", count: "undefined", tags: " " }, { name: "A" }],
    [{ name: "null" }, { name: "null" }],
    [{ name: "" }, { name: "" }],
    [{ name: null }, {}],
    [{ name: 5 }, { name: "5" }],
    [
      { count: "12", cost: " -3.5 " },
      { count: 12, cost: -3.5 },
    ],
    [
      { count: "twelve", cost: "1e9" },
      { count: "twelve", cost: "1e9" },
    ],
    [{ dry: "True" }, { dry: true }],
    [{ tags: "a" }, { tags: ["a"] }],
    [{ tags: [" a ", "", null, 7] }, { tags: ["a", "7"] }],
    [{ tags: [] }, {}],
    [{ tags: ["", null] }, {}],
    [{ name: "Cafe\u0301" }, { name: "Caf\u00e9" }],
    [{ due: "2026-11-21T09:14:22Z" }, { due: "2026-11-21" }],
    [{ due: "2026-11-19T23:00:00.000Z" }, { due: "2026-11-20" }],
    [{ due: "2026-11-19T00:00:00Z" }, { due: "2026-11-19" }],
    [{ due: "2026-11-19T23:30" }, { due: "2026-11-19" }],
    [{ due: "2026-11-21Tjunk" }, { due: "2026-11-21Tjunk" }],
    [{ due: "21.11.2026" }, { due: "21.11.2026" }],
    [{ repeat: { every: "3", unit: "" } }, { repeat: { every: 3 } }],
    [{ nonsense: null }, {}],
  ])("%j become %j", (given, expected) => {
    expect(normalizeArguments(schema, given, "Europe/Berlin")).toEqual(expected);
  });

  test.each([
    [{ nam: "A" }, 'unknown parameter "nam". Did you mean name? Allowed: name, due, count,'],
    [{ zzzzzzzz: 1 }, 'unknown parameter "zzzzzzzz". Allowed: name,'],
    [{ repeat: { evry: 1 } }, 'unknown parameter "repeat.evry". Did you mean every?'],
    [JSON.parse('{"__proto__": 1}') as Record<string, unknown>, 'unknown parameter "__proto__".'],
    [{ constructor: 1 }, 'unknown parameter "constructor".'],
    [{ name: "a\u0000" }, "name contains characters that no text may contain."],
    [{ tags: ["ok", "\ud800"] }, "tags[1] contains characters that no text may contain."],
  ])("%j are refused: %s", (given, expected) => {
    expect(() => normalizeArguments(schema, given, "Europe/Berlin")).toThrow(expected);
  });
});
