import { describe, expect, test } from "vitest";
import { toDocumentMetadata } from "../../server/src/domain/oauth/client-metadata.js";
import { findResembledName } from "../../server/src/domain/oauth/resembled-names.js";

/** As published by their makers. */
const published: readonly (Record<string, unknown> & { client_id: string })[] = [
  {
    client_id: "https://claude.ai/oauth/claude-code-client-metadata",
    client_name: "Claude Code",
    client_uri: "https://claude.ai",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  {
    client_id: "https://vscode.dev/oauth/client-metadata.json",
    client_name: "Visual Studio Code",
    client_uri: "https://vscode.dev/product",
    logo_uri: "https://code.visualstudio.com/assets/branding/code-stable.png",
    redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    grant_types: [
      "authorization_code",
      "refresh_token",
      "urn:ietf:params:oauth:grant-type:device_code",
    ],
    response_types: ["code"],
    application_type: "native",
    token_endpoint_auth_method: "none",
  },
  {
    client_id: "https://chatgpt.com/oauth/client.json",
    client_name: "ChatGPT",
    client_uri: "https://chatgpt.com/",
    redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
    token_endpoint_auth_signing_alg: "RS256",
    jwks_uri: "https://chatgpt.com/oauth/jwks.json",
  },
];

describe("client documents of common apps", () => {
  test.each(published)("CIMD-01, CIMD-06: accepts $client_name as a public client", (document) => {
    const metadata = toDocumentMetadata(document, document.client_id, []);

    expect(metadata).toMatchObject({
      name: document["client_name"],
      redirect_uris: document["redirect_uris"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect(metadata).not.toHaveProperty("jwks_uri");
  });

  test.each(published)(
    "NAM-01: $client_name may use its name, other domains may not",
    (document) => {
      const [name, redirect] = [String(document["client_name"]), "http://127.0.0.1:4321/callback"];

      expect(findResembledName(name, redirect, new URL(document.client_id).host)).toBeUndefined();
      expect(findResembledName(name, redirect, "apps.example")).toBeDefined();
    },
  );

  test("CIMD-06: accepts a document with public keys", () => {
    const [document = { client_id: "" }] = published;
    const jwks = { keys: [{ kty: "EC", crv: "P-256", x: "a", y: "b", kid: '"d":' }] };

    expect(toDocumentMetadata({ ...document, jwks }, document.client_id, []).name).toBe(
      "Claude Code",
    );
  });
});
