import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from "node:http";
import { pipeline, type Readable } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { errorMessage, hasCode } from "../common/errors.js";
import { isLocal } from "../common/server-address.js";
import { extraHeaders, type Settings } from "../common/settings.js";
import { toPlainText, withoutMark } from "../common/text.js";
import {
  certificateAdvice,
  createAgents,
  nameAdvice,
  onProxyRefusal,
  otherUserAdvice,
  proxyAdvice,
  type Route,
  unknownAuthorityCodes,
} from "./agents.js";

export const transientStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** A longer wait is no retry, and its number would only confuse people. */
const maxRetryAfterMs = 24 * 3_600_000;

/**
 * Returns milliseconds from now, a day at most. The header contains seconds or a date (RFC 9110
 * §10.2.3).
 */
export function parseRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["retry-after"]?.trim();
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs);
}

export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

interface Held {
  bytes: number;
  giveUp: () => void;
}

export function createMemoryBudget(maxBytes: number) {
  const open = new Set<Held>();
  let total = 0;
  const release = (held: Held) => {
    if (open.delete(held)) total -= held.bytes;
  };
  return {
    /**
     * `giveUp` is called once, if the budget is exceeded and this response holds the largest part.
     */
    open: (giveUp: () => void) => {
      const own: Held = { bytes: 0, giveUp };
      open.add(own);
      return {
        set: (bytes: number): void => {
          if (!open.has(own)) return;
          total += bytes - own.bytes;
          own.bytes = bytes;
          while (total > maxBytes) {
            const largest = [...open].reduce((most, one) => (one.bytes > most.bytes ? one : most));
            release(largest);
            largest.giveUp();
          }
        },
        release: (): void => {
          release(own);
        },
      };
    },
  };
}

/** Memory per chunk beside its bytes: a body may arrive in chunks of one byte each. */
const pieceCost = 128;

/**
 * Returns the whole body, or "tooLong" if it exceeds the budget. Rejects if the body ends early.
 */
export function readBody(body: Readable, budget: MemoryBudget): Promise<Buffer | "tooLong"> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let cost = -pieceCost;
    const share = budget.open(() => {
      resolve("tooLong");
      pieces.length = 0;
      body.destroy();
    });
    body.on("data", (piece: Buffer) => {
      pieces.push(piece);
      cost += piece.length + pieceCost;
      share.set(cost);
    });
    body.once("end", () => {
      const [only] = pieces;
      resolve(pieces.length === 1 && only ? only : Buffer.concat(pieces));
    });
    body.once("error", reject).once("close", () => {
      share.release();
      // An error is costly, and every body closes.
      if (!body.readableEnded) reject(new Error("it broke off"));
    });
  });
}

/** Compressing local traffic costs more than it saves. */
export function acceptEncoding(url: URL): { "accept-encoding"?: string } {
  return isLocal(url) ? {} : { "accept-encoding": "gzip" };
}

/** The decompressed body. Some servers compress without being asked. */
function decode(answer: IncomingMessage): Readable | Promise<Readable> {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  return encoding === "" || encoding === "identity" ? answer : decompress(answer, encoding);
}

