// @module-tag embedded

import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { describe, expect, test } from "vitest";
import { forgetSuccessors } from "../../../server/src/domain/oauth/oauth-cleanup.js";
import { useApp, useServer, type TestApp, useSecondNode } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { overlapping } from "../../support/database.js";
import {
  ageRotation,
  approve,
  callWith,
  connect,
  exchange,
  postForm,
  refresh,
  type TestClient,
  type Tokens,
} from "../../support/oauth.js";

const twenty = Array.from({ length: 20 }, (_, index) => index);

async function liveTokens({ db }: TestApp, clientId: string): Promise<number> {
  const rows = await db.query(
    `SELECT 1 FROM oauth_refresh_tokens r JOIN oauth_connections c ON c.id = r.connection_id
     WHERE c.client_id = $1 AND r.rotated_at IS NULL AND c.revoked_at IS NULL`,
    [clientId],
  );
  return rows.length;
}

function expectOnePair(answers: LightMyRequestResponse[]): Tokens {
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  const [first] = answers;
  if (first === undefined) throw new Error("There is no answer.");
  return first.json<Tokens>();
}

describe("overlapping refreshes", () => {
  const current = useApp();
  const secondNode = useSecondNode(current);

  test("RFR-06: twenty at once count as one use and get one pair", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));

    const answers = await Promise.all(twenty.map(() => refresh(app, client, tokens.refresh_token)));

    const next = expectOnePair(answers);
    expect(await liveTokens(current(), client.id)).toBe(1);
    expect(await callWith(app, next.access_token)).not.toBe(401);
    expect((await refresh(app, client, next.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-06: twenty at once on two nodes get one pair", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));

    const answers = await overlapping(db, 2, () =>
      Promise.all(
        twenty.map((index) =>
          refresh(index % 2 === 0 ? app : secondNode(), client, tokens.refresh_token),
        ),
      ),
    );

    expectOnePair(answers);
    expect(await liveTokens(current(), client.id)).toBe(1);
  });

  test("RFR-07: staggered requests get the same pair or a refusal, and the connection survives", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));

    const answers = await Promise.all(
      twenty.map(async (index) => {
        await new Promise((done) => setTimeout(done, index % 6));
        return refresh(index % 2 === 0 ? app : secondNode(), client, tokens.refresh_token);
      }),
    );

    const good = answers.filter(({ statusCode }) => statusCode === 200);
    const next = expectOnePair(good);
    for (const answer of answers) {
      if (answer.statusCode !== 200)
        expect(answer.json()).toMatchObject({ error: "invalid_grant" });
    }
    expect((await refresh(app, client, next.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-02: replays that overlap only with each other get nothing", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));
    await refresh(app, client, tokens.refresh_token);

    const answers = await Promise.all(
      twenty.map((index) =>
        refresh(index % 2 === 0 ? app : secondNode(), client, tokens.refresh_token),
      ),
    );

    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([400]));
  });

  test.each([3600, 5])(
    "CLK-01, OPS-04: a clock set back by %i s revives no used refresh token",
    async (seconds) => {
      const { app, db } = current();
      const { client, tokens } = await connect(app, await aMember(db));
      expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
      await ageRotation(db, -seconds);

      const replay = await refresh(app, client, tokens.refresh_token);

      expect(replay.statusCode).toBe(400);
      expect(await liveTokens(current(), client.id)).toBe(0);
    },
  );

  test("TOK-18: two nodes redeem a code only once", async () => {
    const { app, db } = current();
    const { client, browser } = await connect(app, await aMember(db));
    const approved = await approve(browser, client);

    const answers = await Promise.all(
      twenty.slice(0, 10).map((index) => exchange(index % 2 === 0 ? app : secondNode(), approved)),
    );

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test("RFR-18: a refresh during a revocation never leaves a live token", async () => {
    const { app, db } = current();
    for (let round = 0; round < 20; round += 1) {
      const { client, tokens } = await connect(app, await aMember(db));

      const [refreshed] = await Promise.all([
        refresh(secondNode(), client, tokens.refresh_token),
        postForm(app, "/oauth/revoke", { token: tokens.refresh_token, client_id: client.id }),
      ]);

      expect(await callWith(app, tokens.access_token)).toBe(401);
      expect(await liveTokens(current(), client.id)).toBe(0);
      if (refreshed.statusCode === 200) {
        const next = refreshed.json<Tokens>();
        expect(await callWith(app, next.access_token)).toBe(401);
        expect((await refresh(app, client, next.refresh_token)).statusCode).toBe(400);
      }
    }
  });

  test("RFR-12, OPS-10: no sequence adds a scope or second live token, or revives an ended connection", async () => {
    const member = await aMember(current().db);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 10 }),
        async (names) => {
          const connected = await connect(current().app, member, {
            scope: ["mcp_read", "mcp_write"],
          });
          const model: Model = { ...connected, used: [], ended: false };
          for (const name of names) {
            await take(current(), model, name);
            expect(await liveTokens(current(), model.client.id)).toBe(model.ended ? 0 : 1);
          }
          const status = await callWith(current().app, model.tokens.access_token);
          if (model.ended) expect(status).toBe(401);
        },
      ),
      { numRuns: 12 },
    );
  });
});

