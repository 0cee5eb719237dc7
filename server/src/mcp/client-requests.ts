import type { Database } from "../db/database.js";
import { findResponse, storeResponse } from "../domain/access/client-responses.js";
import { isStorable } from "../domain/shared/text.js";
import { createQuestionPlaces, type CallerKey } from "../traffic/caller-limit.js";
import type { AnswerStream } from "./stream.js";
import type { InputRequired } from "./confirmation.js";
import { isObject } from "./normalize.js";
import { RpcError, rpcCodes } from "./rpc.js";

/** A client's responses by request name. Undefined if it can't answer a request. */
export type ClientResponses = Record<string, unknown> | undefined;

/** Our requests to clients, each on the stream of its call. */
export interface ClientRequests {
  ask: (call: WaitingCall, asked: InputRequired) => Promise<ClientResponses>;
  /** Handles a client's response, which may arrive at another node than the one that asked. */
  take: (connection: Connection, response: Record<string, unknown>) => Promise<void>;
  /** Stops all waits. */
  close: () => void;
}

interface Connection {
  organizationId: string;
  connectionId: string;
}

interface WaitingCall extends Connection {
  person: CallerKey;
  stream: AnswerStream;
  /** When the call arrived, by `performance.now()`. */
  began: number;
  /** Aborted when no one waits for the call's response. */
  signal: AbortSignal;
}

/**
 * For all questions of a call. Shorter than a question stays open, so a late response counts as not
 * answered instead of unknown.
 */
const maxWaitMs = 290_000;
const lookEveryMs = 1000;
/** Proxies and our own server close connections that are silent for half a minute. */
const keepOpenEveryMs = 15_000;
/** A response of a one-field form is shorter. */
const maxLength = 10_000;

const noAnswer = { result: { action: "unanswered" } };

type Listener = (response: object) => void;

export function createClientRequests(db: Database): ClientRequests {
  const waiting = new Map<string, Set<Listener>>();
  const enter = createQuestionPlaces();
  const closing = new AbortController();

  const wait = async (call: WaitingCall, id: string, state: string): Promise<object> => {
    const { organizationId, connectionId, signal, stream, began } = call;
    const key = `${connectionId} ${id}`;
    const listeners = waiting.get(key) ?? new Set();
    const { promise, resolve, reject } = withResolvers<object>();
    waiting.set(key, listeners.add(resolve));
    const look = setInterval(() => {
      findResponse(db, { organizationId, connectionId, id: state }).then((found) => {
        if (found !== undefined) resolve(found ?? noAnswer);
      }, reject);
    }, lookEveryMs);
    const keepOpen = setInterval(stream.keepOpen, keepOpenEveryMs);
    const forgetEnd = giveUpAtEnd([signal, closing.signal], began + maxWaitMs, resolve);
    try {
      return await promise;
    } finally {
      clearInterval(look);
      clearInterval(keepOpen);
      forgetEnd();
      listeners.delete(resolve);
      if (listeners.size === 0) waiting.delete(key);
    }
  };

  return {
    ask: async (call, { inputRequests, requestState }) => {
      const leave = await enter(call.person);
      if (leave === undefined) throw tooManyQuestions();
      try {
        const responses: Record<string, unknown> = {};
        for (const [name, request] of Object.entries(inputRequests)) {
          const id = `${requestState}.${name}`;
          const answering = wait(call, id, requestState);
          call.stream.send(JSON.stringify({ jsonrpc: "2.0", id, ...request }));
          const response = await answering;
          if (!("result" in response)) return undefined;
          responses[name] = response.result;
        }
        return responses;
      } finally {
        leave();
      }
    },
    take: async ({ organizationId, connectionId }, response) => {
      const { id } = response;
      const kept = toKeep(response);
      if (typeof id !== "string" || kept === undefined) return;
      const listeners = waiting.get(`${connectionId} ${id}`);
      for (const listener of listeners ?? []) listener(kept);
      if (listeners !== undefined) return;
      const [state = ""] = id.split(".", 1);
      await storeResponse(db, { organizationId, connectionId, id: state }, kept);
    },
    close: () => {
      closing.abort();
    },
  };
}

/** Returns undefined for a response that no form of ours has. */
function toKeep(response: Record<string, unknown>): object | undefined {
  if (JSON.stringify(response, refuseUnstorable).length > maxLength) return undefined;
  const { result } = response;
  return isObject(result) ? { result } : { error: true };
}

function refuseUnstorable(name: string, value: unknown): unknown {
  if (isStorable(name) && (typeof value !== "string" || isStorable(value))) return value;
  const message = "The response contains characters that can't be stored.";
  throw new RpcError(message, rpcCodes.invalidRequest, { status: 400 });
}

/**
 * Calls the listener at the first of these, until the returned function is called. In
 * `AbortSignal.any`, Node 20 loses an `AbortSignal.timeout` and never releases its listeners.
 */
function giveUpAtEnd(
  signals: readonly AbortSignal[],
  until: number,
  listener: Listener,
): () => void {
  const giveUp = () => {
    listener(noAnswer);
  };
  const timeout = setTimeout(giveUp, Math.max(0, until - performance.now()));
  for (const signal of signals) signal.addEventListener("abort", giveUp);
  if (signals.some(({ aborted }) => aborted)) giveUp();
  return () => {
    clearTimeout(timeout);
    for (const signal of signals) signal.removeEventListener("abort", giveUp);
  };
}

/** Replaces `Promise.withResolvers` of Node 22. */
function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

function tooManyQuestions(): RpcError {
  return new RpcError(
    "Too many questions are open. Try again after the person has answered.",
    rpcCodes.refused,
    { status: 429, headers: { "retry-after": "5" } },
  );
}
