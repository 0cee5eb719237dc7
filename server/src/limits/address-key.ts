import { normalizeIP } from "@fastify/rate-limit";

/** What providers give to one customer (RFC 6177): all its addresses count as one. */
export const ipv6Bits = 56;

/** By what limits count an address. */
export function toAddressKey(ipAddress: string): string {
  return normalizeIP(ipAddress, ipv6Bits);
}
