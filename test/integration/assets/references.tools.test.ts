import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected } from "../../support/mcp.js";

describe("asset or task not found", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const [name, inventory_number] of [
      ["Boiler", "434-000003"],
      ["Boiler 434-3b", "434-000013"],
      ["Boiler 434-3c", "434-000023"],
    ]) {
      await owner.ok("create_asset", { name, inventory_number });
    }
  });

  test.each(["434-3", "434-03", "434-0000003"])(
    "suggests the number with different leading zeros first for %s, before two others",
    async (asset_id) => {
      const { message, details } = await owner.refused("get_asset", { asset_id });

      expect(message).toMatch(
        /^Asset not found for "[\d-]+"\. Nearest: 434-000003 \("Boiler"\), 434-0000.3 \(".+"\), 434-0000.3 \(".+"\)\. Use/,
      );
      expect(details?.["nearest"]).toHaveLength(3);
    },
  );

  test("list_assets suggests the number with leading zeros too", async () => {
    const listed = await owner.ok<{ did_you_mean: string[] }>("list_assets", { query: "434-03" });

    expect(listed.did_you_mean[0]).toBe('434-000003 ("Boiler")');
  });

  test("recognizes a number of the other kind and names its tool", async () => {
    const asset = await owner.refused("get_asset", { asset_id: "T-118" });
    const task = await owner.refused("get_maintenance_task", { task_id: "434-000003" });

    expect(asset.message).toBe(
      'Asset not found for "T-118". It looks like a task number. Use get_maintenance_task with task_id.',
    );
    expect(task.message).toBe(
      'Task not found for "434-000003". It looks like an inventory number. Use get_asset or list_maintenance_tasks with asset_id.',
    );
  });

  test("finds an inventory number that looks like a task number", async () => {
    await owner.ok("create_asset", { name: "Tractor", inventory_number: "T-7" });

    expect(await owner.ok("get_asset", { asset_id: "T-7" })).toMatchObject({
      asset: { name: "Tractor" },
    });
  });
});

describe("person not found", () => {
  const testApp = useApp();
  let owner: Connected;
  let viewer: Connected;
  let bob: Connected;

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Ana Keller" });
    const { organization } = owner.member;
    const person = { organization, role: "member", workspace: "Lab" } as const;
    bob = await connect(testApp(), { ...person, name: "Bob Ferreira", email: "zq17@example.com" });
    viewer = await connect(testApp(), { ...person, name: "Vera", workspaceRole: "viewer" });
    const far = { organization, role: "member", workspace: "Vault" } as const;
    await connect(testApp(), { ...far, name: "Bob Fereira" });
  });

  const refusal = (person: Connected, assigned_to_user_id: string) =>
    person.refused("list_assets", { assigned_to_user_id });

  test("accepts a full name when only one person has it", async () => {
    expect(await owner.ok("list_assets", { assigned_to_user_id: "bob ferreira" })).toMatchObject({
      total_count: 0,
    });
  });

  test("suggests people with similar names, their ids, and the search tool", async () => {
    expect((await refusal(viewer, "Bob Ferreirra")).message).toBe(
      `User not found for "Bob Ferreirra". Nearest: "Bob Ferreira" (${bob.member.userId}). Give a member's user id (usr_…), email or full name, or "me". Use list_users with query to find them. It may also be someone you can't see.`,
    );
    expect((await refusal(owner, "Bob Ferreirra")).details?.["nearest"]).toEqual([
      `"Bob Ferreira" (${bob.member.userId})`,
      expect.stringContaining('"Bob Fereira"'),
    ]);
    expect((await refusal(owner, "Ferreira")).message).toContain(`"Bob Ferreira" (usr_`);
    expect((await refusal(owner, "Xaver")).message).not.toContain("Nearest");
  });

  test("suggests a close email only to people who can see emails", async () => {
    expect((await refusal(bob, "zq17@exampel.com")).message).toContain('Nearest: "Bob Ferreira"');
    expect((await refusal(viewer, "zq17@exampel.com")).message).not.toContain("Nearest");
    expect((await refusal(owner, "zq17@exampel.com")).message).not.toContain("@example.com");
  });

  test('list_users finds "Last, First" names and suggests close spellings', async () => {
    interface Listed {
      users: { name: string }[];
      did_you_mean?: string[];
    }
    const list = (person: Connected, query: string) => person.ok<Listed>("list_users", { query });

    expect((await list(viewer, "Keller, Ana")).users).toMatchObject([{ name: "Ana Keller" }]);
    expect(await list(viewer, "Anna Keler")).toMatchObject({
      users: [],
      did_you_mean: [`"Ana Keller" (${owner.member.userId})`],
    });
    expect(await list(viewer, "Ferrera")).toMatchObject({
      did_you_mean: [`"Bob Ferreira" (${bob.member.userId})`],
    });
    expect(await list(viewer, "Xaver")).toEqual({ users: [], total_count: 0 });
  });
});
