import { check, constant, array, jsonValue, integer, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import {
  createLineReader,
  createOversizeScanner,
  type Oversize,
  toOversizeAnswer,
} from "../../bridge/src/proxy/lines.js";

test("lines are the same however the bytes are cut", () => {
  const text = '{"a":"ü€😀"}\r\n\n\r\n  {"b":"\\n\u2028"}\nlast';

  const results = Array.from({ length: Buffer.byteLength(text) }, (_, index) =>
    readLines(Buffer.from(text), index + 1),
  );

  expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify(['{"a":"ü€😀"}', '  {"b":"\\n\u2028"}', "last"])]),
  );
});

test("a byte order mark before a line is none of it", () => {
  expect(readLines(Buffer.from('\ufeff{"id":1}\n{"id":"\ufeff"}\n'), 2)).toEqual([
    '{"id":1}',
    '{"id":"\ufeff"}',
  ]);
});

test("a line of exactly the limit passes, one byte more is only looked through", () => {
  const fits = JSON.stringify({ id: 1, method: "x", pad: "y".repeat(69) });
  const tooLong = JSON.stringify({ id: 2, method: "x", pad: "y".repeat(70) });

  const results = readLines(Buffer.from(`${fits}\n${tooLong}\n${fits}\n`), 7, fits.length);

  expect(results).toEqual([fits, { id: "2", hasMethod: true }, fits]);
});

test("a long line in small pieces is put together once, not once for each piece", () => {
  const lines: Buffer[] = [];
  const reader = createLineReader({
    onLine: (line) => lines.push(line),
    onTooLong: () => undefined,
  });
  const piece = Buffer.alloc(1024, "x");
  const started = process.cpuUsage();

  for (let count = 0; count < 10 * 1024; count += 1) reader.push(piece);
  reader.end();

  expect(lines[0]?.length).toBe(10 * 1024 * 1024);
  // Copying everything for each piece moves 50 GiB, which takes several seconds anywhere.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1_500);
});

test.each([
  ["a request", '{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":1}}', "7", true],
  ["an id behind its params", '{"method":"m","params":[{"id":1},["id",2]],"id":"z"}', '"z"', true],
  ["an id inside params only", '{"method":"m","params":{"id":5,"a":{"id":6}}}', undefined, true],
  ["ids and braces in texts", '{"method":"\\"id\\":4,}{[","x":"id","id":-1.5e3}', "-1.5e3", true],
  [
    "an id that no double can hold",
    '{"id":12345678901234567891,"method":"m"}',
    "12345678901234567891",
    true,
  ],
  ["an escaped key", '{"\\u0069d":"\\u00fc\\\\","method":1}', '"\\u00fc\\\\"', true],
  ["spaces everywhere", ' { "id" : 3 , "method" : "m" } ', "3", true],
  ["the last of several ids", '{"id":1,"method":"m","id":2}', "2", true],
  ["an answer of the host", '{"id":"q","result":{"method":"no"}}', '"q"', false],
  ["a huge id", `{"method":"m","id":"${"i".repeat(2000)}"}`, "null", true],
  ["an id that is an object", '{"method":"m","id":{"id":1}}', "null", true],
  ["a batch", '[{"id":1,"method":"m"},{"id":2,"method":"m"}]', undefined, false],
  ["no JSON", "id:method,{{{", undefined, false],
])("the id of a message too long to keep is found: %s", (_, text, id, hasMethod) => {
  const found = [1, 2, 5, 64].map((size) => scan(text, size));

  expect(found).toEqual(Array.from({ length: 4 }, () => ({ id, hasMethod })));
});

test("what is found in any object is what parsing it finds", () => {
  const member = oneof(constant("id"), constant("method"), constant("params"), string());
  const entries = array(
    oneof(
      jsonValue().map((value): [string, unknown] => ["params", value]),
      integer().map((value): [string, unknown] => ["id", value]),
      string().map((value): [string, unknown] => ["id", value]),
      member.map((name): [string, unknown] => [name === "__proto__" ? "p" : name, name]),
    ),
  );

  const outcome = check(
    property(entries, integer({ min: 1, max: 9 }), (list, size) => {
      const text = JSON.stringify(Object.fromEntries(list));
      const { id, ...rest } = JSON.parse(text) as Record<string, unknown>;
      expect(scan(text, size)).toEqual({
        id: id === undefined ? undefined : JSON.stringify(id),
        hasMethod: Object.hasOwn(rest, "method"),
      });
    }),
  );

  expect(outcome.counterexample).toBeNull();
});

test("only what JSON-RPC answers is answered when it is too long", () => {
  const answers = [
    toOversizeAnswer({ id: "12345678901234567891", hasMethod: true }),
    toOversizeAnswer({ id: "null", hasMethod: true }),
    toOversizeAnswer({ id: undefined, hasMethod: false }),
    toOversizeAnswer({ id: undefined, hasMethod: true }),
    toOversizeAnswer({ id: '"q"', hasMethod: false }),
  ];

  expect(
    answers.map((answer) => answer?.match(/"id":(\w+),"error":\{"code":(-\d+)/)?.slice(1)),
  ).toEqual([
    ["12345678901234567891", "-32600"],
    ["null", "-32600"],
    ["null", "-32600"],
    undefined,
    undefined,
  ]);
  expect(JSON.parse(answers[0] ?? "")).toMatchObject({
    jsonrpc: "2.0",
    error: { message: expect.stringContaining("10 MiB") as string, data: { code: "too_large" } },
  });
});

function readLines(bytes: Buffer, size: number, limit?: number): (string | Oversize)[] {
  const results: (string | Oversize)[] = [];
  const reader = createLineReader(
    {
      onLine: (line) => results.push(line.toString("utf8")),
      onTooLong: (message) => results.push(message),
    },
    limit,
  );
  for (const piece of cut(bytes, size)) reader.push(piece);
  reader.end();
  return results;
}

function scan(text: string, size: number): Oversize {
  const scanner = createOversizeScanner();
  for (const piece of cut(Buffer.from(text), size)) scanner.push(piece);
  return scanner.finish();
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
