import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isRecord, parseJson, toRecord, toText } from "../../common/json.js";
import { isHeaderValue } from "../../common/text.js";
import { parseRetryAfter, transientStatuses } from "../../http/http-client.js";
import { backgroundBackoff, pause, type ProxyContext, within } from "../context.js";
import {
  Exchange,
  isId,
  listKinds,
  type Message,
  type RawMessage,
  type Request,
  toListChanged,
} from "../exchange.js";
import { initializeKey } from "../local/startup-cache.js";
import type { Outcome, Refusal, Upstream, UpstreamRequest } from "./upstream.js";

type Deps = ProxyContext & { upstream: Upstream };

const maxRenewals = 2;

/**
 * Follows the server's stream until the server refuses it. `onLost`: the server has lost the
 * session.
 */
async function followServer(
  deps: Deps,
  headers: Record<string, string>,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  const { upstream, exchanges, timeouts } = deps;
  const { dispatch } = exchanges;
  const request = { headers, requestId: randomUUID(), signal, silenceMs: 0, dispatch };
  let lastEventId: string | undefined;
  let renewals = 0;
  let hasBegun = false;
  for (let failures = 0; !signal.aborted; failures += 1) {
    const begun = performance.now();
    const outcome = await upstream.listen({ ...request, lastEventId });
    let retryAfterMs: number | undefined;
    if (outcome.kind === "accepted") return;
    // Resuming after a too long message would receive it again.
    if (outcome.kind === "tooLong") lastEventId = undefined;
    if (outcome.kind === "refused") {
      renewals = outcome.status === 401 ? renewals + 1 : 0;
      // On a new session, 404 means that the server has no stream.
      if (outcome.status === 404 && hasBegun) onLost();
      if (!(await isTransient(deps, outcome, renewals))) return;
      retryAfterMs = parseRetryAfter(outcome.headers);
    }
    if (outcome.kind === "ended") {
      hasBegun = true;
      renewals = 0;
      const isStable = performance.now() - begun >= timeouts.stableStreamMs;
      if (outcome.events > 0 || isStable) failures = 0;
      lastEventId = outcome.lastEventId;
      retryAfterMs = outcome.retryMs;
    }
    await pause(backgroundBackoff(timeouts, failures, retryAfterMs), signal);
  }
}

async function isTransient(
  { tokens }: Deps,
  { status, token }: Refusal,
  renewals: number,
): Promise<boolean> {
  if (status !== 401) return transientStatuses.has(status);
  if (token === undefined || renewals > maxRenewals) return false;
  return (await tokens.replace(token).catch(() => undefined)) !== undefined;
}

export interface SessionAnswer {
  message: Message;
  raw: RawMessage;
}

/** Why the session is not open. "declined": the server rejected `initialize`. */
export type OpenFailure = Outcome | { kind: "declined"; answer: SessionAnswer };

interface SessionDeps extends Deps {
  send: (exchange: Exchange) => Promise<void>;
}

/**
 * The session of revisions with a handshake. Opened with the host's own messages and reopened when
 * it is lost.
 */
export class Session {
  readonly #deps: SessionDeps;
  readonly #requestId = randomUUID();
  readonly #abort = new AbortController();
  #stream = new AbortController();
  #first: { line: RawMessage; message: Message } | undefined;
  #confirmation: RawMessage | undefined;
  #isOpen = false;
  #openedAt = 0;
  #isConfirmed = false;
  #opening: Promise<OpenFailure | undefined> | undefined;
  /** How often in a row it was lost soon after it opened. */
  #quickLosses = 0;
  /** The host's requests whose effect ends with the session, by subject. */
  readonly #subscriptions = new Map<string, { body: RawMessage; message: Request }>();
  answer: SessionAnswer | undefined;
  /** For every message except `initialize`. */
  headers: { "mcp-session-id"?: string; "mcp-protocol-version"?: string } = {};

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  get id(): string | undefined {
    return this.headers["mcp-session-id"];
  }

  begin(line: RawMessage, message: Message): void {
    this.#first = { line, message };
    this.#confirmation = undefined;
    this.#isOpen = false;
    this.answer = undefined;
    this.#stream.abort();
  }

  /** Forwards `notifications/initialized` now or when the session opens. */
  confirm(line: RawMessage): void {
    this.#confirmation = line;
    // A concurrent opening may have missed it.
    void Promise.resolve(this.#opening).then(() =>
      this.#isOpen && !this.#isConfirmed ? this.open() : undefined,
    );
  }

  needsOpening(): boolean {
    const isUnconfirmed = this.#confirmation !== undefined && !this.#isConfirmed;
    return this.#first !== undefined && (!this.#isOpen || isUnconfirmed);
  }

