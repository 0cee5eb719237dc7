import { parseJson, toText } from "../../common/json.js";
import { parseRetryAfter, transientStatuses } from "../../http/http-client.js";
import { pause, type ProxyContext, toBackoffMs, within } from "../context.js";
import { type Exchange, type Message, toolOf } from "../exchange.js";
import {
  type Failure,
  failures,
  findDetail,
  type RetryDecision,
  toBridgeError,
} from "../failures.js";
import type { FallbackResponses } from "../local/fallbacks.js";
import type { OpenFailure, Session, SessionAnswer } from "./session.js";
import { causeOf, type SignIns } from "./sign-ins.js";
import { toModernHeaders, type ToolCatalog } from "../local/tool-catalog.js";
import type { Outcome, Refusal, Upstream, UpstreamRequest } from "./upstream.js";

type End = Extract<Outcome, { kind: "ended" }>;
type TooLong = Extract<Outcome, { kind: "tooLong" }>;

const maxServerErrors = 3;
const listening = "subscriptions/listen";
const idempotentMethods = new Set([
  "initialize",
  "ping",
  "server/discover",
  "completion/complete",
  "logging/setLevel",
  "resources/subscribe",
  "resources/unsubscribe",
  listening,
]);

interface SendDeps extends ProxyContext {
  upstream: Upstream;
  session: Session;
  signIns: SignIns;
  fallbacks: FallbackResponses;
}

export type SendExchange = (exchange: Exchange) => Promise<void>;

export class Sender {
  readonly #deps: SendDeps;

  constructor(deps: SendDeps) {
    this.#deps = deps;
  }

  readonly send: SendExchange = async (exchange) => {
    try {
      await this.#sendUntilDone(exchange);
    } finally {
      this.#deps.exchanges.end(exchange);
    }
  };

