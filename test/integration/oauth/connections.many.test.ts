import { describe, expect, test } from "vitest";
import { openConnection } from "../../../server/src/domain/oauth/connections.js";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aToken } from "../../support/tokens.js";

describe("person with many connections", () => {
  const current = useApp();

  const connectMany = async (member: Member, count: number) => {
    const { db, config } = current();
    for (let made = 0; made < count; made += 1) {
      await aToken(db, config, { ...member, scopes: ["mcp_read"] });
    }
  };

  test("APP-01: paginates the person's own apps, each once, and shows no others", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    await connectMany(member, 60);
    await connectMany(await aMember(db), 1);
    const browser = await signIn(app, member);
    const seen: string[] = [];
    let address: string | undefined = "/settings/apps";
    const sizes: number[] = [];

    while (address !== undefined && sizes.length < 9) {
      const { body } = await browser.get(address);
      const ids = [...body.matchAll(/\/settings\/apps\/(con_\w+)\/disconnect/g)].map(
        ([, id]) => id,
      );
      seen.push(...ids.filter((id) => id !== undefined));
      sizes.push(ids.length);
      address = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
    }

    expect(sizes).toEqual([25, 25, 10]);
    expect(new Set(seen).size).toBe(60);
    expect((await browser.get("/settings/apps")).body).toContain("25 of 60 connections");
    expect((await browser.get("/connect")).body).toContain("View your 60 connected apps");
  });

  test("counts an app's changes exactly up to 1,000, so many changes never prevent disconnecting", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    await connectMany(member, 1);
    const change = (count: number) =>
      db.query(
        `INSERT INTO history_events (id, organization_id, occurred_at, type, actor_user_id,
           actor_name, source, client_id)
         SELECT 'evt_' || gen_random_uuid(), organization_id, now() - interval '1 year',
           'asset_updated', user_id, 'Ann', 'mcp', client_id
         FROM oauth_connections, generate_series(1, $2) WHERE user_id = $1`,
        [member.userId, count],
      );
    const browser = await signIn(app, member);

    await change(1000);
    expect((await browser.get("/settings/apps")).body).toContain("Made 1,000 changes");
    await change(500);
    expect((await browser.get("/settings/apps")).body).toContain("Made more than 1,000 changes");
  });

  test("APP-01: an unknown connection as page cursor isn't an error", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));

    expect((await browser.get("/settings/apps?own=con_unknown")).statusCode).toBe(200);
  });

  test("APP-02: allows 50 connections per client and immediately ends the least recently used", async () => {
    const { db, config } = current();
    const person = await connect(current());
    const { member } = person;
    await person.ok("get_current_user");
    await connectMany(member, 49);
    await db.query(
      "UPDATE oauth_connections SET last_used_at = now() - interval '1 year' WHERE id = $1",
      [person.connectionId],
    );
    const other = await aMember(db);
    await connectMany(other, 1);

    await db.transaction((tx) =>
      openConnection(tx, {
        client_id: "fettle-bridge",
        organization_id: member.organizationId,
        user_id: member.userId,
        scopes: ["mcp_read"],
        resource: `${config.baseUrl}/mcp`,
        redirect_uri: "http://127.0.0.1/callback",
        connection_days: null,
      }),
    );

    const rows = await db.query<{ id: string; revoked_reason: string }>(
      "SELECT id, revoked_reason FROM oauth_connections WHERE revoked_at IS NOT NULL",
    );
    expect(rows).toEqual([{ id: person.connectionId, revoked_reason: "too_many" }]);
    await expect(person.call("get_current_user")).rejects.toThrow();
    const told = await db.query(
      `SELECT user_id, details FROM activity_log
       WHERE organization_id = $1 AND type = 'app_disconnected'`,
      [member.organizationId],
    );
    const ended = { connection_id: person.connectionId, reason: "too_many" };
    const details: unknown = expect.objectContaining(ended);
    expect(told).toEqual([{ user_id: member.userId, details }]);
  });
});
