import { Resolver } from "node:dns/promises";
import { describe, expect, test } from "vitest";
import { createJsonCipher } from "../../../server/src/domain/shared/encryption.js";
import { renewProviderSecrets } from "../../../server/src/domain/accounts/providers.js";
import { publicNetwork, resolveTexts } from "../../../server/src/oauth/read-document.js";
import { createProviderClient } from "../../../server/src/oidc/provider-client.js";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import {
  answerJson,
  signInAtProvider,
  useIdentityProvider,
  walk,
} from "../../support/identity-provider.js";
import { localNetwork } from "../../support/client-documents.js";
import { linkTo, noticesTo, tokenOf } from "../../support/mails.js";
import { startNameServer } from "../../support/name-server.js";
import { signIn } from "../../support/oauth.js";
import {
  addDomain,
  anOrganizationWith,
  check,
  networkWithTexts,
  providerPage,
  saveProvider,
  setSsoRequired,
  textOnPage,
  texts,
} from "../../support/organization-provider.js";
import { isSignedIn, openConfirmed } from "../../support/second-factors.js";

const documentNetwork = {
  ...networkWithTexts,
  resolveTexts: async (name: string) => {
    if (name === "broken.example") throw new Error("SERVFAIL");
    return networkWithTexts.resolveTexts(name);
  },
};

