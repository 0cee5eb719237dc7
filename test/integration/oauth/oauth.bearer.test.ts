import { randomBytes } from "node:crypto";
import { connect as openSocket } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { toCookieHeader } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { callWith, connect, refresh } from "../../support/oauth.js";

const challengeOf = (baseUrl: string) =>
  `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp", scope="mcp_read mcp_write"`;

describe("bearer token at /mcp", () => {
  const current = useApp();

  const call = (headers: Record<string, string>, url = "/mcp") =>
    current().app.inject({
      method: "POST",
      url,
      headers: {
        host: "localhost:3000",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      payload: { jsonrpc: "2.0", id: 1, method: "ping" },
    });

  const aToken = async () => connect(current().app, await aMember(current().db));

  test("MCP-01: without a token the challenge names the metadata, and no error", async () => {
    const answer = await call({});

    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe(
      `Bearer ${challengeOf(current().config.baseUrl)}`,
    );
  });

  test("MCP-02: rejects everything except a live access token as invalid", async () => {
    const { db } = current();
    const { tokens, browser } = await aToken();
    const expired = (await aToken()).tokens.access_token;
    await db.query(
      `UPDATE oauth_access_tokens SET expires_at = now() - interval '1 second'
       WHERE token_hash = sha256($1::text::bytea)`,
      [expired],
    );

    for (const token of [
      "garbage",
      `mcp_at_${"a".repeat(43)}`,
      expired,
      tokens.refresh_token,
      encodeURIComponent([...browser.cookies.values()][0] ?? "").replaceAll("%", "_"),
    ]) {
      const answer = await call({ authorization: `Bearer ${token}` });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).toContain('error="invalid_token"');
      expect(answer.headers["www-authenticate"]).toContain(challengeOf(current().config.baseUrl));
    }
    expect(await callWith(current().app, tokens.access_token)).not.toBe(401);
  });

  test("MCP-03, MCP-16: ignores tokens outside the header, and cookies", async () => {
    const { tokens, browser } = await aToken();
    const cookie = toCookieHeader(browser.cookies);

    const inQuery = await call({}, `/mcp?access_token=${tokens.access_token}`);
    const withCookie = await call({ cookie });
    const inForm = await current().app.inject({
      method: "POST",
      url: "/mcp",
      headers: { host: "localhost:3000", "content-type": "application/x-www-form-urlencoded" },
      payload: `access_token=${tokens.access_token}`,
    });

    for (const answer of [inQuery, withCookie]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).not.toContain("error=");
    }
    expect([401, 415]).toContain(inForm.statusCode);
  });

  test("MCP-04: only the scheme is case-insensitive", async () => {
    const { tokens } = await aToken();
    const token = tokens.access_token;

    expect((await call({ authorization: `bearer ${token}` })).statusCode).not.toBe(401);
    for (const authorization of [
      `Basic ${token}`,
      token,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token} x`,
      `Bearer  `,
      "Bearer",
      `Bearer ${token}\u00a0`,
    ]) {
      expect((await call({ authorization })).statusCode).toBe(401);
    }
  });

  test("MCP-05: rejects a token bound to another resource", async () => {
    const { db } = current();
    const { tokens, client } = await aToken();
    await db.query("UPDATE oauth_connections SET resource = $2 WHERE client_id = $1", [
      client.id,
      "https://other.example/mcp",
    ]);

    expect(await callWith(current().app, tokens.access_token)).toBe(401);
    expect((await refresh(current().app, client, tokens.refresh_token)).json()).toMatchObject({
      error: "invalid_grant",
    });
  });

  test.each([
    ["deactivated", "UPDATE users SET deactivated_at = now() WHERE id = $1"],
    ["removed", "UPDATE organization_members SET removed_at = now() WHERE user_id = $1"],
  ])("rejects the token of a %s person on the next request", async (_name, statement) => {
    const { app, db } = current();
    const member = await aMember(db);
    const { tokens } = await connect(app, member);
    await db.query(statement, [member.userId]);

    expect(await callWith(app, tokens.access_token)).toBe(401);
  });

  test("records use on the connection and the membership, once a minute", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { tokens } = await connect(app, member);
    const read = async () => {
      const row = await db.maybe<{ used: Date | null; active: Date | null }>(
        `SELECT c.last_used_at AS used, m.last_active_at AS active
         FROM oauth_connections c JOIN organization_members m USING (organization_id, user_id)
         WHERE c.user_id = $1`,
        [member.userId],
      );
      return row;
    };
    const forget = () =>
      db.query(
        `WITH c AS (UPDATE oauth_connections SET last_used_at = NULL WHERE user_id = $1)
         UPDATE organization_members SET last_active_at = NULL WHERE user_id = $1`,
        [member.userId],
      );
    await forget();

    await callWith(app, tokens.access_token);
    await expect.poll(async () => (await read())?.active).not.toBeNull();
    expect((await read())?.used).not.toBeNull();
    await forget();
    const next = (await read())?.used;
    await callWith(app, tokens.access_token);
    await new Promise((done) => setTimeout(done, 100));

    expect(next).toBeNull();
    expect((await read())?.used).toBeNull();
  });
});

describe("rate limit of bad tokens", () => {
  const current = useApp({ rateLimit: true });

  test("MCP-19: many bad tokens get 429 with Retry-After, a good one still passes", async () => {
    const { app, db } = current();
    const { tokens } = await connect(app, await aMember(db));
    const bad = `mcp_at_${"a".repeat(43)}`;
    for (let number = 0; number < 300; number += 1) expect(await callWith(app, bad)).toBe(401);

    const answer = await app.inject({
      method: "POST",
      url: "/mcp",
      headers: { host: "localhost:3000", authorization: `Bearer ${bad}` },
      payload: { jsonrpc: "2.0", id: 1, method: "ping" },
    });

    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(answer.json()).toMatchObject({ error: "rate_limited" });
    expect(await callWith(app, tokens.access_token)).toBe(200);
  });
});

describe("flood of bad tokens", () => {
  const current = useApp({ rateLimit: true });

  const aBadToken = () => `mcp_at_${randomBytes(32).toString("base64url")}`;

  test("LIM-11: is rejected without a database query, and doesn't affect people already admitted", async () => {
    const { app, db } = current();
    const neighbour = await connect(app, await aMember(db));
    const leaver = await connect(app, await aMember(db));
    for (const { tokens } of [neighbour, leaver, neighbour]) {
      expect(await callWith(app, tokens.access_token)).toBe(200);
    }
    // Concurrent requests count too.
    const query = vi.spyOn(db, "query");
    const statuses = await Promise.all(
      Array.from({ length: 400 }, () => callWith(app, aBadToken())),
    );
    const look = /FROM oauth_access_tokens t/;
    const countLooks = () => query.mock.calls.filter(([sql]) => look.test(sql)).length;

    expect(statuses.filter((status) => status === 401)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
    expect(countLooks()).toBe(300);
    expect(await callWith(app, aBadToken())).toBe(429);
    expect(countLooks()).toBe(300);
    expect(await callWith(app, neighbour.tokens.access_token)).toBe(200);

    // A cached token is not enough: the database decides each time.
    await app.inject({
      method: "POST",
      url: "/oauth/revoke",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `client_id=${leaver.client.id}&token=${leaver.tokens.refresh_token}`,
    });
    expect(await callWith(app, leaver.tokens.access_token)).toBe(401);
    expect(await callWith(app, leaver.tokens.access_token)).toBe(429);
    const renewed = await refresh(app, neighbour.client, neighbour.tokens.refresh_token);
    expect(await callWith(app, renewed.json<{ access_token: string }>().access_token)).toBe(200);
    query.mockRestore();
  });

  test("LIM-11: never counts good tokens or database failures, however many there are", async () => {
    const { app, db } = current();
    const from = "198.51.100.7";
    const call = (token: string) =>
      app.inject({
        method: "POST",
        url: "/mcp",
        remoteAddress: from,
        headers: { host: "localhost:3000", authorization: `Bearer ${token}` },
        payload: { jsonrpc: "2.0", id: 1, method: "ping" },
      });
    const query = vi.spyOn(db, "query").mockRejectedValue(new Error("no database"));
    for (let count = 0; count < 301; count += 1) {
      expect((await call(aBadToken())).statusCode).toBe(500);
    }
    query.mockRestore();

    expect((await call(aBadToken())).statusCode).toBe(401);
  });
});

describe("bearer token over a socket", () => {
  const current = useServer();

  test("MCP-04: rejects two Authorization headers", async () => {
    const { app, db, config } = current();
    const { tokens } = await connect(app, await aMember(db));
    const header = `Authorization: Bearer ${tokens.access_token}`;
    const send = (headers: string[]) =>
      new Promise<string>((done, failed) => {
        const socket = openSocket(config.port, "localhost", () => {
          socket.end(
            [
              "POST /mcp HTTP/1.1",
              `Host: localhost:${config.port}`,
              "Content-Type: application/json",
              "Accept: application/json, text/event-stream",
              "Content-Length: 2",
              "Connection: close",
              ...headers,
              "",
              "{}",
            ].join("\r\n"),
          );
        });
        let text = "";
        socket.on("data", (data) => (text += data.toString()));
        socket.on("error", failed);
        socket.on("close", () => {
          done(text.split("\r\n")[0] ?? "");
        });
      });

    expect(await send([header])).not.toContain("401");
    expect(await send([header, header])).toContain("401");
  });
});
