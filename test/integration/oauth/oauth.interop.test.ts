import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { localNetwork, useDocumentHost } from "../../support/client-documents.js";
import { connectByOAuth } from "../../support/oauth-clients.js";
import { follow, signIn } from "../../support/oauth.js";

// Marked as deprecated to be noticed in a client. The test server has no TLS.
// eslint-disable-next-line @typescript-eslint/no-deprecated
const insecure = { [oauth.allowInsecureRequests]: true };
const insecureToo: openid.DiscoveryRequestOptions & openid.DynamicClientRegistrationRequestOptions =
  {
    algorithm: "oauth2",
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    execute: [openid.allowInsecureRequests],
  };

const redirectUri = "https://client.example/cb?tenant=a%20b";
const wholeScope = "mcp_read mcp_write";

describe("third-party OAuth libraries", () => {
  const server = useServer({}, { documentNetwork: localNetwork });
  const host = useDocumentHost();

  /** Signs in, allows the app and returns the redirect to it. */
  async function allow(address: URL): Promise<URL> {
    const { app, db } = server();
    const browser = await signIn(app, await aMember(db, { role: "owner" }));
    const page = await follow(browser, await browser.get(address.pathname + address.search));
    const scope = wholeScope.split(" ");
    const answer = await browser.submitForm(page, { scope, decision: "allow" });
    return new URL(String(answer.headers.location));
  }

  /** Calls a tool with headers that the library builds from a token. */
  async function callTool(
    send: (url: URL, headers: Headers, body: string) => Promise<Response>,
  ): Promise<unknown> {
    const headers = new Headers({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    });
    const params = { name: "get_current_user", arguments: {} };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const answer = await send(new URL(`${server().config.baseUrl}/mcp`), headers, body);
    return answer.json();
  }

  const worked = { result: { structuredContent: { granted_scopes: wholeScope.split(" ") } } };

  /** Returns the issuer named in the resource's metadata (RFC 9728). */
  async function findIssuer(resource: URL): Promise<URL> {
    const described = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    return new URL(described.authorization_servers?.[0] ?? "");
  }

  async function registerStrictly(
    as: oauth.AuthorizationServer,
  ): Promise<[oauth.Client, oauth.ClientAuth]> {
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        as,
        { client_name: "Strict client", redirect_uris: [redirectUri] },
        insecure,
      ),
    );
    return [client, oauth.ClientSecretBasic(client.client_secret as string)];
  }

  async function describeStrictly(
    as: oauth.AuthorizationServer,
  ): Promise<[oauth.Client, oauth.ClientAuth]> {
    expect(as["client_id_metadata_document_supported"]).toBe(true);
    const { id } = host().describe("/strict.json", { redirect_uris: [redirectUri] });
    return [{ client_id: id }, oauth.None()];
  }

  test.each([
    ["registered", registerStrictly],
    ["described by a document", describeStrictly],
  ])(
    "META-04, CIMD-01: oauth4webapi, %s, gets from a 401 to a revoked token using only metadata",
    async (_how, introduce) => {
      const resource = new URL(`${server().config.baseUrl}/mcp`);
      const issuer = await findIssuer(resource);
      const as = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
      );
      const [client, authentication] = await introduce(as);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(as.authorization_endpoint ?? "");
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        response_type: "code",
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        resource: resource.href,
      }).toString();

      const callback = oauth.validateAuthResponse(as, client, await allow(url), state);
      const tokens = await oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(
          as,
          client,
          authentication,
          callback,
          redirectUri,
          verifier,
          insecure,
        ),
      );
      expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 7200, scope: wholeScope });

      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(
          as,
          client,
          authentication,
          tokens.refresh_token ?? "",
          insecure,
        ),
      );
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      const call = () =>
        callTool((to, headers, body) =>
          oauth.protectedResourceRequest(
            refreshed.access_token,
            "POST",
            to,
            headers,
            body,
            insecure,
          ),
        );
      expect(await call()).toMatchObject(worked);

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(
          as,
          client,
          authentication,
          refreshed.refresh_token ?? "",
          insecure,
        ),
      );
      await expect(call()).rejects.toMatchObject({ name: "WWWAuthenticateChallengeError" });
      await expect(
        oauth
          .refreshTokenGrantRequest(
            as,
            client,
            authentication,
            refreshed.refresh_token ?? "",
            insecure,
          )
          .then((answer) => oauth.processRefreshTokenResponse(as, client, answer)),
      ).rejects.toMatchObject({ error: "invalid_grant" });
    },
  );

  // The library uses the redirect address without the query.
  const plainUri = "https://client.example/cb";

  const register = (issuer: URL) =>
    openid.dynamicClientRegistration(
      issuer,
      { client_name: "OpenID client", redirect_uris: [plainUri] },
      undefined,
      insecureToo,
    );

  const describeByDocument = (issuer: URL) => {
    const { id } = host().describe("/openid.json", { redirect_uris: [plainUri] });
    return openid.discovery(issuer, id, undefined, openid.None(), insecureToo);
  };

  test.each([
    ["registered", register],
    ["described by a document", describeByDocument],
  ])(
    "META-04, CIMD-01: openid-client, %s, gets from discovery to a revoked token",
    async (_how, introduce) => {
      const resource = new URL(`${server().config.baseUrl}/mcp`);
      const config = await introduce(await findIssuer(resource));
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const expectedState = openid.randomState();
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: plainUri,
        scope: wholeScope,
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        resource: resource.href,
      });

      const tokens = await openid.authorizationCodeGrant(
        config,
        await allow(url),
        { pkceCodeVerifier, expectedState },
        { resource: resource.href },
      );
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
      const call = () =>
        callTool((to, headers, body) =>
          openid.fetchProtectedResource(config, refreshed.access_token, to, "POST", body, headers),
        );
      expect(refreshed.scope).toBe(wholeScope);
      expect(await call()).toMatchObject(worked);

      await openid.tokenRevocation(config, refreshed.refresh_token ?? "");
      await expect(call()).rejects.toMatchObject({ code: "OAUTH_WWW_AUTHENTICATE_CHALLENGE" });
      await expect(
        openid.refreshTokenGrant(config, refreshed.refresh_token ?? ""),
      ).rejects.toMatchObject({ error: "invalid_grant" });
    },
  );

  test.each(["v1", "v2"] as const)(
    "CIMD-01, CIMD-09: the MCP client %s connects using a document with a portless loopback address",
    async (major) => {
      const { id } = host().describe(`/${major}.json`, {
        client_name: "Loopback client",
        redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      });

      const client = await connectByOAuth(
        major,
        `${server().config.baseUrl}/mcp`,
        async (address) => {
          await fetch(await allow(address));
        },
        id,
      );

      expect(client.clientId()).toBe(id);
      const { structuredContent } = await client.call("get_current_user");
      expect(structuredContent).toMatchObject({ client_name: "Loopback client" });
      await client.close();
    },
  );
});
