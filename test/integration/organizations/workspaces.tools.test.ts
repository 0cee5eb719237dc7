// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

interface Listed {
  workspaces: ({ id: string; name: string } & Json)[];
  total_count: number;
  next_cursor?: string;
}

describe("create_workspace", () => {
  const testApp = useApp();

  test("returns a short result, and the activity log records the person", async () => {
    const owner = await connect(testApp());

    const { workspace } = await owner.ok<{ workspace: { id: string } & Json }>("create_workspace", {
      name: " Main Facility ",
      description: "Three halls.\nOne yard.",
    });

    expect(workspace).toEqual({
      id: expect.stringMatching(/^wsp_[0-9a-z]{12}$/) as string,
      name: "Main Facility",
      version: 1,
      url: `${testApp().config.baseUrl}/workspaces/${workspace.id}`,
    });
    const log = await testApp().db.query<Json>(
      "SELECT user_id, details FROM activity_log WHERE organization_id = $1 AND type = 'workspace_created'",
      [owner.member.organizationId],
    );
    expect(log).toEqual([
      {
        user_id: owner.member.userId,
        details: {
          workspace_id: workspace.id,
          name: "Main Facility",
          client_name: "fettle-bridge",
        },
      },
    ]);
  });

  test("a name is unique in an organization, ignoring case", async () => {
    const owner = await connect(testApp());
    const stranger = await connect(testApp());
    const first = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Lab",
    });
    await stranger.ok("create_workspace", { name: "Lab" });

    const refusal = await owner.refused("create_workspace", { name: "LAB" });

    expect(refusal).toMatchObject({
      code: "duplicate",
      field: "name",
      message: `Validation failed: Workspace name has already been taken (by "Lab", ${first.workspace.id}). Choose another name, or use that workspace.`,
    });
  });

  test.each(["none", "wsp_0123456789ab", "ast_0123456789ab"])(
    "rejects %s as a name, as tools would confuse it",
    async (name) => {
      const owner = await connect(testApp());

      const refusal = await owner.refused("create_workspace", { name });

      expect(refusal).toMatchObject({ code: "validation_failed", field: "name" });
    },
  );

  test("GRO-06 limits workspaces, and category options on pages, to a thousand", async () => {
    const { app, db } = testApp();
    const { ok, refused, member } = await connect(testApp());
    await ok("create_workspace", { name: "First" });
    await db.query(
      `INSERT INTO workspaces (id, organization_id, name, created_by)
       SELECT 'wsp_' || lpad(i::text, 12, '0'), $1, 'Hall ' || i, $2 FROM generate_series(2, 1000) i`,
      [member.organizationId, member.userId],
    );
    await db.query(
      `INSERT INTO asset_categories (id, organization_id, name)
       SELECT 'cat_' || lpad(i::text, 12, '0'), $1, 'Kind ' || i FROM generate_series(1, 3000) i`,
      [member.organizationId],
    );

    const refusal = await refused("create_workspace", { name: "One more" });

    expect(refusal.message).toContain("at most 1000 workspaces");
    const page = await (await signIn(app, member)).get("/assets/new");
    expect(page.body.match(/<option[^>]*>Hall /g)).toHaveLength(999);
    expect(page.body.match(/<option[^>]*Kind /g)).toHaveLength(1000);
  });

  test("a repeated request_key returns the first workspace", async () => {
    const owner = await connect(testApp());
    const call = { name: "Lab", request_key: "k" };
    const first = await owner.ok("create_workspace", call);

    const again = await owner.ok("create_workspace", call);

    expect(again).toEqual({ ...first, deduplicated: true });
  });

  test("MCP-14: one app's request_key doesn't apply to another person's app", async () => {
    const owner = await connect(testApp());
    const admin = await connect(testApp(), {
      organization: owner.member.organization,
      role: "admin",
    });
    await owner.ok("create_workspace", { name: "Lab", request_key: "k" });

    const other = await admin.ok("create_workspace", { name: "Yard", request_key: "k" });

    expect(other).not.toHaveProperty("deduplicated");
  });
});

describe("list_workspaces", () => {
  const testApp = useApp();

  test("shows counts without deleted assets, and the person's role in each", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab", description: "d".repeat(130) });
    await owner.ok("create_asset", { name: "A", workspace_id: "Lab" });
    const gone = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "B",
      workspace_id: "Lab",
    });
    await owner.ok("update_asset_state", { asset_id: gone.asset.id, state: "deleted" });
    const viewer = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "viewer",
    });

    const forOwner = await owner.ok<Listed>("list_workspaces");
    const forViewer = await viewer.ok<Listed>("list_workspaces");

    const row = {
      id: expect.any(String) as string,
      name: "Lab",
      description: "d".repeat(120),
      asset_count: 1,
      open_tasks: 0,
      overdue_tasks: 0,
      members: 1,
      version: 1,
    };
    expect(forOwner).toEqual({ workspaces: [{ ...row, my_role: "admin" }], total_count: 1 });
    expect(forViewer.workspaces).toEqual([{ ...row, my_role: "viewer" }]);
  });

  test("searches by name and description, and paginates by name", async () => {
    const owner = await connect(testApp());
    for (const name of ["North yard", "south hall", "East hall", "West"]) {
      await owner.ok("create_workspace", { name, description: `All about ${name.length}` });
    }

    const halls = await owner.ok<Listed>("list_workspaces", { query: "hall" });
    const described = await owner.ok<Listed>("list_workspaces", { query: "about" });
    const first = await owner.ok<Listed>("list_workspaces", { limit: 3 });
    const second = await owner.ok<Listed>("list_workspaces", {
      limit: 3,
      cursor: first.next_cursor,
    });

    expect(halls.workspaces.map(({ name }) => name)).toEqual(["East hall", "south hall"]);
    expect(described.total_count).toBe(4);
    expect([...first.workspaces, ...second.workspaces].map(({ name }) => name)).toEqual([
      "East hall",
      "North yard",
      "south hall",
      "West",
    ]);
    expect(second).toMatchObject({ total_count: 4 });
    expect(second).not.toHaveProperty("next_cursor");
  });

  test("shows a member only their workspaces", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    await owner.ok("create_workspace", { name: "Vault" });
    const member = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Lab",
    });

    const answer = await member.ok<Listed>("list_workspaces");
    const refusal = await member.refused("list_assets", { workspace_id: "Vault" });

    expect(answer.workspaces.map(({ name }) => name)).toEqual(["Lab"]);
    expect(refusal.message).toMatch(/^Workspace not found for "Vault"\./);
    expect(refusal.details).toBeUndefined();
  });
});
