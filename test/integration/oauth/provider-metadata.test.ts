import { describe, expect, test } from "vitest";
import { createProviderClient } from "../../../server/src/oidc/provider-client.js";
import { localNetwork } from "../../support/client-documents.js";
import { answerJson, useIdentityProvider } from "../../support/identity-provider.js";

const redirectUri = "https://fettle.example/callback";
const path = "/.well-known/openid-configuration";

describe("identity provider metadata", () => {
  const provider = useIdentityProvider(redirectUri);

  /** Answers with valid metadata plus these fields. */
  function describeWith(more: object): void {
    const { issuer, replace } = provider();
    const authorization_endpoint = `${issuer}/auth`;
    const token_endpoint = `${issuer}/token`;
    const jwks_uri = `${issuer}/jwks`;
    const proper = { issuer, authorization_endpoint, token_endpoint, jwks_uri };
    replace(path, answerJson({ ...proper, ...more }));
  }

  function begin(client: ReturnType<typeof createProviderClient>) {
    const { issuer, clientSecret } = provider();
    const access = { organizationId: "org_1", issuer, clientId: "fettle", clientSecret };
    return client.begin(access, { email: "ada@firm.example", again: false });
  }

  test("SSO-64 is rejected with so many values that copying takes seconds and gigabytes", async () => {
    const client = createProviderClient(localNetwork, () => redirectUri);
    describeWith({ more: Array.from({ length: 2000 }, () => ({})) });
    await begin(client);
    for (const value of [{}, [], 1]) {
      describeWith({ more: Array.from({ length: 15_000 }, () => value) });
      const refused = { reason: "no_metadata" };
      await expect(client.check(provider().issuer)).rejects.toMatchObject(refused);
    }
  });

  test("SSO-64 is rejected above 64 kB", async () => {
    const client = createProviderClient(localNetwork, () => redirectUri);
    describeWith({ more: "x".repeat(60_000) });
    await client.check(provider().issuer);
    describeWith({ more: "x".repeat(70_000) });
    const refused = { reason: "no_metadata" };
    await expect(client.check(provider().issuer)).rejects.toMatchObject(refused);
  });

  test("a challenge too long to parse quickly is rejected", async () => {
    const { issuer, replace, clientSecret } = provider();
    const access = { organizationId: "org_1", issuer, clientId: "fettle", clientSecret };
    const client = createProviderClient(localNetwork, () => redirectUri);
    const { checks } = await begin(client);
    const answer = new URLSearchParams({ code: "x", state: checks.state, iss: issuer });
    for (const [count, reason] of [
      [100, "wrong_client"],
      [3500, "wrong_answer"],
    ] as const) {
      replace("/token", (_, response) => {
        response.writeHead(401, { "www-authenticate": `x ${"a=b,".repeat(count)}` }).end();
      });
      await expect(client.finish(access, answer, checks)).rejects.toMatchObject({ reason });
    }
  });

  test("SSO-64 is cached until the next sign-in at a usual length, and reread otherwise", async () => {
    const client = createProviderClient(localNetwork, () => redirectUri);
    for (const [length, expected] of [
      [50_000, 2],
      [20_000, 3],
    ] as const) {
      describeWith({ more: "x".repeat(length) });
      await begin(client);
      await begin(client);
      expect(provider().requests.filter((one) => one === path)).toHaveLength(expected);
    }
  });

  test.each([
    { response_types_supported: 5 },
    { response_types_supported: {} },
    { code_challenge_methods_supported: 5 },
    { token_endpoint_auth_methods_supported: {} },
    { authorization_endpoint: ["https://login.apps.example/auth"] },
    { jwks_uri: 5 },
  ])("is rejected with a wrong type: %j", async (more) => {
    const client = createProviderClient(localNetwork, () => redirectUri);
    describeWith(more);
    await expect(begin(client)).rejects.toMatchObject({ reason: "incapable" });
  });

  test("may contain null values", async () => {
    const client = createProviderClient(localNetwork, () => redirectUri);
    const more = { response_types_supported: null, code_challenge_methods_supported: null };
    describeWith({ ...more, token_endpoint_auth_methods_supported: null });
    expect((await begin(client)).url).toContain(provider().issuer);
  });
});
