import { extraHeaders, type Settings } from "../common/settings.js";
import {
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  isEventStream,
} from "./http-client.js";

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

const waitMs = 5_000;

/** Returns true if the server uses HTTP+SSE of revision 2024-11-05, which posts differently. */
export async function speaksLegacySse(
  { http, settings }: { http: HttpClient; settings: Settings },
  token?: string,
): Promise<boolean> {
  try {
    const { status, headers, body } = await http.request(settings.server, {
      method: "GET",
      headers: {
        ...extraHeaders(settings),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        accept: "text/event-stream",
      },
      silenceMs: waitMs,
    });
    const isStream = isEventStream(status, headers);
    const limit = setTimeout(() => body.destroy(), waitMs);
    let text = "";
    // The first event contains the post address.
    if (isStream) {
      for await (const part of body) {
        text += String(part);
        if (text.length > 1024 || text.includes("\n")) break;
      }
    }
    clearTimeout(limit);
    body.destroy();
    return /^event: ?endpoint/m.test(text);
  } catch {
    return false;
  }
}

export const legacySseProblem =
  "speaks only HTTP+SSE, the transport of 2024 that Streamable HTTP has replaced";
export const legacySseAdvice = "Ask who runs it for its Streamable HTTP address.";
