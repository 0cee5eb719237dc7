import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
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

const allTicked = {
  scope: ["mcp_read", "mcp_write", "mcp_destructive"],
  acknowledge_destructive: "yes",
};

describe("token endpoint with a refresh token", () => {
  const current = useApp();

  async function aConnection(choices = {}, metadata = {}) {
    const { app, db } = current();
    const member = await aMember(db);
    return { member, ...(await connect(app, member, choices, metadata)) };
  }

  async function expectRefused(client: TestClient, token: string) {
    const answer = await refresh(current().app, client, token);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: "invalid_grant" });
  }

  test("RFR-01, RFR-20: a refresh issues a new pair, and the earlier access token stays valid", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection({ scope: ["mcp_write", "mcp_read"] });

    const answer = await refresh(app, client, tokens.refresh_token);

    const next = answer.json<Tokens>();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(next).toMatchObject({ token_type: "Bearer", expires_in: 7200, scope: tokens.scope });
    expect(next.scope).toBe("mcp_read mcp_write");
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    expect(await callWith(app, next.access_token)).not.toBe(401);
  });

  test.each([
    [1, 200],
    [9, 503],
  ])(
    "retries a refresh after %i deadlocks, then leaves retries to the client (%i)",
    async (ends, status) => {
      const { app, db } = current();
      const { client, tokens } = await aConnection();
      await db.query(`CREATE SEQUENCE deadlocks;
      CREATE FUNCTION end_some() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('deadlocks') <= ${ends} THEN
          RAISE EXCEPTION 'ended' USING ERRCODE = 'deadlock_detected';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER end_some BEFORE UPDATE ON oauth_refresh_tokens
        FOR EACH ROW EXECUTE FUNCTION end_some()`);

      const answer = await refresh(app, client, tokens.refresh_token);
      await db.query("DROP FUNCTION end_some CASCADE; DROP SEQUENCE deadlocks");

      expect(answer.statusCode).toBe(status);
      if (status === 200) return;
      expect(answer.json()).toMatchObject({ error: "temporarily_unavailable" });
      expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
    },
  );

  test("RFR-02, RFR-03: an immediate replay only fails; the connection survives", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();

    await expectRefused(client, tokens.refresh_token);

    expect(await callWith(app, next.access_token)).not.toBe(401);
    expect((await refresh(app, client, next.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-03: a replay after ten seconds ends the whole connection and is logged", async () => {
    const { app, db } = current();
    const { client, tokens, member } = await aConnection();
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    await ageRotation(db, 11);

    await expectRefused(client, tokens.refresh_token);

    expect(await callWith(app, next.access_token)).toBe(401);
    await expectRefused(client, next.refresh_token);
    const log: unknown = await db.query(
      `SELECT actor_name, details->>'client_name' AS client, details->>'reason' AS reason
       FROM activity_log WHERE user_id = $1 AND type = 'refresh_reuse'`,
      [member.userId],
    );
    expect(log).toEqual([{ actor_name: member.name, client: "Test app", reason: "refresh_reuse" }]);
  });

  test("RFR-04, RFR-14: reuse by another client doesn't affect the owner", async () => {
    const { app, db } = current();
    const { client, tokens } = await aConnection();
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    const other = await aClient(app);
    await ageRotation(db, 60);

    await expectRefused(other, tokens.refresh_token);
    await expectRefused(other, next.refresh_token);

    expect(await callWith(app, next.access_token)).not.toBe(401);
    expect((await refresh(app, client, next.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-05: garbage and other token types are invalid grants without side effects", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();

    for (const token of ["garbage", `mcp_rt_${"a".repeat(43)}`, tokens.access_token, "'; --"]) {
      await expectRefused(client, token);
    }

    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-09: rejects a wider scope and keeps the token valid", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();

    const wider = await refresh(app, client, tokens.refresh_token, {
      scope: "mcp_read mcp_write",
    });

    expect(wider.statusCode).toBe(400);
    expect(wider.json()).toMatchObject({ error: "invalid_scope" });
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-10, RFR-11: a narrower scope applies to one access token, not the connection", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection(allTicked);

    const narrow = (
      await refresh(app, client, tokens.refresh_token, {
        scope: "mcp_write mcp_write offline_access",
      })
    ).json<Tokens>();
    const full = (await refresh(app, client, narrow.refresh_token, { scope: "" })).json<Tokens>();

    expect(narrow.scope).toBe("mcp_write");
    expect(full.scope).toBe("mcp_read mcp_write mcp_destructive");
  });

  test("RFR-13: a client with a secret must send it; otherwise the token stays unused", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection(
      {},
      { token_endpoint_auth_method: "client_secret_post" },
    );

    const without = await postForm(app, "/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
      client_id: client.id,
    });

    expect(without.statusCode).toBe(401);
    expect(without.json()).toMatchObject({ error: "invalid_client" });
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-15: rejects another resource and keeps the token valid", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();

    const other = await refresh(app, client, tokens.refresh_token, {
      resource: "https://other.example/mcp",
    });

    expect(other.json()).toMatchObject({ error: "invalid_target" });
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test.each([
    [
      "the person is removed from the organization",
      "UPDATE organization_members SET removed_at = now() WHERE user_id = $1",
    ],
    ["the account is deactivated", "UPDATE users SET deactivated_at = now() WHERE id = $1"],
    [
      "the organization is deleted",
      `DELETE FROM organizations WHERE id IN
         (SELECT organization_id FROM organization_members WHERE user_id = $1)`,
    ],
    [
      "the app is disconnected",
      `UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'disconnected'
       WHERE user_id = $1`,
    ],
  ])("RFR-16: refreshes nothing once %s", async (_name, statement) => {
    const { db } = current();
    const { client, tokens, member } = await aConnection();
    await db.query(statement, [member.userId]);

    await expectRefused(client, tokens.refresh_token);
  });

  test("RFR-17: a refresh works after 400 days", async () => {
    const { app, db } = current();
    const { client, tokens } = await aConnection();
    for (const table of ["oauth_refresh_tokens", "oauth_connections"]) {
      await db.query(`UPDATE ${table} SET created_at = created_at - interval '400 days'`);
    }

    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-19: a failure between use and issuance changes nothing", async () => {
    const { app, db } = current();
    const { client, tokens } = await aConnection();
    await db.query(
      `ALTER TABLE oauth_refresh_tokens ADD CONSTRAINT planted_check
         CHECK (successor_encrypted IS NULL) NOT VALID`,
    );

    const failed = await refresh(app, client, tokens.refresh_token);
    await db.query("ALTER TABLE oauth_refresh_tokens DROP CONSTRAINT planted_check");

    expect(failed.statusCode).toBe(500);
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test("RFR-21: a second live refresh token of a connection violates the index", async () => {
    const { db } = current();
    await aConnection();

    await expect(
      db.query(
        `INSERT INTO oauth_refresh_tokens (token_hash, organization_id, connection_id)
         SELECT sha256('x'), organization_id, connection_id FROM oauth_refresh_tokens
         WHERE rotated_at IS NULL LIMIT 1`,
      ),
    ).rejects.toMatchObject({ driverError: { constraint: "oauth_refresh_tokens_live_idx" } });
  });
});
