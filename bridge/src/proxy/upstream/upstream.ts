import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { BridgeError } from "../../common/errors.js";
import { isTooComplex, parseJson } from "../../common/json.js";
import type { Log } from "../../common/log.js";
import { extraHeaders } from "../../common/settings.js";
import { withoutMark } from "../../common/text.js";
import { version } from "../../common/version.js";
import {
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  type HttpRequest,
  isEventStream,
  mediaTypeOf,
} from "../../http/http-client.js";
import { createMemoryBudget, type MemoryBudget } from "../../http/memory-budget.js";
import { readBody } from "../../http/read-body.js";
import type { AccessToken } from "../../tokens/token-pair.js";
import { findDetail, toBridgeError } from "../requests/failures.js";
import { type RawMessage } from "../requests/message.js";
import type { ProxyContext } from "../requests/proxy-context.js";
import { readEvents, type StreamEnd } from "./sse.js";

/** One HTTP request, as the protocol wants it. */
export interface UpstreamRequest {
  headers: Record<string, string>;
  requestId: string;
  signal: AbortSignal;
  silenceMs: number;
  /** Takes a message, or a batch, of the answer. False when the host reads slowly. */
  dispatch: (message: unknown, raw: RawMessage) => boolean;
  /** Told at the head of an answer that is no refusal. */
  onHead?: (headers: IncomingHttpHeaders) => void;
}

export type Outcome =
  /** There is no way to a token now. */
  | { kind: "blocked"; error: BridgeError }
  | ({ kind: "failed"; reason: string } & Pick<HttpFailure, "notSent" | "timedOut" | "advice">)
  | Refusal
  /** The answer was read to its end; what of it was no message is said by `detail`. */
  | { kind: "accepted"; detail: string | undefined }
  /** A message of the answer took more than `maxAnswerBytes` leave, or is too complex. */
  | { kind: "tooLong" }
  /** A stream is over, which may be its end or the connection's. */
  | ({ kind: "ended"; timedOut: boolean } & StreamEnd);

export interface Refusal {
  kind: "refused";
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  location: URL | undefined;
  /** What it was sent with. */
  token: AccessToken | undefined;
}

/** The server's MCP address. Every request goes out with the token and the headers it needs. */
export interface Upstream {
  post: (body: RawMessage, request: UpstreamRequest) => Promise<Outcome>;
  /** Opens an event stream, or goes on with one. */
  listen: (request: UpstreamRequest, lastEventId?: string) => Promise<Outcome>;
  endSession: (request: UpstreamRequest) => Promise<Outcome>;
}

const maxErrorBytes = 64 * 1024;
/** What the messages that are being read may take together; without an end one would take all memory. */
export const maxAnswerBytes = 256 * 1024 * 1024;
const maxRedirects = 5;
const redirects = new Set([307, 308]);
const lineBreaks = [0x0a, 0x0d];
const space = 0x20;

