import { describe, expect, test } from "vitest";
import { cleanUpAuthorization } from "../../../server/src/domain/oauth/oauth-cleanup.js";
import { defaultRetention } from "../../../server/src/domain/shared/retention.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import {
  aChallenge,
  aClient,
  approve,
  authorizeUrl,
  openConsent,
  register,
  returnOf,
  signIn,
} from "../../support/oauth.js";

describe("client size", () => {
  const current = useApp();

  test("GRO-02: a client's redirect URIs have at most 2,048 characters in total", async () => {
    const uris = (length: number) =>
      ["a", "b", "c", "d"].map((name) => `https://${name}.example/`.padEnd(length, "x"));

    expect((await register(current().app, { redirect_uris: uris(512) })).statusCode).toBe(201);
    const answer = await register(current().app, { redirect_uris: uris(513) });

    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      error: "invalid_redirect_uri",
      error_description: expect.stringContaining("2048") as string,
    });
  });

  test("GRO-02: a client's stored data has at most 4 KiB", async () => {
    const page = `https://a.example/${"x".repeat(1700)}`;
    const contacts = Array.from({ length: 10 }, () => "\u{1f600}".repeat(127));

    const one = await register(current().app, { client_uri: page, logo_uri: page });
    const more = await register(current().app, {
      client_uri: page,
      logo_uri: page,
      tos_uri: page,
    });
    const people = await register(current().app, { contacts });

    expect(one.statusCode).toBe(201);
    for (const answer of [more, people]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        error: "invalid_client_metadata",
        error_description: expect.stringContaining("4096") as string,
      });
    }
  });
});

describe("storage limit for unused clients", () => {
  const maxBytes = 64 * 1024;
  const retention = { ...defaultRetention, unusedClientBytes: maxBytes };
  const current = useApp({ retention });

  test("GRO-02: removes the oldest, but keeps approved clients and open requests", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const approved = await aClient(app);
    await approve(browser, approved);
    const underWay = await aClient(app);
    const consent = await openConsent(browser, underWay, aChallenge());
    const [oldest, client_uri] = [await aClient(app), `https://a.example/${"x".repeat(1500)}`];

    let youngest = oldest;
    for (let n = 0; n < 80; n += 1) youngest = await aClient(app, { client_uri });

    const rows = await db.query<{
      id: string;
      bytes: number;
    }>(`SELECT id, pg_column_size(k) AS bytes FROM oauth_clients k
       WHERE first_consented_at IS NULL AND NOT built_in`);
    const ids = rows.map(({ id }) => id);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    expect(bytes).toBeLessThan(maxBytes * 1.1);
    expect(bytes).toBeGreaterThan(maxBytes * 0.9);
    expect(ids).toEqual(expect.arrayContaining([underWay.id, youngest.id]));
    expect(ids).not.toContain(oldest.id);
    const allowed = await browser.submitForm(consent, { scope: "mcp_read", decision: "allow" });
    expect(returnOf(allowed).values.get("code")).not.toBeNull();
    const { location } = (await browser.get(authorizeUrl(approved, aChallenge()))).headers;
    expect(location).toMatch(/^\/oauth\/consent\//);
  });

  test("GRO-02: the cleanup enforces the limit too, in batches", async () => {
    const { db } = current();
    await db.query(
      `INSERT INTO oauth_clients (id, redirect_uris, grant_types, token_endpoint_auth_method, created_at)
       SELECT 'flood-' || n, '{https://a.example/}', '{authorization_code}', 'none',
         now() - n * interval '1 second' FROM generate_series(1, 3500) n`,
    );

    await cleanUpAuthorization(db, retention);

    const left = await db.maybe<{
      n: number;
      bytes: number;
    }>(`SELECT count(*)::int AS n, sum(pg_column_size(k))::int AS bytes FROM oauth_clients k
       WHERE first_consented_at IS NULL AND NOT built_in`);
    expect(left?.bytes).toBeLessThanOrEqual(maxBytes);
    expect(left?.n).toBeGreaterThan(0);
  });
});