const steps = [
  "refresh",
  "widen",
  "narrow",
  "replay",
  "late replay",
  "revoke access",
  "revoke",
] as const;

interface Model {
  client: TestClient;
  tokens: Tokens;
  used: string[];
  ended: boolean;
}

/** Runs a step in the product and the model and compares the results. */
async function take(current: TestApp, model: Model, name: (typeof steps)[number]): Promise<void> {
  const { client, tokens } = model;
  switch (name) {
    case "revoke":
      model.ended = true;
      await postForm(current.app, "/oauth/revoke", {
        token: tokens.refresh_token,
        client_id: client.id,
      });
      return;
    case "revoke access":
      await postForm(current.app, "/oauth/revoke", {
        token: tokens.access_token,
        client_id: client.id,
      });
      return;
    case "replay":
    case "late replay":
      return replay(current, model, name === "late replay");
    case "refresh":
    case "widen":
    case "narrow":
      return refreshStep(current, model, name);
  }
}

async function replay({ app, db }: TestApp, model: Model, late: boolean): Promise<void> {
  const old = model.used.at(-1);
  if (old === undefined) return;
  if (late) await ageRotation(db, 11);
  expect((await refresh(app, model.client, old)).statusCode).toBe(400);
  model.ended ||= late;
}

async function refreshStep(
  { app }: TestApp,
  model: Model,
  name: "refresh" | "widen" | "narrow",
): Promise<void> {
  const { client, tokens } = model;
  const scope = { refresh: "", widen: "mcp_destructive mcp_read", narrow: "mcp_read" }[name];
  const answer = await refresh(app, client, tokens.refresh_token, { scope });
  expect(answer.statusCode).toBe(model.ended || name === "widen" ? 400 : 200);
  if (answer.statusCode !== 200) return;
  model.used.push(tokens.refresh_token);
  model.tokens = answer.json<Tokens>();
  expect(model.tokens.scope).toBe(name === "narrow" ? "mcp_read" : "mcp_read mcp_write");
}

async function sendOver(agent: Agent, url: string, body?: string) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      url,
      {
        agent,
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      },
      resolve,
    )
      .on("error", reject)
      .end(body);
  });
  return { status: answer.statusCode, body: await text(answer) };
}

describe("refreshes over real sockets", () => {
  const current = useServer();

  test("RFR-06: twenty sent before the first response get one pair", async () => {
    const { app, db, config } = current();
    const { client, tokens } = await connect(app, await aMember(db));

    const form = new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: client.id,
    });
    // With open connections, all requests are sent before even a busy server reads the first.
    const agent = new Agent({ keepAlive: true });
    const send = (path: string, body?: string) => sendOver(agent, config.baseUrl + path, body);
    await Promise.all(twenty.map(() => send("/healthz")));
    const bodies = await Promise.all(twenty.map(() => send("/oauth/token", form.toString())));
    agent.destroy();

    expect(bodies.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
    expect(await liveTokens(current(), client.id)).toBe(1);
  });
});

describe("refreshes with OAUTH_REFRESH_GRACE_SECONDS", () => {
  const current = useApp({ refreshGraceSeconds: 30 });

  test("RFR-07, RFR-08: within the grace period returns the same pair, until the successor is used", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));
    const first = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();

    const again = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    await refresh(app, client, first.refresh_token);
    const late = await refresh(app, client, tokens.refresh_token);

    expect(again).toEqual({ ...first, expires_in: again.expires_in });
    expect(again.expires_in).toBeGreaterThan(7190);
    expect(again.expires_in).toBeLessThan(7200);
    expect(late.json()).toMatchObject({ error: "invalid_grant" });
    expect(await callWith(app, first.access_token)).not.toBe(401);
  });

  test("RFR-03: after the grace period a replay ends the connection", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    await ageRotation(db, 31);

    await refresh(app, client, tokens.refresh_token);

    expect(await callWith(app, next.access_token)).toBe(401);
  });

  test("CLK-01: a clock set back finds no successor after the grace period", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    await ageRotation(db, 20);
    await forgetSuccessors(db, 30);
    const again = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    expect(again.refresh_token).toBe(next.refresh_token);
    await ageRotation(db, 600);
    await forgetSuccessors(db, 30);
    await ageRotation(db, -605);

    const replay = await refresh(app, client, tokens.refresh_token);

    expect(replay.json()).toMatchObject({ error: "invalid_grant" });
    expect(await callWith(app, next.access_token)).toBe(401);
  });
});
