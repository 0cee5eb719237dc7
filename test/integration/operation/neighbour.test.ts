import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

describe("organization that exceeds its share", () => {
  const current = useApp({ rateLimit: true });

  const callOf = (token: string, name: string, args: object) =>
    current().app.inject({
      method: "POST",
      url: "/mcp",
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      payload: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      },
    });

  test("LIM-17: has eight slots for calls and pages together, separate from other organizations", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const other = await aMember(db);
    const [browser, otherBrowser] = [await signIn(app, member), await signIn(app, other)];
    const admit = app.services.createCallerLimit("places");
    const { organizationId } = member;
    const people = ["usr_a", "usr_b"].flatMap((userId) => Array<string>(4).fill(userId));
    const taken = await Promise.all(people.map((userId) => admit({ organizationId, userId })));

    const refused = await browser.get("/assets");

    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.body).toContain("Your organization sent too many requests at once.");
    expect((await otherBrowser.get("/assets")).statusCode).toBe(200);
    for (const place of taken) if (place.kind === "ok") place.leave();
    // More than the available slots: each page frees its own.
    for (let count = 0; count < 10; count += 1) {
      expect((await browser.get("/assets")).statusCode).toBe(200);
    }
  });

  const send = (token: string, payload: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return current().app.inject({ method: "POST", url: "/mcp", headers, payload });
  };
  // Not a protocol message, so other call limits don't count it.
  const long = JSON.stringify("a".repeat(1_000_000));
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

  test("LIM-18: counts a person's request by length before reading it", async () => {
    const { db } = current();
    const owner = await connect(current());
    const { organization } = owner.member;
    const colleague = await connect(current(), { member: await aMember(db, { organization }) });
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      if (count === 12) vi.setSystemTime(Date.now() + 10_000);
      statuses.push((await send(owner.token, long)).statusCode);
    }

    expect(statuses.filter((status) => status === 400)).toHaveLength(24);
    const refused = await send(owner.token, ping);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "50"]);
    expect(refused.json()).toMatchObject({ error: "rate_limited" });
    expect((await send(colleague.token, ping)).statusCode).toBe(200);
  });

  test("LIM-18: counts the requests of an organization's people together", async () => {
    const { db } = current();
    const other = await connect(current());
    const organization = "Many people";
    const tokens: string[] = [];
    while (tokens.length < 6) {
      const member = await aMember(db, { organization });
      tokens.push((await connect(current(), { member })).token);
    }
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const statuses: number[] = [];
    for (const token of tokens) {
      for (let count = 0; count < 4; count += 1) {
        statuses.push((await send(token, long)).statusCode);
      }
    }

    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    const refused = await send(tokens[0] ?? "", ping);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "10"]);
    expect((await send(other.token, ping)).statusCode).toBe(200);
    vi.setSystemTime(Date.now() + 10_000);
    expect((await send(tokens[0] ?? "", ping)).statusCode).toBe(200);
  });

  test("LIM-18: never reads requests without a token", async () => {
    const payload = "{";
    const headers = { "content-type": "application/json" };
    for (const [method, url, status] of [
      ["PUT", "/mcp", 405],
      ["POST", "/mcp/other", 404],
      ["POST", "/nothing", 404],
    ] as const) {
      const answer = await current().app.inject({ method, url, headers, payload });
      expect(answer.statusCode).toBe(status);
    }
  });

  test("LIM-16: is slowed down, while others are answered and the server remains ready", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    for (let count = 0; count < 10; count += 1) {
      await owner.ok("create_asset", { name: `Pump ${count}` });
    }
    const { organization } = owner.member;
    const member = await aMember(db, { organization });
    const connections = [owner, await connect(current(), { member })];
    for (const { member: person } of [...connections]) {
      connections.push(await connect(current(), { member: person }));
    }
    const noisyBrowser = await signIn(app, member);
    const quiet = await connect(current());
    await quiet.ok("create_asset", { name: "Lathe" });
    const quietBrowser = await signIn(app, quiet.member);
    // Freezes the clock of the limits: on a slow machine they would refill meanwhile.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());

    const calls = [
      ["list_assets", { limit: 100 }],
      ["list_assets", { query: "pump" }],
      ["search_asset_history", { query: "pump" }],
    ] as const;
    const noise = connections.flatMap(({ token }) =>
      Array.from({ length: 70 }, (_, index) => {
        const [name, args] = calls[index % calls.length] ?? calls[0];
        return callOf(token, name, args);
      }),
    );
    const noisyPages = Array.from({ length: 130 }, () => noisyBrowser.get("/assets"));
    for (let count = 0; count < 10; count += 1) {
      expect(await quiet.ok("list_assets")).toMatchObject({ total_count: 1 });
      expect(await quiet.ok("search_asset_history")).toMatchObject({ total_count: 1 });
      expect((await quietBrowser.get("/assets")).statusCode).toBe(200);
      expect((await app.inject("/readyz")).statusCode).toBe(200);
    }

    const answers = await Promise.all(noise);
    const refused = answers.filter(({ body }) => body.includes('"code":"rate_limited"'));
    expect(refused.length).toBeGreaterThanOrEqual(80);
    const pages = (await Promise.all(noisyPages)).map(({ statusCode }) => statusCode);
    expect(pages.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30);
  });
});
