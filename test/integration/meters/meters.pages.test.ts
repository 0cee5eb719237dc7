import { describe, expect, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { signIn } from "../../support/oauth.js";
import { before } from "../../support/statements.js";

describe("meter pages", () => {
  const current = useApp();

  async function start() {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team, { name: "Forklift" });
    const browser = await signIn(current().app, team.member);
    const address = `/assets/${asset.id}`;
    const addMeter = async (name: string, unit: string) => {
      const added = await browser.submitForm(await browser.get(`${address}/meters/new`), {
        ...{ name, unit },
      });
      return String(added.headers.location);
    };
    const meterIdOf = (location: string) => location.split("/").at(-1) ?? "";
    return { team, asset, browser, address, addMeter, meterIdOf };
  }

  const meters = (asset: string): Promise<{ name: string; unit: string; value: number | null }[]> =>
    current().db.query(
      `SELECT name::text AS name, unit, value::float8 AS value FROM meters
       WHERE asset_id = $1 ORDER BY name`,
      [asset],
    );

  test("adds, reads, renames and removes a meter", async () => {
    const { asset, browser, address, addMeter, meterIdOf } = await start();
    expect((await browser.get(address)).body).toContain(`${address}/meters/new`);

    const page = await addMeter("Odometer", "km");
    const id = meterIdOf(page);
    const read = await browser.submitForm(await browser.get(page), { [id]: "120500,5" });
    const edited = await browser.submitForm(await browser.get(`${page}/edit`), {
      ...{ name: "Distance", unit: "km" },
    });

    expect(read).toMatchObject({ statusCode: 303, headers: { location: page } });
    expect(edited.headers.location).toBe(page);
    expect(await meters(asset.id)).toEqual([{ name: "Distance", unit: "km", value: 120_500.5 }]);
    const shown = await browser.get(`${address}?tab=readings`);
    expect(shown.body).toContain("120,500.5 km");
    expect(shown.body).toContain("Record a reading");
    expect((await browser.get(page)).body).toContain("Mo Member");

    const removed = await browser.submitForm(await browser.get(`${page}/remove`), {});
    expect(removed.headers.location).toBe(`${address}?tab=readings`);
    expect(await meters(asset.id)).toEqual([]);
    expect((await browser.get(page)).statusCode).toBe(404);
    expect((await browser.get(`${address}/history`)).body).toContain("Distance (km)");
  });

  test("TEN-19 hides readings once the asset moves to a workspace the person can't see", async () => {
    const { team, asset, browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    await browser.submitForm(await browser.get(page), { [meterIdOf(page)]: "120500" });
    expect((await browser.get(page)).body).toContain(`<th scope="row">`);
    before(/AS recorded_by/, 1, async () => {
      vi.restoreAllMocks();
      await current().db.query("UPDATE assets SET workspace_id = $1 WHERE id = $2", [
        team.elsewhere.workspaceId,
        asset.id,
      ]);
    });

    expect((await browser.get(page)).body).not.toContain(`<th scope="row">`);
  });

  test("after a scan, one form records all meters, with a date and a replacement", async () => {
    const { asset, browser, address, addMeter, meterIdOf } = await start();
    const km = meterIdOf(await addMeter("Odometer", "km"));
    const hours = meterIdOf(await addMeter("Hours", "h"));
    const action = `${address}/readings`;

    const scanned = await browser.get(`${address}?scanned=1`);
    expect(scanned.body).toContain("What does it show?");
    const first = { [km]: "900", [hours]: "12.5", read_at: "2026-01-05T10:00" };
    const done = await browser.submitForm(scanned, first, { action });
    const later = { [km]: "3", [`replaced-${km}`]: "yes" };
    await browser.submitForm(await browser.get(`${address}?tab=readings`), later, { action });

    expect(done).toMatchObject({
      statusCode: 303,
      headers: { location: `${address}?tab=readings` },
    });
    expect(await meters(asset.id)).toEqual([
      { name: "Hours", unit: "h", value: 12.5 },
      { name: "Odometer", unit: "km", value: 3 },
    ]);
    const page = await browser.get(`${address}/meters/${km}`);
    expect(page.body).toContain("new meter");
    expect(page.body).toContain("903 km");
  });

  test("counts a replaced meter once when its form is submitted twice", async () => {
    const { browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    const km = meterIdOf(page);
    await browser.submitForm(await browser.get(page), { [km]: "900" });

    const form = await browser.get(page);
    const replaced = { [km]: "30", [`replaced-${km}`]: "yes" };
    await browser.submitForm(form, replaced);
    await browser.submitForm(form, replaced);

    const totals = await current().db.query<{ total: number }>(
      "SELECT total::float8 AS total FROM meter_readings WHERE meter_id = $1 ORDER BY total",
      [km],
    );
    expect(totals).toEqual([{ total: 900 }, { total: 930 }]);
  });

  test("a new meter can start at the old meter's final reading", async () => {
    const { browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    const km = meterIdOf(page);
    await browser.submitForm(await browser.get(page), { [km]: "900" });

    await browser.submitForm(await browser.get(page), { [km]: "900", [`replaced-${km}`]: "yes" });

    expect((await browser.get(page)).body).toContain("1,800 km");
  });

  test("rejects a replacement that exceeds the maximum total across replaced meters", async () => {
    const { asset, browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    const id = meterIdOf(page);
    const most = { [id]: "999999999999" };
    await browser.submitForm(await browser.get(page), most);
    const sql = "UPDATE meters SET usage_before = 89999000000000 WHERE asset_id = $1";
    await current().db.query(sql, [asset.id]);

    const replaced = { ...most, [`replaced-${id}`]: "yes" };
    const refused = await browser.submitForm(await browser.get(page), replaced);

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("at most 90000000000000");
  });

  test("shows a warning after recording the reading", async () => {
    const { browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    const id = meterIdOf(page);
    await browser.submitForm(await browser.get(page), { [id]: "900" });

    await browser.submitForm(await browser.get(page), { [id]: "90" });

    expect((await browser.get(page)).body).toContain("Odometer was higher before, 900 km");
  });

  test("rejects invalid, missing and future readings at their field", async () => {
    const { browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    const id = meterIdOf(page);
    const send = async (fields: Record<string, string>) =>
      browser.submitForm(await browser.get(page), fields);

    for (const [fields, message] of [
      [{ [id]: "120,500" }, "Odometer must be a number like 1249.90"],
      [{ [id]: "-4" }, "Odometer must not be negative."],
      [{ [id]: "" }, "Enter the reading."],
      [{ [id]: "5", read_at: "2126-01-01T10:00" }, "must not be in the future"],
    ] as const) {
      const refused = await send(fields);
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain(message);
    }
    expect((await send({ [id]: "7 <b>" })).body).toContain("7 &lt;b>");
  });

  test("rejects a taken name, and keeps a meter that open tasks depend on", async () => {
    const { asset, browser, address, addMeter } = await start();
    const page = await addMeter("Odometer", "km");
    const again = await browser.submitForm(await browser.get(`${address}/meters/new`), {
      ...{ name: "ODOMETER", unit: "mi" },
    });
    const form = await browser.get(`/tasks/new?asset=${asset.id}`);
    expect(form.body).toContain("Or every");
    const made = await browser.submitForm(form, {
      ...{ title: "Oil", every: "", every_usage: "250", meter: "Odometer", due_usage: "1000" },
    });
    const task = String(made.headers.location);
    const removed = await browser.submitForm(await browser.get(`${page}/remove`), {});

    expect(again.statusCode).toBe(400);
    expect(again.body).toContain("has a meter");
    expect(removed.statusCode).toBe(400);
    expect(removed.body).toContain("T-1");
    expect((await browser.get(task)).body).toContain("Every 250 km (Odometer)");
  });

  test("the task form shows usage, saves it unchanged, and changes it", async () => {
    const { asset, browser, addMeter, meterIdOf } = await start();
    const page = await addMeter("Odometer", "km");
    const id = meterIdOf(page);
    await browser.submitForm(await browser.get(page), { [id]: "100" });
    const made = await browser.submitForm(await browser.get(`/tasks/new?asset=${asset.id}`), {
      ...{ title: "Oil", every_usage: "250", meter: "Odometer" },
    });
    const task = String(made.headers.location);
    const values = { title: "Oil", type: "preventive", priority: "medium", unit: "month" };
    const rule = { every_usage: "250", meter: "Odometer", due_usage: "350", anchor: "due_date" };
    const save = async (fields: Record<string, string>) =>
      browser.submitForm(await browser.get(`${task}/edit`), { ...values, ...rule, ...fields });
    const version = (): Promise<unknown> =>
      current().db.query("SELECT version FROM maintenance_tasks");

    expect((await browser.get(`${task}/edit`)).body).toContain('value="350"');
    const before = await version();
    expect((await save({})).statusCode).toBe(303);
    expect(await version()).toEqual(before);
    await save({ due_usage: "400" });

    expect((await browser.get(task)).body).toContain("At 400 km, now 100 km");
    expect((await browser.get("/tasks")).body).toContain("Due at 400 km, now 100 km");
    expect((await browser.get(`/assets/${asset.id}`)).body).toContain("Due at 400 km, now 100 km");
  });

  test("viewers can only read, people without access get 404", async () => {
    const { team, address, addMeter } = await start();
    const page = await addMeter("Odometer", "km");
    const viewer = await signIn(current().app, team.viewer);
    const elsewhere = await signIn(current().app, team.elsewhere);
    const stranger = await signIn(current().app, team.stranger);

    const shown = await viewer.get(page);
    expect(shown.statusCode).toBe(200);
    expect(shown.body).not.toContain("Record reading");
    expect((await viewer.get(`${address}?scanned=1`)).body).not.toContain("What does it show?");
    for (const path of [`${page}/edit`, `${page}/remove`, `${address}/meters/new`]) {
      expect((await viewer.get(path)).statusCode).toBe(403);
    }
    for (const other of [elsewhere, stranger]) {
      expect((await other.get(page)).statusCode).toBe(404);
      expect((await other.get(`${address}/readings`)).statusCode).toBe(404);
    }
  });
});
