import type { FastifyReply, FastifyRequest } from "fastify";

export const securityAddress = "/settings/security";

/** Why somebody is asked to set up a second factor, and where they go on with one. */
export interface SecondFactorLead {
  why: "admin" | "destructive";
  returnTo: string;
}

/** What was typed into a form that needs a second factor first, and the address of the form. */
export interface TypedForm {
  address: string;
  body: unknown;
}

export function keepTyped({ session, url: address, body }: FastifyRequest): void {
  session.typed = { address, body };
}

/** What was typed into the form at this address before its sender was led away; once. */
export function takeTyped({ session, url: address }: FastifyRequest): unknown {
  if (session.typed?.address !== address) return undefined;
  const { body } = session.typed;
  delete session.typed;
  return body;
}

/** Leads to set-up instead of the page that was asked for, which is kept for afterwards. */
export function leadToSecondFactor(
  request: FastifyRequest,
  reply: FastifyReply,
  why: SecondFactorLead["why"],
  returnTo = request.method === "GET" ? request.url : "/",
): FastifyReply {
  request.session.secondFactorFor = { why, returnTo };
  return reply.redirect(securityAddress, 303);
}
