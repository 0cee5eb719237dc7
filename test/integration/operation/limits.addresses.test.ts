import { describe, expect, onTestFinished, test, vi } from "vitest";
import { memoryStore } from "../../../server/src/traffic/counter-store.js";
import { createSignInThrottle } from "../../../server/src/traffic/sign-in-throttle.js";
import { createTokenBuckets } from "../../../server/src/traffic/token-buckets.js";
import { createWindows } from "../../../server/src/traffic/windows.js";
import { staticUrls } from "../../../server/src/web/static-files.js";
import { useApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";

describe("IPv6 addresses", () => {
  const current = useApp({ rateLimit: true });

  const postFrom = (url: string, remoteAddress: string, authorization = "") =>
    current().app.inject({
      method: "POST",
      url,
      remoteAddress,
      headers: { host: "localhost:3000", authorization },
      payload: {},
    });

  /** A different /64 each time, all in one /56. */
  const neighbour = (count: number) => `2001:db8:0:${(0xab00 + (count % 256)).toString(16)}::1`;
  const stranger = "2001:db8:0:ac00::1";

  test.each([
    ["of a route", "/oauth/register", 60, 400],
    ["of bad tokens", "/mcp", 300, 401],
  ])("LIM-12: count by /56 in the limit %s", async (_, url, most, usual) => {
    for (let count = 0; count < most; count += 1) {
      const { statusCode } = await postFrom(url, neighbour(count), "Bearer mcp_at_no");
      expect(statusCode).toBe(usual);
    }

    expect((await postFrom(url, neighbour(200), "Bearer mcp_at_no")).statusCode).toBe(429);
    expect((await postFrom(url, stranger, "Bearer mcp_at_no")).statusCode).toBe(usual);
  });

  test("LIM-12: count by /56 in the page limit", async () => {
    const open = (remoteAddress: string) => current().app.inject({ url: "/signin", remoteAddress });
    for (let count = 0; count < 300; count += 1) {
      expect((await open(neighbour(count))).statusCode).toBe(200);
    }

    expect((await open(neighbour(200))).statusCode).toBe(429);
    expect((await open(stranger)).statusCode).toBe(200);
  });

  test("LIM-12: count by /56 at the token endpoint, for each client", async () => {
    const ask = (remoteAddress: string) =>
      current().app.inject({
        method: "POST",
        url: "/oauth/token",
        remoteAddress,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: "client_id=fettle-bridge",
      });
    for (let count = 0; count < 60; count += 1) await ask(neighbour(count));

    expect((await ask(neighbour(77))).statusCode).toBe(429);
    expect((await ask(stranger)).statusCode).toBe(400);
  });

  test("LIM-12: count by /56 at sign-in", async () => {
    const throttle = createSignInThrottle(memoryStore);
    for (let count = 0; count < 10; count += 1) {
      await throttle.begin("password", neighbour(count), `bo-${count}@example.com`);
    }

    await expect(throttle.begin("password", neighbour(11), "rosa@example.com")).rejects.toThrow();
    await throttle.begin("password", stranger, "rosa@example.com");
  });
});

describe("forms open to all members that leave permanent rows", () => {
  const current = useApp({ rateLimit: true });

  test.each([
    ["/settings", 120, "198.51.100.1"],
    ["/settings/notifications/calendar", 120, "198.51.100.2"],
    ["/settings/apps/con_000000000000/undo", 60, "198.51.100.3"],
  ])("LIM-59 accepts a limited number an hour from one address: %s", async (url, most, address) => {
    const post = async (remoteAddress: string) => {
      const answer = await current().app.inject({ method: "POST", url, remoteAddress });
      return answer.statusCode;
    };
    const answers = new Set<number>();
    for (let count = 0; count < most; count += 1) answers.add(await post(address));

    expect([...answers]).not.toContain(429);
    expect(await post(address)).toBe(429);
    expect(await post("198.51.100.4")).not.toBe(429);
  });
});

describe("addresses with ports from a proxy", () => {
  const current = useApp({ rateLimit: true, trustProxy: 1 });

  test.each([
    ["198.51.100.7", "198.51.100.8"],
    ["[2001:db8:0:ab00::7]", "[2001:db8:0:ac00::7]"],
  ])("LOG-12 a different port isn't a different address: %s", async (address, stranger) => {
    const register = async (forwarded: string) => {
      const headers = { "x-forwarded-for": `192.0.2.1, ${forwarded}` };
      const answer = await current().app.inject({
        method: "POST",
        url: "/oauth/register",
        headers,
        payload: {},
      });
      return answer.statusCode;
    };
    for (let port = 4000; port < 4060; port += 1) {
      expect(await register(`${address}:${port}`)).toBe(400);
    }

    expect(await register(`${address}:5000`)).toBe(429);
    expect(await register(`${stranger}:4000`)).toBe(400);
  });
});

describe("memory of a limit", () => {
  const most = 20_000;

  test("LIM-13: keeps a bounded number of most recently used keys", async () => {
    const windows = createWindows(memoryStore, "test", 3_600_000);
    await windows.add("first");
    for (let count = 1; count < most; count += 1) await windows.add(`key ${count}`);
    expect(await windows.add("first", 0)).toMatchObject({ count: 1 });

    await windows.add("first");
    for (let count = 0; count < most; count += 1) await windows.add(`other ${count}`);

    expect(await windows.add("first", 0)).toMatchObject({ count: 0 });
  });

  test("LIM-13: keeps a bounded number of buckets", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const rate = { perSecond: 1, burst: 1, refusalsInFull: 1 };
    const takeTokens = createTokenBuckets(memoryStore, "test", [rate]);
    await takeTokens(["first"]);
    for (let count = 1; count < most; count += 1) await takeTokens([`key ${count}`]);
    expect((await takeTokens(["first"])).kind).toBe("refused");

    for (let count = 0; count < most; count += 1) await takeTokens([`other ${count}`]);

    expect((await takeTokens(["first"])).kind).toBe("ok");
  });

  test("CLK-02 a clock set back two hours restarts the counts", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const windows = createWindows(memoryStore, "test", 60_000);
    const takeTokens = createTokenBuckets(memoryStore, "test", [
      { perSecond: 1, burst: 2, refusalsInFull: 1 },
    ]);
    await windows.add("key", 5);
    await windows.begin("longer", 3 * 3_600_000);
    await takeTokens(["key"]);

    vi.setSystemTime(Date.now() - 2 * 3_600_000);

    expect(await windows.add("key")).toEqual({ count: 1, msLeft: 60_000 });
    expect((await windows.add("longer", 0)).count).toBe(0);
    expect((await takeTokens(["key"])).kind).toBe("ok");
    expect((await takeTokens(["key"])).kind).toBe("ok");
    expect((await takeTokens(["key"])).kind).toBe("refused");
  });
});

describe("limit per address", () => {
  const current = useApp({ rateLimit: true });

  test("LIM-85 rejects a flood of requests before any lookup, while calls continue", async () => {
    const { app, db, config } = current();
    const { token } = await connect({ app, db, config });
    const [remoteAddress, other] = ["198.51.100.7", "198.51.100.8"];
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const open = (url: string, from = remoteAddress) => app.inject({ url, remoteAddress: from });
    for (let n = 0; n < 1000; n += 1) await open("/unknown");

    for (const url of ["/unknown", "/signin", staticUrls.app, "/mcp", "/oauth/register"]) {
      const { statusCode, headers, body } = await open(url);
      expect([url, statusCode, headers["retry-after"]]).toEqual([url, 429, "1"]);
      expect(body).toBe("Too many requests in a short time. Wait a little, then try again.\n");
    }
    expect((await open("/healthz")).statusCode).toBe(200);
    expect((await open("/signin", other)).statusCode).toBe(200);
    const call = { method: "POST", url: "/mcp", remoteAddress, payload: {} } as const;
    const authorization = `Bearer ${token}`;
    expect((await app.inject({ ...call, headers: { authorization } })).statusCode).not.toBe(429);
  });
});
