import type { FastifyRequest } from "fastify";
import { createToken } from "../../domain/shared/ids.js";

/** How many sign-ins a browser may have open at the same time, each with its own way on. */
const keptAtMost = 8;

/** Keeps an address for after the sign-in; only its key travels, so nobody can send a person elsewhere. */
export function keepReturn({ session }: FastifyRequest, address: string): string {
  const earlier = Object.entries(session.returnTo ?? {});
  const known = earlier.find(([, kept]) => kept === address);
  if (known !== undefined) return known[0];
  const key = createToken();
  session.returnTo = Object.fromEntries([...earlier.slice(1 - keptAtMost), [key, address]]);
  return key;
}

/** The address kept for this sign-in, or the start page; never anything a form or a link says. */
export function returnAddress({ session }: FastifyRequest, next: string): string {
  const addresses = new Map(Object.entries(session.returnTo ?? {}));
  return addresses.get(next) ?? "/";
}
