import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import { AppError, retryAfterOf } from "../../errors.js";
import { renderPage, type Message, type PageProps } from "./layout.js";

/** Sends a page; `reply.code` before it where it is not 200. */
export function sendPage(reply: FastifyReply, page: VNode): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(renderPage(page));
}

/** Before the page of a form that was refused; whoever sends too many is told when to try again. */
export function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof AppError) || error.code !== "rate_limited") return reply.code(400);
  return reply.code(429).header("retry-after", retryAfterOf(error) ?? 60);
}

/** What the frame of a page with navigation shows. Spread it into `Page`. */
export type LayoutProps = Pick<
  PageProps,
  "person" | "csrfToken" | "message" | "organization" | "organizations" | "isAdmin"
>;

/** The person, the organization behind `requireMember`, and what just happened. */
export function layoutProps(request: FastifyRequest, reply: FastifyReply): LayoutProps {
  const message = takeFlash(request);
  const { caller } = request;
  return {
    person: request.person,
    csrfToken: reply.generateCsrf(),
    ...(caller !== null && {
      organization: { id: caller.organizationId, name: caller.organizationName },
      organizations: request.memberships,
      isAdmin: isOrganizationAdmin(caller),
    }),
    ...(message !== undefined && { message }),
  };
}

/** Who acts, on a page behind `requireMember`. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error("This page needs app.requireMember before it.");
  return caller;
}

/** Says what just happened on top of the next page, with a link to it. */
export function flash(
  { session }: FastifyRequest,
  text: string,
  to?: { href: string; label: string },
): void {
  session.message = to === undefined ? text : { text, to };
}

/** What just happened, once. */
export function takeFlash({ session }: FastifyRequest): Message | undefined {
  const { message } = session;
  delete session.message;
  return message;
}
