#!/usr/bin/env node
import module from "node:module";
import { homedir } from "node:os";
import { findProgramFolder } from "./common/ownership.js";
import { findHome, type Io } from "./context/io.js";

interface CompileCache {
  enableCompileCache?: (folder: string) => unknown;
}

// An unexpected end is a failure.
process.exitCode = 1;

/** Of the last response: on Windows, pipes are written asynchronously. */
let written = Promise.resolve();
process.stdout.on("error", () => undefined);

const io: Io = {
  environment: process.env,
  platform: process.platform,
  userFolder: homedir(),
  writeOut: (text) => {
    written = new Promise((done) => {
      process.stdout.write(text, () => {
        done();
      });
    });
  },
  writeErr: (text) => process.stderr.write(text),
  // A getter: clients don't need the stream object.
  get terminal() {
    return process.stdout.isTTY ? { hasColours: process.stdout.hasColors() } : undefined;
  },
  stdin: process.stdin,
};
// Node 22 and later start faster with it. Uses our own folder, because cached code is executed.
const { enableCompileCache } = module as CompileCache;
const compileCache = enableCompileCache && findProgramFolder(findHome(io), "compile-cache");
if (compileCache !== undefined) enableCompileCache?.(compileCache);
void run();

async function run(): Promise<void> {
  const { runProgram } = await import("./program.js");
  const code = await runProgram(process.argv.slice(2), io);
  await written;
  process.exit(code);
}
