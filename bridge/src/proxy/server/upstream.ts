import { createParser } from "eventsource-parser";
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { BridgeError } from "../../common/errors.js";
import { isTooComplex, parseJson } from "../../common/json.js";
import { extraHeaders, version } from "../../common/settings.js";
import { withoutMark } from "../../common/text.js";
import {
  createMemoryBudget,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  type HttpRequest,
  isEventStream,
  mediaTypeOf,
  type MemoryBudget,
  readBody,
} from "../../http/http-client.js";
import type { AccessToken } from "../../tokens/rotation.js";
import type { ProxyContext } from "../context.js";
import type { RawMessage } from "../exchange.js";
import { findDetail, toBridgeError } from "../failures.js";

interface StreamEnd {
  lastEventId: string | undefined;
  retryMs: number | undefined;
  /** Received events, with or without a message. */
  events: number;
}

const maxIdLength = 4096;
/** Memory per line, and per chunk of the stream, beside its text. */
const partCost = 64;
const lineEnd = /[\r\n]/g;
const blankLine = /\n\r?\n|\r\r/;

export interface UpstreamRequest {
  headers: Record<string, string>;
  requestId: string;
  signal: AbortSignal;
  silenceMs: number;
  lastEventId?: string | undefined;
  /** Handles a message or batch of the response. Returns false if the host reads slowly. */
  dispatch: (message: unknown, raw: RawMessage) => boolean;
  /** Called at the head of a successful response. */
  onHead?: (headers: IncomingHttpHeaders) => void;
}

export type Outcome =
  /** No token is available now. */
  | { kind: "blocked"; error: BridgeError }
  | ({ kind: "failed"; reason: string } & Pick<HttpFailure, "notSent" | "timedOut" | "advice">)
  | Refusal
  /** The response was read to its end. `detail` describes parts that were not messages. */
  | { kind: "accepted"; detail: string | undefined }
  /** A message exceeded the remainder of `maxAnswerBytes`, or is too complex. */
  | { kind: "tooLong" }
  /** A stream ended, either by the server or by a lost connection. */
  | ({ kind: "ended"; timedOut: boolean } & StreamEnd);

export interface Refusal {
  kind: "refused";
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  location: URL | undefined;
  token: AccessToken | undefined;
}

/** The server's MCP address. Adds the token and required headers to every request. */
export type Upstream = ReturnType<typeof createUpstream>;

const maxErrorBytes = 64 * 1024;
/** Limit for all messages being read. An endless message would otherwise use all memory. */
export const maxAnswerBytes = 256 * 1024 * 1024;
const maxRedirects = 5;
const redirects = new Set([307, 308]);
const lineBreaks = [0x0a, 0x0d];
const space = 0x20;

export function createUpstream(context: ProxyContext) {
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
      if (!(error instanceof HttpFailure)) {
        return { kind: "blocked", error: toBridgeError(error, log) };
      }
      const { message: reason, notSent, timedOut, advice } = error;
      return { kind: "failed", reason, notSent, timedOut, advice };
    }
  };
  return {
    post: (body: RawMessage, request: UpstreamRequest) => send("POST", request, posted, body),
    listen: (request: UpstreamRequest) => {
      const id = request.lastEventId && Buffer.from(request.lastEventId).toString("latin1");
      return send("GET", request, {
        accept: "text/event-stream",
        ...(id !== undefined && { "last-event-id": id }),
      });
    },
    endSession: (request: UpstreamRequest) => send("DELETE", request, {}),
  };
}

/** Follows redirects that preserve method and body, within the server's origin. */
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
    // Don't read it: the server could drip data forever.
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

async function readRefusal(
  answer: HttpAnswer,
  token: AccessToken | undefined,
  { http, server }: { http: HttpClient; server: string },
): Promise<Refusal> {
  const { status, headers } = answer;
  // A refusal without its text is still a refusal.
  const text = await http.text(answer, maxErrorBytes).catch(() => "");
  return { kind: "refused", status, headers, text, token, location: findLocation(answer, server) };
}

interface Reading {
  drained: () => Promise<void>;
  /** For the characters of an unfinished event. Lines and chunks count more than their text. */
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

/** Reads a text/event-stream until it ends or breaks. The reader can't distinguish these. */
function readStream(
  body: Readable,
  { dispatch, silenceMs, lastEventId }: UpstreamRequest,
  { drained, budget }: Reading,
): Promise<Outcome> {
  const end: StreamEnd = { lastEventId, retryMs: undefined, events: 0 };
  let lastDataAt = performance.now();
  let isFull = false;
  let isTooLong = false;
  /** Memory since the last chunk in which an event ended. */
  let cost = 0;
  let last = "";
  const giveUp = () => {
    isTooLong = true;
    body.destroy();
  };
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      end.events += 1;
      // The id must be valid in a header, in UTF-8.
      if (id !== undefined && id.length <= maxIdLength && !/\p{Cc}/u.test(id)) end.lastEventId = id;
      if (data === "" || (event !== undefined && event !== "message")) return;
      lastDataAt = performance.now();
      const message = parseJson(data);
      if (message === undefined) {
        if (isTooComplex(data)) giveUp();
      } else if (!dispatch(message, data.replaceAll("\n", " "))) isFull = true;
    },
    onRetry: (ms) => {
      end.retryMs = ms;
    },
  });
  const share = budget.open(giveUp);
  return new Promise((resolve, reject) => {
    body.setEncoding("utf8");
    let isFirst = true;
    body.on("data", (text: string) => {
      // A blank line may span chunks.
      last += text;
      if (blankLine.test(last)) cost = 0;
      last = last.slice(-3);
      cost += text.length + partCost * (1 + (text.match(lineEnd)?.length ?? 0));
      share.set(cost);
      if (isTooLong) return;
      try {
        parser.feed(isFirst ? text.replace(/^\ufeff/, "") : text);
      } catch (error) {
        reject(new Error("An event could not be taken", { cause: error }));
        body.destroy();
      }
      isFirst = false;
      if (!isFull) return;
      isFull = false;
      body.pause();
      void drained().then(() => body.resume());
    });
    const finish = () => {
      share.release();
      // A silence time-out drops the connection and looks like any other drop.
      const timedOut = silenceMs > 0 && performance.now() - lastDataAt >= silenceMs - 50;
      resolve(isTooLong ? { kind: "tooLong" } : { kind: "ended", timedOut, ...end });
    };
    body.once("end", finish).once("error", finish).once("close", finish);
  });
}

function readJsonBody(body: Buffer, { dispatch }: UpstreamRequest): Outcome {
  const bytes = withoutMark(body);
  const text = bytes.toString("utf8");
  const message = parseJson(text);
  if (message === undefined) {
    return isTooComplex(text) ? { kind: "tooLong" } : { kind: "accepted", detail: "it is no JSON" };
  }
  // Invalid UTF-8 could crash a host.
  const raw = isUtf8(bytes) ? bytes : Buffer.from(text);
  // JSON strings always escape them.
  for (const byte of lineBreaks) {
    for (let at = raw.indexOf(byte); at >= 0; at = raw.indexOf(byte, at + 1)) raw[at] = space;
  }
  dispatch(message, raw);
  return { kind: "accepted", detail: findDetail(message) };
}
