import type { FastifyReply, FastifyRequest } from "fastify";

export const securityAddress = "/settings/security";

/** Why somebody is asked to set up a second factor, and where they go on with one. */
export interface SecondFactorLead {
  why: "admin" | "destructive";
  returnTo: string;
}

/** What was typed into a form that needs a second factor first, and which form that is. */
export interface TypedForm {
  address: string;
  organizationId: string | undefined;
  body: unknown;
}

/** As JSON. It is read with every request of the session, and forms that take files can be far longer. */
const maxTyped = 65_536;

/**
 * False where it is too long to be kept. Its organization is the one to go on with, whichever was
 * looked at meanwhile.
 */
export function keepTyped({ session, url: address, caller, body }: FastifyRequest): boolean {
  const organizationId = caller?.organizationId;
  if (organizationId !== undefined) session.organizationId = organizationId;
  delete session.typed;
  if (Buffer.byteLength(JSON.stringify(body)) > maxTyped) return false;
  session.typed = { address, organizationId, body };
  return true;
}

/** What was typed into this form before its sender was led away; once. */
export function takeTyped({ session, url: address, caller }: FastifyRequest): unknown {
  const { typed } = session;
  if (typed?.address !== address || typed.organizationId !== caller?.organizationId) {
    return undefined;
  }
  const { body } = typed;
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
