#!/usr/bin/env node
import { once } from "node:events";
import { OutputClosed } from "./commands/io.js";
import { createProgram } from "./commands/program.js";

// What the server writes is for its own user: the embedded database, keys, sign-ins of the demo.
process.umask(0o077);
/** Where no terminal shows how it grows, a line now and then. */
const reportEveryMs = 5000;
let reportedAt = Date.now();
const allowClosedPipe = (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
};
let isRead = true;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  allowClosedPipe(error);
  isRead = false;
});
// A log that nobody reads any more is lost; who is served goes on.
process.stderr.on("error", allowClosedPipe);
const exitCode = await createProgram({
  variables: process.env,
  stdin: process.stdin,
  write: (line) => {
    if (!isRead) throw new OutputClosed();
    process.stdout.write(line + "\n");
  },
  output: process.stdout,
  drained: async () => {
    // Whoever goes away instead is noticed by the next line.
    if (process.stdout.writableNeedDrain)
      await once(process.stdout, "drain").catch(() => undefined);
  },
  complain: (line) => process.stderr.write(line + "\n"),
  report: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`);
    else if (text.endsWith("\n") || Date.now() - reportedAt >= reportEveryMs) {
      process.stderr.write(text.trimEnd() + "\n");
      reportedAt = Date.now();
    }
  },
  onStopSignal: (stop) => {
    // A second one must not end it in the midst of that; a second Ctrl+C does.
    process.on("SIGTERM", stop);
    process.once("SIGINT", stop);
  },
  abort: (code) => process.exit(code),
}).run(process.argv.slice(2));
// What was written to a pipe may still wait for its reader.
await new Promise<unknown>((done) => process.stdout.write("", done));
process.exit(exitCode);
