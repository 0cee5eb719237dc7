import { exitCodes } from "../common/errors.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { checkEnvironment } from "../doctor/environment.js";
import type { Finding } from "../doctor/finding.js";
import { checkKeychain } from "../doctor/keychain.js";
import { checkNetwork } from "../doctor/network.js";
import { checkServer } from "../doctor/server.js";
import { checkSession } from "../doctor/session.js";

/** In this order; the first problem with the way to the server ends it, for the rest needs that. */
const stages = [checkEnvironment, checkKeychain, checkNetwork, checkServer, checkSession];

/** Looks at everything a working bridge needs. The exit code is that of the first problem. */
export async function examine(context: Context, io: Io, json: boolean): Promise<number> {
  const findings: Finding[] = [];
  for (const stage of stages) {
    if (findings.some(({ exitCode }) => exitCode === exitCodes.unreachable)) break;
    for await (const finding of stage(context)) {
      findings.push(finding);
      if (!json) io.writeOut(toText(finding));
    }
  }
  const exitCode = findings.find(({ result }) => result === "problem")?.exitCode ?? exitCodes.ended;
  if (json)
    io.writeOut(`${JSON.stringify({ exitCode, findings: findings.map(toJson) }, null, 2)}\n`);
  return exitCode;
}

const labels = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " };

function toText({ check, result, detail, advice }: Finding): string {
  const line = `${labels[result]} ${check}: ${detail}\n`;
  return advice === undefined ? line : `${line}          ${advice}\n`;
}

function toJson({ check, result, detail, advice }: Finding): object {
  return { check, result, detail, advice };
}
