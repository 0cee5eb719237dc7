import type { FastifyRequest } from "fastify";
import {
  findPersonWithPassword,
  type AccountPerson,
  type KnownPerson,
} from "../../domain/accounts/accounts.js";

export const secondFactorAddress = "/signin/second-factor";
export const passkeyAddress = "/signin/passkey";

/** How long somebody whose password was right may look for the second factor. */
const lifeMs = 10 * 60_000;

/** Keeps whose password was right, in this browser alone. Nobody is signed in by it. */
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

/** Who is about to sign in; undefined when that was too long ago, or the password is another one now. */
export async function findPendingSignIn({
  session: { pendingSignIn: pending },
  db,
}: FastifyRequest): Promise<AccountPerson | undefined> {
  if (pending === undefined || Date.now() - pending.startedAt > lifeMs) return undefined;
  const changedAt = new Date(pending.passwordChangedAt);
  return findPersonWithPassword(db.manager, pending.userId, changedAt);
}

/** An address of the sign-in, with the kept address to go on to. */
export function withNext(address: string, next: string): string {
  return next === "" ? address : `${address}?${new URLSearchParams({ next }).toString()}`;
}
