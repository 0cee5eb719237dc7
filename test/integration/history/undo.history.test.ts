import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { findSubjects, withEvents } from "../../../server/src/domain/history/find-subjects.js";
import { planUndo } from "../../../server/src/domain/history/undo.js";
import { useApp } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { toCaller } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { before } from "../../support/statements.js";

describe("undo of records with a long history", () => {
  const current = useApp();

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("LIM-64 holds few record histories at once, and undoes all of them", async () => {
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
    const sets = await db.query<{ id: string }>(
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
    const reads = before(/WITH own AS/, 0, () => Promise.resolve());

    await press(browser, page, "Undo");

    const places = await db.query("SELECT DISTINCT location FROM assets WHERE id = ANY ($1)", [
      ids,
    ]);
    expect(places).toEqual([{ location: "Roof" }]);
    expect(reads()).toBe(3);
  });

  test("LIM-79 reads few events of a task an app changed thousands of times", async () => {
    const { db } = current();
    const owner = await connect(current());
    const { member } = owner;
    await owner.ok("create_workspace", { name: "Yard" });
    const made = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ workspace_id: "Yard", title: "Title 1500", due_date: "2027-01-31" },
      description: "Text 3000",
    });
    // A person changes the description in between and the title at the end.
    await db.query(
      `INSERT INTO history_events (id, organization_id, task_id, type, occurred_at, actor_name, source,
         change_set_id, changes, before)
       SELECT 'evt_' || lpad(n::text, 12, '0'), $1, $2, 'task_updated', now(),
         CASE WHEN n IN (1000, 1500) THEN 'Person' ELSE 'App' END, 'web',
         CASE WHEN n IN (1000, 1500) THEN NULL ELSE 'chg_often' END,
         (SELECT jsonb_agg(jsonb_build_object('field', CASE f WHEN 'Text' THEN 'description' ELSE 'title' END, 'from', f || ' ' || n - 1, 'to', f || ' ' || n))
           FROM unnest(CASE WHEN n <= 1500 THEN ARRAY['Text', 'Title'] ELSE ARRAY['Text'] END) f
           WHERE n NOT IN (1000, 1500) OR (f = 'Title') = (n = 1500)),
         jsonb_build_object('description', 'Whole ' || n - 1)
       FROM generate_series(1, 3000) n`,
      [member.organizationId, made.task.id],
    );
    const caller = toCaller(member);
    const selection = { changeSetId: "chg_often" };
    const page = { after: null, limit: 10 };

    const found = await findSubjects(db, caller, selection, page);
    const held: number[] = [];
    for await (const { events } of withEvents(db, caller, selection, found)) {
      held.push(events.length);
    }
    const plan = await planUndo(db, caller, selection);

    expect(held).toEqual([5]);
    expect(plan.records).toMatchObject([
      {
        changes: [{ field: "description", from: "Text 3000", to: "Whole 1000" }],
        conflicts: [{ field: "title", by: "Person" }],
      },
    ]);
  });

  // The embedded database runs one transaction at a time, so no concurrent work is possible.
  describe.runIf(inject("databaseUrl") !== null)("concurrent changes during the undo", () => {
    async function start() {
      const owner = await connect(current());
      const { organization } = owner.member;
      const other = await connect(current(), { organization, role: "admin" });
      await owner.ok("create_workspace", { name: "Lab" });
      const browser = await signIn(current().app, owner.member);
      const undo = async () => {
        const address = `/settings/apps/${owner.connectionId}/undo?span=hour`;
        return press(browser, await browser.get(address), "Undo");
      };
      return { owner, other, undo };
    }

    test("keeps an asset that gets new work during the undo", async () => {
      const { owner, other, undo } = await start();
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Fan" });
      const work = { asset_id: asset.id, title: "Oil" };
      before(/FROM assets a WHERE[^]*FOR NO KEY UPDATE/, 1, () =>
        other.ok("create_maintenance_task", work),
      );

      await undo();

      const read = await owner.ok("get_asset", { asset_id: asset.id });
      expect(read).toMatchObject({ asset: { state: "available" }, open_tasks: [{ title: "Oil" }] });
    });

    test("keeps work that is completed during the undo", async () => {
      const { owner, other, undo } = await start();
      const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
        ...{ workspace_id: "Lab", title: "Sweep" },
      });
      before(/FROM maintenance_tasks t WHERE[^]*FOR NO KEY UPDATE/, 1, () =>
        other.ok("update_maintenance_task", { task_id: task.id, state: "completed" }),
      );

      await undo();

      const read = await owner.ok("get_maintenance_task", { task_id: task.id });
      expect(read).toMatchObject({ task: { state: "completed" } });
    });
  });
});
