import { connect as open } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { countTenfold } from "../../support/counters.js";
import { connect, refresh, type Tokens } from "../../support/oauth.js";

describe("refreshes with a stolen copy", () => {
  const server = useServer();

  test("RFR-07: a replay alongside the owner's refresh causes no server error for either", async () => {
    const { app, db } = server();
    const { client, tokens } = await connect(app, await aMember(db));
    let used = tokens.refresh_token;
    let live = (await refresh(app, client, used)).json<Tokens>().refresh_token;

    for (let round = 0; round < 40; round += 1) {
      const [replay, own] = await Promise.all([
        refresh(app, client, used),
        refresh(app, client, live),
      ]);
      expect({ replay: replay.statusCode, own: own.statusCode }).toEqual({ replay: 400, own: 200 });
      used = live;
      live = own.json<Tokens>().refresh_token;
    }
  });

  test("RFR-02: a request whose body arrives after the response is a replay, not an overlap", async () => {
    const { app, db, config } = server();
    const { client, tokens } = await connect(app, await aMember(db));
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      client_id: client.id,
      refresh_token: tokens.refresh_token,
    }).toString();
    const { hostname, port, host } = new URL(config.baseUrl);
    const socket = open({ host: hostname, port: Number(port) });
    const answer = new Promise<string>((done) => {
      let text = "";
      socket.on("data", (chunk) => (text += String(chunk)));
      socket.on("close", () => {
        done(text);
      });
    });
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n` +
        body.slice(0, 5),
    );
    await new Promise((later) => setTimeout(later, 100));

    const own = await refresh(app, client, tokens.refresh_token);
    await new Promise((later) => setTimeout(later, 1500));
    socket.write(body.slice(5));

    expect(own.statusCode).toBe(200);
    expect(await answer).toMatch(/^HTTP\/1\.1 400[\s\S]+invalid_grant/);
  });

  test("RFR-22: others can't reuse a refresh whose response was abandoned behind another one", async () => {
    const { app, db, config } = server();
    const owner = await aMember(db);
    const [first, second] = [await connect(app, await aMember(db)), await connect(app, owner)];
    const requests = [first, second].map(({ client, tokens }) => {
      const form = {
        grant_type: "refresh_token",
        client_id: client.id,
        refresh_token: tokens.refresh_token,
      };
      const body = new URLSearchParams(form).toString();
      return (
        `POST /oauth/token HTTP/1.1\r\nHost: localhost\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n` +
        body
      );
    });
    const rotated = async () => {
      const row = await db.maybe<{ count: number }>(
        `SELECT count(*)::int AS count FROM oauth_refresh_tokens
         WHERE organization_id = $1 AND rotated_at IS NOT NULL`,
        [owner.organizationId],
      );
      return row?.count === 1;
    };
    const socket = open({ host: "localhost", port: config.port });
    await new Promise((written) => socket.write(requests.join(""), written));
    // Before the first response, which waits for overlapping requests.
    await new Promise((later) => setTimeout(later, 5));
    socket.destroy();
    await vi.waitUntil(rotated, 60_000);
    await new Promise((later) => setTimeout(later, 200));

    const again = await refresh(app, second.client, second.tokens.refresh_token);

    expect([again.statusCode, again.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });
});

describe("unlimited refreshes", () => {
  const current = useApp(
    { rateLimit: true },
    { counters: countTenfold("refreshes-of-person", "refreshes-of-connection") },
  );

  test("GRO-11 allows a person 600 an hour over all connections, as each leaves a row", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const connections = [await connect(app, member), await connect(app, member)];
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const next = async ({ client, tokens }: (typeof connections)[number]) => {
      // Avoids other limits.
      vi.advanceTimersByTime(5000);
      const answer = await refresh(app, client, tokens.refresh_token);
      if (answer.statusCode === 200) Object.assign(tokens, answer.json<Tokens>());
      return answer;
    };
    for (let round = 0; round < 30; round += 1)
      for (const connection of connections) expect((await next(connection)).statusCode).toBe(200);

    for (const connection of connections) {
      const refused = await next(connection);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60);
    }
    const other = await connect(app, await aMember(db));
    expect((await next(other)).statusCode).toBe(200);
    vi.advanceTimersByTime(3_600_000);
    for (const connection of connections) expect((await next(connection)).statusCode).toBe(200);
  });

  test("GRO-13: counts repeated refreshes with fewer scopes too, as each leaves a token", async () => {
    const { app, db } = current();
    const both = { scope: ["mcp_read", "mcp_write"] };
    const { client, tokens } = await connect(app, await aMember(db), both);
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const repeat = (more = {}) => {
      vi.advanceTimersByTime(5000);
      const named = { rotation_id: "r".repeat(43), ...more };
      return refresh(app, client, tokens.refresh_token, named);
    };
    expect((await repeat()).statusCode).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 40 && statuses.at(-1) !== 429; n += 1)
      statuses.push((await repeat({ scope: "mcp_read" })).statusCode);

    expect(statuses).toEqual([...Array.from({ length: 29 }, () => 200), 429]);
    expect((await repeat()).statusCode).toBe(200);
  });

  test("LIM-90 one app can't use up the limit of the person's other apps", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const [wild, quiet] = [await connect(app, member), await connect(app, member)];
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { refresh_token: used } = wild.tokens;
    let last = 200;
    for (let n = 0; n < 61 && last === 200; n += 1) {
      vi.advanceTimersByTime(5000);
      const answer = await refresh(app, wild.client, wild.tokens.refresh_token);
      last = answer.statusCode;
      if (last === 200) Object.assign(wild.tokens, answer.json<Tokens>());
    }
    expect(last).toBe(429);

    const other = await refresh(app, quiet.client, quiet.tokens.refresh_token);

    expect(other.statusCode).toBe(200);
    // A replay is still detected.
    expect((await refresh(app, wild.client, used)).json()).toMatchObject({
      error: "invalid_grant",
    });
  });
});
