import ipaddr from "ipaddr.js";
import type { DocumentNetwork } from "./read-document.js";

/** Cloud metadata services return credentials to any request from inside. */
const cloudMetadata = ["169.254.169.254", "100.100.100.200", "168.63.129.16", "fd00:ec2::254"];

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses a network in CIDR notation or one address. */
export function parseNetwork(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/**
 * Also allows networks listed by an operator, for identity providers and webhooks. A wide network
 * includes neither this computer nor cloud metadata services. They must be listed explicitly.
 */
export function allowPrivateNetworks(
  network: DocumentNetwork,
  networks: readonly string[],
): DocumentNetwork {
  const ranges = networks.map(parseNetwork).filter((range) => range !== undefined);
  return {
    ...network,
    isAllowed: (address) =>
      network.isAllowed(address) || ranges.some((range) => includes(range, address)),
  };
}

function includes(range: Range, text: string): boolean {
  const [base, bits] = range;
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.kind() !== base.kind() || !address.match(range)) return false;
  if (cloudMetadata.includes(address.toString())) {
    return bits === (address.kind() === "ipv4" ? 32 : 128);
  }
  if (address.range() === "loopback") return base.range() === "loopback" && bits >= 8;
  return address.range() !== "multicast";
}
