import { runProgram } from "../../bridge/src/program.js";
import type { Io } from "../../bridge/src/context/io.js";

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** The environment of a command in this process. Nothing is inherited from the test. */
export function makeIo(
  environment: Record<string, string> = {},
): Io & { written: { stdout: string; stderr: string } } {
  const written = { stdout: "", stderr: "" };
  return {
    environment,
    platform: "linux",
    userFolder: "/nowhere",
    writeOut: (text) => (written.stdout += text),
    writeErr: (text) => (written.stderr += text),
    stdin: process.stdin,
    written,
  };
}

export async function runBridge(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ran> {
  const io = makeIo(environment);
  const code = await runProgram(args, io);
  return { code, ...io.written };
}
