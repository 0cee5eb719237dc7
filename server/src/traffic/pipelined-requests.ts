import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { limitRefusals } from "../metrics.js";
import { slots } from "./bounds.js";

/**
 * Ends a connection with too many requests that were not answered yet. Node reads on while they wait,
 * and a thousand that arrive together would all be begun before anybody else's.
 */
export function boundPipelining(listener: RequestListener): RequestListener {
  const open = Symbol("open");
  return (request, response) => {
    const socket: Socket & { [open]?: number } = request.socket;
    // What was read together with one too many is told here after the end.
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
