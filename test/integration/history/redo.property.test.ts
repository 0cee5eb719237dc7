import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { ChangeSetRow } from "../../../server/src/db/entities/history.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { continueUndo } from "../../../server/src/domain/history/continue-undo.js";
import { startUndo, startUndoOf } from "../../../server/src/domain/history/undo.js";
import { omit } from "../../../server/src/domain/shared/omit.js";
import type { KeptRecord } from "../../../server/src/domain/history/continue-undo.js";
import { isLong, runs } from "../../fuzz/settings.js";
import { useApp } from "../../support/app.js";
import { toCaller, type Member } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

type Row = Record<string, unknown>;
type Call = [tool: string, args: Json];

type Picker = (prefix: "ast_" | "tsk_", place: number) => string;

const one = <Value>(values: readonly Value[], index: number) => values[index % values.length];

const rules = [
  { every: 1, unit: "month" },
  { every: 2, unit: "week", anchor: "completion_date" },
  { every: 1, unit: "year", ends_on: "2030-01-01" },
  { every: 1, unit: "month", on_weekday: "first monday" },
  { every_usage: 50, meter: "Odometer" },
  { every_usage: 70, meter: "Odometer", due_usage: 90_000 },
  { every_usage: 8, meter: "Operating hours" },
  { every: 3, unit: "month", every_usage: 500, meter: "Odometer" },
];

/** Actions of people and apps. The numbers select among existing records and values. */
const acts = {
  asset: (pick: Picker, thing: number, value: number): Call => [
    "update_asset",
    {
      asset_id: pick("ast_", thing),
      ...one(
        [
          { location: "Roof" },
          { purchase_cost: 10 + value },
          { workspace_id: one(["Lab", "Yard"], value) },
          { clear_fields: ["location", "purchase_cost"] },
          { parent_asset_id: pick("ast_", value) },
          { category: one(["HVAC", "Tools"], value) },
        ],
        value,
      ),
    },
  ],
  state: (pick: Picker, thing: number, value: number): Call => {
    const states = ["available", "in_use", "in_maintenance", "out_of_service", "deleted"];
    return ["update_asset_state", { asset_id: pick("ast_", thing), state: one(states, value) }];
  },
  merge: (pick: Picker, thing: number, value: number): Call => [
    "update_asset_state",
    { asset_id: pick("ast_", thing), state: "deleted", merged_into: pick("ast_", value) },
  ],
  reading: (pick: Picker, thing: number, value: number): Call => [
    "update_asset",
    { asset_id: pick("ast_", thing), meter_readings: { km: 100 + value * 40 } },
  ],
  progress: (pick: Picker, thing: number, value: number): Call => {
    const states = ["in_progress", "completed", "on_hold", "cancelled", "scheduled", "completed"];
    return ["update_maintenance_task", { task_id: pick("tsk_", thing), state: one(states, value) }];
  },
  task: (pick: Picker, thing: number, value: number): Call => [
    "update_maintenance_task",
    {
      task_id: pick("tsk_", thing),
      ...one<Json>(
        [
          { due_date: one(["2027-01-31", "2027-02-28", "2027-03-30"], value + thing) },
          { labor_cost: value },
          { parts_cost: 3 },
          { title: one(["Oil", "Grease"], value) },
          { clear_fields: ["due_date"] },
          { completed_at: "2026-01-0" + String(1 + (value % 9)) + "T10:00:00Z" },
          { checklist_tick: [1 + (value % 2)] },
          { requires_downtime: value % 2 === 0 },
        ],
        value,
      ),
    },
  ],
  rule: (pick: Picker, thing: number, value: number): Call => [
    "update_maintenance_task",
    { task_id: pick("tsk_", thing), recurrence: one(rules, value) },
  ],
  "no rule": (pick: Picker, thing: number): Call => [
    "update_maintenance_task",
    { task_id: pick("tsk_", thing), clear_fields: ["recurrence"] },
  ],
  move: (pick: Picker, thing: number, value: number): Call => [
    "update_maintenance_task",
    { task_id: pick("tsk_", thing), asset_id: pick("ast_", value) },
  ],
  "new task": (pick: Picker, thing: number, value: number): Call => [
    "create_maintenance_task",
    {
      ...{ asset_id: pick("ast_", thing), title: "New", due_date: "2027-05-05" },
      requires_downtime: value % 2 === 0,
      ...(value % 3 > 0 && { recurrence: one(rules, value) }),
      ...(value % 4 === 1 && { completed: {} }),
    },
  ],
  "new asset": (pick: Picker, thing: number): Call => [
    "create_asset",
    { name: "New", parent_asset_id: pick("ast_", thing) },
  ],
} as const;
const names = Object.keys(acts) as (keyof typeof acts)[];
/** Actions that enable many others are repeated more often. */
const often = [...names, "progress", "progress", "rule", "merge", "task", "new task"] as const;

