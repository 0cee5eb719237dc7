import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";

describe("helpful refusals", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
  });

  const anAsset = async (name: string) =>
    (await owner.ok<{ asset: { id: string; inventory_number: string } }>("create_asset", { name }))
      .asset;

  test("a name shared by two people finds neither", async () => {
    const { organization } = owner.member;
    for (let count = 0; count < 2; count += 1) {
      const twin = await aMember(testApp().db, { organization, role: "admin" });
      await testApp().db.query("UPDATE users SET name = 'Kim Lee' WHERE id = $1", [twin.userId]);
    }

    const refusal = await owner.refused("list_assets", { assigned_to_user_id: "Kim Lee" });

    expect(refusal.message).toMatch(/Nearest: "Kim Lee" \(usr_\S+\), "Kim Lee" \(usr_/);
  });

  test.each([
    ["list_tasks", "list_maintenance_tasks"],
    ["search_history", "search_asset_history"],
    ["list_members", "list_users"],
    ["create_work_order", "create_maintenance_task"],
    ["get_statistics", "get_organization_stats"],
  ])("unknown tool %s suggests %s", async (wrong, right) => {
    await expect(owner.call(wrong, {})).rejects.toThrow(`Did you mean ${right}?`);
  });

  test("explains the shape of a recurrence given in words", async () => {
    const { id } = await anAsset("Boiler");

    const refusal = await owner.refused("create_maintenance_task", {
      asset_id: id,
      title: "Check",
      recurrence: "monthly",
    });

    expect(refusal.message).toBe(
      'Validation failed: recurrence must be an object such as {"every":1,"unit":"month"}, not "monthly".',
    );
  });

  test("names the right tool or parameter for a misplaced or misnamed one", async () => {
    const state = await owner.refused("update_asset", { asset_id: "N", state: "stored" });
    const page = await owner.refused("list_assets", { page: 2 });
    const status = await owner.refused("list_maintenance_tasks", { due_before: "2026-12-01" });

    expect(state.message).toContain(
      'unknown parameter "state". Use update_asset_state to change the state.',
    );
    expect(page.message).toContain('unknown parameter "page". Did you mean cursor?');
    expect(status.message).toContain("Did you mean due_to?");
  });

  test("accepts former parameter names", async () => {
    await anAsset("Rotary kiln");
    const { assets } = await owner.ok<{ assets: object[] }>("list_assets", {
      query: "Rotary kiln",
      ids: false,
    });
    const prepared = await owner.ok("create_asset", { name: "Second kiln", plan: true });
    const both = await owner.refused("list_assets", { ids: false, include_ids: true });

    expect(assets).toHaveLength(1);
    expect(assets[0]).not.toHaveProperty("id");
    expect(prepared).toHaveProperty("plan_url");
    expect(both.message).toContain('unknown parameter "ids". Did you mean include_ids?');
  });

  test("accepts other words for a state", async () => {
    const { id } = await anAsset("Old press");

    const answer = await owner.ok("update_asset_state", { asset_id: id, state: "Retired" });

    expect(answer).toMatchObject({ asset: { state: "deleted" } });
  });

  test("names the person and time of a permanent deletion to admins", async () => {
    const { id, inventory_number: number } = await anAsset("Forklift 9");
    const member = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Hall 9",
    });
    const remover = await connect(testApp(), {
      organization: owner.member.organization,
      role: "admin",
      scopes: ["mcp_read", "mcp_destructive"],
    });
    await remover.ok("force_delete_asset", { asset_id: id, confirm_inventory_number: number });

    for (const reference of [id, number]) {
      const refusal = await owner.refused("get_asset", { asset_id: reference });
      const hidden = await member.refused("get_asset", { asset_id: reference });

      expect(refusal.code).toBe("not_found");
      expect(refusal.message).toMatch(/"Forklift 9" .* was permanently deleted on \d{4}-/);
      expect(hidden.message).not.toContain("Forklift 9");
    }
  });

  test("finds an invitation by the email it was sent to", async () => {
    await owner.ok("create_invite", { email: "late@example.com" });

    const answer = await owner.ok("delete_invite", { invite_id: "Late@example.com" });

    expect(answer).toMatchObject({ invite: { email: "late@example.com" } });
  });

  test("warns when work is completed on an asset still out of service", async () => {
    const { id } = await anAsset("Lift");
    await owner.ok("update_asset_state", { asset_id: id, state: "out_of_service" });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      asset_id: id,
      title: "Repair",
    });

    const answer = await owner.ok("update_maintenance_task", {
      task_id: task.id,
      state: "completed",
    });

    expect(answer["warnings"]).toEqual([expect.stringContaining("still out of service")]);
  });
});
