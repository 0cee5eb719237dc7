// @module-tag embedded

import { describe, expect, test } from "vitest";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { useApp } from "../../support/app.js";
import { toCookieHeader } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import {
  aClient,
  approve,
  callWith,
  connect,
  exchange,
  postForm,
  refresh,
  signIn,
  type Approved,
  type Tokens,
} from "../../support/oauth.js";

describe("token endpoint with a code", () => {
  const current = useApp();

  async function anApproval(metadata: Record<string, unknown> = {}): Promise<Approved> {
    const { app, db } = current();
    const client = await aClient(app, metadata);
    return approve(await signIn(app, await aMember(db)), client);
  }

  test("TOK-01, TOK-25: a valid request gets exactly the five members of RFC 6749", async () => {
    const answer = await exchange(current().app, await anApproval());

    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", pragma: "no-cache" });
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^mcp_at_[\w-]{43}$/) as string,
      token_type: "Bearer",
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^mcp_rt_[\w-]{43}$/) as string,
      scope: "mcp_read",
    });
    expect(await callWith(current().app, answer.json<Tokens>().access_token)).not.toBe(401);
  });

  test.each([
    ["application/json", "{}"],
    ["multipart/form-data; boundary=x", "--x--"],
    ["text/plain", "grant_type=authorization_code"],
  ])("TOK-02: a body of type %s is an invalid request", async (type, payload) => {
    const answer = await current().app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: { "content-type": type },
      payload,
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toMatchObject({ error: "invalid_request" });
  });

  test("TOK-02: a missing body is an invalid request", async () => {
    const answer = await current().app.inject({ method: "POST", url: "/oauth/token" });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_request" });
  });

  test.each(["GET", "PUT", "DELETE", "PATCH", "HEAD"] as const)(
    "TOK-03: %s gets 405 with Allow",
    async (method) => {
      const answer = await current().app.inject({ method, url: "/oauth/token" });

      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe("POST");
    },
  );

  test("TOK-04: ignores parameters in the query", async () => {
    const { app } = current();
    const { code, verifier, client } = await anApproval();
    const query = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      client_id: client.id,
    });

    const answer = await postForm(app, `/oauth/token?${query.toString()}`, {});

    expect(answer.statusCode).toBe(400);
  });

  test("TOK-05: a repeated parameter is an invalid request and doesn't use up the code", async () => {
    const { app } = current();
    const approved = await anApproval();
    const { code, client } = approved;

    const answer = await postForm(
      app,
      "/oauth/token",
      `grant_type=authorization_code&code=${code}&code=${code}&client_id=${client.id}`,
    );

    expect(answer.json()).toMatchObject({ error: "invalid_request" });
    expect((await exchange(app, approved)).statusCode).toBe(200);
  });

  test.each([
    ["", "invalid_request"],
    ["password", "unsupported_grant_type"],
    ["client_credentials", "unsupported_grant_type"],
    ["urn:ietf:params:oauth:grant-type:device_code", "unsupported_grant_type"],
    ["urn:ietf:params:oauth:grant-type:jwt-bearer", "unsupported_grant_type"],
    ["urn:ietf:params:oauth:grant-type:token-exchange", "unsupported_grant_type"],
    ["toString", "unsupported_grant_type"],
    ["__proto__", "unsupported_grant_type"],
  ])("TOK-06: grant type %j is %s", async (grantType, error) => {
    const { app } = current();
    const client = await aClient(app);

    const answer = await postForm(app, "/oauth/token", {
      grant_type: grantType,
      client_id: client.id,
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error });
  });

  test("TOK-10: a wrong verifier uses up the code", async () => {
    const { app } = current();
    const approved = await anApproval();

    const wrong = await exchange(app, approved, { code_verifier: "a".repeat(43) });
    const right = await exchange(app, approved);

    expect(wrong.statusCode).toBe(400);
    expect(wrong.json()).toMatchObject({ error: "invalid_grant" });
    expect(right.json()).toMatchObject({ error: "invalid_grant" });
  });

  test.each([
    ["", 0],
    ["a".repeat(42), 42],
    ["a".repeat(129), 129],
    ["ü".repeat(43), 43],
  ])("TOK-11: the verifier %j gets no token", async (verifier) => {
    const answer = await exchange(current().app, await anApproval(), { code_verifier: verifier });

    expect(answer.statusCode).toBe(400);
    expect(["invalid_request", "invalid_grant"]).toContain(answer.json<{ error: string }>().error);
  });

  test("TOK-12: another client can neither redeem nor use up the code", async () => {
    const { app } = current();
    const approved = await anApproval();
    const other = await aClient(app);

    const stolen = await exchange(app, { ...approved, client: other });

    expect(stolen.json()).toMatchObject({ error: "invalid_grant" });
    expect((await exchange(app, approved)).statusCode).toBe(200);
  });

  test("TOK-13: an expired code is an invalid grant", async () => {
    const { app, db } = current();
    const approved = await anApproval();
    await db.query(
      `UPDATE oauth_authorization_codes SET expires_at = expires_at - interval '61 seconds'
       WHERE code_hash = $1`,
      [hashSecret(approved.code)],
    );

    expect((await exchange(app, approved)).json()).toMatchObject({ error: "invalid_grant" });
  });

  test.each([
    "https://client.example/callback/",
    "https://client.example:444/callback",
    "https://other.example/callback",
    "https://client.example/Callback",
    "not an address",
  ])("TOK-14: the redirect URI %s is an invalid grant", async (redirectUri) => {
    const answer = await exchange(current().app, await anApproval(), {
      redirect_uri: redirectUri,
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_grant" });
  });

  test("TOK-14: accepts the code without a redirect URI", async () => {
    const answer = await exchange(current().app, await anApproval(), { redirect_uri: "" });

    expect(answer.statusCode).toBe(200);
  });

  test("TOK-15: rejects another resource without using up the code", async () => {
    const { app, config } = current();
    const approved = await anApproval();

    const other = await exchange(app, approved, { resource: "https://other.example/mcp" });
    const own = await exchange(app, approved, { resource: `${config.baseUrl}/mcp/` });

    expect(other.statusCode).toBe(400);
    expect(other.json()).toMatchObject({ error: "invalid_target" });
    expect(own.statusCode).toBe(200);
  });

  test("TOK-16: rejects a correct replay and ends the resulting connection", async () => {
    const { app, db } = current();
    const approved = await anApproval();
    const tokens = (await exchange(app, approved)).json<Tokens>();

    const replay = await exchange(app, approved);

    expect(replay.json()).toMatchObject({ error: "invalid_grant" });
    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect((await refresh(app, approved.client, tokens.refresh_token)).statusCode).toBe(400);
    expect(
      await db.query(`SELECT revoked_reason FROM oauth_connections WHERE client_id = $1`, [
        approved.client.id,
      ]),
    ).toEqual([{ revoked_reason: "code_reuse" }]);
  });

  test("TOK-17: a replay with any wrong value leaves the tokens valid", async () => {
    const { app } = current();
    const approved = await anApproval();
    const tokens = (await exchange(app, approved)).json<Tokens>();

    const replays = [
      await exchange(app, approved, { code_verifier: "b".repeat(43) }),
      await exchange(app, approved, { redirect_uri: "https://other.example/" }),
      await exchange(app, { ...approved, client: await aClient(app) }),
    ];

    for (const replay of replays) expect(replay.json()).toMatchObject({ error: "invalid_grant" });
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
  });

  test("TOK-18: redeeming a code ten times in parallel issues exactly one token", async () => {
    const { app } = current();
    const approved = await anApproval();

    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(app, approved)));

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(9);
  });

  test.each([
    ["the account is deactivated", "UPDATE users SET deactivated_at = now() WHERE id = $1"],
    [
      "the person leaves the organization",
      "UPDATE organization_members SET removed_at = now() WHERE user_id = $1",
    ],
  ])("TOK-19: a code is invalid once %s", async (_name, statement) => {
    const { app, db } = current();
    const member = await aMember(db);
    const approved = await approve(await signIn(app, member), await aClient(app));
    await db.query(statement, [member.userId]);

    expect((await exchange(app, approved)).json()).toMatchObject({ error: "invalid_grant" });
  });

  test("TOK-19: a code is invalid once its client is removed", async () => {
    const { app, db } = current();
    const approved = await anApproval();
    await db.query("DELETE FROM oauth_clients WHERE id = $1", [approved.client.id]);

    const answer = await exchange(app, approved);

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
  });

  test("TOK-20: no table contains a plain token, code, secret or session id", async () => {
    const { app, db } = current();
    const client = await aClient(app, { token_endpoint_auth_method: "client_secret_post" });
    const browser = await signIn(app, await aMember(db));
    const approved = await approve(browser, client);
    const first = (await exchange(app, approved)).json<Tokens>();
    const second = (await refresh(app, client, first.refresh_token)).json<Tokens>();
    const secrets = [
      ...[first, second].flatMap((tokens) => [tokens.access_token, tokens.refresh_token]),
      approved.code,
      approved.verifier,
      client.secret ?? "",
      ...browser.cookies.values(),
      ...[...browser.cookies.values()].map((value) => value.split(".")[0] ?? ""),
    ];

    const tables = await db.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await db.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      const text = rows.map((row) => row.text).join("\n");
      for (const secret of secrets) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString("hex"));
      }
    }
  });

  test("TOK-21: a failure midway stores and reveals nothing, and leaves the code valid", async () => {
    const { app, db } = current();
    const approved = await anApproval();
    await db.query(
      `ALTER TABLE oauth_refresh_tokens ADD CONSTRAINT planted_check CHECK (created_at IS NULL) NOT VALID`,
    );

    const failed = await exchange(app, approved);
    await db.query("ALTER TABLE oauth_refresh_tokens DROP CONSTRAINT planted_check");
    const connections: unknown = await db.query(
      `SELECT 1 FROM oauth_connections WHERE client_id = $1`,
      [approved.client.id],
    );

    expect(failed.statusCode).toBe(500);
    expect(failed.json()).toEqual({
      error: "server_error",
      error_description: "Something went wrong on our side. Nothing was changed.",
    });
    expect(failed.headers["cache-control"]).toBe("no-store");
    expect(connections).toEqual([]);
    expect((await exchange(app, approved)).statusCode).toBe(200);
  });

  test("TOK-23: any origin may call, without credentials, and cookies are ignored", async () => {
    const { app, db } = current();
    const { browser } = await connect(app, await aMember(db));

    const preflight = await app.inject({
      method: "OPTIONS",
      url: "/oauth/token",
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    });
    const withCookies = await app.inject({
      method: "POST",
      url: "/oauth/token",
      headers: {
        cookie: toCookieHeader(browser.cookies),
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://app.example",
      },
      payload: "grant_type=refresh_token",
    });

    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
    });
    expect(preflight.headers["access-control-allow-credentials"]).toBeUndefined();
    expect(withCookies.statusCode).toBe(401);
    expect(withCookies.headers["access-control-allow-origin"]).toBe("*");
    expect(withCookies.headers["set-cookie"]).toBeUndefined();
  });

  test("TOK-24: ignores unknown parameters and rejects a huge body with 413", async () => {
    const { app } = current();

    const odd = await exchange(app, await anApproval(), { audience: "x", foo: "bar" });
    const huge = await postForm(app, "/oauth/token", { padding: "x".repeat(70_000) });

    expect(odd.statusCode).toBe(200);
    expect(huge.statusCode).toBe(413);
    expect(huge.headers["cache-control"]).toBe("no-store");
    expect(huge.json()).toMatchObject({ error: "invalid_request" });
  });

  test("OPS-07: unknown paths below /oauth get a JSON 404, whatever is sent", async () => {
    const { app } = current();

    for (const method of ["GET", "POST", "PUT"] as const) {
      const answer = await app.inject({
        method,
        url: "/oauth/nothing",
        headers: { accept: "text/html", "content-type": "application/json" },
        ...(method !== "GET" && { payload: "{" }),
      });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ error: "not_found" });
    }
  });
});
