import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import http from "node:http";
import https from "node:https";
import { hasCode } from "../common/errors.js";
import type { Settings } from "../common/settings.js";
import { createAgents, type Route } from "./agents.js";

export interface HttpRequest {
  method: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /**
   * Longest wait for a whole answer, and in an event stream for its head and each of its parts. 0 is
   * no limit, of what turns out to be an event stream.
   */
  silenceMs: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Must be read to its end or destroyed. */
  body: IncomingMessage;
}

/** Keep-alive connections to the server, through the proxy and with the CAs of the settings. */
export interface HttpClient {
  /** Resolves at the head of the answer. Redirects are not followed. Rejects with HttpFailure. */
  request: (url: string, request: HttpRequest) => Promise<HttpAnswer>;
  /** Reads a whole answer as text; more than `limit` bytes is an HttpFailure. */
  text: (answer: HttpAnswer, limit?: number) => Promise<string>;
  close: () => void;
}

/** A request without an answer. */
export class HttpFailure extends Error {
  /** Nothing of the request reached the server, so it can be sent again without doubt. */
  readonly notSent: boolean;
  readonly timedOut: boolean;

  constructor(
    message: string,
    { notSent, timedOut, cause }: { notSent: boolean; timedOut: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.name = "HttpFailure";
    this.notSent = notSent;
    this.timedOut = timedOut;
  }
}

/** Time to reach the server: long enough for a slow network, short enough to try again. */
const connectMs = 10_000;
const defaultTextLimit = 1024 * 1024;

export function createHttpClient(settings: Settings): HttpClient {
  const agents = createAgents(settings);
  return {
    request: async (url, request) =>
      send(new URL(url), request, await agents.of(new URL(url)), settings.timeoutMs),
    text: readText,
    close: agents.close,
  };
}

/** In lower case, without its parameters. */
export function mediaTypeOf(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function send(
  url: URL,
  request: HttpRequest,
  route: Route,
  timeoutMs: number,
): Promise<HttpAnswer> {
  const { method, headers = {}, body, signal, silenceMs } = request;
  return new Promise((resolve, reject) => {
    let sent = false;
    let answer: IncomingMessage | undefined;
    const toFailure = (message: string, cause?: Error) =>
      new HttpFailure(message, { notSent: !sent, timedOut: cause === undefined, cause });
    const fail = (cause: Error) => {
      reject(cause instanceof HttpFailure ? cause : toFailure(describe(cause, url), cause));
    };
    const giveUp = () => {
      (answer ?? outgoing).destroy(toFailure(`${url.host} did not answer in time`));
    };
    const { request: start } = url.protocol === "https:" ? https : http;
    let outgoing: ClientRequest;
    try {
      outgoing = start(url, {
        method,
        ...route,
        headers:
          body === undefined ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
        ...(signal !== undefined && { signal }),
      });
    } catch (cause) {
      // Node names the header at most, not what is in it.
      fail(cause as Error);
      return;
    }
    const connecting = setTimeout(giveUp, connectMs);
    let waiting = silenceMs > 0 ? setTimeout(giveUp, silenceMs) : undefined;
    whenConnected(outgoing, url.protocol, () => {
      sent = true;
      clearTimeout(connecting);
    });
    outgoing.once("response", (given) => {
      answer = given;
      if (mediaTypeOf(given.headers) !== "text/event-stream") {
        waiting ??= setTimeout(giveUp, timeoutMs);
      } else {
        clearTimeout(waiting);
        if (silenceMs > 0) limitSilence(outgoing, given, silenceMs, giveUp);
      }
      resolve({ status: given.statusCode ?? 0, headers: given.headers, body: given });
    });
    outgoing.on("error", fail);
    outgoing.once("close", () => {
      clearTimeout(connecting);
      clearTimeout(waiting);
      // As of a server that switches protocols.
      if (answer === undefined) fail(new Error("it gave no answer"));
    });
    outgoing.end(body);
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
function whenConnected(outgoing: ClientRequest, protocol: string, then: () => void): void {
  outgoing.once("socket", (socket) => {
    if (outgoing.reusedSocket) then();
    else if (protocol === "https:") socket.once("secureConnect", then);
    else if (socket.connecting) socket.once("connect", then);
    else then();
  });
}

/** In words, with the host only: addresses can hold what is nobody's business. */
function describe(error: NodeJS.ErrnoException, { host }: URL): string {
  if (hasCode(error, "ECONNREFUSED")) return `nothing answers at ${host}`;
  if (hasCode(error, "ENOTFOUND", "EAI_AGAIN")) return `the name ${host} cannot be resolved`;
  if (hasCode(error, "ECONNRESET", "EPIPE")) return `${host} ended the connection`;
  return `${host} cannot be reached (${error.code ?? error.message})`;
}

function readText({ body }: HttpAnswer, limit = defaultTextLimit): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (part: Buffer) => {
      size += part.length;
      if (size > limit) body.destroy(new Error("the answer is too long"));
      else chunks.push(part);
    });
    body.once("end", () => {
      resolve(Buffer.concat(chunks).toString("utf8"));
    });
    body.once("error", (error) => {
      if (error instanceof HttpFailure) reject(error);
      else
        reject(new HttpFailure(error.message, { notSent: false, timedOut: false, cause: error }));
    });
  });
}
