import type { Access, Verdict } from "./access.js";
import { failures, findDetail } from "./failures.js";
import { isOver, type Job } from "./job.js";
import type { Jobs } from "./jobs.js";
import { parseJson } from "./message.js";
import type { Pace } from "./pace.js";
import { findRetryAfter, passing, retryLater } from "./retry.js";
import type { Session } from "./session.js";
import type { Refusal } from "./upstream.js";

export interface RefusalParts {
  jobs: Jobs;
  session: Session;
  access: Access;
  pace: Pace;
}

/** A status that refuses a job. */
export interface Refused {
  refusal: Refusal;
  /** False when it was the opening of the conversation that was refused. */
  wasSent: boolean;
  /** Trying again cannot do anything twice. */
  isSafe: boolean;
}

const mostFaults = 3;

/** Decides what becomes of a job that the server refused, or failed at. */
export async function judgeRefusal(
  job: Job,
  refused: Refused,
  parts: RefusalParts,
): Promise<Verdict> {
  const { status, headers, token } = refused.refusal;
  if (status === 401) return parts.access.renew(job, token);
  const scope = status === 403 ? findMissingScope(headers["www-authenticate"]) : undefined;
  if (scope !== undefined) return parts.access.widen(job, scope);
  const isPassing = status === 429 || (status > 500 && refused.isSafe && passing.has(status));
  return isPassing ? waitOut(job, refused, parts.pace) : judgeRest(job, refused, parts);
}

async function judgeRest(
  job: Job,
  refused: Refused,
  { jobs, session, pace }: RefusalParts,
): Promise<Verdict> {
  const { refusal, wasSent } = refused;
  const { status, text } = refusal;
  const answer = parseJson(text);
  if (wasSent) jobs.take(answer, text.replace(/[\r\n]/g, " "), job);
  if (isOver(job)) return "over";
  if (wasSent && isLostSession(job, refusal)) {
    job.hasLostSession = true;
    session.lose(job.session ?? "");
    return "again";
  }
  if (status >= 500) return judgeFault(job, refused, pace);
  if (status === 413) return failures.tooLarge();
  const { location } = refusal;
  return status < 400 && location !== undefined
    ? failures.moved(status, location.origin)
    : failures.refused(status, findDetail(answer));
}

/** What breaks a server down once may do so every time. */
async function judgeFault(
  job: Job,
  { refusal: { status }, isSafe }: Refused,
  pace: Pace,
): Promise<Verdict> {
  const failure = failures.brokenDown(status, isSafe);
  job.faults += 1;
  const isWorthIt = isSafe && passing.has(status) && job.faults <= mostFaults;
  return isWorthIt ? retryLater(job, failure, pace) : failure;
}

function waitOut(job: Job, { refusal, isSafe }: Refused, pace: Pace): Promise<Verdict> {
  const { status, headers } = refusal;
  const askedMs = findRetryAfter(headers);
  const failure =
    status === 429 || status === 503
      ? failures.busy(askedMs === undefined ? undefined : Math.ceil(askedMs / 1000))
      : failures.brokenDown(status, isSafe);
  return retryLater(job, failure, pace, askedMs);
}

/** In the words of the specification, or in those of many servers. */
function isLostSession(job: Job, { status, text }: Refusal): boolean {
  if (job.session === undefined || job.hasLostSession) return false;
  return status === 404 || (status === 400 && /session/i.test(text));
}

/** The scopes of an `insufficient_scope` challenge (RFC 6750 §3.1). */
function findMissingScope(challenge = ""): string | undefined {
  if (!/\berror\s*=\s*"?insufficient_scope\b/i.test(challenge)) return undefined;
  return /\bscope\s*=\s*"([^"]*)"/i.exec(challenge)?.[1];
}
