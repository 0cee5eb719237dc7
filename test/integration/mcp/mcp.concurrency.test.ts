// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";

interface Answer {
  asset: { id: string; inventory_number: string; version: number };
}

const twenty = Array.from({ length: 20 }, (_, index) => index);

describe("simultaneous calls", () => {
  const testApp = useApp();

  test("20 creations get 20 numbers and skip taken ones", async () => {
    const owner = await connect(testApp());
    const { asset: first } = await owner.ok<Answer>("create_asset", { name: "First" });
    const prefix = first.inventory_number.slice(0, -7);
    for (const parked of ["000003", "000007"]) {
      await owner.ok("create_asset", { name: "P", inventory_number: `${prefix}-${parked}` });
    }

    const created = await Promise.all(
      twenty.map((index) => owner.ok<Answer>("create_asset", { name: `Chair ${index}` })),
    );

    const numbers = created.map(({ asset }) => asset.inventory_number);
    expect(new Set(numbers).size).toBe(20);
    expect(numbers).not.toContain(`${prefix}-000003`);
    expect(await owner.ok("list_assets")).toMatchObject({ total_count: 23 });
  });

  test("one of 20 updates of one version succeeds", async () => {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<Answer>("create_asset", { name: "Pump" });

    const results = await Promise.all(
      twenty.map((index) =>
        owner.call("update_asset", {
          asset_id: asset.id,
          name: `Pump ${index}`,
          expected_version: 1,
        }),
      ),
    );

    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(1);
    const { asset: after } = await owner.ok<Answer>("get_asset", { asset_id: asset.id });
    expect(after.version).toBe(2);
  });

  test("20 calls with one request_key create one asset", async () => {
    const owner = await connect(testApp());

    const created = await Promise.all(
      twenty.map(() => owner.ok<Answer>("create_asset", { name: "Chair", request_key: "k" })),
    );

    expect(new Set(created.map(({ asset }) => asset.id)).size).toBe(1);
    expect(created.filter((answer) => "deduplicated" in answer)).toHaveLength(19);
    expect(await owner.ok("list_assets")).toMatchObject({ total_count: 1 });
  });

  test("rejects two assets becoming parts of each other at once", async () => {
    const owner = await connect(testApp());
    for (let round = 0; round < 5; round += 1) {
      const { asset: left } = await owner.ok<Answer>("create_asset", { name: "L" });
      const { asset: right } = await owner.ok<Answer>("create_asset", { name: "R" });

      const results = await Promise.all([
        owner.call("update_asset", { asset_id: left.id, parent_asset_id: right.id }),
        owner.call("update_asset", { asset_id: right.id, parent_asset_id: left.id }),
      ]);

      expect(results.filter(({ isError }) => isError === true)).toHaveLength(1);
    }
  });

  test("concurrent state changes of one asset leave one open period and no gap", async () => {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<Answer>("create_asset", { name: "Pump" });
    const states = ["in_use", "stored", "out_of_service", "in_maintenance"];

    await Promise.all(
      twenty.map((index) =>
        owner.ok("update_asset_state", { asset_id: asset.id, state: states[index % 4] }),
      ),
    );

    const row = await testApp().db.maybe<{ open: number; gaps: number }>(
      `SELECT (count(*) FILTER (WHERE ended_at IS NULL))::int AS open,
         (count(*) FILTER (WHERE ended_at <> next))::int AS gaps
       FROM (SELECT ended_at, lead(started_at) OVER (ORDER BY id) AS next
         FROM asset_state_periods WHERE asset_id = $1) p`,
      [asset.id],
    );
    expect(row).toEqual({ open: 1, gaps: 0 });
  });

  test("creates one category for many assets that name it first", async () => {
    const owner = await connect(testApp());

    await Promise.all(
      twenty.map((index) => owner.ok("create_asset", { name: `${index}`, category: "HVAC" })),
    );

    expect(await owner.ok("list_assets", { category: "hvac" })).toMatchObject({ total_count: 20 });
  });
});
