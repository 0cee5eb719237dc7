import { BridgeError } from "../common/errors.js";
import { quote } from "../common/text.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import { HttpFailure, type HttpClient } from "./http-client.js";

const silenceMs = 30_000;
/** A server that drips is never silent. */
const defaultMaxDurationMs = 45_000;
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for the client package, over our own connections. The person's extra headers go to the
 * origin of the MCP server only. Bodies are texts or forms; redirects are not followed.
 */
export function createFetch(
  http: HttpClient,
  settings: Settings,
  { maxDurationMs = defaultMaxDurationMs } = {},
): typeof fetch {
  const server = new URL(settings.server);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    refuseStrange(url, server);
    const headers = toRequestHeaders(init);
    if (url.origin === server.origin) {
      for (const [name, value] of settings.headers) headers.append(name, value);
    }
    const body = toText(init.body);
    const limit = AbortSignal.timeout(maxDurationMs);
    try {
      const answer = await http.request(url.href, {
        method: toMethod(init.method),
        headers: Object.fromEntries(headers),
        silenceMs,
        signal: init.signal ? AbortSignal.any([limit, init.signal]) : limit,
        ...(body !== undefined && { body }),
      });
      const text = await http.text(answer);
      return new Response(bodiless.has(answer.status) ? null : text, {
        status: answer.status,
        headers: toHeaders(answer.headers),
      });
    } catch (error) {
      if (!limit.aborted || !(error instanceof HttpFailure)) throw error;
      const { notSent, cause } = error;
      const message = `${url.host} did not answer in time`;
      throw new HttpFailure(message, { notSent, timedOut: true, cause });
    }
  };
}

/** With a TypeError, as any `fetch`: the client package takes other failures for "not there". */
function refuseStrange(url: URL, server: URL): void {
  const reason = unsafeUrlReason(url, server);
  if (reason === undefined) return;
  const message = `The server names ${quote(url.origin)}, which ${reason}. Nothing was sent there.`;
  throw new TypeError(message, { cause: new BridgeError("sign_in_failed", message) });
}

function toRequestHeaders({ headers, body }: RequestInit): Headers {
  const result = new Headers(headers);
  if (body instanceof URLSearchParams && !result.has("content-type")) {
    result.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  }
  return result;
}

function toMethod(method = "GET"): "GET" | "POST" | "DELETE" {
  const upper = method.toUpperCase();
  if (upper === "GET" || upper === "POST" || upper === "DELETE") return upper;
  throw new TypeError(`${upper} requests are not made here.`);
}

function toText(body: BodyInit | null | undefined): string | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("Only texts and forms are sent here.");
}

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) result.append(name, one);
  }
  return result;
}
