import { beforeEach, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import {
  signInAtProvider,
  startAtProvider,
  useIdentityProvider,
  walk,
} from "../../support/identity-provider.js";
import { connect } from "../../support/mcp.js";
import { aChallenge, aClient, authorizeUrl, follow, signIn } from "../../support/oauth.js";
import {
  anOrganizationWith,
  anOrganizationWithMember,
  networkWithTexts,
  providerRedirectUri,
  saveProvider,
  setSsoRequired,
} from "../../support/organization-provider.js";
import {
  enterPassword,
  freshCode,
  isSignedIn,
  security,
  setUpAuthenticator,
} from "../../support/second-factors.js";

describe("sign-in with an organization's identity provider", () => {
  const current = useApp({}, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider(providerRedirectUri);
  const otherProvider = useIdentityProvider(providerRedirectUri, "other.apps.example");

  const prepare = () => anOrganizationWithMember(current(), provider());

  async function identitiesOf({ userId }: Member) {
    return current().db.query<{ subject: string; multi_factor: boolean }>(
      "SELECT subject, multi_factor FROM provider_identities WHERE user_id = $1",
      [userId],
    );
  }

  async function invite(browser: TestBrowser, email: string) {
    const page = await browser.get("/settings/members/invite");
    const sent = await browser.submitForm(page, { email, organization_role: "member" });
    expect(sent.statusCode).toBe(303);
  }

  let organization: Awaited<ReturnType<typeof prepare>>;
  beforeEach(async () => {
    organization = await prepare();
  });

  test("SSO-01 uses code flow, PKCE, state and nonce, and signs a member in", async () => {
    const { email, member, domain } = organization;
    const browser = createBrowser(current().app);
    expect((await browser.get("/signin")).body).toContain('href="/signin/provider"');
    const sent = await startAtProvider(browser, email);
    const url = new URL(String(sent.headers.location));
    expect(sent.statusCode).toBe(303);
    expect(url.origin).toBe(provider().issuer);
    const given = Object.fromEntries(url.searchParams);
    expect(given).toMatchObject({
      response_type: "code",
      client_id: "fettle",
      redirect_uri: providerRedirectUri + organization.owner.organizationId,
      scope: "openid email profile",
      code_challenge_method: "S256",
      login_hint: email,
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(given[name], name).toMatch(/^[\w-]{43}$/);
    }
    const before = new Map(browser.cookies);
    const back = await walk(url.href);
    expect(back.searchParams.get("iss")).toBe(provider().issuer);
    const landed = await browser.get(back.pathname + back.search);
    expect(landed.headers.location).toBe("/");
    expect(await isSignedIn(browser)).toBe(true);
    expect([...browser.cookies]).not.toEqual([...before]);
    expect((await browser.get("/")).body).toContain(member.name);
    expect(await identitiesOf(member)).toEqual([{ subject: `sub-${domain}`, multi_factor: false }]);
    expect((await browser.get("/settings/activity")).body).toContain(
      "signed in with the identity provider",
    );
  });

  test("SSO-02 continues with the app's request after the sign-in", async () => {
    const { app } = current();
    const browser = createBrowser(app);
    const asked = await browser.get(authorizeUrl(await aClient(app), aChallenge()));
    const page = await follow(browser, asked);
    const way = /href="(\/signin\/provider\?next=[^"]+)"/.exec(page.body)?.[1] ?? "";
    const landed = await follow(browser, await signInAtProvider(browser, organization.email, way));
    expect(landed.statusCode).toBe(200);
    expect(landed.body).toContain("Test app");
  });

  test.each([
    ["says that it is not", { email_verified: false }, "hasn't verified your email address"],
    ["says nothing of it", {}, "hasn't verified your email address"],
    ["says no address", { email: undefined }, "didn't send your email address"],
  ])("SSO-05 rejects an unverified address: the provider %s", async (_, said, text) => {
    const { sub, email } = provider().persona;
    provider().persona = { sub, ...(email !== undefined && { email }), ...said } as never;
    const browser = createBrowser(current().app);
    const refused = await signInAtProvider(browser, organization.email);
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain(text);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await identitiesOf(organization.member)).toEqual([]);
  });

  test("SSO-06 with its setting, addresses without a verification claim count; unverified ones never do", async () => {
    const { browser: owners, owner, email } = organization;
    await saveProvider(owners, owner, provider(), { verifies_addresses: "yes" });
    const { sub } = provider().persona;
    provider().persona = { sub, email, email_verified: false };
    expect((await signInAtProvider(createBrowser(current().app), email)).statusCode).toBe(403);
    provider().persona = { sub, email };
    const browser = createBrowser(current().app);
    expect((await signInAtProvider(browser, email)).statusCode).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("SSO-07 rejects addresses of other domains and organizations, and never links them", async () => {
    const other = await anOrganizationWith(current(), otherProvider());
    for (const email of [other.owner.email, "somebody@nowhere.example"]) {
      provider().persona = { sub: "evil", email, email_verified: true };
      const browser = createBrowser(current().app);
      const refused = await signInAtProvider(browser, organization.email);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).toContain("hasn't verified the domain");
      expect(await isSignedIn(browser)).toBe(false);
    }
    expect(await identitiesOf(other.owner)).toEqual([]);
  });

  test("SSO-08 a mismatched address or subject opens no other person's account", async () => {
    const { email, member, owner, domain } = organization;
    await signInAtProvider(createBrowser(current().app), email);
    provider().persona = { sub: "new-hire", email, email_verified: true };
    const browser = createBrowser(current().app);
    const refused = await signInAtProvider(browser, email);
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain("account with another identity");
    expect(await isSignedIn(browser)).toBe(false);

    // Ada has the owner's address now. It is still Ada's account.
    provider().persona = { sub: `sub-${domain}`, email: owner.email, email_verified: true };
    const ada = createBrowser(current().app);
    expect((await signInAtProvider(ada, email)).statusCode).toBe(303);
    expect((await ada.get("/settings")).body).toContain(member.email);
    expect(await identitiesOf(owner)).toEqual([]);
  });

  test("SSO-09 an owner releases an account, and the next sign-in links it again", async () => {
    const { email, member, browser: owners } = organization;
    await signInAtProvider(createBrowser(current().app), email);
    const address = `/settings/members/${member.userId}`;
    expect((await owners.get(address)).body).toContain("Last sign-in");
    const done = await owners.submitForm(await owners.get(`${address}/release`), {});
    expect(done.headers.location).toBe(address);
    provider().persona = { sub: "renewed", email, email_verified: true };
    const browser = createBrowser(current().app);
    await signInAtProvider(browser, email);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await identitiesOf(member)).toMatchObject([{ subject: "renewed" }]);
  });

  test("SSO-10 never takes over accounts of non-members in the domain, invited or not", async () => {
    const { browser: owners, domain } = organization;
    const stranger = await aMember(current().db, { email: `stranger@${domain}` });
    provider().persona = { sub: "stranger", email: stranger.email, email_verified: true };
    for (const isInvited of [false, true]) {
      if (isInvited) await invite(owners, stranger.email);
      const browser = createBrowser(current().app);
      const refused = await signInAtProvider(browser, stranger.email);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).toContain("Ask one of its admins for an invitation");
      expect(await isSignedIn(browser)).toBe(false);
    }
    expect(await identitiesOf(stranger)).toEqual([]);
  });

  test("SSO-11 admits a person without an account only through an open invitation", async () => {
    const { browser: owners, domain } = organization;
    const email = `new@${domain}`;
    provider().persona = { sub: "new", email, email_verified: true, name: "Nia New" };
    const browser = createBrowser(current().app);
    const refused = await signInAtProvider(browser, email);
    expect(refused.statusCode).toBe(403);
    const accounts = await current().db.query("SELECT FROM users WHERE email = $1", [email]);
    expect(accounts).toEqual([]);
    await invite(owners, email);
    expect((await signInAtProvider(browser, email)).statusCode).toBe(303);
    expect((await browser.get("/settings")).body).toContain("Nia New");
    const again = createBrowser(current().app);
    await signInAtProvider(again, email);
    expect(await isSignedIn(again)).toBe(true);
    expect((await owners.get("/settings/members")).body).toContain("Nia New");

    // The account has no password for confirmation, so the provider must authenticate the person
    // again.
    const question = await follow(again, await again.get(`${security}/authenticator`));
    expect(question.body).toContain("Sign in again with your organization");
    const sent = await again.submitForm(question, {}, { action: "/signin/provider" });
    const url = new URL(String(sent.headers.location));
    expect(url.searchParams.get("max_age")).toBe("0");
    const back = await walk(url.href);
    const landed = await follow(again, await again.get(back.pathname + back.search));
    expect(landed.statusCode).toBe(200);
    expect(landed.body).toContain("Set up");
  });

  test("SSO-12 requires the account's second factor unless a linked provider asked for more", async () => {
    const { email, member } = organization;
    const { app, db } = current();
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    const persona = provider().persona;
    // The provider of the domain claims "mfa". That doesn't bypass the factor that existed before.
    provider().persona = { ...persona, amr: ["pwd", "mfa"] };
    const browser = createBrowser(app);
    const asked = await signInAtProvider(browser, email);
    expect(asked.headers.location).toBe("/signin/second-factor");
    expect(await isSignedIn(browser)).toBe(false);
    expect(await identitiesOf(member)).toEqual([]);
    const page = await browser.get("/signin/second-factor");
    expect(page.body).toContain("Your organization signed you in.");
    await browser.submitForm(page, { code: await freshCode(db, member, secret) });
    expect(await isSignedIn(browser)).toBe(true);
    expect(await identitiesOf(member)).toMatchObject([{ multi_factor: true }]);

    const second = createBrowser(app);
    expect((await signInAtProvider(second, email)).headers.location).toBe("/");
    provider().persona = { ...persona, amr: ["pwd"] };
    const third = createBrowser(app);
    expect((await signInAtProvider(third, email)).headers.location).toBe("/signin/second-factor");
  });

  test("SSO-56 a provider alone confirms no change for an account with a second factor", async () => {
    const { email, member } = organization;
    const { app, db } = current();
    const { secret } = await setUpAuthenticator(await signIn(app, member), member);
    provider().persona = { ...provider().persona, amr: ["pwd", "mfa"] };
    const browser = createBrowser(app);
    await signInAtProvider(browser, email);
    const page = await browser.get("/signin/second-factor");
    await browser.submitForm(page, { code: await freshCode(db, member, secret) });
    const bound = createBrowser(app);
    const form = await bound.get("/signin/provider");
    const sent = await bound.submitForm(form, { email, again: "yes" });
    const back = await walk(String(sent.headers.location));
    await bound.get(back.pathname + back.search);
    expect(await isSignedIn(bound)).toBe(true);
    const remove = await bound.get(`${security}/authenticator/remove`);
    expect(remove.headers.location).toContain(`${security}/confirm`);
  });

  test("SSO-13 provider factors count as second factor in its organization and this session only", async () => {
    const { owner, browser: owners } = organization;
    const { app, db } = current();
    await db.query("UPDATE organizations SET admins_need_second_factor = true WHERE id = $1", [
      owner.organizationId,
    ]);
    expect((await owners.get("/settings/members")).headers.location).toBe(security);
    provider().persona = {
      sub: `owner-of-${owner.organizationId}`,
      email: owner.email,
      email_verified: true,
      amr: ["mfa"],
    };
    const browser = createBrowser(app);
    await signInAtProvider(browser, owner.email);
    expect((await browser.get("/settings/members")).statusCode).toBe(200);
    expect((await owners.get("/settings/members")).headers.location).toBe(security);
  });

  test("SSO-22 provider factors count for app calls too, until a sign-in without them", async () => {
    const { owner } = organization;
    const session = await connect(current(), { member: owner });
    const { asset } = await session.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      { name: "Pump" },
    );
    await current().db.query(
      `UPDATE organizations SET admins_need_second_factor = true,
         destructive_needs_second_factor = true WHERE id = $1`,
      [owner.organizationId],
    );
    const deletion = { asset_id: asset.id, confirm_inventory_number: asset.inventory_number };
    const signInWith = async (amr: string[]) => {
      const { email } = owner;
      const sub = `owner-of-${owner.organizationId}`;
      provider().persona = { sub, email, email_verified: true, amr };
      await signInAtProvider(createBrowser(current().app), email);
    };

    await signInWith(["pwd"]);
    await session.refused("create_workspace", { name: "Hall" });
    await session.refused("force_delete_asset", { ...deletion, dry_run: true });
    await signInWith(["mfa"]);
    await session.ok("create_workspace", { name: "Hall" });
    await session.ok("force_delete_asset", { ...deletion, dry_run: true });
    await signInWith(["pwd"]);
    await session.refused("create_workspace", { name: "Yard" });
    await session.refused("force_delete_asset", deletion);
  });

  test("SSO-16 reveals domains, but never accounts", async () => {
    const { domain, email } = organization;
    const answers = await Promise.all(
      [email, `nobody@${domain}`].map((one) => startAtProvider(createBrowser(current().app), one)),
    );
    for (const { statusCode, headers } of answers) {
      expect(statusCode).toBe(303);
      expect(new URL(String(headers.location)).origin).toBe(provider().issuer);
    }
    const unknown = await startAtProvider(createBrowser(current().app), "me@nowhere.example");
    expect(unknown.statusCode).toBe(400);
    expect(unknown.body).toContain("No organization here has set up");
  });

  test("SSO-17 an unverified domain redirects nowhere and signs no one in", async () => {
    const { db } = current();
    const { domain, email } = organization;
    const browser = createBrowser(current().app);
    const sent = await startAtProvider(browser, email);
    await db.query("UPDATE identity_provider_domains SET verified_at = NULL WHERE domain = $1", [
      domain,
    ]);
    const back = await walk(String(sent.headers.location));
    const refused = await browser.get(back.pathname + back.search);
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain("hasn't verified the domain");
    expect((await startAtProvider(createBrowser(current().app), email)).statusCode).toBe(400);
  });

  test("SSO-18 does not change the signed-in person", async () => {
    const { browser: owners, email, owner } = organization;
    const landed = await signInAtProvider(owners, email);
    expect(landed.statusCode).toBe(403);
    expect(landed.body).toContain("Someone else is signed in");
    expect((await owners.get("/settings")).body).toContain(owner.email);
  });

  test("SSO-19 rejects removed members and deactivated accounts", async () => {
    const { db, app } = current();
    const { email, member } = organization;
    await signInAtProvider(createBrowser(app), email);
    await db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [member.userId]);
    expect((await signInAtProvider(createBrowser(app), email)).statusCode).toBe(403);
    await db.query("UPDATE users SET deactivated_at = NULL WHERE id = $1", [member.userId]);
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      member.userId,
    ]);
    expect((await signInAtProvider(createBrowser(app), email)).statusCode).toBe(403);
    await invite(organization.browser, email);
    expect((await signInAtProvider(createBrowser(app), email)).statusCode).toBe(303);
  });

  test("SSO-20 when provider-only, right, wrong and unknown passwords all lead to the provider", async () => {
    const { app } = current();
    const { owner, browser: owners, email, domain, member } = organization;
    const outsider = await aMember(current().db, { email: `outsider@${domain}` });
    provider().persona = { sub: `own-${domain}`, email: owner.email, email_verified: true };
    await signInAtProvider(createBrowser(app), owner.email);
    const saved = await setSsoRequired(owners, owner, {
      sso_required: "yes",
      break_glass_owner: owner.userId,
    });
    expect(saved.statusCode).toBe(303);
    const pages = [];
    for (const fields of [
      { email, password: member.password },
      { email, password: "not the right one" },
      { email: `nobody@${domain}`, password: "not the right one" },
    ]) {
      const browser = createBrowser(app);
      const refused = await browser.submitForm(await browser.get("/signin"), fields);
      expect(refused.statusCode).toBe(403);
      expect(refused.body).toContain("has to sign in with their organization's identity provider");
      expect(await isSignedIn(browser)).toBe(false);
      pages.push(refused.body.replaceAll(fields.email, "").replace(/_csrf" value="[^"]+"/, ""));
      const sent = await browser.submitForm(refused, {});
      expect(new URL(String(sent.headers.location)).origin).toBe(provider().issuer);
    }
    expect(new Set(pages).size).toBe(1);
    // The rule exempts these people.
    for (const one of [owner, outsider]) {
      expect(await isSignedIn((await enterPassword(app, one)).browser)).toBe(true);
    }
  });
});
