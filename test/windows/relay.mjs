// Runs as a Windows program. Starts another one with pipes, which is impossible from outside, and
// connects the pipes to the port in RELAY. Its arguments are the program and the program's
// arguments.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";

/** Ends the standard input. If a connection ends without it, the host was killed. */
const endOfInput = 4;

const { RELAY = "0", RELAY_EXIT = "", RELAY_ERRORS = "" } = process.env;
const [program, ...args] = process.argv.slice(2);
const host = connect(Number(RELAY), "127.0.0.1");
const child = spawn(program, args, { stdio: "pipe", windowsHide: true });
const errors = [];
let isInputEnded = false;

child.stdin.on("error", () => undefined);
host.on("error", () => undefined);
host.on("data", (part) => {
  const end = part.indexOf(endOfInput);
  child.stdin.write(end < 0 ? part : part.subarray(0, end));
  if (end < 0) return;
  isInputEnded = true;
  child.stdin.end();
});
host.on("close", () => {
  if (!isInputEnded) child.kill("SIGKILL");
});
child.stdout.on("data", (part) => host.write(part));
child.stderr.on("data", (part) => errors.push(part));
child.on("error", (error) => errors.push(Buffer.from(`${error}\n`)));
child.on("close", (code) => {
  isInputEnded = true;
  writeFileSync(RELAY_ERRORS, Buffer.concat(errors));
  writeFileSync(RELAY_EXIT, String(code ?? 1));
  host.end();
});
