import { expect, test } from "vitest";
import { createLineReader, toOversizeAnswer } from "../../bridge/src/proxy/host/stdio.js";

test("splits lines regardless of the chunk boundaries", () => {
  const text = '{"a":"ü€😀"}\r\n\n\r\n  {"b":"\\n\u2028"}\nlast';

  const results = Array.from({ length: Buffer.byteLength(text) }, (_, index) =>
    readLines(Buffer.from(text), index + 1),
  );

  expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify(['{"a":"ü€😀"}', '  {"b":"\\n\u2028"}', "last"])]),
  );
});

test("strips a byte order mark before the first line", () => {
  expect(readLines(Buffer.from('\ufeff{"id":1}\n{"id":"\ufeff"}\n'), 2)).toEqual([
    '{"id":1}',
    '{"id":"\ufeff"}',
  ]);
});

test("accepts a line at the limit, flags a longer one, drops a huge one", () => {
  const fits = JSON.stringify({ id: 1, method: "x", pad: "y".repeat(69) });
  const tooLong = JSON.stringify({ id: 2, method: "x", pad: "y".repeat(70) });
  const huge = JSON.stringify({ id: 3, method: "x", pad: "y".repeat(171) });

  const results = readLines(Buffer.from(`${fits}\n${tooLong}\n${huge}\n${fits}\n`), 7, fits.length);

  expect(results).toEqual([fits, { tooLong }, { tooLong: "" }, fits]);
});

test("assembles a long line from small pieces only once", () => {
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
  // Copying everything for each piece moves 50 GiB, which takes several seconds on any machine.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1_500);
});

test.each([
  ["a request", '{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":1}}', 7],
  ["an id behind its params", '{"method":"m","params":[{"id":1}],"id":"z"}', "z"],
  ["an id that is an object", '{"method":"m","id":{"id":1}}', null],
  ["a batch", '[{"id":1,"method":"m"},{"id":2,"method":"m"}]', null],
  ["no JSON", "id:method,{{{", null],
  ["one that was not kept", "", null],
])("rejects an oversize message by its id: %s", (_, text, id) => {
  expect(JSON.parse(toOversizeAnswer(Buffer.from(text)) ?? "")).toMatchObject({
    jsonrpc: "2.0",
    id,
    error: {
      code: -32600,
      message: expect.stringContaining("10 MiB") as string,
      data: { code: "too_large" },
    },
  });
});

test.each([
  ["a notification", '{"method":"m","params":{"id":5}}'],
  ["an answer of the host", '{"id":"q","result":{"method":"no"}}'],
])("sends no answer to %s that is too long", (_, text) => {
  expect(toOversizeAnswer(Buffer.from(text))).toBeUndefined();
});

function readLines(bytes: Buffer, size: number, limit?: number): (string | object)[] {
  const results: (string | object)[] = [];
  const reader = createLineReader(
    {
      onLine: (line) => results.push(line.toString("utf8")),
      onTooLong: (line) => results.push({ tooLong: line.toString("utf8") }),
    },
    limit,
    limit && 2 * limit,
  );
  for (const piece of cut(bytes, size)) reader.push(piece);
  reader.end();
  return results;
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}
