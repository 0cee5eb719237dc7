import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

describe("person filters", () => {
  const testApp = useApp();
  let owner: Connected;
  let viewer: Connected;
  let member: Connected;

  beforeAll(async () => {
    owner = await connect(testApp(), { email: "olga@example.com" });
    await owner.ok("create_workspace", { name: "Lab" });
    const join = (workspaceRole: "viewer" | "member", email: string) =>
      connect(testApp(), {
        organization: owner.member.organization,
        role: "member",
        workspace: "Lab",
        workspaceRole,
        email,
      });
    viewer = await join("viewer", "vera@example.com");
    member = await join("member", "mia@example.com");
  });

  const filters: [string, (person: string) => Json][] = [
    ["list_assets", (person) => ({ assigned_to_user_id: person })],
    ["list_maintenance_tasks", (person) => ({ assigned_to_user_id: person })],
    ["search_asset_history", (person) => ({ actor_user_id: person })],
  ];

  test.each(filters)("%s finds by email only if the email is visible", async (tool, by) => {
    const hidden = await viewer.refused(tool, by("mia@example.com"));
    const nobody = await viewer.refused(tool, by("nobody@example.com"));

    expect(hidden.code).toBe("not_found");
    expect(hidden.message.replace("mia", "nobody")).toBe(nobody.message);
    await viewer.ok(tool, by("vera@example.com"));
    await viewer.ok(tool, by("me"));
    await viewer.ok(tool, by(member.member.userId));
    await member.ok(tool, by("vera@example.com"));
    await owner.ok(tool, by("mia@example.com"));
  });
});
