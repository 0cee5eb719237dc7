import { parseJson, toText } from "../common/json.js";
import { parseRetryAfter, transientStatuses } from "../http/answer.js";
import type { HttpClient } from "../http/http-client.js";
import { speaksLegacySse } from "../http/mcp-request.js";
import {
  type ConnectionProblem,
  pause,
  type ProxyContext,
  type Timeouts,
  toBackoffMs,
} from "./context.js";
import {
  type Exchange,
  isBackground,
  isFinished,
  isInitialize,
  type Message,
  toolOf,
} from "./exchange.js";
import {
  type Failure,
  failures,
  findDetail,
  type RetryDecision,
  toBridgeError,
} from "./failures.js";
import type { OpenFailure, Session, SessionAnswer, Subscriptions } from "./session.js";
import { causeOf, type Reauthorization } from "./sign-ins.js";
import { toModernHeaders, type ToolCatalog } from "./tool-catalog.js";
import type { Outcome, Refusal, Upstream, UpstreamRequest } from "./upstream.js";

type End = Extract<Outcome, { kind: "ended" }>;
type TooLong = Extract<Outcome, { kind: "tooLong" }>;

interface ResumeStreamDeps extends ProxyContext {
  upstream: Upstream;
  reauthorization: Reauthorization;
}

/**
 * Goes on with a stream that ended before the exchange was done, which executes nothing again. Ends when
 * the exchange is over, when the server refuses, or after the time-out without any news.
 */
async function resumeStream(
  exchange: Exchange,
  request: UpstreamRequest,
  end: End,
  { settings, upstream, reauthorization, timeouts }: ResumeStreamDeps,
): Promise<End | TooLong> {
  let last = end;
  let retryAfterMs = end.retryMs;
  let until = performance.now() + settings.timeoutMs;
  for (let tries = 0; ; tries += 1) {
    const ms = toBackoffMs(timeouts, tries, timeouts.maxRetryMs, retryAfterMs);
    if (performance.now() + ms >= until) break;
    await pause(ms, exchange.abort.signal);
    if (isFinished(exchange)) break;
    const outcome = await upstream.listen(request, last.lastEventId);
    retryAfterMs = last.retryMs;
    if (outcome.kind === "refused") {
      if (!(await isTransient(exchange, outcome, reauthorization))) break;
      retryAfterMs = parseRetryAfter(outcome.headers) ?? retryAfterMs;
    }
    // It would come again.
    if (outcome.kind === "tooLong") return outcome;
    if (outcome.kind !== "ended") continue;
    const lastEventId = outcome.lastEventId ?? last.lastEventId;
    if (lastEventId !== last.lastEventId) {
      until = performance.now() + settings.timeoutMs;
      tries = 0;
    }
    last = { ...outcome, lastEventId, retryMs: outcome.retryMs ?? last.retryMs };
    retryAfterMs = last.retryMs;
  }
  return last;
}

async function isTransient(
  exchange: Exchange,
  { status, token }: Refusal,
  reauthorization: Reauthorization,
): Promise<boolean> {
  if (status !== 401) return transientStatuses.has(status);
  const decision = await reauthorization.renewToken(exchange, token).catch(() => "done");
  return decision === "retry";
}

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

interface RetryPolicyDeps extends ProxyContext {
  session: Session;
  reauthorization: Reauthorization;
  tools: ToolCatalog;
  http: HttpClient;
  problem: ConnectionProblem;
  /** Gives the host an answer of ours, where there is one for its question. */
  onCutOff: (exchange: Exchange) => void;
}

/** Decides what becomes of an exchange that a try has left without all of its answers. */
type DecideRetry = (exchange: Exchange, outcome: OpenFailure) => Promise<RetryDecision>;

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

/** Sends an exchange as often as is right, and answers for the server where it does not. */
export type SendExchange = (exchange: Exchange) => Promise<void>;

interface SendDeps extends ResumeStreamDeps {
  session: Session;
  decideRetry: DecideRetry;
  tools: ToolCatalog;
  subscriptions: Subscriptions;
  problem: ConnectionProblem;
}

