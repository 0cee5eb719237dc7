import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { aClient, approve, postForm, signIn, type TestClient } from "../../support/oauth.js";

const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

describe("client authentication", () => {
  const current = useApp();

  /** Requests a token for the client with these credentials only. */
  async function exchangeAs(
    client: TestClient,
    credentials: Record<string, string>,
    authorization?: string,
  ) {
    const { app, db } = current();
    const { code, verifier } = await approve(await signIn(app, await aMember(db)), client);
    return postForm(
      app,
      "/oauth/token",
      { grant_type: "authorization_code", code, code_verifier: verifier, ...credentials },
      authorization,
    );
  }

  const aConfidential = (method = "client_secret_basic") =>
    aClient(current().app, { token_endpoint_auth_method: method });

  test.each(["client_secret_basic", "client_secret_post"])(
    "accepts the secret of a client registered for %s either way",
    async (method) => {
      const client = await aConfidential(method);
      const secret = client.secret ?? "";

      const inBody = await exchangeAs(client, { client_id: client.id, client_secret: secret });
      const inHeader = await exchangeAs(client, {}, basic(client.id, secret));
      const encoded = await exchangeAs(
        client,
        { client_id: client.id },
        basic(encodeURIComponent(client.id), encodeURIComponent(secret)),
      );

      expect([inBody, inHeader, encoded].map(({ statusCode }) => statusCode)).toEqual([
        200, 200, 200,
      ]);
    },
  );

  test("TOK-07: an unknown client gets 401, so the app registers again", async () => {
    const answer = await postForm(current().app, "/oauth/token", {
      grant_type: "authorization_code",
      code: "x",
      client_id: "gone",
    });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
    expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
  });

  test("TOK-08: a verifier doesn't replace the secret", async () => {
    const client = await aConfidential();

    const answer = await exchangeAs(client, { client_id: client.id });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
  });

  test.each<[string, (client: TestClient) => [Record<string, string>, string?]]>([
    ["a wrong secret", ({ id }) => [{ client_id: id, client_secret: "wrong" }]],
    ["a wrong Basic secret", ({ id }) => [{}, basic(id, "wrong")]],
    ["an empty Basic secret", ({ id }) => [{}, basic(id, "")]],
    [
      "Basic and a secret in the body",
      ({ id, secret = "" }) => [{ client_secret: secret }, basic(id, secret)],
    ],
    [
      "two different ids",
      ({ id, secret = "" }) => [{ client_id: "fettle-bridge" }, basic(id, secret)],
    ],
    ["Basic without base64", () => [{}, "Basic ???"]],
    ["Basic without a colon", () => [{}, `Basic ${Buffer.from("abc").toString("base64")}`]],
    ["Basic with a broken escape", ({ id }) => [{}, basic(id, "%zz")]],
    [
      "another scheme",
      ({ id, secret = "" }) => [{ client_id: id, client_secret: secret }, "Bearer abc"],
    ],
    ["no client at all", () => [{}]],
  ])("TOK-09: %s gets 401", async (_name, credentialsOf) => {
    const client = await aConfidential();

    const answer = await exchangeAs(client, ...credentialsOf(client));

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
    expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
  });

  test("TOK-09: a client without a secret must not send one", async () => {
    const client = await aClient(current().app);

    const answers = [
      await exchangeAs(client, { client_id: client.id, client_secret: "x" }),
      await exchangeAs(client, {}, basic(client.id, "x")),
    ];

    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ error: "invalid_client" });
    }
  });
});
