import type { Scope } from "fettle-shared";
import type { LightMyRequestResponse } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { attributeOf, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { connect as connectTools } from "../../support/mcp.js";
import {
  aChallenge,
  aClient,
  ageRotation,
  approve,
  callWith,
  connect,
  exchange,
  openConsent,
  postForm,
  refresh,
  returnOf,
  signIn,
  type Tokens,
} from "../../support/oauth.js";

const all: Scope[] = ["mcp_read", "mcp_write", "mcp_destructive"];

function scopesOn(page: LightMyRequestResponse): Record<string, boolean> {
  const inputs = [...page.body.matchAll(/<input[^>]*name="scope"[^>]*>/g)].map(([input]) => input);
  return Object.fromEntries(
    inputs.map((input) => [attributeOf(input, "value") ?? "", /\schecked\b/.test(input)]),
  );
}

/*
 * Covers each sentence of "Authentication", "What the service does" 3 to 6 and the rows of their
 * tables. Every step uses the addresses of clients and people.
 */
describe("specification: authentication", () => {
  const current = useApp();
  let member: Member;
  let browser: TestBrowser;

  beforeAll(async () => {
    member = await aMember(current().db);
    browser = await signIn(current().app, member);
  });

  async function openPage(scope?: string, metadata: Record<string, unknown> = {}) {
    const client = await aClient(current().app, metadata);
    return openConsent(browser, client, aChallenge(), { scope });
  }

  async function approveFor(scopes: string[], more: Record<string, string> = {}, asked?: string) {
    const client = await aClient(current().app);
    const approved = await approve(browser, client, { scope: scopes, ...more }, { scope: asked });
    return { client, tokens: (await exchange(current().app, approved)).json<Tokens>() };
  }

  test('"What the service does" 3: clients self-register; people sign in, pick organization and scopes', async () => {
    const { app } = current();
    const { tokens } = await connect(app, member, { scope: ["mcp_read", "mcp_write"] });

    expect(tokens.scope).toBe("mcp_read mcp_write");
    expect(await callWith(app, tokens.access_token)).toBe(200);
  });

  test('"What the service does" 4: the server URL suffices; discovery leads to the rest', async () => {
    const { app, config } = current();
    const refused = await app.inject({ method: "POST", url: "/mcp", payload: {} });

    const pointer = /resource_metadata="([^"]+)"/.exec(String(refused.headers["www-authenticate"]));
    const resource = await app.inject(new URL(pointer?.[1] ?? "").pathname);
    const [issuer = ""] = resource.json<{ authorization_servers: string[] }>()
      .authorization_servers;
    const server = await app.inject("/.well-known/oauth-authorization-server");

    expect(resource.json()).toMatchObject({ resource: `${config.baseUrl}/mcp` });
    expect(server.json()).toMatchObject({
      issuer,
      registration_endpoint: `${issuer}/oauth/register`,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
    });
  });

  test('"What the service does" 5: a person needs an active account', async () => {
    const { app, db } = current();
    const inactive = await aMember(db);
    const { tokens } = await connect(app, inactive);
    await db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [inactive.userId]);

    await expect(signIn(app, inactive)).rejects.toThrow("Sign-in failed");
    expect(await callWith(app, tokens.access_token)).toBe(401);
  });

  test('"What the service does" 6.1 to 6.5: sign-in, authorization, organization, token, unattended refresh', async () => {
    const { app, db } = current();
    const person = await aMember(db);
    await aMember(db, { email: person.email, organization: "Second organization" });
    const client = await aClient(app);
    const own = await signIn(app, person);
    const page = await openConsent(own, client, aChallenge());
    expect(page.body).toContain(person.organization);
    expect(page.body).toContain("Second organization");

    const approved = await approve(own, client, { organization_id: person.organizationId });
    const tokens = (await exchange(app, approved)).json<Tokens>();
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();

    expect(await callWith(app, next.access_token)).toBe(200);
  });

  test("resource OAuth client: is registered dynamically, and revoked under Connected Apps", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const { browser: own, tokens } = await connect(app, person, {}, { client_name: "Desk app" });
    const list = await own.get("/settings/apps");
    const [, address = ""] = /href="(\/settings\/apps\/[^"]+\/disconnect)"/.exec(list.body) ?? [];

    await own.submitForm(await own.get(address), {});

    expect(list.body).toContain("Desk app");
    expect((await own.get("/settings/apps")).body).not.toContain(address);
    expect(await callWith(app, tokens.access_token)).toBe(401);
  });

  test("1: requires PKCE and serves discovery documents", async () => {
    const { app } = current();
    const client = await aClient(app);

    const without = await openConsent(browser, client, aChallenge(), {
      code_challenge: undefined,
      code_challenge_method: undefined,
    });
    const server = await app.inject("/.well-known/oauth-authorization-server");

    expect(returnOf(without).values.get("error")).toBe("invalid_request");
    expect(server.json()).toMatchObject({ code_challenge_methods_supported: ["S256"] });
    const wrong = await approve(browser, client);
    const answer = await exchange(app, { ...wrong, verifier: "x".repeat(43) });
    expect(answer.json()).toMatchObject({ error: "invalid_grant" });
  });

  test("2.1 to 2.4: registers, approves, exchanges for tokens, and calls with the access token", async () => {
    const { app } = current();
    const client = await aClient(app);
    const approved = await approve(browser, client);

    const tokens = (await exchange(app, approved)).json<Tokens>();

    expect(tokens.token_type.toLowerCase()).toBe("bearer");
    expect(tokens.refresh_token).toBeTruthy();
    expect(await callWith(app, tokens.access_token)).toBe(200);
    expect(await callWith(app, tokens.refresh_token)).toBe(401);
  });

  test.each([
    { scope: "mcp_read", tool: "list_assets", other: "create_asset" },
    { scope: "mcp_write", tool: "create_asset", other: "list_assets" },
    { scope: "mcp_destructive", tool: "force_delete_asset", other: "create_asset" },
  ] as const)("3: $scope gives access to tools like $tool only", async ({ scope, tool, other }) => {
    const person = await connectTools(current(), { scopes: [scope] });

    expect((await person.call(tool, { nonsense: 1 })).content[0]?.text).toMatch(
      /^Validation failed:/,
    );
    expect((await person.call(other, {})).content[0]?.text).toMatch(/^Insufficient scope\./);
  });

  test("4: when no scope is specified, mcp_read is granted by default", async () => {
    const page = await openPage();
    const { tokens } = await approveFor(["mcp_read"]);

    expect(scopesOn(page)).toEqual({ mcp_read: true, mcp_write: false, mcp_destructive: false });
    expect(tokens.scope).toBe("mcp_read");
  });

  test.each(["oauth-authorization-server", "oauth-protected-resource"])(
    "5: %s lists all three scopes",
    async (document) => {
      const answer = await current().app.inject(`/.well-known/${document}`);

      expect(answer.json<{ scopes_supported: string[] }>().scopes_supported).toEqual(all);
    },
  );

  test("6: requested scopes are a preference, not a limit, at registration and in requests", async () => {
    const registered = await openPage(undefined, { scope: "mcp_read mcp_write" });
    const asked = await openPage("mcp_write");
    const { tokens } = await approveFor(["mcp_read", "mcp_write"], {}, "mcp_read");

    expect(scopesOn(registered)).toMatchObject({ mcp_write: true });
    expect(scopesOn(asked)).toMatchObject({ mcp_write: true });
    expect(tokens.scope).toBe("mcp_read mcp_write");
  });

  test("7: offers every scope, preselects mcp_read, and never mcp_destructive, which requires the acknowledgement", async () => {
    const client = await aClient(current().app);
    for (const asked of [undefined, "mcp_read", "mcp_read mcp_write mcp_destructive"]) {
      expect(scopesOn(await openPage(asked))).toMatchObject({
        mcp_read: true,
        mcp_destructive: false,
      });
    }

    const page = await openConsent(browser, client, aChallenge());
    const refused = await browser.submitForm(page, { scope: all, decision: "allow" });
    const { tokens } = await approveFor(all, { acknowledge_destructive: "on" });

    expect(refused.statusCode).toBe(400);
    expect(tokens.scope).toBe("mcp_read mcp_write mcp_destructive");
  });

  test("8: the issued token states the scopes actually granted", async () => {
    const { tokens } = await approveFor(["mcp_write"], {}, "mcp_read");

    expect(tokens.scope).toBe("mcp_write");
  });

  test("9: a refresh returns only the connection's scopes; more needs a new connection", async () => {
    const { app } = current();
    const { client, tokens } = await approveFor(["mcp_read", "mcp_write"]);

    const same = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    const more = await refresh(app, client, same.refresh_token, {
      scope: "mcp_read mcp_write mcp_destructive",
    });

    expect(same.scope).toBe("mcp_read mcp_write");
    expect(more.json()).toMatchObject({ error: "invalid_scope" });
    const approved = await approve(browser, client, { scope: all, acknowledge_destructive: "on" });
    const anew = (await exchange(app, approved)).json<Tokens>();
    expect(anew.scope).toContain("mcp_destructive");
  });

  describe("10: token lifecycle, and the limits", () => {
    test("access token lifetime: 2 hours", async () => {
      const { app, db } = current();
      const { tokens } = await approveFor(["mcp_read"]);

      expect(tokens.expires_in).toBe(7200);
      await db.query(
        "UPDATE oauth_access_tokens SET expires_at = expires_at - interval '7200 seconds'",
      );
      expect(await callWith(app, tokens.access_token)).toBe(401);
    });

    test("refresh token lifetime: no expiry until revoked", async () => {
      const { app, db } = current();
      const { client, tokens } = await approveFor(["mcp_read"]);
      await db.query("UPDATE oauth_connections SET created_at = created_at - interval '10 years'");
      await db.query(
        "UPDATE oauth_refresh_tokens SET created_at = created_at - interval '10 years'",
      );

      const answer = await refresh(app, client, tokens.refresh_token);

      expect(answer.statusCode).toBe(200);
    });

    test("refresh token rotation: every use issues a new one and revokes the old one", async () => {
      const { app, db } = current();
      const { client, tokens } = await approveFor(["mcp_read"]);

      const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
      await ageRotation(db, 5);
      const replay = await refresh(app, client, tokens.refresh_token);

      expect(next.refresh_token).not.toBe(tokens.refresh_token);
      expect(replay.json()).toMatchObject({ error: "invalid_grant" });
    });

    test("revocation: POST /oauth/revoke, or Connected Apps", async () => {
      const { app } = current();
      const first = await approveFor(["mcp_read"]);
      const second = await approveFor(["mcp_read"]);

      await postForm(app, "/oauth/revoke", {
        client_id: first.client.id,
        token: first.tokens.refresh_token,
      });
      const list = await browser.get("/settings/apps");
      const [, address = ""] = /href="(\/settings\/apps\/[^"]+\/disconnect)"/.exec(list.body) ?? [];
      await browser.submitForm(await browser.get(address), {});

      expect(await callWith(app, first.tokens.access_token)).toBe(401);
      expect(await callWith(app, second.tokens.access_token)).toBe(401);
    });
  });

  test("11, organizations per token: 1, chosen at authorization; another organization needs another token", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const elsewhere = await aMember(db, { email: person.email, organization: "Elsewhere" });
    const own = await signIn(app, person);
    const seen = [];
    for (const { organizationId } of [person, elsewhere]) {
      const approved = await approve(own, await aClient(app), { organization_id: organizationId });
      const { access_token } = (await exchange(app, approved)).json<Tokens>();
      const answer = await app.inject({
        method: "POST",
        url: "/mcp",
        headers: { authorization: `Bearer ${access_token}` },
        payload: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "get_current_user", arguments: {} },
        },
      });
      seen.push(
        answer.json<{ result: { structuredContent: { organization: { id: string } } } }>().result
          .structuredContent.organization.id,
      );
    }

    expect(seen).toEqual([person.organizationId, elsewhere.organizationId]);
  });
});