export function createUpstream(context: ProxyContext & { http: HttpClient }): Upstream {
  const { settings, log, http, tokens, output, maxAnswerBytes } = context;
  const budget = createMemoryBudget(maxAnswerBytes);
  const common = { "user-agent": `fettle-bridge/${version}`, ...extraHeaders(settings) };
  const posted = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };

  const send = async (
    method: "GET" | "POST" | "DELETE",
    request: UpstreamRequest,
    own: Record<string, string>,
    body?: RawMessage,
  ): Promise<Outcome> => {
    try {
      const token = await tokens.get();
      const answer = await requestHere(http, settings.server, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token.value}` }),
          ...common,
          ...own,
          ...request.headers,
          "x-request-id": request.requestId,
        },
        ...(body !== undefined && { body }),
        signal: request.signal,
        silenceMs: request.silenceMs,
      });
      if (answer.status < 200 || answer.status > 299) {
        return await readRefusal(answer, token, { http, server: settings.server });
      }
      request.onHead?.(answer.headers);
      if (method === "GET" && !isEventStream(answer.status, answer.headers)) {
        answer.body.destroy();
        return { kind: "accepted", detail: "it is no event stream" };
      }
      const { drained } = output;
      return await readAnswer(answer, request, { drained, budget });
    } catch (error) {
      return toOutcome(error, log);
    }
  };
  return {
    post: (body, request) => send("POST", request, posted, body),
    listen: (request, lastEventId) =>
      send("GET", request, {
        accept: "text/event-stream",
        ...(lastEventId !== undefined && {
          "last-event-id": Buffer.from(lastEventId).toString("latin1"),
        }),
      }),
    endSession: (request) => send("DELETE", request, {}),
  };
}

/** Follows redirects that keep the method and the body, as long as they stay on the server. */
async function requestHere(
  http: HttpClient,
  server: string,
  request: HttpRequest,
): Promise<HttpAnswer> {
  let answer = await http.request(server, request);
  let url = server;
  for (let hops = 0; hops < maxRedirects && redirects.has(answer.status); hops += 1) {
    const location = findLocation(answer, url);
    if (location?.origin !== new URL(server).origin) break;
    // Read to its end, it could drip for ever.
    answer.body.destroy();
    url = location.href;
    answer = await http.request(url, request);
  }
  return answer;
}

function findLocation({ headers: { location } }: HttpAnswer, base: string): URL | undefined {
  return location !== undefined && URL.canParse(location, base)
    ? new URL(location, base)
    : undefined;
}

function toOutcome(error: unknown, log: Log): Outcome {
  if (!(error instanceof HttpFailure)) return { kind: "blocked", error: toBridgeError(error, log) };
  const { message: reason, notSent, timedOut, advice } = error;
  return { kind: "failed", reason, notSent, timedOut, advice };
}

async function readRefusal(
  answer: HttpAnswer,
  token: AccessToken | undefined,
  { http, server }: { http: HttpClient; server: string },
): Promise<Refusal> {
  const { status, headers } = answer;
  // A refusal is one without its text, too.
  const text = await http.text(answer, maxErrorBytes).catch(() => "");
  return { kind: "refused", status, headers, text, token, location: findLocation(answer, server) };
}

interface Reading {
  drained: () => Promise<void>;
  budget: MemoryBudget;
}

async function readAnswer(
  { status, headers, body }: HttpAnswer,
  request: UpstreamRequest,
  reading: Reading,
): Promise<Outcome> {
  if (isEventStream(status, headers)) return readStream(body, request, reading);
  const bytes = await readBody(body, reading.budget).catch((error: unknown) => ({
    timedOut: error instanceof HttpFailure && error.timedOut,
  }));
  if (bytes === "tooLong") return { kind: "tooLong" };
  if (!Buffer.isBuffer(bytes)) {
    return { kind: "ended", ...bytes, lastEventId: undefined, retryMs: undefined, events: 0 };
  }
  if (bytes.length === 0) return { kind: "accepted", detail: "it is empty" };
  const type = mediaTypeOf(headers);
  if (type !== "application/json") return { kind: "accepted", detail: `it is ${type}` };
  return readJsonBody(bytes, request);
}

async function readStream(
  body: Readable,
  { dispatch, silenceMs }: UpstreamRequest,
  { drained, budget }: Reading,
): Promise<Outcome> {
  let lastDataAt = performance.now();
  const end = await readEvents(body, {
    onData: (data) => {
      lastDataAt = performance.now();
      const message = parseJson(data);
      if (message === undefined) return isTooComplex(data) ? "tooLong" : true;
      return dispatch(message, data.replaceAll("\n", " "));
    },
    drained,
    budget,
  });
  if (end === "tooLong") return { kind: "tooLong" };
  return { kind: "ended", timedOut: isSilence(lastDataAt, silenceMs), ...end };
}

/** The connection is dropped at the end of a silence, which looks like any other drop. */
function isSilence(since: number, silenceMs: number): boolean {
  return silenceMs > 0 && performance.now() - since >= silenceMs - 50;
}

function readJsonBody(body: Buffer, { dispatch }: UpstreamRequest): Outcome {
  const bytes = withoutMark(body);
  const text = bytes.toString("utf8");
  const message = parseJson(text);
  if (message === undefined) {
    return isTooComplex(text) ? { kind: "tooLong" } : { kind: "accepted", detail: "it is no JSON" };
  }
  // A host may end over bytes that are no text.
  const raw = isUtf8(bytes) ? bytes : Buffer.from(text);
  // Inside JSON strings they are always escaped.
  for (const byte of lineBreaks) {
    for (let at = raw.indexOf(byte); at >= 0; at = raw.indexOf(byte, at + 1)) raw[at] = space;
  }
  dispatch(message, raw);
  return { kind: "accepted", detail: findDetail(message) };
}