const step = (by: fc.Arbitrary<"app" | "person">) =>
  fc.record({ by, do: fc.constantFrom(...often), thing: fc.nat(9), value: fc.nat(15) });
type Step = ReturnType<typeof step> extends fc.Arbitrary<infer Value> ? Value : never;
const steps = (by: ("app" | "person")[], maxLength: number) =>
  fc.array(step(fc.constantFrom(...by)), { maxLength, size: "max" });

/**
 * Everything about assets and tasks that undo can restore, by id. An ended rule has no meter and no
 * due usage. The history event that ended it has both.
 */
const everything = [
  `SELECT a.id, a.name, a.location, a.category_id, a.purchase_cost, a.currency, a.workspace_id,
     a.inventory_number, a.state, a.deletion_reason, a.state_before_deletion, a.merged_into_asset_id,
     a.parent_asset_id, a.assigned_to_user_id,
     (SELECT array_agg(s.downtime_kind || coalesce(s.task_id, '')) FROM asset_state_periods s
      WHERE s.organization_id = a.organization_id AND s.asset_id = a.id AND s.ended_at IS NULL) AS period
   FROM assets a WHERE a.organization_id = $1`,
  `SELECT t.id, t.title, t.due_date, t.labor_cost, t.parts_cost, t.currency, t.workspace_id, t.state,
     t.hidden, t.started_at, t.completed_at, t.completed_by, t.cancelled_at IS NULL AS is_cancelled,
     t.asset_id, t.asset_state_before, t.requires_downtime, t.plan_id, t.occurrence,
     CASE WHEN p.active THEN t.due_usage END AS due_usage,
     CASE WHEN t.plan_id IS NOT NULL THEN to_jsonb(p) - 'created_at'
       - CASE WHEN p.active THEN '' ELSE 'meter_id' END END AS plan,
     (SELECT array_agg(coalesce(i.done_by || date_trunc('milliseconds', i.done_at), '') ORDER BY i.position)
      FROM task_checklist_items i WHERE i.organization_id = t.organization_id
        AND i.task_id = t.id) AS steps
   FROM maintenance_tasks t LEFT JOIN maintenance_plans p
     ON p.organization_id = t.organization_id AND p.id = t.plan_id WHERE t.organization_id = $1`,
];

const isNewest = `NOT EXISTS (SELECT FROM maintenance_tasks l
  WHERE l.organization_id = $1 AND l.plan_id = t.plan_id AND l.occurrence > t.occurrence)`;
const ofTask = `FROM maintenance_tasks t
  LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
  LEFT JOIN maintenance_plans p ON p.organization_id = $1 AND p.id = t.plan_id
  LEFT JOIN meters m ON m.organization_id = $1 AND m.id = p.meter_id
  WHERE t.organization_id = $1`;