async function decompress(answer: IncomingMessage, encoding: string): Promise<Readable> {
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  const create = {
    gzip: createGunzip,
    "x-gzip": createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[encoding];
  // The reader reports an unknown encoding, or gets the reason from its "error" event.
  return create === undefined ? answer : pipeline(answer, create(), () => undefined);
}

export interface HttpRequest {
  method: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /**
   * Longest wait for a whole response, or for the head and each chunk of an event stream. 0: no
   * limit for event streams.
   */
  silenceMs: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Must be read to the end or destroyed. */
  body: Readable;
}

export type HttpClient = ReturnType<typeof createHttpClient>;

type FailureDetails = Partial<Pick<HttpFailure, "notSent" | "timedOut" | "advice">>;

export class HttpFailure extends Error {
  override name = "HttpFailure";
  /** No part of the request reached the server, so a retry is safe. */
  readonly notSent: boolean = false;
  readonly timedOut: boolean = false;
  /** Advice for the person. Undefined if waiting may help. */
  readonly advice: string | undefined;

  constructor(message: string, { cause, ...details }: FailureDetails & ErrorOptions = {}) {
    super(message, { cause });
    Object.assign(this, details);
  }
}

/** Time limit to reach the server: long enough for a slow network, short enough to retry. */
const connectMs = 10_000;
const defaultTextLimit = 1024 * 1024;

export function createHttpClient(settings: Settings, agents = createAgents(settings)) {
  let last: Target | undefined;
  return {
    /**
     * Resolves when the response head arrives. Doesn't follow redirects. Rejects with HttpFailure.
     */
    request: async (address: string, request: HttpRequest): Promise<HttpAnswer> => {
      const target = last?.address === address ? last : toTarget(address);
      last = target;
      const attempt = async () =>
        send(target, request, await agents.of(target.url), settings.timeoutMs);
      try {
        return await attempt();
      } catch (error) {
        // Reads the system's authorities only if needed, because that is slow.
        const isUntrusted =
          error instanceof HttpFailure &&
          error.notSent &&
          hasCode(error.cause, ...unknownAuthorityCodes);
        if (!isUntrusted || !(await agents.trustSystem())) throw error;
        return attempt();
      }
    },
    text: readText,
    close: agents.close,
  };
}

/** Error responses never count, whatever their content type. */
export function isEventStream(status = 0, headers: IncomingHttpHeaders): boolean {
  return status >= 200 && status < 300 && mediaTypeOf(headers) === "text/event-stream";
}

export function mediaTypeOf(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Parsed once, because nearly all requests use one address. */
interface Target {
  address: string;
  url: URL;
  options: RequestOptions;
  headers: Record<string, string>;
}

function toTarget(address: string): Target {
  const url = new URL(address);
  return { address, url, options: urlToHttpOptions(url), headers: acceptEncoding(url) };
}

function send(
  { url, options, headers }: Target,
  request: HttpRequest,
  { request: start, proxy, ...route }: Route,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const { body, silenceMs, signal } = request;
  const sentHeaders = {
    ...headers,
    ...request.headers,
    ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    let sent = false;
    let answer: IncomingMessage | undefined;
    const toFailure = (message: string, cause?: Error, advice?: string) =>
      new HttpFailure(message, { notSent: !sent, timedOut: cause === undefined, cause, advice });
    const fail = (cause: Error) => {
      reject(cause instanceof HttpFailure ? cause : toFailure(...describe(cause, url, proxy)));
    };
    /** Fails at once. Without a socket, as behind a proxy, the request emits its error late. */
    const end = (what: ClientRequest | IncomingMessage, cause: Error) => {
      what.destroy(cause);
      fail(cause);
    };
    let outgoing: ClientRequest;
    try {
      outgoing = start({ ...options, ...route, method: request.method, headers: sentHeaders });
    } catch (cause) {
      // Node's message may name the header but never contains its value.
      fail(cause as Error);
      return;
    }
    const giveUp = () => {
      end(answer ?? outgoing, toFailure(`${url.host} did not answer in time`));
    };
    let waiting = silenceMs > 0 ? setTimeout(giveUp, silenceMs) : undefined;
    if (signal !== undefined) {
      onAbort(outgoing, signal, () => {
        end(outgoing, new Error("it was given up", { cause: signal.reason }));
      });
    }
    limitConnecting(outgoing, { url, proxy }, giveUp, () => {
      sent = true;
    });
    onProxyRefusal(outgoing, proxy, (reason) => {
      outgoing.destroy(toFailure(reason, new Error(reason), proxyAdvice));
    });
    outgoing.once("response", (given) => {
      answer = given;
      if (!isEventStream(given.statusCode, given.headers)) {
        waiting ??= setTimeout(giveUp, timeoutMs);
      } else {
        clearTimeout(waiting);
        if (silenceMs > 0) limitSilence(outgoing, given, silenceMs, giveUp);
      }
      Promise.resolve(decode(given)).then((body) => {
        resolve({ status: given.statusCode ?? 0, headers: given.headers, body });
      }, fail);
    });
    outgoing.on("error", fail);
    outgoing.once("close", () => {
      clearTimeout(waiting);
      // Happens if a server switches protocols.
      if (answer === undefined) fail(new Error("it gave no answer"));
    });
    outgoing.end(body);
  });
}

/** Does the work of Node's `signal` option in less than a sixth of the time. */
function onAbort(outgoing: ClientRequest, signal: AbortSignal, end: () => void): void {
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  outgoing.once("close", () => {
    signal.removeEventListener("abort", end);
  });
}

function limitSilence(
  outgoing: ClientRequest,
  answer: IncomingMessage,
  silenceMs: number,
  giveUp: () => void,
): void {
  outgoing.setTimeout(silenceMs, giveUp);
  // While the reader pauses, the server is not silent.
  answer.on("pause", () => outgoing.setTimeout(0));
  answer.on("resume", () => outgoing.setTimeout(silenceMs));
}

/** Calls back when the request starts to leave. The server may have seen it from then on. */
function limitConnecting(
  outgoing: ClientRequest,
  { url, proxy }: { url: URL; proxy: string },
  giveUp: () => void,
  onSent: () => void,
): void {
  let connecting: NodeJS.Timeout | undefined;
  const limit = () => {
    connecting ??= setTimeout(giveUp, connectMs);
  };
  const stop = () => {
    clearTimeout(connecting);
  };
  // The proxy connects before there is a socket.
  if (proxy !== "") limit();
  outgoing.once("close", stop).once("socket", (socket) => {
    const onReady = () => {
      stop();
      onSent();
    };
    const isSecure = url.protocol === "https:";
    if (outgoing.reusedSocket || (!isSecure && !socket.connecting)) {
      onReady();
    } else {
      limit();
      socket.once(isSecure ? "secureConnect" : "connect", onReady);
    }
  });
}

/** Describes the error with the host only, because addresses can contain secrets. */
function describe(
  error: NodeJS.ErrnoException,
  { host }: URL,
  proxy: string,
): [reason: string, cause: Error, advice?: string] {
  if (hasCode(error, "OTHER_USER"))
    return [`another user of this computer answers at ${host}`, error, otherUserAdvice];
  const first = proxy === "" ? host : `the proxy ${new URL(proxy).host}`;
  if (hasCode(error, "ECONNREFUSED")) return [`nothing answers at ${first}`, error];
  if (hasCode(error, "ENOTFOUND", "EAI_AGAIN"))
    return [`the name ${first} cannot be resolved`, error, nameAdvice];
  if (hasCode(error, "ECONNRESET", "EPIPE")) return [`${host} ended the connection`, error];
  const code = error.code ?? toPlainText(error.message);
  const advice = certificateAdvice(error.code);
  if (advice === undefined) return [`${host} cannot be reached (${code})`, error];
  return [`the certificate of ${host} is not trusted (${code})`, error, advice];
}

async function readText({ body }: HttpAnswer, limit = defaultTextLimit): Promise<string> {
  const bytes = await readBody(body, createMemoryBudget(limit)).catch((error: unknown) => {
    throw error instanceof HttpFailure
      ? error
      : new HttpFailure(errorMessage(error), { cause: error });
  });
  if (bytes === "tooLong") throw new HttpFailure("the answer is too long");
  return withoutMark(bytes).toString("utf8");
}

export function postMessage(
  { http, settings }: { http: HttpClient; settings: Settings },
  message: object,
  { headers, ...limits }: Pick<HttpRequest, "headers" | "silenceMs" | "signal">,
): Promise<HttpAnswer> {
  return http.request(settings.server, {
    method: "POST",
    headers: {
      ...extraHeaders(settings),
      ...headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    ...limits,
  });
}
