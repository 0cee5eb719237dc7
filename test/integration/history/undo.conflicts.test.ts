// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { daysFromNow } from "../../support/tasks.js";
import { useUndo } from "../../support/undo-scene.js";

const current = useApp();
const { start, addAsset, addTask, change, count, undo, redo, toldBy, taskOf, assetOf, read } =
  useUndo(current);

describe("undo that keeps changes by other people:", () => {
  test("keeps the currency of a changed cost", async () => {
    const scene = await start();
    const { app, person } = scene;
    const task = await addTask(person, { asset_id: await addAsset(person) });
    await change(app, task, { state: "completed", labor_cost: 5 });
    await change(person, task, { parts_cost: 3 });

    const told = await toldBy(await undo(scene));

    expect(told).toEqual([["currency", "currency_in_use"]]);
    expect(await taskOf(task)).toMatchObject({
      ...{ state: "scheduled", labor_cost: null, parts_cost: "3.0000", currency: "USD" },
    });
  });

  test("keeps the currency of a changed price", async () => {
    const scene = await start();
    const asset_id = await addAsset(scene.person);
    await scene.app.ok("update_asset", { asset_id, purchase_cost: 5 });
    await scene.person.ok("update_asset", { asset_id, purchase_cost: 7 });

    await undo(scene);

    expect(await assetOf(asset_id)).toMatchObject({ purchase_cost: "7.0000", currency: "USD" });
  });

  test("doesn't restore a cost in another currency", async () => {
    const scene = await start();
    const { app, person, member } = scene;
    const task = await addTask(person, { asset_id: await addAsset(person) });
    await change(app, task, { labor_cost: 5 });
    const set = await undo(scene);
    await current().db.query("UPDATE organizations SET currency = 'EUR' WHERE id = $1", [
      member.organizationId,
    ]);
    await change(person, task, { parts_cost: 3 });

    const told = await toldBy(await redo(scene, set));

    expect(told).toContainEqual(["labor_cost", "cost_of_other_currency"]);
    expect(await taskOf(task)).toMatchObject({ labor_cost: null, currency: "EUR" });
  });

  test.each(["cancelled", "on_hold", "scheduled"])(
    "keeps work they completed and set to %s after the app reopened it",
    async (state) => {
      const scene = await start();
      const { app, person } = scene;
      const task = await addTask(person, { asset_id: await addAsset(person) });
      await change(person, task, { state: "completed" });
      await change(app, task, { state: "in_progress", title: "Grease" });
      await change(person, task, { state });

      const told = await toldBy(await undo(scene));

      expect(told.map(([field]) => field)).toContain("state");
      expect(await taskOf(task)).toMatchObject({ state, completed_at: null, title: "Oil" });
    },
  );

  test("keeps a completion whose time they corrected", async () => {
    const scene = await start();
    const task = await addTask(scene.person, { asset_id: await addAsset(scene.person) });
    await change(scene.app, task, { state: "completed", completion_notes: "Done" });
    const completed_at = "2026-01-05T10:00:00.000Z";
    await change(scene.person, task, { completed_at });

    const told = await toldBy(await undo(scene));

    expect(told.map(([field]) => field).toSorted()).toEqual(["completed_at", "state"]);
    expect(await taskOf(task)).toMatchObject({
      ...{ state: "completed", completed_at: new Date(completed_at), completion_notes: null },
    });
  });

  test("keeps an asset down for work they put on hold", async () => {
    const scene = await start();
    const asset_id = await addAsset(scene.person);
    const task = await addTask(scene.person, { asset_id, requires_downtime: true });
    await change(scene.app, task, { state: "in_progress" });
    await change(scene.person, task, { state: "on_hold" });
    await scene.app.ok("update_asset", { asset_id, location: "Roof" });

    const told = await toldBy(await undo(scene));

    expect(told).toEqual([
      ["state", "work_keeps_down"],
      ["state", undefined],
    ]);
    expect(await assetOf(asset_id)).toMatchObject({ state: "in_maintenance" });
    await change(scene.person, task, { state: "completed" });
    expect(await assetOf(asset_id)).toMatchObject({ state: "available" });
  });

  test("keeps work they started on the asset an app moved it to", async () => {
    const scene = await start();
    const [from, to] = [await addAsset(scene.person), await addAsset(scene.person)];
    const task = await addTask(scene.person, { asset_id: from, requires_downtime: true });
    await change(scene.app, task, { asset_id: to });
    await change(scene.person, task, { state: "in_progress" });
    await change(scene.app, task, { state: "on_hold" });

    const told = await toldBy(await undo(scene));

    expect(told).toEqual([["asset_id", "work_has_begun"]]);
    expect(await taskOf(task)).toMatchObject({ state: "in_progress", asset_id: to });
    await change(scene.person, task, { state: "completed" });
    expect(await assetOf(to)).toMatchObject({ state: "available" });
  });

  test("moves work they had ended back and restores its state", async () => {
    const scene = await start();
    const [from, to] = [await addAsset(scene.person), await addAsset(scene.person)];
    const task = await addTask(scene.person, { asset_id: from });
    await change(scene.person, task, { state: "completed" });
    await change(scene.app, task, { state: "in_progress" });
    await change(scene.app, task, { state: "scheduled" });
    await change(scene.app, task, { asset_id: to });

    expect(await toldBy(await undo(scene))).toEqual([]);
    expect(await taskOf(task)).toMatchObject({ state: "completed", asset_id: from });
  });

  test("doesn't restart a recurrence they ended", async () => {
    const scene = await start();
    const task = await addTask(scene.person, {
      ...{ asset_id: await addAsset(scene.person), due_date: daysFromNow(9) },
      recurrence: { every: 1, unit: "month" },
    });
    await change(scene.app, task, { state: "in_progress" });
    await change(scene.person, task, { clear_fields: ["recurrence", "due_date"] });

    await undo(scene);

    expect(await read(scene.person, task)).not.toHaveProperty("repeats");
  });

  test.each([
    ["that repeats by usage alone", { every_usage: 50, meter: "Odometer" }, undefined],
    [
      "that they let repeat by usage alone",
      { every: 1, unit: "month" },
      { every_usage: 50, meter: "Odometer" },
    ],
  ])("restores the due date of work %s", async (_, recurrence, later) => {
    const scene = await start();
    const asset_id = await addAsset(scene.person);
    await count(scene.person, asset_id, 100);
    const due_date = daysFromNow(40);
    const task = await addTask(scene.person, { asset_id, due_date, recurrence });
    await change(scene.app, task, { due_date: daysFromNow(50) });
    if (later !== undefined) await change(scene.person, task, { recurrence: later });

    expect(await toldBy(await undo(scene))).toEqual([]);

    expect(await read(scene.person, task)).toMatchObject({
      ...{ due_date, repeats: "every 50 km (Odometer)" },
    });
  });

  test("keeps the due date when they made the work repeat by days", async () => {
    const scene = await start();
    const task = await addTask(scene.person, { asset_id: await addAsset(scene.person) });
    await change(scene.app, task, { due_date: daysFromNow(20) });
    await change(scene.person, task, { recurrence: { every: 1, unit: "week" } });

    const told = await toldBy(await undo(scene));

    expect(told).toEqual([["due_date", "due_date_of_repetition"]]);
    expect(await read(scene.person, task)).toMatchObject({ due_date: daysFromNow(20) });
  });
});

