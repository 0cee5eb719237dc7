import { beforeAll, describe, expect, test } from "vitest";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Stock {
  asset: string;
  number: string;
  task: string;
  workspace: string;
  colleague: string;
}

/** A call of each tool that would change much. */
const calls: Record<string, (stock: Stock) => Json> = {
  create_asset: () => ({ name: "Fan", workspace_id: "Lab", category: "New", request_key: "k1" }),
  update_asset: ({ asset }) => ({
    asset_id: asset,
    clear_fields: ["workspace_id", "assigned_to_user_id"],
    category: "Newer",
    inventory_number: "N-2",
    note: "Moved.",
  }),
  update_asset_state: ({ asset }) => ({ asset_id: asset, state: "deleted", reason: "lost" }),
  create_maintenance_task: ({ asset }) => ({
    asset_id: asset,
    title: "Grease",
    due_date: "2099-01-31",
    recurrence: { every: 1, unit: "month" },
    checklist: ["One"],
    request_key: "k2",
  }),
  update_maintenance_task: ({ task }) => ({
    task_id: task,
    state: "completed",
    parts_cost: 80,
    checklist_done: [1],
  }),
  remove_user: ({ colleague }) => ({ user_id: colleague, from_organization: true }),
  delete_workspace: () => ({ workspace_id: "Empty" }),
  force_delete_asset: ({ asset, number }) => ({
    asset_id: asset,
    confirm_inventory_number: number,
  }),
};

/** Written for every call or as a side effect. Not data of the organization. */
const besides = ["tool_call_log", "oauth_connections", "sessions", "migrations"];

describe("dry run", () => {
  const testApp = useApp();
  let owner: Connected;
  let stock: Stock;

  beforeAll(async () => {
    owner = await connect(testApp());
    const { organization } = owner.member;
    const colleague = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const empty = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name: "Empty",
    });
    await owner.ok("create_invite", { email: "new@example.com", workspace_id: "Empty" });
    const { asset } = await owner.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      {
        name: "Pump",
        workspace_id: "Lab",
        assigned_to_user_id: colleague.member.userId,
        inventory_number: "N-1",
      },
    );
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      asset_id: asset.id,
      title: "Check",
      due_date: "2099-01-31",
      assigned_to_user_id: colleague.member.userId,
      recurrence: { every: 1, unit: "week" },
      requires_downtime: true,
      checklist: ["One", "Two"],
    });
    await owner.ok("update_maintenance_task", { task_id: task.id, state: "in_progress" });
    stock = {
      asset: asset.id,
      number: "N-1",
      task: task.id,
      workspace: empty.workspace.id,
      colleague: colleague.member.userId,
    };
  });

  test("exists for exactly the tools tested here", () => {
    const tools = [...registeredTools.values()].filter(
      ({ inputSchema }) => inputSchema.properties?.["dry_run"] !== undefined,
    );

    expect(tools.map(({ tool }) => tool.name)).toEqual(Object.keys(calls));
  });

  test.each(Object.keys(calls))("%s leaves no trace", async (tool) => {
    const before = await dump();

    const answer = await owner.ok(tool, { ...calls[tool]?.(stock), dry_run: true });

    expect(answer["dry_run"]).toBe(true);
    expect(await dump()).toEqual(before);
  });

  test.each(Object.keys(calls))(
    "%s reports that nothing was changed, and invents no id",
    async (tool) => {
      const args = { ...calls[tool]?.(stock), dry_run: true };
      const { content, structuredContent } = await owner.call(tool, args);

      expect(JSON.stringify(content)).toContain("Dry run: nothing was changed.");
      expect(structuredContent).not.toHaveProperty("deleted");
      expectKnown(JSON.stringify(structuredContent), JSON.stringify(await dump()));
    },
  );

  test("a call for several records invents no id", async () => {
    const assets = [{ name: "Fan 1" }, { name: "Fan 2" }];
    const asset_ids = [stock.asset];
    const several: [string, Json][] = [
      ["create_asset", { workspace_id: "Lab", assets }],
      ["create_maintenance_task", { asset_ids, title: "Grease" }],
      ["update_maintenance_task", { task_ids: [stock.task], state: "completed" }],
    ];
    for (const [tool, args] of several) {
      const answer = await owner.ok(tool, { ...args, dry_run: true });
      expectKnown(JSON.stringify(answer), JSON.stringify(await dump()));
    }
  });

  test("returns the fields that the actual change returns", async () => {
    for (const tool of ["update_maintenance_task", "delete_workspace", "force_delete_asset"]) {
      const before = await dump();
      const args = calls[tool]?.(stock) ?? {};

      const tried = await owner.ok(tool, { ...args, dry_run: true });
      const done = await owner.ok(tool, args);

      const keys = Object.keys(done).map((key) => (key === "deleted" ? "would_delete" : key));
      expect(Object.keys(tried)).toEqual(expect.arrayContaining(keys));
      expect(await dump()).not.toEqual(before);
    }
  });

  /** Expects all ids and numbers in a response to exist already. */
  function expectKnown(answer: string, data: string): void {
    const names = answer.match(/\b[a-z]{3}_[0-9a-z]{12}\b|\b\d{3}-\d{6}\b/g) ?? [];
    const numbers = (answer.match(/"T-\d+/g) ?? []).map((number) => number.slice(3));
    const all = [...names, ...numbers.map((number) => `"task_number":${number},`)];
    expect(all.filter((one) => !data.includes(one))).toEqual([]);
  }

  /** Every row of every table, so no change is missed. */
  async function dump(): Promise<Record<string, unknown>> {
    const { db } = testApp();
    const tables = await db.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
    );
    const rows: Record<string, unknown> = {};
    for (const { tablename } of tables) {
      if (besides.includes(tablename)) continue;
      // The time a person was last active is written once a minute, regardless of their actions.
      rows[tablename] = await db.query(
        `SELECT to_jsonb(t) - 'last_active_at' AS row FROM ${tablename} t ORDER BY 1`,
      );
    }
    return rows;
  }
});
