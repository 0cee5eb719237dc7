import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { CreatedTask } from "../../support/tasks.js";

type Role = "owner" | "admin" | "workspace admin" | "member" | "viewer" | "outsider";

const unseen = { outsider: "not_found" };
const onlyAdmins = {
  "workspace admin": "not_found",
  member: "not_found",
  viewer: "not_found",
  outsider: "not_found",
};

describe("task permissions", () => {
  const testApp = useApp();
  const people = new Map<Role, Connected>();
  const assets: Record<string, string> = {};
  const tasks: Record<string, string> = {};

  const as = (role: Role) => {
    const person = people.get(role);
    if (person === undefined) throw new Error(`nobody is ${role}`);
    return person;
  };

  beforeAll(async () => {
    const owner = await connect(testApp());
    people.set("owner", owner);
    for (const name of ["Lab", "Shop", "Yard"]) await owner.ok("create_workspace", { name });
    const { organization } = owner.member;
    const join = async (role: Role, options: Parameters<typeof connect>[1]) => {
      people.set(role, await connect(testApp(), { organization, role: "member", ...options }));
    };
    await join("admin", { role: "admin" });
    await join("workspace admin", { workspace: "Lab", workspaceRole: "admin", name: "Ana Keller" });
    await join("member", { workspace: "Lab", workspaceRole: "member", name: "Max Member" });
    await join("viewer", { workspace: "Lab", workspaceRole: "viewer" });
    await join("outsider", {});
    for (const place of ["Lab", "Yard", undefined]) {
      const on = place === undefined ? {} : { workspace_id: place };
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name: "Pump",
        ...on,
      });
      const key = place ?? "unplaced";
      assets[key] = asset.id;
      tasks[key] = await aTask({ asset_id: asset.id });
      if (place !== undefined) tasks[`${place} itself`] = await aTask({ workspace_id: place });
    }
  });

  async function aTask(fields: Json): Promise<string> {
    const { task } = await as("owner").ok<CreatedTask>("create_maintenance_task", {
      title: "Work",
      ...fields,
    });
    return task.id;
  }

  /** Expects the call to work only for these roles. All others get an error code. */
  async function expectAllowed(
    tool: string,
    args: Json,
    allowed: Role[],
    refusals: Partial<Record<Role, string>> = {},
  ) {
    for (const [role, person] of people) {
      const result = await person.call(tool, { ...args, dry_run: true });
      const code = (result.structuredContent["error"] as { code?: string } | undefined)?.code;
      const expected = allowed.includes(role) ? undefined : (refusals[role] ?? "forbidden");
      expect(code, `${role}: ${result.content[0]?.text ?? ""}`).toBe(expected);
    }
  }

  const members: Role[] = ["owner", "admin", "workspace admin", "member"];
  const admins: Role[] = ["owner", "admin"];

  test("members of a workspace create tasks in it, viewers don't", async () => {
    for (const on of [{ asset_id: assets["Lab"] }, { workspace_id: "Lab" }]) {
      await expectAllowed("create_maintenance_task", { title: "X", ...on }, members, unseen);
    }
    for (const on of [{ asset_id: assets["Yard"] }, { workspace_id: "Yard" }]) {
      await expectAllowed("create_maintenance_task", { title: "X", ...on }, admins, onlyAdmins);
    }
  });

  test("members of a workspace change its tasks, viewers do not", async () => {
    for (const fields of [{ title: "Y" }, { state: "completed" }, { note: "Z" }]) {
      for (const task of [tasks["Lab"], tasks["Lab itself"]]) {
        const args = { task_id: task, ...fields };
        await expectAllowed("update_maintenance_task", args, members, unseen);
      }
      const args = { task_id: tasks["Yard"], ...fields };
      await expectAllowed("update_maintenance_task", args, admins, onlyAdmins);
    }
  });

  test("only organization admins write tasks without a workspace", async () => {
    await expectAllowed(
      "create_maintenance_task",
      { title: "X", asset_id: assets["unplaced"] },
      admins,
    );
    await expectAllowed(
      "update_maintenance_task",
      { task_id: tasks["unplaced"], title: "Y" },
      admins,
    );
  });

  test("a move requires a role in both workspaces", async () => {
    const visitor = await connect(testApp(), {
      organization: as("owner").member.organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "member",
    });
    await testApp().db.query(
      `INSERT INTO workspace_members (organization_id, workspace_id, user_id, role)
       SELECT organization_id, id, $2, 'viewer' FROM workspaces
       WHERE organization_id = $1 AND name = 'Shop'`,
      [visitor.member.organizationId, visitor.member.userId],
    );
    const move = { task_id: tasks["Lab itself"], workspace_id: "Shop" };

    await expectAllowed("update_maintenance_task", move, admins, onlyAdmins);
    expect(await visitor.refused("update_maintenance_task", move)).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining('your role in "Shop" is viewer') as string,
    });
  });

  test("a refusal names the required role and a person to ask", async () => {
    const refusal = await as("viewer").refused("update_maintenance_task", {
      task_id: tasks["Lab"],
      title: "X",
    });

    expect(refusal.message).toBe(
      'Not authorized: your role in "Lab" is viewer; member or admin is needed to edit tasks. Ask a workspace admin: "Ana Keller".',
    );
  });

  test("an assignee must be able to see the workspace", async () => {
    const owner = as("owner");
    const { userId } = as("member").member;
    const assign = { title: "X", assigned_to_user_id: userId };

    const inLab = await owner.call("create_maintenance_task", { workspace_id: "Lab", ...assign });
    const inYard = await owner.refused("create_maintenance_task", {
      workspace_id: "Yard",
      ...assign,
    });
    const later = await owner.refused("update_maintenance_task", {
      task_id: tasks["Yard"],
      assigned_to_user_id: userId,
    });

    expect(inLab.isError).toBeUndefined();
    for (const refusal of [inYard, later]) {
      expect(refusal).toMatchObject({ code: "validation_failed", field: "assigned_to_user_id" });
      expect(refusal.message).toContain(`"Max Member" can't see the workspace "Yard"`);
    }
  });

  test("a task in another organization is not found by id or number", async () => {
    const stranger = await connect(testApp());

    for (const task of [tasks["Lab"], "T-1"]) {
      const refusal = await stranger.refused("update_maintenance_task", {
        task_id: task,
        title: "X",
      });
      expect(refusal.code).toBe("not_found");
    }
  });
});
