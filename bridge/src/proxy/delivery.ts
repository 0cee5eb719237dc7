import type { Log } from "../log.js";
import { isOver, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
import type { Attempt, Judge } from "./judge.js";
import type { Message } from "./message.js";
import { toModernHeaders } from "./request-headers.js";
import { type ResumptionParts, resumeStream } from "./resumption.js";
import type { Session } from "./session.js";
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
    const { outcome } = tried;
    log.debug(`${name}: ${outcome.kind}`);
    if (isOver(job)) return;
    const [call] = job.calls;
    if (call === undefined && (outcome.kind === "accepted" || outcome.kind === "ended")) return;
    if (call !== undefined && isOpening(job) && outcome.kind === "declined") {
      jobs.answer(call, outcome.answer.raw, outcome.answer.message);
      return;
    }
    const verdict = await judge(job, tried);
    if (isOver(job) || verdict === "over") return;
    if (verdict === "again") continue;
    log.info(`${name}: ${verdict.code}`);
    jobs.fail(job, verdict);
    return;
  }
}

async function attempt(job: Job, message: Message, parts: DeliveryParts): Promise<Attempt> {
  const { session, jobs } = parts;
  while (job.modern === undefined && session.needsOpening()) {
    const outcome = await session.open();
    if (outcome.kind !== "accepted" || isOver(job)) return { outcome, wasSent: false };
  }
  if (!isOpening(job)) return { outcome: await post(job, message, parts), wasSent: true };
  // The session has sent it.
  const answer = session.answer();
  const [call] = job.calls;
  if (answer !== undefined && call !== undefined) jobs.answer(call, answer.raw, answer.message);
  return { outcome: { kind: "accepted", detail: undefined }, wasSent: false };
}

async function post(job: Job, message: Message, parts: DeliveryParts): Promise<Outcome> {
  const { upstream, session, tools } = parts;
  const { modern } = job;
  job.session = modern === undefined ? session.id() : undefined;
  const headers =
    modern === undefined ? session.headers() : toModernHeaders(message, modern, tools);
  const sending = toSending(job, headers, parts);
  job.underway = true;
  const outcome = await upstream.post(job.body, sending);
  const canResume = outcome.kind === "ended" && outcome.lastEventId !== undefined;
  const last = canResume ? await resumeStream(job, sending, outcome, parts) : outcome;
  job.underway = false;
  return last;
}

function toSending(
  job: Job,
  headers: Record<string, string>,
  { settings, jobs }: DeliveryParts,
): Sending {
  return {
    headers,
    requestId: job.requestId,
    signal: job.abort.signal,
    silenceMs: job.calls[0]?.method === "subscriptions/listen" ? 0 : settings.timeoutMs,
    take: (message, raw) => jobs.take(message, raw, job),
    onHead: () => {
      job.tries = 0;
      job.renewals = 0;
      job.isSignedOut = false;
    },
  };
}

/** The host's `initialize`, which the session sends whenever it opens. */
function isOpening({ calls, modern }: Job): boolean {
  return modern === undefined && calls.length === 1 && calls[0]?.method === "initialize";
}
