import type { FastifyInstance, FastifyRequest } from "fastify";
import { moveSession } from "../../domain/accounts/sessions.js";
import type { AccountPerson, KnownPerson } from "../../domain/accounts/accounts.js";
import type { SecondFactor, SignInProof } from "../../domain/shared/sign-in-proof.js";
import { commit } from "../../domain/history/transactions.js";
import { hasOnlyWay } from "../../domain/accounts/only-way.js";
import { bindSubject, type ProviderSubject } from "../../domain/accounts/provider-sign-ins.js";
import { createSecret } from "../../domain/shared/secrets.js";
import { AppError } from "../../errors.js";
import { flash } from "../layout/reply.js";

/**
 * The end of every way to sign in to an account: nothing more is asked for. Who did it by a password
 * is signed in only if that is still theirs.
 */
export async function completeSignIn(
  app: FastifyInstance,
  request: FastifyRequest,
  person: AccountPerson & Partial<Pick<KnownPerson, "passwordChangedAt">>,
  proof: SignInProof,
): Promise<void> {
  // The forms lead to the provider before; this is for what changes meanwhile.
  if (proof.method !== "provider" && (await hasOnlyWay(request.db, person.id))) {
    throw new AppError("forbidden", "only_way");
  }
  const guess = [request.ip, person.email] as const;
  const { signInThrottle: throttle } = app.services;
  const { method, factor } = proof;
  // A passkey and a provider are no try.
  if (factor === undefined && method === "password") await throttle.takeBack("password", ...guess);
  if (factor !== undefined && factor !== "passkey") await throttle.takeBack("factor", ...guess);
  await Promise.all([throttle.forget("password", ...guess), throttle.forget("factor", ...guess)]);
  await throttle.complete(...guess);
  await startSession(request, person.id, proof);
  request.session.passwordChangedAt = person.passwordChangedAt?.getTime();
}

/** The same for whom an identity provider means, which is bound to the account from now on. */
export async function completeProviderSignIn(
  app: FastifyInstance,
  request: FastifyRequest,
  person: AccountPerson,
  { subject, factor }: { subject: ProviderSubject; factor?: SecondFactor },
): Promise<void> {
  const { organizationId, multiFactor } = subject;
  await app.services.strangersTurns(organizationId, () =>
    commit({ db: request.db, caller: null, request }, (tx) =>
      bindSubject(
        tx,
        person,
        { ...subject, showsFactor: factor !== undefined },
        request.activityOrigin(),
      ),
    ),
  );
  await completeSignIn(app, request, person, {
    method: "provider",
    ...(factor !== undefined && { factor }),
    ...(multiFactor && { factorsOf: organizationId }),
  });
  request.session.organizationId = organizationId;
}

/** Signs a person in: from here on under a new session id, with new hidden tokens. */
export async function startSession(
  request: FastifyRequest,
  userId: string,
  proof: SignInProof = { method: "password" },
): Promise<void> {
  await changeSession(request, userId, proof);
  request.session.isSignIn = true;
}

async function changeSession(
  request: FastifyRequest,
  userId: string,
  proof: SignInProof,
): Promise<void> {
  const { returnTo, invitation, signedOutForm } = request.session;
  await request.session.regenerate();
  request.session.userId = userId;
  // Here, so that pages asked for at once do not each make one, of which the last would count.
  request.session._csrf = createSecret();
  request.session.signedInBy = proof;
  request.session.origin = request.activityOrigin();
  if (returnTo !== undefined) request.session.returnTo = returnTo;
  if (invitation !== undefined) request.session.invitation = invitation;
  if (signedOutForm === undefined) return;
  request.session.signedOutForm = signedOutForm;
  if (signedOutForm !== "") request.session.organizationId = signedOutForm;
}

/** Goes on under a new session id, after a change of how the person signs in; with a factor added by it. */
export async function renewSession(
  request: FastifyRequest,
  userId: string,
  added?: SecondFactor,
): Promise<void> {
  const { session } = request;
  const { signedInBy, organizationId, confirmedAt, secondFactorFor, typed, sessionId } = session;
  const proof: SignInProof = signedInBy ?? { method: "password" };
  request.newSessionId = createSecret();
  // It is never gone in between: who ends all sessions of the person at this moment ends this one too.
  await moveSession(request.db, sessionId, request.newSessionId);
  await changeSession(request, userId, added === undefined ? proof : { ...proof, factor: added });
  request.session.stored = true;
  if (organizationId !== undefined) request.session.organizationId = organizationId;
  if (confirmedAt !== undefined) request.session.confirmedAt = confirmedAt;
  if (secondFactorFor !== undefined) request.session.secondFactorFor = secondFactorFor;
  if (typed !== undefined) request.session.typed = typed;
}

/** Signs out: the session's row is gone, and with it what was kept in it. */
export async function endSession(request: FastifyRequest, message: string): Promise<void> {
  await request.session.regenerate();
  flash(request, message);
}
