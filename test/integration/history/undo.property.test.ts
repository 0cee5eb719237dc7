import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { continueUndo } from "../../../server/src/domain/history/continue-undo.js";
import { planUndo, startUndo } from "../../../server/src/domain/history/undo.js";
import { pick } from "../../../server/src/domain/shared/omit.js";
import { runs } from "../../fuzz/settings.js";
import { useApp } from "../../support/app.js";
import { toCaller, type Member } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

type Row = Record<string, unknown>;

type Action = { by: "app" | "person"; thing: number } & (
  | { do: "change"; field: AssetField; value: number }
  | { do: "state"; state: string }
  | { do: "tag"; add: string; remove: string }
  | { do: "change task"; field: TaskField; value: number }
  | { do: "progress"; state: string }
  | { do: "tick"; steps: number[]; untick: number[] }
  | { do: "repeat"; every: number }
  | { do: "new asset" }
  | { do: "merge"; into: number }
  | { do: "move task"; to: number }
  | { do: "change several"; location: string }
  | { do: "new task"; repeats: boolean; downtime: boolean }
);

const assetFields = {
  name: ["Pump", "Fan", "Motor"],
  location: ["Roof", "Bay 3", null],
  description: ["short", "x".repeat(900), "y".repeat(700), null],
  category: ["HVAC", "Tools", null],
  purchase_date: ["2024-01-05", "2025-02-01", null],
  warranty_expires_on: ["2024-06-01", "2026-02-01", null],
  purchase_cost: [10.5, 99, null],
  workspace_id: ["Lab", "Yard", null],
  inventory_number: ["A-1", "A-2", "A-3", "A-4"],
} as const;
type AssetField = keyof typeof assetFields;

const taskFields = {
  title: ["Oil", "Grease"],
  description: ["z".repeat(800), "brief", null],
  priority: ["low", "urgent"],
  due_date: ["2027-01-31", "2027-02-28", "2027-03-30"],
  estimated_minutes: [10, 90, null],
  completion_notes: ["Done", "n".repeat(600), null],
  labor_cost: [5, 12.25],
} as const;
type TaskField = keyof typeof taskFields;

const keysOf = <Key extends string>(fields: Record<Key, unknown>) => Object.keys(fields) as Key[];
const who = { by: fc.constantFrom("app" as const, "app" as const, "person" as const) };
const about = { ...who, thing: fc.nat(9) };
const step = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 });

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    ...about,
    do: fc.constant("change" as const),
    field: fc.constantFrom(...keysOf(assetFields)),
    value: fc.nat(3),
  }),
  fc.record({
    ...about,
    do: fc.constant("state" as const),
    state: fc.constantFrom("available", "in_use", "out_of_service", "stored", "deleted"),
  }),
  fc.record({
    ...about,
    do: fc.constant("tag" as const),
    add: fc.constantFrom("red", "blue"),
    remove: fc.constantFrom("red", "green"),
  }),
  fc.record({
    ...about,
    do: fc.constant("change task" as const),
    field: fc.constantFrom(...keysOf(taskFields)),
    value: fc.nat(3),
  }),
  fc.record({
    ...about,
    do: fc.constant("progress" as const),
    state: fc.constantFrom("scheduled", "in_progress", "on_hold", "completed", "cancelled"),
  }),
  fc.record({ ...about, do: fc.constant("tick" as const), steps: step, untick: step }),
  fc.record({ ...about, do: fc.constant("repeat" as const), every: fc.nat(3) }),
  fc.record({ ...about, do: fc.constant("new asset" as const) }),
  fc.record({ ...about, do: fc.constant("merge" as const), into: fc.nat(9) }),
  fc.record({ ...about, do: fc.constant("move task" as const), to: fc.nat(9) }),
  fc.record({
    ...about,
    do: fc.constant("change several" as const),
    location: fc.constantFrom("Cellar", "Yard"),
  }),
  fc.record({
    ...about,
    do: fc.constant("new task" as const),
    repeats: fc.boolean(),
    downtime: fc.boolean(),
  }),
);

/** A rule's day of the month changes with the rule and with the due date. */
const ofFirst = { by: "app", thing: 0 } as const;
const [moved, repeated] = [
  { ...ofFirst, do: "change task", field: "due_date", value: 1 },
  { ...ofFirst, do: "repeat", every: 1 },
] as const;
const dayMoves: [Action[]][] = [
  [[moved, repeated]],
  [[repeated, moved]],
  [[moved, repeated, moved]],
];

