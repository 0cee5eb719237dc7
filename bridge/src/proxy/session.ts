import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isRecord, parseJson, toRecord, toText } from "../common/json.js";
import { isHeaderValue } from "../common/text.js";
import { parseRetryAfter, transientStatuses } from "../http/answer.js";
import type { TokenManager } from "../tokens/token-manager.js";
import { pause, type ProxyContext, type Timeouts, toBackoffMs } from "./context.js";
import {
  addCall,
  createExchange,
  type Exchange,
  isId,
  type Message,
  type RawMessage,
  type RpcId,
} from "./exchange.js";
import type { Outcome, Refusal, Upstream, UpstreamRequest } from "./upstream.js";

/** The stream of a session on which the server speaks by itself, where there is one. */
interface ServerStream {
  /** `onLost` is told when the server does not know the stream's session any more. */
  start: (headers: Record<string, string>, onLost: () => void) => void;
  stop: () => void;
}

type Deps = ProxyContext & { upstream: Upstream };

interface StreamOptions {
  headers: Record<string, string>;
  onLost: () => void;
  signal: AbortSignal;
}

const maxRenewals = 2;

export function createServerStream(deps: Deps): ServerStream {
  let abort = new AbortController();
  const stop = () => {
    abort.abort();
  };
  return {
    start: (headers, onLost) => {
      stop();
      abort = new AbortController();
      void follow(deps, { headers, onLost, signal: abort.signal });
    },
    stop,
  };
}

/** Comes back after each end of the stream, until the server refuses it. */
async function follow(deps: Deps, options: StreamOptions): Promise<void> {
  const { upstream, exchanges, timeouts } = deps;
  const { dispatch } = exchanges;
  const { maxBackgroundRetryMs } = timeouts;
  const { headers, signal } = options;
  const request = { headers, requestId: randomUUID(), signal, silenceMs: 0, dispatch };
  let lastEventId: string | undefined;
  let renewals = 0;
  let hasBegun = false;
  for (let failures = 0; ; failures += 1) {
    const begun = performance.now();
    const outcome = await upstream.listen(request, lastEventId);
    if (outcome.kind === "accepted") return;
    if (outcome.kind === "refused") {
      renewals = outcome.status === 401 ? renewals + 1 : 0;
      if (!(await isTransient(outcome, { renewals, hasBegun }, deps.tokens, options))) return;
    }
    if (outcome.kind === "ended") {
      hasBegun = true;
      renewals = 0;
      if (outcome.events > 0 || performance.now() - begun >= timeouts.stableStreamMs) failures = 0;
      lastEventId = outcome.lastEventId ?? lastEventId;
    }
    // Going on from there, the same message would come again.
    if (outcome.kind === "tooLong") lastEventId = undefined;
    const retryAfterMs = findRetryAfterMs(outcome);
    await pause(toBackoffMs(timeouts, failures, maxBackgroundRetryMs, retryAfterMs), signal);
    if (signal.aborted) return;
  }
}

async function isTransient(
  { status, token }: Refusal,
  { renewals, hasBegun }: { renewals: number; hasBegun: boolean },
  tokens: TokenManager,
  { onLost, signal }: StreamOptions,
): Promise<boolean> {
  // Of a session that was made just now: the server has no stream.
  if (status === 404 && hasBegun && !signal.aborted) onLost();
  if (status !== 401) return transientStatuses.has(status);
  if (token === undefined || renewals > maxRenewals) return false;
  const renewed = await tokens.replace(token).catch(() => undefined);
  return renewed !== undefined;
}

function findRetryAfterMs(outcome: Outcome): number | undefined {
  if (outcome.kind === "refused") return parseRetryAfter(outcome.headers);
  return outcome.kind === "ended" ? outcome.retryMs : undefined;
}

/** The host's requests whose effect ends with the session. */
export interface Subscriptions {
  record: (exchange: Exchange) => void;
  /** Sends them once more, in a new session. The host has their answers already. */
  resend: (send: (exchange: Exchange) => Promise<void>) => void;
}

export function createSubscriptions(
  deps: Pick<ProxyContext, "exchanges" | "settings">,
): Subscriptions {
  const kept = new Map<string, { body: RawMessage; message: Message & { id: RpcId } }>();
  return {
    record: ({ body, message }) => {
      const { id, method, params } = message;
      const subject = `subscription ${toText(toRecord(params)["uri"])}`;
      if (method === "resources/unsubscribe") kept.delete(subject);
      if (!isId(id)) return;
      if (method === "resources/subscribe")
        kept.set(subject, { body, message: { ...message, id } });
      if (method === "logging/setLevel") kept.set(method, { body, message: { ...message, id } });
    },
    resend: (send) => {
      for (const { body, message } of kept.values()) {
        const exchange = createExchange(body, message, deps.settings.timeoutMs);
        addCall(exchange, message, () => undefined).state = "fallback";
        // One that the host still waits for is sent again on its own account.
        if (deps.exchanges.start(exchange)) void send(exchange);
      }
    },
  };
}

