import { beforeAll, expect, test } from "vitest";
import type { JsonSchema } from "../../../server/src/mcp/json-schema.js";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { ofOrganization, ofVisibility, tryMutants } from "../../isolation/mutants.js";
import { captureQueries, type Query } from "../../support/recorded-statements.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

/** Objects of an organization. Its member sees the first place but not the second. */
interface Stock {
  owner: Connected;
  member: Connected;
  places: [Place, Place];
}

interface Place {
  workspace: string;
  assets: string[];
  tasks: string[];
}

const testApp = useApp();
let stocks: [Stock, Stock];

beforeAll(async () => {
  stocks = [await makeStock(), await makeStock()];
});

async function makeStock(): Promise<Stock> {
  const owner = await connect(testApp());
  const places: [Place, Place] = [await makePlace(owner, "Lab"), await makePlace(owner, "Vault")];
  const { organization } = owner.member;
  const member = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
  const { db } = testApp();
  await aMember(db, { organization, role: "member", workspace: "Vault", name: "Hidden Heather" });
  // A member of both places, with work and assets in the second.
  const both = await aMember(db, { organization, role: "member", workspace: "Lab" });
  const [lab, { workspace, assets, tasks }] = places;
  await db.query(
    `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role)
     VALUES ($1, $2, $3, 'member')`,
    [workspace, both.userId, both.organizationId],
  );
  const assigned = { assigned_to_user_id: both.userId };
  await owner.ok("update_asset", { asset_id: assets[0], ...assigned });
  await owner.ok("update_maintenance_task", { task_id: tasks[0], ...assigned });
  await owner.ok("update_asset", { asset_id: lab.assets[0], location: "Beside the Vault" });
  // A step in the first place that led to work in the second.
  await db.query("UPDATE task_checklist_items SET follow_up_task_id = $2 WHERE task_id = $1", [
    lab.tasks[0],
    tasks[0],
  ]);
  // History of an asset in the first place that mentions the second.
  for (const change of [
    { workspace_id: workspace, parent_asset_id: assets[0] },
    { workspace_id: workspace, parent_asset_id: assets[1] },
    { workspace_id: lab.workspace, parent_asset_id: lab.assets[0] },
  ])
    await owner.ok("update_asset", { asset_id: lab.assets[1], ...change });
  return { owner, member, places };
}

async function makePlace(owner: Connected, name: string): Promise<Place> {
  const made = async (tool: string, args: Json) => {
    const [thing] = Object.values(await owner.ok<Record<string, { id: string }>>(tool, args));
    return thing?.id ?? "";
  };
  const workspace_id = await made("create_workspace", { name });
  const price = { purchase_cost: 100, currency: "EUR" };
  const place = { workspace_id, category: "Pump", tags: ["wet"], ...price };
  const asset = await made("create_asset", { ...place, name: `Pump in ${name}` });
  const part = { ...place, name: `Valve in ${name}`, parent_asset_id: asset };
  const child = await made("create_asset", part);
  for (const asset_id of [asset, child])
    await owner.ok("update_asset_state", { asset_id, state: "out_of_service" });
  const retired = await made("create_asset", { ...place, name: `Retired in ${name}` });
  const deletion = { state: "deleted", reason: "sold" };
  await owner.ok("update_asset_state", { asset_id: retired, ...deletion });
  const due_date = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10);
  const tasks = [
    await made("create_maintenance_task", {
      asset_id: asset,
      title: "Oil",
      type: "preventive",
      checklist: ["Drain"],
      due_date,
    }),
    await made("create_maintenance_task", { workspace_id, title: "Sweep" }),
    await made("create_maintenance_task", { asset_id: child, title: "Mend", type: "corrective" }),
  ];
  await testApp().db.query(
    `INSERT INTO files (organization_id, id, task_id, name, type, size, storage)
     SELECT organization_id, 'file_' || id, id, 'plan.txt', 'text/plain', 1, 'database'
     FROM maintenance_tasks WHERE id = $1`,
    [tasks[0]],
  );
  for (const [column, table, ids] of [
    ["asset_id", "assets", [asset, child, retired]],
    ["task_id", "maintenance_tasks", tasks],
  ] as const) {
    await testApp().db.query(
      `INSERT INTO comments (organization_id, id, ${column}, text, created_by)
       SELECT organization_id, 'cmt_' || id, id, 'Seen', created_by FROM ${table}
       WHERE id = ANY ($1::text[])`,
      [ids],
    );
  }
  await testApp().db.query(
    `INSERT INTO task_links (organization_id, id, task_id, contractor, created_by, expires_at,
       done_at, done_note)
     SELECT organization_id, 'lnk_' || id, id, 'Lifts', created_by, now() + interval '1 day', now(), ''
     FROM maintenance_tasks WHERE id = $1`,
    [tasks[0]],
  );
  for (const statement of [
    `INSERT INTO comments (organization_id, id, task_id, text, task_link_id)
     SELECT organization_id, 'note_' || id, task_id, 'Done', id FROM task_links WHERE task_id = $1`,
    "UPDATE files SET task_link_id = 'lnk_' || task_id WHERE task_id = $1",
    `UPDATE task_checklist_items SET done_at = now(), task_link_id = 'lnk_' || task_id
     WHERE task_id = $1`,
  ]) {
    await testApp().db.query(statement, [tasks[0]]);
  }
  const done = { state: "completed", downtime_minutes: 5, labor_cost: 9, actual_minutes: 60 };
  await owner.ok("update_maintenance_task", { task_id: tasks[2], ...done });
  // Preventive work doesn't explain the outage, so it is a failure.
  const paint = { asset_id: asset, title: "Paint", type: "preventive" };
  const abroad = await made("create_maintenance_task", paint);
  await owner.ok("update_maintenance_task", { task_id: abroad, ...done });
  await testApp().db.query("UPDATE maintenance_tasks SET currency = 'SEK' WHERE id = $1", [abroad]);
  const email = `guest-${workspace_id}@example.com`;
  await owner.ok("create_invite", { email, workspace_id, workspace_role: "member" });
  return { workspace: workspace_id, assets: [asset, child, retired], tasks };
}