/** Everything that people see of assets and tasks, by id. */
const everything = {
  assets: `SELECT a.id, a.name, a.location, a.description, c.name AS category, a.purchase_date,
      a.warranty_expires_on, a.purchase_cost, a.currency, a.workspace_id, a.inventory_number,
      a.state, a.deletion_reason, a.merged_into_asset_id, a.tags, a.parent_asset_id, a.assigned_to_user_id
    FROM assets a LEFT JOIN asset_categories c ON c.organization_id = a.organization_id
      AND c.id = a.category_id WHERE a.organization_id = $1`,
  tasks: `SELECT t.id, t.title, t.description, t.type, t.priority, t.due_date, t.estimated_minutes,
      t.completion_notes, t.labor_cost, t.currency, t.workspace_id, t.state, t.started_at,
      t.completed_at, t.completed_by, t.cancelled_at, t.asset_id, t.assigned_to_user_id, t.asset_state_before,
      t.requires_downtime, t.occurrence, p.active, p.every, p.unit, p.anchor, p.anchor_day,
      (SELECT array_agg(coalesce(i.done_by || i.done_at, '') ORDER BY i.position)
        FROM task_checklist_items i WHERE i.organization_id = t.organization_id
          AND i.task_id = t.id) AS steps
    FROM maintenance_tasks t LEFT JOIN maintenance_plans p
      ON p.organization_id = t.organization_id AND p.id = t.plan_id WHERE t.organization_id = $1`,
};

/** Columns that only calls naming them change. */
const plainColumns = [
  ...["name", "location", "description", "category", "purchase_date", "warranty_expires_on"],
  ...["purchase_cost", "tags", "title", "priority", "estimated_minutes", "completion_notes"],
];

describe("undo of an app's changes", () => {
  const current = useApp();

  test("restores everything when only the app made changes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const scene = await prepare();
        const before = await look(scene.member);
        for (const each of actions) await act(scene, { ...each, by: "app" });
        const foreseen = await plan(scene);
        await undo(scene);
        const after = await look(scene.member);

        for (const [id, row] of before) expect(after.get(id), id).toEqual(row);
        for (const [id, row] of after) {
          if (!before.has(id)) expect(["deleted", "cancelled"], id).toContain(row["state"]);
        }
        expect(foreseen.filter(({ conflicts }) => conflicts.length > 0)).toEqual([]);
      }),
      { ...runs({ short: 12, long: 300 }), examples: dayMoves },
    );
  });

  test("keeps and names changes a person made in between, and restores the rest", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        const scene = await prepare();
        const before = await look(scene.member);
        /** The person's last value by id and column. */
        const given = new Map<string, Row>();
        const made = new Set<string>();
        for (const each of actions) {
          const earlier = await look(scene.member);
          await act(scene, each);
          if (each.by === "app") continue;
          for (const [id, row] of await look(scene.member)) {
            if (!earlier.has(id)) made.add(id);
            given.set(id, { ...given.get(id), ...findChanged(earlier.get(id) ?? {}, row) });
          }
        }
        const last = await look(scene.member);
        const foreseen = await plan(scene);
        await undo(scene);
        const after = await look(scene.member);

        const conflicts = foreseen.flatMap((record) =>
          record.conflicts.map(({ field = "" }) => `${record.subject.id} ${field}`),
        );
        for (const [id, row] of before) {
          // The whole record stays unchanged if someone else retired it.
          if (conflicts.includes(`${id} `)) continue;
          const kept = plainColumns.filter((one) => conflicts.includes(`${id} ${one}`));
          expectRestored(id, row, { given, last, after, kept });
        }
        for (const id of made) {
          expect(after.get(id)?.["state"], id).toBe(given.get(id)?.["state"]);
        }
      }),
      runs({ short: 12, long: 300 }),
    );
  });

  test("keeps a task with its asset, which moved while the task was elsewhere", async () => {
    const scene = await prepare();
    const before = await look(scene.member);
    const [task = "", first] = [...before].find(([id]) => id.startsWith("tsk_")) ?? [];
    const asset_id = String(first?.["asset_id"]);
    const [other = ""] = [...before.keys()].filter(
      (id) => id.startsWith("ast_") && id !== asset_id,
    );
    await scene.app.ok("update_maintenance_task", { task_id: task, asset_id: other });
    await scene.app.ok("update_asset", { asset_id: other, workspace_id: "Yard" });
    await scene.app.ok("update_maintenance_task", { task_id: task, asset_id });

    await undo(scene);

    const after = await look(scene.member);
    for (const id of [task, asset_id, other]) expect(after.get(id), id).toEqual(before.get(id));
  });

  interface Scene {
    member: Member;
    app: Connected;
    person: Connected;
  }

  async function prepare(): Promise<Scene> {
    const person = await connect(current(), { clientId: "fettle-bridge" });
    for (const name of ["Lab", "Yard"]) await person.ok("create_workspace", { name });
    for (const name of ["First", "Second"]) {
      const made = await person.ok<{ asset: { id: string } }>("create_asset", {
        ...{ name, tags: ["green"], workspace_id: "Lab" },
      });
      await person.ok("create_maintenance_task", {
        ...{ asset_id: made.asset.id, title: "Check", due_date: "2027-01-31" },
        ...{ recurrence: { every: 1, unit: "month" }, checklist: ["a", "b", "c"] },
        requires_downtime: name === "First",
      });
    }
    const app = await connect(current(), { member: person.member, clientId: "undone-app" });
    return { member: person.member, app, person };
  }

  beforeAll(async () => {
    await current().db.query(
      `INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, token_endpoint_auth_method)
       VALUES ('undone-app', 'Undone app', '{}', '{}', 'none')`,
    );
  });

  async function look({ organizationId }: Member): Promise<Map<string, Row>> {
    const rows = await Promise.all(
      Object.values(everything).map((sql): Promise<Row[]> =>
        current().db.query(sql, [organizationId]),
      ),
    );
    return new Map(rows.flat().map((row) => [String(row["id"]), row]));
  }

  const selectionOf = ({ member }: Scene) => ({
    ...{ clientId: "undone-app", userId: member.userId },
    ...{ from: new Date(Date.now() - 3_600_000).toISOString() },
    until: new Date(Date.now() + 1000).toISOString(),
  });

  async function plan(scene: Scene) {
    const page = await planUndo(current().db, toCaller(scene.member), selectionOf(scene));
    return page.records;
  }

  async function undo(scene: Scene): Promise<void> {
    const { db } = current();
    const caller = toCaller(scene.member);
    const id = await commit({ db, caller }, (tx) =>
      startUndo(tx, caller, { selection: selectionOf(scene), title: "Undone app" }),
    );
    await continueUndo(db, caller, id);
  }

  /** Refused actions, such as impossible states, change nothing. */
  async function act(scene: Scene, action: Action): Promise<void> {
    const by = scene[action.by];
    const things = [...(await look(scene.member))].toSorted(([left], [right]) =>
      left < right ? -1 : 1,
    );
    const pick = (prefix: string, thing = action.thing) => {
      const ids = things.map(([id]) => id).filter((id) => id.startsWith(prefix));
      return ids[thing % ids.length] ?? "";
    };
    const [tool, args] = toCall(action, pick);
    await by.call(tool, args);
  }
});

