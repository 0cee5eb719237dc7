import { describe, expect, test } from "vitest";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

/**
 * The kind of object that an argument refers to. A new id argument fails here until it is listed.
 */
const kinds: Record<string, keyof Stock> = {
  asset_id: "asset",
  asset_ids: "asset",
  parent_asset_id: "asset",
  workspace_id: "workspace",
  task_id: "task",
  task_ids: "task",
  invite_id: "invite",
  user_id: "person",
  assigned_to_user_id: "person",
  actor_user_id: "person",
  reassign_to_user_id: "person",
};

const idArguments = [...registeredTools.values()].flatMap(({ tool, inputSchema }) =>
  Object.keys(inputSchema.properties ?? {})
    .filter((name) => /_ids?$/.test(name) && name !== "include_ids")
    .map((argument) => ({ tool: tool.name, argument })),
);

const rest: Record<string, (own: Own, argument: string) => Json> = {
  create_asset: () => ({ name: "X" }),
  update_asset: ({ asset }, argument) => ({
    ...(argument !== "asset_ids" && { asset_id: asset }),
    name: "Y",
  }),
  update_asset_state: ({ asset }, argument) => ({
    ...(argument !== "asset_ids" && { asset_id: asset }),
    state: "stored",
  }),
  create_maintenance_task: ({ asset }, argument) => ({
    title: "X",
    ...(!["workspace_id", "asset_ids"].includes(argument) && { asset_id: asset }),
  }),
  update_maintenance_task: ({ task }, argument) => ({
    ...(argument !== "task_ids" && { task_id: task }),
    title: "Y",
  }),
  create_invite: () => ({ email: `${Math.random()}@example.com` }),
  remove_user: ({ colleague }, argument) => ({
    user_id: colleague,
    ...(argument !== "workspace_id" && { from_organization: true }),
    dry_run: true,
  }),
  update_workspace: () => ({ address: "Dock 4" }),
  delete_workspace: () => ({ dry_run: true }),
  force_delete_asset: () => ({ confirm_inventory_number: "N-1", dry_run: true }),
};

interface Own {
  asset: string;
  /** A task on a place, which can move. */
  task: string;
  colleague: string;
}

/** Every way to name each object. */
interface Stock {
  asset: string[];
  workspace: string[];
  task: string[];
  invite: string[];
  person: string[];
}

describe("token of one organization", () => {
  const testApp = useApp();

  /** A person with one of every object, and all ways to name these objects. */
  async function stocked(): Promise<{ person: Connected; stock: Stock; own: Own }> {
    const person = await connect(testApp());
    const { workspace } = await person.ok<{ workspace: { id: string } }>("create_workspace", {
      name: `Place ${person.member.userId.slice(4)}`,
    });
    const { asset } = await person.ok<{ asset: { id: string } }>("create_asset", {
      name: "Thing",
      inventory_number: `N-${person.member.userId.slice(4)}`,
      workspace_id: workspace.id,
    });
    const { task } = await person.ok<{ task: { id: string } }>("create_maintenance_task", {
      title: "Job",
      workspace_id: workspace.id,
    });
    const { invite } = await person.ok<{ invite: { id: string } }>("create_invite", {
      email: `guest-${person.member.userId}@example.com`,
    });
    const { organization } = person.member;
    const colleague = await aMember(testApp().db, { organization, role: "admin" });
    const stock = {
      asset: [asset.id, `N-${person.member.userId.slice(4)}`],
      workspace: [workspace.id, `Place ${person.member.userId.slice(4)}`],
      task: [task.id],
      invite: [invite.id],
      person: [colleague.userId, colleague.email],
    };
    return {
      person,
      stock,
      own: { asset: asset.id, task: task.id, colleague: colleague.userId },
    };
  }

  test("covers every id argument", () => {
    expect(idArguments.filter(({ argument }) => kinds[argument] === undefined)).toEqual([]);
    expect(idArguments.length).toBeGreaterThan(7);
  });

  test.each(idArguments)(
    "MCP-09: reaches nothing in another organization through $argument of $tool",
    async (target) => {
      const { person, stock: mine, own } = await stocked();
      const { person: other, stock } = await stocked();
      const before = await rowsOf(other);
      const kind = kinds[target.argument] ?? "asset";
      const others = rest[target.tool]?.(own, target.argument) ?? {};
      const named = (values: string[]) =>
        target.tool === "force_delete_asset" ? values.slice(0, 1) : values;

      for (const value of named(stock[kind])) {
        const refusal = await person.refused(target.tool, { ...others, [target.argument]: value });
        expect(refusal.code).toBe("not_found");
        expect(refusal.message).not.toContain("Thing");
      }
      for (const value of named(mine[kind])) {
        const result = await person.call(target.tool, { ...others, [target.argument]: value });
        // The object is found, though the call may be refused for another reason.
        const error = result.structuredContent["error"] as { code: string } | undefined;
        expect(["not_found", "internal_error"]).not.toContain(error?.code);
      }
      expect(await rowsOf(other)).toEqual(before);
    },
  );

  test("MCP-09: lists and finds nothing from another organization", async () => {
    const { person } = await stocked();
    const { stock } = await stocked();

    for (const query of stock.asset) {
      const found = await person.ok<{ total_count: number }>("list_assets", {
        query,
        state: "all",
      });
      expect(found).toMatchObject({ total_count: 0 });
    }
    for (const [tool, args, count] of [
      ["list_workspaces", {}, 1],
      ["list_maintenance_tasks", {}, 1],
      ["list_invites", { status: "all" }, 1],
      ["list_users", {}, 2],
      ["search_asset_history", {}, 2],
      ["search_asset_history", { query: "created" }, 2],
    ] as const) {
      const found = await person.ok<{ total_count: number }>(tool, args);
      expect(found.total_count, tool).toBe(count);
    }
    const stats = await person.ok("get_organization_stats");
    expect(stats).toMatchObject({
      assets: { total: 1 },
      tasks: { total: 1 },
      people: { members: 2, pending_invites: 1 },
      workspaces: 1,
    });
  });

  async function rowsOf({ member }: Connected): Promise<unknown[]> {
    const { db } = testApp();
    const tables = [
      "assets",
      "workspaces",
      "maintenance_tasks",
      "invites",
      "history_events",
      "asset_state_periods",
    ];
    return Promise.all(
      tables.map((table) =>
        db.query(`SELECT * FROM ${table} t WHERE organization_id = $1 ORDER BY t.id`, [
          member.organizationId,
        ]),
      ),
    );
  }
});
