import type { Socket } from "node:net";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

type Listeners = (() => void)[];

/** Kept at what they are about: a request makes several, and maps of those cost the collector of garbage much. */
const listenersOf = Symbol("listeners");
interface Closing {
  [listenersOf]: Listeners | undefined;
}

/**
 * Calls once when the answer was sent, or nobody waits for it any more. One that queues behind others
 * on its connection is not told by its own events that the connection broke.
 */
export function whenOver({ raw, request }: FastifyReply, listener: () => void): void {
  const { socket } = request.raw;
  if (raw.closed || socket.destroyed) listener();
  else ((raw as unknown as Closing)[listenersOf] ??= watchAnswer(raw, socket)).push(listener);
}

function watchAnswer(raw: ServerResponse, socket: Socket): Listeners {
  const listeners: Listeners = [];
  const answers = ((socket as unknown as Closing)[listenersOf] ??= callAtClose(socket, []));
  const end = () => {
    const index = answers.indexOf(end);
    if (index === -1) return;
    answers.splice(index, 1);
    for (const listener of listeners) listener();
  };
  answers.push(end);
  raw.on("close", end);
  return listeners;
}

/** One listener for each connection, however many answers wait for its end. */
function callAtClose(socket: Socket, listeners: Listeners): Listeners {
  socket.once("close", () => {
    for (const listener of [...listeners]) listener();
  });
  return listeners;
}
