import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { criticalities } from "../../../server/src/db/entities/assets.js";
import {
  taskPriorities,
  taskStates,
  type MaintenanceTask,
} from "../../../server/src/db/entities/tasks.js";
import type { Caller } from "../../../server/src/domain/access/caller.js";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { createCursorCodec } from "../../../server/src/domain/shared/cursors.js";
import { listTasks, type TaskListing } from "../../../server/src/domain/tasks/task-queries.js";
import { readPosition } from "../../../server/src/domain/tasks/urgency.js";
import { addDays, daysBetween } from "../../../server/src/domain/shared/dates.js";
import { createId } from "../../../server/src/domain/shared/ids.js";
import { createWorkspace } from "../../../server/src/domain/organizations/workspaces.js";
import { runs } from "../../fuzz/settings.js";
import { aMember, toCaller } from "../../support/builders.js";
import { useDatabase } from "../../support/database.js";

type Task = Pick<
  MaintenanceTask,
  "id" | "asset_id" | "workspace_id" | "hidden" | "state" | "due_date" | "priority" | "criticality"
> & { title: string };

const db = useDatabase();
const cursors = createCursorCodec(["urgency-key-of-at-least-32-characters"]);
const today = "2026-06-15";
const on = (day: string, caller: Caller): Caller => ({ ...caller, at: new Date(`${day}T12:00Z`) });

let owner: Caller;
let member: Caller;
let retired: string;
const ownPlaces: (string | null)[] = [];
const assets: { id: string; workspace_id: string | null }[] = [];

/**
 * One asset of each criticality in each of three workspaces and in none. The member belongs to two
 * workspaces.
 */
beforeAll(async () => {
  const admin = await aMember(db(), { role: "owner" });
  const { organization } = admin;
  const reader = await aMember(db(), { organization, role: "member", workspace: "Lab" });
  owner = on(today, toCaller(admin, "owner"));
  member = on(today, toCaller(reader, "member"));
  await db().transaction(async (tx) => {
    for (const name of ["Yard", "Vault"]) await createWorkspace(tx, owner, { name });
    for (const place of ["Lab", "Yard", "Vault", undefined]) {
      for (const criticality of criticalities) {
        const given = { name: "Pump", criticality, workspace_id: place };
        const { id, workspace_id = null } = (await createAsset(tx, owner, given)).asset;
        assets.push({ id, workspace_id });
        if (place !== "Vault") ownPlaces.push(workspace_id);
      }
    }
    retired = (await createAsset(tx, owner, { name: "Old", criticality: "high" })).asset.id;
    await changeAssetState(tx, owner, retired, { state: "deleted", reason: "scrapped" });
    await tx.query(
      `INSERT INTO workspace_members (organization_id, user_id, workspace_id, role)
       SELECT organization_id, $2, id, 'viewer' FROM workspaces WHERE organization_id = $1 AND name = 'Yard'`,
      [owner.organizationId, member.userId],
    );
  });
});

/** Days around today and around the maximum lateness, with many duplicates. */
const day = fc.oneof(
  fc.constantFrom(...[-90, -31, -30, -29, -21, -20, -11, -10, -2, -1, 0, 1, 2], null),
  fc.integer({ min: -45, max: 3 }),
);
const task = fc.record({
  asset: fc.nat(),
  days: day,
  state: fc.oneof(
    { arbitrary: fc.constantFrom("scheduled", "on_hold"), weight: 4 },
    { arbitrary: fc.constantFrom(...taskStates), weight: 1 },
  ),
  priority: fc.constantFrom(...taskPriorities),
});
type Given = typeof task extends fc.Arbitrary<infer Value> ? Value : never;

/** Replaces all tasks by these and returns the stored ones. */
async function write(given: readonly Given[]): Promise<Task[]> {
  const { organizationId, userId } = owner;
  await db().query("DELETE FROM maintenance_tasks WHERE organization_id = $1", [organizationId]);
  const rows = given.map(({ asset, days, state, priority }, index) => {
    const site = assets[asset % (assets.length + 1)];
    return {
      ...{ id: createId("task"), number: index + 1, state, priority, hidden: site === undefined },
      ...{ asset_id: site?.id ?? retired, workspace_id: site?.workspace_id ?? null },
      title: index % 2 === 0 ? "Grease the pump" : "Oil the pump",
      due_date: days === null ? null : addDays(today, days),
    };
  });
  await db().query(
    `INSERT INTO maintenance_tasks (id, organization_id, task_number, asset_id, workspace_id, hidden, title,
       type, priority, state, due_date, completed_at, cancelled_at, created_by)
     SELECT t.id, $1, t.number, t.asset_id, t.workspace_id, t.hidden, t.title, 'preventive', t.priority,
       t.state, t.due_date, CASE WHEN t.state = 'completed' THEN now() END,
       CASE WHEN t.state = 'cancelled' THEN now() END, $2
     FROM jsonb_to_recordset($3) t (id text, number int, asset_id text, workspace_id text, hidden boolean,
       title text, priority text, state text, due_date date)`,
    [organizationId, userId, JSON.stringify(rows)],
  );
  return db().query<Task>(
    `SELECT id, asset_id, workspace_id, hidden, title, state, due_date, priority, criticality
     FROM maintenance_tasks WHERE organization_id = $1`,
    [organizationId],
  );
}

