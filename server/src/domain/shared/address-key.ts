import { normalizeIP } from "@fastify/rate-limit";

/** Usual IPv6 allocation per customer (RFC 6177). All its addresses count as one. */
const ipv6Bits = 56;

/** Some proxies include the source port, which differs for each connection. */
const withPort = /^(?:\[(.+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

export function toAddressKey(ipAddress: string): string {
  const [, ipv6, ipv4] = withPort.exec(ipAddress) ?? [];
  return normalizeIP(ipv6 ?? ipv4 ?? ipAddress, ipv6Bits);
}
