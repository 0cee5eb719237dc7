#!/usr/bin/env node
import { homedir } from "node:os";
import { runProgram } from "./program.js";

/** Of the last answer: pipes are written in the background on Windows. */
let written = Promise.resolve();
process.stdout.on("error", () => undefined);

const code = await runProgram(process.argv.slice(2), {
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
  stdin: process.stdin,
});
await written;
process.exit(code);
