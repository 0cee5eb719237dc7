import { describe, expect, test } from "vitest";
import { check, checkRecorded, parse, without } from "../isolation/recorded.js";

const elsewhere = "server/src/domain/assets/asset-queries.ts:1";

async function problemsOf(text: string, from = elsewhere): Promise<string[]> {
  const statements = await parse(text);
  return statements.flatMap((statement) => check(statement, { text, from }).problems);
}

const ofOrganization = "a.organization_id = $1";

describe("TEN-01: accepted statements, with all rows in named organizations", () => {
  test.each([
    `SELECT * FROM assets WHERE organization_id = $1`,
    `SELECT * FROM assets a WHERE a.id = $2 AND (a.state = $3 OR a.state = $4) AND $1 = a.organization_id`,
    `SELECT * FROM assets a WHERE a.organization_id = $1::text`,
    `SELECT * FROM assets a WHERE a.organization_id IN ($1, $2)`,
    `SELECT * FROM assets a WHERE a.organization_id = ANY ($1::text[])`,
    // Bound by another table's column.
    `SELECT * FROM assets a LEFT JOIN workspaces w ON w.organization_id = a.organization_id WHERE ${ofOrganization}`,
    `SELECT * FROM workspaces w RIGHT JOIN assets a ON w.organization_id = a.organization_id WHERE ${ofOrganization}`,
    `SELECT * FROM organizations o JOIN assets a ON a.organization_id = o.id WHERE o.id = $1`,
    // Subqueries.
    `SELECT (SELECT count(*) FROM maintenance_tasks t WHERE t.organization_id = a.organization_id AND t.asset_id = a.id) FROM assets a WHERE ${ofOrganization}`,
    `SELECT 1 FROM assets a WHERE ${ofOrganization} AND EXISTS (SELECT 1 FROM workspaces w WHERE w.organization_id = $1 AND w.id = a.workspace_id)`,
    `SELECT * FROM assets a, LATERAL (SELECT * FROM maintenance_tasks WHERE organization_id = a.organization_id AND asset_id = a.id) t WHERE ${ofOrganization}`,
    `SELECT * FROM assets WHERE organization_id IN (SELECT a.organization_id FROM assets a WHERE ${ofOrganization})`,
    `SELECT * FROM assets WHERE organization_id = (SELECT a.organization_id FROM assets a WHERE ${ofOrganization} LIMIT 1)`,
    `WITH page AS (SELECT a.organization_id, a.id FROM assets a WHERE ${ofOrganization}) SELECT * FROM page JOIN assets b ON b.organization_id = page.organization_id AND b.id = page.id`,
    `WITH page (one) AS (SELECT x.organization_id FROM (SELECT * FROM assets a WHERE ${ofOrganization}) x) SELECT * FROM page p JOIN assets b ON b.organization_id = p.one`,
    `SELECT * FROM (SELECT a.organization_id AS one FROM assets a WHERE ${ofOrganization} UNION SELECT t.organization_id FROM maintenance_tasks t WHERE t.organization_id = $1) u JOIN assets b ON b.organization_id = u.one`,
    `WITH RECURSIVE part (one, id) AS (SELECT a.organization_id, a.id FROM assets a WHERE ${ofOrganization} UNION ALL SELECT b.organization_id, b.id FROM part JOIN assets b ON b.organization_id = part.one AND b.parent_asset_id = part.id) SELECT * FROM part`,
    `SELECT * FROM unnest($2::text[]) AS given (id) JOIN assets a ON a.id = given.id AND ${ofOrganization}`,
    // Writes.
    `INSERT INTO workspaces (id, organization_id, name) VALUES ($1, $2, $3), ($4, $2, $5)`,
    `INSERT INTO workspaces (organization_id, id) SELECT $1, g.id FROM unnest($2::text[]) AS g (id)`,
    `INSERT INTO asset_categories (id, organization_id) VALUES ($1, $2) ON CONFLICT (organization_id, name) DO UPDATE SET name = excluded.name`,
    `INSERT INTO assets (id, organization_id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`,
    `INSERT INTO assets (id, organization_id) VALUES ($1, $2) ON CONFLICT ON CONSTRAINT assets_pkey DO UPDATE SET name = $3`,
    `INSERT INTO mail_outbox (recipient) VALUES ($1)`,
    `UPDATE assets a SET name = $2 WHERE ${ofOrganization} AND a.id = $3 RETURNING a.id`,
    `UPDATE maintenance_tasks t SET hidden = true FROM assets a WHERE t.organization_id = a.organization_id AND t.asset_id = a.id AND ${ofOrganization}`,
    `DELETE FROM maintenance_tasks t USING assets a WHERE t.organization_id = a.organization_id AND t.asset_id = a.id AND ${ofOrganization}`,
    `WITH gone AS (DELETE FROM assets a WHERE ${ofOrganization} RETURNING a.organization_id, a.workspace_id) SELECT w.name FROM gone JOIN workspaces w ON w.organization_id = gone.organization_id AND w.id = gone.workspace_id`,
    // Nothing belongs to an organization.
    `SELECT u.name FROM users u WHERE u.email = $1`,
    `INSERT INTO users (id) VALUES ($1)`,
    `SELECT count(*) FROM pg_stat_activity`,
    `START TRANSACTION; COMMIT`,
  ])("%s", async (text) => {
    expect(await problemsOf(text)).toEqual([]);
  });
});

