import { expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";

const testApp = useApp();

interface Stats {
  assets: {
    total: number;
    by_category: { category: string; assets: number }[];
    categories_not_shown?: number;
    by_workspace: { workspace_name?: string; assets: number; overdue_tasks: number }[];
    workspaces_not_shown?: number;
  };
  tasks: { by_state: { overdue: number } };
}

test("counts every workspace and category, and rows add up to the totals", async () => {
  const owner = await connect(testApp());
  const names = Array.from({ length: 14 }, (_, index) => `Hall ${index + 1}`);
  for (const name of names) await owner.ok("create_workspace", { name });
  const { assets: rows } = await owner.ok<{ assets: { id: string }[] }>("create_asset", {
    assets: [
      ...names.map((name) => ({ name: "Pump", workspace_id: name, category: `Kind ${name}` })),
      { name: "Spare" },
    ],
  });
  await owner.ok("create_maintenance_task", {
    asset_ids: rows.map(({ id }) => id),
    title: "Service",
    due_date: "2026-01-31",
  });

  const { assets, tasks } = await owner.ok<Stats>("get_organization_stats");

  const sum = (key: "assets" | "overdue_tasks") =>
    assets.by_workspace.reduce((total, row) => total + row[key], 0);
  expect(assets.by_category).toHaveLength(14);
  expect(assets.by_workspace).toHaveLength(15);
  expect([sum("assets"), sum("overdue_tasks")]).toEqual([15, 15]);
  expect([assets.total, tasks.by_state.overdue]).toEqual([15, 15]);
  expect(assets).not.toHaveProperty("workspaces_not_shown");
});

test("returns the number of omitted groups past a hundred", async () => {
  const owner = await connect(testApp());
  const rows = Array.from({ length: 103 }, (_, index) => ({
    name: "Pump",
    category: `Kind ${index}`,
  }));
  for (const start of [0, 35, 70]) {
    await owner.ok("create_asset", { assets: rows.slice(start, start + 35) });
  }

  const { assets } = await owner.ok<Stats>("get_organization_stats");

  expect(assets.by_category).toHaveLength(100);
  expect(assets.categories_not_shown).toBe(3);
});

test("orders a group's costs by currency", async () => {
  const owner = await connect(testApp());
  for (const currency of ["USD", "EUR", "ZAR", "CHF"]) {
    await testApp().db.query("UPDATE organizations SET currency = $2 WHERE id = $1", [
      owner.member.organizationId,
      currency,
    ]);
    await owner.ok("create_workspace", { name: currency });
    await owner.ok("create_maintenance_task", {
      ...{ workspace_id: currency, title: "Service", type: "inspection" },
      completed: { labor_cost: 5 },
    });
  }

  const stats = await owner.ok<{ groups: { cost: object }[] }>("get_organization_stats", {
    group_by: "task_type",
  });

  const orders = stats.groups.map(({ cost }) => Object.keys(cost).join());
  expect(orders).toEqual(["CHF,EUR,USD,ZAR"]);
});
