import { afterEach, describe, expect, test, vi } from "vitest";
import { useApp } from "../support/app.js";
import { press } from "../support/browser.js";
import { connect } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";
import { before } from "../support/statements.js";

describe("undoing changes of what has a long history", () => {
  const current = useApp();

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("LIM-64 holds the histories of a few records at once, and undoes all of them", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    await owner.ok("create_workspace", { name: "Lab" });
    const ids: string[] = [];
    for (const name of ["Fan", "Lamp", "Pump"]) {
      const made = await owner.ok<{ asset: { id: string } }>("create_asset", {
        ...{ name, workspace_id: "Lab", location: "Roof" },
      });
      ids.push(made.asset.id);
    }
    await owner.ok("update_asset", { asset_ids: ids, location: "Cellar" });
    const sets: { id: string }[] = await db.query(
      "SELECT id FROM change_sets WHERE organization_id = $1",
      [owner.member.organizationId],
    );
    await db.query(
      `INSERT INTO history_events (id, organization_id, workspace_id, asset_id, type, occurred_at,
         actor_user_id, actor_name, source, changes)
       SELECT 'evt_' || a.number || lpad(n::text, 11, '0'), e.organization_id, e.workspace_id,
         e.asset_id, e.type, e.occurred_at, e.actor_user_id, e.actor_name, 'web', '[]'
       FROM unnest($1::text[]) WITH ORDINALITY a (id, number)
       JOIN history_events e ON e.asset_id = a.id AND e.change_set_id = $2, generate_series(1, 1000) n`,
      [ids, sets[0]?.id],
    );
    const browser = await signIn(app, owner.member);
    const page = await browser.get(`/changes/${String(sets[0]?.id)}`);
    const reads = before(/SELECT s\.id AS subject/, 0, () => Promise.resolve());

    await press(browser, page, "Undo");

    const places: unknown[] = await db.query(
      "SELECT DISTINCT location FROM assets WHERE id = ANY ($1)",
      [ids],
    );
    expect(places).toEqual([{ location: "Roof" }]);
    expect(reads()).toBe(3);
  });
});
