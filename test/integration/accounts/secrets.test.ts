import { createHash } from "node:crypto";
import type { Database, Tx } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test } from "vitest";
import { findGrant } from "../../../server/src/domain/oauth/grants.js";
import { createLogger } from "../../../server/src/plugins/logging.js";
import { useApp, startApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import {
  aClient,
  approve,
  callWith,
  exchange,
  postForm,
  refresh,
  signIn,
  type Tokens,
} from "../../support/oauth.js";

/** Every row of every table, as a dump would have it. */
async function dumpTables(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows = await Promise.all(
    tables.map(({ name }) => db.query(`SELECT t::text AS row FROM ${name} t`)),
  );
  return JSON.stringify(rows);
}

describe("connection secrets, from registration to revocation", () => {
  const current = useApp();
  const lines: string[] = [];
  let secrets: Record<string, string>;
  let dump: string;

  beforeAll(async () => {
    const { db, config } = current();
    const stream = { write: (line: string) => lines.push(line) };
    const log = createLogger({ logLevel: "trace" }, stream);
    const app = await startApp(config, db, { log });
    const member = await aMember(db);
    const client = await aClient(app, { token_endpoint_auth_method: "client_secret_post" });
    const browser = await signIn(app, member);
    const approved = await approve(browser, client);
    const first = (await exchange(app, approved)).json<Tokens>();
    await callWith(app, first.access_token);
    const second = (await refresh(app, client, first.refresh_token)).json<Tokens>();
    await callWith(app, second.access_token);
    secrets = {
      password: member.password,
      "client secret": client.secret ?? "",
      code: approved.code,
      verifier: approved.verifier,
      "first access token": first.access_token,
      "first refresh token": first.refresh_token,
      "access token": second.access_token,
      "refresh token": second.refresh_token,
      session: [...browser.cookies.values()].join(" "),
    };
    dump = await dumpTables(db);
    const client_secret = client.secret ?? "";
    const revoked = { token: second.refresh_token, client_id: client.id, client_secret };
    expect((await postForm(app, "/oauth/revoke", revoked)).statusCode).toBe(200);
    await app.close();
  });

  function findSecrets(text: string): string[] {
    const isIn = (secret: string) =>
      text.includes(secret) || text.includes(Buffer.from(secret).toString("hex"));
    return Object.keys(secrets).filter((name) => isIn(secrets[name] ?? ""));
  }

  test("OPS-06: are in no table, so that no database dump reveals them", () => {
    const stored = createHash("sha256").update(secrets["refresh token"] ?? "");

    expect(Object.values(secrets).filter((secret) => secret.length < 16)).toEqual([]);
    expect(dump).toContain(stored.digest("hex"));
    expect(findSecrets(dump)).toEqual([]);
  });

  test("MCP-17, TOK-22: are in no log line at any level", () => {
    expect(lines.length).toBeGreaterThan(10);
    expect(findSecrets(lines.join(""))).toEqual([]);
  });
});

describe("access token check", () => {
  const current = useApp();

  test("OPS-03: finds the token and its related records by index", async () => {
    const plans: unknown[] = [];

    await current().db.transaction(async (tx) => {
      await tx.query("SET LOCAL enable_seqscan = off");
      const explaining = Object.create(tx, {
        query: {
          value: async (sql: string, parameters: unknown[]) => {
            plans.push(await tx.query(`EXPLAIN ${sql}`, parameters));
            return [];
          },
        },
      }) as Tx;
      await findGrant(explaining, createHash("sha256").digest());
    });

    expect(plans).toHaveLength(1);
    expect(JSON.stringify(plans)).toContain("oauth_access_tokens_pkey");
    expect(JSON.stringify(plans)).not.toContain("Seq Scan");
  });
});
