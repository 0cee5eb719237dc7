import { exitCodes } from "../common/errors.js";
import { toPlainText } from "../common/text.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { checkClients, checkEnvironment, checkKeychain } from "../doctor/computer.js";
import type { Finding } from "../doctor/finding.js";
import { checkNetwork, checkServer, checkSession } from "../doctor/server.js";

const labels = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " };
const colours = { ok: 32, warning: 33, problem: 31 };
const indent = " ".repeat(10);
const clearLine = "\r\u001b[K";

export function createReport({ writeOut, terminal }: Pick<Io, "writeOut" | "terminal">) {
  const clear = terminal === undefined ? "" : clearLine;
  const paint = (text: string, colour: number) =>
    terminal?.hasColours ? `\u001b[${colour}m${text}\u001b[39m` : text;
  return {
    begin: (what: string): void => {
      if (terminal !== undefined) writeOut(`${clear}Looking at ${what} …`);
    },
    end: (): void => {
      if (terminal !== undefined) writeOut(clear);
    },
    add: ({ check, result, detail, advice }: Finding): void => {
      const label = paint(labels[result], colours[result]);
      const more = advice === undefined ? "" : `\n${indent}${toPlainText(advice)}`;
      // Removes terminal control sequences.
      writeOut(`${clear}${label} ${toPlainText(`${check}: ${detail}`)}${more}\n`);
    },
  };
}

/** In this order. The first network problem ends the checks, because the rest need the network. */
const stages = [
  { what: "this computer", look: checkEnvironment },
  { what: "the clients", look: checkClients },
  { what: "the keychain", look: checkKeychain },
  { what: "the way to the server", look: checkNetwork },
  { what: "the server", look: checkServer },
  { what: "the sign-in", look: checkSession },
];

/** Checks everything a working bridge needs. Returns the exit code of the first problem. */
export async function examine(context: Context, io: Io, json: boolean): Promise<number> {
  const findings: Finding[] = [];
  const report = json ? undefined : createReport(io);
  for (const { what, look } of stages) {
    if (findings.some(({ exitCode }) => exitCode === exitCodes.unreachable)) break;
    report?.begin(what);
    for await (const finding of look(context, io)) {
      findings.push(finding);
      report?.add(finding);
      report?.begin(what);
    }
  }
  report?.end();
  const exitCode = findings.find(({ result }) => result === "problem")?.exitCode ?? exitCodes.ended;
  if (json)
    io.writeOut(`${JSON.stringify({ exitCode, findings: findings.map(toJson) }, null, 2)}\n`);
  return exitCode;
}

function toJson({ check, result, detail, advice }: Finding): object {
  return { check, result, detail, advice };
}
