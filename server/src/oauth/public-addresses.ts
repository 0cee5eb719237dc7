import ipaddr from "ipaddr.js";

/** Public by their range, but answered by the cloud around the server: Azure, Equinix Metal. */
const ofClouds = new Set(["168.63.129.16", "192.80.8.124"]);

/**
 * Whether an address is one of the public Internet: no network of ours or of a cloud, no multicast,
 * and none that leads to another address by translation (NAT64, 6to4, IPv4 within IPv6).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || ofClouds.has(parsed.toString())) return false;
  // RFC 4291 §2.4: what is given out; elsewhere lie, say, IPv4-compatible addresses.
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}
