import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLog } from "../../bridge/src/common/log.js";
import { takeOverStdout } from "../../bridge/src/proxy/host/stdio.js";

function setUp(highWaterMark = 1024) {
  const stdout = new PassThrough({ highWaterMark });
  const stderr = new PassThrough();
  let gone = 0;
  const output = takeOverStdout(stdout, stderr, () => (gone += 1));
  return { stdout, stderr, output, gone: () => gone };
}

test("writes one frame per line to stdout and redirects other output to stderr", async () => {
  const { stdout, stderr, output } = setUp();

  output.write('{"id":1}');
  const written = new Promise((done) => stdout.write("a library says hello\n", done));
  output.write(Buffer.from('{"id":2}'));
  await Promise.all([written, output.flush()]);

  expect(String(stdout.read())).toBe('{"id":1}\n{"id":2}\n');
  expect(String(stderr.read())).toBe("a library says hello\n");
});

test("waits for a host that reads slowly", async () => {
  const { stdout, output } = setUp(8);
  const order: string[] = [];

  const goesOn = output.write("longer than the buffer");
  const drained = output.drained().then(() => order.push("drained"));
  order.push("read");
  stdout.resume();
  await drained;
  await output.drained();

  expect(goesOn).toBe(false);
  expect(order).toEqual(["read", "drained"]);
});

test("reports a closed host once and stops waiting for it", async () => {
  const { stdout, output, gone } = setUp(8);
  output.write("longer than the buffer");
  const waiting = output.drained();

  stdout.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await waiting;
  const goesOn = output.write("dropped");
  await Promise.all([output.drained(), output.flush()]);

  expect([goesOn, gone()]).toEqual([true, 1]);
});

test("keeps running when stderr is closed", async () => {
  const { stderr, output } = setUp();

  stderr.destroy(new Error("write EPIPE"));
  await new Promise((closed) => stderr.once("close", closed));

  expect(output.write("{}")).toBe(true);
});

test("strips terminal control characters from log messages", () => {
  const lines: string[] = [];
  const { error } = createLog("error", (line) => lines.push(line));

  error("\u001b]0;title\u0007 and \u202etxt.exe\r\nmore");

  expect(lines).toEqual(["fettle-bridge:  ]0;title  and  txt.exe \nmore\n"]);
});
