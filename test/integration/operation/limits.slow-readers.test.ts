import { EventEmitter, once } from "node:events";
import { connect as openSocket, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { fastify, type FastifyInstance, type RouteHandlerMethod } from "fastify";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { onResponseClosed } from "../../../server/src/traffic/answer-end.js";
import { createLimits, limitsPlugin } from "../../../server/src/traffic/limits.js";
import {
  createUnreadAnswers,
  unreadAnswersPlugin,
} from "../../../server/src/traffic/response-backpressure.js";
import type { AppServices } from "../../../server/src/services.js";
import { testConfig, useServer } from "../../support/app.js";
import { toCookieHeader } from "../../support/browser.js";
import { aCalendarAddress, aMember, aTask } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { dayFromToday } from "../../support/replay.js";

/** More than the buffers between two sockets hold. */
const longText = "x".repeat(32 * 1024 * 1024);

const getRequest = (path: string, cookie = "") =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\naccept: text/html\r\n\r\n`;

function send(port: number, text: string): Socket {
  const socket = openSocket(port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write(text);
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => app.close());
  return (app.server.address() as AddressInfo).port;
}

test("LIM-25: an unread response doesn't occupy the organization's capacity", async () => {
  const app = fastify();
  let answered = 0;
  const config = testConfig({ rateLimit: true });
  const limits = await createLimits({
    config,
    log: app.log,
    quotaOrganizationOf: async (organizationId) => organizationId,
  });
  app.decorate("services", { config, ...limits } as AppServices);
  await app.register(limitsPlugin);
  app.get("/", async (_request, reply) => {
    const caller = { organizationId: "org_one", userId: `usr_${String(answered % 2)}` };
    await app.services.enterOrganization(caller, reply);
    answered += 1;
    return longText;
  });
  const port = await listen(app);
  for (let count = 0; count < 8; count += 1) send(port, getRequest("/"));
  await vi.waitFor(() => {
    expect(answered).toBe(8);
  }, 60_000);

  const another = await fetch(`http://127.0.0.1:${port}/`);

  expect(another.status).toBe(200);
  await another.body?.cancel();
});

test("LIM-28: aborts a response that is read too slowly", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const app = fastify();
  app.decorate("services", createUnreadAnswers() as AppServices);
  await app.register(unreadAnswersPlugin);
  let ended = 0;
  app.get("/:size", async (request, reply) => {
    onResponseClosed(reply, () => (ended += 1));
    return (request.params as { size: string }).size === "long" ? longText : "short";
  });
  const port = await listen(app);
  send(port, getRequest("/long"));
  await vi.waitUntil(() => vi.getTimerCount() > 0, 60_000);
  send(port, getRequest("/short"));
  await vi.waitUntil(() => ended === 1, 60_000);
  expect(vi.getTimerCount()).toBe(1);

  // Two minutes, and a second for each of its 2,048 pieces of 16 KiB.
  vi.advanceTimersByTime((120 + 2048) * 1000 - 1);
  await new Promise((later) => setImmediate(later));
  expect(ended).toBe(1);
  vi.advanceTimersByTime(1);

  await vi.waitUntil(() => ended === 2, 60_000);
});

test("LIM-29: ends all responses of a broken connection, whichever was next", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => void process.off("warning", warned));
  const app = fastify();
  let begun = 0;
  const over: string[] = [];
  const gate = new EventEmitter();
  app.get("/:name", async (request, reply) => {
    begun += 1;
    const { name } = request.params as { name: string };
    onResponseClosed(reply, () => over.push(name));
    if (name === "slow") await once(gate, "open");
    return "x";
  });
  const port = await listen(app);
  const names = Array.from({ length: 12 }, (_, index) => String(index));
  const socket = send(port, ["slow", ...names].map((name) => getRequest(`/${name}`)).join(""));
  await vi.waitUntil(() => begun === 13, 60_000);
  expect(over).toEqual([]);

  socket.destroy();
  await vi.waitUntil(() => over.length === 13, 60_000);
  gate.emit("open");
  const later = await fetch(`http://127.0.0.1:${port}/later`);
  await later.text();

  await vi.waitUntil(() => over.includes("later"), 60_000);
  expect(over).toHaveLength(14);
  expect(warned).not.toHaveBeenCalled();
});

