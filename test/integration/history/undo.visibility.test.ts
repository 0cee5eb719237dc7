import { describe, expect, inject, test } from "vitest";
import { useApp } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { untilOneWaits } from "../../support/database.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

interface Made {
  asset: { id: string };
}

interface MadeTask {
  task: { id: string };
}

describe("undo with limited visibility", () => {
  const current = useApp();

  /** The owner of an organization with two workspaces, and a person who sees one of them. */
  async function start(workspace: "Lab" | "Vault") {
    const owner = await connect(current());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const member = await connect(current(), { organization, role: "member", workspace });
    return { owner, member, browser: await signIn(current().app, owner.member) };
  }

  const add = async (person: Connected, name: string) =>
    (await person.ok<Made>("create_asset", { name, workspace_id: "Lab" })).asset.id;
  const plan = async (person: Connected) =>
    (
      await person.ok<MadeTask>("create_maintenance_task", {
        ...{ workspace_id: "Lab", title: "Sweep" },
      })
    ).task.id;

  const findSets = async ({ member: { organizationId } }: Connected) => {
    const rows = await current().db.query<{ id: string }>(
      "SELECT id FROM change_sets WHERE organization_id = $1 ORDER BY created_at, id",
      [organizationId],
    );
    return rows.map(({ id }) => `/changes/${id}`);
  };

  const findTask = async (id: string) => {
    const row = await current().db.maybe<object>(
      `SELECT t.state, w.name::text AS place, t.assigned_to_user_id AS who
       FROM maintenance_tasks t
       JOIN workspaces w ON w.organization_id = t.organization_id AND w.id = t.workspace_id
       WHERE t.id = $1`,
      [id],
    );
    return row;
  };

  test("TEN-09 the preview of an undo hides an asset that is no longer visible", async () => {
    const { owner, member } = await start("Lab");
    const [line, pump] = [await add(owner, "Line"), await add(owner, "Pump")];
    await member.ok("update_asset", { asset_id: pump, parent_asset_id: line });
    const browser = await signIn(current().app, member.member);
    const address = `/settings/apps/${member.connectionId}/undo?span=hour`;
    expect((await browser.get(address)).body).toContain("Line");

    await owner.ok("update_asset", { asset_id: line, workspace_id: "Vault", name: "Secret line" });
    const shown = await browser.get(address);

    expect(shown.body).toContain("Pump");
    expect(shown.body).not.toContain("Secret line");
    expect(shown.body).not.toContain(line);
  });

  test("TEN-10 unassigns people who can't see the workspace an undo restores", async () => {
    const { owner, member, browser } = await start("Vault");
    const [safe, sweep] = [await add(owner, "Safe"), await plan(owner)];
    await owner.ok("update_asset", { asset_ids: [safe], workspace_id: "Vault" });
    await owner.ok("update_maintenance_task", { task_ids: [sweep], workspace_id: "Vault" });
    const sets = await findSets(owner);
    expect(sets).toHaveLength(2);
    const who = { assigned_to_user_id: member.member.userId };
    await owner.ok("update_asset", { asset_id: safe, ...who });
    await owner.ok("update_maintenance_task", { task_id: sweep, ...who });

    for (const set of sets) await press(browser, await browser.get(set), "Undo");

    const { asset } = await owner.ok<{ asset: object }>("get_asset", { asset_id: safe });
    expect(asset).toMatchObject({ workspace_name: "Lab" });
    expect(asset).not.toHaveProperty("assigned_to_user_id");
    expect(await findTask(sweep)).toEqual({ state: "scheduled", place: "Lab", who: null });
  });

  test("TEN-10 work reopened by an undo isn't assigned to a removed person", async () => {
    const { owner, member, browser } = await start("Lab");
    const sweep = await plan(owner);
    const { userId } = member.member;
    await owner.ok("update_maintenance_task", { task_id: sweep, assigned_to_user_id: userId });
    await owner.ok("update_maintenance_task", { task_ids: [sweep], state: "completed" });
    const [set = ""] = await findSets(owner);
    await owner.ok("remove_user", { user_id: userId, from_organization: true });

    await press(browser, await browser.get(set), "Undo");

    expect(await findTask(sweep)).toEqual({ state: "scheduled", place: "Lab", who: null });
  });

  test("restores the assignee, even when the work moved after reassignment", async () => {
    const { owner, member, browser } = await start("Lab");
    const { organization } = owner.member;
    const admin = await connect(current(), { organization, role: "admin" });
    const sweep = await plan(admin);
    const { userId } = member.member;
    await admin.ok("update_maintenance_task", { task_id: sweep, assigned_to_user_id: userId });
    await owner.ok("update_maintenance_task", { task_id: sweep, assigned_to_user_id: "me" });
    await owner.ok("update_maintenance_task", { task_id: sweep, workspace_id: "Vault" });

    const shown = await browser.get(`/settings/apps/${owner.connectionId}/undo?span=hour`);
    await press(browser, shown, "Undo");

    expect(await findTask(sweep)).toEqual({ state: "scheduled", place: "Lab", who: userId });
  });

  test("TEN-12 a redo leaves a recurrence that continues out of view", async () => {
    const { owner, member } = await start("Lab");
    const machine = await add(owner, "Press");
    const { asset } = await owner.ok<Made>("create_asset", {
      ...{ name: "Reactor", workspace_id: "Vault" },
    });
    const { task } = await owner.ok<MadeTask>("create_maintenance_task", {
      ...{ asset_id: machine, title: "Service", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const update = (person: Connected, more: object) =>
      person.ok<{ next_task?: object }>("update_maintenance_task", { task_id: task.id, ...more });
    await update(member, { state: "completed" });
    const browser = await signIn(current().app, member.member);
    const shown = await browser.get(`/settings/apps/${member.connectionId}/undo?span=hour`);
    const undone = await press(browser, shown, "Undo");
    await update(owner, { asset_id: asset.id });
    await update(owner, { recurrence: { every: 7, unit: "week" } });

    await press(browser, await browser.get(String(undone.headers.location)), "Redo");

    expect(await owner.ok("get_maintenance_task", { task_id: task.id })).toMatchObject({
      task: { repeats: "every 7 weeks" },
    });
    expect((await update(owner, { state: "completed" })).next_task).toBeDefined();
  });

  test("a redo continues when a task's plan was permanently deleted with its asset", async () => {
    const { owner, member } = await start("Lab");
    const [machine, other] = [await add(owner, "Press"), await add(owner, "Saw")];
    const { task } = await owner.ok<MadeTask>("create_maintenance_task", {
      ...{ asset_id: machine, title: "Service", due_date: "2030-01-01" },
      recurrence: { every: 1, unit: "month" },
    });
    const update = (person: Connected, task_id: string, more: object) =>
      person.ok<{ next_task?: { id: string } }>("update_maintenance_task", { task_id, ...more });
    const next = (await update(member, task.id, { state: "completed" })).next_task?.id ?? "";
    await update(member, next, { asset_id: other });
    const { asset } = await owner.ok<{ asset: { inventory_number: string } }>("get_asset", {
      asset_id: machine,
    });
    const browser = await signIn(current().app, member.member);
    const address = `/settings/apps/${member.connectionId}/undo?span=hour`;
    const undone = await press(browser, await browser.get(address), "Undo");
    await owner.ok("force_delete_asset", {
      ...{ asset_id: machine, confirm_inventory_number: asset.inventory_number },
    });

    const redone = await press(browser, await browser.get(String(undone.headers.location)), "Redo");

    expect((await browser.get(String(redone.headers.location))).body).not.toContain(
      "Still running",
    );
  });

  // The embedded database runs one transaction at a time, so nothing moves meanwhile.
  test.runIf(inject("databaseUrl") !== null)(
    "TEN-17: work doesn't return to an asset meanwhile moved out of view",
    async () => {
      const { owner, member } = await start("Lab");
      const [pump, saw] = [await add(owner, "Pump"), await add(owner, "Saw")];
      const { task } = await owner.ok<MadeTask>("create_maintenance_task", {
        ...{ asset_id: pump, title: "Oil" },
      });
      await member.ok("update_maintenance_task", { task_ids: [task.id], asset_id: saw });
      const [set = ""] = await findSets(member);
      const browser = await signIn(current().app, member.member);
      const page = await browser.get(set);
      const { db } = current();

      const { undone } = await db.transaction(async (tx) => {
        await tx.query(
          `UPDATE assets a SET workspace_id = w.id, name = 'Secret pump' FROM workspaces w
           WHERE a.id = $1 AND w.organization_id = a.organization_id AND w.name = 'Vault'`,
          [pump],
        );
        const sent = press(browser, page, "Undo");
        await untilOneWaits(db);
        return { undone: sent };
      });
      await undone;

      const read = await member.ok("get_maintenance_task", { task_id: task.id });
      expect(read).toMatchObject({ task: { asset_name: "Saw", workspace_name: "Lab" } });
    },
  );

  test("work stays where it is when its former asset is retired", async () => {
    const { owner, browser } = await start("Lab");
    const [pump, saw] = [await add(owner, "Pump"), await add(owner, "Saw")];
    const { task } = await owner.ok<MadeTask>("create_maintenance_task", {
      ...{ asset_id: pump, title: "Oil" },
    });
    await owner.ok("update_maintenance_task", { task_ids: [task.id], asset_id: saw });
    const [set = ""] = await findSets(owner);
    await owner.ok("update_asset_state", { asset_id: pump, state: "deleted" });

    const undone = await press(browser, await browser.get(set), "Undo");

    const read = await owner.ok("get_maintenance_task", { task_id: task.id });
    expect(read).toMatchObject({ task: { asset_name: "Saw" } });
    expect((await browser.get(String(undone.headers.location))).body).toContain("retired");
  });

  test("work that was given an asset returns to its workspace only", async () => {
    const { owner, browser } = await start("Lab");
    const [sweep, saw] = [await plan(owner), await add(owner, "Saw")];
    await owner.ok("update_maintenance_task", { task_ids: [sweep], asset_id: saw });
    await owner.ok("update_asset_state", { asset_id: saw, state: "deleted" });
    const [set = ""] = await findSets(owner);

    const undone = await press(browser, await browser.get(set), "Undo");
    expect((await browser.get(String(undone.headers.location))).body).toContain("Saw");
    const { task } = await owner.ok<{ task: object }>("get_maintenance_task", { task_id: sweep });
    expect(task).toMatchObject({ workspace_name: "Lab", version: 3 });
    expect(task).not.toHaveProperty("asset_id");
    expect(await owner.ok("list_maintenance_tasks", {})).toMatchObject({ total_count: 1 });

    await owner.ok("update_asset_state", { asset_id: saw, state: "available" });
    await press(browser, await browser.get(String(undone.headers.location)), "Redo");
    const again = await owner.ok("get_maintenance_task", { task_id: sweep });
    expect(again).toMatchObject({ task: { asset_name: "Saw" } });
  });

  test("work in a workspace only has no criticality or category of an asset", async () => {
    const { owner, browser } = await start("Lab");
    const sweep = await plan(owner);
    const { asset } = await owner.ok<Made>("create_asset", {
      ...{ name: "Saw", workspace_id: "Lab", category: "Saws", criticality: "critical" },
    });
    const findMarks = () =>
      current().db.query(
        `SELECT t.criticality, c.name::text AS category FROM maintenance_tasks t
         LEFT JOIN asset_categories c ON c.organization_id = t.organization_id AND c.id = t.category_id
         WHERE t.id = $1`,
        [sweep],
      );
    await owner.ok("update_maintenance_task", { task_ids: [sweep], asset_id: asset.id });
    expect(await findMarks()).toEqual([{ criticality: "critical", category: "Saws" }]);
    const [set = ""] = await findSets(owner);

    await press(browser, await browser.get(set), "Undo");

    expect(await findMarks()).toEqual([{ criticality: "medium", category: null }]);
  });

  test("work restored from a retired asset appears in the lists again", async () => {
    const { owner, browser } = await start("Lab");
    const [pump, saw] = [await add(owner, "Pump"), await add(owner, "Saw")];
    await owner.ok("create_maintenance_task", { asset_id: pump, title: "Oil" });
    await owner.ok("update_maintenance_task", { task_ids: ["T-1"], asset_id: saw });
    const [set = ""] = await findSets(owner);
    await owner.ok("update_asset_state", { asset_id: saw, state: "deleted" });

    await press(browser, await browser.get(set), "Undo");

    const list = await owner.ok("list_maintenance_tasks", {});
    expect(list).toMatchObject({ tasks: [{ title: "Oil", asset_name: "Pump" }] });
  });

  test("work started since stays with its asset, which becomes available after completion", async () => {
    const { owner, member, browser } = await start("Lab");
    const [pump, saw] = [await add(owner, "Pump"), await add(owner, "Saw")];
    await owner.ok("create_maintenance_task", {
      ...{ asset_id: pump, title: "Oil", requires_downtime: true },
    });
    await owner.ok("update_maintenance_task", { task_ids: ["T-1"], asset_id: saw });
    const [set = ""] = await findSets(owner);
    await member.ok("update_maintenance_task", { task_id: "T-1", state: "in_progress" });

    const undone = await press(browser, await browser.get(set), "Undo");

    expect((await browser.get(String(undone.headers.location))).body).toContain("1 conflict");
    await member.ok("update_maintenance_task", { task_id: "T-1", state: "completed" });
    const { asset } = await owner.ok<{ asset: object }>("get_asset", { asset_id: saw });
    expect(asset).toMatchObject({ state: "available" });
  });
});