export function createSend(deps: SendDeps): SendExchange {
  return async (exchange) => {
    try {
      await send(exchange, deps);
    } finally {
      deps.exchanges.end(exchange);
    }
  };
}

async function send(exchange: Exchange, deps: SendDeps): Promise<void> {
  const { exchanges, decideRetry, log } = deps;
  const name = `${toText(exchange.message.method)} ${exchange.requestId}`;
  while (!isFinished(exchange)) {
    const outcome = await attempt(exchange, deps);
    if (outcome === undefined || isFinished(exchange)) return;
    const { kind } = outcome;
    log.debug(`${name}: ${kind}`);
    if (exchange.calls.length === 0 && (kind === "accepted" || kind === "ended")) return;
    const decision = await decideRetry(exchange, outcome);
    if (isFinished(exchange) || decision === "done") return;
    if (decision === "retry") continue;
    log.info(`${name}: ${decision.code}`);
    exchanges.fail(exchange, decision);
    return;
  }
}

/** Undefined when nothing is left to be done. */
async function attempt(exchange: Exchange, deps: SendDeps): Promise<OpenFailure | undefined> {
  const { session } = deps;
  exchange.wasSent = false;
  while (exchange.modern === undefined && session.needsOpening()) {
    const openFailure = await session.open();
    if (openFailure?.kind === "declined" && isInitialize(exchange)) {
      answerInitialize(exchange, openFailure.answer, deps);
      return undefined;
    }
    if (openFailure !== undefined) return openFailure;
    if (isFinished(exchange)) return undefined;
  }
  if (isInitialize(exchange)) {
    // The session has sent it.
    answerInitialize(exchange, session.answer(), deps);
    return undefined;
  }
  exchange.wasSent = true;
  return post(exchange, deps);
}

function answerInitialize(
  { calls: [call] }: Exchange,
  answer: SessionAnswer | undefined,
  { exchanges }: SendDeps,
): void {
  if (answer && call) exchanges.answer(call, answer.raw, answer.message);
}

async function post(exchange: Exchange, deps: SendDeps): Promise<Outcome> {
  const { upstream, session, exchanges, tools, subscriptions, timeouts } = deps;
  const { modern } = exchange;
  exchange.session = modern === undefined ? session.id() : undefined;
  if (modern === undefined) subscriptions.record(exchange);
  const headers =
    modern === undefined ? session.headers() : toModernHeaders(exchange.message, modern, tools);
  let lingering: NodeJS.Timeout | undefined;
  const request: UpstreamRequest = {
    ...toUpstreamRequest(exchange, headers, deps),
    dispatch: (taken, raw) => {
      const keepsUp = exchanges.dispatch(taken, raw, exchange);
      // Some servers leave the stream open when all is said.
      if (isFinished(exchange)) {
        lingering ??= setTimeout(() => {
          exchange.abort.abort();
        }, timeouts.lingerMs);
      }
      return keepsUp;
    },
  };
  exchange.inFlight = true;
  const begun = performance.now();
  const outcome = await upstream.post(exchange.body, request);
  if (outcome.kind === "ended" && performance.now() - begun >= timeouts.stableStreamMs)
    exchange.tries = 0;
  const canResume = outcome.kind === "ended" && outcome.lastEventId !== undefined;
  const last = canResume ? await resumeStream(exchange, request, outcome, deps) : outcome;
  clearTimeout(lingering);
  exchange.inFlight = false;
  return last;
}

function toUpstreamRequest(
  exchange: Exchange,
  headers: Record<string, string>,
  { settings, problem }: SendDeps,
): Omit<UpstreamRequest, "dispatch"> {
  return {
    headers,
    requestId: exchange.requestId,
    signal: exchange.abort.signal,
    silenceMs: isListening(exchange) ? 0 : settings.timeoutMs,
    onHead: () => {
      problem.clear();
      exchange.renewals = 0;
      exchange.isSignedOut = false;
      if (isListening(exchange)) exchange.deadline = Infinity;
    },
  };
}

/** Has no end of its own once the server has taken it. */
function isListening({ calls }: Exchange): boolean {
  return calls[0]?.method === "subscriptions/listen";
}