/** Problems that must never occur. */
const problems = `
  SELECT 'plan without tasks' AS problem, p.id FROM maintenance_plans p
    WHERE p.organization_id = $1 AND NOT EXISTS (SELECT FROM maintenance_tasks t
      WHERE t.organization_id = $1 AND t.plan_id = p.id)
  UNION ALL SELECT 'meter of another asset', t.id ${ofTask}
    AND m.asset_id IS DISTINCT FROM t.asset_id AND m.id IS NOT NULL AND p.active AND ${isNewest}
  UNION ALL SELECT 'counts days without a due date', t.id ${ofTask} AND p.active AND t.due_date IS NULL
    AND p.every IS NOT NULL AND t.state NOT IN ('completed', 'cancelled') AND ${isNewest}
  UNION ALL SELECT 'remembers a state though its asset is in use', t.id ${ofTask}
    AND t.asset_state_before IS NOT NULL AND a.state <> 'in_maintenance'
  UNION ALL SELECT 'a cost without currency', id FROM assets
    WHERE organization_id = $1 AND purchase_cost IS NOT NULL AND currency IS NULL
  UNION ALL SELECT 'unfinished', id FROM change_sets WHERE organization_id = $1 AND state <> 'applied'
  UNION ALL SELECT 'unexpected error', subject_id FROM change_set_rows
    WHERE organization_id = $1 AND details::text LIKE '%undo_refused%'`;

