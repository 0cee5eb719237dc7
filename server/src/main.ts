#!/usr/bin/env node
import { createProgram } from "./commands/program.js";

// What the server writes is for its own user: the embedded database, keys, sign-ins of the demo.
process.umask(0o077);
const exitCode = await createProgram({
  variables: process.env,
  stdin: process.stdin,
  write: (line) => process.stdout.write(line + "\n"),
  complain: (line) => process.stderr.write(line + "\n"),
  report: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`);
  },
  onStopSignal: (stop) => {
    process.once("SIGTERM", stop);
    process.once("SIGINT", stop);
  },
  abort: (code) => process.exit(code),
}).run(process.argv.slice(2));
process.exit(exitCode);
