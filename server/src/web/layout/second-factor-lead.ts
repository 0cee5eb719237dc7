import type { FastifyReply, FastifyRequest } from "fastify";

export const securityAddress = "/settings/security";

/** Why somebody is asked to set up a second factor, and where they go on with one. */
export interface SecondFactorLead {
  why: "admin" | "destructive";
  returnTo: string;
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