export interface SessionAnswer {
  message: Message;
  raw: RawMessage;
}

/**
 * The conversation of the revisions with a handshake. It is opened with the host's own messages,
 * once at its start and again whenever the server has lost it.
 */
export interface Session {
  /** Keeps the host's `initialize` and opens with it from now on. */
  begin: (line: RawMessage, message: Message) => void;
  /** Passes `notifications/initialized` on, now or at the opening. */
  confirm: (line: RawMessage) => void;
  /** Other messages must wait for `open`. */
  needsOpening: () => boolean;
  /** One try, shared by all who ask meanwhile. Undefined when it is open now. */
  open: () => Promise<OpenFailure | undefined>;
  /** What the server answered to `initialize` last. */
  answer: () => SessionAnswer | undefined;
  id: () => string | undefined;
  /** Of every message but `initialize`. */
  headers: () => Record<string, string>;
  lose: (id: string) => void;
  /** Tells the server that the session is over, if it had one. */
  end: (limitMs: number) => Promise<void>;
}

/** Why it is not open. "declined": the server answered `initialize`, and the answer is no. */
export type OpenFailure = Outcome | { kind: "declined"; answer: SessionAnswer };

interface SessionDeps extends Pick<ProxyContext, "settings" | "exchanges" | "timeouts"> {
  upstream: Upstream;
  serverStream: ServerStream;
  onOpen: (params: unknown, result: Record<string, unknown>) => void;
  onDeclined: (params: unknown) => void;
  /** Another session took the place of one that was lost. */
  onReopened: (result: Record<string, unknown>) => void;
}

interface State {
  first: { line: RawMessage; message: Message } | undefined;
  confirmation: RawMessage | undefined;
  isOpen: boolean;
  openedAt: number;
  /** How often it was lost soon after it was opened, in a row. */
  quickLosses: number;
  isConfirmed: boolean;
  answer: SessionAnswer | undefined;
  headers: { "mcp-session-id"?: string; "mcp-protocol-version"?: string };
}

function newState(): State {
  return {
    first: undefined,
    confirmation: undefined,
    isOpen: false,
    openedAt: 0,
    quickLosses: 0,
    isConfirmed: false,
    answer: undefined,
    headers: {},
  };
}

type CreateRequest = (own?: Record<string, string>) => UpstreamRequest;

export function createSession(deps: SessionDeps): Session {
  const { serverStream } = deps;
  const requestId = randomUUID();
  const abort = new AbortController();
  const state = newState();
  let opening: Promise<OpenFailure | undefined> | undefined;

  const createRequest: CreateRequest = (headers = {}) => ({
    headers,
    requestId,
    signal: abort.signal,
    silenceMs: deps.settings.timeoutMs,
    dispatch: deps.exchanges.dispatch,
  });
  const open = () =>
    (opening ??= tryOpening(state, { createRequest, onLost }, deps).finally(() => {
      opening = undefined;
    }));
  const lose = (lost: string) => {
    if (lost !== idOf(state)) return;
    state.isOpen = false;
    state.headers = {};
    serverStream.stop();
  };
  const onLost = (lost: string) => {
    noteLoss(state, deps.timeouts);
    lose(lost);
    void reopen(state, open, deps.timeouts, abort.signal);
  };
  return {
    begin: (line, message) => {
      state.first = { line, message };
      state.confirmation = undefined;
      state.isOpen = false;
      state.answer = undefined;
      serverStream.stop();
    },
    confirm: (line) => {
      state.confirmation = line;
      // An opening that is underway may have looked for it already.
      void Promise.resolve(opening).then(() =>
        state.isOpen && !state.isConfirmed ? open() : undefined,
      );
    },
    needsOpening: () => needsOpening(state),
    open,
    answer: () => state.answer,
    id: () => idOf(state),
    headers: () => state.headers,
    lose,
    end: async (limitMs) => {
      serverStream.stop();
      const limit = setTimeout(() => {
        abort.abort();
      }, limitMs);
      if (idOf(state) !== undefined) await deps.upstream.endSession(createRequest(state.headers));
      state.headers = {};
      clearTimeout(limit);
      abort.abort();
    },
  };
}

