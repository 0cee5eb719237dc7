import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Answer {
  asset: { id: string; inventory_number: string; state_changed_at: string; tags?: string[] };
  changed?: unknown[];
  warnings?: string[];
}

describe("asset tools at their limits", () => {
  const testApp = useApp();
  let owner: Connected;
  beforeAll(async () => {
    owner = await connect(testApp());
  });

  const create = async (fields: Json) => (await owner.ok<Answer>("create_asset", fields)).asset;

  test("gives the millionth asset a seven-digit inventory number", async () => {
    const { db } = testApp();
    const { organizationId } = owner.member;
    await db.query("UPDATE organizations SET next_inventory_seq = 999999 WHERE id = $1", [
      organizationId,
    ]);

    const numbers = [await create({ name: "A" }), await create({ name: "B" })];

    expect(numbers.map(({ inventory_number }) => inventory_number.split("-")[1])).toEqual([
      "999999",
      "1000000",
    ]);
  });

  test("ignores an empty list, and empties tags with clear_fields only", async () => {
    const { id } = await create({ name: "Tagged", tags: ["spare"] });

    await owner.ok("update_asset", { asset_id: id, location: "Shelf 1", tags: [] });
    const kept = await owner.ok<Answer>("get_asset", { asset_id: id });
    await owner.ok("update_asset", { asset_id: id, clear_fields: ["tags"] });
    const cleared = await owner.ok<Answer>("get_asset", { asset_id: id });

    expect(kept.asset.tags).toEqual(["spare"]);
    expect(cleared.asset.tags).toBeUndefined();
  });

  test("accepts a time from get_asset as effective_at", async () => {
    const { id } = await create({ name: "Timed" });
    const { asset } = await owner.ok<Answer>("get_asset", { asset_id: id });

    const answer = await owner.ok<Answer>("update_asset_state", {
      asset_id: id,
      state: "in_use",
      effective_at: asset.state_changed_at,
    });

    expect(answer.changed).toEqual([{ field: "state", from: "available", to: "in_use" }]);
  });

  test("keeps the original reason when retiring again, and says so", async () => {
    const { id } = await create({ name: "Sold" });
    await owner.ok("update_asset_state", { asset_id: id, state: "deleted", reason: "sold" });

    const again = await owner.ok<Answer>("update_asset_state", {
      asset_id: id,
      state: "deleted",
      reason: "lost",
    });

    expect(again.warnings?.[0]).toContain("The reason was not changed");
  });

  test("rejects an impossible UTC offset with a readable message", async () => {
    const text = await owner.refused("list_assets", {
      updated_since: "2026-11-21T09:14:22+20:00",
    });

    expect(JSON.stringify(text)).toContain("is not a time");
  });

  test("ends a page of long rows before 60 KB and continues on the next", async () => {
    const long = (length: number) => "🏭".repeat(length);
    for (let index = 10; index < 35; index += 1) {
      await create({
        name: long(200),
        location: long(200),
        category: long(100),
        inventory_number: `${long(60)}${index}`,
      });
    }

    const page = await owner.ok<{ assets: unknown[]; next_cursor?: string }>("list_assets", {
      query: "🏭",
    });

    expect(Buffer.byteLength(JSON.stringify(page.assets))).toBeLessThanOrEqual(60_100);
    expect(page.next_cursor).toBeDefined();
  });

  test("finds text stored in a different Unicode normalization form", async () => {
    await create({ name: "Café machine", tags: ["kü"] });

    const found = await owner.ok<{ total_count: number }>("list_assets", { query: "Cafe\u0301" });

    expect(found.total_count).toBe(1);
  });
});
