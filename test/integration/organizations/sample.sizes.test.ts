import { describe, expect, test } from "vitest";
import { copyAssets } from "../../../server/src/demo/copies.js";
import { planSample } from "../../../server/src/demo/plan/plan.js";
import { createSample, type SampleRequest } from "../../../server/src/demo/seed.js";
import { useDatabase } from "../../support/database.js";

const asOf = "2026-01-15";

describe("sample organization sizes", () => {
  const db = useDatabase();

  const make = (organization: string, more: Partial<SampleRequest> = {}) =>
    createSample(db(), {
      organization,
      size: "tiny",
      asOf,
      password: "correct horse battery",
      baseUrl: "http://fettle.test",
      ...more,
    });

  /** Everything that was created, except random ids. */
  async function readAll(organizationId: string): Promise<string[]> {
    const tables: Record<string, string> = {
      assets: "inventory_number",
      asset_state_periods: "id",
      maintenance_plans: "created_at",
      maintenance_tasks: "task_number",
      task_checklist_items: "label",
      history_events: "sequence",
      workspaces: "name",
      organization_members: "joined_at",
    };
    const all: string[] = [];
    for (const [table, order] of Object.entries(tables)) {
      const rows = await db().query<{ row: string }>(
        `SELECT (to_jsonb(t) - '{id,sequence,request_id,client_id,qr_token}'::text[])::text AS row
         FROM ${table} t WHERE organization_id = $1 ORDER BY ${order}`,
        [organizationId],
      );
      all.push(
        ...rows.map(({ row }) => `${table} ${row.replace(/\b[a-z]{3}_[0-9a-z]{12}\b/g, "id")}`),
      );
    }
    return all;
  }

  test("tiny has one workspace, three assets and two tasks", async () => {
    await expect(make("Tiny")).resolves.toMatchObject({ workspaces: 1, assets: 3, tasks: 2 });
  });

  test("the same request produces the same data", async () => {
    const first = await make("First");
    const second = await make("Second");

    const data = await readAll(first.organizationId);
    expect(await readAll(second.organizationId)).toEqual(data);
    expect(data.filter((row) => row.startsWith("history_events"))).toHaveLength(6);
  });

  test("the demo plan is deterministic and exists for every day", () => {
    expect(planSample("demo", asOf)).toEqual(planSample("demo", asOf));
    for (const day of ["2024-02-29", "2025-03-31", "2025-12-31", "2026-06-01"]) {
      const { actions, start, end } = planSample("demo", day);
      const made = actions.filter(
        ({ step }) =>
          step.do === "create_task" || (step.do === "update_task" && step.next !== undefined),
      );
      expect(made, day).toHaveLength(400);
      expect(actions.filter(({ at }) => at < start || at >= end)).toEqual([]);
    }
  });

  test("another day shifts all dates", async () => {
    const { organizationId } = await make("Later", { asOf: "2026-02-15" });

    const task = await db().maybe<{ due_date: string }>(
      "SELECT due_date FROM maintenance_tasks WHERE organization_id = $1 AND title = 'Change filters'",
      [organizationId],
    );
    expect(task?.due_date).toBe("2026-02-22");
  });

  test("copies have their own numbers, ids and references", async () => {
    const { organizationId } = await make("Large");

    await copyAssets(db(), organizationId);

    const facts = await db().maybe<Record<string, unknown>>(
      `SELECT count(*)::int AS assets, count(DISTINCT a.inventory_number)::int AS numbers,
         max(a.inventory_number) AS last, count(DISTINCT p.id)::int AS units,
         count(*) FILTER (WHERE a.search @@ to_tsquery('laptop'))::int AS laptops,
         count(*) FILTER (WHERE a.id !~ '^ast_[0-9a-hjkmnp-tv-z]{12}$')::int AS malformed,
         (SELECT o.next_inventory_seq::int FROM organizations o WHERE o.id = $1) AS next_number,
         (SELECT o.next_task_number::int FROM organizations o WHERE o.id = $1) AS next_task,
         (SELECT count(DISTINCT t.task_number)::int FROM maintenance_tasks t
           WHERE t.organization_id = $1) AS tasks,
         (SELECT count(DISTINCT t.plan_id)::int FROM maintenance_tasks t
           WHERE t.organization_id = $1) AS plans,
         (SELECT count(*)::int FROM history_events e WHERE e.organization_id = $1) AS events,
         (SELECT count(*)::int FROM asset_state_periods s WHERE s.organization_id = $1
           AND s.ended_at IS NULL) AS open_periods
       FROM assets a LEFT JOIN assets p ON p.id = a.parent_asset_id
       WHERE a.organization_id = $1`,
      [organizationId],
    );
    expect(facts).toEqual({
      assets: 300,
      numbers: 300,
      last: "434-000300",
      units: 100,
      laptops: 100,
      malformed: 0,
      next_number: 301,
      next_task: 201,
      tasks: 200,
      plans: 100,
      events: 600,
      open_periods: 300,
    });
  });

  test("rejects a non-empty organization and a future day", async () => {
    await make("Taken");

    await expect(make("taken")).rejects.toThrow('The organization "Taken" is not empty');
    await expect(make("New", { asOf: "2999-01-01" })).rejects.toThrow("lies after today");
  });
});
