import type { Log } from "../log.js";
import type { Settings } from "../settings.js";
import type { Verdict } from "./access.js";
import { failures, findDetail } from "./failures.js";
import { isBackground, type Job } from "./job.js";
import { toRecord } from "./message.js";
import { judgeRefusal, type RefusalParts } from "./refusals.js";
import { retryLater } from "./retry.js";
import type { Opening } from "./session.js";
import type { ToolBook } from "./tools.js";
import { toBridgeError } from "./unexpected.js";

/** One try to have a job done. */
export interface Attempt {
  outcome: Opening;
  /** False when the job itself was not sent yet: the conversation could not be opened. */
  wasSent: boolean;
}

export interface JudgeParts extends RefusalParts {
  settings: Settings;
  log: Log;
  tools: ToolBook;
}

export type Judge = (job: Job, attempt: Attempt) => Promise<Verdict>;

/** Decides what becomes of a job that a try has left without all of its answers. */
export function createJudge(parts: JudgeParts): Judge {
  const { pace } = parts;
  return async (job, attempt) => {
    try {
      return await judge(job, attempt, parts);
    } catch (error) {
      const { code, message } = toBridgeError(error, parts.log);
      const passes = code === "server_unreachable" || code === "server_busy";
      return passes || isBackground(job)
        ? retryLater(job, { code, message }, pace)
        : { code, message };
    }
  };
}

async function judge(job: Job, attempt: Attempt, parts: JudgeParts): Promise<Verdict> {
  const { outcome, wasSent } = attempt;
  const isSafe = !wasSent || isRepeatable(job, parts.tools);
  switch (outcome.kind) {
    case "accepted":
      return failures.unusable(isSafe, outcome.detail);
    case "declined":
      return failures.refused(200, findDetail(outcome.answer.message));
    case "blocked":
      throw outcome.error;
    case "failed":
      return outcome.notSent
        ? retryLater(job, failures.unreachable(outcome.reason), parts.pace)
        : judgeBreak(job, outcome.timedOut, isSafe, parts);
    case "ended":
      return judgeBreak(job, outcome.timedOut, isSafe, parts);
    case "refused":
      return judgeRefusal(job, { refusal: outcome, wasSent, isSafe }, parts);
  }
}

/** The server may have done it, and its answer got lost. */
async function judgeBreak(
  job: Job,
  timedOut: boolean,
  isSafe: boolean,
  { settings, pace }: JudgeParts,
): Promise<Verdict> {
  const failure = timedOut
    ? failures.silent(settings.timeoutMs / 1000, isSafe)
    : failures.lost(isSafe);
  return isSafe ? retryLater(job, failure, pace) : failure;
}

/** Doing it twice does no more than doing it once. */
function isRepeatable({ calls }: Job, tools: ToolBook): boolean {
  return calls.every(
    ({ method, params }) =>
      method !== "tools/call" || tools.isSafeToRepeat(String(toRecord(params)["name"])),
  );
}
