import { exitCodes } from "../common/errors.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { checkClients } from "../doctor/clients.js";
import { checkEnvironment } from "../doctor/environment.js";
import type { Finding } from "../doctor/finding.js";
import { checkKeychain } from "../doctor/keychain.js";
import { checkNetwork } from "../doctor/network.js";
import { createReport } from "../doctor/report.js";
import { checkServer } from "../doctor/server.js";
import { checkSession } from "../doctor/session.js";

/** In this order; the first problem with the way to the server ends it, for the rest needs that. */
const stages = [
  { what: "this computer", look: checkEnvironment },
  { what: "the clients", look: checkClients },
  { what: "the keychain", look: checkKeychain },
  { what: "the way to the server", look: checkNetwork },
  { what: "the server", look: checkServer },
  { what: "the sign-in", look: checkSession },
];

/** Looks at everything a working bridge needs. The exit code is that of the first problem. */
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