/** Pairs each id of one place with its counterpart in another. */
function toHidden(from: Place, to: Place): [string, string][] {
  const ids = ({ workspace, assets, tasks }: Place) => [workspace, ...assets, ...tasks];
  return ids(from).map((id, index) => [id, ids(to)[index] ?? ""]);
}

/** Includes names of hidden objects, some of them misspelled. */
const words = [
  ...["pump", "valve", "oil", "Person", "Vault", "Hiden Heathr", "Sweep twice", "Retired in"],
  "Pomp in Vault",
];

/** Values by parameter name. Each value is sent in a separate call. */
function valuesOf(parameter: string): unknown[] | undefined {
  const { places: own } = stocks[0];
  const assets = own.flatMap((place) => place.assets);
  const values: Record<string, unknown[]> = {
    ...{ query: words, workspace_id: ["Lab", "Vault"], state: ["all"], status: ["all"] },
    ...{ asset_id: assets, task_id: own.flatMap(({ tasks }) => tasks) },
    asset_ids: assets.map((id) => [id]),
  };
  return values[parameter];
}

function callsOf(tool: string, { properties = {}, required = [] }: JsonSchema): Json[] {
  const limit = "limit" in properties ? { limit: 100 } : {};
  const named = required.length > 0 ? required : Object.keys(properties);
  const calls = named.flatMap((name) =>
    (valuesOf(name) ?? []).map((value) => ({ ...limit, [name]: value })),
  );
  if (required.length === 0) return [{}, ...calls];
  if (calls.length === 0) throw new Error(`Say in valuesOf what ${tool} is asked for.`);
  return calls;
}

/** All statements of each read-only tool for this person, including requests for hidden objects. */
async function read(person: Connected): Promise<Map<string, Query[]>> {
  const sent = new Map<string, Query[]>();
  for (const [name, { tool, inputSchema }] of registeredTools) {
    if (!tool.annotations.readOnlyHint) continue;
    sent.set(
      name,
      await captureQueries(async () => {
        for (const args of callsOf(name, inputSchema)) await person.call(name, args);
      }),
    );
  }
  return sent;
}

test("TEN-04: no read leaks another organization's row unnoticed if a condition is missing", async () => {
  const [{ owner, places }, others] = stocks;
  const hidden = new Map(
    places.flatMap((place, index) => toHidden(place, others.places[index] ?? place)),
  );
  for (const [tool, sent] of await read(owner)) {
    const mutants = await tryMutants(testApp().db, sent, ofOrganization, hidden);

    expect(
      mutants.filter(({ isLeaking, isNoticed }) => isLeaking && !isNoticed),
      tool,
    ).toEqual([]);
    // The other organization has rows that could leak.
    expect(
      mutants.some(({ isLeaking }) => isLeaking),
      tool,
    ).toBe(true);
  }
});

test("TEN-05: each visibility condition for members excludes rows of another workspace", async () => {
  const { member, places } = stocks[0];
  const sent = [...(await read(member)).values()].flat();
  const hidden = new Map(toHidden(...places));

  const mutants = await tryMutants(testApp().db, sent, ofVisibility, hidden);

  expect(mutants.length).toBeGreaterThan(50);
  expect(mutants.filter(({ isLeaking }) => !isLeaking).map(({ text }) => text)).toEqual([]);
});
