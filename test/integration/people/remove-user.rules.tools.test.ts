import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

describe("remove_user rules", () => {
  const testApp = useApp();
  let owner: Connected;
  let admin: Connected;
  let ana: Connected;
  let mia: Connected;
  let yuri: Connected;

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Olga Owner" });
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const join = (name: string, options: Parameters<typeof connect>[1]) =>
      connect(testApp(), { organization, role: "member", name, ...options });
    admin = await join("Adam Admin", { role: "admin" });
    ana = await join("Ana Keller", { workspace: "Lab", workspaceRole: "admin" });
    mia = await join("Mia Member", { workspace: "Lab" });
    yuri = await join("Yuri Yardman", { workspace: "Yard" });
  });

  test.each([{}, { from_organization: false }, { from_organization: true, workspace_id: "Lab" }])(
    "rejects %j without a scope for the removal",
    async (args) => {
      const refusal = await owner.refused("remove_user", { user_id: mia.member.userId, ...args });

      expect(refusal.code).toBe("validation_failed");
      expect(refusal.message).toContain("give either workspace_id");
    },
  );

  test("ignores from_organization false next to a workspace", async () => {
    await owner.ok("remove_user", {
      user_id: mia.member.userId,
      from_organization: false,
      workspace_id: "Lab",
      dry_run: true,
    });
  });

  test.each<[string, () => Connected, () => Json, string, RegExp]>([
    [
      "a member",
      () => mia,
      () => ({ user_id: ana.member.userId, from_organization: true }),
      "forbidden",
      /^Not authorized: your role in the organization is member/,
    ],
    [
      "a workspace admin, from the organization",
      () => ana,
      () => ({ user_id: mia.member.userId, from_organization: true }),
      "forbidden",
      /^Not authorized:/,
    ],
    [
      "a member, from the own workspace",
      () => mia,
      () => ({ user_id: ana.member.userId, workspace_id: "Lab" }),
      "forbidden",
      /your role in "Lab" is member; admin is needed/,
    ],
    [
      "a workspace admin, from another workspace",
      () => ana,
      () => ({ user_id: mia.member.userId, workspace_id: "Yard" }),
      "not_found",
      /^Workspace not found/,
    ],
    [
      "a workspace admin, for somebody they cannot see",
      () => ana,
      () => ({ user_id: yuri.member.userId, workspace_id: "Lab" }),
      "not_found",
      /^User not found/,
    ],
    [
      "an admin, for an owner",
      () => admin,
      () => ({ user_id: owner.member.userId, from_organization: true }),
      "forbidden",
      /Only an owner can remove an owner/,
    ],
    [
      "an admin, for themselves",
      () => admin,
      () => ({ user_id: "me", from_organization: true }),
      "self_removal",
      /^Not possible: you can't remove yourself/,
    ],
    [
      "a workspace admin, for themselves",
      () => ana,
      () => ({ user_id: "me", workspace_id: "Lab" }),
      "self_removal",
      /^Not possible:/,
    ],
    [
      "the only owner, for themselves",
      () => owner,
      () => ({ user_id: "me", from_organization: true }),
      "self_removal",
      /^Not possible:/,
    ],
    [
      "an admin without a row in the workspace",
      () => owner,
      () => ({ user_id: admin.member.userId, workspace_id: "Lab" }),
      "invalid_transition",
      /^Not possible: "Adam Admin" is an organization admin, .*from_organization: true/,
    ],
    [
      "somebody who is not in the workspace",
      () => owner,
      () => ({ user_id: yuri.member.userId, workspace_id: "Lab" }),
      "not_found",
      /^User not found in the workspace "Lab"/,
    ],
    [
      "the person as their own heir",
      () => owner,
      () => ({
        user_id: mia.member.userId,
        from_organization: true,
        reassign_to_user_id: mia.member.email,
      }),
      "validation_failed",
      /reassign_to_user_id is the person being removed/,
    ],
    [
      "an heir who does not see the workspace",
      () => owner,
      () => ({
        user_id: mia.member.userId,
        workspace_id: "Lab",
        reassign_to_user_id: yuri.member.userId,
      }),
      "validation_failed",
      /reassign_to_user_id: "Yuri Yardman" can't see the workspace "Lab"/,
    ],
    [
      "an heir whom the caller cannot see",
      () => ana,
      () => ({
        user_id: mia.member.userId,
        workspace_id: "Lab",
        reassign_to_user_id: yuri.member.userId,
      }),
      "not_found",
      /^User not found/,
    ],
    [
      "an id of another kind",
      () => owner,
      () => ({ user_id: "wsp_0123456789ab", from_organization: true }),
      "validation_failed",
      /user_id needs an id starting with usr_/,
    ],
  ])("%s", async (_who, caller, args, code, message) => {
    const refusal = await caller().refused("remove_user", args());

    expect(refusal).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  test("an owner removes an admin and another owner, but not the last owner", async () => {
    const first = await connect(testApp());
    const { organization } = first.member;
    const second = await connect(testApp(), { organization, role: "owner" });
    const third = await connect(testApp(), { organization, role: "admin" });

    for (const { member } of [third, second]) {
      await first.ok("remove_user", { user_id: member.userId, from_organization: true });
    }

    const users = await first.ok("list_users");
    expect(users).toMatchObject({ users: [{ organization_role: "owner" }], total_count: 1 });
  });

  test("removes a person whose account can't sign in", async () => {
    const gone = await aMember(testApp().db, {
      organization: owner.member.organization,
      role: "member",
    });
    await testApp().db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [
      gone.userId,
    ]);

    const removed = await owner.ok("remove_user", {
      user_id: gone.userId,
      from_organization: true,
    });

    expect(removed).toMatchObject({ removed_from: "organization" });
  });
});

