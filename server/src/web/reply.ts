import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { renderPage, type PageProps } from "./layout.js";

/** Sends a page; `reply.code` before it where it is not 200. */
export function sendPage(reply: FastifyReply, page: VNode): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(renderPage(page));
}

export type Frame = Pick<PageProps, "person" | "csrfToken" | "message">;

/** What the frame of a page with navigation shows: the person, and what just happened. */
export function frameOf(request: FastifyRequest, reply: FastifyReply): Frame {
  const message = takeMessage(request);
  return {
    person: request.person,
    csrfToken: reply.generateCsrf(),
    ...(message !== undefined && { message }),
  };
}

/** What just happened, once. */
export function takeMessage({ session }: FastifyRequest): string | undefined {
  const told = session.message;
  const message = typeof told === "string" ? told : told?.text;
  delete session.message;
  return message;
}
