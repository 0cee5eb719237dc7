import { parseJson } from "../../common/json.js";
import { parseRetryAfter, transientStatuses } from "../../http/retry-after.js";
import type { Reauthorization, RetryDecision } from "../authorization/reauthorization.js";
import { type Exchange, isBackground, isFinished } from "../requests/exchange.js";
import { type Failure, failures, findDetail } from "../requests/failures.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { pause, type Timeouts, toBackoffMs } from "../requests/timeouts.js";
import type { Session } from "../session/session.js";
import type { Refusal } from "../upstream/upstream.js";

export interface RefusedDeps extends ProxyContext {
  session: Session;
  reauthorization: Reauthorization;
}

/** A try that the server refused. */
export interface Refused extends Refusal {
  /** Trying again cannot do anything twice. */
  isSafe: boolean;
}

const maxServerErrors = 3;

/** Decides what becomes of an exchange that the server refused, or failed at. */
export async function decideRefused(
  exchange: Exchange,
  refused: Refused,
  deps: RefusedDeps,
): Promise<RetryDecision> {
  const { status, headers, token, isSafe } = refused;
  if (status === 401) return deps.reauthorization.renewToken(exchange, token);
  const scope = status === 403 ? findMissingScope(headers["www-authenticate"]) : undefined;
  if (scope !== undefined) return deps.reauthorization.stepUp(exchange, scope);
  const isTransient = status === 429 || (status > 500 && isSafe && transientStatuses.has(status));
  if (!isTransient) return decideOtherStatus(exchange, refused, deps);
  const retryAfterMs = parseRetryAfter(headers);
  const failure =
    status === 429 || status === 503
      ? failures.busy(retryAfterMs)
      : failures.brokenDown(status, isSafe);
  return retryLater(exchange, failure, deps.timeouts, retryAfterMs);
}

async function decideOtherStatus(
  exchange: Exchange,
  refused: Refused,
  { exchanges, session, timeouts }: RefusedDeps,
): Promise<RetryDecision> {
  const { status, text, location, isSafe } = refused;
  const { wasSent } = exchange;
  const answer = parseJson(text);
  if (wasSent) exchanges.dispatch(answer, text.replace(/[\r\n]/g, " "), exchange);
  if (isFinished(exchange)) return "done";
  if (wasSent && isLostSession(exchange, refused)) {
    exchange.hasLostSession = true;
    session.lose(exchange.session ?? "");
    return "retry";
  }
  if (status >= 500) {
    const failure = failures.brokenDown(status, isSafe);
    exchange.serverErrors += 1;
    // What breaks a server down once may do so every time.
    const isWorthIt = isSafe && exchange.serverErrors <= maxServerErrors;
    return isWorthIt && transientStatuses.has(status)
      ? retryLater(exchange, failure, timeouts)
      : failure;
  }
  if (status === 413) return failures.tooLarge();
  return status < 400 && location !== undefined
    ? failures.moved(status, location.origin)
    : failures.refused(status, findDetail(answer));
}

/** Waits before the next try; gives up with the failure where the time does not allow one. */
export async function retryLater(
  exchange: Exchange,
  failure: Failure,
  timeouts: Timeouts,
  retryAfterMs?: number,
): Promise<RetryDecision> {
  const maxMs = isBackground(exchange) ? timeouts.maxBackgroundRetryMs : timeouts.maxRetryMs;
  const ms = toBackoffMs(timeouts, exchange.tries, maxMs, retryAfterMs);
  exchange.tries += 1;
  if (performance.now() + ms >= exchange.deadline) return failure;
  await pause(ms, exchange.abort.signal);
  return isFinished(exchange) ? "done" : "retry";
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
