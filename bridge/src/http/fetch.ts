import { BridgeError } from "../common/errors.js";
import { unsafeUrlReason } from "../common/server-address.js";
import type { Settings } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { HttpClient, HttpRequest } from "./http-client.js";

const silenceMs = 30_000;
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for the client package, over our own connections. The person's extra headers go to the
 * origin of the MCP server only. Redirects are not followed. All that one function is asked for takes
 * no longer than the time-out: a server that drips is never silent, and one can name many addresses.
 */
export function createFetch(http: HttpClient, settings: Settings): typeof fetch {
  const server = new URL(settings.server);
  const limit = AbortSignal.timeout(settings.timeoutMs);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    refuseStrange(url, server);
    const request = new Request(input, init);
    if (url.origin === server.origin) {
      for (const [name, value] of settings.headers) request.headers.append(name, value);
    }
    const { method, signal } = request;
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
    } catch (cause) {
      if (!limit.aborted) throw cause;
      throw tooLate(`${url.host} did not answer within ${settings.timeoutMs / 1000} s`, cause);
    }
  };
}

function tooLate(reason: string, cause: unknown): TypeError {
  const message = `Signing in is not possible now: ${reason}. Try again later.`;
  return new TypeError(reason, {
    cause: new BridgeError("server_unreachable", message, { cause }),
  });
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
