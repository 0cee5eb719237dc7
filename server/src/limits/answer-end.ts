import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";

const waiting = new WeakMap<Socket, Set<() => void>>();

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
  const ends = endsOf(socket);
  const end = () => {
    if (ends.delete(end)) listener();
  };
  ends.add(end);
  raw.once("close", end);
}

/** One listener for each connection, however many answers it carries. */
function endsOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known !== undefined) return known;
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once("close", () => {
    for (const end of ends) end();
  });
  return ends;
}
