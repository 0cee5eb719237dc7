import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";

describe("get_current_user", () => {
  const testApp = useApp();

  test("returns the current user and organization with all scopes and no missing ones", async () => {
    const owner = await connect(testApp());

    const answer = await owner.ok("get_current_user");

    expect(answer).toEqual({
      user: { id: owner.member.userId, name: owner.member.name, email: owner.member.email },
      organization: {
        id: owner.member.organizationId,
        name: owner.member.organization,
        time_zone: "UTC",
        currency: "USD",
      },
      organization_role: "owner",
      workspace_count: 0,
      granted_scopes: ["mcp_read", "mcp_write", "mcp_destructive"],
      now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      client_name: "fettle-bridge",
    });
  });

  test("names the missing scopes and explains how to grant them", async () => {
    const owner = await connect(testApp(), { scopes: ["mcp_read"] });

    const answer = await owner.ok("get_current_user");

    expect(answer).toMatchObject({
      granted_scopes: ["mcp_read"],
      missing_scopes: ["mcp_write", "mcp_destructive"],
      how_to_get_scopes:
        "This connection has mcp_read. The person can disconnect the app under Settings > Connected Apps, connect it again and select mcp_write and mcp_destructive on the consent page.",
    });
  });

  test("lists the first 25 workspaces with the role in each, except for admins", async () => {
    const owner = await connect(testApp());
    const names = Array.from(
      { length: 27 },
      (_, index) => `Site ${String(index + 1).padStart(2, "0")}`,
    );
    for (const name of names) await owner.ok("create_workspace", { name });
    const join = { organization: owner.member.organization, role: "member" } as const;
    const viewer = await connect(testApp(), {
      ...join,
      workspace: "Site 03",
      workspaceRole: "viewer",
    });
    const member = await connect(testApp(), { ...join, workspace: "Site 01" });
    await testApp().db.query(
      `INSERT INTO workspace_members (organization_id, workspace_id, user_id, role)
       SELECT organization_id, id, $2, 'member' FROM workspaces WHERE organization_id = $1
       ON CONFLICT DO NOTHING`,
      [member.member.organizationId, member.member.userId],
    );

    const some = await member.ok<{ workspaces: { name: string; role: string }[] }>(
      "get_current_user",
    );
    const own = await viewer.ok("get_current_user");
    const all = await owner.ok("get_current_user");

    expect(some.workspaces).toHaveLength(25);
    expect(some.workspaces[0]).toMatchObject({ name: "Site 01", role: "member" });
    expect(some).toMatchObject({ workspace_count: 27 });
    expect(all).toMatchObject({ organization_role: "owner", workspace_count: 27 });
    expect(all).not.toHaveProperty("workspaces");
    expect(own).toMatchObject({
      organization_role: "member",
      workspaces: [{ name: "Site 03", role: "viewer" }],
      workspace_count: 1,
    });
  });

  test("today is the date in the organization's time zone", async () => {
    const owner = await connect(testApp());
    await testApp().db.query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
      owner.member.organizationId,
      "Pacific/Kiritimati",
    ]);

    const answer = await owner.ok<{ now: string; today: string }>("get_current_user");

    const ahead = new Date(Date.parse(answer.now) + 14 * 3_600_000);
    expect(answer.today).toBe(ahead.toISOString().slice(0, 10));
  });

  test("a changed role applies from the next call", async () => {
    const { db } = testApp();
    const owner = await connect(testApp());
    const admin = await connect(testApp(), {
      organization: owner.member.organization,
      role: "admin",
    });
    await admin.ok("create_workspace", { name: "Before" });
    await db.query("UPDATE organization_members SET role = 'member' WHERE user_id = $1", [
      admin.member.userId,
    ]);

    const refusal = await admin.refused("create_workspace", { name: "After" });

    expect(refusal.message).toMatch(/^Not authorized: your role in the organization is member;/);
  });
});
