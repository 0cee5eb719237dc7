import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { dayFromToday } from "../../support/replay.js";

describe("due dates of finished tasks", () => {
  const current = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(current());
    await owner.ok("create_asset", { name: "Pump" });
  });

  const late = { due_date: dayFromToday(-9), type: "inspection" };

  async function aTask(): Promise<string> {
    const { assets } = await owner.ok<{ assets: { id: string }[] }>("list_assets");
    const given = { asset_id: assets[0]?.id, title: "Inspect", ...late };
    return (await owner.ok<{ task: { id: string } }>("create_maintenance_task", given)).task.id;
  }

  const update = (task_id: string, given: object) =>
    owner.ok("update_maintenance_task", { task_id, ...given });

  const onTime = async () => {
    const stats = await owner.ok<{ period: Record<string, unknown> }>("get_organization_stats");
    return stats.period["pm_compliance_percent"];
  };

  test.each([
    ["completed", "in_progress"],
    ["cancelled", "scheduled"],
  ])("a new due date for a %s task is refused until it is reopened", async (state, reopened) => {
    const task_id = await aTask();
    await update(task_id, { state });
    const change = { task_id, due_date: dayFromToday(9) };

    for (const given of [change, { ...change, state }, { task_id, clear_fields: ["due_date"] }]) {
      const { code, message } = await owner.refused("update_maintenance_task", given);
      expect([code, message]).toEqual([
        "invalid_transition",
        expect.stringContaining(`reopen the task first with state "${reopened}"`),
      ]);
    }
    expect(await onTime()).toBe(0);
    await update(task_id, { due_date: late.due_date, completion_notes: "Late" });
    await update(task_id, { state: reopened, due_date: dayFromToday(9) });
    await update(task_id, { state: "cancelled" });
  });

  test("keeps the due date of a completed task when a postponement is undone", async () => {
    const { app, db } = current();
    const [done, open] = [await aTask(), await aTask()];
    const putOff = dayFromToday(-1);
    await owner.ok("update_maintenance_task", { task_ids: [done, open], due_date: putOff });
    const set = await db.maybe<{ id: string }>(
      "SELECT id FROM change_sets WHERE organization_id = $1 ORDER BY created_at DESC LIMIT 1",
      [owner.member.organizationId],
    );
    const browser = await signIn(app, owner.member);
    await update(done, { state: "completed" });

    await press(browser, await browser.get(`/changes/${set?.id ?? ""}`), "Undo");

    const days = await db.query(
      "SELECT due_date FROM maintenance_tasks WHERE id = ANY ($1) ORDER BY id = $2",
      [[done, open], open],
    );
    expect(days).toEqual([{ due_date: putOff }, { due_date: late.due_date }]);
  });
});
