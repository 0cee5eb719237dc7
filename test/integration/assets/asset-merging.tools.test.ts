import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { useApp } from "../../support/app.js";
import { untilOneWaits } from "../../support/database.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

interface Asset {
  id: string;
  inventory_number: string;
  name: string;
}
interface Read {
  asset: Asset & { state: string; deletion_reason?: string; merged_into?: Asset };
  open_tasks?: { title: string }[];
}

describe("duplicate asset", () => {
  const testApp = useApp();
  let owner: Connected;
  let kept: Asset;
  let twin: Asset;

  const create = async (name: string, fields: Json = {}) =>
    (await owner.ok<{ asset: Asset }>("create_asset", { name, ...fields })).asset;
  const read = (person: Connected, { id }: Asset) => person.ok<Read>("get_asset", { asset_id: id });
  const merge = (fields: Json = {}) => ({
    asset_id: twin.id,
    state: "deleted",
    merged_into: kept.inventory_number,
    ...fields,
  });
  const addTask = async (title: string, state?: string) => {
    const given = { asset_id: twin.id, title };
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", given);
    if (state !== undefined) {
      await owner.ok("update_maintenance_task", { task_id: task.id, state });
    }
  };

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Plant", "Vault"]) await owner.ok("create_workspace", { name });
  });
  beforeEach(async () => {
    kept = await create("Pump", { workspace_id: "Vault" });
    twin = await create("Pump again", { workspace_id: "Plant" });
  });

  test("is retired, links to the kept asset, and hands over its open work", async () => {
    await addTask("Done", "completed");
    await addTask("Oil it");

    const answer = await owner.ok("update_asset_state", merge());

    expect(answer).toMatchObject({ tasks_moved: 1, open_tasks_hidden: 0 });
    const { asset } = await read(owner, twin);
    expect(asset).toMatchObject({
      state: "deleted",
      deletion_reason: "duplicate",
      merged_into: { id: kept.id, inventory_number: kept.inventory_number, name: "Pump" },
    });
    expect((await read(owner, kept)).open_tasks).toMatchObject([{ title: "Oil it" }]);
    await owner.ok("update_asset_state", { asset_id: twin.id, state: "available" });
    expect((await read(owner, twin)).asset).not.toHaveProperty("merged_into");
  });

  test.each(["in_progress", "on_hold"])("rejects merging while work is %s", async (state) => {
    await addTask("Oil it", "in_progress");
    if (state === "on_hold") {
      const { open_tasks } = await read(owner, twin);
      const [task] = open_tasks as unknown as { id: string }[];
      await owner.ok("update_maintenance_task", { task_id: task?.id, state });
    }

    const refusal = await owner.refused("update_asset_state", merge());

    expect(refusal.message).toMatch(/work on the asset has started: T-\d+/);
    expect((await read(owner, twin)).asset.state).toBe("available");
  });

  test("LIM-42: rejects merging more open tasks than can be moved at once", async () => {
    const { organizationId, userId } = owner.member;
    await testApp().db.query(
      `INSERT INTO maintenance_tasks
         (id, organization_id, asset_id, task_number, title, type, created_by)
       SELECT 'tsk_' || lpad(i::text, 12, '0'), $1, $2, i, 'Task ' || i, 'other', $3
       FROM generate_series(10001, 10101) i`,
      [organizationId, twin.id, userId],
    );

    const refusal = await owner.refused("update_asset_state", merge({ dry_run: true }));
    expect(refusal.message).toContain("more than 100 open tasks. First cancel them");
    await owner.ok("update_maintenance_task", { task_id: "T-10001", state: "cancelled" });

    expect(await owner.ok("update_asset_state", merge())).toMatchObject({ tasks_moved: 100 });
  });

  test("rejects merging into itself or a retired asset, and merging without retiring", async () => {
    const refused = (fields: Json) => owner.refused("update_asset_state", merge(fields));

    expect((await refused({ merged_into: twin.id })).message).toContain("another asset");
    expect((await refused({ state: "stored" })).field).toBe("merged_into");
    await owner.ok("update_asset_state", { asset_id: kept.id, state: "deleted" });
    expect((await refused({})).code).toBe("invalid_transition");
  });

  test("hides the kept asset from people who can't see it", async () => {
    const { organization } = owner.member;
    const member = await connect(testApp(), {
      ...{ organization, role: "member", workspace: "Plant", workspaceRole: "member" },
    });
    expect((await member.refused("update_asset_state", merge())).code).toBe("not_found");
    await owner.ok("update_asset_state", merge());

    const { asset } = await read(member, twin);
    expect(asset).not.toHaveProperty("merged_into");
    const history = await member.ok("search_asset_history", { asset_id: twin.id });
    expect(JSON.stringify(history)).not.toMatch(new RegExp(`"Pump"|${kept.id}`));
  });

  // The embedded database runs one transaction at a time, so nothing moves meanwhile.
  test.runIf(inject("databaseUrl") !== null)(
    "hides the workspace the kept asset moves to in the meantime",
    async () => {
      const { organization } = owner.member;
      const member = await connect(testApp(), {
        ...{ organization, role: "member", workspace: "Plant", workspaceRole: "member" },
      });
      kept = await create("Valve", { workspace_id: "Plant" });
      const { db } = testApp();

      const { answer } = await db.transaction(async (tx) => {
        await tx.query(
          `UPDATE assets a SET workspace_id = w.id FROM workspaces w
           WHERE a.id = $1 AND w.organization_id = a.organization_id AND w.name = 'Vault'`,
          [kept.id],
        );
        const sent = member.refused("update_asset_state", merge());
        await untilOneWaits(db);
        return { answer: sent };
      });

      const { code, message } = await answer;
      expect([code, message]).toEqual(["not_found", expect.not.stringContaining("Vault")]);
    },
  );

  test("drops the link when the kept asset is permanently deleted", async () => {
    await owner.ok("update_asset_state", merge());
    await owner.ok("force_delete_asset", {
      asset_id: kept.id,
      confirm_inventory_number: kept.inventory_number,
    });

    expect((await read(owner, twin)).asset).not.toHaveProperty("merged_into");
  });

  test("accepts the kept asset's number on the page, which then links to it", async () => {
    const browser = await signIn(testApp().app, owner.member);
    const page = await browser.get(`/assets/${twin.id}/retire`);
    const wrong = await browser.submitForm(page, { merged_into: "X-1" });
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining("#merged_into")]);

    const right = await browser.submitForm(page, { merged_into: kept.inventory_number });

    expect(right.statusCode).toBe(303);
    expect((await browser.get(`/assets/${twin.id}`)).body).toContain(`href="/assets/${kept.id}"`);
  });
});
