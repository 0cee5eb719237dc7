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
import type { Settings } from "../common/settings.js";
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

/** Statuses of a server that may do better in a moment; every other one says the same next time. */
export const transientStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** More than that is no wait, and no number that a person should read. */
const maxRetryAfterMs = 24 * 3_600_000;

/** In milliseconds from now, a day at most; the header holds seconds or a date (RFC 9110 §10.2.3). */
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
    /** `giveUp` is called once, when this answer holds most of a budget that is exceeded. */
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

/** What a piece takes in memory beside its bytes: a body may come in pieces of one byte each. */
const pieceCost = 128;

/** The whole body, or "tooLong" where the budget ends. Rejects when it breaks before its end. */
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
      reject(new Error("it broke off"));
    });
  });
}

/** On this computer, compressing costs more than it saves. */
export function acceptEncoding(url: URL): { "accept-encoding"?: string } {
  return isLocal(url) ? {} : { "accept-encoding": "gzip" };
}

/** The body without its encoding; some servers compress although nobody asked. */
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
  // Whoever reads it says that it makes no sense, or gets the reason by its "error".
  return create === undefined ? answer : pipeline(answer, create(), () => undefined);
}

export interface HttpRequest {
  method: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Longest wait for a whole answer; in an event stream for its head and each part. 0: none for event streams. */
  silenceMs: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Must be read to its end or destroyed. */
  body: Readable;
}

/** Keep-alive connections to the server, through the proxy and with the CAs of the settings. */
export type HttpClient = ReturnType<typeof createHttpClient>;

type FailureDetails = Partial<Pick<HttpFailure, "notSent" | "timedOut" | "advice">>;

export class HttpFailure extends Error {
  override name = "HttpFailure";
  /** Nothing of the request reached the server, so it can be sent again without doubt. */
  readonly notSent: boolean = false;
  readonly timedOut: boolean = false;
  /** What a person has to do about it; undefined where waiting may help. */
  readonly advice: string | undefined;

  constructor(message: string, { cause, ...details }: FailureDetails & ErrorOptions = {}) {
    super(message, { cause });
    Object.assign(this, details);
  }
}

/** Time to reach the server: long enough for a slow network, short enough to try again. */
const connectMs = 10_000;
const defaultTextLimit = 1024 * 1024;

export function createHttpClient(settings: Settings, agents = createAgents(settings)) {
  let last: Target | undefined;
  return {
    /** Resolves at the head of the answer. Redirects are not followed. Rejects with HttpFailure. */
    request: async (address: string, request: HttpRequest): Promise<HttpAnswer> => {
      const target = last?.address === address ? last : toTarget(address);
      last = target;
      const attempt = async () =>
        send(target, request, await agents.of(target.url), settings.timeoutMs);
      try {
        return await attempt();
      } catch (error) {
        // Reading what the system trusts takes time, so that is for those who need it.
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

/** A refusal is none, whatever it calls itself. */
export function isEventStream(status = 0, headers: IncomingHttpHeaders): boolean {
  return status >= 200 && status < 300 && mediaTypeOf(headers) === "text/event-stream";
}

export function mediaTypeOf(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Taken apart once, for nearly all requests go to one address. */
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
    /** A request that has no socket yet, as behind a proxy, would say so when it has one. */
    const end = (what: ClientRequest | IncomingMessage, cause: Error) => {
      what.destroy(cause);
      fail(cause);
    };
    let outgoing: ClientRequest;
    try {
      outgoing = start({ ...options, ...route, method: request.method, headers: sentHeaders });
    } catch (cause) {
      // Node names the header at most, not what is in it.
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
      // As of a server that switches protocols.
      if (answer === undefined) fail(new Error("it gave no answer"));
    });
    outgoing.end(body);
  });
}

/** What Node does for its option of this name, for less than a sixth of it. */
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
  // While the reader takes its time, the silence is not the server's.
  answer.on("pause", () => outgoing.setTimeout(0));
  answer.on("resume", () => outgoing.setTimeout(silenceMs));
}

/** Calls back when the request begins to leave: from then on the server may have seen it. */
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
  // A proxy is asked before there is a socket.
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

/** In words, with the host only: addresses can hold what is nobody's business. */
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
