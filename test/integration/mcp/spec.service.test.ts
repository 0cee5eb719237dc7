import { beforeAll, describe, expect, test } from "vitest";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

/*
 * Covers each sentence and row of the specification, named by its words. HTTP addresses and
 * authorization are covered in the two files next to this one.
 */

interface Made {
  asset: { id: string; inventory_number: string; state: string };
}

describe("specification: resources, states, deletions, errors and limits", () => {
  const testApp = useApp();
  let owner: Connected;
  let workspace = "";

  beforeAll(async () => {
    owner = await connect(testApp());
    const made = await owner.ok<{ workspace: { id: string } }>("create_workspace", { name: "Lab" });
    workspace = made.workspace.id;
  });

  const anAsset = async (fields: Json = {}) =>
    (await owner.ok<Made>("create_asset", { name: "Pump", workspace_id: workspace, ...fields }))
      .asset;

  const aTask = async (fields: Json) =>
    (
      await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
        title: "Check",
        ...fields,
      })
    ).task;

  describe('"What the service does"', () => {
    test("1: an assistant calls named tools that work on the data of one organization", async () => {
      const other = await connect(testApp());
      const { id } = await anAsset();

      expect((await owner.ok<Made>("get_asset", { asset_id: id })).asset.id).toBe(id);
      expect((await other.refused("get_asset", { asset_id: id })).code).toBe("not_found");
    });

    test("2: the tools cover every area", () => {
      const areas = {
        assets: "list_assets",
        workspaces: "list_workspaces",
        "maintenance tasks": "list_maintenance_tasks",
        "asset history": "search_asset_history",
        "organization statistics": "get_organization_stats",
        "the current user": "get_current_user",
        "users of the organization": "list_users",
        invitations: "list_invites",
        "QR-code generation for assets": "generate_asset_qr_codes",
      };

      expect(Object.values(areas).filter((tool) => !registeredTools.has(tool))).toEqual([]);
      expect(registeredTools.size).toBe(24);
    });
  });

  describe("resources", () => {
    test("Asset: belongs to an organization, may have a workspace, has state, history and tasks", async () => {
      const placed = await anAsset();
      const unplaced = await anAsset({ workspace_id: null });
      await aTask({ asset_id: placed.id });

      const read = await owner.ok("get_asset", { asset_id: placed.id });

      expect(read["asset"]).toMatchObject({ workspace_id: workspace, state: "available" });
      expect(read["open_tasks"]).toHaveLength(1);
      expect(read["recent_history"]).toHaveLength(2);
      const { asset } = await owner.ok<{ asset: Json }>("get_asset", { asset_id: unplaced.id });
      expect(asset).not.toHaveProperty("workspace_id");
    });

    test("Workspace: holds assets and tasks", async () => {
      const { workspace: yard } = await owner.ok<{ workspace: { id: string } }>(
        "create_workspace",
        { name: "Yard" },
      );
      await anAsset({ workspace_id: yard.id });
      await aTask({ workspace_id: yard.id });

      const { workspaces } = await owner.ok<{ workspaces: Json[] }>("list_workspaces", {
        query: "Yard",
      });

      expect(workspaces).toMatchObject([{ asset_count: 1, open_tasks: 1 }]);
    });

    test("Maintenance task: belongs to an asset, can be filtered by state, for example overdue", async () => {
      const { id } = await anAsset();
      const late = await aTask({ asset_id: id, due_date: "2020-02-29" });
      await aTask({ asset_id: id });

      const { tasks } = await owner.ok<{ tasks: Json[] }>("list_maintenance_tasks", {
        asset_id: id,
        state: "overdue",
      });

      expect(tasks).toMatchObject([{ id: late.id, asset_id: id, state: "overdue" }]);
    });

    test("Asset history: is searchable", async () => {
      const { id } = await anAsset();
      await owner.ok("update_asset", { asset_id: id, location: "Mezzanine" });

      const found = await owner.ok<{ events: Json[] }>("search_asset_history", {
        query: "mezzanine",
      });

      expect(found.events).toMatchObject([{ asset_id: id, type: "asset_updated" }]);
    });

    test("Organization: is the scope of every access token, and has statistics with asset count", async () => {
      const other = await connect(testApp());
      await other.ok("create_asset", { name: "One" });

      const stats = await other.ok<{ assets: { total: number } }>("get_organization_stats");

      expect(stats.assets.total).toBe(1);
    });

    test("User: removing one revokes access and keeps the account", async () => {
      const { organization } = owner.member;
      const leaver = await connect(testApp(), { organization, role: "member" });

      await owner.ok("remove_user", { user_id: leaver.member.email, from_organization: true });

      await expect(leaver.call("get_current_user")).rejects.toThrow();
      expect(await accountOf(leaver)).toEqual([{ deactivated_at: null }]);
    });

    test("Invite: can be created, resent and withdrawn; a withdrawn one can be issued again", async () => {
      const email = "invited@example.com";
      const first = await owner.ok<{ invite: { id: string } }>("create_invite", { email });

      await owner.ok("resend_invite", { invite_id: first.invite.id });
      await owner.ok("delete_invite", { invite_id: first.invite.id });
      const again = await owner.ok<{ invite: { id: string } }>("create_invite", { email });

      expect(again.invite).toMatchObject({ email, status: "pending" });
      expect(again.invite.id).not.toBe(first.invite.id);
    });

    test("QR code: is generated for assets", async () => {
      const { id } = await anAsset();

      const { codes } = await owner.ok<{ codes: Json[] }>("generate_asset_qr_codes", {
        asset_ids: [id],
      });

      expect(codes).toMatchObject([{ asset_id: id }]);
    });
  });

  describe("states and transitions", () => {
    test.each(["available", "in_use", "in_maintenance", "out_of_service", "stored"])(
      "any asset state (%s) + update_asset_state with deleted = deleted; asset and history are kept",
      async (state) => {
        const { id } = await anAsset({ state });

        const answer = await owner.ok<Made>("update_asset_state", {
          asset_id: id,
          state: "deleted",
        });

        expect(answer.asset.state).toBe("deleted");
        const read = await owner.ok<{ asset: Json; recent_history: Json[] }>("get_asset", {
          asset_id: id,
        });
        expect(read.asset["state"]).toBe("deleted");
        expect(read.recent_history.map(({ type }) => type)).toEqual([
          "asset_deleted",
          "asset_created",
        ]);
      },
    );

    test("without mcp_write an asset does not become deleted", async () => {
      const { id } = await anAsset();
      const reader = await connect(testApp(), { member: owner.member, scopes: ["mcp_read"] });

      const refusal = await reader.refused("update_asset_state", {
        asset_id: id,
        state: "deleted",
      });

      expect(refusal.message).toBe("Insufficient scope. Required: mcp_write.");
      expect((await owner.ok<Made>("get_asset", { asset_id: id })).asset.state).toBe("available");
    });

    test("a maintenance task has a state that the list tool filters on", async () => {
      const { id } = await anAsset();
      const { id: task } = await aTask({ asset_id: id });
      await owner.ok("update_maintenance_task", { task_id: task, state: "completed" });

      for (const [state, count] of [
        ["completed", 1],
        ["scheduled", 0],
        ["all", 1],
      ] as const) {
        const listed = await owner.ok<{ total_count: number }>("list_maintenance_tasks", {
          asset_id: id,
          state,
        });
        expect(listed.total_count, state).toBe(count);
      }
    });
  });

  describe("deletions that are not a state", () => {
    test("delete_workspace: refused when the workspace still holds assets or tasks", async () => {
      for (const fill of ["asset", "task"]) {
        const { workspace: full } = await owner.ok<{ workspace: { id: string } }>(
          "create_workspace",
          { name: `Holds ${fill}` },
        );
        if (fill === "asset") await anAsset({ workspace_id: full.id });
        else await aTask({ workspace_id: full.id });

        const refusal = await owner.refused("delete_workspace", { workspace_id: full.id });

        expect(refusal).toMatchObject({ code: "not_empty" });
        const kept = await owner.ok<{ total_count: number }>("list_workspaces", {
          query: `Holds ${fill}`,
        });
        expect(kept.total_count).toBe(1);
      }
    });

    test("remove_user: revokes the user's access; the account is untouched", async () => {
      const { organization } = owner.member;
      const leaver = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
      const before = await fullAccountOf(leaver);

      await owner.ok("remove_user", { user_id: leaver.member.userId, from_organization: true });

      await expect(leaver.call("list_assets")).rejects.toThrow();
      expect(await fullAccountOf(leaver)).toEqual(before);
    });

    test("delete_invite: withdraws an invitation; it can be issued again", async () => {
      const email = "again@example.com";
      const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", { email });

      const answer = await owner.ok<{ invite: Json }>("delete_invite", { invite_id: invite.id });

      expect(answer.invite).toMatchObject({ email, status: "revoked" });
      await owner.ok("create_invite", { email });
    });

    test("force_delete_asset: permanently removes the asset, its tasks and its entire history", async () => {
      const { id, inventory_number } = await anAsset();
      await aTask({ asset_id: id });

      await owner.ok("force_delete_asset", {
        asset_id: id,
        confirm_inventory_number: inventory_number,
      });

      for (const table of ["maintenance_tasks", "history_events", "asset_state_periods"]) {
        const left: unknown = await testApp().db.query(
          `SELECT 1 FROM ${table} WHERE asset_id = $1`,
          [id],
        );
        expect(left, table).toEqual([]);
      }
      const refusal = await owner.refused("get_asset", { asset_id: id });
      expect(refusal.message).toMatch(/^Asset not found/);
    });
  });

  describe("errors", () => {
    test("force_delete_asset with a token lacking mcp_destructive: returns the exact text", async () => {
      const { id, inventory_number } = await anAsset();
      const writer = await connect(testApp(), {
        member: owner.member,
        scopes: ["mcp_read", "mcp_write"],
      });

      const result = await writer.call("force_delete_asset", {
        asset_id: id,
        confirm_inventory_number: inventory_number,
      });

      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toBe("Insufficient scope. Required: mcp_destructive.");
      await owner.ok("get_asset", { asset_id: id });
    });

    test("delete_workspace on a non-empty workspace: refused, the workspace is kept", async () => {
      await anAsset();

      const refusal = await owner.refused("delete_workspace", { workspace_id: workspace });

      expect(refusal.message).toMatch(/^Workspace is not empty: /);
      const { total_count } = await owner.ok<{ total_count: number }>("list_workspaces", {
        query: "Lab",
      });
      expect(total_count).toBe(1);
    });
  });

  function accountOf({ member }: Connected): Promise<unknown> {
    return testApp().db.query("SELECT deactivated_at FROM users WHERE id = $1", [member.userId]);
  }

  function fullAccountOf({ member }: Connected): Promise<unknown> {
    return testApp().db.query(
      `SELECT u.*, p.password_hash FROM users u JOIN user_passwords p ON p.user_id = u.id
       WHERE u.id = $1`,
      [member.userId],
    );
  }
});
