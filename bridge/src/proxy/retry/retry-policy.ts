import { parseJson } from "../../common/json.js";
import type { HttpClient } from "../../http/http-client.js";
import { speaksLegacySse } from "../../http/legacy-sse.js";
import { parseRetryAfter, transientStatuses } from "../../http/transient-status.js";
import { causeOf, type Reauthorization } from "../authorization/reauthorization.js";
import type { ConnectionProblem } from "../connection-problem.js";
import type { RetryDecision } from "./retry-decision.js";
import { type Exchange, isBackground, isFinished, isInitialize } from "../requests/exchange.js";
import { type Failure, failures, findDetail, toBridgeError } from "../requests/failures.js";
import { type Message, toolOf } from "../requests/message.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { pause, type Timeouts, toBackoffMs } from "../requests/timeouts.js";
import type { OpenFailure, Session } from "../session/session.js";
import type { ToolCatalog } from "../upstream/tool-catalog.js";
import type { Refusal } from "../upstream/upstream.js";

const maxServerErrors = 3;
const idempotentMethods = new Set([
  "initialize",
  "ping",
  "server/discover",
  "completion/complete",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  "subscriptions/listen",
]);

interface Refused extends Refusal {
  /** Trying again cannot do anything twice. */
  isSafe: boolean;
}

export interface RetryPolicyDeps extends ProxyContext {
  session: Session;
  reauthorization: Reauthorization;
  tools: ToolCatalog;
  http: HttpClient;
  problem: ConnectionProblem;
  /** Gives the host an answer of ours, where there is one for its question. */
  onCutOff: (exchange: Exchange) => void;
}

/** Decides what becomes of an exchange that a try has left without all of its answers. */
export type DecideRetry = (exchange: Exchange, outcome: OpenFailure) => Promise<RetryDecision>;

export function createDecideRetry(deps: RetryPolicyDeps): DecideRetry {
  const { timeouts, log, problem, onCutOff } = deps;
  const decideSafely: DecideRetry = async (exchange, outcome) => {
    try {
      return await decideRetry(exchange, outcome, deps);
    } catch (error) {
      const { code, message } = toBridgeError(error, log);
      const isLocked = outcome.kind === "blocked" && code === "keychain_locked";
      if (isLocked && (await unlock(exchange, deps))) return "retry";
      const passes = code === "server_unreachable" || code === "server_busy";
      return passes || isBackground(exchange)
        ? retryLater(exchange, { code, message }, timeouts)
        : { code, message, isSetup: code.startsWith("keychain_") };
    }
  };
  let isLegacySse: Promise<boolean> | undefined;
  const explain = async (failure: Failure, { token }: Refusal) => {
    if (!failure.isSetup) return failure;
    isLegacySse ??= speaksLegacySse(deps, token?.value);
    return (await isLegacySse) ? failures.legacySse() : failure;
  };
  return async (exchange, outcome) => {
    const decided = await decideSafely(exchange, outcome);
    if (typeof decided === "string") return decided;
    const decision = outcome.kind === "refused" ? await explain(decided, outcome) : decided;
    // Hosts give up on a server that fails at these; the next requests tell what is wrong.
    const wasSent = exchange.wasSent && outcome.kind !== "blocked";
    const isFirst = isInitialize(exchange) || (!wasSent && decision.isSetup);
    if (!wasSent) problem.report(decision);
    if (isFirst) onCutOff(exchange);
    return isInitialize(exchange) || isBackground(exchange)
      ? retryLater(exchange, decision, timeouts)
      : decision;
  };
}

