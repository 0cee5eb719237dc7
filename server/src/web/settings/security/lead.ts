import type { FastifyReply, FastifyRequest } from "fastify";
import { leadToSecondFactor } from "../../layout/second-factor-lead.js";

/** Owners and admins go on in the settings only with the second factor that their organization asks for. */
export async function leadAdminsToSecondFactor(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (request.caller?.lacksSecondFactor !== true) return undefined;
  return leadToSecondFactor(request, reply, "admin");
}
