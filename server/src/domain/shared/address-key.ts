import { normalizeIP } from "@fastify/rate-limit";

/** What providers give to one customer (RFC 6177): all its addresses count as one. */
const ipv6Bits = 56;

/** Some proxies name the port that an address came from, which is another one for each connection. */
const withPort = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** By what limits count an address. */
export function toAddressKey(ipAddress: string): string {
  const [, ipv6, ipv4] = withPort.exec(ipAddress) ?? [];
  return normalizeIP(ipv6 ?? ipv4 ?? ipAddress, ipv6Bits);
}
