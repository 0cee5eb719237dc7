import type { IncomingHttpHeaders } from "node:http";
import { isRecord, parseJson } from "../../common/json.js";
import { type Message, type RawMessage } from "../requests/message.js";
import type { Outcome, Upstream, UpstreamRequest } from "../upstream/upstream.js";

export interface SessionAnswer {
  message: Message;
  raw: RawMessage;
}

/** What became of `initialize`: the server's answer, or what came instead. */
export type Handshake =
  { answer: SessionAnswer; head: IncomingHttpHeaders } | { answer: undefined; outcome: Outcome };

/** Ends with the answer, even where the server leaves its stream open. */
export async function postInitialize(
  upstream: Upstream,
  line: RawMessage,
  { id }: Message,
  request: UpstreamRequest,
): Promise<Handshake> {
  let head: IncomingHttpHeaders = {};
  const isAnswer = (message: unknown): message is Message =>
    isRecord(message) && message["id"] === id && message["method"] === undefined;
  return new Promise((resolve, reject) => {
    const posted = upstream.post(line, {
      ...request,
      onHead: (headers) => {
        head = headers;
      },
      dispatch: (message, raw) => {
        if (!isAnswer(message)) return request.dispatch(message, raw);
        resolve({ answer: { message, raw }, head });
        return true;
      },
    });
    posted.then((outcome) => {
      const message = outcome.kind === "refused" ? parseJson(outcome.text) : undefined;
      if (!isAnswer(message)) resolve({ answer: undefined, outcome });
      else resolve({ answer: { message, raw: JSON.stringify(message) }, head });
    }, reject);
  });
}

/** Some servers refuse a message that needs no answer, and serve the rest all the same. */
export function isAccepted(outcome: Outcome): boolean {
  if (outcome.kind === "refused") return outcome.status !== 401;
  return outcome.kind === "accepted" || outcome.kind === "ended";
}
