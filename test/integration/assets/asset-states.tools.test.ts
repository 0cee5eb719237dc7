// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Changed {
  asset: { id: string; state: string; version: number };
  changed: unknown[];
  warnings?: string[];
  restore_hint?: string;
}

const setState = (person: Connected, asset: string, args: Json) =>
  person.ok<Changed>("update_asset_state", { asset_id: asset, ...args });

const states = ["available", "in_use", "in_maintenance", "out_of_service", "stored"] as const;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe("update_asset_state", () => {
  const testApp = useApp();

  async function start(fields: Json = {}) {
    const owner = await connect(testApp());
    const { asset } = await owner.ok<Changed>("create_asset", { name: "Pump", ...fields });
    return { owner, id: asset.id };
  }

  /** Backdates the asset's state changes. */
  async function age(id: string, days: number) {
    const { db } = testApp();
    await db.query("UPDATE assets SET state_changed_at = $2 WHERE id = $1", [id, daysAgo(days)]);
    const periods = "UPDATE asset_state_periods SET started_at = $2 WHERE asset_id = $1";
    await db.query(periods, [id, daysAgo(days)]);
  }

  test("allows every transition between states other than deleted", async () => {
    const { owner, id } = await start();
    let before: string = "available";

    for (const state of [...states.slice(1), ...states.slice(0, 4).reverse()]) {
      const answer = await setState(owner, id, { state });
      expect(answer.changed).toEqual([{ field: "state", from: before, to: state }]);
      before = state;
    }
  });

  test("records no event and no new version for an unchanged state", async () => {
    const { owner, id } = await start();

    const answer = await setState(owner, id, { state: "available", note: "again" });

    expect(answer).toMatchObject({
      asset: { version: 1 },
      changed: [],
      warnings: [
        "Nothing changed: the asset is already available. The note was not saved; use update_asset with note.",
      ],
    });
  });

  test("deleted retires with a reason, keeps the history, and can be restored", async () => {
    const { owner, id } = await start({ state: "in_use" });

    const retired = await setState(owner, id, { state: "deleted", reason: "lost", note: "Gone" });
    const { asset } = await owner.ok<{ asset: Json }>("get_asset", { asset_id: id });
    const again = await setState(owner, id, { state: "deleted" });
    const restored = await setState(owner, id, { state: "stored" });
    const after = await owner.ok<{ asset: Json; recent_history: Json[] }>("get_asset", {
      asset_id: id,
    });

    expect(retired).toMatchObject({
      changed: [
        { field: "state", from: "in_use", to: "deleted" },
        { field: "deletion_reason", to: "lost" },
      ],
      restore_hint: "To restore it, use update_asset_state with state available, in_use or stored.",
    });
    expect(asset).toMatchObject({
      state: "deleted",
      deletion_reason: "lost",
      state_before_deletion: "in_use",
      deleted_at: expect.stringMatching(/Z$/) as string,
      restore_hint: retired.restore_hint,
    });
    expect(again.changed).toEqual([]);
    expect(restored.asset).toMatchObject({ state: "stored", version: 3 });
    expect(after.asset).not.toHaveProperty("deleted_at");
    expect(after.recent_history).toMatchObject([
      { type: "asset_restored" },
      { type: "asset_deleted", note: "Gone" },
      { type: "asset_created" },
    ]);
  });

  test.each(["in_maintenance", "out_of_service"])(
    "rejects a change from deleted to %s",
    async (state) => {
      const { owner, id } = await start();
      await setState(owner, id, { state: "deleted" });

      const refusal = await owner.refused("update_asset_state", { asset_id: id, state });

      expect(refusal).toMatchObject({
        code: "invalid_transition",
        message:
          "Not possible: a deleted asset can only become available, in_use or stored. Set one of these first, then repeat this call.",
      });
    },
  );

  test("lists up to five remaining parts when an asset is deleted", async () => {
    const { owner, id } = await start();
    for (let part = 1; part <= 6; part += 1) {
      await owner.ok("create_asset", { name: `Part ${part}`, parent_asset_id: id });
    }

    const answer = await setState(owner, id, { state: "deleted" });

    expect(answer.warnings?.[0]).toMatch(
      /^6 parts of this asset are still in use: .*"Part 5"\), …\.$/,
    );
    expect(answer.warnings?.[0]).not.toContain("Part 6");
  });

  test("keeps one period open, and each period starts where the previous ended", async () => {
    const { owner, id } = await start();
    await age(id, 30);
    await setState(owner, id, { state: "out_of_service", effective_at: daysAgo(20) });
    await setState(owner, id, { state: "in_maintenance", effective_at: daysAgo(10) });
    await setState(owner, id, { state: "available" });

    const periods = await testApp().db.query<Json>(
      `SELECT state, downtime_kind, ended_at IS NULL AS open,
         ended_at = lead(started_at) OVER (ORDER BY started_at) AS joined
       FROM asset_state_periods WHERE asset_id = $1 ORDER BY started_at`,
      [id],
    );

    expect(periods).toEqual([
      { state: "available", downtime_kind: null, open: false, joined: true },
      { state: "out_of_service", downtime_kind: "unplanned", open: false, joined: true },
      { state: "in_maintenance", downtime_kind: "unplanned", open: false, joined: true },
      { state: "available", downtime_kind: null, open: true, joined: null },
    ]);
  });

  test("accepts a change up to 90 days late, with both times in the history", async () => {
    const { owner, id } = await start();
    await age(id, 100);

    await setState(owner, id, { state: "stored", effective_at: daysAgo(89) });

    const { asset, recent_history } = await owner.ok<{ asset: Json; recent_history: Json[] }>(
      "get_asset",
      { asset_id: id },
    );
    const event = recent_history.find(({ type }) => type === "asset_state_changed");
    expect(asset["state_changed_at"]).toBe(
      daysAgo(89).slice(0, 10) + String(asset["state_changed_at"]).slice(10),
    );
    expect(event?.["occurred_at"]).toBe(asset["state_changed_at"]);
    expect(event).toHaveProperty("recorded_at");
  });

  test.each([
    [{ state: "stored", effective_at: daysAgo(91) }, "effective_at must be at most 90 days ago"],
    [{ state: "stored", effective_at: daysAgo(-1) }, "effective_at must not be in the future"],
    [{ state: "stored", effective_at: daysAgo(1) }, "effective_at is before the last change"],
    [{ state: "stored", effective_at: "yesterday" }, 'effective_at "yesterday" is not a time.'],
    [{ state: "stored", reason: "lost" }, 'reason only works with state "deleted"'],
    [{ state: "gone" }, 'state "gone" is not one of: available,'],
    [{}, "state is missing"],
  ])("rejects %j: %s", async (args: Json, expected: string) => {
    const { owner, id } = await start();

    const refusal = await owner.refused("update_asset_state", { asset_id: id, ...args });

    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(expected);
  });

  test("rejects an older version, and a dry run changes nothing", async () => {
    const { owner, id } = await start();

    const dry = await setState(owner, id, { state: "deleted", dry_run: true });
    const refusal = await owner.refused("update_asset_state", {
      asset_id: id,
      state: "stored",
      expected_version: 7,
    });
    const { asset } = await owner.ok<{ asset: Json }>("get_asset", { asset_id: id });

    expect(dry).toMatchObject({ dry_run: true, asset: { state: "deleted" } });
    expect(dry.asset).not.toHaveProperty("version");
    expect(refusal.code).toBe("conflict");
    expect(asset).toMatchObject({ state: "available", version: 1 });
  });
});