describe("LIM-29: idle connection", () => {
  const post = (sent: string) =>
    `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n${sent}`;

  async function listenBriefly(handle: RouteHandlerMethod) {
    const app = fastify({ connectionTimeout: 200 });
    app.decorate("services", createUnreadAnswers() as AppServices);
    await app.register(unreadAnswersPlugin);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => {
      done(null);
    });
    app.post("/", handle);
    const connections: Socket[] = [];
    app.server.on("connection", (connection) => connections.push(connection));
    return { port: await listen(app), connections };
  }

  test("is answered if the server was working", async () => {
    const { port } = await listenBriefly(async ({ raw }) => {
      await text(raw);
      await new Promise((later) => setTimeout(later, 800));
      return "done";
    });

    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "sent" });

    expect(await answer.text()).toBe("done");
  });

  test.each<[string, string, RouteHandlerMethod]>([
    ["a body that stays away", "se", async ({ raw }) => text(raw)],
    ["an answer that nobody reads", "sent", async () => longText],
  ])("is closed after %s", async (_what, body, handle) => {
    const { port, connections } = await listenBriefly(handle);

    send(port, post(body));

    await vi.waitUntil(() => connections[0]?.destroyed, 60_000);
  });
});

describe("server with slow readers", () => {
  const current = useServer();

  const toolList = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const callOf = (name: string, args: object) => ({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const requestOf = (token: string, payload: unknown) => ({
    method: "POST" as const,
    url: "/mcp",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: JSON.stringify(payload),
  });
  const post = (token: string, payload: unknown) => current().app.inject(requestOf(token, payload));

  test("LIM-28: stops serving a client that reads nothing, while others continue", async () => {
    const { db, config } = current();
    const silent = await connect(current());
    const { organization } = silent.member;
    const other = await connect(current(), { member: await aMember(db, { organization }) });
    const listTools = ({ token }: typeof other) => post(token, toolList);
    const { url, headers, payload } = requestOf(silent.token, Array(20).fill(toolList));
    const lines = Object.entries({ host: "localhost", ...headers }).map((pair) => pair.join(": "));
    lines.push(`content-length: ${payload.length}`, "", payload);
    const request = [`POST ${url} HTTP/1.1`, ...lines].join("\r\n");
    // Kernel buffers would take megabytes. These sockets write nothing to them.
    current().app.server.prependListener("connection", (socket) => {
      socket.cork();
      vi.spyOn(socket, "uncork").mockReturnValue();
    });
    const sockets: Socket[] = [];

    const refused = await vi.waitUntil(
      async () => {
        sockets.push(send(config.port, request));
        const answer = await listTools(silent);
        return answer.statusCode === 200 ? undefined : answer;
      },
      { timeout: 60_000, interval: 100 },
    );

    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
    expect(refused.json()).toMatchObject({ error: "rate_limited" });
    expect(refused.body).toContain("hasn't read its earlier responses");
    expect((await listTools(other)).statusCode).toBe(200);
    for (const socket of sockets) socket.resetAndDestroy();
    await vi.waitUntil(async () => (await listTools(silent)).statusCode === 200, 60_000);
  });

  test("LIM-80 an unread calendar counts against its address, not the person's calls", async () => {
    const { app, db, config } = current();
    const silent = await aMember(db, { role: "owner", workspace: "Depot" });
    const address = "🔧".repeat(500);
    await db.query("UPDATE workspaces SET address = $1 WHERE organization_id = $2", [
      address,
      silent.organizationId,
    ]);
    for (let count = 0; count < 100; count += 1) {
      await aTask(db, silent, {
        title: "🔧".repeat(200),
        due_date: dayFromToday(count),
        workspace_id: silent.workspaceId ?? "",
      });
    }
    const path = await aCalendarAddress(db, silent);
    const theirs = await connect(current(), { member: silent });
    const other = await aCalendarAddress(
      db,
      await aMember(db, { organization: silent.organization, role: "owner" }),
    );
    app.server.prependListener("connection", (socket) => {
      socket.cork();
      vi.spyOn(socket, "uncork").mockReturnValue();
    });
    const sockets: Socket[] = [];
    const holding = vi.spyOn(app.services, "enforceReadTimeout");
    onTestFinished(() => {
      holding.mockRestore();
    });
    for (let count = 1; count <= 16; count += 1) {
      sockets.push(send(config.port, getRequest(path)));
      await vi.waitUntil(() => holding.mock.calls.length === count, 60_000);
    }

    const refused = await app.inject({ url: path });

    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "5"]);
    expect((await app.inject({ url: other })).statusCode).toBe(200);
    // Users of the address take nothing from the person's own limit.
    await theirs.ok("list_workspaces");
    for (const socket of sockets) socket.resetAndDestroy();
    await vi.waitUntil(async () => (await app.inject({ url: path })).statusCode === 200, 60_000);
  });

  test("LIM-57 limits an organization to sixteen unread generated files", async () => {
    const { app, db, config } = current();
    const organization = "Exports";
    const silent: Socket[] = [];
    app.server.prependListener("connection", (socket) => {
      socket.cork();
      silent.push(socket);
      vi.spyOn(socket, "uncork").mockReturnValue();
    });
    const browsers = [];
    for (let count = 0; count < 6; count += 1) {
      browsers.push(await signIn(app, await aMember(db, { organization })));
    }
    const holding = vi.spyOn(app.services, "bufferResponse");
    for (const { cookies } of browsers.flatMap((one) => [one, one, one])) {
      send(config.port, getRequest("/assets.csv", toCookieHeader(cookies)));
      const asked = silent.length;
      await vi.waitUntil(() => silent.length > asked, 60_000);
    }

    await vi.waitUntil(() => silent.filter(({ destroyed }) => destroyed).length === 2, 60_000);

    expect(holding).toHaveBeenCalledTimes(18);
  });

  test("LIM-28: rejects calls whose results don't fit into a batch response, without running them", async () => {
    const { token, ok } = await connect(current());
    const lists = Array<object>(18).fill({ ...toolList, id: "x".repeat(10_000) });
    const create = callOf("create_asset", { name: "Too late" });

    const answer = await post(token, [...lists, create, toolList]);

    expect(answer.body.length).toBeLessThan(1_150_000);
    const [called, listed] = answer.json<object[]>().slice(-2);
    expect(called).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: "rate_limited" } } },
    });
    expect(listed).toMatchObject({ error: { code: -32_000 } });
    expect(JSON.stringify([called, listed]).match(/Send it in its own request/g)).toHaveLength(3);
    expect(await ok("list_assets")).toMatchObject({ total_count: 0 });
  });
});

