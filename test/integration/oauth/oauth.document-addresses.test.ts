import { Resolver } from "node:dns/promises";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "../../../server/src/oauth/read-document.js";
import {
  publicNetwork,
  resolve,
  type DocumentNetwork,
} from "../../../server/src/oauth/read-document.js";
import { useApp, startApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { localNetwork, useDocumentHost } from "../../support/client-documents.js";
import { startNameServer } from "../../support/name-server.js";
import { aChallenge, authorizeUrl, signIn } from "../../support/oauth.js";

const privateAddresses = [
  ["0.0.0.0", "unspecified"],
  ["10.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["192.168.1.1", "private"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["169.254.169.254", "link-local, metadata of clouds"],
  ["168.63.129.16", "platform of Azure"],
  ["::ffff:168.63.129.16", "platform of Azure, IPv4-mapped"],
  ["192.80.8.124", "metadata of Equinix Metal"],
  ["100.100.100.200", "metadata of Alibaba"],
  ["192.0.0.192", "metadata of Oracle"],
  ["fd00:ec2::254", "metadata of AWS"],
  ["fd20:ce::254", "metadata of Google"],
  ["100.64.0.1", "CGNAT"],
  ["192.0.0.170", "IETF protocol assignments"],
  ["192.0.2.1", "documentation"],
  ["198.51.100.1", "documentation"],
  ["203.0.113.1", "documentation"],
  ["192.88.99.1", "6to4 relay"],
  ["198.18.0.1", "benchmarking"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "IPv4-mapped"],
  ["::ffff:10.0.0.1", "IPv4-mapped"],
  ["::127.0.0.1", "IPv4-compatible"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["fec0::1", "site-local"],
  ["fd00::1", "ULA"],
  ["fc00::1", "ULA"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["64:ff9b:1::7f00:1", "NAT64"],
  ["2002:7f00:1::", "6to4"],
  ["2001::1", "Teredo"],
  ["2001:db8::1", "documentation"],
  ["3fff::1", "documentation"],
  ["ff02::1", "multicast"],
  ["100::1", "discard"],
  ["4000::1", "not given out"],
  ["", "nothing"],
  ["apps.example", "a name"],
] as const;

describe("allowed addresses for documents", () => {
  const current = useApp();
  const host = useDocumentHost();
  const challenge = aChallenge();

  /** The response to an authorization request of the client with this id, on this network. */
  async function open(id: string, documentNetwork: DocumentNetwork) {
    const { config, db } = current();
    const app = await startApp(config, db, { documentNetwork });
    const browser = await signIn(app, await aMember(db));
    const client = { id, secret: undefined, redirectUri: "https://client.example/callback" };
    const answer = await browser.get(authorizeUrl(client, challenge));
    await app.close();
    return answer;
  }

  test.each(privateAddresses)("CIMD-03: rejects %s (%s)", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8"])(
    "CIMD-03: accepts %s as public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test("CIMD-03: the server uses this check for reads", () => {
    expect(publicNetwork.isAllowed).toBe(isPublicAddress);
    expect(publicNetwork.ca).toBeUndefined();
  });

  test.each(["127.0.0.1", "::ffff:127.0.0.1", "::1", "10.0.0.1", "64:ff9b::7f00:1"])(
    "CIMD-03: rejects a name that resolves to %s, without connecting",
    async (address) => {
      const { id } = host().describe("/inside.json");

      const answer = await open(id, {
        ...localNetwork,
        resolve: async () => [address],
        isAllowed: isPublicAddress,
      });

      expect(answer.statusCode).toBe(400);
      expect(host().connections()).toBe(0);
    },
  );

  test("CIMD-03: resolves a name in both address families; an unknown name has no address", async () => {
    const records = new Map([
      ["both.example 1", [Buffer.from([8, 8, 8, 8]), Buffer.from([127, 0, 0, 1])]],
      ["both.example 28", [Buffer.from("26064700470000000000000000001111", "hex")]],
      ["six.example 28", [Buffer.from("00000000000000000000000000000001", "hex")]],
    ]);
    const nameServer = await startNameServer(records);
    const resolver = new Resolver({ timeout: 1000, tries: 2 });
    resolver.setServers([nameServer.address]);

    const found = await Promise.all(
      ["both.example", "six.example", "none.example"].map((name) => resolve(name, resolver)),
    );

    expect(found).toEqual([["8.8.8.8", "127.0.0.1", "2606:4700:4700::1111"], ["::1"], []]);
    await nameServer.close();
  });

  test("CIMD-03: rejects a name without an address", async () => {
    const { id } = host().describe("/nowhere.json");

    const answer = await open(id, { ...localNetwork, resolve: async () => [] });

    expect(answer.statusCode).toBe(400);
    expect(host().connections()).toBe(0);
  });

  test("CIMD-03: rejects a name if any address is private", async () => {
    const { id } = host().describe("/mixed.json");

    const answer = await open(id, {
      ...localNetwork,
      resolve: async () => ["8.8.8.8", "127.0.0.1"],
      isAllowed: isPublicAddress,
    });

    expect(answer.statusCode).toBe(400);
    expect(host().connections()).toBe(0);
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "localhost",
    "8.8.8.8",
  ])("CIMD-03: rejects the host %s in an id, without connecting", async (name) => {
    const { id } = host().describe("/literal.json");
    let lookups = 0;
    const answer = await open(id.replace("apps.example", name), {
      ...localNetwork,
      resolve: async (hostname) => {
        lookups += 1;
        return localNetwork.resolve(hostname);
      },
    });

    expect(answer.statusCode).toBe(400);
    expect(lookups).toBe(0);
    expect(host().connections()).toBe(0);
  });

  test("CIMD-04: uses one lookup for check and socket, and checks the socket's address again", async () => {
    const { id } = host().describe("/rebinding.json");
    const checked: string[] = [];
    let lookups = 0;
    const network: DocumentNetwork = {
      ...localNetwork,
      resolve: async (hostname) => {
        lookups += 1;
        return localNetwork.resolve(hostname);
      },
      isAllowed: (address) => {
        checked.push(address);
        return checked.length === 1;
      },
    };

    const answer = await open(id, network);

    expect(answer.statusCode).toBe(400);
    expect(lookups).toBe(1);
    expect(checked).toEqual(["127.0.0.1", "127.0.0.1"]);
    expect(host().requests).toEqual([]);
    expect((await open(id, { ...network, isAllowed: () => true })).statusCode).toBe(303);
  });

  test("CIMD-05: rejects an untrusted certificate", async () => {
    const { id } = host().describe("/untrusted.json");
    const { resolve: resolveName, resolveTexts, isAllowed } = localNetwork;

    const answer = await open(id, { resolve: resolveName, resolveTexts, isAllowed });

    expect(answer.statusCode).toBe(400);
    expect(host().connections()).toBe(1);
    expect(host().requests).toEqual([]);
  });
});
