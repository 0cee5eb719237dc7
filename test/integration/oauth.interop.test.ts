import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { useServer } from "../support/app.js";
import { aMember } from "../support/builders.js";
import { follow, signIn } from "../support/oauth.js";

// Marked as deprecated to stand out in a client; the test server has no TLS.
// eslint-disable-next-line @typescript-eslint/no-deprecated
const insecure = { [oauth.allowInsecureRequests]: true };

describe("a strict OAuth library from elsewhere", () => {
  const server = useServer();

  test("META-04: discovers, registers, authorizes, exchanges, refreshes and revokes by the metadata alone", async () => {
    const { app, db, config } = server();
    const member = await aMember(db, { role: "owner" });
    const issuer = new URL(config.baseUrl);
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
    );
    const redirectUri = "https://client.example/cb?tenant=a%20b";
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        as,
        { client_name: "Strict client", redirect_uris: [redirectUri] },
        insecure,
      ),
    );
    const secret = oauth.ClientSecretBasic(client.client_secret as string);
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
      resource: `${config.baseUrl}/mcp`,
    }).toString();

    const browser = await signIn(app, member);
    const page = await follow(browser, await browser.get(url.pathname + url.search));
    const approved = await browser.submitForm(page, { scope: ["mcp_read"], decision: "allow" });
    const callback = oauth.validateAuthResponse(
      as,
      client,
      new URL(String(approved.headers.location)),
      state,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        secret,
        callback,
        redirectUri,
        verifier,
        insecure,
      ),
    );
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 7200, scope: "mcp_read" });

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(
        as,
        client,
        secret,
        tokens.refresh_token ?? "",
        insecure,
      ),
    );
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, secret, refreshed.refresh_token ?? "", insecure),
    );
    await expect(
      oauth
        .refreshTokenGrantRequest(as, client, secret, refreshed.refresh_token ?? "", insecure)
        .then((answer) => oauth.processRefreshTokenResponse(as, client, answer)),
    ).rejects.toMatchObject({ error: "invalid_grant" });
  });
});