describe("server with limits", () => {
  const current = useServer({ rateLimit: true });

  test("LIM-18: rejects too much data for a minute before it arrives", async () => {
    const { token } = await connect(current());
    const head = [
      ...["POST /mcp HTTP/1.1", "host: localhost", `authorization: Bearer ${token}`],
      ...["content-type: application/json", "content-length: 1000000", "", ""],
    ].join("\r\n");
    const sockets = Array.from({ length: 25 }, () => send(current().config.port, head));

    const answered = sockets.map(async (socket) => {
      const [answer] = (await once(socket.resume(), "data")) as [Buffer];
      return answer.toString();
    });

    expect(await Promise.race(answered)).toMatch(/^HTTP\/1.1 429 /);
  });

  test("LIM-29: aborted pipelined pages release their capacity", async () => {
    const { app, db, config } = current();
    const browser = await signIn(app, await aMember(db));
    const cookie = toCookieHeader(browser.cookies);
    const path = "/assets";
    for (const ms of [0, 2, 4, 8, 16]) {
      const socket = send(config.port, getRequest(path, cookie).repeat(5));
      await once(socket, "connect");
      await new Promise((later) => setTimeout(later, ms));
      socket.destroy();
    }

    expect((await browser.get(path)).statusCode).toBe(200);
  });
});
