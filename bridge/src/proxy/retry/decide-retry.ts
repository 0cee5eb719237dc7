import { toRecord } from "../../common/json.js";
import type { RetryDecision } from "../authorization/reauthorization.js";
import { type Exchange, isBackground, isInitialize } from "../requests/exchange.js";
import { failures, findDetail, toBridgeError } from "../requests/failures.js";
import { type Message } from "../requests/message.js";
import type { OpenFailure } from "../session/session.js";
import type { ToolCatalog } from "../upstream/tool-catalog.js";
import { decideRefused, type RefusedDeps, retryLater } from "./decide-refused.js";

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

export interface DecideRetryDeps extends RefusedDeps {
  tools: ToolCatalog;
  /** Gives the host an answer of ours to its `initialize`. */
  onOpeningFailed: (exchange: Exchange) => void;
}

/** Decides what becomes of an exchange that a try has left without all of its answers. */
export type DecideRetry = (exchange: Exchange, outcome: OpenFailure) => Promise<RetryDecision>;

export function createDecideRetry(deps: DecideRetryDeps): DecideRetry {
  const { timeouts, log, onOpeningFailed } = deps;
  const decideSafely: DecideRetry = async (exchange, outcome) => {
    try {
      return await decideRetry(exchange, outcome, deps);
    } catch (error) {
      const { code, message } = toBridgeError(error, log);
      const passes = code === "server_unreachable" || code === "server_busy";
      return passes || isBackground(exchange)
        ? retryLater(exchange, { code, message }, timeouts)
        : { code, message };
    }
  };
  return async (exchange, outcome) => {
    const decision = await decideSafely(exchange, outcome);
    if (!isInitialize(exchange) || typeof decision === "string") return decision;
    // Hosts give up on a server that fails at this; the next requests tell what is wrong.
    onOpeningFailed(exchange);
    return retryLater(exchange, decision, timeouts);
  };
}

async function decideRetry(
  exchange: Exchange,
  outcome: OpenFailure,
  deps: DecideRetryDeps,
): Promise<RetryDecision> {
  const { settings, timeouts, tools } = deps;
  const isSafe = !exchange.wasSent || isRepeatable(exchange.message, tools);
  switch (outcome.kind) {
    case "accepted":
      return failures.unusable(isSafe, outcome.detail);
    case "declined":
      return failures.declined(findDetail(outcome.answer.message));
    case "blocked":
      throw outcome.error;
    case "refused":
      return decideRefused(exchange, { ...outcome, isSafe }, deps);
    case "failed":
      if (!outcome.notSent) break;
      return retryLater(exchange, failures.unreachable(outcome.reason), timeouts);
    case "ended":
  }
  // The server may have done it, and its answer got lost.
  const failure = outcome.timedOut
    ? failures.silent(settings.timeoutMs / 1000, isSafe)
    : failures.lost(isSafe);
  return isSafe ? retryLater(exchange, failure, timeouts) : failure;
}

/** Doing it twice does no more than doing it once. Of what we do not know, nobody can say. */
function isRepeatable({ method, params }: Message, tools: ToolCatalog): boolean {
  if (typeof method !== "string") return false;
  if (method === "tools/call") return tools.isSafeToRepeat(String(toRecord(params)["name"]));
  return idempotentMethods.has(method) || /\/(list|read|get)$/.test(method);
}