async function tryOpening(
  state: State,
  { createRequest, onLost }: { createRequest: CreateRequest; onLost: (id: string) => void },
  deps: SessionDeps,
): Promise<OpenFailure | undefined> {
  const before = state.answer;
  if (!state.isOpen) {
    const openFailure = await shakeHands(state, createRequest(), deps);
    if (openFailure !== undefined) return openFailure;
  }
  if (state.confirmation === undefined || state.isConfirmed) return undefined;
  const outcome = await deps.upstream.post(state.confirmation, createRequest(state.headers));
  if (!isAccepted(outcome)) {
    state.isOpen = false;
    return outcome;
  }
  state.isConfirmed = true;
  const id = idOf(state);
  deps.serverStream.start(state.headers, () => {
    if (id !== undefined) onLost(id);
  });
  const result = state.answer?.message.result;
  if (before !== undefined && before !== state.answer && isRecord(result)) deps.onReopened(result);
  return undefined;
}

function noteLoss(state: State, { stableStreamMs }: Timeouts): void {
  const isQuick = performance.now() - state.openedAt < stableStreamMs;
  state.quickLosses = isQuick ? state.quickLosses + 1 : 0;
}

/**
 * Without waiting for the host, which may have nothing to ask and yet much to be told; the later, the
 * more often the server has lost it at once.
 */
async function reopen(
  state: State,
  open: Session["open"],
  timeouts: Timeouts,
  signal: AbortSignal,
): Promise<void> {
  const { maxBackgroundRetryMs } = timeouts;
  const { quickLosses } = state;
  if (quickLosses > 0) {
    await pause(toBackoffMs(timeouts, quickLosses - 1, maxBackgroundRetryMs), signal);
  }
  for (let tries = 0; needsOpening(state) && !signal.aborted; tries += 1) {
    if ((await open()) === undefined) return;
    await pause(toBackoffMs(timeouts, tries, maxBackgroundRetryMs), signal);
  }
}

async function shakeHands(
  state: State,
  request: UpstreamRequest,
  deps: SessionDeps,
): Promise<OpenFailure | undefined> {
  if (state.first === undefined) return undefined;
  const { line, message } = state.first;
  const handshake = await postInitialize(deps.upstream, line, message, request);
  if (handshake.answer === undefined) return handshake.outcome;
  const { answer, head } = handshake;
  const { result } = answer.message;
  if (!isRecord(result)) {
    deps.onDeclined(message.params);
    return { kind: "declined", answer };
  }
  state.answer = answer;
  const { "mcp-session-id": id } = head;
  const { protocolVersion: version } = result;
  state.headers = {
    ...(typeof id === "string" && { "mcp-session-id": id }),
    ...(isHeaderValue(version) && { "mcp-protocol-version": version }),
  };
  state.isOpen = true;
  state.openedAt = performance.now();
  state.isConfirmed = false;
  deps.onOpen(message.params, result);
  return undefined;
}

function needsOpening({ first, isOpen, confirmation, isConfirmed }: State): boolean {
  return first !== undefined && (!isOpen || (confirmation !== undefined && !isConfirmed));
}

function idOf({ headers }: State): string | undefined {
  return headers["mcp-session-id"];
}

/** What became of `initialize`: the server's answer, or what came instead. */
type Handshake =
  { answer: SessionAnswer; head: IncomingHttpHeaders } | { answer: undefined; outcome: Outcome };

/** Ends with the answer, even where the server leaves its stream open. */
async function postInitialize(
  upstream: Upstream,
  line: RawMessage,
  { id }: Message,
  request: UpstreamRequest,
): Promise<Handshake> {
  let head: IncomingHttpHeaders = {};
  const isAnswer = (message: unknown): message is Message =>
    isRecord(message) && message["id"] === id && message["method"] === undefined;
  return new Promise((resolve, reject) => {
    const posted = upstream.post(line, {
      ...request,
      onHead: (headers) => {
        head = headers;
      },
      dispatch: (message, raw) => {
        if (!isAnswer(message)) return request.dispatch(message, raw);
        resolve({ answer: { message, raw }, head });
        return true;
      },
    });
    posted.then((outcome) => {
      const message = outcome.kind === "refused" ? parseJson(outcome.text) : undefined;
      if (!isAnswer(message)) resolve({ answer: undefined, outcome });
      else resolve({ answer: { message, raw: JSON.stringify(message) }, head });
    }, reject);
  });
}

/** Some servers refuse a message that needs no answer, and serve the rest all the same. */
function isAccepted(outcome: Outcome): boolean {
  if (outcome.kind === "refused") return outcome.status !== 401;
  return outcome.kind === "accepted" || outcome.kind === "ended";
}
