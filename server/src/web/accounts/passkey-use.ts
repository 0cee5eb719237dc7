import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AccountPerson } from "../../domain/accounts/accounts.js";
import { commit } from "../../domain/history/transactions.js";
import { createChallenge, isOpen, type Challenge } from "../../domain/accounts/challenges.js";
import {
  createSignInOptions,
  usePasskey,
  type RelyingParty,
} from "../../domain/accounts/passkeys.js";

/** The options for the browser's passkey request. Only this browser can answer the challenge. */
export function askForPasskey(
  request: FastifyRequest,
  relyingParty: RelyingParty,
  purpose: Challenge["purpose"],
): Promise<object> {
  const challenge = createChallenge(purpose);
  request.session.challenge = challenge;
  return createSignInOptions(relyingParty, challenge);
}

/**
 * Returns the person whose passkey answered. Undefined if none did or the challenge is no longer
 * open.
 */
export async function takePasskeyAnswer(
  { app, request }: { app: FastifyInstance; request: FastifyRequest },
  relyingParty: RelyingParty,
  purpose: Challenge["purpose"],
  response = "",
): Promise<AccountPerson | undefined> {
  const { challenge } = request.session;
  delete request.session.challenge;
  if (!isOpen(challenge, purpose)) return undefined;
  return commit({ db: request.db, caller: null }, (tx) =>
    usePasskey(tx, app.services.secondFactors, { relyingParty, response, challenge }),
  );
}
