import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

interface Found {
  events: { type: string; actor: string; source: string; client?: string; changes?: Json[] }[];
  total_count: number;
  next_cursor?: string;
}

describe("organization events", () => {
  const testApp = useApp();
  let owner: Connected;
  let number: string;

  const search = (event_types: string[], more: Json = {}) =>
    owner.ok<Found>("search_asset_history", { event_types, ...more });

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Olga Owner" });
    await owner.ok("create_workspace", { name: "Plant" });
    await owner.ok("create_workspace", { name: "Yard" });
    await owner.ok("update_workspace", { workspace_id: "Yard", name: "Court", address: "Road 1" });
    await owner.ok("delete_workspace", { workspace_id: "Court" });
    const { organization } = owner.member;
    const member = await aMember(testApp().db, {
      ...{ organization, name: "Mia Member", role: "member", workspace: "Plant" },
    });
    const browser = await signIn(testApp().app, owner.member);
    const page = await browser.get(`/settings/members/${member.userId}/role?role=admin`);
    await browser.submitForm(page, {});
    await owner.ok("remove_user", { user_id: member.userId, from_organization: true });
    const { asset } = await owner.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      { name: "Pump" },
    );
    number = asset.inventory_number;
    await owner.ok("force_delete_asset", {
      ...{ asset_id: asset.id, confirm_inventory_number: number },
    });
  });

  test("are found by type, with person, app, and changes", async () => {
    const { events } = await search(["workspace_updated", "role_changed", "member_removed"]);

    expect(events).toMatchObject([
      {
        type: "member_removed",
        actor: "Olga Owner",
        source: "mcp",
        client: expect.any(String) as string,
        changes: [{ field: "user_id" }, { field: "user", from: "Mia Member" }],
      },
      {
        type: "role_changed",
        source: "web",
        changes: [
          { field: "user_id" },
          { field: "user", to: "Mia Member" },
          { field: "role", from: "member", to: "admin" },
        ],
      },
      {
        type: "workspace_updated",
        changes: [
          { field: "name", from: "Yard", to: "Court" },
          { field: "address", to: "changed" },
        ],
      },
    ]);
  });

  test("include permanent deletions, which asset searches don't find", async () => {
    expect((await search(["asset_force_deleted"])).events).toMatchObject([
      { asset_name: "Pump", inventory_number: number, source: "mcp" },
    ]);
    const { events } = await owner.ok<Found>("search_asset_history", { query: "Pump" });
    expect(events).toEqual([]);
  });

  test("filter by words, person, source, workspace, and time, and paginate in both orders", async () => {
    const created = ["workspace_created", "workspace_deleted"];

    expect(await search(created, { query: "plant" })).toMatchObject({ total_count: 1 });
    expect(await search(created, { source: "web" })).toMatchObject({ total_count: 0 });
    expect(await search(created, { actor_user_id: "me", client: "e" })).toMatchObject({
      total_count: 3,
    });
    expect(await search(created, { workspace_id: "Plant" })).toMatchObject({ total_count: 1 });
    expect(await search(created, { to: "2020-01-01" })).toMatchObject({ total_count: 0 });
    const first = await search(created, { limit: 2, order: "oldest" });
    const rest = await search(created, { limit: 2, order: "oldest", cursor: first.next_cursor });
    expect([...first.events, ...rest.events].map(({ type }) => type)).toEqual([
      "workspace_created",
      "workspace_created",
      "workspace_deleted",
    ]);
    const wrong = { event_types: ["member_added"], cursor: first.next_cursor };
    expect((await owner.refused("search_asset_history", wrong)).field).toBe("cursor");
  });

  test.each([{ event_types: ["member_added", "task_created"] }, { asset_id: "X" }, { field: "x" }])(
    "can't be combined with other filters (%j)",
    async (more) => {
      const refusal = await owner.refused("search_asset_history", {
        ...{ event_types: ["member_added"], ...more },
      });

      expect(refusal).toMatchObject({ code: "validation_failed", field: "event_types" });
    },
  );

  test("allow only owners and admins of the organization", async () => {
    const { organization } = owner.member;
    const member = await connect(testApp(), { organization, role: "member", workspace: "Plant" });
    const types = { event_types: ["workspace_created"] };

    expect((await member.refused("search_asset_history", types)).code).toBe("forbidden");
    const stranger = await connect(testApp());
    expect(await stranger.ok("search_asset_history", types)).toMatchObject({ total_count: 0 });
  });
});
