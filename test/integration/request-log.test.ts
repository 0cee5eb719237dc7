import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../server/src/app.js";
import { loggerOptions } from "../../server/src/plugins/logging.js";
import { testConfig, useApp, type TestApp } from "../support/app.js";
import { connect } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";

describe("the log of requests", () => {
  const current = useApp();
  let logged: TestApp;
  let lines: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const config = testConfig({ logLevel: "info" });
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        done();
      },
    });
    const app = await createApp(config, current().db, {
      logger: { ...loggerOptions(config), stream },
    });
    logged = { app, db: current().db, config };
    app.get("/broken", () => {
      throw Object.assign(new Error("gone"), {
        code: "ECONNRESET",
        parameters: { code: "kept-out" },
        cause: Object.assign(new Error("disk"), { code: "53100" }),
      });
    });
  });

  afterAll(() => logged.app.close());

  async function linesOf(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
    // A line is written after its answer.
    await setImmediate();
    lines = [];
    await work();
    await setImmediate();
    return lines.filter(({ msg }) => msg === "request");
  }

  test("has one line for a call, with its tool, person, organization and app", async () => {
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

  test("has one line for a page, whose address is told without secrets", async () => {
    const { member } = await connect(logged);
    const browser = await signIn(logged.app, member);

    const page = await linesOf(() => browser.get("/assets?q=pump"));
    const link = await linesOf(() => browser.get("/invites/a-secret-token"));

    expect(page).toEqual([
      expect.objectContaining({ route: "/assets", url: "/assets?q=pump", person: member.userId }),
    ]);
    expect(JSON.stringify(link)).not.toContain("a-secret-token");
    expect(link).toHaveLength(1);
  });

  test("is silent about probes", async () => {
    expect(await linesOf(() => logged.app.inject("/healthz"))).toEqual([]);
    expect(await linesOf(() => logged.app.inject("/readyz"))).toEqual([]);
  });

  test("tells the codes of errors, and whoever asked the id of the request", async () => {
    const answers: { headers: Record<string, unknown> }[] = [];

    const [line] = await linesOf(async () => {
      answers.push(await logged.app.inject("/broken"));
    });

    const failed = lines.find(({ err }) => err !== undefined);
    expect(failed).toMatchObject({ err: { code: "ECONNRESET", cause: { code: "53100" } } });
    expect(answers[0]?.headers["x-request-id"]).toBe(line?.["reqId"]);
  });
});