describe("undo with errors", () => {
  async function moveTwo() {
    const scene = await start();
    const ids = [];
    for (const location of ["Vault", "Roof"]) ids.push(await addAsset(scene.person, { location }));
    const [vault = "", roof = ""] = ids;
    await scene.app.ok("update_asset", { asset_ids: ids, location: "Bay" });
    const set = await current().db.maybe<{ id: string }>(
      "SELECT id FROM change_sets WHERE organization_id = $1",
      [scene.member.organizationId],
    );
    const browser = await signIn(current().app, scene.member);
    return { ...scene, browser, vault, roof, set: `/changes/${String(set?.id)}` };
  }

  test("reports an error in one record and undoes the others", async () => {
    const { db } = current();
    const { browser, vault, roof, set } = await moveTwo();
    await db.query(
      "ALTER TABLE assets ADD CONSTRAINT no_vault CHECK (location <> 'Vault') NOT VALID",
    );

    const done = await press(browser, await browser.get(set), "Undo");
    await db.query("ALTER TABLE assets DROP CONSTRAINT no_vault");

    const shown = await browser.get(String(done.headers.location));
    expect(shown.body).toContain("1 record<");
    expect(shown.body).toContain("unchanged. Couldn't undo this.");
    expect(shown.body).toContain(">Redo<");
    expect(await assetOf(vault)).toMatchObject({ location: "Bay" });
    expect(await assetOf(roof)).toMatchObject({ location: "Roof" });
    expect((await browser.get(set)).body).toContain("Undone.");
  });

  /** Makes the next changes of an asset fail, up to this many times. */
  async function endChanges(code: string, times: number): Promise<void> {
    await current().db.query(
      `CREATE SEQUENCE tries;
       CREATE FUNCTION end_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('tries') <= ${times} THEN RAISE EXCEPTION USING ERRCODE = '${code}'; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER end_change BEFORE UPDATE ON assets FOR EACH ROW EXECUTE FUNCTION end_change()`,
    );
  }
  const endNone = () =>
    current().db.query(
      "DROP TRIGGER end_change ON assets; DROP FUNCTION end_change; DROP SEQUENCE tries",
    );

  test.each(["40P01", "40001"])("retries a transient error (%s)", async (code) => {
    const { browser, vault, roof, set } = await moveTwo();
    await endChanges(code, 2);

    const done = await press(browser, await browser.get(set), "Undo");
    await endNone();

    expect((await browser.get(String(done.headers.location))).body).toContain("2 records<");
    expect(await assetOf(vault)).toMatchObject({ location: "Vault" });
    expect(await assetOf(roof)).toMatchObject({ location: "Roof" });
  });

  test("reports a lasting error, stays unfinished, and continues later", async () => {
    const { browser, roof, set } = await moveTwo();
    await endChanges("57P05", 1000);

    const done = await press(browser, await browser.get(set), "Undo");
    await endNone();

    const undone = String(done.headers.location);
    const stopped = await browser.get(undone);
    expect(stopped.headers["refresh"]).toBeUndefined();
    expect(stopped.body).toContain("Not finished");
    expect(stopped.body).toContain("The undo stopped because of an error.");
    const shown = await browser.get(set);
    expect(shown.body).toContain("This is being undone");
    expect(shown.body).not.toContain("Undone.");
    expect(await assetOf(roof)).toMatchObject({ location: "Bay" });

    await press(browser, stopped, "Continue");

    expect((await browser.get(undone)).body).toContain("2 records<");
    expect((await browser.get(set)).body).toContain("Undone.");
    expect(await assetOf(roof)).toMatchObject({ location: "Roof" });
  });

  test("continues when the undo is started again", async () => {
    const { browser, member, roof, set } = await moveTwo();
    const page = await browser.get(set);
    await endChanges("57P05", 1000);
    await press(browser, page, "Undo");
    await endNone();

    await press(browser, page, "Undo");

    expect(await assetOf(roof)).toMatchObject({ location: "Roof" });
    const sets = await current().db.query<object>(
      "SELECT FROM change_sets WHERE organization_id = $1 AND kind = 'undo'",
      [member.organizationId],
    );
    expect(sets).toHaveLength(1);
  });
});
