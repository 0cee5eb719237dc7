import { beforeAll, describe, expect, test } from "vitest";
import { useApp, startApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import {
  localNetwork,
  useDocumentClient,
  useDocumentHost,
} from "../../support/client-documents.js";
import {
  aChallenge,
  approve,
  authorizeUrl,
  callWith,
  exchange,
  follow,
  openConsent,
  postForm,
  refresh,
  signIn,
  type Tokens,
} from "../../support/oauth.js";

describe("client described by a document", () => {
  const current = useApp({}, { documentNetwork: localNetwork });
  const host = useDocumentHost();
  const challenge = aChallenge();
  let member: Member;
  let browser: TestBrowser;

  beforeAll(async () => {
    member = await aMember(current().db);
    browser = await signIn(current().app, member);
  });

  const { expectDeadEnd, expectConsent, find, expire } = useDocumentClient(() => ({
    ...current(),
    browser,
    challenge,
  }));

  test("CIMD-01, CON-04: connects without registration, as a public client, under its domain", async () => {
    const { app } = current();
    const client = host().describe("/whole.json", { scope: "mcp_read mcp_write" });

    const page = await openConsent(browser, client, challenge);
    const tokens = (await exchange(app, await approve(browser, client))).json<Tokens>();
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    const apps = await browser.get("/settings/apps");

    expect(page.body).toContain('<bdi class="app-name">Described app</bdi> wants to connect');
    const { host: domain } = new URL(client.id);
    expect(page.body).toContain(
      `Described by <strong class="describer">${domain}</strong> (verified)`,
    );
    expect(page.body).toContain("returns to <strong>client.example</strong>");
    expect(page.body).not.toContain("Unverified");
    expect(apps.body).toContain(
      `Described by <strong dir="auto">${domain}</strong> (verified), returns to client.example`,
    );
    expect(await callWith(app, next.access_token)).toBe(200);
    const secret = { client_id: client.id, client_secret: "x", refresh_token: next.refresh_token };
    expect(
      (await postForm(app, "/oauth/token", { grant_type: "refresh_token", ...secret })).statusCode,
    ).toBe(401);
    await postForm(app, "/oauth/revoke", { client_id: client.id, token: next.refresh_token });
    expect(await callWith(app, next.access_token)).toBe(401);
    expect((await browser.get("/settings/apps")).body).not.toContain("Described app");
  });

  test.each([
    ["another address", (id: string) => id.replace(".json", "")],
    ["another spelling", (id: string) => id.replace("apps", "APPS")],
    ["a query more", (id: string) => `${id}?`],
    ["a list", (id: string) => [id]],
    ["nothing", () => undefined],
  ])("CIMD-01: rejects a document that names %s without a redirect", async (what, change) => {
    const path = `/${encodeURIComponent(what)}.json`;
    const client = host().describe(path, { client_id: change(host().url(path)) });

    await expectDeadEnd(client);

    expect(host().requests).toHaveLength(1);
    expect(await find(client)).toBeUndefined();
  });

  test.each([
    ["http", (id: string) => id.replace("https:", "http:")],
    ["an upper-case scheme", (id: string) => id.replace("https:", "HTTPS:")],
    ["no path", (id: string) => new URL(id).origin],
    ["an empty path", (id: string) => `${new URL(id).origin}/`],
    ["a fragment", (id: string) => `${id}#a`],
    ["an empty fragment", (id: string) => `${id}#`],
    ["a user", (id: string) => id.replace("://", "://user@")],
    ["a password", (id: string) => id.replace("://", "://:pass@")],
    ["dot segments", (id: string) => id.replace("/good", "/a/../good")],
    ["encoded dot segments", (id: string) => id.replace("/good", "/a/%2e%2E/good")],
    ["a single dot", (id: string) => id.replace("/good", "/./good")],
    ["a line break", (id: string) => `${id}\r\n`],
    ["a tab", (id: string) => id.replace("/good", "/\tgood")],
    ["NUL", (id: string) => `${id}\0`],
    ["a backslash", (id: string) => id.replace("/good", "\\good")],
    ["an upper-case host", (id: string) => id.replace("apps", "APPS")],
    ["a host of one word", (id: string) => id.replace("apps.example", "localhost")],
    ["a dot at the end of the host", (id: string) => id.replace(".example", ".example.")],
    ["too many characters", (id: string) => `${id}?${"x".repeat(512)}`],
  ])("CIMD-02: rejects an id with %s without a redirect or fetch", async (_what, change) => {
    const good = host().describe("/good.json");

    await expectDeadEnd({ ...good, id: change(good.id) });

    expect(host().connections()).toBe(0);
  });

  test("CIMD-02: rejects a document on this server", async () => {
    const itself = await startApp(
      { ...current().config, baseUrl: "https://fettle.apps.example" },
      current().db,
      { documentNetwork: localNetwork },
    );
    const visitor = await signIn(itself, member);
    const { id } = host().describe("/file.json");
    const own = { id: id.replace("apps.", "fettle.apps."), secret: undefined, redirectUri: "" };

    expect((await visitor.get(authorizeUrl(own, challenge))).statusCode).toBe(400);

    expect(host().connections()).toBe(0);
    await itself.close();
  });

  test.each([
    { client_secret: "abc" },
    { client_secret_expires_at: 0 },
    { token_endpoint_auth_method: "client_secret_basic" },
    { token_endpoint_auth_method: "client_secret_post" },
    { token_endpoint_auth_method: "client_secret_jwt" },
    { token_endpoint_auth_methods_supported: ["none", "client_secret_basic"] },
    { token_endpoint_auth_method: "private_key_jwt" },
    { token_endpoint_auth_method: "unknown" },
    { jwks: { keys: [{ kty: "EC", crv: "P-256", x: "a", y: "b", d: "c" }] } },
    { jwks: { keys: [{ kty: "RSA", n: "a", e: "AQAB", p: "c" }] } },
    { jwks: { keys: [{ kty: "oct", k: "c" }] } },
  ])("CIMD-06: rejects a document with %j without a redirect", async (changes) => {
    const path = `/${encodeURIComponent(JSON.stringify(changes))}`;
    await expectDeadEnd(host().describe(path, changes));
  });

  test.each([
    ["no client_name", { client_name: undefined }],
    ["an empty client_name", { client_name: "" }],
    ["markup", { client_name: "<b>App</b>" }],
    ["a bidirectional control", { client_name: "a\u202eb" }],
    ["no redirect_uris", { redirect_uris: undefined }],
    ["empty redirect_uris", { redirect_uris: [] }],
    ["javascript:", { redirect_uris: ["javascript:alert(1)"] }],
    ["http elsewhere", { redirect_uris: ["https://client.example/callback", "http://a.example/"] }],
    ["a foreign scheme", { redirect_uris: ["https://client.example/callback", "foo:/cb"] }],
    ["a fragment", { redirect_uris: ["https://client.example/callback#fragment"] }],
    ["no code grant", { grant_types: ["client_credentials"] }],
    ["no code response", { response_types: ["token"] }],
    ["a logo over http", { logo_uri: "http://client.example/logo.png" }],
  ])(
    "CIMD-09: rejects a document with %s without a redirect, like its registration",
    async (what, changes) => {
      const client = host().describe(`/${encodeURIComponent(what)}`, changes);
      await expectDeadEnd({ ...client, redirectUri: "https://client.example/callback" });
    },
  );

  test("CIMD-09: a native app may use any port, and the person is warned", async () => {
    const redirect_uris = ["http://localhost/callback", "http://127.0.0.1/callback"];
    const native = host().describe("/native.json", { redirect_uris });

    const pages = await Promise.all(
      ["http://localhost:51234/callback", "http://127.0.0.1:4321/callback"].map((redirect_uri) =>
        openConsent(browser, native, challenge, { redirect_uri }),
      ),
    );

    const domain = new URL(native.id).host;
    for (const page of pages) {
      expect(page.body).toContain(`Any program on that host can claim to be ${domain}.`);
      expect(page.body).toContain("Continue only if you just started this yourself.");
    }
    const website = await openConsent(browser, host().describe("/web.json"), challenge);
    expect(website.body).not.toContain("Any program");
    for (const redirect_uri of [
      "http://localhost:51234/other",
      "http://[::1]:51234/callback",
      "http://localhost.evil.example/callback",
      "https://client.example/callback",
    ]) {
      await expectDeadEnd(native, { redirect_uri });
    }
  });

  test("CIMD-08: fetches nothing before the person has signed in", async () => {
    const client = host().describe("/after-sign-in.json");
    const visitor = createBrowser(current().app);

    const signInPage = await follow(visitor, await visitor.get(authorizeUrl(client, challenge)));
    expect(host().connections()).toBe(0);
    const { email, password } = member;
    const page = await follow(visitor, await visitor.submitForm(signInPage, { email, password }));

    expect(page.body).toContain("Described app</bdi> wants to connect");
    expect(host().requests).toHaveLength(1);
  });

  test("CIMD-08: the page doesn't reveal the error", async () => {
    const clients = [
      host().describe("/wrong-1", { client_id: "x" }),
      host().describe("/wrong-2", {}, { status: 500 }),
      { ...host().describe("/wrong-3"), id: host().url("/wrong-3", "elsewhere.example") },
    ];
    const pages: string[] = [];
    for (const client of clients) pages.push((await expectDeadEnd(client)).body);

    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain("This server couldn't get details of the app that sent you here.");
  });

  test("CIMD-10: a code stays bound to its redirect URI, and withdrawn redirect URIs are rejected", async () => {
    const { app } = current();
    const [before, after] = ["https://client.example/before", "https://client.example/after"];
    const client = host().describe("/moving.json", { redirect_uris: [before] });
    const first = await approve(browser, client);
    const second = await approve(browser, client);
    const page = await openConsent(browser, client, challenge);
    host().describe("/moving.json", { redirect_uris: [after] });
    await expire(client);
    await expectConsent({ ...client, redirectUri: after });
    await expectDeadEnd(client);
    const late = await browser.submitForm(page, { scope: "mcp_read", decision: "allow" });

    const moved = await exchange(app, first, { redirect_uri: after });
    const bound = await exchange(app, second, { redirect_uri: before });

    expect(moved.json()).toMatchObject({ error: "invalid_grant" });
    expect(bound.statusCode).toBe(200);
    expect(late).toMatchObject({ statusCode: 400 });
    expect(late.headers.location).toBeUndefined();
  });

  test("NAM-01: marks a known name unless its own domain describes it", async () => {
    const borrowed = host().describe("/claude.json", {
      client_name: "Claude",
      redirect_uris: ["http://127.0.0.1/callback"],
    });

    const page = await openConsent(browser, borrowed, challenge);

    expect(page.body).toContain("resembles Claude");
    expect(page.body).toContain("Any program on that host can claim to be");
  });

  test("GRO-02: unapproved documents share the storage limit for unused clients", async () => {
    const unusedClientBytes = 16 * 1024;
    const small = await startApp(
      { ...current().config, retention: { ...current().config.retention, unusedClientBytes } },
      current().db,
      { documentNetwork: localNetwork },
    );
    // Clients of open consent pages are kept: 20 per person.
    const client_uri = `https://apps.example/${"x".repeat(1500)}`;
    const visitor = await signIn(small, await aMember(current().db));
    for (let n = 0; n < 40; n += 1) {
      const client = host().describe(`/many-${n}.json`, { client_uri });
      expect((await visitor.get(authorizeUrl(client, challenge))).statusCode).toBe(303);
    }

    const left = await current().db.maybe<{ n: number }>(
      "SELECT count(*)::int AS n FROM oauth_clients WHERE id LIKE '%/many-%'",
    );
    expect(left?.n).toBeLessThan(25);
    expect(left?.n).toBeGreaterThan(19);
    await small.close();
  });
});

describe("document settings of the server", () => {
  const current = useApp();
  const host = useDocumentHost();
  const challenge = aChallenge();

  test.each([
    [{ allowed: ["apps.example"] }, ["apps.example", "one.apps.example"], ["notapps.example"]],
    [{ allowed: ["one.apps.example"] }, ["one.apps.example"], ["apps.example", "two.apps.example"]],
    [{ denied: ["one.apps.example"] }, ["apps.example"], ["one.apps.example"]],
    [
      { allowed: ["apps.example"], denied: ["two.apps.example"] },
      ["apps.example"],
      ["two.apps.example"],
    ],
    [{ enabled: false }, [], ["apps.example"]],
  ])(
    "CIMD-11: %j allows documents of %j and rejects documents of %j",
    async (settings, yes, no) => {
      const { config, db } = current();
      const clientDocuments = { enabled: true, allowed: [], denied: [], ...settings };
      const app = await startApp({ ...config, clientDocuments }, db, {
        documentNetwork: localNetwork,
      });
      const browser = await signIn(app, await aMember(db));
      // Each has a different path, so nothing is cached.
      const path = `/${encodeURIComponent(JSON.stringify(settings))}`;
      const open = async (name: string) => {
        const client = host().describe(path, { client_id: host().url(path, name) });
        return browser.get(authorizeUrl({ ...client, id: host().url(path, name) }, challenge));
      };

      for (const name of yes) expect((await open(name)).statusCode).toBe(303);
      expect(host().requests).toHaveLength(yes.length);
      for (const name of no) expect((await open(name)).statusCode).toBe(400);
      expect(host().requests).toHaveLength(yes.length);
      const metadata = (await app.inject("/.well-known/oauth-authorization-server")).json<
        Record<string, unknown>
      >();
      expect(metadata["client_id_metadata_document_supported"]).toBe(clientDocuments.enabled);
      await app.close();
    },
  );

  test("CIMD-11: rejects a cached document without a redirect once its domain is denied", async () => {
    const { config, db } = current();
    const member = await aMember(db);
    const client = host().describe("/until-denied.json");
    const allDocuments = { enabled: true, allowed: [], denied: [] };
    const statuses: number[] = [];
    for (const clientDocuments of [
      allDocuments,
      { ...allDocuments, denied: ["apps.example"] },
      { ...allDocuments, enabled: false },
    ]) {
      const app = await startApp({ ...config, clientDocuments }, db, {
        documentNetwork: localNetwork,
      });
      const browser = await signIn(app, member);
      statuses.push((await browser.get(authorizeUrl(client, challenge))).statusCode);
      await app.close();
    }

    expect(statuses).toEqual([303, 400, 400]);
  });
});
