import type { Log } from "../log.js";
import type { Settings } from "../settings.js";
import type { Verdict } from "./access.js";
import { failures, findDetail } from "./failures.js";
import { isBackground, isOpening, type Job } from "./job.js";
import { type Message, toRecord } from "./message.js";
import { judgeRefusal, type RefusalParts } from "./refusals.js";
import { retryLater } from "./retry.js";
import type { Hindrance } from "./session.js";
import type { ToolBook } from "./tools.js";
import { toBridgeError } from "./unexpected.js";

const harmless = new Set([
  "initialize",
  "ping",
  "server/discover",
  "completion/complete",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  "subscriptions/listen",
]);

/** One try to have a job done. */
export interface Attempt {
  /** Empty for a batch. */
  message: Message;
  outcome: Hindrance;
  /** False when the job itself was not sent yet: the conversation could not be opened. */
  wasSent: boolean;
}

export interface JudgeParts extends RefusalParts {
  settings: Settings;
  log: Log;
  tools: ToolBook;
  /** Gives the host an answer of ours to its `initialize`. */
  onOpeningFailed: (job: Job) => void;
}

export type Judge = (job: Job, attempt: Attempt) => Promise<Verdict>;

/** Decides what becomes of a job that a try has left without all of its answers. */
export function createJudge(parts: JudgeParts): Judge {
  const { pace, log, onOpeningFailed } = parts;
  const judgeSafely = async (job: Job, attempt: Attempt): Promise<Verdict> => {
    try {
      return await judge(job, attempt, parts);
    } catch (error) {
      const { code, message } = toBridgeError(error, log);
      const passes = code === "server_unreachable" || code === "server_busy";
      return passes || isBackground(job)
        ? retryLater(job, { code, message }, pace)
        : { code, message };
    }
  };
  return async (job, attempt) => {
    const verdict = await judgeSafely(job, attempt);
    if (!isOpening(job) || typeof verdict === "string") return verdict;
    // Hosts give up on a server that fails at this; the next requests tell what is wrong.
    onOpeningFailed(job);
    return retryLater(job, verdict, pace);
  };
}

async function judge(job: Job, attempt: Attempt, parts: JudgeParts): Promise<Verdict> {
  const { message, outcome, wasSent } = attempt;
  const isSafe = !wasSent || isRepeatable(message, parts.tools);
  switch (outcome.kind) {
    case "accepted":
      return failures.unusable(isSafe, outcome.detail);
    case "declined":
      return failures.declined(findDetail(outcome.answer.message));
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

/** Doing it twice does no more than doing it once. Of what we do not know, nobody can say. */
function isRepeatable({ method, params }: Message, tools: ToolBook): boolean {
  if (typeof method !== "string") return false;
  if (method === "tools/call") return tools.isSafeToRepeat(String(toRecord(params)["name"]));
  return harmless.has(method) || /\/(list|read|get)$/.test(method);
}
