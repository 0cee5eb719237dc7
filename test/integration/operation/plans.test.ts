import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import pg from "pg";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { questionsAbout, type Question } from "../../bench/growth/questions.js";
import { seedSized, type SizedOrganization } from "../../bench/growth/seed-sized.js";
import { testConfig, startApp } from "../../support/app.js";
import { createDatabase, type TestDatabase } from "../../support/database.js";
import { connect, type Connected } from "../../support/mcp.js";
import { captureQueries, type Query } from "../../support/recorded-statements.js";

const sizes = { small: 200, large: 20_000 };
const tables = ["assets", "maintenance_tasks", "history_events", "asset_state_periods"];

/** Maximum number of 8 KiB pages that all statements of a response may read. */
// The attention list has seven reasons with up to 84 entries each, and looks up the planned repair
// of each broken asset.
const maxPages = { small: 2000, large: 10_500 };

/** Smaller tables need no index: the database stops once it has found enough. */
const fewPages = 1000;

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: PlanNode[];
}

interface Reading {
  label: string;
  pages: number;
  scanned: string[];
}

// The embedded database has one connection and isn't used for large organizations.
describe.runIf(inject("databaseUrl") !== null)("in and beside a large organization", () => {
  let database: TestDatabase;
  let planned: OpenDatabase;
  let client: pg.Client;
  let ask: (organization: SizedOrganization, question: Omit<Question, "most">) => Promise<Query[]>;
  const organizations = {} as Record<keyof typeof sizes, SizedOrganization>;

  beforeAll(async () => {
    database = await createDatabase();
    const { db, url } = database;
    for (const [index, name] of (["large", "small"] as const).entries()) {
      organizations[name] = await seedSized(db, sizes[name], index + 1);
    }
    await db.query("VACUUM (ANALYZE)");
    const choice = { databaseUrl: url, dataDir: "", embedded: "own", onFailure: () => {} } as const;
    planned = await openDatabase({ ...choice, plans: "custom" });
    client = new pg.Client({ connectionString: url });
    await client.connect();
    const config = testConfig();
    const app = await startApp(config, db, { replanDb: planned.db });
    const connections = new Map<string, Connected>();
    ask = async ({ owner, viewer }, { tool, args, by }) => {
      const member = by === "owner" ? owner : viewer;
      const connected =
        connections.get(member.userId) ?? (await connect({ app, db, config }, { member }));
      connections.set(member.userId, connected);
      return captureQueries(() => connected.ok(tool, args));
    };
  }, 240_000);

  afterAll(async () => {
    await client.end();
    await planned.close();
    await database.drop();
  });

  async function explain({ text, values, isReplanned }: Query): Promise<PlanNode> {
    await client.query(`SET plan_cache_mode = force_${isReplanned ? "custom" : "generic"}_plan`);
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (plan === undefined) throw new Error(`No plan of ${text}`);
    return plan;
  }

  const number = "F-0000101";
  async function findAssetId(size: keyof typeof sizes): Promise<string> {
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM assets WHERE organization_id = $1 AND inventory_number = $2",
      [organizations[size].owner.organizationId, number],
    );
    return rows[0]?.id ?? "";
  }

  async function read(size: keyof typeof sizes): Promise<Reading[]> {
    const readings: Reading[] = [];
    for (const question of questionsAbout(await findAssetId(size), sizes[size])) {
      const queries = await ask(organizations[size], question);
      const reading: Reading = { label: question.label, pages: 0, scanned: [] };
      for (const query of queries.filter(({ text }) => /^(SELECT|WITH)/.test(text))) {
        const plan = await explain(query);
        reading.pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
        reading.scanned.push(...scannedTables(plan));
      }
      readings.push(reading);
    }
    return readings;
  }

  test("no table of an organization is fully scanned", async () => {
    const readings = await read("large");

    expect(readings.filter(({ scanned }) => scanned.length > 0)).toEqual([]);
    expect(readings.filter(({ pages }) => pages > maxPages.large)).toEqual([]);
  });

  test("a small organization reads as few pages as if it were alone", async () => {
    const readings = await read("small");

    expect(readings.filter(({ pages }) => pages > maxPages.small)).toEqual([]);
  });

  test("erases one asset's history without reading other assets' history", async () => {
    const asset_id = await findAssetId("large");
    const args = { asset_id, confirm_inventory_number: number, dry_run: true };
    const erasing = { label: "erase", tool: "force_delete_asset", args, by: "owner" } as const;
    const queries = await ask(organizations.large, erasing);

    const scanned: string[] = [];
    await client.query("BEGIN");
    await client.query("SET LOCAL fettle.force_delete = 'on'");
    const about = queries.filter(({ text }) => /^(SELECT|DELETE)[^]* history_events /.test(text));
    for (const query of about) scanned.push(...scannedTables(await explain(query)));
    await client.query("ROLLBACK");

    expect(about).toHaveLength(2);
    expect(scanned).toEqual([]);
  });
});

function scannedTables(node: PlanNode): string[] {
  const own =
    node["Node Type"] === "Seq Scan" &&
    node["Shared Hit Blocks"] + node["Shared Read Blocks"] > fewPages &&
    tables.includes(node["Relation Name"] ?? "")
      ? [node["Relation Name"] ?? ""]
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(scannedTables)];
}
