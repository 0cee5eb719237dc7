#!/usr/bin/env node
import module from "node:module";
import { homedir } from "node:os";
import { findProgramFolder } from "./common/ownership.js";
import { findHome, type Io } from "./context/io.js";

interface CompileCache {
  enableCompileCache?: (folder: string) => unknown;
}

// An end that nobody decided on is no success.
process.exitCode = 1;

/** Of the last answer: pipes are written in the background on Windows. */
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
  // No object of a stream is made for what a client starts.
  get terminal() {
    return process.stdout.isTTY ? { hasColours: process.stdout.hasColors() } : undefined;
  },
  stdin: process.stdin,
};
// Node 22 and newer start faster with it. In a folder of our own, for what lies there is run.
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
