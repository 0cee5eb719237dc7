import type { IncomingHttpHeaders } from "node:http";
import { isRecord, type Message, parseJson, type Raw } from "./message.js";
import type { Outcome, Sending, Upstream } from "./upstream.js";

export interface SessionAnswer {
  message: Message;
  raw: Raw;
}

/** What became of `initialize`: the server's answer, or what came instead. */
export type Handshake =
  { answer: SessionAnswer; head: IncomingHttpHeaders } | { answer: undefined; outcome: Outcome };

/** Ends with the answer, even where the server leaves its stream open. */
export async function postInitialize(
  upstream: Upstream,
  line: Raw,
  { id }: Message,
  sending: Sending,
): Promise<Handshake> {
  let head: IncomingHttpHeaders = {};
  const isAnswer = (message: unknown): message is Message =>
    isRecord(message) && message["id"] === id && message["method"] === undefined;
  return new Promise((resolve, reject) => {
    const posted = upstream.post(line, {
      ...sending,
      onHead: (headers) => {
        head = headers;
      },
      take: (message, raw) => {
        if (!isAnswer(message)) return sending.take(message, raw);
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
export function isTaken(outcome: Outcome): boolean {
  if (outcome.kind === "refused") return outcome.status !== 401;
  return outcome.kind === "accepted" || outcome.kind === "ended";
}