describe("identity provider set-up for an organization", () => {
  const smtp = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" };
  const current = useApp(smtp, { documentNetwork });
  const provider = useIdentityProvider("http://localhost:3000/signin/provider/callback/");

  const organization = () => anOrganizationWith(current(), provider());

  async function typesOf({ organizationId }: Member): Promise<string[]> {
    const rows = await current().db.query<{ type: string }>(
      `SELECT type FROM activity_log WHERE organization_id = $1
         AND type ~ 'provider|domain|sso_required' ORDER BY id`,
      [organizationId],
    );
    return rows.map(({ type }) => type);
  }

  /** Signs the owner in at the provider once, in another browser. */
  async function tryOut({ email }: Member, amr: string[] = []) {
    provider().persona = { sub: `sub of ${email}`, email, email_verified: true, amr };
    const browser = createBrowser(current().app);
    await signInAtProvider(browser, email);
    expect(await isSignedIn(browser)).toBe(true);
  }

  test("SSO-30 owners set it up after confirmation; admins view it, members can't see it", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    expect((await browser.get("/settings/organization")).body).toContain(`href="${providerPage}"`);
    const away = await browser.get(`${providerPage}/edit`);
    expect(away.headers.location).toContain("/settings/security/confirm");
    await saveProvider(browser, owner, provider());
    const shown = await browser.get(providerPage);
    expect(shown.body).toContain(provider().issuer);
    expect(shown.body).toContain(
      `http://localhost:3000/signin/provider/callback/${owner.organizationId}`,
    );

    const { organization: name } = owner;
    const admin = await signIn(app, await aMember(db, { organization: name, role: "admin" }));
    const read = await admin.get(providerPage);
    expect(read.body).toContain(provider().issuer);
    expect(read.body).not.toContain(`${providerPage}/edit`);
    expect((await admin.get(`${providerPage}/edit`)).statusCode).toBe(403);
    const post = await admin.submitForm(read, {}, { action: "/signout" });
    expect(post.statusCode).toBe(303);
    const member = await signIn(app, await aMember(db, { organization: name, role: "member" }));
    expect((await member.get(providerPage)).statusCode).toBe(403);
    expect((await member.get("/settings/organization")).body).not.toContain(providerPage);
    expect(await typesOf(owner)).toEqual(["identity_provider_saved"]);
  });

  test("SSO-31 the secret is encrypted, never shown, kept when empty, and bound to one address", async () => {
    const { db, app } = current();
    const { owner, browser } = await organization();
    const { clientSecret } = provider();
    const stored = await db.query<{ client_secret_encrypted: Buffer }>(
      "SELECT client_secret_encrypted FROM identity_providers WHERE organization_id = $1",
      [owner.organizationId],
    );
    expect(stored[0]?.client_secret_encrypted.includes(clientSecret)).toBe(false);
    for (const address of [providerPage, `${providerPage}/edit`, "/settings/activity"]) {
      expect((await browser.get(address)).body).not.toContain(clientSecret);
    }
    await saveProvider(browser, owner, provider(), { client_secret: "" });
    await tryOut(owner);
    const other = { issuer: "https://evil.apps.example", clientSecret: "" };
    const refused = await saveProvider(browser, owner, other);
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Client secret” is missing");

    const [before = ""] = app.services.config.secretKeys;
    const keys = ["another key that is long enough for it", before];
    await renewProviderSecrets(db, createJsonCipher(keys, "fettle identity provider"));
    const renewed = await db.query<{ client_secret_encrypted: Buffer }>(
      "SELECT client_secret_encrypted FROM identity_providers WHERE organization_id = $1",
      [owner.organizationId],
    );
    const newest = createJsonCipher(keys.slice(0, 1), "fettle identity provider");
    const [{ client_secret_encrypted: blob } = { client_secret_encrypted: Buffer.alloc(0) }] =
      renewed;
    expect(newest.decrypt(blob)).toEqual({ secret: clientSecret });
  });

  test.each([
    ["http://login.example.com"],
    ["https://user:word@login.example.com"],
    ["https://login.example.com/?tenant=1"],
    ["https://login.example.com/.well-known/openid-configuration"],
    ["https://localhost"],
    ["login.example.com"],
  ])("SSO-32 rejects %s as a provider's address", async (issuer) => {
    const owner = await aMember(current().db);
    const browser = await signIn(current().app, owner);
    const refused = await saveProvider(browser, owner, { issuer, clientSecret: "x" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Issuer URL");
  });

  test("SSO-33 the connection test explains the problem", async () => {
    const { browser, owner } = await organization();
    const { issuer, replace } = provider();
    const metadata = "/.well-known/openid-configuration";
    const good = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    async function run() {
      const action = `${providerPage}/test`;
      await browser.submitForm(await browser.get(providerPage), {}, { action });
      return (await browser.get(providerPage)).body;
    }
    expect(await run()).toContain("meets Fettle");
    const cases: [object | string, string][] = [
      [{ ...good, issuer: `${issuer}/other` }, "issuer URL differs"],
      [{ ...good, token_endpoint: undefined }, "isn't supported"],
      [{ ...good, code_challenge_methods_supported: ["plain"] }, "isn't supported"],
      [{ ...good, token_endpoint: `http://169.254.169.254/` }, "isn't supported"],
      ["not an object", "response wasn't as expected"],
    ];
    for (const [answer, text] of cases) {
      replace(metadata, answerJson(answer));
      expect(await run(), text).toContain(text);
    }
    replace(metadata, (_, response) => {
      response.writeHead(302, { location: "http://169.254.169.254/" });
      response.end();
    });
    expect(await run()).toContain("response wasn't as expected");
    replace(metadata, () => undefined);
    expect(await run()).toContain("didn't respond within five seconds");
    await saveProvider(browser, owner, { issuer: "https://no.apps.example:1", clientSecret: "x" });
    expect(await run()).toContain("can't be reached");
    const below = `${issuer}/application/fettle/`;
    replace(new URL(below).pathname + metadata.slice(1), answerJson({ ...good, issuer: below }));
    await saveProvider(browser, owner, { issuer: below, clientSecret: "x" });
    expect(await run()).toContain("meets Fettle");
  });

  test("SSO-34 never contacts a provider in a private network", async () => {
    const { issuer, requests } = provider();
    const network = { ...localNetwork, isAllowed: publicNetwork.isAllowed };
    const client = createProviderClient(network, () => "https://fettle.example/callback");
    const reached = requests.length;
    for (const address of [issuer, "https://127.0.0.1", "https://[::1]", "https://10.0.0.1"]) {
      await expect(client.check(address), address).rejects.toMatchObject({ reason: "unreachable" });
    }
    expect(requests.length).toBe(reached);
  });

  test("SSO-35 a domain needs its text in DNS, and belongs to one organization", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { email: "one@claimed.example" });
    const rival = await aMember(db, { email: "two@claimed.example" });
    const browser = await signIn(app, owner);
    const rivals = await signIn(app, rival);
    await saveProvider(browser, owner, provider());
    await addDomain(browser, owner, "Claimed.Example");
    await addDomain(rivals, rival, "claimed.example");
    expect((await check(browser, "claimed.example")).body).toContain("found at");
    const [mine, theirs] = [await textOnPage(browser), await textOnPage(rivals)];
    expect(mine).not.toBe(theirs);
    texts.set("claimed.example", [theirs]);
    expect((await check(browser, "claimed.example")).body).toContain("found at");
    texts.set("claimed.example", ["v=spf1 -all", mine, theirs]);
    expect((await check(browser, "claimed.example")).body).toContain("is verified");
    expect((await check(rivals, "claimed.example")).body).toContain(
      "is already verified by another organization",
    );
    await addDomain(browser, owner, "broken.example");
    expect((await check(browser, "broken.example")).body).toContain("didn't respond");
    expect(await typesOf(owner)).toEqual(["identity_provider_saved", "sign_in_domain_verified"]);
  });

  test.each([
    "example",
    "https://example.com",
    "exa mple.com",
    "10.0.0.1",
    "a@b.example",
    "x_y.com",
  ])("SSO-36 rejects %s as a domain", async (domain) => {
    const owner = await aMember(current().db);
    const browser = await signIn(current().app, owner);
    expect((await addDomain(browser, owner, domain)).statusCode).toBe(400);
  });

  test("SSO-37 joins split texts from name servers, and finds none for a missing name", async () => {
    const piece = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
    const data = Buffer.concat([piece("fettle-domain-"), piece("verification=x")]);
    const server = await startNameServer(new Map([["firm.example 16", [data]]]));
    const resolver = new Resolver({ timeout: 1000, tries: 2 });
    resolver.setServers([server.address]);
    try {
      expect(await resolveTexts("firm.example", resolver)).toEqual([
        "fettle-domain-verification=x",
      ]);
      expect(await resolveTexts("other.example", resolver)).toEqual([]);
    } finally {
      await server.close();
    }
  });

  describe("provider-only sign-in", () => {
    async function switchOn(browser: TestBrowser, owner: Member, breakGlassOwner = "") {
      await tryOut(owner);
      const saved = await setSsoRequired(browser, owner, {
        sso_required: "yes",
        break_glass_owner: breakGlassOwner,
      });
      expect(saved.statusCode).toBe(303);
    }

    test("SSO-40 requires the owner's own provider sign-in first, and shows the exempt owner", async () => {
      const { browser, owner } = await organization();
      const early = await setSsoRequired(browser, owner, { sso_required: "yes" });
      expect(early.statusCode).toBe(400);
      expect(early.body).toContain("Sign in once with the provider yourself");
      const member = await aMember(current().db, {
        organization: owner.organization,
        role: "member",
      });
      await tryOut(owner);
      const wrong = await setSsoRequired(browser, owner, {
        sso_required: "yes",
        break_glass_owner: member.userId,
      });
      expect(wrong.statusCode).toBe(400);
      await switchOn(browser, owner, owner.userId);
      const shown = (await browser.get(providerPage)).body;
      expect(shown).toContain("Can only sign in with the provider");
      expect(shown).toMatch(
        new RegExp(`Can also sign in with a password</dt><dd>(?:<bdi>)?${owner.name}`),
      );
      expect((await typesOf(owner)).at(-1)).toBe("sso_required_started");
    });

    test("SSO-41 while on, protects its settings; ending it is logged and emailed to owners", async () => {
      const { browser, owner, domain } = await organization();
      const { organization: name } = owner;
      const second = await aMember(current().db, { organization: name, role: "owner" });
      await switchOn(browser, owner, owner.userId);
      const { password } = owner;
      const other = { issuer: "https://evil.apps.example", clientSecret: "x" };
      const refused = [
        await saveProvider(browser, owner, other),
        await browser.submitForm(await browser.get(`${providerPage}/remove`), {}),
        await browser.submitForm(
          await openConfirmed(browser, `${providerPage}/domains/${domain}/remove`, { password }),
          {},
        ),
      ];
      for (const { statusCode, body } of refused) {
        expect(statusCode).toBe(400);
        expect(body).toContain("Turn that rule off first");
      }
      await setSsoRequired(browser, owner, {});
      expect((await typesOf(owner)).at(-1)).toBe("sso_required_ended");
      for (const { email } of [owner, second]) {
        expect(await noticesTo(current(), email)).toMatchObject([
          { kind: "sso_required_ended", organization: name, by: owner.name },
        ]);
      }
      const gone = await browser.submitForm(await browser.get(`${providerPage}/remove`), {});
      expect(gone.statusCode).toBe(303);
      expect((await typesOf(owner)).at(-1)).toBe("identity_provider_removed");
      expect((await browser.get("/settings/activity")).body).toContain("removed the identity");
    });

    test("SSO-42 rejects password reset links, including earlier ones", async () => {
      const { app, db } = current();
      const { browser, owner, domain } = await organization();
      const { organization: name } = owner;
      const email = `reset@${domain}`;
      const member = await aMember(db, { organization: name, role: "member", email });
      const ask = async (address: string) => {
        const anybody = createBrowser(app);
        const page = await anybody.get("/password/forgot");
        return anybody.submitForm(page, { email: address });
      };
      await ask(member.email);
      const link = await linkTo(current(), member.email, "password_reset");
      await switchOn(browser, owner, owner.userId);
      expect((await createBrowser(app).get(link)).statusCode).toBe(410);
      const before = (await noticesTo(current(), member.email)).length;
      for (const address of [member.email, `nobody@${domain}`]) {
        const answer = await ask(address);
        expect(answer.statusCode).toBe(403);
        expect(answer.body).toContain("has to sign in with their organization's identity provider");
      }
      expect((await noticesTo(current(), member.email)).length).toBeLessThanOrEqual(before);
      // The recovery account has a password and can reset it.
      await ask(owner.email);
      expect(await linkTo(current(), owner.email, "password_reset")).toContain("/password/reset/");
    });

    test("SSO-43 the exemption ends with the owner role, and covers no other organization", async () => {
      const { app, db } = current();
      const { browser, owner } = await organization();
      await switchOn(browser, owner, owner.userId);
      const tries = async () => {
        const anybody = createBrowser(app);
        const { email, password } = owner;
        await anybody.submitForm(await anybody.get("/signin"), { email, password });
        return isSignedIn(anybody);
      };
      expect(await tries()).toBe(true);
      await db.query("UPDATE organization_members SET role = 'admin' WHERE user_id = $1", [
        owner.userId,
      ]);
      expect(await tries()).toBe(false);
      await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
        owner.userId,
      ]);
      expect(await tries()).toBe(true);
    });

    async function invite(browser: TestBrowser, email: string): Promise<string> {
      const form = await browser.get("/settings/members/invite");
      await browser.submitForm(form, { email, organization_role: "member" });
      const invites = await current().db.query<{ id: string }>(
        "SELECT id FROM invites WHERE email = $1",
        [email],
      );
      return `/invites/${await tokenOf(current(), invites[0]?.id ?? "")}`;
    }

    test("SSO-44 an invitation of a new person leads to the provider, not a password", async () => {
      const { app } = current();
      const { browser, owner, domain } = await organization();
      await switchOn(browser, owner, owner.userId);
      const email = `invited@${domain}`;
      const link = await invite(browser, email);
      const invited = createBrowser(app);
      const page = await invited.get(link);
      expect(page.body).toContain("uses its own identity provider");
      const around = { name: "I", password: "correct horse battery" };
      await invited.submitForm(page, around, { action: "/signin/provider" });
      const bare = await invited.get(link);
      const hidden = /name="_csrf" value="([^"]+)"/.exec(bare.body)?.[1] ?? "";
      await invited.post(link, { ...around, _csrf: hidden });
      expect(await isSignedIn(invited)).toBe(false);

      provider().persona = { sub: "invited", email, email_verified: true, name: "Ines" };
      const sent = await invited.submitForm(page, {}, { action: "/signin/provider" });
      const back = await walk(String(sent.headers.location));
      await invited.get(back.pathname + back.search);
      expect((await invited.get("/settings")).body).toContain("Ines");
    });

    test("SSO-60 ends the session of an account that joins after a different sign-in", async () => {
      const { app, db } = current();
      const { browser, owner, domain } = await organization();
      await switchOn(browser, owner, owner.userId);
      const email = `elsewhere@${domain}`;
      const { password } = await aMember(db, { email });
      const link = await invite(browser, email);
      const invited = createBrowser(app);
      await invited.submitForm(await invited.get("/signin"), { email, password });
      await invited.submitForm(await invited.get(link), {});
      expect(await isSignedIn(invited)).toBe(false);
      const page = await invited.get("/signin");
      expect(page.body).toContain(`You're now a member of ${owner.organization}.`);
    });
  });
});
