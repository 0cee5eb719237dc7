// @module-tag embedded

import { describe, expect, test } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import type { GivenReading } from "../../../server/src/domain/meters/record-readings.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { createReplay, daysAgo } from "../../support/replay.js";

interface Changed {
  asset: { id: string; inventory_number: string; version: number };
  changed: { field: string; from?: unknown; to?: unknown }[];
  warnings?: string[];
}

interface Read {
  asset: Json & { version: number };
  meters?: { name: string; unit: string; reading?: number; read_at?: string }[];
  recent_history: { type: string; occurred_at: string; changes?: unknown[]; source: string }[];
}

const read = (person: Connected, id: string) => person.ok<Read>("get_asset", { asset_id: id });
const record = (person: Connected, id: string, readings: Json, more: Json = {}) =>
  person.ok<Changed>("update_asset", { asset_id: id, meter_readings: readings, ...more });

describe("meters", () => {
  const testApp = useApp();

  async function start() {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Yard" });
    const { asset } = await owner.ok<Changed>("create_asset", {
      name: "Truck",
      workspace_id: "Yard",
    });
    const replay = createReplay(testApp().db, owner.member);
    const recordThen = (days: number, ...readings: GivenReading[]) =>
      replay(daysAgo(days), (tx, caller) =>
        updateAsset(tx, caller, asset.id, { meter_readings: readings }),
      );
    return { owner, id: asset.id, number: asset.inventory_number, recordThen };
  }

  const totalsOf = (id: string): Promise<Json[]> =>
    testApp().db.query(
      `SELECT r.value::float8 AS value, r.total::float8 AS total, r.replaced
       FROM meter_readings r JOIN meters m USING (organization_id)
       WHERE m.asset_id = $1 AND r.meter_id = m.id ORDER BY r.read_at`,
      [id],
    );

  test("the first reading in a known unit creates the meter; later ones continue it", async () => {
    const { owner, id } = await start();

    const first = await record(owner, id, { km: 120_300 });
    const second = await record(owner, id, { Odometer: "120500.5", "engine hours": 812 });

    expect(first).toMatchObject({
      asset: { version: 2 },
      changed: [{ field: "meter: Odometer", to: "120,300 km" }],
      warnings: ['Meter added: "Odometer", in km.'],
    });
    expect(second.asset.version).toBe(3);
    expect(second.changed).toEqual([
      { field: "meter: Odometer", from: "120,300 km", to: "120,500.5 km" },
      { field: "meter: engine hours", to: "812 h" },
    ]);
    const { meters, recent_history: history } = await read(owner, id);
    expect(meters).toEqual([
      { name: "engine hours", unit: "h", reading: 812, read_at: expect.any(String) as string },
      { name: "Odometer", unit: "km", reading: 120_500.5, read_at: expect.any(String) as string },
    ]);
    expect(history[0]).toMatchObject({ type: "asset_updated", changes: second.changed });
  });

  test("readings and fields of one call are one event, and a repeat changes nothing", async () => {
    const { owner, id } = await start();
    await record(owner, id, { km: 10 }, { location: "Bay 3" });

    const again = await record(owner, id, { km: 10 });

    expect(again.changed).toEqual([]);
    expect(again.warnings?.[0]).toContain("Nothing changed");
    const { recent_history: history, asset } = await read(owner, id);
    expect(asset.version).toBe(2);
    expect(history).toHaveLength(2);
    expect(history[0]?.changes).toHaveLength(2);
  });

  test("an asset without meters returns none", async () => {
    const { owner, id } = await start();
    expect(await read(owner, id)).not.toHaveProperty("meters");
  });

  test("rejects a reading that matches no meter or several", async () => {
    const { owner, id } = await start();
    await record(owner, id, { "front km": 1, "rear km": 2 });

    const unknown = await owner.refused("update_asset", {
      asset_id: id,
      meter_readings: { psi: 3 },
    });
    const both = await owner.refused("update_asset", { asset_id: id, meter_readings: { km: 3 } });
    const negative = await owner.refused("update_asset", {
      asset_id: id,
      meter_readings: { "front km": -1 },
    });

    expect(unknown.message).toContain('no meter "psi", only front km (km), rear km (km)');
    expect(both.message).toContain("use one of front km, rear km");
    expect(negative.message).toContain("must not be negative");
    await expect(
      owner.refused("update_asset", { asset_id: id, meter_readings: { "front km": 1e13 } }),
    ).resolves.toMatchObject({ code: "validation_failed" });
  });

  test("allows at most 20 meters, and readings for only one asset per call", async () => {
    const { owner, id } = await start();
    const twenty = Array.from({ length: 20 }, (_, index) => [`axle ${index} km`, index]);
    await record(owner, id, Object.fromEntries(twenty) as Json);

    const more = await owner.refused("update_asset", { asset_id: id, meter_readings: { h: 1 } });
    const several = await owner.refused("update_asset", {
      asset_ids: [id],
      meter_readings: { h: 1 },
    });

    expect(more.message).toContain("at most 20 meters");
    expect(several.message).toContain("meter_readings only works with asset_id");
  });

  test("accepts a lower reading as a correction, with a warning", async () => {
    const { owner, id } = await start();
    await record(owner, id, { km: 1205 });

    const lower = await record(owner, id, { km: 120.5 });

    expect(lower.warnings?.[0]).toContain("Odometer was higher before, 1,205 km");
    expect((await read(owner, id)).meters?.[0]?.reading).toBe(120.5);
    expect((await totalsOf(id)).at(-1)).toMatchObject({ value: 120.5, total: 120.5 });
  });

  test("a replaced meter continues from the old meter's total", async () => {
    const { owner, id, recordThen } = await start();
    await recordThen(20, { meter: "km", value: 99_000 });

    const replaced = await recordThen(10, { meter: "km", value: 5, isReplaced: true });
    await record(owner, id, { km: 400 });

    expect(replaced.warnings).toEqual([]);
    expect(replaced.changed).toEqual([
      { field: "meter: Odometer", from: "99,000 km", to: "5 km (replaced)" },
    ]);
    expect(await totalsOf(id)).toEqual([
      { value: 99_000, total: 99_000, replaced: false },
      { value: 5, total: 99_005, replaced: true },
      { value: 400, total: 99_400, replaced: false },
    ]);
  });

  test("warns about an unusually high reading and more than 24 h a day", async () => {
    const { owner, id, recordThen } = await start();
    await recordThen(40, { meter: "km", value: 1000 }, { meter: "h", value: 100 });
    await recordThen(30, { meter: "km", value: 1500 }, { meter: "h", value: 180 });
    const usual = await recordThen(10, { meter: "km", value: 2500 }, { meter: "h", value: 400 });

    const odd = await record(owner, id, { km: 25_000, h: 641 });

    expect(usual.warnings).toEqual([]);
    expect(odd.warnings).toEqual([
      "Odometer is 22,500 km higher than before, much more than the usual 50 km a day. Check it.",
      "Hour meter is 241 h higher than before, more than 24 h a day. Check it.",
    ]);
    expect((await read(owner, id)).meters?.map(({ reading }) => reading)).toEqual([641, 25_000]);
  });

  test("inserts an earlier reading in order and keeps the current one", async () => {
    const { id, recordThen, owner } = await start();
    await recordThen(20, { meter: "km", value: 1000 });
    await recordThen(2, { meter: "km", value: 50, isReplaced: true });

    const between = await recordThen(0, { meter: "km", value: 1400, readAt: daysAgo(10) });
    const wrong = await recordThen(0, { meter: "km", value: 900, readAt: daysAgo(9) });

    expect(between).toMatchObject({
      changed: [{ field: "meter: Odometer", to: "1,400 km" }],
      warnings: [{ key: "reading_between", isOutOfLine: false }],
    });
    expect(wrong.warnings).toMatchObject([{ key: "reading_between", isOutOfLine: true }]);
    const { meters, recent_history: history } = await read(owner, id);
    expect(meters?.[0]?.reading).toBe(50);
    expect(history.map(({ occurred_at: at }) => at.slice(0, 10))).toContain(
      daysAgo(10).toISOString().slice(0, 10),
    );
    expect((await totalsOf(id)).map(({ total }) => total)).toEqual([1000, 1400, 900, 1050]);
    await expect(
      recordThen(0, { meter: "km", value: 1, readAt: daysAgo(5), isReplaced: true }),
    ).rejects.toMatchObject({ key: "replaced_before_last" });
    await expect(
      recordThen(0, { meter: "km", value: 1, readAt: daysAgo(-1) }),
    ).rejects.toMatchObject({ key: "in_future" });
  });

  test("records simultaneous readings one after another", async () => {
    const { owner, id } = await start();
    await record(owner, id, { km: 1 });

    const values = [10, 11, 12, 13, 14];
    await Promise.all(values.map((km) => record(owner, id, { km })));

    const { meters, asset } = await read(owner, id);
    const totals = await totalsOf(id);
    expect(totals).toHaveLength(6);
    expect(meters?.[0]?.reading).toBe(totals.at(-1)?.["value"]);
    expect(asset.version).toBe(7);
  });

  test("viewers and people who can't see the asset can't record readings", async () => {
    const { owner, id } = await start();
    const { organization } = owner.member;
    await record(owner, id, { km: 1 });
    const inYard = { organization, role: "member", workspace: "Yard" } as const;
    const viewer = await connect(testApp(), { ...inYard, workspaceRole: "viewer" });
    const member = await connect(testApp(), { ...inYard, workspaceRole: "member" });
    const outside = await connect(testApp(), { organization, role: "member", workspace: "Hall" });
    const stranger = await connect(testApp());
    const args = { asset_id: id, meter_readings: { km: 2 } };

    await expect(viewer.refused("update_asset", args)).resolves.toMatchObject({
      code: "forbidden",
    });
    for (const person of [outside, stranger]) {
      const refusal = await person.refused("update_asset", args);
      expect(refusal.code).toBe("not_found");
    }
    expect((await read(viewer, id)).meters?.[0]?.reading).toBe(1);
    await member.ok("update_asset", args);
    expect((await read(owner, id)).meters?.[0]?.reading).toBe(2);
  });

  test("a retired asset accepts no readings, and permanent deletion removes its meters", async () => {
    const { owner, id, number } = await start();
    await record(owner, id, { km: 5 });
    await owner.ok("update_asset_state", { asset_id: id, state: "deleted" });

    const args = { asset_id: id, meter_readings: { km: 6 } };
    const refusal = await owner.refused("update_asset", args);
    await owner.ok("force_delete_asset", { asset_id: id, confirm_inventory_number: number });

    expect(refusal).toMatchObject({ code: "invalid_transition", field: "meter_readings" });
    expect(await testApp().db.query("SELECT 1 FROM meters WHERE asset_id = $1", [id])).toEqual([]);
  });

  test("a dry run shows the readings to record without recording them", async () => {
    const { owner, id } = await start();
    const answer = await record(owner, id, { km: 5 }, { dry_run: true });
    expect(answer.changed).toEqual([{ field: "meter: Odometer", to: "5 km" }]);
    expect(await read(owner, id)).not.toHaveProperty("meters");
  });
});
