import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { cleanUpAuthorization } from "../../../server/src/domain/oauth/oauth-cleanup.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { aClient, approve, connect, exchange, register, signIn } from "../../support/oauth.js";

describe("client registration", () => {
  const current = useApp();

  const registerUris = (...uris: unknown[]) => register(current().app, { redirect_uris: uris });

  test("REG-01, REG-02: a public client gets its effective metadata and no secret", async () => {
    const answer = await register(current().app, { scope: "mcp_write" });

    expect(answer.statusCode).toBe(201);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toEqual({
      client_id: expect.stringMatching(/^mcp_client_[\w-]{22}$/) as string,
      client_id_issued_at: expect.any(Number) as number,
      redirect_uris: ["https://client.example/callback"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      scope: "mcp_write",
      client_name: "Test app",
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("REG-03, REG-04: without a method the client gets a secret, stored only as a hash", async () => {
    const answer = await register(current().app, { token_endpoint_auth_method: undefined });

    const body = answer.json<{ client_id: string; client_secret: string }>();
    expect(body).toMatchObject({
      token_endpoint_auth_method: "client_secret_basic",
      client_secret_expires_at: 0,
      client_secret: expect.stringMatching(/^mcp_cs_[\w-]{43}$/) as string,
    });
    const row = await current().db.maybe<{ secret_hash: Buffer; text: string }>(
      "SELECT secret_hash, oauth_clients::text AS text FROM oauth_clients WHERE id = $1",
      [body.client_id],
    );
    expect(row?.secret_hash).toEqual(hashSecret(body.client_secret));
    expect(row?.text).not.toContain(body.client_secret);
  });

  test("REG-05, REG-19, REG-25: drops supplied ids, secrets and unknown members", async () => {
    const answer = await register(current().app, {
      client_id: "https://chosen.example/id",
      client_secret: "chosen",
      favourite_colour: "green",
      software_statement: "eyJhbGciOiJub25lIn0.e30.",
      jwks_uri: "http://169.254.169.254/jwks.json",
    });

    const body = answer.json<Record<string, unknown>>();
    expect(answer.statusCode).toBe(201);
    expect(body["client_id"]).toMatch(/^mcp_client_/);
    expect(body).not.toHaveProperty("client_secret");
    expect(body).not.toHaveProperty("favourite_colour");
    expect(body).not.toHaveProperty("software_statement");
    expect(body).not.toHaveProperty("jwks_uri");
  });

  test.each([
    [undefined],
    [[]],
    ["https://a.example/cb"],
    [[7]],
    [Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`)],
    [[`https://a.example/${"x".repeat(2048)}`]],
    [[{ toString: "https://a.example" }]],
  ])("REG-06: rejects redirect_uris %j", async (uris) => {
    const answer = await register(current().app, { redirect_uris: uris });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_redirect_uri" });
  });

  test.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a.example/x",
    "about:blank",
    "http://evil.example/cb",
    "http://127.0.0.1.evil.example/cb",
    "http://localhost.evil.example/cb",
    "http://127.0.0.1:1@evil.example/cb",
    "https://a.example/cb#fragment",
    "https://user@a.example/cb",
    "https://*.a.example/cb",
    "https://a.example\\cb",
    "https://a.example/x/../cb",
    "https://a.example/%2e%2e/cb",
    "http://0x7f000001/",
    "http://127.1/",
    "https://a.example:443/cb",
    "https://A.example/cb",
    "https://a;b.example/",
    "https://a,b.example/",
    "https://a'b.example/",
    "https://a b.example/",
    "https://a.example/\u0000",
    "foo:/cb",
    "com.example.app:cb",
    "slack://cb",
    "/cb",
    "",
  ])("REG-07, REG-08, REG-10, REG-11, REG-12: rejects %j", async (uri) => {
    const answer = await registerUris(uri);

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_redirect_uri" });
  });

  test.each([
    ["http://127.0.0.1/cb"],
    ["http://[::1]/cb"],
    ["http://localhost:1234/cb"],
    ["https://claude.ai/api/mcp/auth_callback"],
    ["https://global.consent.azure-apim.net/redirect/some-tool?x=1"],
    ["com.example.app:/cb"],
    [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
    ],
    [
      "https://vscode.dev/redirect",
      "https://insiders.vscode.dev/redirect",
      "http://127.0.0.1/",
      "http://127.0.0.1:33418/",
      "vscode://some.extension/cb",
    ],
  ])("REG-09, REG-12: accepts %s", async (...uris) => {
    const answer = await registerUris(...uris);

    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ redirect_uris: uris });
  });

  test.each([
    { grant_types: ["password"] },
    { grant_types: ["authorization_code", "implicit"] },
    { grant_types: ["client_credentials"] },
    { grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] },
    { grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"] },
    { grant_types: ["refresh_token"] },
    { grant_types: "authorization_code" },
    { response_types: ["token"] },
    { response_types: ["code", "token"] },
    { response_types: [] },
    { token_endpoint_auth_method: "private_key_jwt" },
    { token_endpoint_auth_method: "__proto__" },
    { client_name: "<b>App</b>" },
    { client_name: "two\nlines" },
    { client_name: "evil\u202Egnp.exe" },
    { client_name: "zero\u200Bwidth" },
    { client_name: "fil\u3164ler" },
    { client_name: "sel\uFE01ector" },
    { client_name: "\u0301".repeat(31) },
    { client_name: "x".repeat(101) },
    { client_name: 7 },
    { client_uri: "http://a.example" },
    { logo_uri: "http://a.example/logo.png" },
    { tos_uri: "javascript:alert(1)" },
    { policy_uri: "no address" },
    { contacts: "someone" },
    { scope: ["mcp_read"] },
  ])("REG-13, REG-14, REG-15, REG-17, REG-18: rejects %j", async (metadata) => {
    const answer = await register(current().app, metadata);

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_client_metadata" });
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  test("REG-16: drops unknown scopes, and omits an empty scope from the response", async () => {
    const mixed = await register(current().app, { scope: "mcp_read claudeai offline_access" });
    const unknown = await register(current().app, { scope: "claudeai" });

    expect(mixed.json()).toMatchObject({ scope: "mcp_read" });
    expect(unknown.json()).not.toHaveProperty("scope");
  });

  test.each([
    ["invalid JSON", "application/json", "{", 400],
    ["an array", "application/json", "[]", 400],
    ["a text", "application/json", '"x"', 400],
    ["nothing", "application/json", "", 400],
    ["a poisoned prototype", "application/json", '{"__proto__":{"a":1}}', 400],
    ["a constructor", "application/json", '{"constructor":{"prototype":{}}}', 400],
    ["deep nesting", "application/json", "[".repeat(20_000), 400],
    ["a form", "application/x-www-form-urlencoded", "redirect_uris=x", 400],
    ["a megabyte", "application/json", JSON.stringify({ x: "x".repeat(1_000_000) }), 413],
  ])("REG-20: rejects %s with OAuth JSON", async (_name, type, payload, status) => {
    const answer = await current().app.inject({
      method: "POST",
      url: "/oauth/register",
      headers: { "content-type": type },
      payload,
    });

    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: "invalid_client_metadata" });
  });

  test("REG-21: other methods get 405, a preflight from any origin is answered", async () => {
    const { app } = current();
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      const answer = await app.inject({ method, url: "/oauth/register" });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe("POST");
    }

    const preflight = await app.inject({
      method: "OPTIONS",
      url: "/oauth/register",
      headers: { origin: "https://a.example" },
    });

    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers["access-control-allow-origin"]).toBe("*");
    expect(preflight.headers["access-control-allow-headers"]).toContain("mcp-protocol-version");
    expect(preflight.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  test("REG-24: a registered client has no connections", async () => {
    const { app, db } = current();
    const client = await aClient(app);

    const connections: unknown = await db.query(
      "SELECT 1 FROM oauth_connections WHERE client_id = $1",
      [client.id],
    );

    expect(connections).toEqual([]);
  });
});

describe("authorization cleanup", () => {
  const current = useApp();

  test("REG-23, OPS-02: removes unused clients after two weeks, keeps approved and built-in ones", async () => {
    const { app, db } = current();
    const { client } = await connect(app, await aMember(db));
    await db.query(
      `INSERT INTO oauth_clients (id, redirect_uris, grant_types, token_endpoint_auth_method)
       SELECT 'unused-' || n, '{https://a.example/}', '{authorization_code}', 'none'
       FROM generate_series(1, 2500) n`,
    );
    await db.query("UPDATE oauth_clients SET created_at = now() - interval '15 days'");
    const young = await aClient(app);

    await cleanUpAuthorization(db);

    const left = await db.query<{ id: string }>("SELECT id FROM oauth_clients");
    expect(new Set(left.map(({ id }) => id))).toEqual(
      new Set(["fettle-bridge", client.id, young.id]),
    );
  });

  test("OPS-02: removes expired requests, codes, tokens and encrypted successors, keeps live ones", async () => {
    const { app, db } = current();
    const { tokens, client, browser } = await connect(app, await aMember(db));
    await exchange(app, await approve(browser, client));
    const count = async (table: string) => {
      const row = await db.maybe<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
      return row?.n ?? 0;
    };
    const live = await count("oauth_refresh_tokens");
    await signIn(app, await aMember(db));

    await cleanUpAuthorization(db);
    expect(await count("oauth_authorization_codes")).toBeGreaterThan(0);
    await db.query(
      "UPDATE oauth_authorization_codes SET expires_at = now() - interval '61 minutes'",
    );
    await db.query(
      "UPDATE oauth_authorization_requests SET created_at = now() - interval '61 minutes'",
    );
    await db.query("UPDATE oauth_access_tokens SET expires_at = now() - interval '25 hours'");
    await db.query(
      `INSERT INTO oauth_refresh_tokens
         (token_hash, organization_id, connection_id, rotated_at, successor_encrypted)
       SELECT sha256(connection_id::bytea), organization_id, connection_id, now() - interval '2 hours', 'x'
       FROM oauth_refresh_tokens`,
    );
    await cleanUpAuthorization(db);

    expect(await count("oauth_authorization_codes")).toBe(0);
    expect(await count("oauth_authorization_requests")).toBe(0);
    expect(await count("oauth_access_tokens")).toBe(0);
    expect(await count("oauth_refresh_tokens")).toBe(2 * live);
    expect(await count("oauth_refresh_tokens WHERE successor_encrypted IS NOT NULL")).toBe(0);
    await db.query(
      "UPDATE oauth_refresh_tokens SET rotated_at = now() - interval '181 days' WHERE rotated_at IS NOT NULL",
    );
    await cleanUpAuthorization(db);
    expect(await count("oauth_refresh_tokens")).toBe(live);
    expect(tokens.refresh_token).not.toBe("");
  });
});

describe("limits", () => {
  const current = useApp({ rateLimit: true });

  test("REG-22, OPS-01: allows sixty registrations a minute, then returns 429 with Retry-After", async () => {
    const { app } = current();
    for (let number = 0; number < 60; number += 1) {
      expect((await register(app, { redirect_uris: [] })).statusCode).toBe(400);
    }

    const answer = await register(app);

    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toMatchObject({ error: "temporarily_unavailable" });
  });

  test("OPS-01: allows one client sixty token requests a minute, without affecting others", async () => {
    const { app } = current();
    const post = (clientId: string) =>
      app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: `client_id=${clientId}`,
      });
    for (let number = 0; number < 60; number += 1) await post("fettle-bridge");

    const same = await post("fettle-bridge");
    const other = await post("another");

    expect(same.statusCode).toBe(429);
    expect(Number(same.headers["retry-after"])).toBeGreaterThan(0);
    expect(other.statusCode).toBe(400);
  });
});

describe("rate limit across all addresses", () => {
  const current = useApp({ rateLimit: true, trustProxy: 1 });

  test("REG-22: allows six hundred registrations a minute, then returns 429 for every address", async () => {
    const { app } = current();
    const registerFrom = (address: string) =>
      app.inject({
        method: "POST",
        url: "/oauth/register",
        headers: { "x-forwarded-for": address },
        payload: { redirect_uris: [] },
      });
    // A single address doesn't use up the limit for all.
    for (let number = 0; number < 600; number += 1) await registerFrom("203.0.113.200");
    for (let number = 0; number < 540; number += 1) {
      expect((await registerFrom(`203.0.113.${number % 180}`)).statusCode).toBe(400);
    }

    const answer = await registerFrom("198.51.100.1");

    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.json()).toMatchObject({ error: "temporarily_unavailable" });
  });
});
