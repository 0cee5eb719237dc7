import type { Log } from "../log.js";
import type { SessionAnswer } from "./handshake.js";
import { isOpening, isOver, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
import type { Attempt, Judge } from "./judge.js";
import type { Message } from "./message.js";
import { toModernHeaders } from "./request-headers.js";
import { type ResumptionParts, resumeStream } from "./resumption.js";
import type { Session } from "./session.js";
import type { Standing } from "./standing.js";
import type { ToolBook } from "./tools.js";
import type { Outcome, Sending } from "./upstream.js";

/** Has a job done: sends it as often as is right, and answers for the server where it does not. */
export type Deliver = (job: Job, message?: Message) => Promise<void>;

export interface DeliveryParts extends ResumptionParts {
  log: Log;
  session: Session;
  jobs: Jobs;
  judge: Judge;
  tools: ToolBook;
  standing: Standing;
}

export function createDelivery(parts: DeliveryParts): Deliver {
  return async (job, message = {}) => {
    try {
      await deliver(job, message, parts);
    } finally {
      parts.jobs.end(job);
    }
  };
}

async function deliver(job: Job, message: Message, parts: DeliveryParts): Promise<void> {
  const { jobs, judge, log } = parts;
  const name = `${String(message.method)} ${job.requestId}`;
  while (!isOver(job)) {
    const tried = await attempt(job, message, parts);
    if (tried === undefined || isOver(job)) return;
    const { kind } = tried.outcome;
    log.debug(`${name}: ${kind}`);
    if (job.calls.length === 0 && (kind === "accepted" || kind === "ended")) return;
    const verdict = await judge(job, tried);
    if (isOver(job) || verdict === "over") return;
    if (verdict === "again") continue;
    log.info(`${name}: ${verdict.code}`);
    jobs.fail(job, verdict);
    return;
  }
}

/** Undefined when nothing is left to be done. */
async function attempt(
  job: Job,
  message: Message,
  parts: DeliveryParts,
): Promise<Attempt | undefined> {
  const { session } = parts;
  while (job.modern === undefined && session.needsOpening()) {
    const hindrance = await session.open();
    if (hindrance?.kind === "declined" && isOpening(job)) {
      answerOpening(job, hindrance.answer, parts);
      return undefined;
    }
    if (hindrance !== undefined) return { message, outcome: hindrance, wasSent: false };
    if (isOver(job)) return undefined;
  }
  if (isOpening(job)) {
    // The session has sent it.
    answerOpening(job, session.answer(), parts);
    return undefined;
  }
  return { message, outcome: await post(job, message, parts), wasSent: true };
}

function answerOpening(
  { calls: [call] }: Job,
  answer: SessionAnswer | undefined,
  { jobs }: DeliveryParts,
): void {
  if (answer !== undefined && call !== undefined) jobs.answer(call, answer.raw, answer.message);
}

async function post(job: Job, message: Message, parts: DeliveryParts): Promise<Outcome> {
  const { upstream, session, jobs, tools, standing, pace } = parts;
  const { modern } = job;
  job.session = modern === undefined ? session.id() : undefined;
  if (modern === undefined) standing.note(job.body, message);
  const headers =
    modern === undefined ? session.headers() : toModernHeaders(message, modern, tools);
  let lingering: NodeJS.Timeout | undefined;
  const sending: Sending = {
    ...toSending(job, headers, parts),
    take: (taken, raw) => {
      const keepsUp = jobs.take(taken, raw, job);
      // Some servers leave the stream open when all is said.
      if (isOver(job)) {
        lingering ??= setTimeout(() => {
          job.abort.abort();
        }, pace.lingerMs);
      }
      return keepsUp;
    },
  };
  job.underway = true;
  const begun = performance.now();
  const outcome = await upstream.post(job.body, sending);
  if (outcome.kind === "ended" && performance.now() - begun >= pace.steadyMs) job.tries = 0;
  const canResume = outcome.kind === "ended" && outcome.lastEventId !== undefined;
  const last = canResume ? await resumeStream(job, sending, outcome, parts) : outcome;
  clearTimeout(lingering);
  job.underway = false;
  return last;
}

function toSending(
  job: Job,
  headers: Record<string, string>,
  { settings }: DeliveryParts,
): Omit<Sending, "take"> {
  return {
    headers,
    requestId: job.requestId,
    signal: job.abort.signal,
    silenceMs: isListening(job) ? 0 : settings.timeoutMs,
    onHead: () => {
      job.renewals = 0;
      job.isSignedOut = false;
      if (isListening(job)) job.deadline = Infinity;
    },
  };
}

/** Has no end of its own once the server has taken it. */
function isListening({ calls }: Job): boolean {
  return calls[0]?.method === "subscriptions/listen";
}
