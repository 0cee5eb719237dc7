import * as client from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { readState } from "../../bridge/src/profile/profile.js";
import { completeAuthorization, createProvider } from "../../bridge/src/sign-in/authorization.js";

const issuer = "https://as.example";

/** Completes a sign-in with this response from the token endpoint. */
async function complete(tokens: Record<string, unknown>, answer: Record<string, string> = {}) {
  const redirectUri = "http://127.0.0.1:1/callback";
  const { memory } = createProvider(
    redirectUri,
    { authorizationServerUrl: `${issuer}/` },
    { client: { client_id: "c", issuer }, registered: false },
  );
  const recorded = await readState({ key: "", folder: "/nowhere", server: issuer, name: "" });
  return completeAuthorization(client, memory, {
    request: { recorded, redirectUri, callbackPort: 1, additionalScope: undefined },
    fetchFn: async () => Response.json({ access_token: "at", token_type: "Bearer", ...tokens }),
    parameters: new URLSearchParams({ code: "code", ...answer }),
  });
}

describe("first sign-in tokens", () => {
  test.each([
    ["an access token that no header can carry", { access_token: "at\r\nx-more: 1" }],
    ["an empty access token", { access_token: "" }],
    ["an access token larger than any server takes", { access_token: "x".repeat(16_385) }],
    ["a refresh token with spaces", { refresh_token: "rt rt" }],
  ])("rejects %s", async (_, tokens) => {
    await expect(complete(tokens)).rejects.toMatchObject({ code: "sign_in_failed" });
  });

  test("treats an empty refresh token as missing", async () => {
    expect(await complete({ refresh_token: "" })).toMatchObject({
      accessToken: "at",
      refreshToken: undefined,
    });
    expect(await complete({ refresh_token: "rt" })).toMatchObject({ refreshToken: "rt" });
  });
});

test("BRG-04 rejects a code from another issuer when the server has no metadata", async () => {
  const mixedUp = complete({}, { iss: "https://fettle.example" });

  await expect(mixedUp).rejects.toMatchObject({ kind: "authorization_response" });
  expect(await complete({}, { iss: issuer })).toMatchObject({ accessToken: "at" });
});
