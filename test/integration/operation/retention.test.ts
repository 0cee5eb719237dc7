// @module-tag embedded

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config.js";
import { defaultRetention, type Retention } from "../../../server/src/domain/shared/retention.js";
import { cleanUp } from "../../../server/src/housekeeping.js";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { connect } from "../../support/oauth.js";

const page = readFileSync(new URL("../../../docs/operate/retention.md", import.meta.url), "utf8");
const section = page.split("## How long rows are kept")[1]?.split("\n## ")[0] ?? "";
const names = [...section.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
const isVariable = (name: string) => name === name.toUpperCase();

describe("row retention", () => {
  const current = useApp();

  const count = async (table: string) => {
    const row = await current().db.maybe<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return row?.n;
  };

  const cleanUpWith = (changes: Partial<Retention> = {}) =>
    cleanUp(current().db, { ...defaultRetention, ...changes }, current().app.services.auditSigner, {
      error: (details: unknown) => {
        throw new Error(JSON.stringify(details));
      },
    });

  test("GRO-04 every database table is in the operator's list exactly once", async () => {
    const tables = await current().db.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    );

    const listed = names.filter((name) => !isVariable(name));

    expect(listed.sort()).toEqual(tables.map(({ tablename }) => tablename).sort());
  });

  test("GRO-04 variables in the list match the server's", () => {
    const listed = names.filter(isVariable);
    const source = readFileSync(new URL("../../../server/src/config.ts", import.meta.url), "utf8");
    const known = [...source.matchAll(/^ {2}(\w*(?:RETENTION|UNUSED)_\w+):/gm)];

    expect(listed.sort()).toEqual(known.map(([, name]) => name).sort());
    for (const name of listed) expect(() => parseConfig({ [name]: "x" })).toThrow(name);
  });

  test("GRO-04 deletes expired tool calls in batches", async () => {
    await current().db.query(
      `INSERT INTO tool_call_log (organization_id, user_id, client_id, tool, outcome, duration_ms,
         request_id, created_at)
       SELECT 'org_1', 'usr_1', 'app', 'get_asset', 'ok', 1, 'req', now() - n * interval '1 hour'
       FROM generate_series(1, 2500) n`,
    );

    await cleanUpWith();
    expect(await count("tool_call_log")).toBe(90 * 24 - 1);
    await cleanUpWith({ toolCalls: 1 });
    expect(await count("tool_call_log")).toBe(23);
  });

  test("GRO-04 deletes sent emails after their retention period", async () => {
    await current().db.query(
      `INSERT INTO mail_outbox (kind, recipient, status, next_attempt_at, created_at, sent_at)
       SELECT 'sign_up', 'a@example.com', 'sent', now(), t, t
       FROM unnest('{1,6,8,89,91}'::int[]) n, LATERAL (SELECT now() - n * interval '1 day' AS t) AS at`,
    );

    await cleanUpWith();
    expect(await count("mail_outbox")).toBe(4);
    await cleanUpWith({ mails: 7 });
    expect(await count("mail_outbox")).toBe(2);
  });

  test("GRO-08 deletes sign-up emails once their link expires, as strangers can trigger many", async () => {
    await current().db.query(
      `INSERT INTO mail_outbox (kind, recipient, status, next_attempt_at, created_at, sent_at, expires_at)
       SELECT kind, 'sign-up@example.com', 'sent', now(), now() - interval '25 hours', now(), now() + expires
       FROM unnest('{sign_up,account_exists,password_reset}'::text[]) kind,
         unnest('{-1 hour,1 hour}'::interval[]) expires`,
    );

    await cleanUpWith();

    const left = await current().db
      .query(`SELECT kind, expires_at > now() AS is_open FROM mail_outbox
       WHERE recipient = 'sign-up@example.com' ORDER BY kind, is_open`);
    expect(left).toEqual([
      { kind: "account_exists", is_open: true },
      { kind: "password_reset", is_open: false },
      { kind: "password_reset", is_open: true },
      { kind: "sign_up", is_open: true },
    ]);
  });

  test("GRO-04 keeps the audit forever, or as long as configured", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    await connect(app, member);
    await connect(app, member);
    await age(member);
    const before = await countAudit();

    await cleanUpWith();
    expect(await countAudit()).toEqual(before);
    await cleanUpWith({ audit: 101 });
    expect(await countAudit()).toEqual(before);
    await cleanUpWith({ audit: 99 });

    expect(await countAudit()).toEqual({ ...before, entries: 0, connections: 1, invites: 1 });
  });

  /** Backdates everything by a hundred days. One of two connections has ended. */
  async function age({ organizationId, userId }: Member): Promise<void> {
    const { db } = current();
    await rewriteLog(
      db,
      `UPDATE activity_log SET created_at = now() - interval '100 days', sequence = NULL, hash = NULL`,
    );
    await db.query("DELETE FROM audit_checkpoints");
    await db.query("DELETE FROM audit_chains");
    await db.query("SELECT audit_append(array_agg(id)) FROM activity_log");
    await db.query(
      `UPDATE oauth_connections SET revoked_at = now() - interval '100 days',
         revoked_reason = 'disconnected' WHERE id = (SELECT min(id) FROM oauth_connections)`,
    );
    await db.query(
      `INSERT INTO invites (id, organization_id, email, organization_role, token_hash, invited_by,
         last_sent_at, expires_at)
       SELECT 'inv_' || n, $1, n || '@example.com', 'member', sha256(n::text::bytea), $2, now(),
         now() + n * interval '1 day' FROM unnest('{-100,1}'::int[]) n`,
      [organizationId, userId],
    );
  }

  async function countAudit() {
    return {
      entries: await count("activity_log"),
      connections: await count("oauth_connections"),
      invites: await count("invites"),
      clients: await count("oauth_clients"),
    };
  }
});
