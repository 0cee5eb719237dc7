import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectToMfaSetup } from "../../layout/mfa-redirect.js";

/**
 * Owners and admins need the second factor that their organization requires before they can use the
 * settings.
 */
export async function leadAdminsToSecondFactor(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (request.caller?.lacksSecondFactor !== true) return undefined;
  return redirectToMfaSetup(request, reply, "admin");
}