describe("TEN-02: rejected statements, which may reach rows of another organization", () => {
  test.each([
    `SELECT * FROM assets`,
    `SELECT * FROM assets a WHERE a.id = $1`,
    `SELECT * FROM assets a WHERE a.organization_id <> $1`,
    `SELECT * FROM assets a WHERE ${ofOrganization} OR a.id = $2`,
    `SELECT * FROM assets a WHERE NOT (${ofOrganization})`,
    `SELECT * FROM assets a WHERE a.organization_id = a.organization_id`,
    `SELECT * FROM assets a WHERE a.organization_id = NULL`,
    `SELECT * FROM assets a WHERE a.organization_id = lower($1)`,
    `SELECT * FROM assets a WHERE a.organization_id IS NOT DISTINCT FROM $1`,
    `SELECT * FROM assets a WHERE a.organization_id IN (SELECT m.organization_id FROM organization_members m WHERE m.user_id = $1)`,
    // Joined only by an id, which is a key only within its organization.
    `SELECT * FROM assets a JOIN workspaces w ON w.id = a.workspace_id WHERE ${ofOrganization}`,
    `SELECT * FROM assets a JOIN maintenance_tasks t ON t.asset_id = a.id WHERE ${ofOrganization}`,
    `SELECT * FROM maintenance_tasks a JOIN asset_state_periods p ON p.asset_id = a.asset_id WHERE ${ofOrganization}`,
    `SELECT (SELECT count(*) FROM maintenance_tasks t WHERE t.asset_id = a.id) FROM assets a WHERE ${ofOrganization}`,
    `SELECT 1 FROM assets a WHERE ${ofOrganization} AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = a.workspace_id)`,
    `SELECT * FROM assets a, LATERAL (SELECT * FROM maintenance_tasks WHERE asset_id = a.id) t WHERE ${ofOrganization}`,
    `SELECT * FROM assets WHERE id IN (SELECT a.id FROM assets a WHERE ${ofOrganization})`,
    `SELECT * FROM assets WHERE id = (SELECT a.parent_asset_id FROM assets a WHERE ${ofOrganization} LIMIT 1)`,
    `WITH page AS (SELECT a.id FROM assets a WHERE ${ofOrganization}) SELECT * FROM page JOIN assets b ON b.id = page.id`,
    `WITH page (one) AS (SELECT x.id FROM (SELECT * FROM assets a WHERE ${ofOrganization}) x) SELECT * FROM page p JOIN assets b ON b.id = p.one`,
    `SELECT * FROM (SELECT a.id FROM assets a WHERE ${ofOrganization} UNION SELECT t.asset_id FROM maintenance_tasks t WHERE t.organization_id = $1) u JOIN assets b ON b.id = u.id`,
    `WITH RECURSIVE part (id) AS (SELECT a.id FROM assets a WHERE ${ofOrganization} UNION ALL SELECT b.id FROM part JOIN assets b ON b.parent_asset_id = part.id) SELECT * FROM part`,
    `UPDATE maintenance_tasks t SET hidden = true FROM assets a WHERE t.asset_id = a.id AND ${ofOrganization}`,
    `DELETE FROM maintenance_tasks t USING assets a WHERE t.asset_id = a.id AND ${ofOrganization}`,
    `WITH gone AS (DELETE FROM assets a WHERE ${ofOrganization} RETURNING a.workspace_id) SELECT w.name FROM gone JOIN workspaces w ON w.id = gone.workspace_id`,
    // Bound to an unbound table, or to each other.
    `SELECT * FROM assets a JOIN workspaces w ON w.organization_id = a.organization_id`,
    `SELECT * FROM assets a, workspaces w WHERE ${ofOrganization}`,
    `SELECT * FROM organizations o WHERE o.slug = $1`,
    // People belong to many organizations, and a two-column key needs both columns.
    `SELECT * FROM organization_members a JOIN workspace_members w ON w.user_id = a.user_id WHERE ${ofOrganization}`,
    `SELECT * FROM assets a JOIN asset_categories c ON c.name = a.name WHERE ${ofOrganization}`,
    `SELECT * FROM assets a JOIN maintenance_tasks t ON t.id = a.id WHERE ${ofOrganization}`,
    // An outer join keeps the other side's rows.
    `SELECT * FROM assets a LEFT JOIN workspaces w ON ${ofOrganization} AND w.organization_id = $1`,
    `SELECT * FROM assets a FULL JOIN workspaces w ON ${ofOrganization} AND w.organization_id = $1`,
    `SELECT * FROM workspaces w RIGHT JOIN assets a ON w.organization_id = $1 AND a.organization_id = w.organization_id`,
    // Subqueries.
    `SELECT (SELECT count(*) FROM maintenance_tasks t) FROM assets a WHERE ${ofOrganization}`,
    `SELECT 1 FROM assets a WHERE ${ofOrganization} AND EXISTS (SELECT 1 FROM workspaces w WHERE w.name = a.name)`,
    `SELECT 1 FROM assets a WHERE EXISTS (SELECT 1 FROM workspaces w WHERE w.organization_id = $1 AND ${ofOrganization})`,
    `SELECT * FROM assets a WHERE ${ofOrganization} ORDER BY (SELECT max(w.name) FROM workspaces w)`,
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM assets) THEN 1 END`,
    `SELECT * FROM unnest(ARRAY(SELECT id FROM assets)) AS x (id)`,
    `WITH page AS (SELECT id FROM assets) SELECT 1`,
    `WITH assets AS (SELECT * FROM assets) SELECT * FROM assets`,
    `WITH page (id) AS (SELECT * FROM assets a WHERE ${ofOrganization}) SELECT * FROM page JOIN assets b ON b.id = page.id`,
    `SELECT * FROM (SELECT * FROM assets a WHERE ${ofOrganization} UNION SELECT * FROM assets a WHERE ${ofOrganization}) u JOIN assets b ON b.id = u.id`,
    `SELECT * FROM (SELECT a.id AS x, a.name AS x FROM assets a WHERE ${ofOrganization} UNION SELECT name, id FROM users) u JOIN assets b ON b.id = u.x`,
    `WITH page AS (SELECT id FROM users) SELECT * FROM page JOIN assets b ON b.id = page.id`,
    `SELECT a.id FROM assets a WHERE ${ofOrganization} UNION SELECT id FROM assets`,
    `SELECT * FROM (SELECT a.id FROM assets a WHERE ${ofOrganization} UNION SELECT u.id FROM users u) x JOIN assets b ON b.id = x.id`,
    `WITH RECURSIVE part (id) AS (SELECT a.id FROM assets a WHERE ${ofOrganization} UNION ALL SELECT b.id FROM part JOIN assets b ON b.name = part.id) SELECT * FROM part`,
    `SELECT * FROM assets a WHERE organization_id = (SELECT organization_id FROM jsonb_to_record($1) x)`,
    // Writes.
    `INSERT INTO workspaces (id, name) VALUES ($1, $2)`,
    `INSERT INTO workspaces VALUES ($1, $2)`,
    `INSERT INTO workspaces (id, organization_id) VALUES ($1, $2), ($3, NULL)`,
    `INSERT INTO workspaces (id, organization_id) VALUES ($1, DEFAULT)`,
    `INSERT INTO workspaces (id, organization_id) SELECT *, $2 FROM unnest($1::text[]) AS x (id)`,
    `INSERT INTO workspaces (id, organization_id) SELECT w.id, w.organization_id FROM workspaces w`,
    `INSERT INTO assets (id, organization_id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = $3`,
    `INSERT INTO asset_categories (id, organization_id) VALUES ($1, $2) ON CONFLICT (organization_id, name) DO UPDATE SET name = (SELECT max(name) FROM assets)`,
    `UPDATE assets SET name = $1 WHERE id = $2`,
    `UPDATE assets SET organization_id = $2 WHERE organization_id = $1`,
    `UPDATE maintenance_tasks t SET hidden = true FROM assets a WHERE ${ofOrganization}`,
    `UPDATE assets a SET name = (SELECT max(w.name) FROM workspaces w) WHERE ${ofOrganization}`,
    `DELETE FROM maintenance_tasks`,
    `DELETE FROM maintenance_tasks t USING assets a WHERE t.title = a.name AND ${ofOrganization}`,
    `DELETE FROM assets a WHERE ${ofOrganization} RETURNING (SELECT count(*) FROM workspaces)`,
    // Unsupported statements.
    `TRUNCATE assets`,
    `COPY assets TO STDOUT`,
    `TABLE unheard_of`,
    `EXPLAIN SELECT * FROM assets`,
    `SELECT * FROM (assets a JOIN workspaces w ON w.id = a.workspace_id) AS j WHERE j.organization_id = $1`,
    `SELECT * FROM assets a NATURAL JOIN workspaces w WHERE ${ofOrganization}`,
    `SELECT * FROM assets TABLESAMPLE system (1) WHERE organization_id = $1`,
    `MERGE INTO assets a USING workspaces w ON a.id = w.id WHEN MATCHED THEN DELETE`,
  ])("%s", async (text) => {
    expect(await problemsOf(text)).not.toEqual([]);
  });

  test("an exception applies only to its sources and statements", async () => {
    const text = "SELECT * FROM organization_members m WHERE m.user_id = $1";

    expect(await problemsOf(text, "server/src/domain/organizations/organizations.ts:1")).toEqual(
      [],
    );
    expect(await problemsOf(text)).not.toEqual([]);
    expect(
      await problemsOf(
        "DELETE FROM organization_members WHERE user_id = $1",
        "server/src/domain/organizations/organizations.ts:1",
      ),
    ).not.toEqual([]);
  });
});

describe("TEN-03: detection of missing conditions", () => {
  const text = `SELECT * FROM assets a JOIN users u ON u.id = a.created_by
    JOIN workspaces w ON w.organization_id = a.organization_id AND w.name = a.location
    WHERE ${ofOrganization} AND EXISTS (SELECT 1 FROM workspace_members m WHERE m.organization_id = $1)`;

  test("notices each condition left out of a statement, and accepts it when restored", async () => {
    const [statement] = await parse(text);
    if (statement === undefined) throw new Error("There is one statement.");
    const { problems, conditions } = check(statement, { text, from: elsewhere });

    expect(problems).toEqual([]);
    expect(conditions).toHaveLength(3);
    for (const condition of conditions)
      without([condition], () => {
        expect(check(statement, { text, from: elsewhere }).problems).not.toEqual([]);
      });
    expect(check(statement, { text, from: elsewhere }).problems).toEqual([]);
  });

  test("covers recorded statements and names failures", async () => {
    const held = `SELECT * FROM assets a JOIN workspaces w ON w.organization_id = a.organization_id
      AND w.id = a.workspace_id WHERE ${ofOrganization}`;
    const loose = { text: "DELETE FROM assets", from: elsewhere };

    const outcome = await checkRecorded([
      { text, from: elsewhere },
      { text: held, from: "" },
      loose,
    ]);

    expect(outcome).toMatchObject({ statements: 3, conditions: 5, noticed: 5 });
    expect(outcome.failures).toHaveLength(1);
    expect(outcome.failures[0]).toContain("DELETE FROM assets");
    expect(outcome.failures[0]).toContain(elsewhere);
  });
});
