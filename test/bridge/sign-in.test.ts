import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../bridge/src/common/settings.js";
import { connectHelper } from "../../bridge/src/ipc/channel.js";
import { readState, updateState } from "../../bridge/src/profile/profile.js";
import type { SignInOutcome } from "../../bridge/src/sign-in/flow.js";
import { type HelperTimes, serveSignIns } from "../../bridge/src/sign-in/helper.js";
import {
  createSignIn,
  type PendingSignIn,
  type SignInRequest,
} from "../../bridge/src/sign-in/sign-in.js";
import { createFileStore } from "../../bridge/src/storage/open-store.js";
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from "../support/bridge-authorization-server.js";
import { aContext, makeHome, type TestContext, testSettings } from "../support/bridge-context.js";

const builtIn = { bridge_client_id: "fettle-bridge" };
const person: SignInRequest = { cause: "person" };

describe("sign-in", () => {
  let server: AuthorizationServer;
  let home: ReturnType<typeof makeHome>;
  let helpers: Promise<void>[];

  beforeEach(async () => {
    server = await startAuthorizationServer();
    server.rules.metadata = builtIn;
    server.clients.set("fettle-bridge", undefined);
    home = makeHome();
    helpers = [];
  });
  afterEach(async () => {
    await Promise.all(helpers);
    await server.stop();
    home.remove();
  });

  /** The test acts as the browser. "true" is a command that appears to open one. */
  function context(changes: Partial<Settings> = {}): TestContext {
    return aContext(
      testSettings({
        server: server.url,
        home: home.path,
        storage: "file",
        browser: "true",
        environment: { PATH: process.env["PATH"] },
        ...changes,
      }),
    );
  }

  /** A helper in this process, so the test can choose its timeouts. */
  async function serve(it: TestContext, times: Partial<HelperTimes> = {}): Promise<void> {
    const usual = { flowMs: 30_000, finishMs: 30_000, unusedMs: 30_000, lingerMs: 30_000 };
    helpers.push(serveSignIns(it, { ...usual, ...times }));
    for (;;) {
      const helper = await connectHelper(it.profile);
      helper?.close();
      if (helper !== undefined) return;
      await sleep(5);
    }
  }

  async function ask(it: TestContext, request = person): Promise<PendingSignIn> {
    const pending = await createSignIn(it, { script: "/nowhere" })(request);
    if (pending === undefined) throw new Error("Nobody was asked.");
    return pending;
  }

  async function signIn(it: TestContext, request = person): Promise<[SignInOutcome, Response]> {
    await serve(it);
    const pending = await ask(it, request);
    const page = await fetch(pending.url);
    const outcome = await pending.outcome;
    await Promise.all(helpers);
    return [outcome, page];
  }

  test("stores the tokens and records the sign-in in the state", async () => {
    const it = context();

    const [outcome, page] = await signIn(it);

    expect(outcome).toEqual({ kind: "done" });
    expect(await page.text()).toContain(`can now use ${new URL(server.url).host} for you.`);
    expect(await createFileStore(it.profile, it.log).get("rt")).toContain("rt_");
    expect(await readState(it.profile)).toMatchObject({
      backend: "file",
      generation: 1,
      signedIn: true,
      lastSignIn: { outcome: "done" },
      authorization: {
        issuer: server.origin,
        tokenEndpoint: `${server.origin}/token`,
        revocationEndpoint: `${server.origin}/revoke`,
        resource: server.url,
        client: { id: "fettle-bridge", authMethod: "none", registered: false },
        scope: "mcp_read mcp_write",
      },
    });
  });

  test("times out on endless metadata", async () => {
    const it = context({ timeoutMs: 400 });
    server.rules.endsMetadata = false;
    await serve(it);

    await expect(ask(it)).rejects.toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("did not answer within 0.4 s") as string,
    });
  });

  test("uses the server's client for the bridge, with PKCE and the resource", async () => {
    await signIn(context());

    const [asked] = server.of("/authorize");
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({
      response_type: "code",
      client_id: "fettle-bridge",
      code_challenge_method: "S256",
      resource: server.url,
      scope: "mcp_read mcp_write",
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
    });
    expect(server.of("/token")[0]?.form.get("resource")).toBe(server.url);
    expect(server.of("/register")).toEqual([]);
  });

  test("uses the metadata document if the server supports it", async () => {
    const clientMetadataUrl = "https://bridge.example/client.json";
    server.rules.metadata = { client_id_metadata_document_supported: true };
    server.clients.set(clientMetadataUrl, undefined);

    const [outcome] = await signIn(context({ clientMetadataUrl }));

    expect(outcome.kind).toBe("done");
    expect(server.of("/authorize")[0]?.query.get("client_id")).toBe(clientMetadataUrl);
    expect(server.of("/register")).toEqual([]);
  });

  test("uses a manually registered client, with its secret", async () => {
    server.clients.set("by-hand", "its-secret");
    const it = context({ client: { id: "by-hand", secret: "its-secret" } });

    const [outcome] = await signIn(it);

    expect(outcome.kind).toBe("done");
    const { authorization } = await readState(it.profile);
    expect(authorization?.client).toEqual({
      id: "by-hand",
      authMethod: "client_secret_basic",
      registered: false,
    });
  });

  test("registers itself as a native program if nothing else is offered", async () => {
    server.rules.metadata = {};
    const it = context();

    const [outcome] = await signIn(it);

    expect(outcome.kind).toBe("done");
    const registration = JSON.parse(server.of("/register")[0]?.body ?? "{}") as object;
    expect(registration).toMatchObject({
      client_name: "fettle-bridge",
      application_type: "native",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [server.of("/authorize")[0]?.query.get("redirect_uri")],
    });
  });

  test("reuses its registration and port until the server forgets the client", async () => {
    server.rules.metadata = {};
    const it = context();

    await signIn(it);
    await signIn(it);
    const [first, second] = server.of("/authorize").map(({ query }) => query);
    await updateState(it.profile, { signedOutBecause: "client_forgotten" });
    await signIn(it);

    expect(second?.get("client_id")).toBe(first?.get("client_id"));
    expect(second?.get("redirect_uri")).toBe(first?.get("redirect_uri"));
    expect(server.of("/register")).toHaveLength(2);
  });

  test("registers again after a failed sign-in", async () => {
    server.rules.metadata = {};
    const it = context();
    await signIn(it);
    server.rules.decision = "server_error";
    await signIn(it);

    await signIn(it);

    expect(server.of("/register")).toHaveLength(2);
  });

  test("requests the granted and the missing scopes for a step-up", async () => {
    const it = context();
    await signIn(it);

    await signIn(it, { cause: "person", additionalScope: "mcp_destructive" });

    const scopes = server.of("/authorize").map(({ query }) => query.get("scope"));
    expect(scopes).toEqual(["mcp_read mcp_write", "mcp_read mcp_write mcp_destructive"]);
  });

  test("requests only the configured scopes", async () => {
    const it = context({ scope: "mcp_read" });

    await signIn(it);
    const more = await createSignIn(it)({ cause: "person", additionalScope: "mcp_write" });

    expect(server.of("/authorize")[0]?.query.get("scope")).toBe("mcp_read");
    expect(more).toBeUndefined();
  });

  test("reports a denial, also in the browser, and is not repeated automatically", async () => {
    server.rules.decision = "access_denied";
    const it = context();

    const [outcome, page] = await signIn(it);

    expect(outcome).toEqual({ kind: "denied", message: "Access was denied in the browser." });
    expect(await page.text()).toContain("Access was not given");
    expect((await readState(it.profile)).lastSignIn?.outcome).toBe("denied");
    expect(await createSignIn(it)({ cause: "start" })).toBeUndefined();
  });

  test("fails when the server rejects the exchange, without a success page", async () => {
    server.rules.tokenError = "invalid_target";
    const it = context();

    const [outcome, page] = await signIn(it);

    expect(outcome).toEqual({
      kind: "failed",
      message:
        'The authorization server refused the sign-in: "invalid_target". Try again; if it happens again, ask who runs the server.',
    });
    expect(page.status).toBe(502);
    expect(await page.text()).toContain("The sign-in did not work");
    expect(await readState(it.profile)).toMatchObject({
      signedIn: false,
      lastSignIn: { outcome: "failed" },
    });
  });

  test.each([
    ["of another server", "https://evil.example"],
    ["without the name that was announced", undefined],
  ])("rejects an answer %s before using the code", async (_, iss) => {
    server.rules.iss = iss;

    const [outcome] = await signIn(context());

    expect(outcome).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("another authorization server") as string,
    });
    expect(server.of("/token")).toEqual([]);
  });

  test("expires when not completed, and its address stops working", async () => {
    const it = context();
    await serve(it, { flowMs: 200 });
    const pending = await ask(it);

    const outcome = await pending.outcome;

    expect(outcome.kind).toBe("expired");
    expect((await readState(it.profile)).lastSignIn?.outcome).toBe("expired");
    await Promise.all(helpers);
    await expect(fetch(pending.url)).rejects.toThrow("fetch failed");
  });

  test("returns the whole address without a browser", async () => {
    const it = context({ browser: "/nowhere/browser" });
    await serve(it);

    const pending = await ask(it);

    expect(pending.browser).toBe("printed");
    expect(pending.url).toContain(`${server.origin}/authorize?`);
    await fetch(pending.url);
    expect(await pending.outcome).toEqual({ kind: "done" });
  });

  test("is shared by all callers, and continues when one leaves", async () => {
    const it = context();
    await updateState(it.profile, { lastSignIn: { at: "", outcome: "denied" } });
    await serve(it);

    const first = await ask(it);
    const others = await Promise.all([ask(it), ask(it, { cause: "start" })]);
    first.leave();
    await fetch(first.url);

    expect(others.map(({ url }) => url)).toEqual([first.url, first.url]);
    const outcomes = await Promise.all(others.map(({ outcome }) => outcome));
    expect(outcomes).toEqual([{ kind: "done" }, { kind: "done" }]);
    expect(server.of("/authorize")).toHaveLength(1);
  });

  test("is not repeated if another caller has already completed it", async () => {
    const it = context();
    await signIn(it);
    await serve(it);
    const helper = await connectHelper(it.profile);
    const answer = new Promise((done) => helper?.onMessage(done));

    helper?.send({ op: "sign-in", cause: "person", generation: 0 });

    expect(await answer).toEqual({ event: "ended", outcome: { kind: "done" } });
    expect(server.of("/authorize")).toHaveLength(1);
  });

  test.each<[string, () => void, object]>([
    [
      "needs none",
      () => Object.assign(server.rules, { openStatus: 200, describesResource: false }),
      { code: "sign_in_failed", message: "This server needs no sign-in." },
    ],
    [
      "has no client for us and registers none",
      () => (server.rules.metadata = { registration_endpoint: null }),
      { message: expect.stringContaining("FETTLE_BRIDGE_CLIENT_ID") as string },
    ],
    [
      "refuses to register us",
      () => Object.assign(server.rules, { metadata: {}, registrationStatus: 403 }),
      { message: expect.stringContaining("HTTP 403") as string },
    ],
    [
      "names another issuer than itself",
      () => (server.rules.metadata = { ...builtIn, issuer: "https://evil.example" }),
      { message: expect.stringContaining("another authorization server") as string },
    ],
    [
      "is described at an address without encryption",
      () => (server.rules.resourceMetadata = "http://auth.example/metadata"),
      {
        code: "sign_in_failed",
        message:
          'The server names "http://auth.example", which is not an https address. Nothing was sent there.',
      },
    ],
    [
      "sends the browser elsewhere than to the web",
      () => (server.rules.metadata = { ...builtIn, authorization_endpoint: "file:///bin/sh" }),
      { message: expect.stringContaining("not an https address") as string },
    ],
  ])("fails to start at a server that %s", async (_, arrange, failure) => {
    arrange();
    const it = context();
    await serve(it);

    await expect(ask(it)).rejects.toMatchObject(failure);

    expect((await readState(it.profile)).lastSignIn).toBeUndefined();
  });

  test("fails to start while the server is unreachable, without recording an outcome", async () => {
    const it = context();
    await serve(it);
    await server.stop();

    await expect(ask(it, { cause: "start" })).rejects.toMatchObject({ code: "server_unreachable" });

    expect((await readState(it.profile)).lastSignIn).toBeUndefined();
  });

  test("fails to start on a port that is taken", async () => {
    const it = context({ callbackPort: Number(new URL(server.url).port) });
    await serve(it);

    await expect(ask(it)).rejects.toMatchObject({
      message: expect.stringContaining("--callback-port") as string,
    });
  });
});
