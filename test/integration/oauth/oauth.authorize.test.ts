import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import {
  aChallenge,
  aClient,
  approve,
  authorizeUrl,
  callback,
  connect,
  follow,
  openConsent,
  returnOf,
  signIn,
  type TestClient,
} from "../../support/oauth.js";

describe("authorization endpoint", () => {
  const current = useApp();
  let client: TestClient;
  let browser: TestBrowser;
  let member: Member;
  const challenge = aChallenge();

  beforeAll(async () => {
    const { app, db } = current();
    member = await aMember(db);
    browser = await signIn(app, member);
    client = await aClient(app, { redirect_uris: [callback] });
  });

  const open = (changes: Record<string, string | undefined>, of = client) =>
    browser.get(authorizeUrl(of, challenge, changes));

  async function expectDeadEnd(url: string) {
    for (const visitor of [browser, createBrowser(current().app)]) {
      const answer = await visitor.get(url);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers["content-type"]).toMatch(/^text\/html/);
      expect(answer.headers.location).toBeUndefined();
    }
  }

  async function expectError(changes: Record<string, string | undefined>, error: string) {
    const answer = await open(changes);
    expect(answer.statusCode).toBe(303);
    const { base, values } = returnOf(answer);
    expect(base).toBe(callback);
    expect(values.get("error")).toBe(error);
    expect(values.getAll("state")).toEqual(["state-1"]);
    expect(values.get("iss")).toBe(current().config.baseUrl);
    expect(values.has("code")).toBe(false);
    expect(values.get("error_description")).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  }

  test.each([undefined, "unknown", "x\0", "<script>"])(
    "AUT-01: rejects client_id %j without a redirect, signed in or not",
    async (id) => {
      await expectDeadEnd(authorizeUrl(client, challenge, { client_id: id }));
    },
  );

  test.each([
    "https://other.example/callback",
    "https://client.example/callback/",
    "https://client.example/callback/..",
    "https://client.example/callback%2f",
    "https://client.example/callback?x",
    "https://client.example/callback?x=1",
    "https://client.example/Callback",
    "https://CLIENT.example/callback",
    "https://client.example.evil.example/callback",
    "https://client.example:8443/callback",
    "http://client.example/callback",
    "https://client.example/callback\r\nset-cookie: x=1",
    "javascript:alert(1)",
  ])("AUT-02, AUT-05, AUT-28: rejects the redirect URI %j without a redirect", async (uri) => {
    await expectDeadEnd(authorizeUrl(client, challenge, { redirect_uri: uri }));
  });

  test("AUT-03, AUT-04: on loopback only the port may differ", async () => {
    const native = await aClient(current().app, { redirect_uris: ["http://127.0.0.1/callback"] });

    for (const uri of ["http://127.0.0.1:51234/callback", "http://127.0.0.1/callback"]) {
      const answer = await open({ redirect_uri: uri }, native);
      expect(answer.headers.location).toMatch(/^\/oauth\/consent\//);
    }
    for (const uri of [
      "http://localhost:51234/callback",
      "http://[::1]:51234/callback",
      "http://127.0.0.1:51234/other",
      "http://127.0.0.1:51234/callback?x=1",
      "https://127.0.0.1:51234/callback",
      "http://127.0.0.1:1@evil.example/callback",
    ]) {
      await expectDeadEnd(authorizeUrl(native, challenge, { redirect_uri: uri }));
    }
  });

  test("AUT-06: a missing redirect URI defaults to the only registered one", async () => {
    const several = await aClient(current().app, {
      redirect_uris: [callback, "https://client.example/second"],
    });

    const answer = await open({ redirect_uri: undefined });

    expect(answer.headers.location).toMatch(/^\/oauth\/consent\//);
    await expectDeadEnd(authorizeUrl(several, challenge, { redirect_uri: undefined }));
  });

  test("AUT-07: requires sign-in first, whatever else is wrong", async () => {
    for (const changes of [{ response_type: "token" }, { prompt: "none" }, { scope: "x" }]) {
      const answer = await createBrowser(current().app).get(
        authorizeUrl(client, challenge, changes),
      );
      expect(answer.statusCode).toBe(303);
      expect(answer.headers.location).toMatch(/^\/signin/);
    }
  });

  test("AUT-07: shows the request's consent page after sign-in", async () => {
    const visitor = createBrowser(current().app);
    const signInPage = await follow(visitor, await visitor.get(authorizeUrl(client, challenge)));

    const answer = await visitor.submitForm(signInPage, {
      email: member.email,
      password: member.password,
    });
    const page = await follow(visitor, answer);

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("wants to connect");
  });

  test.each([
    [{ response_type: undefined }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: "id_token" }, "unsupported_response_type"],
    [{ response_type: "code token" }, "unsupported_response_type"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: "" }, "invalid_request"],
    [{ code_challenge: "abc" }, "invalid_request"],
    [{ code_challenge: "a".repeat(44) }, "invalid_request"],
    [{ code_challenge: "a".repeat(42) + "=" }, "invalid_request"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: "s256" }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ resource: "https://other.example/mcp" }, "invalid_target"],
    [{ resource: "/mcp" }, "invalid_target"],
    [{ resource: "http://localhost:3000/mcp#x" }, "invalid_target"],
    [{ request: "eyJ" }, "request_not_supported"],
    [{ request_uri: "https://evil.example/r" }, "request_uri_not_supported"],
    [{ response_mode: "fragment" }, "invalid_request"],
    [{ response_mode: "form_post" }, "invalid_request"],
    [{ prompt: "none" }, "interaction_required"],
    [{ login_hint: "a\0b" }, "invalid_request"],
  ])(
    "AUT-08..11, AUT-14, AUT-17..20, AUT-22, AUT-23: %j redirects back with %s",
    async (changes, error) => {
      await expectError(changes, error);
    },
  );

  test("AUT-09: an error stores no code and no request", async () => {
    const { db } = current();
    const count = () =>
      db.query(
        `SELECT (SELECT count(*) FROM oauth_authorization_requests)
           + (SELECT count(*) FROM oauth_authorization_codes) AS n`,
      );
    const before: unknown = await count();

    await open({ code_challenge: undefined });

    expect(await count()).toEqual(before);
  });

  test("AUT-12: a repeated client or redirect URI gets no redirect, other repeats redirect back", async () => {
    const url = authorizeUrl(client, challenge);
    const again = (name: string, value: string) => `${url}&${name}=${encodeURIComponent(value)}`;

    await expectDeadEnd(again("client_id", client.id));
    await expectDeadEnd(again("redirect_uri", callback));
    for (const name of ["code_challenge_method", "response_type", "code_challenge"]) {
      const answer = await browser.get(again(name, "S256"));
      expect(returnOf(answer).values.get("error")).toBe("invalid_request");
    }
    const twoStates = returnOf(await browser.get(again("state", "other"))).values;
    expect(twoStates.get("error")).toBe("invalid_request");
    expect(twoStates.has("state")).toBe(false);
    const resource = `${current().config.baseUrl}/mcp`;
    const twoResources = await browser.get(
      `${again("resource", resource)}&resource=${encodeURIComponent(resource)}`,
    );
    expect(returnOf(twoResources).values.get("error")).toBe("invalid_target");
  });

  test.each([
    { scope: "", resource: "", prompt: "" },
    { unknown: "x", dpop_jkt: "x", authorization_details: "[]", claims: "{}" },
    { response_mode: "query", prompt: "consent" },
    { resource: "http://localhost:3000/mcp" },
    { resource: "http://LOCALHOST:3000/mcp/" },
    { resource: undefined, scope: undefined, state: undefined },
    { scope: "claudeai offline_access" },
  ])("AUT-13..16, AUT-18, AUT-31: accepts %j", async (changes) => {
    const answer = await open(changes);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toMatch(/^\/oauth\/consent\/[\w-]{43}$/);
  });

  test.each(["plain", "a+b c%20d&e=f#g", "zażółć 👋", "x".repeat(2048), '"><script>', "\r\nx: y"])(
    "AUT-20, AUT-28: returns the state %j unchanged, once, with iss",
    async (state) => {
      const page = await openConsent(browser, client, challenge, { state });
      const allowed = returnOf(
        await browser.submitForm(page, { scope: "mcp_read", decision: "allow" }),
      ).values;
      const failed = returnOf(await open({ state, response_type: "x" })).values;

      for (const values of [allowed, failed]) {
        expect(values.getAll("state")).toEqual([state]);
        expect(values.getAll("iss")).toEqual([current().config.baseUrl]);
      }
    },
  );

  test("AUT-21: keeps the query of a redirect URI unchanged", async () => {
    const uri = "https://client.example/callback?a=1%20x&b=%2F";
    const withQuery = await aClient(current().app, { redirect_uris: [uri] });

    const answer = await open({ redirect_uri: uri, response_type: "x" }, withQuery);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toMatch(
      /^https:\/\/client\.example\/callback\?a=1%20x&b=%2F&error=/,
    );
  });

  test("AUT-24: a bearer token doesn't replace sign-in", async () => {
    const { app, db } = current();
    const { tokens } = await connect(app, await aMember(db));

    const answer = await app.inject({
      url: authorizeUrl(client, challenge),
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });

    expect(answer.headers.location).toMatch(/^\/signin/);
  });

  test.each(["POST", "PUT", "DELETE", "HEAD", "OPTIONS"] as const)(
    "AUT-25, AUT-26: %s gets 405, without CORS headers",
    async (method) => {
      const answer = await current().app.inject({
        method,
        url: authorizeUrl(client, challenge),
        headers: { origin: "https://a.example" },
      });

      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe("GET");
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    },
  );

  test("AUT-26, AUT-27, CON-17: pages have security headers and no CORS headers", async () => {
    const consent = await openConsent(browser, client, challenge);
    const deadEnd = await open({ client_id: "unknown" });

    for (const { headers } of [consent, deadEnd]) {
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("form-action");
      expect(policy).not.toContain("upgrade-insecure-requests");
      expect(headers).toMatchObject({
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(headers["cross-origin-opener-policy"]).toBeUndefined();
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("AUT-29: two simultaneous requests each return to their own client and state", async () => {
    const other = await aClient(current().app, { redirect_uris: ["https://other.example/cb"] });
    const first = await openConsent(browser, client, challenge, { state: "one" });
    const second = await openConsent(browser, other, challenge, { state: "two" });

    const answers = [
      await browser.submitForm(first, { scope: "mcp_read", decision: "allow" }),
      await browser.submitForm(second, { scope: "mcp_read", decision: "allow" }),
    ].map(returnOf);

    expect(answers.map(({ base, values }) => [base, values.get("state")])).toEqual([
      [callback, "one"],
      ["https://other.example/cb", "two"],
    ]);
  });

  test("AUT-30: a code is long, valid for a minute, and bound to the approval", async () => {
    const approved = await approve(browser, client, { scope: ["mcp_write", "mcp_read"] });

    const rows: unknown = await current().db.query(
      `SELECT client_id, user_id, organization_id, scopes, resource, redirect_uri, code_challenge,
         extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM oauth_authorization_codes WHERE code_challenge = $1`,
      [approved.challenge],
    );

    expect(approved.code).toMatch(/^mcp_ac_[\w-]{43}$/);
    expect(rows).toEqual([
      {
        client_id: client.id,
        user_id: member.userId,
        organization_id: member.organizationId,
        scopes: ["mcp_read", "mcp_write"],
        resource: `${current().config.baseUrl}/mcp`,
        redirect_uri: callback,
        code_challenge: approved.challenge,
        seconds: 60,
      },
    ]);
  });

  test("AUT-28: answers an eight-kilobyte URL", async () => {
    const answer = await open({ state: "x".repeat(8000) });

    expect(answer.statusCode).toBe(303);
  });

  test("AUT-32: shows a person that they have no organization, and Deny notifies the app", async () => {
    const { app, db } = current();
    const alone = await aMember(db);
    const visitor = await signIn(app, alone);
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      alone.userId,
    ]);

    const page = await openConsent(visitor, client, challenge);
    const answer = await visitor.submitForm(page, { decision: "deny" });

    expect(page.body).toContain("You're not in an organization");
    expect(returnOf(answer).values.get("error")).toBe("access_denied");
  });
});
