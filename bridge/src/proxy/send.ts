import { toText } from "../common/json.js";
import type { ConnectionProblem } from "./connection-problem.js";
import { type Exchange, isFinished, isInitialize } from "./requests/exchange.js";
import { resumeStream, type ResumeStreamDeps } from "./retry/resume-stream.js";
import type { DecideRetry } from "./retry/retry-policy.js";
import type { OpenFailure, Session, SessionAnswer } from "./session/session.js";
import type { Subscriptions } from "./session/subscriptions.js";
import { toModernHeaders } from "./upstream/request-headers.js";
import type { ToolCatalog } from "./upstream/tool-catalog.js";
import type { Outcome, UpstreamRequest } from "./upstream/upstream.js";

/** Sends an exchange as often as is right, and answers for the server where it does not. */
export type SendExchange = (exchange: Exchange) => Promise<void>;

export interface SendDeps extends ResumeStreamDeps {
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