  /** One attempt, shared by concurrent callers. Undefined if the session is open. */
  open(): Promise<OpenFailure | undefined> {
    return (this.#opening ??= this.#tryOpening().finally(() => {
      this.#opening = undefined;
    }));
  }

  lose(lost: string): void {
    if (lost !== this.id) return;
    this.#isOpen = false;
    this.headers = {};
    this.#stream.abort();
  }

  async end(limitMs: number): Promise<void> {
    this.#stream.abort();
    const ended = this.id && this.#deps.upstream.endSession(this.#request(this.headers));
    if (ended) await within(limitMs, ended);
    this.headers = {};
    this.#abort.abort();
  }

  /** Stores a request that must be repeated in a new session. */
  record({ body, message }: Exchange): void {
    const { id, method, params } = message;
    const subject = `subscription ${toText(toRecord(params)["uri"])}`;
    if (method === "resources/unsubscribe") this.#subscriptions.delete(subject);
    if (!isId(id)) return;
    const kept = { body, message: { ...message, id } };
    if (method === "resources/subscribe") this.#subscriptions.set(subject, kept);
    if (method === "logging/setLevel") this.#subscriptions.set(method, kept);
  }

  #catchUp({ capabilities }: Record<string, unknown>): void {
    const { exchanges, settings, output, send } = this.#deps;
    // The host already has the responses.
    for (const { body, message } of this.#subscriptions.values()) {
      const exchange = new Exchange(body, message, settings.timeoutMs);
      exchange.addCall(message, () => undefined).state = "fallback";
      // Skips requests that the host still waits for: they are retried separately.
      if (exchanges.start(exchange)) void send(exchange);
    }
    const announced = toRecord(capabilities);
    for (const kind of listKinds) {
      if (announced[kind] !== undefined) output.write(toListChanged(kind));
    }
  }

  #request(headers: Record<string, string> = {}): UpstreamRequest {
    const { settings, exchanges } = this.#deps;
    const common = { requestId: this.#requestId, signal: this.#abort.signal };
    const { dispatch } = exchanges;
    return { ...common, headers, silenceMs: settings.timeoutMs, dispatch };
  }

  async #tryOpening(): Promise<OpenFailure | undefined> {
    const before = this.answer;
    const failure = this.#isOpen ? undefined : await this.#shakeHands();
    if (failure !== undefined) return failure;
    if (this.#confirmation === undefined || this.#isConfirmed) return undefined;
    const outcome = await this.#deps.upstream.post(this.#confirmation, this.#request(this.headers));
    if (!isAccepted(outcome)) {
      this.#isOpen = false;
      return outcome;
    }
    this.#isConfirmed = true;
    const { id } = this;
    this.#stream.abort();
    const { signal } = (this.#stream = new AbortController());
    void followServer(this.#deps, this.headers, signal, () => {
      if (id !== undefined && !signal.aborted) void this.#reopen(id);
    });
    const result = this.answer?.message.result;
    const isAnother = before !== undefined && before !== this.answer;
    if (isAnother && isRecord(result)) this.#catchUp(result);
    return undefined;
  }

  async #shakeHands(): Promise<OpenFailure | undefined> {
    if (this.#first === undefined) return undefined;
    const { problem, startupCache, upstream } = this.#deps;
    const { line, message } = this.#first;
    const handshake = await postInitialize(upstream, line, message, this.#request());
    if (handshake.answer === undefined) return handshake.outcome;
    const { answer, head } = handshake;
    const { result } = answer.message;
    if (!isRecord(result)) {
      startupCache.delete(initializeKey(message.params));
      return { kind: "declined", answer };
    }
    this.answer = answer;
    const { "mcp-session-id": id } = head;
    const { protocolVersion: version } = result;
    this.headers = {
      ...(typeof id === "string" && { "mcp-session-id": id }),
      ...(isHeaderValue(version) && { "mcp-protocol-version": version }),
    };
    this.#isOpen = true;
    this.#openedAt = performance.now();
    this.#isConfirmed = false;
    problem.current = undefined;
    startupCache.set(initializeKey(message.params), result);
    return undefined;
  }

  /**
   * Reopens without waiting for the host, which may have nothing to send. The delay grows with each
   * loss.
   */
  async #reopen(lost: string): Promise<void> {
    const { timeouts } = this.#deps;
    const { signal } = this.#abort;
    const isQuick = performance.now() - this.#openedAt < timeouts.stableStreamMs;
    this.#quickLosses = isQuick ? this.#quickLosses + 1 : 0;
    this.lose(lost);
    if (isQuick) await pause(backgroundBackoff(timeouts, this.#quickLosses - 1), signal);
    for (let tries = 0; this.needsOpening() && !signal.aborted; tries += 1) {
      if ((await this.open()) === undefined) return;
      await pause(backgroundBackoff(timeouts, tries), signal);
    }
  }
}

type Handshake =
  { answer: SessionAnswer; head: IncomingHttpHeaders } | { answer: undefined; outcome: Outcome };

/** Returns at the response, even if the server leaves its stream open. */
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

/** Some servers refuse messages that need no response but work otherwise. */
function isAccepted(outcome: Outcome): boolean {
  if (outcome.kind === "refused") return outcome.status !== 401;
  return outcome.kind === "accepted" || outcome.kind === "ended";
}
