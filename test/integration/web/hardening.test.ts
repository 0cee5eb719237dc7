import { connect as openSocket, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useApp, useSecondNode, useServer } from "../../support/app.js";
import { toCookieHeader } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("hostile requests", () => {
  const current = useApp();
  const node = useSecondNode(current);

  test("OPS-20: many readiness checks query the database once a second", async () => {
    const { app, db } = current();
    const query = vi.spyOn(db, "query");

    const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject("/readyz")));

    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(query.mock.calls.length).toBeLessThanOrEqual(2);
    query.mockRestore();
  });

  test("LIM-14: starts no second database check while one hangs, and answers every request", async () => {
    const { db } = current();
    const app = node();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const start = performance.now();
    let passed = 0;
    vi.spyOn(performance, "now").mockImplementation(() => start + passed);
    const pass = (ms: number) => {
      passed += ms;
      vi.advanceTimersByTime(ms);
    };
    const query = vi.spyOn(db, "query").mockReturnValue(new Promise(() => undefined));
    const ask = async (count: number) => {
      const answers = Array.from({ length: count }, () => app.inject("/readyz"));
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      return answers;
    };

    const answers = await ask(1);
    expect(query).toHaveBeenCalledTimes(1);
    pass(2500);
    answers.push(...(await ask(20)));
    expect(query).toHaveBeenCalledTimes(1);
    pass(500);

    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    expect(statuses).toEqual(Array(21).fill(503));
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    pass(1001);
    expect((await app.inject("/readyz")).statusCode).toBe(200);
  });

  test("FRM-01: rejects a repeated single-value field and changes nothing", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const other = await aMember(db, { organization: owner.organization, role: "admin" });
    const browser = await signIn(app, owner);
    const form = await browser.get(`/settings/members/${other.userId}/role?role=owner`);

    const doubled = await browser.submitForm(form, { organization_role: ["owner", "member"] });
    const missing = await browser.submitForm(form, { organization_role: "" });
    const ofTwo = await browser.submitForm(form, {
      organization_role: "owner",
      _organization: [owner.organizationId, "org_000000000000"],
    });

    expect(doubled.statusCode).toBe(400);
    expect(doubled.body).toContain("was sent more than once");
    expect(missing.statusCode).toBe(400);
    expect(ofTwo.statusCode).toBe(403);
    expect(
      await db.query("SELECT role FROM organization_members WHERE user_id = $1", [other.userId]),
    ).toEqual([{ role: "admin" }]);
  });
});

describe("connection whose client stops reading", () => {
  const current = useServer({ rateLimit: true });

  test("LIM-19: drops an unread response and frees its slot", async () => {
    const { app, db, config } = current();
    const owner = await aMember(db, { workspace: "Hall" });
    const round = "rnd_000000000001";
    const of = [owner.organizationId, round, owner.userId];
    await db.query(
      `INSERT INTO rounds (organization_id, id, workspace_id, started_by)
       SELECT $1, $2, id, $3 FROM workspaces WHERE organization_id = $1`,
      of,
    );
    // More than the buffers between two sockets hold.
    await db.query(
      `INSERT INTO round_findings (organization_id, round_id, id, outcome, code, found_by, found_at)
       SELECT $1, $2, 'scan' || n, 'unknown', repeat('x', 180) || n, $3, now() FROM generate_series(1, 40000) n`,
      of,
    );
    const browser = await signIn(app, owner);
    const connections: Socket[] = [];
    app.server.on("connection", (socket: Socket) => connections.push(socket));
    const request = `GET /rounds/${round}/findings.csv HTTP/1.1\r\nhost: localhost\r\ncookie: ${toCookieHeader(browser.cookies)}\r\n\r\n`;
    const sockets = Array.from({ length: 4 }, () => openSocket(config.port, "localhost").pause());
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (const socket of sockets) socket.on("error", () => undefined).write(request);
    const ask = async () => (await browser.get("/assets")).statusCode;
    await expect.poll(ask).toBe(429);

    // Half a minute of silence.
    expect(app.server.timeout).toBe(30_000);
    for (const socket of connections) socket.setTimeout(1);

    await expect.poll(() => connections.filter(({ destroyed }) => destroyed).length).toBe(4);
    await expect.poll(ask).toBe(200);
  });
});