describe("simultaneous remove_user calls", () => {
  const testApp = useApp();

  test("one of two owners who remove each other remains", async () => {
    for (let round = 0; round < 5; round += 1) {
      const left = await connect(testApp());
      const { organization } = left.member;
      const right = await connect(testApp(), { organization, role: "owner" });

      const results = await Promise.allSettled([
        left.call("remove_user", { user_id: right.member.userId, from_organization: true }),
        right.call("remove_user", { user_id: left.member.userId, from_organization: true }),
      ]);

      // The second caller's token may be invalid before the call is served.
      const outcomes = results.map((result) =>
        result.status === "rejected"
          ? /invalid_token|access token is not valid/.exec(String(result.reason)) && "invalid_token"
          : ((result.value.structuredContent["error"] as Json | undefined)?.["code"] ?? "removed"),
      );
      expect(outcomes.filter((outcome) => outcome === "removed")).toHaveLength(1);
      const other = outcomes.find((outcome) => outcome !== "removed");
      expect(["forbidden", "invalid_token"]).toContain(other);
      const row = await testApp().db.maybe<{ owners: number }>(
        `SELECT count(*)::int AS owners FROM organization_members
         WHERE organization_id = $1 AND role = 'owner' AND removed_at IS NULL`,
        [left.member.organizationId],
      );
      expect(row).toEqual({ owners: 1 });
    }
  });

  test("two admins who reassign to each other's person don't deadlock", async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = await connect(testApp());
      const { organization } = owner.member;
      const [bob, carol] = [
        await aMember(testApp().db, { organization, role: "member" }),
        await aMember(testApp().db, { organization, role: "member" }),
      ];
      for (const { userId } of [bob, carol, bob, carol]) {
        await owner.ok("create_asset", { name: "Pump", assigned_to_user_id: userId });
      }
      const remove = (user: string, heir: string) =>
        owner.call("remove_user", {
          user_id: user,
          from_organization: true,
          reassign_to_user_id: heir,
        });

      const results = await Promise.all([
        remove(bob.userId, carol.userId),
        remove(carol.userId, bob.userId),
      ]);

      const codes = results.map(
        ({ structuredContent }) => (structuredContent["error"] as Json | undefined)?.["code"],
      );
      expect(codes.toSorted()).toEqual(["not_found", undefined]);
    }
  });

  test("leaves nothing assigned to a removed person after simultaneous assignments and moves", async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = await connect(testApp());
      const { organization, organizationId } = owner.member;
      await owner.ok("create_workspace", { name: "Lab" });
      const join = { organization, role: "member", workspace: "Lab" } as const;
      const bob = await aMember(testApp().db, join);
      const assets: string[] = [];
      for (let index = 0; index < 6; index += 1) {
        const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
          name: "Pump",
          workspace_id: "Lab",
          ...(index % 2 === 0 && { assigned_to_user_id: bob.userId }),
        });
        assets.push(asset.id);
        await aTask(testApp().db, owner.member, {
          asset_id: asset.id,
          assigned_to_user_id: bob.userId,
        });
      }

      const results = await Promise.all([
        ...assets.map((asset_id) =>
          owner.call("update_asset", { asset_id, assigned_to_user_id: bob.userId, name: "New" }),
        ),
        owner.call("remove_user", { user_id: bob.userId, from_organization: true }),
        ...assets.map(() =>
          owner.call("create_asset", { name: "Fan", assigned_to_user_id: bob.userId }),
        ),
      ]);

      for (const { isError, content } of results) {
        // On a slow machine, the call may give up waiting for others.
        const refusal = /^(User not found|Conflict: others are changing)/;
        if (isError === true) expect(content[0]?.text).toMatch(refusal);
      }
      const left = await testApp().db.query<Json>(
        `SELECT id FROM assets WHERE organization_id = $1 AND assigned_to_user_id = $2
         UNION ALL SELECT id FROM maintenance_tasks
           WHERE organization_id = $1 AND assigned_to_user_id = $2`,
        [organizationId, bob.userId],
      );
      expect(left).toEqual([]);
    }
  });

  test("removes a person with thousands of assigned items in a few statements", async () => {
    const owner = await connect(testApp());
    const { organization, organizationId } = owner.member;
    const bob = await aMember(testApp().db, { organization, role: "member" });
    await testApp().db.query(
      `INSERT INTO assets (id, organization_id, inventory_number, name, qr_token, created_by,
         assigned_to_user_id)
       SELECT 'ast_' || lpad(n::text, 12, '0'), $1, 'N' || n, 'Asset', 'q' || n, $2, $3
       FROM generate_series(1, 3000) n`,
      [organizationId, owner.member.userId, bob.userId],
    );

    const removed = await owner.ok("remove_user", {
      user_id: bob.userId,
      from_organization: true,
    });

    expect(removed).toMatchObject({ unassigned: { tasks: 0, assets: 3000 } });
    const row = await testApp().db.maybe<Json>(
      `SELECT count(*)::int AS events FROM history_events
       WHERE organization_id = $1 AND type = 'asset_assigned'`,
      [organizationId],
    );
    expect(row).toEqual({ events: 3000 });
  });
});
