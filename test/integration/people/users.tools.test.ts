import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, aTask } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Listed {
  users: ({ id: string; name: string; email?: string } & Json)[];
  total_count: number;
  next_cursor?: string;
}

const namesOf = ({ users }: Listed) => users.map(({ name }) => name);

describe("list_users", () => {
  const testApp = useApp();
  let owner: Connected;
  let mia: Connected;
  let vera: Connected;
  let yuri: Connected;
  const list = (person: Connected, args?: Json) => person.ok<Listed>("list_users", args);

  /** Lab: Ana (admin), Mia and Vera (viewer). Yard: Yuri. Nowhere: Olga (owner) and Nora. */
  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Olga Owner", email: "olga@example.com" });
    const { organization } = owner.member;
    const join = (name: string, workspace?: string, workspaceRole?: "admin" | "viewer") => {
      const email = `${name.split(" ")[0]?.toLowerCase() ?? ""}@example.com`;
      return connect(testApp(), {
        organization,
        name,
        email,
        role: "member",
        ...(workspace !== undefined && { workspace }),
        ...(workspaceRole !== undefined && { workspaceRole }),
      });
    };
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    await join("ana keller", "Lab", "admin");
    mia = await join("Mia Keller", "Lab");
    vera = await join("Vera Viewer", "Lab", "viewer");
    yuri = await join("Yuri Yardman", "Yard");
    await join("Nora Nowhere");
    await aMember(testApp().db, { name: "Somebody else" });
    const db = testApp().db;
    for (const place of ["Lab", "Yard", undefined]) {
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name: "Pump",
        ...(place !== undefined && { workspace_id: place }),
        assigned_to_user_id: "olga@example.com",
      });
      const held = { asset_id: asset.id, assigned_to_user_id: owner.member.userId };
      await aTask(db, owner.member, held);
      await aTask(db, owner.member, { ...held, state: "completed" });
    }
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Lost",
      assigned_to_user_id: "me",
    });
    await aTask(db, owner.member, {
      asset_id: asset.id,
      assigned_to_user_id: owner.member.userId,
    });
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });
    // People who call no tool in these tests.
    const activity = [
      ["ana keller", null],
      ["Nora Nowhere", "2026-03-01T22:59:59Z"],
      ["Yuri Yardman", "2026-03-01T23:00:00Z"],
    ];
    await db.query("UPDATE organizations SET time_zone = 'Europe/Berlin' WHERE id = $1", [
      owner.member.organizationId,
    ]);
    for (const [name, at] of activity) {
      await db.query(
        `UPDATE organization_members m SET last_active_at = $2 FROM users u
         WHERE u.id = m.user_id AND u.name = $1`,
        [name, at],
      );
    }
  });

  test("an owner sees all people by name with their current assignments", async () => {
    const listed = await list(owner);

    expect(namesOf(listed)).toEqual([
      "ana keller",
      "Mia Keller",
      "Nora Nowhere",
      "Olga Owner",
      "Vera Viewer",
      "Yuri Yardman",
    ]);
    expect(listed.total_count).toBe(6);
    expect(listed.users[5]).toEqual({
      id: yuri.member.userId,
      name: "Yuri Yardman",
      email: "yuri@example.com",
      organization_role: "member",
      workspaces: [{ id: yuri.member.workspaceId, name: "Yard", role: "member" }],
      last_active_at: expect.stringMatching(/^2026-03-0[12]T\d{2}:00:00/) as string,
      open_tasks: 0,
      assigned_assets: 0,
      joined_at: expect.stringMatching(/(?:Z|[+-]\d{2}:\d{2})$/) as string,
    });
    expect(listed.users[3]).toMatchObject({
      organization_role: "owner",
      open_tasks: 3,
      assigned_assets: 3,
    });
    expect(listed.users[3]).not.toHaveProperty("workspaces");
  });

  test("a member sees admins and people in their workspaces, with only visible assignments", async () => {
    const listed = await list(mia);

    expect(namesOf(listed)).toEqual(["ana keller", "Mia Keller", "Olga Owner", "Vera Viewer"]);
    expect(listed.total_count).toBe(4);
    expect(listed.users[2]).toMatchObject({ open_tasks: 2, assigned_assets: 2 });
    expect(listed.users[0]?.email).toBe("ana@example.com");
  });

  test("marks people who see a workspace without being a member", async () => {
    const { users } = await list(owner, { workspace_id: "Lab" });

    const access = users.map(({ name, access: by }) => [name, by]);
    expect(access).toContainEqual(["Olga Owner", "organization"]);
    expect(access).toContainEqual(["Mia Keller", undefined]);
  });

  test("leaves out workspaces that the caller can't see", async () => {
    await aMember(testApp().db, {
      organization: owner.member.organization,
      email: "ana@example.com",
      workspace: "Yard",
    });

    const forMia = await list(mia, { query: "ana" });
    const forOwner = await list(owner, { query: "ana" });

    expect(forMia.users[0]?.["workspaces"]).toMatchObject([{ name: "Lab", role: "admin" }]);
    expect(forOwner.users[0]?.["workspaces"]).toMatchObject([{ name: "Lab" }, { name: "Yard" }]);
  });

  test("a viewer sees and finds only their own email", async () => {
    const all = await list(vera);
    const byEmail = await list(vera, { query: "ana@example.com" });
    const byOwnEmail = await list(vera, { query: "vera@example" });
    const byName = await list(vera, { query: "keller" });

    expect(all.users.map(({ email }) => email)).toEqual([
      undefined,
      undefined,
      undefined,
      "vera@example.com",
    ]);
    expect(byEmail).toMatchObject({ users: [], total_count: 0 });
    expect(namesOf(byOwnEmail)).toEqual(["Vera Viewer"]);
    expect(namesOf(byName)).toEqual(["ana keller", "Mia Keller"]);
  });

  test.each([
    [{ query: "keller" }, ["ana keller", "Mia Keller"]],
    [{ query: "KELLER mia" }, ["Mia Keller"]],
    [{ query: "keller nora" }, []],
    [{ query: "%" }, []],
    [{ query: "yuri@" }, ["Yuri Yardman"]],
    [{ workspace_id: "lab" }, ["ana keller", "Mia Keller", "Olga Owner", "Vera Viewer"]],
    [{ workspace_id: "none" }, ["Nora Nowhere", "Olga Owner"]],
    [{ role: "owner" }, ["Olga Owner"]],
    [{ role: "admin" }, []],
    [{ role: "member", workspace_id: "Lab", query: "mia" }, ["Mia Keller"]],
  ])("%j finds %j", async (filters, names) => {
    const listed = await list(owner, filters);

    expect(namesOf(listed)).toEqual(names);
    expect(listed.total_count).toBe(names.length);
  });

  test("counts days of inactivity in the organization's time zone", async () => {
    const listed = await list(owner, { inactive_since: "2026-03-02", sort: "last_active_at" });

    expect(namesOf(listed)).toEqual(["ana keller", "Nora Nowhere"]);
  });

  test("a workspace that the caller can't see is not found", async () => {
    const hidden = await mia.refused("list_users", { workspace_id: "Yard" });

    expect(hidden.message).toMatch(/^Workspace not found for "Yard"\./);
  });

  test.each(["name", "last_active_at"])(
    "paging by %s is complete and without duplicates",
    async (sort) => {
      const whole = await list(owner, { sort });
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Listed = await list(owner, { sort, limit: 2, ...(cursor && { cursor }) });
        expect(page.total_count).toBe(6);
        paged.push(...namesOf(page));
        cursor = page.next_cursor;
      } while (cursor !== undefined);

      expect(paged).toEqual(namesOf(whole));
    },
  );

  test("rejects a cursor from another sort or filter", async () => {
    const { next_cursor: cursor } = await list(owner, { limit: 2 });

    const refusal = await owner.refused("list_users", { limit: 2, cursor, role: "member" });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "cursor" });
  });

  test("pages through names that are too long for a cursor", async () => {
    const { db } = testApp();
    const first = await connect(testApp(), { name: "漢".repeat(120) });
    await aMember(db, {
      organization: first.member.organization,
      role: "member",
      name: `${"漢".repeat(119)}字`,
    });
    const page = await list(first, { limit: 1 });

    const next = await list(first, { limit: 1, cursor: page.next_cursor });

    expect(new Set([...page.users, ...next.users].map(({ id }) => id)).size).toBe(2);
  });

  test("TEN-05: a cursor after an overlong name ends if the person is now hidden", async () => {
    const { db } = testApp();
    const boss = await connect(testApp(), { name: "Ann" });
    const { organization } = boss.member;
    await boss.ok("create_workspace", { name: "Lab" });
    const join = { organization, role: "member", workspace: "Lab" } as const;
    const me = await connect(testApp(), { ...join, name: "Bob" });
    const colleague = await aMember(db, { ...join, name: "漢".repeat(120) });
    await aMember(db, { organization, role: "admin", name: "龍" });
    const { next_cursor: cursor } = await list(me, { limit: 3 });
    expect((await list(me, { limit: 3, cursor })).users).toHaveLength(1);

    await db.query("DELETE FROM workspace_members WHERE user_id = $1", [colleague.userId]);

    const refusal = await me.refused("list_users", { limit: 3, cursor });
    expect(refusal).toMatchObject({ code: "validation_failed", field: "cursor" });
  });

  test("marks an account that can't sign in for admins and hides it from others", async () => {
    const boss = await connect(testApp());
    const { organization } = boss.member;
    await boss.ok("create_workspace", { name: "Lab" });
    const join = { organization, role: "member", workspace: "Lab" } as const;
    const colleague = await connect(testApp(), join);
    const left = await aMember(testApp().db, { ...join, name: "Zoe Left" });
    await testApp().db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [
      left.userId,
    ]);

    const forBoss = await list(boss, { query: "zoe" });
    const forColleague = await list(colleague);

    expect(forBoss.users).toMatchObject([{ id: left.userId, deactivated: true }]);
    expect(namesOf(forColleague)).not.toContain("Zoe Left");
  });
});
