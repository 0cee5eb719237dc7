import type { FastifyRequest } from "fastify";
import { createToken } from "../../domain/shared/ids.js";

/** The maximum number of concurrent sign-ins in a browser, each with its return address. */
const keptAtMost = 8;

/**
 * Stores an address for after the sign-in. Only its key is sent, so no one can redirect a person
 * elsewhere.
 */
export function keepReturn({ session }: FastifyRequest, address: string): string {
  const earlier = Object.entries(session.returnTo ?? {});
  const known = earlier.find(([, kept]) => kept === address);
  if (known !== undefined) return known[0];
  const key = createToken();
  session.returnTo = Object.fromEntries([...earlier.slice(1 - keptAtMost), [key, address]]);
  return key;
}

/** The return address of this sign-in, or the home page. Never an address from a form or link. */
export function returnAddress({ session }: FastifyRequest, next: string): string {
  const addresses = new Map(Object.entries(session.returnTo ?? {}));
  return addresses.get(next) ?? "/";
}