  async #sendUntilDone(exchange: Exchange): Promise<void> {
    const { exchanges, log } = this.#deps;
    const name = `${toText(exchange.message.method)} ${exchange.requestId}`;
    while (!exchange.isFinished()) {
      const outcome = await this.#attempt(exchange);
      if (outcome === undefined || exchange.isFinished()) return;
      const { kind } = outcome;
      log.debug(`${name}: ${kind}`);
      if (exchange.calls.length === 0 && (kind === "accepted" || kind === "ended")) return;
      const decision = await this.#decide(exchange, outcome);
      if (exchange.isFinished() || decision === "done") return;
      if (decision === "retry") continue;
      log.info(`${name}: ${decision.code}`);
      exchanges.fail(exchange, decision);
      return;
    }
  }

  /** Returns undefined if nothing remains to do. */
  async #attempt(exchange: Exchange): Promise<OpenFailure | undefined> {
    const { session } = this.#deps;
    const isInitialize = exchange.isInitialize();
    exchange.wasSent = false;
    while (exchange.modern === undefined && session.needsOpening()) {
      const failure = await session.open();
      if (failure?.kind === "declined" && isInitialize) {
        this.#answerInitialize(exchange, failure.answer);
        return undefined;
      }
      if (failure !== undefined) return failure;
      if (exchange.isFinished()) return undefined;
    }
    // Already sent by the session.
    if (isInitialize) {
      this.#answerInitialize(exchange, session.answer);
      return undefined;
    }
    exchange.wasSent = true;
    return this.#post(exchange);
  }

  #answerInitialize({ calls: [call] }: Exchange, answer: SessionAnswer | undefined): void {
    if (answer && call) this.#deps.exchanges.answer(call, answer.raw, answer.message);
  }

  async #post(exchange: Exchange): Promise<Outcome> {
    const { upstream, session, exchanges, tools, timeouts, settings, problem } = this.#deps;
    const { modern, message } = exchange;
    exchange.session = modern === undefined ? session.id : undefined;
    if (modern === undefined) session.record(exchange);
    // Never ends after the server has accepted it.
    const isListening = exchange.calls[0]?.method === listening;
    let lingering: NodeJS.Timeout | undefined;
    const request: UpstreamRequest = {
      headers: modern === undefined ? session.headers : toModernHeaders(message, modern, tools),
      requestId: exchange.requestId,
      signal: exchange.abort.signal,
      silenceMs: isListening ? 0 : settings.timeoutMs,
      onHead: () => {
        problem.current = undefined;
        exchange.renewals = 0;
        exchange.isSignedOut = false;
        if (isListening) exchange.deadline = Infinity;
      },
      dispatch: (taken, raw) => {
        const keepsUp = exchanges.dispatch(taken, raw, exchange);
        // Some servers leave the stream open after the last response.
        if (exchange.isFinished()) {
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
    const isEnd = outcome.kind === "ended";
    if (isEnd && performance.now() - begun >= timeouts.stableStreamMs) exchange.tries = 0;
    const canResume = isEnd && outcome.lastEventId !== undefined;
    const last = canResume ? await this.#resumeStream(exchange, request, outcome) : outcome;
    clearTimeout(lingering);
    exchange.inFlight = false;
    return last;
  }

  /**
   * Resumes a stream that ended early, without repeating events. Stops after the time-out without
   * new events.
   */
  async #resumeStream(
    exchange: Exchange,
    request: UpstreamRequest,
    end: End,
  ): Promise<End | TooLong> {
    const { settings, upstream, timeouts } = this.#deps;
    let last = end;
    let retryAfterMs = end.retryMs;
    let until = performance.now() + settings.timeoutMs;
    for (let tries = 0; ; tries += 1) {
      const ms = toBackoffMs(timeouts, tries, timeouts.maxRetryMs, retryAfterMs);
      if (performance.now() + ms >= until) break;
      await pause(ms, exchange.abort.signal);
      if (exchange.isFinished()) break;
      const outcome = await upstream.listen({ ...request, lastEventId: last.lastEventId });
      retryAfterMs = last.retryMs;
      if (outcome.kind === "refused") {
        if (!(await this.#mayResume(exchange, outcome))) break;
        retryAfterMs = parseRetryAfter(outcome.headers) ?? retryAfterMs;
      }
      // Resuming would receive it again.
      if (outcome.kind === "tooLong") return outcome;
      if (outcome.kind !== "ended") continue;
      if (outcome.lastEventId !== last.lastEventId) {
        until = performance.now() + settings.timeoutMs;
        tries = 0;
      }
      last = { ...outcome, retryMs: outcome.retryMs ?? last.retryMs };
      retryAfterMs = last.retryMs;
    }
    return last;
  }

  async #mayResume(exchange: Exchange, { status, token }: Refusal): Promise<boolean> {
    if (status !== 401) return transientStatuses.has(status);
    const renewal = this.#deps.signIns.renewToken(exchange, token);
    return (await renewal.catch(() => "done")) === "retry";
  }

  async #decide(exchange: Exchange, outcome: OpenFailure): Promise<RetryDecision> {
    const { problem, fallbacks } = this.#deps;
    const decision = await this.#decideSafely(exchange, outcome);
    if (typeof decision === "string") return decision;
    // Hosts give up on a server whose `initialize` fails. Later requests report the failure.
    const isInitialize = exchange.isInitialize();
    const wasSent = exchange.wasSent && outcome.kind !== "blocked";
    if (!wasSent) problem.report(decision);
    if (isInitialize || (!wasSent && decision.isSetup)) fallbacks.onCutOff(exchange, false);
    return isInitialize || exchange.isBackground()
      ? this.#retryLater(exchange, decision)
      : decision;
  }

  async #decideSafely(exchange: Exchange, outcome: OpenFailure): Promise<RetryDecision> {
    try {
      return await this.#decideByOutcome(exchange, outcome);
    } catch (error) {
      const { code, message } = toBridgeError(error, this.#deps.log);
      const isLocked = outcome.kind === "blocked" && code === "keychain_locked";
      if (isLocked && (await this.#unlock(exchange))) return "retry";
      const passes = code === "server_unreachable" || code === "server_busy";
      return passes || exchange.isBackground()
        ? this.#retryLater(exchange, { code, message })
        : { code, message, isSetup: code.startsWith("keychain_") };
    }
  }

  async #decideByOutcome(exchange: Exchange, outcome: OpenFailure): Promise<RetryDecision> {
    const { settings, tools } = this.#deps;
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
        return this.#decideRefused(exchange, outcome, isSafe);
      case "failed":
        if (outcome.notSent) return this.#decideUnreachable(exchange, outcome);
        break;
      case "ended":
    }
    // The server may have processed it and the response was lost.
    const failure = outcome.timedOut
      ? failures.silent(settings.timeoutMs / 1000, isSafe)
      : failures.lost(isSafe);
    return isSafe ? this.#retryLater(exchange, failure) : failure;
  }

  #decideUnreachable(
    exchange: Exchange,
    { reason, advice }: { reason: string; advice: string | undefined },
  ): Promise<RetryDecision> {
    const failure = failures.unreachable(reason, advice);
    this.#deps.problem.report(failure);
    // Waiting doesn't fix it.
    if (failure.isSetup) this.#deps.fallbacks.onCutOff(exchange, false);
    return this.#retryLater(exchange, failure);
  }

  /** Once per request of a person. They may be away, so the wait is limited. */
  async #unlock(exchange: Exchange): Promise<boolean> {
    const { tokens, timeouts } = this.#deps;
    if (causeOf(exchange) !== "person" || exchange.hasAskedToUnlock) return false;
    exchange.hasAskedToUnlock = true;
    const left = exchange.deadline - timeouts.requestReserveMs - performance.now();
    const unlocked = tokens.unlock().then(
      () => true,
      () => false,
    );
    return (await within(left, unlocked, exchange.abort.signal)) ?? false;
  }

  async #decideRefused(
    exchange: Exchange,
    refusal: Refusal,
    isSafe: boolean,
  ): Promise<RetryDecision> {
    const { signIns } = this.#deps;
    const { status, headers, token } = refusal;
    if (status === 401) return signIns.renewToken(exchange, token);
    const scope = status === 403 ? findMissingScope(headers["www-authenticate"]) : undefined;
    if (scope !== undefined) return signIns.stepUp(exchange, scope);
    const isTransient = status === 429 || (status > 500 && isSafe && transientStatuses.has(status));
    if (!isTransient) return this.#decideOtherStatus(exchange, refusal, isSafe);
    const retryAfterMs = parseRetryAfter(headers);
    const isBusy = status === 429 || status === 503;
    const failure = isBusy ? failures.busy(retryAfterMs) : failures.brokenDown(status, isSafe);
    return this.#retryLater(exchange, failure, retryAfterMs);
  }

  async #decideOtherStatus(
    exchange: Exchange,
    refusal: Refusal,
    isSafe: boolean,
  ): Promise<RetryDecision> {
    const { status, text } = refusal;
    const { wasSent } = exchange;
    const answer = parseJson(text);
    if (wasSent) this.#deps.exchanges.dispatch(answer, text.replace(/[\r\n]/g, " "), exchange);
    if (exchange.isFinished()) return "done";
    if (wasSent && isLostSession(exchange, refusal)) {
      exchange.hasLostSession = true;
      this.#deps.session.lose(exchange.session ?? "");
      return "retry";
    }
    const failure = describeRefusal(refusal, isSafe, findDetail(answer));
    exchange.serverErrors += 1;
    // A request that crashes the server once may crash it every time.
    const mayPass = status === 500 && isSafe && exchange.serverErrors <= maxServerErrors;
    return mayPass ? this.#retryLater(exchange, failure) : failure;
  }

  /** Waits before the next attempt. Returns the failure if too little time remains. */
  async #retryLater(
    exchange: Exchange,
    failure: Failure,
    retryAfterMs?: number,
  ): Promise<RetryDecision> {
    const { timeouts } = this.#deps;
    const maxMs = exchange.isBackground() ? timeouts.maxBackgroundRetryMs : timeouts.maxRetryMs;
    const ms = toBackoffMs(timeouts, exchange.tries, maxMs, retryAfterMs);
    exchange.tries += 1;
    if (performance.now() + ms >= exchange.deadline) return failure;
    await pause(ms, exchange.abort.signal);
    return exchange.isFinished() ? "done" : "retry";
  }
}

