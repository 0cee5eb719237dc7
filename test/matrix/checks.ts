import type { Database } from "../../server/src/db/database.js";
import { allEntities } from "../../server/src/db/entities.js";
import { findBroken } from "../support/invariants.js";
import type { TestBrowser } from "../support/browser.js";
import { organizationOf, type World } from "./world.js";

/** All tables. Rows are filtered by organization where the table has that column. */
const tables = allEntities.map(({ options }) => ({
  name: options.name,
  isOfOrganization: "organization_id" in options.columns,
}));

export async function countRows(db: Database, id: string): Promise<Map<string, number>> {
  const counts = tables
    .filter(({ isOfOrganization }) => isOfOrganization)
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*)::int AS n FROM ${name} WHERE organization_id = $1`,
    );
  const rows = await db.query<{ name: string; n: number }>(counts.join(" UNION ALL "), [id]);
  return new Map(rows.map(({ name, n }) => [name, n]));
}

/** Returns the tables that still have rows of an organization. */
export async function findTold(db: Database, id: string): Promise<string[]> {
  return [...(await countRows(db, id))].flatMap(([name, n]) => (n > 0 ? [name] : []));
}

export async function rowsWith({ current }: World, word: string): Promise<string[]> {
  const found = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name} t WHERE strpos(lower(t::text), lower($1)) > 0)`,
  );
  const rows = await current.db.query<{ name: string }>(found.join(" UNION ALL "), [word]);
  return rows.map(({ name }) => name);
}

/** Tables whose rows are consumed or merged. */
const passing = new Set([
  ...["figures", "asset_peaks", "confirmations", "idempotency_records", "import_pieces"],
  ...["notifications", "mail_outbox", "push_messages", "oauth_authorization_codes", "unique_names"],
]);

export async function findLost(
  world: World,
  before: Map<string, number>,
  loses: string[] = [],
): Promise<string[]> {
  const after = await countRows(world.current.db, organizationOf(world));
  return [...before].flatMap(([name, n]) => {
    const lost = n - (after.get(name) ?? 0);
    return lost > 0 && !passing.has(name) && !loses.includes(name)
      ? [`${lost} of ${n} rows of ${name} are gone`]
      : [];
  });
}

/** Returns problems of an organization, in storage and on its pages. */
export async function findWrong(world: World): Promise<string[]> {
  const { db } = world.current;
  return [...(await findBroken(db, organizationOf(world))), ...(await findFailures(world))];
}

async function findFailures(world: World): Promise<string[]> {
  const { current, owner, pages, moPages, addresses } = world;
  const records = await current.db.query<{ page: string }>(
    `SELECT '/assets/' || id AS page FROM assets WHERE organization_id = $1
     UNION ALL SELECT '/assets/' || id || '/history' FROM assets WHERE organization_id = $1 AND inventory_number LIKE 'P-%'
     UNION ALL SELECT '/tasks/' || id FROM maintenance_tasks WHERE organization_id = $1
     UNION ALL SELECT '/changes/' || id FROM change_sets WHERE organization_id = $1`,
    [organizationOf(world)],
  );
  const lists = [
    "/",
    "/assets",
    "/tasks",
    "/plan",
    "/reports",
    "/rounds",
    "/trends",
    "/workspaces",
    "/settings/members",
  ];
  const problems = await findFailing(pages, [
    ...lists,
    ...addresses,
    ...records.map(({ page }) => page),
  ]);
  problems.push(...(await findFailing(moPages, ["/", "/tasks", ...addresses])));
  const reads: [string, object][] = [
    ["list_assets", { state: ["all"], limit: 100 }],
    ["list_maintenance_tasks", { state: ["all"], limit: 100 }],
    ["search_asset_history", { limit: 100 }],
    ["get_organization_stats", { include: ["attention"] }],
    ...["workspace", "category", "assignee", "task_type"].map((group_by): [string, object] => [
      "get_organization_stats",
      { group_by },
    ]),
    ...records
      .filter(({ page }) => /^\/(?:assets|tasks)\/\w+$/.test(page))
      .map(({ page }): [string, object] => {
        const [, kind, id] = page.split("/");
        return kind === "assets"
          ? ["get_asset", { asset_id: id }]
          : ["get_maintenance_task", { task_id: id }];
      }),
  ];
  for (const [tool, args] of reads) {
    const { isError, content } = await owner.call(tool, args as Record<string, unknown>);
    if (isError === true)
      problems.push(`${tool} ${JSON.stringify(args)}: ${content[0]?.text ?? ""}`);
  }
  return problems;
}

