import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";

type Closing = Socket | ServerResponse;

const waiting = new WeakMap<Closing, Set<() => void>>();

/**
 * Calls once when the answer was sent, or nobody waits for it any more. One that queues behind others
 * on its connection is not told by its own events that the connection broke.
 */
export function whenOver({ raw, request }: FastifyReply, listener: () => void): void {
  const { socket } = request.raw;
  if (raw.closed || socket.destroyed) {
    listener();
    return;
  }
  const both = [endsOf(socket), endsOf(raw)];
  const end = () => {
    const isFirst = both.map((ends) => ends.delete(end)).includes(true);
    if (isFirst) listener();
  };
  for (const ends of both) ends.add(end);
}

/** One listener for each connection and each answer, however many wait for its end. */
function endsOf(closing: Closing): Set<() => void> {
  const known = waiting.get(closing);
  if (known !== undefined) return known;
  const ends = new Set<() => void>();
  waiting.set(closing, ends);
  closing.once("close", () => {
    for (const end of [...ends]) end();
  });
  return ends;
}
