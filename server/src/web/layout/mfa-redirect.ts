import type { FastifyReply, FastifyRequest } from "fastify";

export const securityAddress = "/settings/security";

/** The reason that the person needs a second factor, and the page to return to. */
export interface SecondFactorLead {
  why: "admin" | "destructive";
  returnTo: string;
}

/** Redirects to the set-up and stores the requested page for afterwards. */
export function redirectToMfaSetup(
  request: FastifyRequest,
  reply: FastifyReply,
  why: SecondFactorLead["why"],
  returnTo = request.method === "GET" ? request.url : "/",
): FastifyReply {
  request.session.secondFactorFor = { why, returnTo };
  return reply.redirect(securityAddress, 303);
}
