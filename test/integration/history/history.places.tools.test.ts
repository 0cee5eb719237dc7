import { describe, expect, inject, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { captureQueries, type Query } from "../../support/recorded-statements.js";

const places = 200;
const current = useApp();

interface Plan {
  Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number };
}

async function pagesOf({ text, values }: Query): Promise<number> {
  const row = await current().db.maybe<{ "QUERY PLAN": Plan[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  const plan = row?.["QUERY PLAN"][0]?.Plan;
  return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
}

// The plans are PostgreSQL's, and one test's vacuum needs a separate connection.
describe.runIf(inject("databaseUrl") !== null)("history of many workspaces", () => {
  test("LIM-71 searches words once, not once per workspace, and hides other workspaces", async () => {
    const { db } = current();
    const owner = await aMember(db);
    const { organization, organizationId, userId } = owner;
    const member = await aMember(db, { organization, role: "member" });
    const given = [organizationId, userId];
    await db.query(
      `INSERT INTO workspaces (id, organization_id, name, created_by)
       SELECT 'wsp_' || lpad(n::text, 12, '0'), $1, 'Place ' || n, $2
       FROM generate_series(0, ${places}) n`,
      given,
    );
    await db.query(
      `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role)
       SELECT 'wsp_' || lpad(n::text, 12, '0'), $2, $1, 'member' FROM generate_series(1, ${places}) n`,
      [organizationId, member.userId],
    );
    await db.query(
      `INSERT INTO assets (id, organization_id, workspace_id, name, inventory_number, qr_token, created_by)
       SELECT 'ast_' || lpad(n::text, 12, '0'), $1, 'wsp_' || lpad(n::text, 12, '0'), 'Pump ' || n,
         'P' || n, 'place' || n, $2 FROM generate_series(0, ${places}) n`,
      given,
    );
    await db.query(
      `INSERT INTO history_events (id, organization_id, asset_id, workspace_id, type, occurred_at,
         recorded_at, actor_user_id, actor_name, source, changes, note)
       SELECT 'evt_' || lpad((n * 50 + k)::text, 12, '0'), $1, 'ast_' || lpad(n::text, 12, '0'),
         'wsp_' || lpad(n::text, 12, '0'), 'note_added', now(), now(), $2, 'Olga', 'web', '[]',
         CASE WHEN k % 10 = 0 THEN 'squeaks' ELSE 'quiet' END
       FROM generate_series(0, ${places}) n, generate_series(1, 50) k`,
      given,
    );
    await db.query("VACUUM (ANALYZE) history_events");
    const connected = await connect(current(), { member });
    let found: unknown;

    const queries = await captureQueries(async () => {
      found = await connected.ok("search_asset_history", { query: "squeaks" });
    });

    expect(found).toMatchObject({ total_count: places * 5 });
    const searches = queries.filter(({ text }) => text.includes("e.search @@"));
    expect(searches).not.toEqual([]);
    for (const search of searches) expect(await pagesOf(search)).toBeLessThan(1000);
  });
});
