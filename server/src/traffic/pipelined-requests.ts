import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { limitRefusals } from "../metrics.js";
import { slots } from "./bounds.js";

/**
 * Closes a connection with too many unanswered requests. Node continues to read, and a thousand
 * requests that arrive together would start before anyone else's.
 */
export function boundPipelining(listener: RequestListener): RequestListener {
  const open = Symbol("open");
  return (request, response) => {
    const socket: Socket & { [open]?: number } = request.socket;
    // Requests read together with the excess one still arrive after the connection is closed.
    if (socket.destroyed) return;
    const count = (socket[open] ?? 0) + 1;
    if (count > slots.requestsOfConnection.most) {
      limitRefusals.inc({ limit: "pipelined" });
      socket.destroy();
      return;
    }
    socket[open] = count;
    response.on("close", () => {
      socket[open] = (socket[open] ?? 1) - 1;
    });
    listener(request, response);
  };
}
