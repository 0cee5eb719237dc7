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
    at: { type: "string", format: "date-time" },
    state: { type: "string", enum: ["in_progress", "completed", "name_1", "name1"] },
    sort: { type: "string", enum: ["due_date", "-due_date"] },
    tags: { type: "array", items: { type: "string" } },
    steps: { type: "array", items: { type: "string" } },
    numbers: { type: "array", items: { type: "integer" } },
    types: { type: "array", items: { type: "string", enum: ["task_created", "note_added"] } },
    repeat: {
      type: "object",
      properties: { every: { type: "integer" }, unit: { type: "string" } },
      required: ["every"],
    },
  },
  required: ["name"],
};

describe("argument normalization", () => {
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
    [
      { count: "1.200", cost: "-1.234.567" },
      { count: "1.200", cost: "-1.234.567" },
    ],
    [
      { count: "0.500", cost: "1234.567" },
      { count: 0.5, cost: 1234.567 },
    ],
    [{ dry: "True" }, { dry: true }],
    [{ state: "In Progress" }, { state: "in_progress" }],
    [{ state: "in-progress" }, { state: "in_progress" }],
    [{ state: "COMPLETED" }, { state: "completed" }],
    [{ state: "name1" }, { state: "name1" }],
    [{ state: "Name 1" }, { state: "Name 1" }],
    [{ state: "done" }, { state: "done" }],
    [{ sort: "-Due Date" }, { sort: "-due_date" }],
    [{ sort: "Due-Date" }, { sort: "due_date" }],
    [{ tags: "a" }, { tags: ["a"] }],
    [{ tags: [" a ", "", null, 7] }, { tags: ["a", "7"] }],
    [{ tags: "a, b ,,c" }, { tags: ["a", "b", "c"] }],
    [{ tags: ' ["a", "b, c", 7]' }, { tags: ["a", "b, c", "7"] }],
    [{ tags: ["a, b"] }, { tags: ["a, b"] }],
    [{ tags: "[]" }, {}],
    [{ tags: "[a" }, { tags: ["[a"] }],
    [{ steps: "Stop, then look" }, { steps: ["Stop, then look"] }],
    [{ steps: '["Stop, then look", "Go"]' }, { steps: ["Stop, then look", "Go"] }],
    [{ steps: "[ ] Oil" }, { steps: ["[ ] Oil"] }],
    [{ numbers: "1, 2,3" }, { numbers: [1, 2, 3] }],
    [{ numbers: "[1, 2]" }, { numbers: [1, 2] }],
    [{ numbers: "4" }, { numbers: [4] }],
    [{ types: "Task created, note-added" }, { types: ["task_created", "note_added"] }],
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
    [
      { repeat: '{"every": "3", "unit": null}', name: "A" },
      { repeat: { every: 3 }, name: "A" },
    ],
    [{ repeat: "{every: 3}" }, { repeat: "{every: 3}" }],
    [{ repeat: "[1]" }, { repeat: "[1]" }],
    [{ at: "2026-11-21" }, { at: "2026-11-20T23:00:00Z" }],
    [{ at: "2026-07-01" }, { at: "2026-06-30T22:00:00Z" }],
    [{ at: "2026-02-30" }, { at: "2026-02-30" }],
    [{ at: "2026-11-21T09:14:22+02:00" }, { at: "2026-11-21T09:14:22+02:00" }],
    [{ nonsense: null }, {}],
  ])("turns %j into %j", (given, expected) => {
    const exceptions = { commaSeparated: ["tags"] };

    expect(normalizeArguments(schema, given, "Europe/Berlin", exceptions)).toEqual(expected);
  });

  test.each([
    [{ nam: "A" }, 'unknown parameter "nam". Did you mean name? Allowed: name, due, count,'],
    [{ zzzzzzzz: 1 }, 'unknown parameter "zzzzzzzz". Allowed: name,'],
    [{ repeat: { evry: 1 } }, 'unknown parameter "repeat.evry". Did you mean every?'],
    [{ repeat: '{"evry": 1}' }, 'unknown parameter "repeat.evry". Did you mean every?'],
    [JSON.parse('{"__proto__": 1}') as Record<string, unknown>, 'unknown parameter "__proto__".'],
    [{ constructor: 1 }, 'unknown parameter "constructor".'],
    [
      { name: "a\u0000" },
      "name contains characters that can't be stored, such as NUL. Remove them.",
    ],
    [
      { tags: ["ok", "\ud800"] },
      "tags[1] contains characters that can't be stored, such as NUL. Remove them.",
    ],
  ])("rejects %j: %s", (given, expected) => {
    expect(() => normalizeArguments(schema, given, "Europe/Berlin")).toThrow(expected);
  });
});

describe("date as a time", () => {
  const startOf = (day: string, timeZone: string) =>
    normalizeArguments(schema, { at: day }, timeZone)["at"];

  test.each([
    ["2026-11-21", "UTC", "2026-11-21T00:00:00Z"],
    ["2026-11-21", "Pacific/Kiritimati", "2026-11-20T10:00:00Z"],
    ["2026-11-21", "Pacific/Pago_Pago", "2026-11-21T11:00:00Z"],
    ["2026-11-21", "Asia/Kathmandu", "2026-11-20T18:15:00Z"],
    // Clocks change at three on this day.
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"],
    // Clocks move from midnight to one.
    ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00Z"],
  ])("%s in %s starts at %s", (day, timeZone, expected) => {
    expect(startOf(day, timeZone)).toBe(expected);
  });
});
