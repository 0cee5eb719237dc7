import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Settings } from "../../bridge/src/common/settings.js";
import type { Authorization } from "../../bridge/src/profile/profile.js";
import { refresh, RetryableFailure, revoke } from "../../bridge/src/tokens/token-endpoint.js";
import { aContext, makeHome, testSettings } from "../support/bridge-context.js";
import { startTokenServer, type TokenServer } from "../support/bridge-oauth.js";

describe("bridge at a token endpoint", () => {
  const home = makeHome();
  let server: TokenServer;

  beforeAll(async () => {
    server = await startTokenServer();
  });
  afterEach(() => {
    server.rules.before = () => false;
    server.requests.length = 0;
  });
  afterAll(() => {
    server.close();
    home.remove();
  });

  const context = (changes: Partial<Settings> = {}) =>
    aContext(testSettings({ home: home.path, server: `${server.origin}/mcp`, ...changes }));
  const presented = { refreshToken: "rt_old", clientSecret: undefined, rotationId: "id-1" };

  function answerWith(status: number, body: unknown, headers: Record<string, string> = {}) {
    server.rules.before = (_request, response) => {
      response.writeHead(status, headers);
      response.end(typeof body === "string" ? body : JSON.stringify(body));
      return true;
    };
  }

  const failureOf = (changes: Partial<Authorization> = {}) =>
    refresh(context(), server.authorization(changes), presented).then(
      () => undefined,
      (error: unknown) => error,
    );

  test("a refresh sends the specified parameters and returns the new pair", async () => {
    const granted = server.grant();

    const answer = await refresh(context(), server.authorization(), {
      ...presented,
      refreshToken: granted.refreshToken,
    });

    const [request] = server.requests;
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      grant_type: "refresh_token",
      refresh_token: granted.refreshToken,
      rotation_id: "id-1",
      resource: `${server.origin}/mcp`,
      client_id: "bridge",
    });
    expect(request?.headers).toMatchObject({
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(request?.headers.authorization).toBeUndefined();
    expect(answer).toMatchObject({ kind: "granted", expiresIn: 3600 });
    expect(answer).not.toMatchObject({ refreshToken: granted.refreshToken });
  });

  test("a client with a secret uses its registered authentication method", async () => {
    answerWith(200, { access_token: "at" });
    const client = { id: "a b", registered: true };
    const withSecret = { ...presented, clientSecret: "p:ä&" };

    for (const authMethod of ["client_secret_basic", "client_secret_post"] as const) {
      const authorization = server.authorization({ client: { ...client, authMethod } });
      await refresh(context(), authorization, withSecret);
    }

    const [basic, post] = server.requests;
    const pair = Buffer.from("a+b:p%3A%C3%A4%26").toString("base64");
    expect(basic?.headers.authorization).toBe(`Basic ${pair}`);
    expect([...(basic?.form.keys() ?? [])]).not.toContain("client_id");
    expect(post?.headers.authorization).toBeUndefined();
    expect(post?.form.get("client_id")).toBe("a b");
    expect(post?.form.get("client_secret")).toBe("p:ä&");
  });

  test("sends extra headers only to the MCP server's origin", async () => {
    answerWith(200, { access_token: "at" });
    const headers = [["X-Team", "blue"]] as const;

    await refresh(context({ headers }), server.authorization(), presented);
    const elsewhere = context({ headers, server: "http://127.0.0.1:1/mcp" });
    await refresh(elsewhere, server.authorization(), presented);

    expect(server.requests.map((request) => request.headers["x-team"])).toEqual([
      "blue",
      undefined,
    ]);
  });

  test.each([
    ["a lifetime as text", { access_token: "at", expires_in: "60" }, { expiresIn: 60 }],
    ["no lifetime", { access_token: "at" }, { expiresIn: undefined }],
    ["a lifetime of nothing", { access_token: "at", expires_in: 0 }, { expiresIn: undefined }],
    ["no new refresh token", { access_token: "at" }, { refreshToken: undefined }],
    ["null for one", { access_token: "at", refresh_token: null }, { refreshToken: undefined }],
    ["a new one", { access_token: "at", refresh_token: "rt" }, { refreshToken: "rt" }],
  ])("accepts an answer with %s", async (_name, body, expected) => {
    answerWith(200, body);

    expect(await refresh(context(), server.authorization(), presented)).toMatchObject({
      kind: "granted",
      accessToken: "at",
      ...expected,
    });
  });

  test.each([
    [400, "invalid_grant", "refused"],
    [401, "invalid_client", "client_forgotten"],
    [400, "unauthorized_client", "client_forgotten"],
  ])("%i %s is final", async (status, error, kind) => {
    answerWith(status, { error });

    expect(await refresh(context(), server.authorization(), presented)).toEqual({ kind });
  });

  test.each([
    ["429", 429, "slow down", "server_busy"],
    ["a failure of the server", 503, "<h1>down</h1>", "server_busy"],
    ["a failure that looks final", 500, { error: "server_error" }, "server_busy"],
    ["a page instead of an answer", 200, "<!doctype html>", "server_busy"],
    ["a list", 200, [], "server_busy"],
    ["a token that no header can carry", 200, { access_token: "a\r\nb" }, "server_busy"],
    ["a refusal without words", 403, "", "server_busy"],
    ["a redirect", 307, "", "server_busy"],
    ["another OAuth refusal", 400, { error: "invalid_target" }, "server_refused"],
  ])("%s does not count as a token rejection", async (_name, status, body, code) => {
    answerWith(status, body);

    const failure = await failureOf();

    expect(failure).toBeInstanceOf(RetryableFailure);
    expect(failure).toMatchObject({ code });
  });

  test("reads Retry-After as seconds or as a date, and ignores other values", async () => {
    const waits: unknown[] = [];

    for (const value of ["120", new Date(Date.now() + 60_000).toUTCString(), "soon"]) {
      answerWith(429, "", { "retry-after": value });
      waits.push(((await failureOf()) as RetryableFailure).retryAfterMs);
    }

    expect(waits).toEqual([120_000, expect.closeTo(60_000, -4), undefined]);
  });

  test("an unreachable server is a retryable failure", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => gone.once("listening", done));
    const { port } = gone.address() as AddressInfo;
    await new Promise((done) => gone.close(done));

    const failure = await failureOf({ tokenEndpoint: `http://127.0.0.1:${port}/token` });

    expect(failure).toBeInstanceOf(RetryableFailure);
    expect(failure).toMatchObject({ code: "server_unreachable" });
  });

  test("a connection that breaks mid-answer is reported as an unreachable server", async () => {
    server.rules.before = (_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"access_token":"at"', () => response.destroy());
      return true;
    };

    expect(await failureOf()).toMatchObject({ code: "server_unreachable" });
  });

  test("never sends tokens to another computer unencrypted", async () => {
    const failure = await failureOf({ tokenEndpoint: "http://sign-in.example/token" });

    expect(failure).toMatchObject({ code: "server_refused" });
    expect(failure).not.toBeInstanceOf(RetryableFailure);
  });

  test("error messages contain no token and quote the server only shortened", async () => {
    answerWith(400, { error: `bad\u001b[31m ${"x".repeat(500)}`, error_description: "secret" });

    const { message } = (await failureOf()) as Error;

    expect(message).toMatch(/refused: "bad \[31m x+…" \(400\)/);
    expect(message.length).toBeLessThan(300);
    expect(message).not.toContain("rt_old");
  });

  test("a revocation sends the refresh token", async () => {
    const { refreshToken } = server.grant();

    await revoke(context(), server.authorization(), { refreshToken, clientSecret: undefined });

    expect(server.requests.map(({ path, form }) => [path, Object.fromEntries(form)])).toEqual([
      ["/revoke", { token: refreshToken, token_type_hint: "refresh_token", client_id: "bridge" }],
    ]);
    expect(
      await refresh(context(), server.authorization(), { ...presented, refreshToken }),
    ).toEqual({
      kind: "refused",
    });
  });

  test("skips a server without revocation, and reports a failed revocation", async () => {
    answerWith(503, "");
    const token = { refreshToken: "rt_old", clientSecret: undefined };

    await revoke(context(), server.authorization({ revocationEndpoint: undefined }), token);
    const failing = revoke(context(), server.authorization(), token);

    await expect(failing).rejects.toMatchObject({ code: "server_busy" });
    expect(server.requests).toHaveLength(1);
  });
});
