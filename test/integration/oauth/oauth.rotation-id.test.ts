import { randomBytes } from "node:crypto";
import type { LightMyRequestResponse } from "fastify";
import { describe, expect, test } from "vitest";
import { cleanUpAuthorization } from "../../../server/src/domain/oauth/oauth-cleanup.js";
import { useApp, useSecondNode } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { overlapping } from "../../support/database.js";
import {
  ageRotation,
  aClient,
  callWith,
  connect,
  postForm,
  refresh,
  type TestClient,
  type Tokens,
} from "../../support/oauth.js";

const twoDays = 2 * 86_400;
const aRotationId = () => randomBytes(16).toString("base64url");
const twenty = Array.from({ length: 20 }, (_, index) => index);

describe("refresh with rotation_id", () => {
  const current = useApp();
  const secondNode = useSecondNode(current);

  /** A connection whose first refresh had a rotation id. The client may have lost the response. */
  async function aRefresh(choices = {}, changes = {}) {
    const { app, db } = current();
    const member = await aMember(db);
    const { client, tokens } = await connect(app, member, choices);
    const id = aRotationId();
    const repeat = (changed = {}, node = app) =>
      refresh(node, client, tokens.refresh_token, { rotation_id: id, ...changes, ...changed });
    const next = (await repeat()).json<Tokens>();
    return { member, client, used: tokens.refresh_token, id, next, repeat };
  }

  function expectRefused(answer: LightMyRequestResponse) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_grant" });
  }

  async function expectAlive(client: TestClient, tokens: Tokens) {
    expect(await callWith(current().app, tokens.access_token)).toBe(200);
    expect((await refresh(current().app, client, tokens.refresh_token)).statusCode).toBe(200);
  }

  test("RFR-08: a repeat with the same rotation_id gets the identical pair, and both tokens work", async () => {
    const { client, next, repeat } = await aRefresh();

    const again = (await repeat()).json<Tokens>();
    const onceMore = (await repeat({}, secondNode())).json<Tokens>();

    expect(next).toMatchObject({ expires_in: 7200, scope: "mcp_read" });
    for (const answer of [again, onceMore]) {
      expect(answer).toEqual({ ...next, expires_in: answer.expires_in });
      expect(answer.expires_in).toBeGreaterThan(7100);
      expect(answer.expires_in).toBeLessThan(7200);
    }
    await expectAlive(client, again);
  });

  test("RFR-08: can be repeated two days later, even after the cleanup", async () => {
    const { app, db } = current();
    const { client, next, repeat } = await aRefresh();
    await ageRotation(db, twoDays);
    await db.query(
      "UPDATE oauth_access_tokens SET expires_at = expires_at - make_interval(secs => $1)",
      [twoDays],
    );
    await cleanUpAuthorization(db);

    const again = (await repeat()).json<Tokens>();

    expect(again).toEqual({ ...next, expires_in: 1 });
    expect(await callWith(app, again.access_token)).toBe(401);
    expect((await refresh(app, client, again.refresh_token)).statusCode).toBe(200);
  });

  test("the cleanup removes the successor an hour after the refresh, once used", async () => {
    const { app, db } = current();
    const { next, repeat, member } = await aRefresh();
    const encrypted = async () => {
      const rows = await db.query(
        `SELECT 1 FROM oauth_refresh_tokens r JOIN oauth_connections c ON c.id = r.connection_id
         WHERE c.user_id = $1 AND r.successor_encrypted IS NOT NULL`,
        [member.userId],
      );
      return rows.length;
    };
    await ageRotation(db, 3700);

    await cleanUpAuthorization(db);
    expect(await encrypted()).toBe(1);
    await callWith(app, next.access_token);
    await cleanUpAuthorization(db);

    expect(await encrypted()).toBe(0);
    expectRefused(await repeat());
  });

  test("RFR-08: after use of the new access token, an immediate repeat only fails", async () => {
    const { app } = current();
    const { client, next, repeat } = await aRefresh();
    await callWith(app, next.access_token);

    expectRefused(await repeat());

    await expectAlive(client, next);
  });

  test.each([
    ["access", ({ access_token }: Tokens) => callWith(current().app, access_token)],
    [
      "refresh",
      ({ refresh_token }: Tokens, client: TestClient) =>
        refresh(current().app, client, refresh_token, { rotation_id: aRotationId() }),
    ],
  ])(
    "RFR-08: after use of the new %s token, a late repeat is treated as theft",
    async (_name, use) => {
      const { app, db } = current();
      const { client, next, repeat } = await aRefresh();
      await use(next, client);
      await ageRotation(db, 11);

      expectRefused(await repeat());

      expect(await callWith(app, next.access_token)).toBe(401);
      expectRefused(await refresh(app, client, next.refresh_token));
    },
  );

  test("simultaneous first calls on two nodes succeed, and prevent further repeats", async () => {
    const { app } = current();
    const { client, next, repeat } = await aRefresh();

    const statuses = await Promise.all(
      twenty.map((index) => callWith(index % 2 === 0 ? app : secondNode(), next.access_token)),
    );

    expect(new Set(statuses)).toEqual(new Set([200]));
    expectRefused(await repeat());
    await expectAlive(client, next);
  });

  test("a repeat during the first call gets the identical pair or nothing", async () => {
    const { app } = current();
    for (let round = 0; round < 10; round += 1) {
      const { client, next, repeat } = await aRefresh();

      const [status, beside] = await Promise.all([
        callWith(app, next.access_token),
        repeat({}, secondNode()),
      ]);

      expect(status).toBe(200);
      if (beside.statusCode === 200) expect(beside.json()).toMatchObject(tokensOf(next));
      else expectRefused(beside);
      expectRefused(await repeat());
      await expectAlive(client, next);
    }
  });

  test("a first call with an older access token doesn't prevent a newer repeat", async () => {
    const { app } = current();
    const { client, next } = await aRefresh();
    const id = { rotation_id: aRotationId() };
    const newer = (await refresh(app, client, next.refresh_token, id)).json<Tokens>();

    await callWith(app, next.access_token);
    const again = await refresh(app, client, next.refresh_token, id);

    expect(again.json()).toMatchObject(tokensOf(newer));
  });

  test("a rejected call doesn't count as use", async () => {
    const { app, db } = current();
    const { next, repeat, member } = await aRefresh();
    const deactivate = "UPDATE users SET deactivated_at = $2 WHERE id = $1";
    await db.query(deactivate, [member.userId, new Date()]);

    expect(await callWith(app, next.access_token)).toBe(401);
    expectRefused(await repeat());
    await db.query(deactivate, [member.userId, null]);

    expect((await repeat()).json()).toMatchObject(tokensOf(next));
  });

  test.each([
    ["a different one", { rotation_id: aRotationId() }],
    ["none", { rotation_id: "" }],
  ])("RFR-03: a repeat with %s is as strict as without rotation_id", async (_name, changed) => {
    const { app, db } = current();
    const { next, repeat } = await aRefresh();

    expectRefused(await repeat(changed));
    expect((await repeat()).json()).toMatchObject(tokensOf(next));
    await ageRotation(db, 11);
    expectRefused(await repeat(changed));

    expectRefused(await repeat());
    expect(await callWith(app, next.access_token)).toBe(401);
  });

  test("a refresh without rotation_id can't be repeated with one", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));
    await refresh(app, client, tokens.refresh_token);

    const named = await refresh(app, client, tokens.refresh_token, { rotation_id: aRotationId() });

    expectRefused(named);
  });

  test.each(["a".repeat(21), "a".repeat(129), `${"a".repeat(22)}=`, `${"a".repeat(22)}\n`])(
    "rejects the malformed %j, and keeps the refresh token valid",
    async (malformed) => {
      const { app, db } = current();
      const { client, tokens } = await connect(app, await aMember(db));

      const answer = await refresh(app, client, tokens.refresh_token, { rotation_id: malformed });

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: "invalid_request" });
      const longest = { rotation_id: "a".repeat(128) };
      expect((await refresh(app, client, tokens.refresh_token, longest)).statusCode).toBe(200);
    },
  );

  test("RFR-10: a repeat without a scope keeps the refresh's scope, never beyond the grant", async () => {
    const { next, repeat } = await aRefresh(
      { scope: ["mcp_read", "mcp_write"] },
      { scope: "mcp_read" },
    );

    const whole = (await repeat({ scope: "" })).json<Tokens>();
    const wider = await repeat({ scope: "mcp_destructive" });

    expect(next.scope).toBe("mcp_read");
    expect(whole).toMatchObject(tokensOf(next));
    expect(wider.json()).toMatchObject({ error: "invalid_scope" });
    expect((await repeat()).json()).toMatchObject(tokensOf(next));
  });

  test("RFR-06: overlapping uses on two nodes are one use, whatever their rotation_id", async () => {
    const { app, db } = current();
    const { client, tokens } = await connect(app, await aMember(db));

    // On each node one request waits for the lock and the others for their turn.
    const answers = await overlapping(db, 2, () =>
      Promise.all(
        twenty.slice(0, 8).map((index) =>
          refresh(index % 2 === 0 ? app : secondNode(), client, tokens.refresh_token, {
            rotation_id: aRotationId(),
          }),
        ),
      ),
    );

    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  test("simultaneous repeats get one pair, and requests with other ids get nothing", async () => {
    const { app, db } = current();
    const { next, repeat } = await aRefresh();
    // Long after the use, but early enough that a wrong id doesn't end the connection.
    await ageRotation(db, 2);

    const answers = await Promise.all(
      twenty.map((index) =>
        repeat(
          index % 4 < 2 ? {} : { rotation_id: aRotationId() },
          index % 2 === 0 ? app : secondNode(),
        ),
      ),
    );

    answers.forEach((answer, index) => {
      if (index % 4 < 2) expect(answer.json()).toMatchObject(tokensOf(next));
      else expectRefused(answer);
    });
  });

  test("RFR-04: another client gets nothing with the rotation_id and doesn't affect the owner", async () => {
    const { app, db } = current();
    const { used, id, next, repeat } = await aRefresh();
    const other = await aClient(app);
    await ageRotation(db, 60);

    expectRefused(await refresh(app, other, used, { rotation_id: id }));

    expect((await repeat()).json()).toMatchObject(tokensOf(next));
  });

  test("REV-01: an ended connection can't be repeated", async () => {
    const { app } = current();
    const { client, next, repeat } = await aRefresh();

    await postForm(app, "/oauth/revoke", { client_id: client.id, token: next.refresh_token });

    expectRefused(await repeat());
  });

  test("REV-02: a revoked access token is not issued again", async () => {
    const { app } = current();
    const { client, next, repeat } = await aRefresh();

    await postForm(app, "/oauth/revoke", { client_id: client.id, token: next.access_token });

    expectRefused(await repeat());
    expect((await refresh(app, client, next.refresh_token)).statusCode).toBe(200);
  });

  test("the tables reveal neither the rotation_id nor the tokens", async () => {
    const { db } = current();
    const { id, next, used } = await aRefresh();

    const dump = JSON.stringify(
      await db.query(
        `SELECT r::text, encode(r.successor_encrypted, 'escape') AS encrypted FROM oauth_refresh_tokens r
         UNION ALL SELECT a::text, NULL FROM oauth_access_tokens a`,
      ),
    );

    for (const secret of [id, next.access_token, next.refresh_token, used]) {
      expect(dump).not.toContain(secret);
      expect(dump).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });
});

function tokensOf({ access_token, refresh_token, scope }: Tokens): Partial<Tokens> {
  return { access_token, refresh_token, scope };
}