async function findFailing(browser: TestBrowser, addresses: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const address of addresses) {
    const { statusCode, body } = await browser.get(address);
    if (statusCode >= 500 || body.includes("Something went wrong")) {
      problems.push(`${address} answers ${statusCode}`);
    }
  }
  return problems;
}

/** Returns everything that undo must restore, by id. */
export async function readRecords(world: World): Promise<Map<string, string>> {
  const rows = await world.current.db.query<{ id: string; row: string }>(
    `SELECT a.id, (to_jsonb(a) - ${omitted} || jsonb_build_object('meters',
         (SELECT jsonb_agg(jsonb_build_object('name', m.name, 'unit', m.unit, 'value', m.value, 'at', m.read_at,
             'before', m.usage_before, 'readings', (SELECT jsonb_agg(ARRAY[r.total, r.value] ORDER BY r.read_at, r.total)
               FROM meter_readings r WHERE r.organization_id = $1 AND r.meter_id = m.id)) ORDER BY m.name)
           FROM meters m WHERE m.organization_id = $1 AND m.asset_id = a.id)))::text AS row
       FROM assets a WHERE organization_id = $1
     UNION ALL SELECT t.id, (to_jsonb(t) - ${omitted} || jsonb_build_object(
         'plan', (SELECT to_jsonb(p) - ARRAY['id', 'created_at', 'created_by'] FROM maintenance_plans p
           WHERE p.organization_id = $1 AND p.id = t.plan_id AND p.active),
         'steps', (SELECT jsonb_agg(to_jsonb(i) ORDER BY position) FROM task_checklist_items i
           WHERE i.organization_id = $1 AND i.task_id = t.id)))::text
       FROM maintenance_tasks t WHERE organization_id = $1`,
    [organizationOf(world)],
  );
  return new Map(rows.map(({ id, row }) => [id, row]));
}

const omitted = `ARRAY['version', 'updated_at', 'search', 'name_key', 'state_changed_at', 'plan_id',
  'state_before_deletion', 'deleted_at']`;

/** Compares records before and after. New records must be retired or cancelled. */
export function findDifferences(
  was: Map<string, string>,
  is: Map<string, string>,
  /** Records that may differ. */
  kept: ReadonlySet<string> = new Set(),
): string[] {
  const problems: string[] = [];
  for (const [id, before] of was) {
    if (kept.has(id)) continue;
    const after = is.get(id);
    if (after === undefined) problems.push(`${id} is gone`);
    else if (after !== before) problems.push(`${id}: ${describe(before, after)}`);
  }
  for (const [id, row] of is) {
    if (!was.has(id) && !kept.has(id) && !/"state": "(?:deleted|cancelled)"/.test(row)) {
      problems.push(`${id} came and stays: ${row.slice(0, 200)}`);
    }
  }
  return problems;
}

function describe(before: string, after: string): string {
  const [was, is] = [before, after].map((row) => JSON.parse(row) as Record<string, unknown>);
  return Object.keys({ ...was, ...is })
    .filter((key) => JSON.stringify(was?.[key]) !== JSON.stringify(is?.[key]))
    .map((key) => `${key} was ${JSON.stringify(was?.[key])} and is ${JSON.stringify(is?.[key])}`)
    .join("; ");
}
