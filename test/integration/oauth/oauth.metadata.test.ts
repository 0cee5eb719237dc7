import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";

const serverDocument = "/.well-known/oauth-authorization-server";
const resourceDocument = "/.well-known/oauth-protected-resource";

describe("discovery documents", () => {
  const baseUrl = "https://fettle.example";
  const current = useApp({ baseUrl });

  test("META-01, META-03: the authorization server describes itself", async () => {
    const answer = await current().app.inject(serverDocument);

    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      scopes_supported: ["mcp_read", "mcp_write", "mcp_destructive"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      revocation_endpoint_auth_methods_supported: [
        "client_secret_basic",
        "client_secret_post",
        "none",
      ],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [`${baseUrl}/mcp`],
      bridge_client_id: "fettle-bridge",
    });
  });

  test("META-02: a forged host changes nothing", async () => {
    const { app } = current();
    for (const url of [serverDocument, resourceDocument]) {
      const plain = await app.inject(url);
      const forged = await app.inject({
        url,
        headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
      });
      expect(forged.body).toBe(plain.body);
    }
  });

  test("META-04: serves every URL in the documents", async () => {
    const { app } = current();
    const document = (await app.inject(serverDocument)).json<Record<string, string>>();
    const statuses = await Promise.all(
      ["token_endpoint", "registration_endpoint", "revocation_endpoint"].map(
        async (name) =>
          (await app.inject({ method: "POST", url: new URL(document[name] ?? "").pathname }))
            .statusCode,
      ),
    );

    expect(statuses).toEqual([400, 400, 401]);
    expect((await app.inject("/oauth/authorize")).statusCode).toBe(400);
  });

  test("META-05: describes the resource at both URLs", async () => {
    const { app } = current();
    const root = await app.inject(resourceDocument);
    const inserted = await app.inject(`${resourceDocument}/mcp`);

    expect(root.json()).toEqual({
      resource: `${baseUrl}/mcp`,
      authorization_servers: [baseUrl],
      scopes_supported: ["mcp_read", "mcp_write", "mcp_destructive"],
      bearer_methods_supported: ["header"],
      resource_name: "Fettle",
    });
    expect(inserted.body).toBe(root.body);
  });

  test("META-06: any origin may read and cache them, with its version header", async () => {
    const { app } = current();
    for (const url of [serverDocument, resourceDocument, `${resourceDocument}/mcp`]) {
      const preflight = await app.inject({
        method: "OPTIONS",
        url,
        headers: { origin: "https://a.example" },
      });
      const head = await app.inject({ method: "HEAD", url });

      expect(preflight.statusCode).toBe(204);
      expect(preflight.headers["access-control-allow-headers"]).toContain("mcp-protocol-version");
      expect(head.statusCode).toBe(200);
      expect(head.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cache-control": "public, max-age=300",
      });
      expect(head.headers["pragma"]).toBeUndefined();
      expect((await app.inject({ method: "POST", url })).statusCode).toBe(405);
    }
  });

  test.each([
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/mcp",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/oauth-authorization-server/other",
    "/.well-known/oauth-protected-resource/other",
    "/.well-known/nothing",
    "/mcp/.well-known/openid-configuration",
    "/register",
  ])("META-07, META-08: %s gets a JSON 404", async (url) => {
    const accept = url === "/register" ? "application/json" : "text/html";
    const answer = await current().app.inject({ url, headers: { accept } });

    expect(answer.statusCode).toBe(404);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  });

  test("META-09: advertised URLs contain no shell metacharacters", async () => {
    const { app } = current();
    for (const url of [serverDocument, resourceDocument]) {
      for (const [address] of (await app.inject(url)).body.matchAll(/https?:[^"]*/g)) {
        expect(address).toMatch(/^https:\/\/[a-z0-9./_-]+$/);
      }
    }
  });
});
