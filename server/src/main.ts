#!/usr/bin/env node
import { once } from "node:events";
import { OutputClosed } from "./commands/io.js";
import { createProgram } from "./commands/program.js";

// Restricts the server's files to its own user: the embedded database, keys, sign-ins of the demo.
process.umask(0o077);
/** Without a terminal, prints a progress line occasionally. */
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
// A closed log is lost, but requests continue.
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
    // The next line detects a reader that has gone away.
    if (process.stdout.writableNeedDrain)
      await once(process.stdout, "drain").catch(() => undefined);
  },
  writeError: (line) => process.stderr.write(line + "\n"),
  report: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`);
    else if (text.endsWith("\n") || Date.now() - reportedAt >= reportEveryMs) {
      process.stderr.write(text.trimEnd() + "\n");
      reportedAt = Date.now();
    }
  },
  onStopSignal: (stop) => {
    // A second SIGTERM must not interrupt the shutdown. A second Ctrl+C does.
    process.on("SIGTERM", stop);
    process.once("SIGINT", stop);
  },
  abort: (code) => process.exit(code),
}).run(process.argv.slice(2));
// Data written to a pipe may still wait for its reader.
await new Promise<unknown>((done) => process.stdout.write("", done));
process.exit(exitCode);
