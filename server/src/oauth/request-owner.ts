import type { FastifyRequest } from "fastify";
import type { RequestOwner } from "../domain/oauth/authorizations.js";
import { hashSecret } from "../domain/shared/secrets.js";

/** Binds an authorization request to its person and browser session. */
export function ownerOf(request: FastifyRequest, person: { id: string }): RequestOwner {
  return { user_id: person.id, session_hash: hashSecret(request.session.sessionId) };
}
