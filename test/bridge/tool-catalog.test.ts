import { expect, test } from "vitest";
import { ToolCatalog, signInTool } from "../../bridge/src/proxy/local/tool-catalog.js";

const reading = { name: "read", annotations: { readOnlyHint: true } };
const repeatable = { name: "put", annotations: { idempotentHint: true } };
const changing = { name: "add", annotations: { readOnlyHint: "true", idempotentHint: 1 } };
const silent = { name: "silent" };

test("only tools that declare it are safe to repeat", () => {
  const book = new ToolCatalog({ readOnly: false });

  book.add({ tools: [reading, repeatable, changing] });
  book.add({ tools: [silent, null, { name: 7 }] });

  const names = ["read", "put", "add", "silent", "never listed", "__proto__"];
  expect(names.map((name) => book.isSafeToRepeat(name))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(names.map((name) => book.isReadOnly(name))).toEqual([
    true,
    false,
    false,
    false,
    undefined,
    undefined,
  ]);
});

test("a cached list counts for tool names, but not for their safety", () => {
  const book = new ToolCatalog({ readOnly: false });
  book.add({ tools: [repeatable] });

  book.addCached({ tools: [reading, { name: "put" }] });

  const names = ["read", "put", "never listed"];
  expect(names.map((name) => book.isListed(name))).toEqual([true, true, false]);
  expect(names.map((name) => book.isReadOnly(name))).toEqual([undefined, false, undefined]);
  expect(names.map((name) => book.isSafeToRepeat(name))).toEqual([false, true, false]);
});

test("a tool's latest annotations apply", () => {
  const book = new ToolCatalog({ readOnly: false });
  book.add({ tools: [reading] });

  book.add({ tools: [{ name: "read", annotations: { readOnlyHint: false } }] });

  expect(book.isSafeToRepeat("read")).toBe(false);
});

test("a read-only list keeps only read-only tools, and all other fields", () => {
  const book = new ToolCatalog({ readOnly: true });

  const list = book.filter(
    { tools: [silent, reading, repeatable, null], nextCursor: "c", _meta: { x: 1 } },
    "legacy",
  );

  expect(list).toEqual({ tools: [reading], nextCursor: "c", _meta: { x: 1 } });
});

test("returns an unfiltered list, or a value that is no list, unchanged", () => {
  const list = { tools: [reading, signInTool] };
  const results = [list, null, "text", { tools: "none" }];

  const filtered = results.map((result) =>
    new ToolCatalog({ readOnly: true }).filter(result, "modern"),
  );

  expect(filtered.map((result, index) => result === results[index])).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test("repeats declared arguments in headers, at any depth and encoded", () => {
  const book = new ToolCatalog({ readOnly: false });
  const properties = {
    region: { type: "string", "x-mcp-header": "Region" },
    count: { type: "integer", "x-mcp-header": "Count" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    place: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } },
    other: { type: "string" },
  };
  book.add({ tools: [{ name: "find", inputSchema: { type: "object", properties } }] });

  const headers = [
    { region: "eu-west 1", count: 42, dry: false, place: { city: "Zürich" }, other: "x" },
    { region: "", count: null, place: {} },
    { region: " padded", count: 2 ** 60, dry: { a: 1 }, place: "no object" },
    { region: "a\r\nX-Evil: 1" },
    { region: "=?base64?eA==?=" },
    undefined,
  ].map((args) => book.headersFor("find", args));

  const encoded = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;
  expect(headers).toEqual([
    {
      "Mcp-Param-Region": "eu-west 1",
      "Mcp-Param-Count": "42",
      "Mcp-Param-Dry": "false",
      "Mcp-Param-City": encoded("Zürich"),
    },
    { "Mcp-Param-Region": encoded("") },
    { "Mcp-Param-Region": encoded(" padded") },
    { "Mcp-Param-Region": encoded("a\r\nX-Evil: 1") },
    { "Mcp-Param-Region": encoded("=?base64?eA==?=") },
    {},
  ]);
  expect(book.headersFor("never listed", { region: "eu" })).toEqual({});
});

const text = { type: "string", "x-mcp-header": "Name" };

test.each([
  ["no token", { properties: { a: { type: "string", "x-mcp-header": "a b" } } }],
  ["empty", { properties: { a: { type: "string", "x-mcp-header": "" } } }],
  ["no plain value", { properties: { a: { type: "object", "x-mcp-header": "A" } } }],
  ["a number", { properties: { a: { type: "number", "x-mcp-header": "A" } } }],
  ["twice in other case", { properties: { a: text, b: { ...text, "x-mcp-header": "NAME" } } }],
  ["below items", { properties: { a: { type: "array", items: { properties: { b: text } } } } }],
  ["below anyOf", { anyOf: [{ properties: { a: text } }] }],
  ["in a definition", { $defs: { a: text } }],
  ["on the whole", text],
])("hides a tool with an invalid header declaration in the modern era: %s", (_, inputSchema) => {
  const list = { tools: [reading, { name: "broken", inputSchema }] };
  const book = new ToolCatalog({ readOnly: false });

  const lists = [book.filter(list, "modern"), book.filter(list, "legacy")];

  expect(lists).toEqual([{ tools: [reading] }, list]);
});

test("omits headers for a tool with an invalid declaration, but accepts a number", () => {
  const book = new ToolCatalog({ readOnly: false });
  const inputSchema = { properties: { a: text, b: { type: "number", "x-mcp-header": "B" } } };
  const broken = { properties: { a: text, b: { type: "null", "x-mcp-header": "B" } } };

  book.add({
    tools: [
      { name: "number", inputSchema },
      { name: "broken", inputSchema: broken },
    ],
  });

  expect(book.headersFor("number", { a: "x", b: 1.5 })).toEqual({
    "Mcp-Param-Name": "x",
    "Mcp-Param-B": "1.5",
  });
  expect(book.headersFor("broken", { a: "x", b: 1.5 })).toEqual({});
});
