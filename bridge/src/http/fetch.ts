import { BridgeError } from "../common/errors.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import { quote } from "../common/text.js";
import { type HttpClient, HttpFailure, type HttpRequest } from "./http-client.js";

const silenceMs = 30_000;
/** A server that drips is never silent. */
const defaultMaxDurationMs = 45_000;
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for the client package, over our own connections. The person's extra headers go to the
 * origin of the MCP server only. Redirects are not followed.
 */
export function createFetch(
  http: HttpClient,
  settings: Settings,
  { maxDurationMs = defaultMaxDurationMs } = {},
): typeof fetch {
  const server = new URL(settings.server);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    refuseStrange(url, server);
    const request = new Request(input, init);
    if (url.origin === server.origin) {
      for (const [name, value] of settings.headers) request.headers.append(name, value);
    }
    const { method, signal } = request;
    const limit = AbortSignal.timeout(maxDurationMs);
    try {
      const answer = await http.request(url.href, {
        method: method as HttpRequest["method"],
        headers: Object.fromEntries(request.headers),
        silenceMs,
        signal: AbortSignal.any([limit, signal]),
        ...(request.body !== null && { body: await request.text() }),
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

function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) result.append(name, one);
  }
  return result;
}
