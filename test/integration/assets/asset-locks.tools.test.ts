import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { untilOneWaits } from "../../support/database.js";
import { connect } from "../../support/mcp.js";

describe("change waiting for another change to the asset", () => {
  const current = useApp();

  test("reports references that changed during the wait", async () => {
    const { ok } = await connect(current(), { clientId: "fettle-bridge" });
    for (const name of ["Lab", "Yard"]) await ok("create_workspace", { name });
    const create = (fields: object) =>
      ok<{ asset: { id: string } }>("create_asset", {
        name: "Pump",
        workspace_id: "Lab",
        ...fields,
      });
    const { asset } = await create({ category: "Tools" });
    await create({ name: "Fan", category: "HVAC" });

    let change: Promise<{ changed: object[] }> | undefined;
    await current().db.transaction(async (tx) => {
      await tx.query(
        `UPDATE assets SET category_id = (SELECT id FROM asset_categories WHERE name = 'HVAC'
           AND organization_id = assets.organization_id) WHERE id = $1`,
        [asset.id],
      );
      change = ok("update_asset", { asset_id: asset.id, category: "Vehicles" });
      await untilOneWaits(current().db);
    });

    expect((await change)?.changed).toMatchObject([
      { field: "category", from: "HVAC", to: "Vehicles" },
    ]);
  });
});
