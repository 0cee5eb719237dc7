import { once } from "node:events";
import { connect as openSocket, type Socket } from "node:net";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { touchConnection } from "../../../server/src/domain/oauth/grants.js";
import { lockMembership } from "../../../server/src/domain/oauth/authorizations.js";
import { toRefusal } from "../../../server/src/db/query-errors.js";
import { useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";

describe("resource-exhausting requests", () => {
  const current = useServer();

  function open(text: string): { socket: Socket; answer: () => string; isOver: () => boolean } {
    const socket = openSocket(current().config.port, "localhost");
    let received = "";
    let over = false;
    socket.on("error", () => undefined);
    socket.on("data", (data) => (received += data.toString()));
    socket.on("close", () => (over = true));
    socket.write(text);
    onTestFinished(() => void socket.destroy());
    return { socket, answer: () => received, isOver: () => over };
  }

  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const post = (path: string, headers: string[]) =>
    [`POST ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n");
  const bytes = (count: number) => "x".repeat(count);
  const isUp = async () =>
    (await fetch(`http://localhost:${current().config.port}/healthz`)).status === 200;

  test("LIM-30: closes a connection with too many pipelined requests", async () => {
    const { isOver, answer } = open(get("/nothing").repeat(2000));

    await vi.waitUntil(isOver, 60_000);

    expect(answer().match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(8);
    expect(await isUp()).toBe(true);
  });

  test("LIM-30: answers a few pipelined requests, and more sent one after another", async () => {
    const { socket, answer } = open(get("/nothing").repeat(8));
    const count = () => answer().match(/HTTP\/1\.1 404/g)?.length ?? 0;
    await vi.waitUntil(() => count() === 8, 60_000);

    for (let sent = 9; sent <= 30; sent += 1) {
      socket.write(get("/nothing"));
      await vi.waitUntil(() => count() === sent, 60_000);
    }
  });

  test.each(["/signin", "/oauth/token", "/mcp"])(
    "LIM-31: %s rejects a body in thousands of chunks",
    async (path) => {
      const { token } = await connect(current());
      const type = path === "/mcp" ? "application/json" : "application/x-www-form-urlencoded";
      const headers = [`content-type: ${type}`, "transfer-encoding: chunked"];
      if (path === "/mcp") headers.push(`authorization: Bearer ${token}`);

      const pieces = `14\r\n${bytes(20)}\r\n`.repeat(9000);
      const { isOver, answer } = open(post(path, headers) + pieces);
      await vi.waitUntil(isOver, 60_000);
      const tiny = open(post(path, headers) + "1\r\na\r\n".repeat(20_000));
      await vi.waitUntil(tiny.isOver, 60_000);

      expect(answer()).toMatch(path === "/mcp" ? /^HTTP\/1\.1 429 / : /^HTTP\/1\.1 4(29|13) /);
      expect(answer()).toMatch(/\r\nconnection: close\r\n/i);
      expect(tiny.answer()).toBe("");
      expect(await isUp()).toBe(true);
    },
  );

  const form = ["content-type: multipart/form-data; boundary=XX", "transfer-encoding: chunked"];
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const part = (more: string, text = "") =>
    chunk(`--XX\r\ncontent-disposition: form-data; ${more}\r\n\r\n${text}\r\n`);

  test.each(["a.jpg", ""])(
    "LIM-31: rejects a form with the file %j in thousands of chunks",
    async (name) => {
      const begin = post("/q/abcdef/report", form) + part(`name="photo"; filename="${name}"`);
      const { isOver, answer } = open(begin + chunk(bytes(20)).repeat(20_000));
      // A silent one is ended after 30 s in any case.
      await vi.waitUntil(isOver, 60_000);

      expect(answer()).toBe("");
      expect(await isUp()).toBe(true);
    },
  );

  test("LIM-31: limits the fields of unfinished forms with files", async () => {
    const fields = part('name="a"', bytes(19_000)).repeat(290);
    const { isOver, answer } = open(post("/q/abcdef/report", form) + fields);
    await vi.waitUntil(isOver, 60_000);

    expect(answer()).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer()).toContain("You sent too many requests at once");
  });

  test("LIM-31: limits unfinished bodies per person, separately from other people", async () => {
    const greedy = await connect(current());
    const other = await connect(current());
    const headers = (token: string) => [
      "content-type: application/json",
      "content-length: 1048000",
      `authorization: Bearer ${token}`,
    ];
    const begun = Array.from({ length: 6 }, () =>
      open(post("/mcp", headers(greedy.token)) + bytes(1_000_000)),
    );
    await vi.waitUntil(() => begun.some(({ isOver }) => isOver()), 60_000);

    const refused = begun.find(({ isOver }) => isOver());
    expect(refused?.answer()).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused?.answer()).toContain("You sent too many requests at once");
    expect(await other.ok("get_current_user")).toHaveProperty("user");

    for (const { socket } of begun) socket.destroy();
    const again = open(post("/mcp", headers(greedy.token)) + bytes(1_048_000));
    await vi.waitUntil(() => again.answer().startsWith("HTTP/1.1 400 "), 60_000);
  });

  test("LIM-31: doesn't read an unwanted body to the end", async () => {
    const { isOver, answer } = open(
      post("/nothing", ["transfer-encoding: chunked"]) + "1\r\na\r\n",
    );

    await vi.waitUntil(isOver, 60_000);

    expect(answer()).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("LIM-31: a rejected request with a short body keeps its connection", async () => {
    const body = bytes(100);
    const { answer, isOver } = open(
      (post("/nothing", [`content-length: ${body.length}`]) + body).repeat(2),
    );

    await vi.waitUntil(() => answer().match(/HTTP\/1\.1 404/g)?.length === 2, 60_000);

    expect(isOver()).toBe(false);
  });

  test("LIM-32: limits the values of a message, not counting commas in text", async () => {
    const { token, call } = await connect(current());
    const send = async (params: unknown) => {
      const answer = await fetch(`${current().config.baseUrl}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params }),
      });
      return [answer.status, await answer.text()] as const;
    };

    const [status, text] = await send({ x: Array(20_000).fill({}) });

    expect(status).toBe(413);
    expect(text).toContain("at most 25000 values");
    expect((await send({ x: Array(5000).fill({}) }))[0]).toBe(200);
    const result = await call("create_asset", { name: "A", description: "a, b ".repeat(1000) });
    expect(result.isError).toBeUndefined();
  });

  test("LIM-32: limits the fields of a form", async () => {
    const answer = await fetch(`${current().config.baseUrl}/signin`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: current().config.baseUrl,
      },
      body: "a&".repeat(2000),
    });

    expect(answer.status).toBe(413);
  });
});

// The embedded database has one connection, so nothing there waits for another.
describe.runIf(inject("databaseUrl") !== null)("locked membership row", () => {
  const current = useServer();

  test("LIM-33: doesn't delay token checks, and delays sign-in only briefly", async () => {
    const { db } = current();
    const member = await aMember(db);
    const { organizationId, userId } = member;
    const holder = db.source.createQueryRunner();
    await holder.startTransaction();
    onTestFinished(async () => {
      await holder.rollbackTransaction();
      await holder.release();
    });
    await holder.query(
      "SELECT 1 FROM organization_members WHERE organization_id = $1 AND user_id = $2 FOR UPDATE",
      [organizationId, userId],
    );

    const person = { organizationId, userId } as Parameters<typeof touchConnection>[1]["person"];
    const grant = { connectionId: "con_1", person } as Parameters<typeof touchConnection>[1];
    expect(await touchConnection(db, grant)).toBe(false);

    const refusal = await db
      .transaction((tx) => lockMembership(tx, organizationId, userId))
      .catch(toRefusal);
    expect(refusal).toMatchObject({ code: "unavailable", key: "busy" });
  });
});

test("LIM-30: serves no pipelined requests after ending the connection", async () => {
  const { boundPipelining } = await import("../../../server/src/traffic/pipelined-requests.js");
  const { createServer } = await import("node:http");
  let served = 0;
  const server = createServer(
    boundPipelining((_request, response) => {
      served += 1;
      setImmediate(() => response.end("x"));
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const socket = openSocket(port, "127.0.0.1").on("error", () => undefined);

  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(1000));
  await once(socket, "close");

  expect(served).toBe(8);
});
