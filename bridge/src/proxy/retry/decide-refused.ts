import { parseRetryAfter, transientStatuses } from "../../http/retry-after.js";
import { parseJson } from "../../common/json.js";
import type { Reauthorization, RetryDecision } from "../authorization/reauthorization.js";
import { failures, findDetail } from "../requests/failures.js";
import { isFinished, type Exchange } from "../requests/exchange.js";
import type { OpenExchanges } from "../requests/open-exchanges.js";
import type { Timeouts } from "../requests/timeouts.js";
import { retryLater } from "./retry-later.js";
import type { Session } from "../session/session.js";
import type { Refusal } from "../upstream/upstream.js";

export interface RefusedDeps {
  exchanges: OpenExchanges;
  session: Session;
  reauthorization: Reauthorization;
  timeouts: Timeouts;
}

/** A status that refuses a job. */
export interface Refused {
  refusal: Refusal;
  /** False when it was the opening of the conversation that was refused. */
  wasSent: boolean;
  /** Trying again cannot do anything twice. */
  isSafe: boolean;
}

const maxServerErrors = 3;

/** Decides what becomes of a job that the server refused, or failed at. */
export async function decideRefused(
  exchange: Exchange,
  refused: Refused,
  deps: RefusedDeps,
): Promise<RetryDecision> {
  const { status, headers, token } = refused.refusal;
  if (status === 401) return deps.reauthorization.renewToken(exchange, token);
  const scope = status === 403 ? findMissingScope(headers["www-authenticate"]) : undefined;
  if (scope !== undefined) return deps.reauthorization.stepUp(exchange, scope);
  const isTransient =
    status === 429 || (status > 500 && refused.isSafe && transientStatuses.has(status));
  return isTransient
    ? waitOut(exchange, refused, deps.timeouts)
    : decideOtherStatus(exchange, refused, deps);
}

async function decideOtherStatus(
  exchange: Exchange,
  refused: Refused,
  { exchanges, session, timeouts }: RefusedDeps,
): Promise<RetryDecision> {
  const { refusal, wasSent } = refused;
  const { status, text } = refusal;
  const answer = parseJson(text);
  if (wasSent) exchanges.dispatch(answer, text.replace(/[\r\n]/g, " "), exchange);
  if (isFinished(exchange)) return "done";
  if (wasSent && isLostSession(exchange, refusal)) {
    exchange.hasLostSession = true;
    session.lose(exchange.session ?? "");
    return "retry";
  }
  if (status >= 500) return decideServerError(exchange, refused, timeouts);
  if (status === 413) return failures.tooLarge();
  const { location } = refusal;
  return status < 400 && location !== undefined
    ? failures.moved(status, location.origin)
    : failures.refused(status, findDetail(answer));
}

/** What breaks a server down once may do so every time. */
async function decideServerError(
  exchange: Exchange,
  { refusal: { status }, isSafe }: Refused,
  timeouts: Timeouts,
): Promise<RetryDecision> {
  const failure = failures.brokenDown(status, isSafe);
  exchange.serverErrors += 1;
  const isWorthIt =
    isSafe && transientStatuses.has(status) && exchange.serverErrors <= maxServerErrors;
  return isWorthIt ? retryLater(exchange, failure, timeouts) : failure;
}

function waitOut(
  exchange: Exchange,
  { refusal, isSafe }: Refused,
  timeouts: Timeouts,
): Promise<RetryDecision> {
  const { status, headers } = refusal;
  const retryAfterMs = parseRetryAfter(headers);
  const failure =
    status === 429 || status === 503
      ? failures.busy(retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000))
      : failures.brokenDown(status, isSafe);
  return retryLater(exchange, failure, timeouts, retryAfterMs);
}

/** In the words of the specification, or in those of many servers. */
function isLostSession(exchange: Exchange, { status, text }: Refusal): boolean {
  if (exchange.session === undefined || exchange.hasLostSession) return false;
  return status === 404 || (status === 400 && /session/i.test(text));
}

/** The scopes of an `insufficient_scope` challenge (RFC 6750 §3.1). */
function findMissingScope(challenge = ""): string | undefined {
  if (!/\berror\s*=\s*"?insufficient_scope\b/i.test(challenge)) return undefined;
  return /\bscope\s*=\s*"([^"]*)"/i.exec(challenge)?.[1];
}
