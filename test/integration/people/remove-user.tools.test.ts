import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

interface Held {
  pump: string;
  fan: string;
  gone: string;
  open: string;
  done: string;
  hidden: string;
}

describe("remove_user", () => {
  const testApp = useApp();

  const anOwner = async () => {
    const owner = await connect(testApp(), { name: "Olga Owner" });
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    return owner;
  };
  const join = (owner: Connected, name: string, workspace?: string, role?: "admin" | "viewer") =>
    connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      name,
      ...(workspace !== undefined && { workspace }),
      ...(role !== undefined && { workspaceRole: role }),
    });
  const alsoIn = (person: Connected, workspace: string) =>
    aMember(testApp().db, { ...person.member, role: "member", workspace });

  /**
   * Assigns a pump and a retired asset in Lab and a fan in Yard. Each has an open task, and the
   * pump has a finished one.
   */
  async function holdThings(owner: Connected, { member }: Connected): Promise<Held> {
    const anAsset = async (name: string, workspace: string) => {
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name,
        workspace_id: workspace,
        assigned_to_user_id: member.userId,
      });
      return asset.id;
    };
    const aTaskOf = async (asset_id: string, state: string) => {
      const { id } = await aTask(testApp().db, owner.member, {
        asset_id,
        state,
        assigned_to_user_id: member.userId,
      });
      return id;
    };
    const [pump, fan, gone] = [
      await anAsset("Pump", "Lab"),
      await anAsset("Fan", "Yard"),
      await anAsset("Gone", "Lab"),
    ];
    const hidden = await aTaskOf(gone, "scheduled");
    await owner.ok("update_asset_state", { asset_id: gone, state: "deleted" });
    return {
      pump,
      fan,
      gone,
      open: await aTaskOf(fan, "on_hold"),
      done: await aTaskOf(pump, "completed"),
      hidden,
    };
  }

  const holderOf = async (id: string) => {
    const table = id.startsWith("ast_") ? "assets" : "maintenance_tasks";
    const row = await testApp().db.maybe<{ assigned_to_user_id: string | null; version: number }>(
      `SELECT assigned_to_user_id, version FROM ${table} WHERE id = $1`,
      [id],
    );
    return row;
  };

  test("SET-07: ends all access to the organization at once and keeps the account", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    await connect(testApp(), { member: bob.member });

    const removed = await owner.ok("remove_user", {
      user_id: bob.member.email,
      from_organization: true,
    });

    expect(removed).toEqual({
      user: { id: bob.member.userId, name: "Bob" },
      removed_from: "organization",
      unassigned: { tasks: 0, assets: 0 },
      connections_ended: 2,
    });
    const response = await testApp().app.inject({
      method: "POST",
      url: "/mcp",
      headers: { authorization: `Bearer ${bob.token}` },
      payload: { jsonrpc: "2.0", id: 1, method: "ping" },
    });
    expect(response.statusCode).toBe(401);
    const left = await testApp().db.query<Json>(
      `SELECT m.removed_at IS NOT NULL AS removed, u.deactivated_at,
         (SELECT count(*)::int FROM workspace_members w WHERE w.user_id = u.id) AS workspaces,
         (SELECT array_agg(DISTINCT revoked_reason || ' ' || revoked_by) FROM oauth_connections c
           WHERE c.user_id = u.id) AS reasons
       FROM users u JOIN organization_members m ON m.user_id = u.id WHERE u.id = $1`,
      [bob.member.userId],
    );
    expect(left).toEqual([
      {
        removed: true,
        deactivated_at: null,
        workspaces: 0,
        reasons: [`member_removed ${owner.member.userId}`],
      },
    ]);
    const activity = await testApp().db.maybe<Json>(
      "SELECT user_id, details FROM activity_log WHERE type = 'member_removed' AND organization_id = $1",
      [owner.member.organizationId],
    );
    expect(activity).toEqual({
      user_id: owner.member.userId,
      details: { user_id: bob.member.userId, name: "Bob", client_name: "fettle-bridge" },
    });
  });

  test("a second call doesn't find the person", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob");
    const call = { user_id: bob.member.userId, from_organization: true };
    await owner.ok("remove_user", call);

    const refusal = await owner.refused("remove_user", call);

    expect(refusal.message).toMatch(/^User not found for "usr_/);
  });

  test("unassigns open tasks and assets with events, and keeps names on finished work", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    await alsoIn(bob, "Yard");
    const held = await holdThings(owner, bob);

    const removed = await owner.ok("remove_user", {
      user_id: bob.member.userId,
      from_organization: true,
    });

    expect(removed).toMatchObject({ unassigned: { tasks: 1, assets: 2 } });
    const { done, ...open } = held;
    for (const id of Object.values(open)) {
      expect(await holderOf(id)).toMatchObject({ assigned_to_user_id: null });
    }
    expect(await holderOf(done)).toEqual({ assigned_to_user_id: bob.member.userId, version: 1 });
    expect(await holderOf(held.pump)).toMatchObject({ version: 2 });
    const events = await testApp().db.query<Json>(
      `SELECT type, asset_id, task_id, source, changes, request_id FROM history_events
       WHERE organization_id = $1 AND changes @> '[{"field": "assigned_to", "from": "Bob"}]'
       ORDER BY sequence`,
      [owner.member.organizationId],
    );
    expect(events).toHaveLength(5);
    expect(new Set(events.map((event) => event["request_id"])).size).toBe(1);
    expect(events.filter(({ type }) => type === "asset_assigned")).toHaveLength(3);
    expect(events).toContainEqual({
      type: "task_updated",
      asset_id: held.fan,
      task_id: held.open,
      source: "mcp",
      changes: [
        { field: "assigned_to_user_id", from: bob.member.userId },
        { field: "assigned_to", from: "Bob" },
      ],
      request_id: expect.stringMatching(/^req_/) as string,
    });
  });

  test("reassigns items the new assignee can see and unassigns the rest", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    await alsoIn(bob, "Yard");
    const carol = await join(owner, "Carol", "Lab");
    const held = await holdThings(owner, bob);

    const removed = await owner.ok("remove_user", {
      user_id: bob.member.userId,
      from_organization: true,
      reassign_to_user_id: carol.member.email,
    });

    const { userId } = carol.member;
    expect(removed).toMatchObject({
      reassigned_to: { id: userId, name: "Carol", tasks: 0, assets: 1 },
      unassigned: { tasks: 1, assets: 1 },
    });
    expect(await holderOf(held.pump)).toMatchObject({ assigned_to_user_id: userId });
    for (const id of [held.fan, held.open, held.gone, held.hidden]) {
      expect(await holderOf(id)).toMatchObject({ assigned_to_user_id: null });
    }
  });

  test("an admin takes over all items", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    await alsoIn(bob, "Yard");
    await holdThings(owner, bob);

    const removed = await owner.ok("remove_user", {
      user_id: bob.member.userId,
      from_organization: true,
      reassign_to_user_id: "me",
    });

    expect(removed).toMatchObject({ reassigned_to: { name: "Olga Owner", tasks: 1, assets: 2 } });
    expect(removed).not.toHaveProperty("unassigned");
  });

  test("a removal from one workspace unassigns only its items and keeps apps connected", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    const yard = await alsoIn(bob, "Yard");
    const held = await holdThings(owner, bob);
    const ana = await join(owner, "Ana", "Lab", "admin");

    const removed = await ana.ok("remove_user", {
      user_id: bob.member.userId,
      workspace_id: "lab",
    });
    const seenByOwner = await owner.ok("remove_user", {
      user_id: bob.member.userId,
      workspace_id: "Yard",
      dry_run: true,
    });

    expect(removed).toEqual({
      user: { id: bob.member.userId, name: "Bob" },
      removed_from: "Lab",
      unassigned: { tasks: 0, assets: 1 },
    });
    expect(seenByOwner).toMatchObject({ unassigned: { tasks: 1, assets: 1 } });
    expect(await holderOf(held.pump)).toMatchObject({ assigned_to_user_id: null });
    expect(await holderOf(held.fan)).toMatchObject({ assigned_to_user_id: bob.member.userId });
    const me = await bob.ok("get_current_user");
    expect(me).toMatchObject({ workspaces: [{ id: yard.workspaceId, name: "Yard" }] });
  });

  test("lists the person's remaining workspaces that the caller can see", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    const yard = await alsoIn(bob, "Yard");

    const removed = await owner.ok("remove_user", {
      user_id: bob.member.userId,
      workspace_id: "Lab",
    });

    expect(removed).toMatchObject({
      still_member_of: [{ id: yard.workspaceId, name: "Yard" }],
    });
  });

  test("a dry run returns the result and changes nothing", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    await alsoIn(bob, "Yard");
    await holdThings(owner, bob);
    const trace = () =>
      testApp().db.query<Json>(`SELECT (SELECT count(*) FROM history_events) AS events,
           (SELECT count(*) FROM activity_log) AS activity,
           (SELECT count(*) FROM workspace_members) AS places,
           (SELECT jsonb_agg(a.assigned_to_user_id || a.updated_at::text ORDER BY a.id) FROM assets a) AS assets,
           (SELECT jsonb_agg(t.assigned_to_user_id || t.updated_at::text ORDER BY t.id)
             FROM maintenance_tasks t) AS tasks,
           (SELECT count(*) FROM oauth_connections WHERE revoked_at IS NOT NULL) AS ended,
           (SELECT count(*) FROM organization_members WHERE removed_at IS NOT NULL) AS removed`);
    const call = { user_id: bob.member.userId, from_organization: true };
    const before = await trace();

    const planned = await owner.ok("remove_user", { ...call, dry_run: true });

    expect(await trace()).toEqual(before);
    await bob.ok("get_current_user");
    const { dry_run, ...plan } = planned;
    expect(dry_run).toBe(true);
    expect(await owner.ok("remove_user", call)).toEqual(plan);
  });

  test("a browser stays signed in and shows that the person has no organization", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob");
    const browser = await signIn(testApp().app, bob.member);
    await owner.ok("remove_user", { user_id: bob.member.userId, from_organization: true });

    const home = await browser.get("/");
    const settings = await browser.get("/settings");
    const apps = await browser.get("/settings/apps");

    expect(home.body).toContain("You're not in an organization");
    expect([settings.statusCode, apps.statusCode]).toEqual([200, 200]);
    for (const { body } of [home, settings, apps]) {
      expect(body).not.toContain(owner.member.organization);
    }
  });

  test("a returning person doesn't get their earlier workspaces and assignments", async () => {
    const owner = await anOwner();
    const bob = await join(owner, "Bob", "Lab");
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      workspace_id: "Lab",
      assigned_to_user_id: bob.member.userId,
    });
    await owner.ok("remove_user", { user_id: bob.member.userId, from_organization: true });

    const { organization, email } = bob.member;
    await aMember(testApp().db, { organization, email, role: "member" });

    const again = await connect(testApp(), { member: bob.member });
    expect(await again.ok("get_current_user")).toMatchObject({ workspace_count: 0 });
    expect(await holderOf(asset.id)).toMatchObject({ assigned_to_user_id: null });
    const users = await owner.ok<{ users: Json[] }>("list_users", { query: "bob" });
    expect(users.users).toMatchObject([{ name: "Bob", assigned_assets: 0 }]);
  });
});
