import type { FastifyInstance, FastifyRequest } from "fastify";
import { moveSession } from "../../domain/accounts/sessions.js";
import type { AccountPerson, KnownPerson } from "../../domain/accounts/accounts.js";
import type { SecondFactor, SignInProof } from "../../domain/shared/sign-in-proof.js";
import { commit } from "../../domain/history/transactions.js";
import { requiresSso } from "../../domain/accounts/sso-required.js";
import { bindSubject, type ProviderSubject } from "../../domain/accounts/provider-sign-ins.js";
import { createSecret } from "../../domain/shared/secrets.js";
import { AppError } from "../../errors.js";
import { endOthersPush } from "../layout/push-cookie.js";
import { flash } from "../layout/reply.js";

/**
 * Completes every kind of sign-in. A sign-in by password counts only if that password is still
 * current.
 */
export async function completeSignIn(
  app: FastifyInstance,
  request: FastifyRequest,
  person: AccountPerson & Partial<Pick<KnownPerson, "passwordChangedAt">>,
  proof: SignInProof,
): Promise<void> {
  // The forms already redirect to the provider. This covers changes in between.
  if (proof.method !== "provider" && (await requiresSso(request.db, person.id))) {
    throw new AppError("forbidden", "sso_required");
  }
  const guess = [request.ip, person.email] as const;
  const { signInThrottle: throttle } = app.services;
  const { method, factor } = proof;
  // Sign-ins by passkey or provider are not counted as attempts.
  if (factor === undefined && method === "password") await throttle.takeBack("password", ...guess);
  if (factor !== undefined && factor !== "passkey") await throttle.takeBack("factor", ...guess);
  await Promise.all([throttle.forget("password", ...guess), throttle.forget("factor", ...guess)]);
  await throttle.complete(...guess);
  await startSession(request, person.id, proof);
  request.session.passwordChangedAt = person.passwordChangedAt?.getTime();
}

/** Binds the identity provider's subject to the account and completes the sign-in. */
export async function completeProviderSignIn(
  app: FastifyInstance,
  request: FastifyRequest,
  person: AccountPerson,
  { subject, factor }: { subject: ProviderSubject; factor?: SecondFactor },
): Promise<void> {
  const { organizationId, multiFactor } = subject;
  await app.services.anonymousQueue(organizationId, () =>
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

/** Signs a person in with a new session id and new CSRF tokens. */
export async function startSession(
  request: FastifyRequest,
  userId: string,
  proof: SignInProof = { method: "password" },
): Promise<void> {
  await endOthersPush(request, userId);
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
  // Created here. Otherwise each concurrent page request would create one, and only the last would
  // count.
  request.session._csrf = createSecret();
  request.session.signedInBy = proof;
  request.session.origin = request.activityOrigin();
  if (returnTo !== undefined) request.session.returnTo = returnTo;
  if (invitation !== undefined) request.session.invitation = invitation;
  if (signedOutForm === undefined) return;
  request.session.signedOutForm = signedOutForm;
  if (signedOutForm !== "") request.session.organizationId = signedOutForm;
}

/**
 * Continues under a new session id after the person's sign-in methods changed. `added` is a new
 * factor.
 */
export async function renewSession(
  request: FastifyRequest,
  userId: string,
  added?: SecondFactor,
): Promise<void> {
  const { session } = request;
  const { signedInBy, organizationId, confirmedAt, secondFactorFor, typed, sessionId } = session;
  const proof: SignInProof = signedInBy ?? { method: "password" };
  request.newSessionId = createSecret();
  // The session row always exists. Ending all of the person's sessions at this moment ends this one
  // too.
  await moveSession(request.db, sessionId, request.newSessionId);
  await changeSession(request, userId, added === undefined ? proof : { ...proof, factor: added });
  request.session.stored = true;
  if (organizationId !== undefined) request.session.organizationId = organizationId;
  if (confirmedAt !== undefined) request.session.confirmedAt = confirmedAt;
  if (secondFactorFor !== undefined) request.session.secondFactorFor = secondFactorFor;
  if (typed !== undefined) request.session.typed = typed;
}

/** Signs out and deletes the session's row with everything in it. */
export async function endSession(request: FastifyRequest, message: string): Promise<void> {
  await request.session.regenerate();
  flash(request, message);
}