interface Later {
  given: Map<string, Row>;
  last: Map<string, Row>;
  after: Map<string, Row>;
  kept: string[];
}

function expectRestored(id: string, before: Row, { given, last, after, kept }: Later): void {
  const values = given.get(id) ?? {};
  const expected = { ...before, ...values, ...pick(last.get(id) ?? {}, ...kept) };
  expect(pick(after.get(id) ?? {}, ...plainColumns), id).toEqual(pick(expected, ...plainColumns));
  for (const column of kept) expect(values, id).toHaveProperty(column);
}

function findChanged(before: Row, after: Row): Row {
  const changed = Object.entries(after).filter(
    ([column, value]) => !isDeepStrictEqual(value, before[column]),
  );
  return Object.fromEntries(changed);
}

type Picker = (prefix: string, thing?: number) => string;
const ofTasks = ["change task", "progress", "tick", "repeat", "move task", "new task"] as const;
type TaskAction = Extract<Action, { do: (typeof ofTasks)[number] }>;

function isOfTask(action: Action): action is TaskAction {
  return ofTasks.some((one) => one === action.do);
}

function toCall(action: Action, pick: Picker): [tool: string, args: Json] {
  const asset_id = pick("ast_");
  if (isOfTask(action)) return toTaskCall(action, asset_id, pick);
  switch (action.do) {
    case "change":
      return ["update_asset", { asset_id, ...toValue(action.field, assetFields, action.value) }];
    case "state":
      return ["update_asset_state", { asset_id, state: action.state }];
    case "tag":
      return ["update_asset", { asset_id, add_tags: [action.add], remove_tags: [action.remove] }];
    case "merge": {
      const merged_into = pick("ast_", action.into);
      return ["update_asset_state", { asset_id, state: "deleted", merged_into }];
    }
    case "change several":
      return [
        "update_asset",
        { asset_ids: [asset_id, pick("ast_", action.thing + 1)], location: action.location },
      ];
    case "new asset":
      return ["create_asset", { name: "New", parent_asset_id: asset_id }];
  }
}

function toTaskCall(
  action: TaskAction,
  asset_id: string,
  pick: Picker,
): [tool: string, args: Json] {
  const task_id = pick("tsk_");
  switch (action.do) {
    case "change task":
      return [
        "update_maintenance_task",
        { task_id, ...toValue(action.field, taskFields, action.value) },
      ];
    case "progress":
      return ["update_maintenance_task", { task_id, state: action.state }];
    case "tick":
      return [
        "update_maintenance_task",
        { task_id, checklist_tick: action.steps, checklist_untick: action.untick },
      ];
    case "repeat":
      return [
        "update_maintenance_task",
        action.every === 0
          ? { task_id, clear_fields: ["recurrence"] }
          : { task_id, recurrence: { every: action.every, unit: "week" } },
      ];
    case "move task":
      return ["update_maintenance_task", { task_id, asset_id: pick("ast_", action.to) }];
    case "new task":
      return [
        "create_maintenance_task",
        {
          ...{ asset_id, title: "New work", due_date: "2027-05-05", checklist: ["x"] },
          ...{ requires_downtime: action.downtime },
          ...(action.repeats && { recurrence: { every: 1, unit: "week" } }),
        },
      ];
  }
}

/** Returns arguments that set the field, or clear it. */
function toValue(field: string, fields: Record<string, readonly unknown[]>, index: number): Json {
  const values = fields[field] ?? [];
  const value = values[index % values.length];
  return value === null ? { clear_fields: [field] } : { [field]: value };
}
