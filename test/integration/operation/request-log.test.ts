import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLogger } from "../../../server/src/plugins/logging.js";
import { testConfig, useApp, type TestApp, startApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

describe("request log", () => {
  const current = useApp();
  let logged: TestApp;
  let lines: Record<string, unknown>[] = [];
  let begin = (): void => undefined;
  const late: unknown[] = [];
  let base = "";

  beforeAll(async () => {
    const config = testConfig({ logLevel: "info" });
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        done();
      },
    });
    const app = await startApp(config, current().db, {
      log: createLogger(config, stream),
    });
    logged = { app, db: current().db, config };
    app.get("/endless", () => {
      begin();
      return new Promise(() => undefined);
    });
    app.get("/late", async (request) => {
      begin();
      await once(request.raw.socket, "close");
      late.push(request.ip);
    });
    app.get("/broken", () => {
      throw Object.assign(new Error("gone"), {
        code: "ECONNRESET",
        parameters: { code: "kept-out" },
        cause: Object.assign(new Error("disk"), { code: "53100" }),
      });
    });
    base = await app.listen({ port: 0, host: "127.0.0.1" });
  });

  afterAll(() => logged.app.close());

  async function linesOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
    // A line is written after its response.
    await setImmediate();
    lines = [];
    await work();
    await setImmediate();
    return lines.filter(({ msg }) => msg === "request");
  }

  test("has one line per call, with tool, person, organization and app", async () => {
    const { call, member } = await connect(logged);
    await call("get_current_user", {});

    const found = await linesOf(() => call("list_assets", {}));

    expect(found).toEqual([
      expect.objectContaining({
        method: "POST",
        route: "/mcp",
        tools: ["list_assets"],
        person: member.userId,
        organization: member.organizationId,
        app: "fettle-bridge",
        status: 200,
        time: expect.any(Number) as number,
        reqId: expect.stringMatching(/^req_/) as string,
      }),
    ]);
  });

  test("has one line per page, with ids and parameter names", async () => {
    const { member } = await connect(logged);
    const browser = await signIn(logged.app, member);

    const list = await linesOf(() => browser.get("/assets?q=pump&state=stored"));
    const record = await linesOf(() => browser.get("/assets/ast_0123456789ab"));

    const person = member.userId;
    expect(list).toEqual([
      expect.objectContaining({ route: "/assets", query: ["q", "state"], person }),
    ]);
    expect(record).toEqual([expect.objectContaining({ params: { id: "ast_0123456789ab" } })]);
    expect(JSON.stringify(list)).not.toContain("pump");
  });

  test("LOG-16: no spelling of a URL leaks its secrets into the log", async () => {
    for (const address of [
      "/invites/a-secret-token",
      "/%69nvites/a-secret-token",
      "http://localhost:3000/invites/a-secret-token",
      "/invites/a-secret-token/more",
      "/%69nvites/a-secret-token/more",
      "//Invites//a-secret-token-as-long-as-the-real-ones-are",
      "/setup?token=a-secret-token",
      "/setup?%74oken=a-secret-token",
      "/nothing?password=a-secret-token",
      "/oauth/authorize?code_verifier=a-secret-token&id_token=a-secret-token",
    ]) {
      const found = await linesOf(() => logged.app.inject({ url: address }));
      expect(found, address).toHaveLength(1);
      expect(JSON.stringify(found)).not.toContain("a-secret-token");
    }
  });

  test("LOG-16: limits the length of a line, however long the URL is", async () => {
    const long = "x".repeat(12_000);
    for (const address of [`/${long}`, `/signin?${long}`, `/signin?q=${long}`]) {
      const found = await linesOf(() => logged.app.inject({ url: address }));
      expect(JSON.stringify(found).length).toBeLessThan(800);
    }
  });

  /** Sends a request, aborts it and returns the server's log lines. */
  async function abortedLinesOf(path: string): Promise<Record<string, unknown>[]> {
    const impatient = new AbortController();
    begin = () => {
      impatient.abort();
    };
    return linesOf(async () => {
      await expect(fetch(base + path, { signal: impatient.signal })).rejects.toThrow("abort");
      await vi.waitFor(() => {
        expect(lines.filter(({ msg }) => msg === "request")).toHaveLength(1);
      }, 60_000);
    });
  }

  test("has a line for clients that don't wait for the response", async () => {
    const found = await abortedLinesOf("/endless");

    expect(found).toEqual([expect.objectContaining({ route: "/endless", aborted: true })]);
  });

  test("LOG-17: records the address of an aborted request", async () => {
    const found = await abortedLinesOf("/late");

    expect(found).toEqual([expect.objectContaining({ ip: "127.0.0.1", aborted: true })]);
    expect(late).toEqual(["127.0.0.1"]);
  });

  test("LOG-17: a client gone before processing isn't a server error", async () => {
    logged.app.server.prependOnceListener("request", ({ socket }) => {
      Object.defineProperty(socket, "remoteAddress", { value: undefined });
    });

    const [line] = await linesOf(() => fetch(`${base}/signin`));

    expect(line).toMatchObject({ route: "/signin", status: 409 });
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  test("doesn't log probes", async () => {
    expect(await linesOf(() => logged.app.inject("/healthz"))).toEqual([]);
    expect(await linesOf(() => logged.app.inject("/readyz"))).toEqual([]);
  });

  test("logs error codes, and returns the request id to the client", async () => {
    const answers: { headers: Record<string, unknown> }[] = [];

    const [line] = await linesOf(async () => {
      answers.push(await logged.app.inject("/broken"));
    });

    const failed = lines.find(({ err }) => err !== undefined);
    expect(failed).toMatchObject({ err: { code: "ECONNRESET", cause: { code: "53100" } } });
    expect(answers[0]?.headers["x-request-id"]).toBe(line?.["reqId"]);
  });

  test.each([
    ["info", 1],
    ["warn", 0],
  ])("at the level %s builds the line %i times", async (logLevel, times) => {
    const config = testConfig({ logLevel });
    const app = await startApp(config, current().db, {
      log: createLogger(config, new PassThrough()),
    });
    const params = vi.fn(() => ({}));
    app.get("/watched", async (request) => {
      Object.defineProperty(request, "params", { get: params });
      return "";
    });

    await app.inject("/watched");
    await app.close();

    expect(params).toHaveBeenCalledTimes(times);
  });
});