describe("redo after an undo", () => {
  const current = useApp();

  beforeAll(async () => {
    await current().db.query(
      `INSERT INTO oauth_clients (id, name, redirect_uris, grant_types, token_endpoint_auth_method)
       VALUES ('undone-app', 'Undone app', '{}', '{}', 'none')`,
    );
  });

  const timeout = isLong ? 0 : 240_000;

  test("restores everything as it was before the undo", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(steps(["app", "app", "person"], 14), async (actions) => {
        const scene = await prepare();
        for (const each of actions) await act(scene, each);
        const before = await look(scene.member);
        const undo = await undoApp(scene);
        const redo = await undoSet(scene, undo);
        const after = await look(scene.member);

        const told = await findTold(redo);
        const plans = new Set([...told].map((id) => before.get(String(id))?.["plan_id"]));
        for (const [id, row] of before) {
          // A recurrence reported for one task also shows on other tasks of its plan.
          const isToldOf = typeof row["plan_id"] === "string" && plans.has(row["plan_id"]);
          const compared = (one: Row = {}) => (isToldOf ? omit(one, "plan") : one);
          if (!told.has(id)) expect(compared(after.get(id)), id).toEqual(compared(row));
        }
        expect(await findProblems(scene.member)).toEqual([]);
      }),
      runs({ short: 24, long: 1000, seed: 2026 }),
    );
  });

  test("keeps and reports changes made by others in between", { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(
        steps(["app"], 10),
        steps(["person"], 4),
        steps(["person"], 4),
        async (actions, meanwhile, later) => {
          const scene = await prepare();
          for (const each of [...actions, ...meanwhile]) await act(scene, each);
          const before = await look(scene.member);
          const undo = await undoApp(scene);
          const undone = await look(scene.member);
          for (const each of later) await act(scene, each);
          const changed = await look(scene.member);
          const redo = await undoSet(scene, undo);
          const after = await look(scene.member);

          const told = await findTold(redo);
          for (const [id, row] of changed) {
            for (const column of ["title", "location", "due_date", "labor_cost", "purchase_cost"]) {
              if (told.has(id) || !(column in row)) continue;
              const isOthers = !isDeepStrictEqual(undone.get(id)?.[column], row[column]);
              const expected = isOthers ? row[column] : before.get(id)?.[column];
              expect(after.get(id)?.[column], `${id} ${column}`).toEqual(expected);
            }
          }
          expect(await findProblems(scene.member)).toEqual([]);
        },
      ),
      runs({ short: 16, long: 1000, seed: 2026 }),
    );
  });

  interface Scene {
    member: Member;
    app: Connected;
    person: Connected;
    since: string;
  }

  async function prepare(): Promise<Scene> {
    const person = await connect(current(), { clientId: "fettle-bridge" });
    for (const name of ["Lab", "Yard"]) await person.ok("create_workspace", { name });
    for (const name of ["First", "Second", "Third"]) {
      const { asset } = await person.ok<{ asset: { id: string } }>("create_asset", {
        ...{ name, workspace_id: "Lab" },
      });
      const readings = { First: { km: 100, h: 5 }, Second: { km: 10 }, Third: undefined }[name];
      if (readings !== undefined) {
        await person.ok("update_asset", { asset_id: asset.id, meter_readings: readings });
      }
      await person.ok("create_maintenance_task", {
        ...{ asset_id: asset.id, title: "Check", due_date: "2027-01-31", checklist: ["a", "b"] },
        ...{ requires_downtime: name === "First", type: name === "First" ? "corrective" : "other" },
        recurrence: name === "Second" ? { every_usage: 50 } : { every: 1, unit: "month" },
      });
    }
    const app = await connect(current(), { member: person.member, clientId: "undone-app" });
    return { member: person.member, app, person, since: new Date(0).toISOString() };
  }

  /** Refused actions, such as impossible states, change nothing. */
  async function act(scene: Scene, { by, do: what, thing, value }: Step): Promise<void> {
    const found = await current().db.query<{ id: string }>(
      `SELECT id FROM (SELECT id, created_at, 0 AS number FROM assets WHERE organization_id = $1
         UNION ALL SELECT id, NULL, task_number FROM maintenance_tasks WHERE organization_id = $1) x
       ORDER BY created_at, number`,
      [scene.member.organizationId],
    );
    const ids = found.map(({ id }) => id);
    const pick: Picker = (prefix, place) =>
      String(
        one(
          ids.filter((id) => id.startsWith(prefix)),
          place,
        ),
      );
    const [tool, args] = acts[what](pick, thing, value);
    const answer = await scene[by].call(tool, args);
    expect(JSON.stringify(answer)).not.toContain("internal_error");
  }

  async function look({ organizationId }: Member): Promise<Map<string, Row>> {
    const rows = await Promise.all(
      everything.map((sql): Promise<Row[]> => current().db.query(sql, [organizationId])),
    );
    return new Map(rows.flat().map((row) => [String(row["id"]), row]));
  }

  const findProblems = ({ organizationId }: Member): Promise<unknown[]> =>
    current().db.query(problems, [organizationId]);

  async function undoApp({ member, since }: Scene): Promise<string> {
    const { db } = current();
    const caller = toCaller(member);
    const until = new Date(Date.now() + 1000).toISOString();
    const span = { clientId: "undone-app", userId: member.userId, from: since, until };
    const id = await commit({ db, caller }, (tx) =>
      startUndo(tx, caller, { selection: span, title: "Undone app" }),
    );
    await continueUndo(db, caller, id);
    return id;
  }

  async function undoSet({ member }: Scene, set: string): Promise<string> {
    const { db } = current();
    const caller = toCaller(member);
    const { undo } = await commit({ db, caller }, (tx) => startUndoOf(tx, caller, set));
    await continueUndo(db, caller, undo);
    return undo;
  }

  /** The records for which a change set reports a conflict. */
  async function findTold(set: string): Promise<Set<unknown>> {
    const rows = await current().db.query<Pick<ChangeSetRow, "subject_id" | "details">>(
      "SELECT subject_id, details FROM change_set_rows WHERE change_set_id = $1",
      [set],
    );
    const isAbout = ({ field }: KeptRecord["conflicts"][number]) =>
      field !== "meters" && field !== "files";
    return new Set(
      rows
        .filter(({ details }) => (details as KeptRecord).conflicts.some(isAbout))
        .map(({ subject_id }) => subject_id),
    );
  }
});
