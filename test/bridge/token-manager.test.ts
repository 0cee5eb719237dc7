import { readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { readState, updateState } from "../../bridge/src/profile/profile.js";
import {
  dueAt,
  type TokenManager,
  type TokenManagerDeps,
} from "../../bridge/src/tokens/token-manager.js";
import type { TestContext } from "../support/bridge-context.js";
import { signInAt, type TokenServer } from "../support/bridge-oauth.js";
import { createTestStore, type TestStore } from "../support/bridge-store.js";
import { noToken, setUpTokens, type TokenSetup } from "../support/bridge-token-setup.js";

describe("token lookup", () => {
  let server: TokenServer;
  let store: TestStore;
  let context: TestContext;
  let aManager: TokenSetup["aManager"];

  beforeEach(async () => {
    const setup = await setUpTokens();
    ({ server, store, context, aManager } = setup);
    return setup.end;
  });

  const refreshes = () => server.requests.filter(({ path }) => path === "/token").length;
  const signedOut = async () => {
    const state = await readState(context.profile);
    return state.signedIn ? "signed in" : state.signedOutBecause;
  };
  const answerWith = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    server.rules.before = (_request, response) => {
      response.writeHead(status, headers).end(JSON.stringify(body));
      return true;
    };
  };

  /** The first token must be refreshed at once, the next one never. */
  function dueOnce(): Partial<TokenManagerDeps> {
    const times = [Date.now()];
    return { dueAt: () => times.pop() ?? Infinity };
  }

  const valueOf = async (manager: TokenManager) => (await manager.get())?.value ?? "none";

  test("finds no token before a sign-in, without opening a store", async () => {
    const { manager } = aManager({ openStore: () => Promise.reject(new Error("opened")) });

    expect(await manager.get()).toBeUndefined();
  });

  test("every process uses the token of a sign-in without refreshing it", async () => {
    const { accessToken } = await signInAt(server, context, store);

    const values = await Promise.all(
      [aManager(), aManager()].map(({ manager }) => valueOf(manager)),
    );

    expect(values).toEqual([accessToken, accessToken]);
    expect(refreshes()).toBe(0);
  });

  test("finds a sign-in made while the manager runs", async () => {
    const { manager } = aManager();
    expect(await manager.get()).toBeUndefined();

    const { accessToken } = await signInAt(server, context, store);

    expect(await valueOf(manager)).toBe(accessToken);
  });

  test("while signed out, the state is not read again until the file is replaced", async () => {
    const { accessToken } = await signInAt(server, context, store);
    const file = join(context.profile.folder, "state.json");
    const signedIn = readFileSync(file, "utf8");
    await updateState(context.profile, { signedIn: false });
    utimesSync(file, 1, 1);
    const { manager } = aManager();
    const before = await valueOf(manager);

    writeFileSync(file, signedIn);
    utimesSync(file, 1, 1);
    const sameFile = await valueOf(manager);
    await updateState(context.profile, {});

    expect([before, sameFile, await valueOf(manager)]).toEqual(["none", "none", accessToken]);
  });

  test("a sign-in at any moment of a lookup is found by the next one", async () => {
    const { accessToken } = await signInAt(server, context, store);
    const file = join(context.profile.folder, "state.json");
    const signedIn = readFileSync(file, "utf8");
    for (let moment = 0; moment < 40; moment += 1) {
      await updateState(context.profile, { signedIn: false });
      writeFileSync(`${file}.next`, signedIn);
      const { manager } = aManager();
      const search = manager.get();
      for (let turn = 0; turn < moment / 2; turn += 1) await setImmediate();

      renameSync(`${file}.next`, file);

      await Promise.all([search, manager.get()]);
      expect(await valueOf(manager), `moment ${moment}`).toBe(accessToken);
    }
  });

  test("concurrent calls with an expired token make one request", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    const { manager } = aManager();

    const values = await Promise.all(Array.from({ length: 20 }, () => valueOf(manager)));

    expect(new Set(values).size).toBe(1);
    expect(server.accepts(values[0] ?? "")).toBe(true);
    expect(refreshes()).toBe(1);
  });

  test("concurrent processes with an expired token make one request", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    const managers = Array.from({ length: 8 }, () => aManager().manager);

    const values = await Promise.all(managers.map(valueOf));

    expect(new Set(values).size).toBe(1);
    expect(refreshes()).toBe(1);
  });

  test("a rejected token is replaced once for all processes", async () => {
    await signInAt(server, context, store);
    const managers = Array.from({ length: 4 }, () => aManager().manager);
    const tokens = await Promise.all(managers.map((manager) => manager.get()));
    server.refuseAccessTokens();

    const replaced = await Promise.all(
      managers.flatMap((manager, index) => {
        const token = tokens[index];
        return token === undefined ? [] : [manager.replace(token), manager.replace(token)];
      }),
    );

    expect(new Set(replaced.map((token) => token?.value)).size).toBe(1);
    expect(server.accepts(replaced[0]?.value ?? "")).toBe(true);
    expect(refreshes()).toBe(1);
    expect(server.reuses()).toBe(0);
  });

  test("a late rejection of an old token causes no further refresh", async () => {
    await signInAt(server, context, store);
    const { manager } = aManager();
    const old = (await manager.get()) ?? noToken;
    const next = await manager.replace(old);

    expect(await manager.replace(old)).toEqual(next);
    expect(refreshes()).toBe(1);
  });

  test("handles the rejection of a token that is still being looked up", async () => {
    const { accessToken: value } = await signInAt(server, context, store);
    const { manager } = aManager();

    const both = [manager.get(), manager.replace({ ...noToken, value })];
    const [found, replaced] = await Promise.all(both);

    expect(found?.value).toBe(value);
    expect(replaced?.value).not.toBe(value);
    expect(server.accepts(replaced?.value ?? "")).toBe(true);
  });

  test("refreshes a token before it expires, once for all processes", async () => {
    const { accessToken } = await signInAt(server, context, store);
    const managers = [aManager(dueOnce()).manager, aManager(dueOnce()).manager];

    for (const manager of managers) manager.start();

    const values = () => Promise.all(managers.map(valueOf));
    await expect.poll(values).not.toContain(accessToken);
    expect(refreshes()).toBe(1);
  });

  test("returns a valid token while the server is down", async () => {
    const { accessToken } = await signInAt(server, context, store);
    answerWith(503, {});
    const { manager, stderr } = aManager(dueOnce());

    manager.start();

    await expect.poll(refreshes).toBeGreaterThan(0);
    expect(await valueOf(manager)).toBe(accessToken);
    expect(stderr()).toBe("");
  });

  test("leaves at least 30 s and a fifth of the remaining time to refresh", () => {
    for (const minutes of [2, 60, 120]) {
      const left = minutes * 60_000;

      const due = dueAt({ value: "", generation: 1, expiresAt: Date.now() + left }) - Date.now();

      expect(due).toBeGreaterThan(left * 0.69);
      expect(left - due).toBeGreaterThanOrEqual(Math.max(30_000, left / 5 - 1));
    }
  });

  test("never schedules a refresh within 30 s, and none for tokens expiring sooner", () => {
    const due = (seconds: number) =>
      dueAt({ value: "", generation: 1, expiresAt: Date.now() + seconds * 1000 }) - Date.now();

    expect([31, 40, 60].map((seconds) => Math.round(due(seconds) / 1000))).toEqual([30, 30, 30]);
    expect([due(29), due(0), due(-5)]).toEqual([Infinity, Infinity, Infinity]);
  });

  test("retries a failed background refresh automatically", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    answerWith(503, {});
    const { manager } = aManager();
    manager.start();
    await expect.poll(refreshes).toBe(1);

    server.rules.before = () => false;

    await expect.poll(refreshes).toBe(2);
    expect(server.accepts(await valueOf(manager))).toBe(true);
    expect(refreshes()).toBe(2);
  });

  test.each([
    ["busy", 429, {}, "server_busy"],
    ["broken", 500, {}, "server_busy"],
    ["odd", 400, { error: "invalid_request" }, "server_refused"],
  ])("a %s server signs no one out", async (_name, status, body, code) => {
    await signInAt(server, context, store, { expiresIn: 1 });
    answerWith(status, body);
    const { manager } = aManager();

    await expect(manager.get()).rejects.toMatchObject({ code });

    server.rules.before = () => false;
    expect(server.accepts(await valueOf(manager))).toBe(true);
  });

  test("sends no request during the server's Retry-After", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    answerWith(429, {}, { "retry-after": "60" });
    const { manager } = aManager();

    for (let call = 0; call < 3; call += 1) {
      await expect(manager.get()).rejects.toMatchObject({ code: "server_busy" });
    }

    expect(refreshes()).toBe(1);
  });

  test("a new sign-in takes effect immediately, even during a Retry-After", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    answerWith(429, {}, { "retry-after": "60" });
    const { manager } = aManager();
    await expect(manager.get()).rejects.toMatchObject({ code: "server_busy" });

    const { accessToken } = await signInAt(server, context, store);

    expect(await valueOf(manager)).toBe(accessToken);
  });

  test.each([
    ["invalid_grant", "refused"],
    ["invalid_client", "client_forgotten"],
  ])("%s signs out for good and deletes the tokens", async (error, because) => {
    await signInAt(server, context, store, { expiresIn: 1 });
    answerWith(400, { error });
    const { manager } = aManager();

    const values = [await valueOf(manager), await valueOf(manager)];

    expect(values).toEqual(["none", "none"]);
    expect(refreshes()).toBe(1);
    expect(await signedOut()).toBe(because);
    expect(store.items.size).toBe(0);
  });

  test("a rejection after a newer sign-in does not affect it", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    const { rt, ...others } = JSON.parse(store.items.get("rt") ?? "") as Record<string, unknown>;
    const later = JSON.stringify({ ...others, g: 9, rt: `${String(rt)}_later` });
    server.rules.before = (_request, response) => {
      store.items.set("rt", later).set("at", JSON.stringify({ g: 9, at: "at_later", exp: null }));
      response.writeHead(400).end(JSON.stringify({ error: "invalid_grant" }));
      return true;
    };

    expect(await valueOf(aManager().manager)).toBe("at_later");
    expect(store.items.get("rt")).toBe(later);
    expect(await signedOut()).toBe("signed in");
  });

  test("each process fetches a token that is too large to share", async () => {
    server.rules.padding = "x".repeat(1000);
    await signInAt(server, context, store);
    const [one, other] = [aManager().manager, aManager().manager];

    const values = [await valueOf(one), await valueOf(other), await valueOf(one)];

    expect(values[0]).not.toBe(values[1]);
    expect(values[2]).toBe(values[0]);
    expect(store.items.has("at")).toBe(false);
    expect(refreshes()).toBe(2);
  });

  test("keeps the refresh token if the server does not rotate it", async () => {
    server.rules.rotates = false;
    const { refreshToken } = await signInAt(server, context, store, { expiresIn: 1 });

    const value = await valueOf(aManager().manager);

    expect(server.accepts(value)).toBe(true);
    expect(store.items.get("rt")).toContain(refreshToken);
    expect((await readState(context.profile)).generation).toBe(2);
  });

  test("the sign-in ends with its access token if there is no refresh token", async () => {
    server.rules.padding = "x".repeat(1000);
    const changes = { refreshToken: undefined };
    const { accessToken } = await signInAt(server, context, store, changes);
    const { manager } = aManager();
    manager.start();
    const token = await manager.get();

    const next = await manager.replace(token ?? noToken);

    expect(token?.value).toBe(accessToken);
    expect(next).toBeUndefined();
    expect(await signedOut()).toBe("expired");
    expect(refreshes()).toBe(0);
  });

  test("reports a locked keychain without asking for a new sign-in", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    store.trouble = "locked";
    const { manager } = aManager();

    await expect(manager.get()).rejects.toMatchObject({ code: "keychain_locked" });

    expect(await signedOut()).toBe("signed in");
    store.trouble = "none";
    expect(server.accepts(await valueOf(manager))).toBe(true);
  });

  test("distinguishes a lost keychain item from a sign-out", async () => {
    await signInAt(server, context, store);
    store.items.clear();
    const { manager, stderr } = aManager();

    const values = [await valueOf(manager), await valueOf(manager)];

    expect(values).toEqual(["none", "none"]);
    expect(await signedOut()).toBe("keychain_reset");
    expect(stderr().split("\n")).toHaveLength(2);
  });

  test("a lost in-memory sign-in is not reported", async () => {
    const memory = createTestStore("memory");
    await signInAt(server, context, memory);
    memory.items.clear();
    const { manager, stderr } = aManager({ openStore: async () => memory });

    expect(await valueOf(manager)).toBe("none");
    expect(await signedOut()).toBeUndefined();
    expect(stderr()).toBe("");
  });

  test("another store has no sign-in, and the recorded store keeps its sign-in", async () => {
    await signInAt(server, context, store);

    const { manager } = aManager({ openStore: async () => createTestStore("keyring") });

    expect(await valueOf(manager)).toBe("none");
    expect(await signedOut()).toBe("signed in");
  });

  test("retries a store that failed to open, and keeps an open one", async () => {
    await signInAt(server, context, store, { expiresIn: 1 });
    let openings = 0;
    const { manager } = aManager({
      openStore: async () => {
        openings += 1;
        if (openings === 1) throw new Error("not now");
        return store;
      },
    });
    await expect(manager.get()).rejects.toThrow("not now");

    await manager.replace((await manager.get()) ?? noToken);
    expect(openings).toBe(2);

    await updateState(context.profile, { backend: "keytar" });
    store.backend = "keytar";
    const found = await manager.get();
    await manager.replace(found ?? noToken);
    expect(openings).toBe(3);
  });
});
