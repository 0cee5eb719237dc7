import type { Database } from "../db/database.js";
import { findResponse, storeResponse } from "../domain/access/client-responses.js";
import { isStorable } from "../domain/shared/text.js";
import { createQuestionPlaces, type CallerKey } from "../traffic/caller-limit.js";
import type { AnswerStream } from "./stream.js";
import type { InputRequired } from "./confirmation.js";
import { isObject } from "./normalize.js";
import { RpcError, rpcCodes } from "./rpc.js";

/** Of a client, by the names of the requests; undefined when it cannot answer one after all. */
export type ClientResponses = Record<string, unknown> | undefined;

/** Requests of ours to clients, each on the stream of the call that it is about. */
export interface ClientRequests {
  ask: (call: WaitingCall, asked: InputRequired) => Promise<ClientResponses>;
  /** Takes a client's response, which may come to another node than the one that asked. */
  take: (connection: Connection, response: Record<string, unknown>) => Promise<void>;
  /** Nobody is waited for any longer. */
  close: () => void;
}

interface Connection {
  organizationId: string;
  connectionId: string;
}

interface WaitingCall extends Connection {
  person: CallerKey;
  stream: AnswerStream;
  /** When it came, by `performance.now()`. */
  began: number;
  /** Aborted when nobody waits for the answer of the call any more. */
  signal: AbortSignal;
}

/**
 * Of all questions of a call together. A little less than one is open, so that it is told as not answered,
 * not as unknown.
 */
const maxWaitMs = 290_000;
const lookEveryMs = 1000;
/** Proxies and our own server end what is silent for half a minute. */
const keepOpenEveryMs = 15_000;
/** What a form with one field can say takes less. */
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

/** Undefined of what no form of ours is answered with. */
function toKeep(response: Record<string, unknown>): object | undefined {
  if (JSON.stringify(response, refuseUnstorable).length > maxLength) return undefined;
  const { result } = response;
  return isObject(result) ? { result } : { error: true };
}

/** For each name and value of a response. */
function refuseUnstorable(name: string, value: unknown): unknown {
  if (isStorable(name) && (typeof value !== "string" || isStorable(value))) return value;
  const message = "The response contains characters that can't be stored.";
  throw new RpcError(message, rpcCodes.invalidRequest, { status: 400 });
}

/**
 * Answers at the first of these, until the function that it gives is called. Within `AbortSignal.any`, Node 20
 * forgets an `AbortSignal.timeout`, and keeps for ever what listens to it.
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

/** `Promise.withResolvers` of Node 22. */
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