async function decideRetry(
  exchange: Exchange,
  outcome: OpenFailure,
  deps: RetryPolicyDeps,
): Promise<RetryDecision> {
  const { settings, timeouts, tools } = deps;
  const isSafe = !exchange.wasSent || isRepeatable(exchange.message, tools);
  switch (outcome.kind) {
    case "accepted":
      return failures.unusable(isSafe, outcome.detail);
    case "tooLong":
      return failures.tooLong(isSafe);
    case "declined":
      return failures.declined(findDetail(outcome.answer.message));
    case "blocked":
      throw outcome.error;
    case "refused":
      return decideRefused(exchange, { ...outcome, isSafe }, deps);
    case "failed":
      if (!outcome.notSent) break;
      return decideUnreachable(
        exchange,
        failures.unreachable(outcome.reason, outcome.advice),
        deps,
      );
    case "ended":
  }
  // The server may have done it, and its answer got lost.
  const failure = outcome.timedOut
    ? failures.silent(settings.timeoutMs / 1000, isSafe)
    : failures.lost(isSafe);
  return isSafe ? retryLater(exchange, failure, timeouts) : failure;
}

/** Once for each request of a person, who may be away: then it fails in time. */
async function unlock(exchange: Exchange, { tokens, timeouts }: RetryPolicyDeps): Promise<boolean> {
  if (causeOf(exchange) !== "person" || exchange.hasAskedToUnlock) return false;
  exchange.hasAskedToUnlock = true;
  const left = exchange.deadline - timeouts.requestReserveMs - performance.now();
  const timer = new AbortController();
  const stop = AbortSignal.any([exchange.abort.signal, timer.signal]);
  const unlocked = tokens.unlock().then(
    () => true,
    () => false,
  );
  const isUnlocked = await Promise.race([
    unlocked,
    pause(Math.max(0, left), stop).then(() => false),
  ]);
  timer.abort();
  return isUnlocked;
}

async function decideUnreachable(
  exchange: Exchange,
  failure: Failure,
  { timeouts, problem, onCutOff }: RetryPolicyDeps,
): Promise<RetryDecision> {
  problem.report(failure);
  // Waiting does not mend it.
  if (failure.isSetup) onCutOff(exchange);
  return retryLater(exchange, failure, timeouts);
}

/** Doing it twice does no more than doing it once. Of what we do not know, nobody can say. */
function isRepeatable({ method, params }: Message, tools: ToolCatalog): boolean {
  if (typeof method !== "string") return false;
  if (method === "tools/call") return tools.isSafeToRepeat(toolOf(params));
  return idempotentMethods.has(method) || /\/(list|read|get)$/.test(method);
}

/** Decides what becomes of an exchange that the server refused, or failed at. */
async function decideRefused(
  exchange: Exchange,
  refused: Refused,
  deps: RetryPolicyDeps,
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
  { exchanges, session, timeouts }: RetryPolicyDeps,
): Promise<RetryDecision> {
  const { status, text, location } = refused;
  const { wasSent } = exchange;
  const answer = parseJson(text);
  if (wasSent) exchanges.dispatch(answer, text.replace(/[\r\n]/g, " "), exchange);
  if (isFinished(exchange)) return "done";
  if (wasSent && isLostSession(exchange, refused)) {
    exchange.hasLostSession = true;
    session.lose(exchange.session ?? "");
    return "retry";
  }
  if (status >= 500) return decideServerError(exchange, refused, timeouts);
  if (status === 413) return failures.tooLarge();
  return status < 400 && location !== undefined
    ? failures.moved(status, location.origin)
    : failures.refused(status, findDetail(answer));
}

/** What breaks a server down once may do so every time. */
async function decideServerError(
  exchange: Exchange,
  { status, isSafe }: Refused,
  timeouts: Timeouts,
): Promise<RetryDecision> {
  const failure = failures.brokenDown(status, isSafe);
  exchange.serverErrors += 1;
  const isWorthIt = isSafe && exchange.serverErrors <= maxServerErrors;
  return isWorthIt && transientStatuses.has(status)
    ? retryLater(exchange, failure, timeouts)
    : failure;
}

/** Waits before the next try; gives up with the failure where the time does not allow one. */
async function retryLater(
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
