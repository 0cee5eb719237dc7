import fc from "fast-check";
import type { Database, Tx } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test } from "vitest";
import { assetStates, criticalities } from "../../../server/src/db/entities/assets.js";
import { taskStates, taskTypes } from "../../../server/src/db/entities/tasks.js";
import { forceDeleteAsset } from "../../../server/src/domain/assets/asset-deletion.js";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import type { Caller } from "../../../server/src/domain/access/caller.js";
import { getGroupedStats } from "../../../server/src/domain/insight/organization-stats.js";
import type { Grouping } from "../../../server/src/domain/insight/stats-request.js";
import { rollUpFigures } from "../../../server/src/domain/insight/roll-up-figures.js";
import { createTask } from "../../../server/src/domain/tasks/create-task.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import { createWorkspace } from "../../../server/src/domain/organizations/workspaces.js";
import { AppError } from "../../../server/src/errors.js";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const action = fc.record({
  kind: fc.constantFrom(
    "asset",
    "change",
    "state",
    "task",
    "work",
    "work",
    "site",
    "move",
    "erase",
    "sum_up",
  ),
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
  const ofPlaces: string[] = [];

  const steps: Record<
    Exclude<Action["kind"], "sum_up">,
    (tx: Tx, caller: Caller, action: Action) => Promise<unknown>
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
      const work = {
        ...{ title: "Seal", type, due_date: dayFromToday(days), requires_downtime: flag },
        ...(flag && { estimated_minutes: which % 90 }),
      };
      const { task } = await createTask(tx, caller, { asset_id: pick(assets, which), ...work });
      tasks.push(task.id);
    },
    work: (tx, caller, { which, taskState, type, days, amount, flag }) =>
      updateTask(tx, caller, pick(tasks, which), {
        state: taskState,
        ...(flag
          ? { type, due_date: dayFromToday(days) }
          : { labor_cost: amount, downtime_minutes: amount, actual_minutes: amount }),
      }),
    // Refused for started work, so the replay skips it.
    move: (tx, caller, { which }) =>
      updateTask(tx, caller, pick(tasks, which), { asset_id: pick(assets, which + 1) }),
    site: async (tx, caller, { which, place, type, flag }) => {
      if (flag && ofPlaces.length > 0) {
        return updateTask(tx, caller, pick(ofPlaces, which), { workspace_id: place });
      }
      const { task } = await createTask(tx, caller, { workspace_id: place, title: "Sweep", type });
      ofPlaces.push(task.id);
      return tasks.push(task.id);
    },
    erase: async (tx, caller, { which }) => {
      const id = pick(assets, which);
      if (which % 5 > 0) return;
      await changeAssetState(tx, caller, id, { state: "deleted" });
      const asset = await tx.maybe<{ inventory_number: string }>(
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

  /** Figures of one level, peaks, and the columns that triggers maintain. */
  async function readAll(levels: number[]) {
    const { db } = testApp();
    const id = owner.organizationId;
    const [figures, peaks, periods, planned] = await Promise.all([
      db.query<{ kind: string }>(
        `SELECT kind, CASE WHEN 2 = ANY ($2::int[]) THEN '' ELSE workspace_id END AS place, key,
           day::text, sum(n)::int AS n, trim_scale(sum(amount))::text AS amount
         FROM figures WHERE organization_id = $1 AND level = ANY ($2::int[])
         GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2, 3, 4`,
        [id, levels],
      ),
      db.query(
        `SELECT asset_id, workspace_id, criticality, begins_in, kind, trim_scale(amount)::text AS amount
         FROM asset_peaks WHERE organization_id = $1 AND amount <> 0 ORDER BY 1, 4, 5`,
        [id],
      ),
      db.query(
        `SELECT id, workspace_id, hidden, is_failure, idle_since FROM asset_state_periods
         WHERE organization_id = $1 ORDER BY id`,
        [id],
      ),
      db.query(
        "SELECT id, in_time, criticality FROM maintenance_tasks WHERE organization_id = $1 ORDER BY id",
        [id],
      ),
    ]);
    return { figures, peaks, periods, planned };
  }

  /** Number of assets with the stored flag for pending work, and number of wrong flags. */
  async function countAwaiting() {
    const counts = await testApp().db.maybe<{ kept: number; wrong: number }>(
      `SELECT count(*) FILTER (WHERE a.awaits_work)::int AS kept,
         count(*) FILTER (WHERE a.awaits_work <> awaits_work(a))::int AS wrong
       FROM assets a WHERE a.organization_id = $1`,
      [owner.organizationId],
    );
    return counts;
  }

  test("match a recount after any sequence of changes", async () => {
    const { db } = testApp();
    const replay = createReplay(db, owner);
    const done: Record<string, number> = {};
    const awaiting: Awaited<ReturnType<typeof countAwaiting>>[] = [];
    let hour = 0;
    for (const next of fc.sample(action, { numRuns: 500, seed: 12 })) {
      hour += 9;
      const { kind } = next;
      try {
        if (kind === "sum_up") await rollUpFigures(db);
        else await replay(daysAgo(400, hour), (tx, caller) => steps[kind](tx, caller, next));
        done[kind] = (done[kind] ?? 0) + 1;
      } catch (error) {
        // Not every action is allowed in every state. Refused actions store nothing.
        if (!(error instanceof AppError)) throw error;
      }
      awaiting.push(await countAwaiting());
    }
    const written = await readAll([0, 1]);
    const ofOrganization = await readAll([0, 2]);
    await db.query("SELECT recount_figures($1)", [owner.organizationId]);

    expect(Object.keys(done)).toHaveLength(9);
    expect(awaiting.filter((counts) => counts?.wrong !== 0)).toEqual([]);
    expect(new Set(awaiting.map((counts) => counts?.kept)).size).toBeGreaterThan(1);
    expect(written).toEqual(await readAll([0, 1]));
    expect(ofOrganization).toEqual(await readAll([0, 2]));
    const kinds = new Set(written.figures.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(
      (
        "asset asset_of_category asset_of_person assigned_task cost cost_of_category cost_of_completer " +
        "cost_of_person created_asset down failure failure_of_category failure_of_completer " +
        "failure_of_person idle not_placed planned planned_of_category planned_of_completer " +
        "planned_of_person purchase purchase_of_category purchase_of_person repair task task_of_category " +
        "task_of_person task_of_type up warranty work work_of_category work_of_completer work_of_person"
      ).split(" "),
    );
  });

  test("events are visible where their asset or work is today", async () => {
    const rows = await testApp().db.query<{ moved: boolean; is_right: boolean; of_place: boolean }>(
      `SELECT e.workspace_id IS DISTINCT FROM nullif(e.visible_in, '') AS moved, e.asset_id IS NULL AS of_place,
         e.visible_in IS NOT DISTINCT FROM CASE WHEN e.asset_id IS NULL THEN coalesce(t.workspace_id, '')
           ELSE coalesce(a.workspace_id, '') END AS is_right
       FROM history_events e
       LEFT JOIN assets a ON a.organization_id = e.organization_id AND a.id = e.asset_id
       LEFT JOIN maintenance_tasks t ON t.organization_id = e.organization_id AND t.id = e.task_id
       WHERE e.organization_id = $1`,
      [owner.organizationId],
    );

    for (const ofPlace of [true, false]) {
      expect(rows.filter(({ of_place: is, moved }) => is === ofPlace && moved)).not.toEqual([]);
    }
    expect(rows.filter(({ is_right: isRight }) => !isRight)).toEqual([]);
  });

  // Time zones whose days differ from the figures' days: ahead, behind, and by half an hour.
  test.each(["UTC", "Pacific/Auckland", "America/St_Johns"])(
    "groups match the rows in %s",
    async (timeZone) => {
      const { db } = testApp();
      const replay = createReplay(db, owner);
      for (const [grouping, key] of Object.entries(keysOfGroups)) {
        for (const [begin, end] of [
          [-390, -200],
          [-123, 0],
          [-31, -31],
        ] as const) {
          const days = { from: dayFromToday(begin), to: dayFromToday(end) };
          const { groups } = await replay(new Date(), (tx, caller) =>
            getGroupedStats(
              tx,
              { ...caller, timeZone },
              { grouping: grouping as Grouping, ...days, workspace: undefined, days: 365 },
            ),
          );
          const told = new Map(groups.map((group) => [group.id, group]));
          const counted = await countByHand(db, owner, key, { ...days, timeZone });
          for (const { id, is_before: isBefore, ...work } of counted) {
            const group = told.get(id);
            const shown = isBefore ? group?.previous : group;
            expect(shown ?? noWork).toMatchObject(work);
          }
          const sum = (row: string) =>
            counted.filter((one) => one[row] === false).reduce((all, one) => all + one.failures, 0);
          expect(groups.reduce((all, { failures }) => all + failures, 0)).toBe(sum("is_before"));
        }
      }
    },
  );
});

const noWork = { completed_tasks: 0, failures: 0, hours: 0 };

/**
 * SQL for the group of a task `t` or an entry into out_of_service, with its asset `a` and instant
 * `at`.
 */
const keysOfGroups: Partial<Record<Grouping, string>> = {
  workspace: "t.workspace_id",
  category: "a.category_id",
  assignee: "t.assigned_to_user_id",
  completed_by: "t.completed_by",
  task_type: "t.type",
  month: "to_char(t.at AT TIME ZONE $4, 'YYYY-MM')",
};

interface CountedWork {
  [column: string]: unknown;
  id: string | null;
  is_before: boolean;
  completed_tasks: number;
  failures: number;
}

/** Counts work of a period and the equal period before, directly from the rows. */
function countByHand(
  db: Database,
  { organizationId }: Member,
  key: string,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): Promise<CountedWork[]> {
  return db.query(
    `SELECT ${key} AS id, t.at < $2::date::timestamp AT TIME ZONE $4 AS is_before,
       (count(*) FILTER (WHERE t.is_work))::int AS completed_tasks,
       (count(*) FILTER (WHERE NOT t.is_work OR t.type = 'corrective' AND t.asset_id IS NOT NULL))::int
         AS failures,
       round(coalesce(sum(t.actual_minutes), 0) / 60.0, 1)::float8 AS hours
     FROM (SELECT workspace_id, asset_id, assigned_to_user_id, completed_by, type, actual_minutes,
         completed_at AS at, true AS is_work FROM maintenance_tasks
         WHERE organization_id = $1 AND state = 'completed' AND NOT hidden
       UNION ALL SELECT workspace_id, asset_id, NULL, NULL, NULL, NULL, started_at, false
         FROM asset_state_periods WHERE organization_id = $1 AND is_failure AND NOT hidden) t
     LEFT JOIN assets a ON a.organization_id = $1 AND a.id = t.asset_id
     WHERE t.at >= ($2::date - ($3::date + 1 - $2::date))::timestamp AT TIME ZONE $4
       AND t.at < ($3::date + 1)::timestamp AT TIME ZONE $4
       AND (t.at >= $2::date::timestamp AT TIME ZONE $4 OR ${key.includes("YYYY") ? "FALSE" : "TRUE"})
     GROUP BY 1, 2`,
    [organizationId, from, to, timeZone],
  );
}

function pick(ids: readonly string[], which: number): string {
  return ids[which % ids.length] ?? "";
}
