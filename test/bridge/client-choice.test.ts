import { describe, expect, test } from "vitest";
import type { ProfileState } from "../../bridge/src/profile/profile.js";
import { chooseClient } from "../../bridge/src/sign-in/authorization.js";

const issuer = "https://first.example";

describe("secret of a manually registered client", () => {
  const recorded = {
    authorization: { issuer, client: { id: "by-hand" } },
  } as unknown as ProfileState;
  const choose = (authorizationServerUrl: string, client: { id: string; secret?: string }) =>
    chooseClient(
      { client: { secret: undefined, ...client }, clientMetadataUrl: undefined },
      { recorded, callbackPort: 0 },
      { authorizationServerUrl },
    )?.client;

  test("is sent to its first issuer, not to one that the server names later", () => {
    const client = { id: "by-hand", secret: "s3cret" };

    expect(choose(issuer, client)).toMatchObject({ client_secret: "s3cret", issuer });
    expect(() => choose("https://evil.example", client)).toThrow("It was not sent.");
  });

  test("a different client, or one without a secret, can use another issuer", () => {
    const other = "https://second.example";

    expect(choose(other, { id: "newer", secret: "s" })).toMatchObject({ client_secret: "s" });
    expect(choose(other, { id: "by-hand" })).toEqual({ client_id: "by-hand", issuer: other });
  });
});
