import { parseJson, toRecord, toText } from "../common/json.js";
import { extraHeaders } from "../common/settings.js";
import type { Context } from "../context/context.js";
import type { HttpAnswer } from "../http/http-client.js";
import { postMessage } from "../http/mcp-request.js";

export interface InitializeAnswer extends Pick<HttpAnswer, "status" | "headers"> {
  /** Of the server's own name and version, when the answer is what `initialize` promises. */
  serverInfo: { name: string; version: string } | undefined;
}

const silenceMs = 15_000;

/** Opens a session as a client does, with or without a token, and ends it at once. */
export async function sendInitialize(context: Context, token?: string): Promise<InitializeAnswer> {
  const { http, settings } = context;
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "fettle-bridge doctor", version: "1" },
  };
  const answer = await postMessage(
    context,
    { method: "initialize", params },
    // A stream that drips is never silent.
    { headers, silenceMs, signal: AbortSignal.timeout(silenceMs) },
  );
  const text = await http.text(answer);
  const session = answer.headers["mcp-session-id"];
  if (typeof session === "string") {
    const ended = await http.request(settings.server, {
      method: "DELETE",
      headers: { ...extraHeaders(settings), ...headers, "mcp-session-id": session },
      silenceMs,
    });
    ended.body.destroy();
  }
  return { status: answer.status, headers: answer.headers, serverInfo: findServerInfo(text) };
}

/** From a JSON answer, or from the first event of a stream. */
function findServerInfo(text: string): InitializeAnswer["serverInfo"] {
  const json = /^data: ?(.*)$/m.exec(text)?.[1] ?? text;
  const { name, version } = toRecord(toRecord(toRecord(parseJson(json))["result"])["serverInfo"]);
  return typeof name === "string" ? { name, version: toText(version) } : undefined;
}
