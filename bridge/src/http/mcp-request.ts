import { extraHeaders, type Settings } from "../common/settings.js";
import type { HttpAnswer, HttpClient, HttpRequest } from "./http-client.js";

/** Posts one message to the MCP address, before or beside a proxy. */
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
