import type { Socket } from "node:net";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

type Listeners = (() => void)[];

/**
 * Stored as a property. Each request has several, and maps of them burden the garbage collector.
 */
const listenersOf = Symbol("listeners");
interface Closing {
  [listenersOf]: Listeners | undefined;
}

/**
 * Calls the listener once when the response is sent or its client has disconnected. A response
 * queued behind others on its connection gets no event when the connection breaks.
 */
export function onResponseClosed({ raw, request }: FastifyReply, listener: () => void): void {
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

/** Adds one listener per connection, however many responses wait for its end. */
function callAtClose(socket: Socket, listeners: Listeners): Listeners {
  socket.once("close", () => {
    for (const listener of [...listeners]) listener();
  });
  return listeners;
}
