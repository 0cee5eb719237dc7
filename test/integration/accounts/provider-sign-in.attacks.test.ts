import { generateKeyPairSync } from "node:crypto";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createProviderClient } from "../../../server/src/oidc/provider-client.js";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { localNetwork } from "../../support/client-documents.js";
import {
  answerJson,
  signInAtProvider,
  startAtProvider,
  useIdentityProvider,
  walk,
} from "../../support/identity-provider.js";
import { tokenOf } from "../../support/mails.js";
import { connect } from "../../support/mcp.js";
import { aChallenge, aClient, openConsent, signIn } from "../../support/oauth.js";
import {
  anOrganizationWith,
  anOrganizationWithMember,
  networkWithTexts,
  providerRedirectUri,
  removeDomain,
  saveProvider,
  verifyDomain,
} from "../../support/organization-provider.js";
import {
  freshCode,
  isSignedIn,
  security,
  setUpAuthenticator,
} from "../../support/second-factors.js";

describe("attacks on provider sign-in", () => {
  const current = useApp({}, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);
  const otherProvider = useIdentityProvider(providerRedirectUri, "other.apps.example");

  const prepare = () => anOrganizationWithMember(current(), provider());

  let organization: Awaited<ReturnType<typeof prepare>>;
  beforeEach(async () => {
    organization = await prepare();
  });

  test("SSO-03 rejects a wrong state, a repeated answer, and an answer in another browser", async () => {
    const { app } = current();
    const browser = createBrowser(app);
    const sent = await startAtProvider(browser, organization.email);
    const cookies = new Map(browser.cookies);
    const back = await walk(String(sent.headers.location));
    const answer = back.pathname + back.search;
    const wrong = new URL(back);
    wrong.searchParams.set("state", "x".repeat(43));
    const none = new URL(back);
    none.searchParams.delete("state");
    const attempts: [TestBrowser, string][] = [
      [createBrowser(app), answer],
      [browser, wrong.pathname + wrong.search],
      [browser, none.pathname + none.search],
    ];
    for (const [who, address] of attempts) {
      const refused = await who.get(address);
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain("Start signing in again");
      expect(await isSignedIn(who)).toBe(false);
    }
    expect((await browser.get(answer)).headers.location).toBe("/");
    // A thief with the old cookie repeats the cookie and the response.
    const thief = createBrowser(app);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect((await thief.get(answer)).statusCode).toBe(400);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("SSO-04 rejects another provider's code (mix-up) without contacting the expected provider", async () => {
    const other = await anOrganizationWith(current(), otherProvider());
    otherProvider().persona = { ...provider().persona, email: organization.email };
    const attacker = createBrowser(current().app);
    const atOther = await startAtProvider(attacker, other.owner.email);
    const stolen = await walk(String(atOther.headers.location));
    const browser = createBrowser(current().app);
    const sent = await startAtProvider(browser, organization.email);
    const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
    stolen.searchParams.set("state", state);
    stolen.pathname = `/signin/provider/callback/${organization.owner.organizationId}`;
    const before = provider().requests.length;
    const refused = await browser.get(stolen.pathname + stolen.search);
    expect(refused.statusCode).toBe(502);
    expect(refused.body).toContain("response is invalid");
    expect(provider().requests.slice(before)).toEqual([]);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("SSO-55 sends no provider the code of another that does not identify itself", async () => {
    const { issuer, replace, requests } = otherProvider();
    const at = (path: string) => `${issuer}${path}`;
    const endpoints = {
      authorization_endpoint: at("/auth"),
      token_endpoint: at("/token"),
      jwks_uri: at("/jwks"),
    };
    replace("/.well-known/openid-configuration", answerJson({ issuer, ...endpoints }));
    const other = await anOrganizationWith(current(), otherProvider());
    const attacker = await startAtProvider(createBrowser(current().app), organization.email);
    const victim = createBrowser(current().app);
    const sent = await startAtProvider(victim, other.owner.email);
    // The other provider redirects the browser with the attacker's challenge and nonce.
    const onward = new URL(String(attacker.headers.location));
    const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
    onward.searchParams.set("state", state);
    const back = await walk(onward.href);
    back.searchParams.delete("iss");
    const refused = await victim.get(back.pathname + back.search);
    expect(requests).not.toContain("/token");
    expect(refused.statusCode).toBe(400);
  });

  test("SSO-58 does not readmit an invited person with a second factor through the provider", async () => {
    const { email, member, owner } = organization;
    const { app, db } = current();
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    provider().persona = { ...provider().persona, amr: ["pwd", "mfa"] };
    const browser = createBrowser(app);
    await signInAtProvider(browser, email);
    const page = await browser.get("/signin/second-factor");
    await browser.submitForm(page, { code: await freshCode(db, member, secret) });
    expect(await isSignedIn(browser)).toBe(true);
    const session = await connect(current(), { member: owner });
    await session.ok("remove_user", { user_id: member.userId, from_organization: true });
    await session.ok("create_invite", { email });

    const back = createBrowser(app);
    const answer = await signInAtProvider(back, email);

    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain("sign in as usual and open the invitation link");
    expect(await isSignedIn(back)).toBe(false);
    const { users } = await session.ok<{ users: { email: string }[] }>("list_users");
    expect(users.map((person) => person.email)).not.toContain(email);
  });

  test("SSO-63 joining a provider-only organization ends the person's sessions from other methods", async () => {
    const { domain, owner } = organization;
    const { app, db } = current();
    await db.query("UPDATE identity_providers SET sso_required = true, break_glass_owner_id = $1", [
      owner.userId,
    ]);
    const email = `elsewhere@${domain}`;
    const invited = await aMember(db, { email });
    const session = await connect(current(), { member: owner });
    const { invite } = await session.ok<{ invite: { id: string } }>("create_invite", { email });
    const [joining, other] = [await signIn(app, invited), await signIn(app, invited)];
    const bystander = await signIn(app, await aMember(db));

    const page = await joining.get(`/invites/${await tokenOf(current(), invite.id)}`);
    await joining.submitForm(page, {});

    expect([await isSignedIn(joining), await isSignedIn(other)]).toEqual([false, false]);
    expect(await isSignedIn(bystander)).toBe(true);
  });

  test("SSO-61 a provider opens no account of a domain that moved to another organization", async () => {
    const { browser, owner, domain, email, member } = organization;
    const { app } = current();
    const before = createBrowser(app);
    await signInAtProvider(before, email);
    expect(await isSignedIn(before)).toBe(true);
    await verifyDomain(browser, owner, `new-${domain}`);
    await removeDomain(browser, owner, domain);
    const next = await anOrganizationWith(current(), otherProvider());
    await verifyDomain(next.browser, next.owner, domain);
    // Matches by subject, with an address in a domain that the organization still has.
    const address = `somebody@new-${domain}`;
    provider().persona = { ...provider().persona, email: address };

    const thief = createBrowser(app);
    const refused = await signInAtProvider(thief, address);

    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain("hasn't verified the domain");
    expect(refused.body).not.toContain(member.name);
    expect(await isSignedIn(thief)).toBe(false);
  });

  test("RVK-10 a provider removed during its answer admits no one", async () => {
    const { domain, owner } = organization;
    const { app, db } = current();
    const email = `invited@${domain}`;
    const session = await connect(current(), { member: owner });
    await session.ok("create_invite", { email });
    provider().persona = { sub: `invited-${domain}`, email, email_verified: true };
    const { finish } = app.services.providers;
    const finishing = vi
      .spyOn(app.services.providers, "finish")
      .mockImplementation(async (...given) => {
        const claims = await finish(...given);
        await db.query("DELETE FROM identity_providers WHERE organization_id = $1", [
          owner.organizationId,
        ]);
        return claims;
      });
    const browser = createBrowser(app);

    const refused = await signInAtProvider(browser, email);
    finishing.mockRestore();

    expect(refused.statusCode).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await db.query("SELECT FROM users WHERE email = $1", [email])).toEqual([]);
    const open = await db.query("SELECT FROM invites WHERE email = $1 AND accepted_at IS NULL", [
      email,
    ]);
    expect(open).toHaveLength(1);
  });

  test("SSO-62 a sign-in waiting for the second factor ends with the domain", async () => {
    const { browser: owners, owner, domain, email, member } = organization;
    const { app, db } = current();
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    const browser = createBrowser(app);
    await signInAtProvider(browser, email);
    const page = await browser.get("/signin/second-factor");
    await removeDomain(owners, owner, domain);

    const refused = await browser.submitForm(page, { code: await freshCode(db, member, secret) });

    expect(refused.statusCode).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("SSO-66 a provider's factor does not count in another organization without the account's own", async () => {
    const { email, member } = organization;
    const { app, db } = current();
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    const { organizationId: organization_id } = await aMember(db, { email, role: "owner" });
    await db.query(
      `UPDATE organizations SET admins_need_second_factor = true,
         destructive_needs_second_factor = true WHERE id = $1`,
      [organization_id],
    );
    const openMembers = async (browser: TestBrowser) => {
      await browser.submitForm(await browser.get("/organizations"), { organization_id });
      return browser.get("/settings/members");
    };
    provider().persona = { ...provider().persona, amr: ["mfa"] };
    const first = createBrowser(app);
    await signInAtProvider(first, email);
    const page = await first.get("/signin/second-factor");
    await first.submitForm(page, { code: await freshCode(db, member, secret) });
    expect((await openMembers(first)).statusCode).toBe(200);

    const browser = createBrowser(app);
    await signInAtProvider(browser, email);
    expect((await openMembers(browser)).headers.location).toBe(security);
    const consent = await openConsent(browser, await aClient(app), aChallenge());
    const grant = { organization_id, scope: "mcp_read", decision: "allow" };
    expect((await browser.submitForm(consent, grant)).headers.location).toBe(security);
    const lead = await browser.get(security);
    expect(lead.body).toContain("Use your second factor");
    const question = await browser.get(/href="([^"]*confirm[^"]*)"/.exec(lead.body)?.[1] ?? "");
    const code = await freshCode(db, member, secret);
    expect((await browser.submitForm(question, { code })).headers.location).toContain("/oauth/");
    expect((await openMembers(browser)).statusCode).toBe(200);
  });

  test("SSO-57 a form of any length starts a sign-in that works", async () => {
    const browser = createBrowser(current().app);
    const page = await browser.get("/signin/provider");
    const long = { email: organization.email, next: "x".repeat(60_000) };
    const sent = await browser.submitForm(page, long);
    expect(sent.statusCode).toBe(303);
    const back = await walk(String(sent.headers.location));
    await browser.get(back.pathname + back.search);
    expect(await isSignedIn(browser)).toBe(true);
  });

  const attacks: [string, (good: object) => string | Promise<string>][] = [
    ["has no signature (alg none)", (good) => provider().sign(good, { alg: "none" })],
    [
      "is signed by another key",
      (good) =>
        provider().sign(good, {
          key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
        }),
    ],
    ["has expired", (good) => provider().sign({ ...good, iat: 1000, exp: 2000 })],
    ["is for another client", (good) => provider().sign({ ...good, aud: "other" })],
    ["was made for another client", (good) => provider().sign({ ...good, azp: "other" })],
    ["is of another issuer", (good) => provider().sign({ ...good, iss: "https://x.example" })],
    ["names no subject", (good) => provider().sign({ ...good, sub: "" })],
    ["has another nonce", (good) => provider().sign({ ...good, nonce: "other" })],
    ["names a subject without end", (good) => provider().sign({ ...good, sub: "x".repeat(4000) })],
    ["has no nonce", (good) => provider().sign({ ...good, nonce: undefined })],
    ["has a subject with NUL", (good) => provider().sign({ ...good, sub: "a\0b" })],
    ["has a subject with half a character", (good) => provider().sign({ ...good, sub: "a\ud800" })],
  ];
  test.each([["is as it should be", undefined] as const, ...attacks])(
    "SSO-14 checks an ID token that %s",
    async (_, forge) => {
      const { issuer, persona, sign, replace } = provider();
      const browser = createBrowser(current().app);
      const sent = await startAtProvider(browser, organization.email);
      const url = new URL(String(sent.headers.location));
      const nonce = url.searchParams.get("nonce") ?? "";
      const now = Math.floor(Date.now() / 1000);
      const good = { iss: issuer, aud: "fettle", nonce, iat: now, exp: now + 300, ...persona };
      const id_token = forge === undefined ? sign(good) : await forge(good);
      replace("/token", answerJson({ access_token: "t", token_type: "Bearer", id_token }));
      const back = await walk(url.href);
      const landed = await browser.get(back.pathname + back.search);
      expect(landed.statusCode).toBe(forge === undefined ? 303 : 502);
      expect(await isSignedIn(browser)).toBe(forge === undefined);
      if (forge !== undefined) expect(landed.body).toContain("response is invalid");
    },
  );

  test("SSO-15 explains a cancellation, a wrong secret, and an unreachable or hanging provider", async () => {
    const { app } = current();
    const { email, browser: owners, owner } = organization;
    const cancelling = createBrowser(app);
    const sent = await startAtProvider(cancelling, email);
    const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
    const answer = new URLSearchParams({
      state,
      error: "access_denied",
      error_description: "<b>words of a stranger</b>",
      iss: provider().issuer,
    });
    const denied = await cancelling.get(
      `/signin/provider/callback/${owner.organizationId}?${answer.toString()}`,
    );
    expect(denied.statusCode).toBe(403);
    expect(denied.body).toContain("denied the sign-in");
    expect(denied.body).not.toContain("words of a stranger");

    await saveProvider(owners, owner, provider(), { client_secret: "not the secret" });
    const wrong = await signInAtProvider(createBrowser(app), email);
    expect(wrong.statusCode).toBe(502);
    expect(wrong.body).toContain("client ID or secret may be wrong");

    const hanging = createBrowser(app);
    provider().replace("/token", () => undefined);
    const slow = await signInAtProvider(hanging, email);
    expect(slow.statusCode).toBe(502);
    expect(slow.body).toContain("didn't respond within");

    await saveProvider(owners, owner, { issuer: "https://away.apps.example:1", clientSecret: "x" });
    const away = await startAtProvider(createBrowser(app), email);
    expect(away.statusCode).toBe(502);
    expect(away.body).toContain("can't be reached");
  });

  test("SSO-53, SSO-54 limits compressed provider answers by decompressed length, with one compression at most", async () => {
    const { issuer, replace } = provider();
    const client = createProviderClient(localNetwork, () => "https://fettle.example/callback");
    const metadata = JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    });
    const sendPacked = (text: string, times = 1) => {
      replace("/.well-known/openid-configuration", (_, response) => {
        const encoding = Array.from({ length: times }, () => "gzip");
        const head = {
          "content-type": "application/json",
          "content-encoding": encoding.join(", "),
        };
        response
          .writeHead(200, head)
          .end(encoding.reduce((body) => gzipSync(body), Buffer.from(text)));
      });
    };
    sendPacked(metadata);
    await client.check(issuer);
    sendPacked(metadata + " ".repeat(300_000));
    await expect(client.check(issuer)).rejects.toMatchObject({ reason: "no_metadata" });
    sendPacked(metadata, 2);
    await expect(client.check(issuer)).rejects.toMatchObject({ reason: "no_metadata" });
  });
});

describe("floods of provider sign-ins", () => {
  const current = useApp({ rateLimit: true }, { documentNetwork: networkWithTexts });

  test("SSO-21 rate limits starts and answers per address", async () => {
    const browser = createBrowser(current().app);
    const page = await browser.get("/signin/provider");
    for (let count = 0; count < 60; count += 1) {
      await browser.submitForm(page, { email: "me@nowhere.example" });
      await browser.get("/signin/provider/callback/x?state=x");
    }
    const start = await browser.submitForm(page, { email: "me@nowhere.example" });
    const answer = await browser.get("/signin/provider/callback/x?state=x");
    for (const { statusCode, headers } of [start, answer]) {
      expect(statusCode).toBe(429);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    }
  });
});
