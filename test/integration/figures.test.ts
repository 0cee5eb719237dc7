import fc from "fast-check";
import type { EntityManager } from "typeorm";
import { beforeAll, describe, expect, test } from "vitest";
import { assetStates, criticalities } from "../../server/src/db/entities/asset.js";
import { taskStates, taskTypes } from "../../server/src/db/entities/maintenance-task.js";
import { forceDeleteAsset } from "../../server/src/domain/assets/asset-deletion.js";
import { updateAsset } from "../../server/src/domain/assets/asset-updates.js";
import { changeAssetState } from "../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../server/src/domain/assets/create-asset.js";
import type { Caller } from "../../server/src/domain/access/caller.js";
import { sumUpFigures } from "../../server/src/domain/stats/sum-up-figures.js";
import { createTask } from "../../server/src/domain/task-changes/create-task.js";
import { updateTask } from "../../server/src/domain/task-changes/task-updates.js";
import { createWorkspace } from "../../server/src/domain/workspaces/workspaces.js";
import { AppError } from "../../server/src/errors.js";
import { useApp } from "../support/app.js";
import { aMember, type Member } from "../support/builders.js";
import { createReplay, dayFromToday, daysAgo } from "../support/replay.js";

/** One thing that somebody does, to one of the assets or tasks that there are by then. */
const action = fc.record({
  kind: fc.constantFrom("asset", "change", "state", "task", "work", "work", "erase", "sum_up"),
  which: fc.nat(),
  state: fc.constantFrom(...assetStates),
  taskState: fc.constantFrom(...taskStates),
  type: fc.constantFrom(...taskTypes),
  criticality: fc.constantFrom(...criticalities),
  place: fc.constantFrom("none", "North", "South"),
  category: fc.constantFrom(undefined, "Pumps", "Lifts"),
  amount: fc.integer({ min: 0, max: 900 }),
  days: fc.integer({ min: -40, max: 40 }),
  flag: fc.boolean(),
});
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

describe("figures", () => {
  const testApp = useApp();
  let owner: Member;
  const assets: string[] = [];
  const tasks: string[] = [];

  const steps: Record<
    Exclude<Action["kind"], "sum_up">,
    (tx: EntityManager, caller: Caller, action: Action) => Promise<unknown>
  > = {
    asset: async (tx, caller, { place, category, criticality, amount, days, flag }) => {
      const value = flag ? { purchase_cost: amount } : {};
      const more = { criticality, category, warranty_expires_on: dayFromToday(days) };
      const where = place === "none" ? {} : { workspace_id: place };
      const { asset } = await createAsset(tx, caller, {
        name: "Pump",
        ...where,
        ...more,
        ...value,
      });
      assets.push(asset.id);
    },
    change: (tx, caller, { which, place, category, criticality, flag }) =>
      updateAsset(tx, caller, pick(assets, which), {
        workspace_id: place,
        assigned_to_user_id: flag ? owner.userId : "none",
        criticality,
        category,
      }),
    state: (tx, caller, { which, state }) =>
      changeAssetState(tx, caller, pick(assets, which), { state }),
    task: async (tx, caller, { which, type, days, flag }) => {
      const work = { title: "Seal", type, due_date: dayFromToday(days), requires_downtime: flag };
      const { task } = await createTask(tx, caller, { asset_id: pick(assets, which), ...work });
      tasks.push(task.id);
    },
    work: (tx, caller, { which, taskState, type, days, amount, flag }) =>
      updateTask(tx, caller, pick(tasks, which), {
        state: taskState,
        ...(flag
          ? { type, due_date: dayFromToday(days) }
          : { labor_cost: amount, downtime_minutes: amount }),
      }),
    erase: async (tx, caller, { which }) => {
      const id = pick(assets, which);
      if (which % 5 > 0) return;
      await changeAssetState(tx, caller, id, { state: "deleted" });
      const [asset]: { inventory_number: string }[] = await tx.query(
        "SELECT inventory_number FROM assets WHERE organization_id = $1 AND id = $2",
        [caller.organizationId, id],
      );
      const confirm_inventory_number = asset?.inventory_number ?? "";
      await forceDeleteAsset(tx, caller, { asset_id: id, confirm_inventory_number });
    },
  };

  beforeAll(async () => {
    owner = await aMember(testApp().db);
    const replay = createReplay(testApp().db, owner);
    for (const name of ["North", "South"]) {
      await replay(daysAgo(400), (tx, caller) => createWorkspace(tx, caller, { name }));
    }
  });

  /** What there is of the figures of one level, of peaks and of what triggers keep in the rows. */
  async function readAll(levels: number[]) {
    const { db } = testApp();
    const id = owner.organizationId;
    const [figures, peaks, periods, planned] = await Promise.all([
      db.query<{ kind: string }[]>(
        `SELECT kind, CASE WHEN 2 = ANY ($2::int[]) THEN '' ELSE workspace_id END AS place, key,
           day::text, sum(n)::int AS n, trim_scale(sum(amount))::text AS amount
         FROM figures WHERE organization_id = $1 AND level = ANY ($2::int[])
         GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2, 3, 4`,
        [id, levels],
      ),
      db.query<unknown[]>(
        `SELECT asset_id, workspace_id, criticality, begins_in, kind, trim_scale(amount)::text AS amount
         FROM asset_peaks WHERE organization_id = $1 AND amount <> 0 ORDER BY 1, 4, 5`,
        [id],
      ),
      db.query<unknown[]>(
        `SELECT id, workspace_id, hidden, is_failure, idle_since FROM asset_state_periods
         WHERE organization_id = $1 ORDER BY id`,
        [id],
      ),
      db.query<unknown[]>(
        "SELECT id, in_time, criticality FROM maintenance_tasks WHERE organization_id = $1 ORDER BY id",
        [id],
      ),
    ]);
    return { figures, peaks, periods, planned };
  }

  test("are what a recount finds, whatever was done before", async () => {
    const { db } = testApp();
    const replay = createReplay(db, owner);
    const done: Record<string, number> = {};
    let hour = 0;
    for (const next of fc.sample(action, { numRuns: 500, seed: 12 })) {
      hour += 9;
      const { kind } = next;
      try {
        if (kind === "sum_up") await sumUpFigures(db);
        else await replay(daysAgo(400, hour), (tx, caller) => steps[kind](tx, caller, next));
        done[kind] = (done[kind] ?? 0) + 1;
      } catch (error) {
        // Not everything is allowed in every state; nothing of it is kept then.
        if (!(error instanceof AppError)) throw error;
      }
    }
    const written = await readAll([0, 1]);
    const ofOrganization = await readAll([0, 2]);
    await db.query("SELECT recount_figures($1)", [owner.organizationId]);

    expect(Object.keys(done)).toHaveLength(7);
    expect(written).toEqual(await readAll([0, 1]));
    expect(ofOrganization).toEqual(await readAll([0, 2]));
    const kinds = new Set(written.figures.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(
      (
        "asset assigned_asset assigned_task category cost created_asset down failure idle " +
        "not_placed planned purchase repair task up warranty work"
      ).split(" "),
    );
  });
});

function pick(ids: readonly string[], which: number): string {
  return ids[which % ids.length] ?? "";
}
