import { expect, test } from "vitest";
import { allowPrivateNetworks } from "../../server/src/oauth/private-networks.js";
import { publicNetwork } from "../../server/src/oauth/read-document.js";

const isAllowed = (networks: string, address: string) =>
  allowPrivateNetworks(publicNetwork, networks.split(",")).isAllowed(address);

test.each([
  ["10.0.0.0/8,fd00::/8", "10.1.2.3"],
  ["10.0.0.0/8,fd00::/8", "fd12:3456::1"],
  ["10.0.0.0/8", "::ffff:10.1.2.3"],
  ["192.168.4.7", "192.168.4.7"],
  ["127.0.0.0/8", "127.0.0.5"],
  ["::1/128", "::1"],
  ["169.254.169.254/32", "169.254.169.254"],
  ["fd00:ec2::254", "fd00:ec2::254"],
  ["10.0.0.0/8", "93.184.216.34"],
])("%s allows %s", (networks, address) => {
  expect(isAllowed(networks, address)).toBe(true);
});

test.each([
  ["10.0.0.0/8", "192.168.1.1"],
  ["10.0.0.0/8", "fd00::1"],
  ["192.168.4.7", "192.168.4.8"],
  ["0.0.0.0/0", "127.0.0.1"],
  ["::/0", "::1"],
  ["0.0.0.0/0", "169.254.169.254"],
  ["169.254.0.0/16", "169.254.169.254"],
  ["100.64.0.0/10", "100.100.100.200"],
  ["fd00::/8", "fd00:ec2::254"],
  ["0.0.0.0/0", "::ffff:169.254.169.254"],
  ["0.0.0.0/0", "168.63.129.16"],
  ["0.0.0.0/0", "no address"],
])("%s does not allow %s", (networks, address) => {
  expect(isAllowed(networks, address)).toBe(false);
});
