// Must be the first import: it provides the decorator metadata that certificates need.
import { isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  Extension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import {
  cleanUpChallenges,
  spendChallenge,
} from "../../../server/src/domain/accounts/challenges.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { useDatabase } from "../../support/database.js";
import { signIn } from "../../support/oauth.js";
import { openConfirmed, security } from "../../support/second-factors.js";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const validity = { notBefore: new Date("2020-01-01"), notAfter: new Date("2100-01-01") };

/** A third party's web server that records requests. */
async function aStranger(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`, asked };
}

/** Key description of Android (version 3) about a challenge, with everything else empty. */
function keyDescription(challenge: Buffer): Buffer<ArrayBuffer> {
  const body = Buffer.concat([
    Buffer.from("020103" + "0a0100" + "020103" + "0a0100" + "0420", "hex"),
    challenge,
    Buffer.from("0400" + "3000" + "3000", "hex"),
  ]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

/** A browser's response with an attestation. Its certificate contains URLs for its status. */
async function anAttested(
  challenge: string,
  url: string,
  id: Buffer = randomBytes(16),
): Promise<string> {
  const clientData = { type: "webauthn.create", challenge, origin: "http://localhost:3000" };
  const clientDataJSON = Buffer.from(JSON.stringify(clientData));
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const rootKeys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const root = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: "CN=Root",
    keys: rootKeys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const hash = createHash("sha256").update(clientDataJSON).digest();
  const leaf = await X509CertificateGenerator.create({
    ...validity,
    subject: "CN=Leaf",
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new CRLDistributionPointsExtension([url]),
      new Extension("1.3.6.1.4.1.11129.2.1.17", false, keyDescription(hash)),
    ],
  });
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const publicKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, isoBase64URL.toBuffer(x)],
      [-3, isoBase64URL.toBuffer(y)],
    ]),
  );
  const authData = Buffer.concat([
    createHash("sha256").update("localhost").digest(),
    Buffer.from([0x45, 0, 0, 0, 0]),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    publicKey,
  ]);
  const statement = new Map<string, unknown>([
    ["alg", -7],
    ["sig", new Uint8Array(8)],
    ["x5c", [new Uint8Array(leaf.rawData), new Uint8Array(root.rawData)]],
  ]);
  const attestation = new Map<string, unknown>([
    ["fmt", "android-key"],
    ["attStmt", statement],
    ["authData", new Uint8Array(authData)],
  ]);
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  return JSON.stringify({
    id: encode(id),
    rawId: encode(id),
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: encode(clientDataJSON),
      attestationObject: encode(isoCBOR.encode(attestation as never)),
      transports: ["internal", "x".repeat(1000), 7],
    },
  });
}

describe("passkey with an attestation", () => {
  const current = useApp({ baseUrl: "http://localhost:3000" });

  test("PKY-13 contacts no address in its certificates, and stores no unknown transport", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const stranger = await aStranger();
    const page = await openConfirmed(browser, `${security}/passkeys/new`, member);
    const challenge = /challenge&quot;:&quot;([\w-]+)/.exec(page.body)?.[1] ?? "";

    const response = await anAttested(challenge, stranger.url);
    const answer = await browser.submitForm(page, { name: "Phone", response });

    expect(stranger.asked).toEqual([]);
    expect(answer.body).toContain("They're only shown now");
    const stored = await db.query<{ name: string; transports: string[] }>(
      "SELECT name, transports FROM passkeys WHERE user_id = $1",
      [member.userId],
    );
    expect(stored).toEqual([{ name: "Phone", transports: ["internal"] }]);
  });

  test.runIf(inject("databaseUrl") !== null)(
    "rejects the second of two accounts that add one passkey concurrently",
    async () => {
      const { app, db } = current();
      const stranger = await aStranger();
      const id = randomBytes(16);
      const begun = await Promise.all(
        [await aMember(db), await aMember(db)].map(async (member) => {
          const browser = await signIn(app, member);
          const page = await openConfirmed(browser, `${security}/passkeys/new`, member);
          const challenge = /challenge&quot;:&quot;([\w-]+)/.exec(page.body)?.[1] ?? "";
          return { browser, page, response: await anAttested(challenge, stranger.url, id) };
        }),
      );

      const answers = await Promise.all(
        begun.map(({ browser, page, response }) =>
          browser.submitForm(page, { name: "Phone", response }),
        ),
      );

      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    },
  );
});

describe("passkey challenges", () => {
  const db = useDatabase();

  test.each([
    ["was two hours ahead when it was made", 120, 61],
    ["is set back later", 0, 61],
  ])("a used challenge does not count again when a node's clock %s", async (...given) => {
    const [, minutesAhead, minutesPassed] = given;
    const value = randomBytes(32).toString("base64url");
    const madeAt = Date.now() + minutesAhead * 60_000;
    const spend = (at: number) =>
      db().transaction((tx) => spendChallenge(tx, { value, madeAt: at }));
    const used = [await spend(madeAt), await spend(madeAt)];

    // Shifts all times back by that many minutes.
    await db().query(
      "UPDATE spent_challenges SET expires_at = expires_at - make_interval(mins => $1)",
      [minutesPassed],
    );
    await cleanUpChallenges(db());

    expect([...used, await spend(madeAt - minutesPassed * 60_000)]).toEqual([true, false, false]);
  });
});
