import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BridgeError } from "../../bridge/src/common/errors.js";
import type { PendingSignIn, SignInRequest } from "../../bridge/src/sign-in/sign-in.js";
import {
  pendingSignIn,
  type RunningProxy,
  startProxy,
  tokensFrom,
} from "../support/bridge-proxy.js";
import { startUpstream, type Upstream } from "../support/bridge-upstream.js";

describe("missing scopes", () => {
  let upstream: Upstream;
  let host: RunningProxy;
  let asked: SignInRequest[];
  let signIn: () => Promise<PendingSignIn | undefined>;

  beforeEach(async () => {
    upstream = await startUpstream();
    asked = [];
    signIn = async () => signedIn();
    host = startProxy(upstream.url, {
      tokens: tokensFrom({ token: "good" }),
      requestSignIn: (request) => {
        asked.push(request);
        return signIn();
      },
      settings: { timeoutMs: 4000 },
      timeouts: { requestReserveMs: 1900 },
    });
  });
  afterEach(async () => {
    await host.stop();
    await upstream.stop();
  });

  function signedIn(): PendingSignIn {
    const { pending, complete } = pendingSignIn();
    complete({ kind: "done" });
    return pending;
  }

  function refuseOnce(method: string, scope: string): void {
    upstream.once(method, ({ status }) => {
      status(403, { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` });
    });
  }

  test("are requested once, and the call is retried", async () => {
    const { pending, complete } = pendingSignIn();
    signIn = async () => pending;
    refuseOnce("tools/call", "b a");
    const calling = host.call("add_thing");
    await expect.poll(() => asked).toEqual([{ cause: "person", additionalScope: "b a" }]);
    complete({ kind: "done" });
    const first = await calling;
    refuseOnce("tools/call", "a b");

    const second = await host.call("add_thing");

    expect(first).toHaveProperty("result");
    expect(second).toHaveProperty("result");
    expect(asked).toHaveLength(1);
  });

  test("a server that keeps asking gets one window per call, three in total", async () => {
    let scopes = 0;
    upstream.on("tools/call", ({ status }) => {
      const scope = `scope${++scopes}`;
      status(403, { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` });
    });

    const answers = [];
    for (let call = 1; call <= 5; call += 1) answers.push(await host.call("add_thing"));

    expect(answers.map(({ error }) => error?.message)).toEqual(
      ["scope2", "scope4", "scope6", "scope7", "scope8"].map((scope): unknown =>
        expect.stringContaining(`"${scope}"`),
      ),
    );
    expect(asked.map(({ additionalScope }) => additionalScope)).toEqual([
      ...["scope1", "scope3", "scope5"],
    ]);
  });

  test("an automatic request does not count as a person's request", async () => {
    signIn = async () => undefined;
    refuseOnce("tools/list", "a");
    refuseOnce("tools/call", "a");

    const list = await host.request("tools/list");
    signIn = async () => signedIn();
    const call = await host.call("read_thing");

    expect(list.error?.message).toContain('"a"');
    expect(call).toHaveProperty("result");
    expect(asked.map(({ cause }) => cause)).toEqual(["start", "person"]);
  });

  test("a failed scope request can be repeated", async () => {
    const denied = pendingSignIn();
    denied.complete({ kind: "denied", message: "Access was not granted." });
    const ways = [
      async () => Promise.reject(new BridgeError("keychain_locked", "The keychain is locked.")),
      async () => denied.pending,
      async () => signedIn(),
    ];
    signIn = async () => ways.shift()?.();

    const answers = [];
    for (let call = 1; call <= 3; call += 1) {
      refuseOnce("tools/call", "a");
      answers.push(await host.call("add_thing"));
    }

    expect(answers.map(({ error }) => error?.data?.["code"])).toEqual([
      ...["keychain_locked", "sign_in_failed", undefined],
    ]);
  });

  test("a manual Authorization header opens no window", async () => {
    const own = startProxy(upstream.url, {
      requestSignIn: (request) => {
        asked.push(request);
        return signIn();
      },
      settings: { headers: [["Authorization", "Bearer mine"]] },
    });
    refuseOnce("tools/call", "a");

    const { error } = await own.call("add_thing");
    await own.stop();

    expect(error?.message).toContain('"a"');
    expect(asked).toEqual([]);
  });
});