/** True if the method or tool is idempotent. False if unknown. */
function isRepeatable({ method, params }: Message, tools: ToolCatalog): boolean {
  if (typeof method !== "string") return false;
  if (method === "tools/call") return tools.isSafeToRepeat(toolOf(params));
  return idempotentMethods.has(method) || /\/(list|read|get)$/.test(method);
}

function describeRefusal(
  { status, location }: Refusal,
  isSafe: boolean,
  detail: string | undefined,
): Failure {
  if (status >= 500) return failures.brokenDown(status, isSafe);
  if (status === 413) return failures.tooLarge();
  return status < 400 && location !== undefined
    ? failures.moved(status, location.origin)
    : failures.refused(status, detail);
}

/** Matches the specification's wording and the wording of many servers. */
function isLostSession(exchange: Exchange, { status, text }: Refusal): boolean {
  if (exchange.session === undefined || exchange.hasLostSession) return false;
  return status === 404 || (status === 400 && /session/i.test(text));
}

/** The scopes of an `insufficient_scope` challenge (RFC 6750 §3.1). */
function findMissingScope(challenge = ""): string | undefined {
  if (!/\berror\s*=\s*"?insufficient_scope\b/i.test(challenge)) return undefined;
  return /\bscope\s*=\s*"([^"]*)"/i.exec(challenge)?.[1];
}