/** An independent form of the rule: the task with the lower list comes first. */
function rankOf(row: Task): (number | string)[] {
  const { state, due_date: due, hidden, id } = row;
  const ofCriticality = { critical: 40, high: 20, medium: 0, low: -10 }[row.criticality];
  const points = ofCriticality + { urgent: 20, high: 10, medium: 0, low: 0 }[row.priority];
  const last = due ?? "9999-12-31";
  if (state === "completed" || state === "cancelled") return [2, last, id];
  if (hidden || due === null || due >= today) return [1, last, -points, id];
  return [0, -points - Math.min(daysBetween(due, today), 30), due, id];
}

function inOrder(tasks: readonly Task[]): string[] {
  return tasks
    .map((row) => rankOf(row))
    .toSorted((one, other) => {
      const at = one.findIndex((value, index) => value !== other[index]);
      return (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
    })
    .map((rank) => String(rank.at(-1)));
}

/** All ids of all pages. Pages after the first may be read on another day. */
async function readAll(
  caller: Caller,
  filters: Partial<TaskListing>,
  { limit = 3, laterOn = today } = {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const listing = { state: "all", sort: "urgency", limit, ...filters, cursor } as const;
    const reader = cursor === undefined ? caller : on(laterOn, caller);
    const page = await listTasks(db(), reader, listing, cursors);
    seen.push(...page.tasks.map(({ id }) => id));
    cursor = page.next_cursor;
    // Stops endless repetition.
  } while (cursor !== undefined && seen.length < 1000);
  return seen;
}

const isEnded = ({ state }: Task) => state === "completed" || state === "cancelled";
const isShown = ({ hidden }: Task) => !hidden;

test("lists tasks by urgency, each once, for every person and filter", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(task, { minLength: 1, maxLength: 60 }), async (given) => {
      const tasks = await write(given);
      const shown = tasks.filter(isShown);
      const seen = shown.filter(({ workspace_id }) => ownPlaces.includes(workspace_id));
      const open = { state: "open" } as const;

      expect(await readAll(owner, {})).toEqual(inOrder(shown));
      expect(await readAll(member, {})).toEqual(inOrder(seen));
      expect(await readAll(member, open, { laterOn: addDays(today, 1) })).toEqual(
        inOrder(seen.filter((row) => !isEnded(row))),
      );
      expect(await readAll(owner, { state: ["cancelled", "on_hold"] })).toEqual(
        inOrder(shown.filter(({ state }) => state === "cancelled" || state === "on_hold")),
      );
      expect(await readAll(owner, { state: "cancelled" })).toEqual(
        inOrder(shown.filter(({ state }) => state === "cancelled")),
      );
      expect(await readAll(member, { query: "grease" })).toEqual(
        inOrder(seen.filter(({ title }) => title.startsWith("Grease"))),
      );
      expect(await readAll(owner, { priority: "urgent", due_to: today })).toEqual(
        inOrder(shown.filter((row) => row.priority === "urgent" && (row.due_date ?? "z") <= today)),
      );
      expect(await readAll(owner, { asset_id: retired })).toEqual(
        inOrder(tasks.filter(({ hidden }) => hidden)),
      );
    }),
    runs({ short: 12, long: 400 }),
  );
});

test("paging works with any row last on a page", async () => {
  const tasks = await write(fc.sample(task, { numRuns: 150, seed: 5 }));

  expect(await readAll(owner, {}, { limit: 1 })).toEqual(inOrder(tasks.filter(isShown)));
});

test("keeps the order for words found in more than 10,000 tasks", async () => {
  await db().query("ALTER TABLE maintenance_tasks DISABLE TRIGGER USER");
  for (const filled of ["fill", "fill_search"]) {
    await db().query(`ALTER TABLE maintenance_tasks ENABLE TRIGGER maintenance_tasks_${filled}`);
  }
  const tasks = await write(fc.sample(task, { numRuns: 11_000, seed: 7 }));
  const expected = inOrder(tasks.filter(isShown));
  const listing = { query: "pump", state: "all", sort: "urgency", limit: 100 } as const;

  const first = await listTasks(db(), owner, listing, cursors);
  const cursor = first.next_cursor;
  const next = await listTasks(db(), owner, { ...listing, cursor }, cursors);

  expect(first.total_is_minimum).toBe(true);
  expect([...first.tasks, ...next.tasks].map(({ id }) => id)).toEqual(expected.slice(0, 200));
});

test("rejects a cursor from an order with other keys", () => {
  expect(() => readPosition({ id: "tsk_1", value: "{false,2031-01-01}" })).toThrow(
    "foreign_cursor",
  );
});
