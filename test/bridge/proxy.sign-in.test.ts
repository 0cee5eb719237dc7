import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BridgeError } from "../../bridge/src/common/errors.js";
import type { PendingSignIn, SignInRequest } from "../../bridge/src/sign-in/sign-in.js";
import { noTokens } from "../../bridge/src/tokens/token-manager.js";
import {
  modernMeta,
  pendingSignIn,
  type ProxyStart,
  type RunningProxy,
  startProxy,
  tokensFrom,
} from "../support/bridge-proxy.js";
import { echoTools, startUpstream, type Upstream } from "../support/bridge-upstream.js";

const timeouts = {
  firstRetryMs: 10,
  maxBackgroundRetryMs: 20,
  signInPollMs: 20,
  requestReserveMs: 100,
};
const changed = "notifications/tools/list_changed";

describe("access and sign-in", () => {
  let upstream: Upstream;
  let tokens: Set<string>;
  let hosts: RunningProxy[];
  let asked: SignInRequest[];

  beforeEach(async () => {
    tokens = new Set(["good"]);
    upstream = await startUpstream({ tokens });
    hosts = [];
    asked = [];
  });
  afterEach(async () => {
    for (const host of hosts) await host.stop();
    await upstream.stop();
  });

  function start(options: ProxyStart): RunningProxy {
    const host = startProxy(upstream.url, {
      ...options,
      timeouts: { ...timeouts, ...options.timeouts },
    });
    hosts.push(host);
    return host;
  }

  /** Returns one sign-in for all requests and records the requests. */
  function answerWith(pending: PendingSignIn | undefined) {
    return async (request: SignInRequest) => {
      asked.push(request);
      return pending;
    };
  }

  test("sends the token, and no other authorization, with every request", async () => {
    const host = start({ tokens: tokensFrom({ token: "good" }) });

    await host.initialize();
    await host.call("add_thing");

    const sent = new Set(upstream.exchanges.map(({ headers }) => headers.authorization));
    expect([...sent]).toEqual(["Bearer good"]);
  });

  test("replaces a rejected token and retries the call, which was not executed", async () => {
    const host = start({ tokens: tokensFrom({ token: "old", newer: ["good"] }) });

    const answer = await host.call("add_thing");

    expect(answer).toHaveProperty("result");
    expect(upstream.executed).toEqual(["add_thing"]);
  });

  test("gives up on a server that rejects every token, without opening a window", async () => {
    const newer = ["b", "c", "d", "e", "f"];
    const host = start({
      tokens: tokensFrom({ token: "a", newer }),
      requestSignIn: answerWith(undefined),
    });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "sign_in_failed" });
    expect(upstream.of("tools/call")).toHaveLength(3);
    expect(asked).toEqual([]);
  });

  test("a call that needs a sign-in waits for it", async () => {
    const state: { token: string | undefined } = { token: undefined };
    const { pending, complete } = pendingSignIn();
    const host = start({ tokens: tokensFrom(state), requestSignIn: answerWith(pending) });
    const calls = Promise.all([host.call("add_thing"), host.call("read_thing")]);

    await upstream.seen("tools/call", 2);
    await expect.poll(() => asked.length).toBe(1);
    state.token = "good";
    complete({ kind: "done" });

    expect((await calls).every(({ result }) => result !== undefined)).toBe(true);
    expect(asked).toEqual([{ cause: "person" }]);
  });

  test("a call waits no longer than its host, and returns the address", async () => {
    const { pending } = pendingSignIn();
    const host = start({
      tokens: noTokens,
      requestSignIn: answerWith(pending),
      settings: { timeoutMs: 200 },
    });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "sign_in_needed" });
    expect(error?.message).toContain(pending.url);
  });

  test.each<[string, NonNullable<ProxyStart["requestSignIn"]>, string]>([
    [
      "a sign-in that was denied",
      async () => {
        const { pending, complete } = pendingSignIn();
        complete({ kind: "denied", message: "Access was not granted." });
        return pending;
      },
      "sign_in_failed",
    ],
    [
      "a sign-in that cannot begin",
      async () => {
        throw new BridgeError("keychain_locked", "The keychain is locked. Unlock it.");
      },
      "keychain_locked",
    ],
    [
      "a fault of ours",
      async () => {
        throw new TypeError("x is not a function");
      },
      "outcome_unknown",
    ],
    ["a sign-in that must not begin now", async () => undefined, "sign_in_needed"],
  ])("reports %s to the call", async (_, requestSignIn, code) => {
    const host = start({ requestSignIn });

    const { error } = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code });
  });

  test("a cancelled call stops waiting for the sign-in", async () => {
    const { pending } = pendingSignIn();
    const host = start({ requestSignIn: answerWith(pending) });
    void host.call("add_thing", {}, "c");
    await expect.poll(() => asked.length).toBe(1);

    host.notify("notifications/cancelled", { requestId: "c" });
    const started = performance.now();
    await host.proxy.drain(5000);

    expect(performance.now() - started).toBeLessThan(2000);
    expect(host.frames).toEqual([]);
  });

  test("a call waits for an unreachable token endpoint, but not for a locked keychain", async () => {
    let away = 2;
    const host = start({
      tokens: {
        ...tokensFrom({ token: "good" }),
        get: async () => {
          away -= 1;
          if (away >= 0) throw new BridgeError("server_unreachable", "Nothing answers.");
          return { value: "good", generation: 1, expiresAt: Infinity };
        },
      },
    });
    const locked = start({
      tokens: {
        ...noTokens,
        get: async () => {
          throw new BridgeError("keychain_locked", "The keychain is locked. Unlock it.");
        },
      },
    });

    const answer = await host.call("add_thing");
    const { error } = await locked.call("add_thing");

    expect(answer).toHaveProperty("result");
    expect(error).toMatchObject({
      message: "The keychain is locked. Unlock it.",
      data: { code: "keychain_locked" },
    });
  });

  test("answers a signed-out host immediately and notifies it when tools are available", async () => {
    const state: { token: string | undefined } = { token: undefined };
    const host = start({
      tokens: tokensFrom(state),
      requestSignIn: answerWith(undefined),
      timeouts: { initializeMs: 60_000, listMs: 60_000 },
    });

    const initialized = await host.initialize();
    const tools = await host.request("tools/list");
    const prompts = await host.request("prompts/list");
    state.token = "good";
    await host.frame(({ method }) => method === changed);
    const real = await host.request("tools/list");

    expect(initialized.result?.["serverInfo"]).toMatchObject({ name: "fettle-bridge" });
    expect(tools.result?.["tools"]).toMatchObject([{ name: "sign_in", inputSchema: {} }]);
    expect(prompts.result).toEqual({ prompts: [] });
    expect(real.result).toEqual({ tools: echoTools });
    expect(new Set(asked.map(({ cause }) => cause))).toEqual(new Set(["start"]));
  });

  test("rejects discover and subscribe immediately for a signed-out host", async () => {
    const { pending } = pendingSignIn();
    const host = start({
      requestSignIn: async ({ cause }) => (cause === "person" ? pending : undefined),
      timeouts: { initializeMs: 60_000, listMs: 60_000 },
    });

    const discovered = await host.request("server/discover", { _meta: modernMeta });
    const before = await host.request("subscriptions/listen", { _meta: modernMeta });
    void host.call("add_thing");
    await upstream.seen("tools/call");
    const whilePending = await host.request("subscriptions/listen", { _meta: modernMeta });

    expect(discovered.error?.code).toBe(-32601);
    expect([before, whilePending].map(({ error }) => error?.data?.["code"])).toEqual([
      ...["sign_in_needed", "sign_in_needed"],
    ]);
  });

  test("discovery waits for a pending sign-in", async () => {
    const state: { token: string | undefined } = { token: undefined };
    const { pending, complete } = pendingSignIn();
    const host = start({ tokens: tokensFrom(state), requestSignIn: answerWith(pending) });
    const discovering = host.request("server/discover", { _meta: modernMeta });

    await expect.poll(() => asked.length).toBe(1);
    state.token = "good";
    complete({ kind: "done" });

    expect((await discovering).result).toMatchObject({ supportedVersions: ["2026-07-28"] });
  });

  test("a list waits a while for a pending sign-in", async () => {
    const state: { token: string | undefined } = { token: undefined };
    const { pending, complete } = pendingSignIn();
    const host = start({ tokens: tokensFrom(state), requestSignIn: answerWith(pending) });
    await host.initialize();
    const listing = host.request("tools/list");

    await expect.poll(() => asked.length).toBeGreaterThan(0);
    state.token = "good";
    complete({ kind: "done" });

    expect((await listing).result).toEqual({ tools: echoTools });
  });

  test("after that wait, the list offers a sign-in tool that returns the address", async () => {
    const state: { token: string | undefined } = { token: undefined };
    const { pending, complete } = pendingSignIn("printed");
    upstream.on("initialize", ({ headers, message, result, status }) => {
      if (headers.authorization === undefined) status(401);
      else {
        const { protocolVersion } = message.params ?? {};
        result({ protocolVersion, capabilities: {}, instructions: "Ask before you delete." });
      }
    });
    const host = start({
      tokens: tokensFrom(state),
      requestSignIn: answerWith(pending),
      timeouts: { listMs: 30 },
    });
    await host.initialize();
    await host.request("tools/list");

    const before = await host.call("sign_in");
    state.token = "good";
    complete({ kind: "done" });
    await host.frame(({ method }) => method === changed);
    const after = await host.call("sign_in");

    expect(JSON.stringify(before.result)).toContain(pending.url);
    expect(JSON.stringify(after.result)).toContain("You are signed in.");
    expect(JSON.stringify(after.result)).toContain("Its instructions:\\nAsk before you delete.");
    expect(upstream.of("tools/call")).toEqual([]);
  });

  test("the sign-in tool waits for an open browser and reports the outcome", async () => {
    const { pending, complete } = pendingSignIn("opened");
    const host = start({ requestSignIn: answerWith(pending) });

    const call = host.request("tools/call", { _meta: modernMeta, name: "sign_in" });
    await expect.poll(() => asked).toEqual([{ cause: "person" }]);
    complete({ kind: "denied", message: "Access was not granted." });

    expect((await call).result).toMatchObject({
      resultType: "complete",
      isError: true,
      content: [{ type: "text", text: "Signing in did not work: Access was not granted." }],
    });
  });

  test("the server's own sign_in tool takes precedence", async () => {
    const own = await startUpstream({ tools: [{ name: "sign_in", inputSchema: {} }] });
    const host = startProxy(own.url);
    hosts.push(host);
    await host.request("tools/list");

    await host.call("sign_in");
    await own.stop();

    expect(own.executed).toEqual(["sign_in"]);
  });

  test("a manual Authorization header is used alone, without a sign-in", async () => {
    const host = start({
      tokens: tokensFrom({ token: "good" }),
      requestSignIn: answerWith(undefined),
      settings: { headers: [["Authorization", "Bearer mine"]] },
    });

    const { error } = await host.call("add_thing");
    tokens.add("mine");
    const answer = await host.call("add_thing");

    expect(error?.data).toMatchObject({ code: "server_refused" });
    expect(answer).toHaveProperty("result");
    expect(asked).toEqual([]);
  });
});
