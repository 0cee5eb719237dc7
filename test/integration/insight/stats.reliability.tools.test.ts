import { beforeAll, describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { createTask, type NewTask } from "../../../server/src/domain/tasks/create-task.js";
import { updateTask, type TaskUpdate } from "../../../server/src/domain/tasks/task-updates.js";
import type { AssetState } from "../../../server/src/db/entities/assets.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { createReplay, dayFromToday, daysAgo, type Replay } from "../../support/replay.js";

interface Stats {
  period: Record<string, unknown>;
}

const periodOf = async (person: Connected, filters: Json = {}) =>
  (await person.ok<Stats>("get_organization_stats", filters)).period;
const figuresOf = async (person: Connected, asset_id: string) =>
  (await person.ok<{ maintenance: Record<string, unknown> }>("get_asset", { asset_id }))
    .maintenance;

function actions(replay: Replay) {
  return {
    create: (at: Date, name: string, state: Exclude<AssetState, "deleted"> = "in_use") =>
      replay(at, async (tx, caller) => (await createAsset(tx, caller, { name, state })).asset.id),
    setState: (at: Date, id: string, state: AssetState) =>
      replay(at, (tx, caller) => changeAssetState(tx, caller, id, { state })),
    plan: (at: Date, task: NewTask) =>
      replay(at, async (tx, caller) => (await createTask(tx, caller, task)).task.id),
    update: (at: Date, id: string, update: TaskUpdate, currency = "USD") =>
      replay(at, (tx, caller) => updateTask(tx, { ...caller, currency }, id, update)),
  };
}

describe("failures, repairs and availability", () => {
  const testApp = useApp();
  let owner: Connected;
  let pump: string;
  let spare: string;

  // The pump is 100 days old. It fails three times and is down for 10, 6 and 6 hours.
  beforeAll(async () => {
    owner = await connect(testApp());
    const { create, setState, plan, update } = actions(createReplay(testApp().db, owner.member));
    pump = await create(daysAgo(100), "Pump");
    spare = await create(daysAgo(50), "Spare pump", "available");
    await create(daysAgo(50), "Crate", "stored");

    // Out of service without any work: a failure.
    await setState(daysAgo(60), pump, "out_of_service");
    await setState(daysAgo(60, 10), pump, "in_use");

    // A corrective task that takes the pump down for six hours. Four hours are recorded as
    // downtime.
    const repair = { asset_id: pump, title: "Change the seal", type: "corrective" } as const;
    const first = await plan(daysAgo(40), { ...repair, requires_downtime: true });
    await update(daysAgo(40, 1), first, { state: "in_progress" });
    await update(daysAgo(40, 7), first, {
      state: "completed",
      downtime_minutes: 240,
      labor_cost: 100.5,
      parts_cost: 20,
    });

    // Out of service, and a corrective task for it: one failure, not two.
    await setState(daysAgo(20), pump, "out_of_service");
    const second = await plan(daysAgo(20, 1), { ...repair, title: "Change the bearing" });
    await update(daysAgo(20, 2), second, { state: "in_progress" });
    await update(daysAgo(20, 5), second, { state: "completed", other_cost: 7 }, "EUR");
    await setState(daysAgo(20, 6), pump, "in_use");

    // The spare pump is in planned maintenance for half of its life, which is no failure.
    await setState(daysAgo(25), spare, "in_maintenance");
  });

  test("a year includes every figure", async () => {
    expect(await periodOf(owner)).toMatchObject({
      days: 365,
      failures: 3,
      // (2,378 h + 600 h) / 3
      mtbf_days: 41.4,
      // (4 h + 3 h) / 2
      mttr_hours: 3.5,
      mttr_tasks: 2,
      // (2,378 h + 600 h) of (2,400 h + 1,200 h); stored assets do not count
      availability_percent: 82.7,
      availability_assets: 2,
      top_failure_assets: [{ asset_id: pump, name: "Pump", failures: 3 }],
      completed_tasks: 2,
      cost: { EUR: { corrective: 7 }, USD: { corrective: 120.5 } },
      top_cost_assets: [{ asset_id: pump, name: "Pump", cost: { EUR: 7, USD: 120.5 } }],
    });
  });

  test("a shorter period includes only its events, and no mean of one failure", async () => {
    const period = await periodOf(owner, { period_days: 30 });

    expect(period).toMatchObject({
      days: 30,
      created_assets: 0,
      failures: 1,
      mttr_hours: 3,
      mttr_tasks: 1,
      // (714 h + 120 h) of 1,440 h
      availability_percent: 57.9,
      cost: { EUR: { corrective: 7 } },
    });
    expect(period).not.toHaveProperty("mtbf_days");
    expect(await periodOf(owner, { period_days: 90 })).toMatchObject({
      failures: 3,
      created_assets: 2,
    });
  });

  test("get_asset returns matching figures for one asset", async () => {
    expect(await figuresOf(owner, pump)).toMatchObject({
      cost_365d: { EUR: 7, USD: 120.5 },
      // 10, 6 and 6 hours. They include the downtime recorded by the task.
      downtime_minutes_365d: 1320,
      availability_percent: 99.1,
      operating_days: 99.1,
      failures_365d: 3,
      mtbf_days: 33,
      mttr_hours: 3.5,
    });
    const figures = await figuresOf(owner, spare);
    expect(figures).toMatchObject({
      failures_365d: 0,
      downtime_minutes_365d: 25 * 24 * 60,
      down_since: expect.stringContaining(dayFromToday(-25)) as string,
      availability_percent: 50,
    });
    for (const name of ["cost_365d", "mtbf_days", "mttr_hours"]) {
      expect(figures).not.toHaveProperty(name);
    }
  });

  test("excludes a deleted asset from every figure", async () => {
    await owner.ok("update_asset_state", { asset_id: pump, state: "deleted" });
    const period = await periodOf(owner);

    expect(period).toMatchObject({ failures: 0, availability_assets: 1, completed_tasks: 0 });
    for (const name of ["mtbf_days", "mttr_hours", "mttr_tasks", "cost", "top_failure_assets"]) {
      expect(period).not.toHaveProperty(name);
    }
    await owner.ok("update_asset_state", { asset_id: pump, state: "in_use" });
    expect(await periodOf(owner)).toMatchObject({ failures: 3 });
  });

  test("MTTR excludes untimed repairs, in stored figures and on the first day", async () => {
    const other = await connect(testApp());
    const act = actions(createReplay(testApp().db, other.member));
    const id = await act.create(daysAgo(60), "Fan");
    const repair = { asset_id: id, title: "Mend", type: "corrective" } as const;
    for (const day of [30, 29, 0]) {
      const untimed = await act.plan(daysAgo(day), repair);
      await act.update(daysAgo(day), untimed, { state: "completed" });
    }
    const none = await figuresOf(other, id);
    expect(await periodOf(other)).not.toHaveProperty("mttr_tasks");
    expect(none).not.toHaveProperty("mttr_hours");
    const timed = await act.plan(daysAgo(20), repair);
    await act.update(daysAgo(20), timed, { state: "completed", downtime_minutes: 600 });

    for (const period_days of [30, 365]) {
      const period = await periodOf(other, { period_days });
      expect(period).toMatchObject({ mttr_hours: 10, mttr_tasks: 1 });
    }
    expect(await figuresOf(other, id)).toMatchObject({ mttr_hours: 10 });
  });

  test("repairs of a place, without an asset, aren't failures", async () => {
    const other = await connect(testApp());
    await other.ok("create_workspace", { name: "Hall" });
    const work = { workspace_id: "Hall", title: "Mend the gate", type: "corrective" };
    const { task } = await other.ok<{ task: { id: string } }>("create_maintenance_task", work);
    await other.ok("update_maintenance_task", { task_id: task.id, state: "completed" });

    expect(await periodOf(other)).toMatchObject({ failures: 0, completed_tasks: 1 });
  });
});

describe("work that covers a change to out_of_service", () => {
  const testApp = useApp();

  /** Counts the failures of an asset that went out of service 20 days ago for ten hours. */
  async function countFailures(
    story: (act: ReturnType<typeof actions>, id: string) => Promise<unknown>,
    ends = true,
  ) {
    const owner = await connect(testApp());
    const act = actions(createReplay(testApp().db, owner.member));
    const id = await act.create(daysAgo(30), "Lift");
    await act.setState(daysAgo(20), id, "out_of_service");
    if (ends) await act.setState(daysAgo(20, 10), id, "available");
    await story(act, id);
    return (await figuresOf(owner, id))["failures_365d"];
  }

  const repair = (asset_id: string) => ({ asset_id, title: "Repair", type: "corrective" }) as const;

  test("unfinished work doesn't cover it and isn't a failure yet", async () => {
    expect(await countFailures((act, id) => act.plan(daysAgo(20, 9), repair(id)))).toBe(1);
    expect(await countFailures((act, id) => act.plan(daysAgo(25), repair(id)))).toBe(1);
  });

  test("existing work covers it once completed", async () => {
    const failures = await countFailures(async (act, id) => {
      const task = await act.plan(daysAgo(25), repair(id));
      await act.update(daysAgo(1), task, { state: "completed" });
    });

    expect(failures).toBe(1);
  });

  test("an asset that is down now has a failure, downtime, and start time", async () => {
    const owner = await connect(testApp());
    const act = actions(createReplay(testApp().db, owner.member));
    const id = await act.create(daysAgo(10), "Crane");
    await act.setState(daysAgo(4), id, "out_of_service");
    await act.plan(daysAgo(3), repair(id));
    await act.setState(daysAgo(2), id, "in_maintenance");

    expect(await figuresOf(owner, id)).toMatchObject({
      failures_365d: 1,
      downtime_minutes_365d: 4 * 24 * 60,
      down_since: expect.stringContaining(dayFromToday(-4)) as string,
      availability_percent: 60,
      operating_days: 6,
    });
  });

  test("downtime recorded only by a task adds to the states without double counting", async () => {
    const owner = await connect(testApp());
    const act = actions(createReplay(testApp().db, owner.member));
    const id = await act.create(daysAgo(10), "Press");
    const done = { state: "completed", downtime_minutes: 90 } as const;
    await act.update(daysAgo(5), await act.plan(daysAgo(5, 1), repair(id)), done);
    await act.setState(daysAgo(3), id, "out_of_service");
    await act.setState(daysAgo(3, 2), id, "in_use");
    await act.update(daysAgo(3, 2), await act.plan(daysAgo(3, 1), repair(id)), done);

    expect(await figuresOf(owner, id)).toMatchObject({
      downtime_minutes_365d: 90 + 120,
      failures_365d: 2,
    });
  });

  test("adds only task downtime that the states don't include", async () => {
    const owner = await connect(testApp());
    const act = actions(createReplay(testApp().db, owner.member));
    const id = await act.create(daysAgo(10), "Press");
    await act.setState(daysAgo(3), id, "out_of_service");
    await act.setState(daysAgo(3, 1), id, "in_use");
    const done = { state: "completed", downtime_minutes: 480 } as const;
    await act.update(daysAgo(3, 1), await act.plan(daysAgo(3), repair(id)), done);

    expect(await figuresOf(owner, id)).toMatchObject({ downtime_minutes_365d: 480 });
  });

  test("later work doesn't cover it", async () => {
    expect(await countFailures((act, id) => act.plan(daysAgo(20, 11), repair(id)))).toBe(1);
  });

  test("work completed earlier doesn't cover it and is a failure too", async () => {
    const failures = await countFailures(async (act, id) => {
      const task = await act.plan(daysAgo(28), repair(id));
      await act.update(daysAgo(27), task, { state: "completed" });
    });

    expect(failures).toBe(2);
  });

  test("work entered later covers it by its completion time", async () => {
    const failures = await countFailures(async (act, id) => {
      const task = await act.plan(daysAgo(10), repair(id));
      const completed_at = daysAgo(20, 5).toISOString();
      await act.update(daysAgo(10), task, { state: "completed", completed_at });
    });

    expect(failures).toBe(1);
  });

  test("cancelled and other work doesn't cover it", async () => {
    const cancelled = await countFailures(async (act, id) => {
      const task = await act.plan(daysAgo(20, 1), repair(id));
      await act.update(daysAgo(20, 2), task, { state: "cancelled" });
    });
    const preventive = await countFailures((act, id) =>
      act.plan(daysAgo(20, 1), { ...repair(id), type: "preventive" }),
    );

    expect([cancelled, preventive]).toEqual([1, 1]);
  });

  test("work added during the outage covers it once completed", async () => {
    expect(await countFailures((act, id) => act.plan(daysAgo(1), repair(id)), false)).toBe(1);
    const completed = await countFailures(async (act, id) => {
      await act.update(daysAgo(0, 1), await act.plan(daysAgo(1), repair(id)), {
        state: "completed",
      });
    }, false);
    expect(completed).toBe(1);
  });

  test("finished work that restores the state is no new failure", async () => {
    const failures = await countFailures(async (act, id) => {
      const task = { asset_id: id, title: "Look at it", type: "inspection" } as const;
      const taskId = await act.plan(daysAgo(19), { ...task, requires_downtime: true });
      await act.update(daysAgo(19, 1), taskId, { state: "in_progress" });
      await act.update(daysAgo(19, 2), taskId, { state: "completed" });
    }, false);

    expect(failures).toBe(1);
  });
});

describe("on-time planned work", () => {
  const testApp = useApp();

  test("accepts a day or a tenth of the interval late, but not skipped work", async () => {
    const owner = await connect(testApp());
    const { create, plan, update } = actions(createReplay(testApp().db, owner.member));
    const id = await create(daysAgo(200), "Boiler");
    const planned = (due: number, more: Partial<NewTask> = {}) =>
      plan(daysAgo(150), {
        asset_id: id,
        title: `Due ${due}`,
        type: "preventive",
        due_date: dayFromToday(due),
        ...more,
      });
    const done = async (due: number, late: number, more: Partial<NewTask> = {}) => {
      const task = await planned(due, more);
      await update(daysAgo(-due - late), task, { state: "completed" });
    };
    const quarterly = { recurrence: { every: 3, unit: "month" } } as const;
    const cancel = async (due: number, after: number) => {
      await update(daysAgo(-due - after), await planned(due), { state: "cancelled" });
    };

    await done(-40, -5);
    await done(-41, 1, { type: "calibration" });
    await done(-42, 2, { type: "inspection" });
    await done(-43, 9, quarterly);
    await done(-60, 10, { ...quarterly, type: "compliance_test" });
    await planned(-5);
    await cancel(-30, 1);
    // Not due in the period or of another kind.
    await cancel(-30, -3);
    await planned(0);
    await planned(5);
    await done(-120, 0);
    await done(-20, 0, { type: "improvement" });
    await plan(daysAgo(150), { asset_id: id, title: "Some day", type: "preventive" });
    await update(daysAgo(0), await planned(0, { title: "Today" }), { state: "completed" });

    const period = await periodOf(owner, { period_days: 90 });

    // On time: -40, -41, -43 and today's. Late: -42, -60, -5 and the skipped one.
    expect(period).toMatchObject({ pm_compliance_percent: 50, pm_tasks_due: 8 });
  });

  test("has no figure without planned work", async () => {
    const owner = await connect(testApp());

    const period = await periodOf(owner);

    expect(period).toEqual({ days: 365, created_assets: 0, completed_tasks: 0, failures: 0 });
  });
});

describe("assets with the highest work cost", () => {
  const testApp = useApp();

  test.each([90, 365])(
    "lists assets in the organization's currency first in %i days, then in others",
    async (period_days) => {
      const owner = await connect(testApp());
      const { create, plan, update } = actions(createReplay(testApp().db, owner.member));
      const work = async (name: string, cost: Record<string, [number, number]>) => {
        const asset_id = await create(daysAgo(600), name);
        for (const [currency, [days, labor_cost]] of Object.entries(cost)) {
          const task = await plan(daysAgo(days, 1), { asset_id, title: "Repair", type: "other" });
          await update(daysAgo(days), task, { state: "completed", labor_cost }, currency);
        }
      };
      for (const cost of [1, 2, 3, 4]) await work(`A${cost}`, { USD: [5, cost] });
      // The cost in the usual currency is from before the period.
      await work("A5", { USD: [period_days + 2, 900], EUR: [5, 10] });
      await work("A6", { EUR: [5, 1000] });

      const { top_cost_assets } = (await periodOf(owner, { period_days })) as {
        top_cost_assets: { name: string }[];
      };

      expect(top_cost_assets.map(({ name }) => name)).toEqual(["A4", "A3", "A2", "A1", "A6"]);
    },
  );
});
