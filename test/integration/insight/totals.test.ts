import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

const many = 10_001;

describe("lists too long to count", () => {
  const current = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(current());
    const { organizationId, userId } = owner.member;
    const { db } = current();
    await db.query(
      `INSERT INTO assets (id, organization_id, inventory_number, name, criticality, qr_token,
         created_by)
       SELECT 'ast_' || lpad(i::text, 12, '0'), $1, 'F-' || i, 'Lamp ' || i,
         CASE WHEN i > 3 THEN 'medium' ELSE 'critical' END, 'label' || lpad(i::text, 19, '0'), $2
       FROM generate_series(1, $3) i`,
      [organizationId, userId, many],
    );
    await db.query(
      `INSERT INTO maintenance_tasks (id, organization_id, task_number, asset_id, title, type,
         due_date, created_by)
       SELECT 'tsk_' || lpad(i::text, 12, '0'), $1, i, 'ast_' || lpad('1', 12, '0'), 'Clean ' || i,
         'inspection', current_date + $3::int * CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END, $2
       FROM generate_series(1, 2 * $4::int) i`,
      [organizationId, userId, 3, many],
    );
  });

  test("report more than 10,000 assets, and exact counts up to that", async () => {
    const all = await owner.ok("list_assets", { limit: 2 });
    const critical = await owner.ok("list_assets", { criticality: "critical" });
    const found = await owner.ok("list_assets", { query: "lamp", limit: 2 });

    expect(all).toMatchObject({ total_count: 10_000, total_is_minimum: true });
    expect(found).toMatchObject({ total_count: 10_000, total_is_minimum: true });
    expect(critical).toMatchObject({ total_count: 3 });
    expect(critical).not.toHaveProperty("total_is_minimum");
  });

  test("report a minimum for tasks and overdue tasks", async () => {
    const all = await owner.ok("list_maintenance_tasks", { limit: 2 });
    const one = await owner.ok("list_maintenance_tasks", { query: "T-7" });

    expect(all).toMatchObject({
      total_count: 10_000,
      total_is_minimum: true,
      overdue_count: 10_000,
      overdue_is_minimum: true,
    });
    expect(one).toMatchObject({ total_count: 1, overdue_count: 1 });
    expect(one).not.toHaveProperty("overdue_is_minimum");
  });

  test("show the minimum on pages", async () => {
    const browser = await signIn(current().app, owner.member);

    expect((await browser.get("/assets")).body).toContain("of more than 10,000 assets");
    expect((await browser.get("/tasks")).body).toContain(
      "of more than 10,000 tasks, more than 10,000 overdue",
    );
    expect((await browser.get("/")).body).toContain("View all 10,001 tasks due in the next 7 days");
  });
});
