import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  findActivePerson,
  findPersonWithPassword,
  type AccountPerson,
  type KnownPerson,
} from "../../domain/accounts/accounts.js";
import { ageOf } from "../../domain/shared/age.js";
import type { SecondFactor } from "../../domain/shared/sign-in-proof.js";
import type { ProviderSubject } from "../../domain/accounts/provider-sign-ins.js";
import { completeProviderSignIn, completeSignIn } from "./sessions.js";

/** The time limit for the second factor after a correct password. */
const lifeMs = 10 * 60_000;

/** Remembers a correct password in this browser's session. Signs no one in. */
export function keepPendingSignIn(
  { session }: FastifyRequest,
  { id: userId, passwordChangedAt }: KnownPerson,
): void {
  session.pendingSignIn = {
    userId,
    passwordChangedAt: passwordChangedAt.getTime(),
    startedAt: Date.now(),
  };
}

/** Remembers the provider's subject in this browser's session. Signs no one in. */
export function keepPendingSubject(
  { session }: FastifyRequest,
  { id: userId }: AccountPerson,
  subject: ProviderSubject,
): void {
  session.pendingSignIn = { userId, subject, startedAt: Date.now() };
}

export async function completePendingSignIn(
  app: FastifyInstance,
  request: FastifyRequest,
  person: AccountPerson,
  factor: SecondFactor,
): Promise<void> {
  const { subject, passwordChangedAt: changedAt = 0 } = request.session.pendingSignIn ?? {};
  if (subject === undefined) {
    const known = { ...person, passwordChangedAt: new Date(changedAt) };
    await completeSignIn(app, request, known, { method: "password", factor });
  } else {
    await completeProviderSignIn(app, request, person, { subject, factor });
  }
}

/**
 * Returns the person of the pending sign-in. Undefined if it is too old or the password changed.
 */
export async function findPendingSignIn({
  session: { pendingSignIn: pending },
  db,
}: FastifyRequest): Promise<AccountPerson | undefined> {
  if (pending === undefined || ageOf(pending.startedAt) > lifeMs) return undefined;
  if (pending.subject !== undefined) return findActivePerson(db, pending.userId);
  const changedAt = new Date(pending.passwordChangedAt ?? 0);
  return findPersonWithPassword(db, pending.userId, changedAt);
}
