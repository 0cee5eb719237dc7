import type { Settings } from "../settings.js";
import type { HttpClient } from "./http-client.js";

const silenceMs = 30_000;
const bodiless = new Set([204, 205, 304]);

/**
 * `fetch` for the client package, over our own connections. The person's extra headers go to the
 * origin of the MCP server only. Bodies are texts or forms; redirects are not followed.
 */
export function createFetch(http: HttpClient, settings: Settings): typeof fetch {
  const own = new URL(settings.server).origin;
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = new Headers(init.headers);
    if (new URL(url).origin === own) {
      for (const [name, value] of settings.headers) headers.append(name, value);
    }
    const body = toText(init.body);
    if (init.body instanceof URLSearchParams && !headers.has("content-type")) {
      headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
    }
    const answer = await http.request(url, {
      method: toMethod(init.method),
      headers: Object.fromEntries(headers),
      silenceMs,
      ...(body !== undefined && { body }),
      ...(init.signal && { signal: init.signal }),
    });
    const text = await http.text(answer);
    return new Response(bodiless.has(answer.status) ? null : text, {
      status: answer.status,
      headers: toHeaders(answer.headers),
    });
  };
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
