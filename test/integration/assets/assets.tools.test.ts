// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Created {
  asset: { id: string; inventory_number: string; url: string };
  warnings?: string[];
}

interface Listed {
  assets: { id: string; name: string; inventory_number: string; criticality?: string }[];
  total_count: number;
  next_cursor?: string;
  did_you_mean?: string[];
}

const names = (list: Listed) => list.assets.map(({ name }) => name);
const create = (person: Connected, fields: Json) => person.ok<Created>("create_asset", fields);
const list = (person: Connected, filters: Json = {}) => person.ok<Listed>("list_assets", filters);

describe("create_asset", () => {
  const testApp = useApp();

  test("returns id, number, version, and URL, and get_asset returns every field", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Main Facility" });
    const fields = {
      name: "Air compressor 2",
      workspace_id: "main facility",
      category: "HVAC",
      description: "Two stages.\nOil free.",
      manufacturer: "Grundfos",
      model: "GX 7",
      serial_number: "SN-1",
      location: "Roof, bay 3",
      assigned_to_user_id: "me",
      criticality: "high",
      condition: "good",
      supplier: "Parts Ltd",
      purchase_date: "2020-02-29",
      purchase_cost: 1249.9,
      warranty_expires_on: "2024-02-29",
      in_service_date: "2020-03-15",
      end_of_life_on: "2035-01-01",
      tags: ["Roof", "roof", "Loud"],
      state: "in_use",
    };

    const created = await create(owner, fields);
    const { asset, recent_history } = await owner.ok<{ asset: Json; recent_history: Json[] }>(
      "get_asset",
      { asset_id: created.asset.inventory_number },
    );

    expect(created.asset).toMatchObject({
      inventory_number: expect.stringMatching(/^[A-Z0-9]{1,8}-000001$/) as string,
      name: "Air compressor 2",
      state: "in_use",
      workspace_name: "Main Facility",
      version: 1,
      url: `${testApp().config.baseUrl}/assets/${created.asset.id}`,
    });
    expect(asset).toMatchObject({
      ...fields,
      workspace_id: expect.stringMatching(/^wsp_/) as string,
      tags: ["roof", "loud"],
      workspace_name: "Main Facility",
      assigned_to_user_id: owner.member.userId,
      assigned_to: owner.member.name,
      currency: "USD",
      warranty_status: "expired",
      created_by: owner.member.name,
      version: 1,
    });
    expect(asset["age_months"]).toBeGreaterThan(60);
    expect(asset).not.toHaveProperty("qr_token");
    expect(recent_history).toMatchObject([
      { type: "asset_created", actor: owner.member.name, source: "mcp", client: "fettle-bridge" },
    ]);
  });

  test("increments numbers and skips numbers set manually", async () => {
    const owner = await connect(testApp());
    const first = await create(owner, { name: "First" });
    const prefix = first.asset.inventory_number.slice(0, -7);
    for (let number = 2; number <= 30; number += 1) {
      const parked = `${prefix}-${String(number).padStart(6, "0")}`;
      await create(owner, { name: "Parked", inventory_number: parked });
    }

    const next = await create(owner, { name: "Next" });

    expect(next.asset.inventory_number).toBe(`${prefix}-000031`);
  });

  test("creation succeeds while another call takes the next number manually", async () => {
    const owner = await connect(testApp());
    const first = await create(owner, { name: "First" });
    const prefix = first.asset.inventory_number.slice(0, -7);
    let last = 1;
    for (let turn = 0; turn < 10; turn += 1) {
      const inventory_number = `${prefix}-${String(last + 1).padStart(6, "0")}`;
      const [, made] = await Promise.all([
        owner.call("create_asset", { name: "By hand", inventory_number }),
        create(owner, { name: "Next" }),
      ]);
      last = Number(made.asset.inventory_number.slice(-6));
      expect(last).toBeGreaterThan(turn + 1);
    }
  });

  test("rejects a retired asset's number and explains how to restore the asset", async () => {
    const owner = await connect(testApp());
    const { asset } = await create(owner, { name: 'Boiler "B1"', inventory_number: "BR-7/2" });
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });

    const refusal = await owner.refused("create_asset", { name: "B", inventory_number: "BR-7/2" });

    expect(refusal).toMatchObject({
      code: "duplicate",
      field: "inventory_number",
      message: `Validation failed: Inventory number has already been taken (by "Boiler 'B1'", ${asset.id}, which is deleted). To restore it, use update_asset_state with state available, in_use or stored. Leave inventory_number out to get the next free one.`,
    });
  });

  test("never reuses a retired number", async () => {
    const owner = await connect(testApp());
    await testApp().db.query("INSERT INTO retired_inventory_numbers VALUES ($1, 'OLD-1')", [
      owner.member.organizationId,
    ]);

    const refusal = await owner.refused("create_asset", { name: "B", inventory_number: "OLD-1" });

    expect(refusal.message).toBe(
      "Validation failed: Inventory number has already been taken. It belonged to a permanently deleted asset and is never reused. Leave inventory_number out to get the next free one.",
    );
  });

  test("returns the first asset for a repeated request_key, or a conflict for different arguments", async () => {
    const owner = await connect(testApp());
    const call = { name: "Chair", request_key: "order-7" };
    const first = await create(owner, call);

    const again = await create(owner, call);
    const other = await owner.refused("create_asset", { ...call, name: "Table" });

    expect(again).toEqual({ ...first, deduplicated: true });
    expect(other).toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^Conflict: request_key was already used/) as string,
    });
    expect((await list(owner)).total_count).toBe(1);
  });

  test("a dry run returns the same answer and changes nothing, including the counter", async () => {
    const owner = await connect(testApp());

    const dry = await create(owner, { name: "Chair", category: "New", dry_run: true });
    await create(owner, { name: "Chair", inventory_number: "C-1" });

    expect(dry).toMatchObject({ dry_run: true, asset: { name: "Chair" } });
    expect(Object.keys(dry.asset)).toEqual(["name", "state"]);
    expect((await list(owner, { category: "new" })).total_count).toBe(0);
    expect((await list(owner)).total_count).toBe(1);
  });

  test.each([
    [{ name: " " }, "name is missing."],
    [{}, "name is missing."],
    [
      { name: "A", purchase_date: "21.11.2026" },
      'purchase_date "21.11.2026" is not a date. Use YYYY-MM-DD, e.g. 2026-11-21.',
    ],
    [
      { name: "A", purchase_date: "2999-01-01" },
      /^Validation failed: purchase_date 2999-01-01 is after today, \d/,
    ],
    [{ name: "A", purchase_date: "0000-01-01" }, 'purchase_date "0000-01-01" is not a date.'],
    [
      { name: "A", purchase_date: "2024-02-02", warranty_expires_on: "2024-02-01" },
      "warranty_expires_on 2024-02-01 is before purchase_date 2024-02-02.",
    ],
    [{ name: "A", purchase_cost: -1 }, "purchase_cost must be at least 0."],
    [
      { name: "A", purchase_cost: 1_000_000_000_000 },
      "purchase_cost must be at most 999999999999.9999.",
    ],
    [{ name: "A", currency: "XQQ" }, 'currency "XQQ" is not an ISO 4217 code.'],
    [{ name: "A", currency: "euro" }, 'currency "euro" is not an ISO 4217 code of'],
    [{ name: "A", state: "deleted" }, 'state "deleted" is not one of: available, in_use,'],
    [{ name: "A", tags: ["x".repeat(41)] }, "tags: each tag must have at most 40 characters."],
    [{ name: "x".repeat(201) }, "name has 201 characters. Use at most 200."],
    [{ name: "a\u202Eb" }, "name must not contain invisible characters."],
    [
      { name: "a\u0000b" },
      "name contains characters that can't be stored, such as NUL. Remove them.",
    ],
    [
      { name: "A", workspace: "X" },
      'unknown parameter "workspace". Did you mean workspace_id? Allowed: name, workspace_id,',
    ],
    [
      { name: "A", inventory_number: "ast_0123456789ab" },
      'inventory_number "ast_0123456789ab" looks like an id.',
    ],
    [
      { name: "A", parent_asset_id: "wsp_0123456789ab" },
      '"wsp_0123456789ab" is a workspace id; parent_asset_id needs an id starting with ast_ or an inventory number.',
    ],
    [
      { name: "A", workspace_id: "ast_0123456789ab" },
      '"ast_0123456789ab" is an asset id; workspace_id needs an id starting with wsp_ or an exact workspace name.',
    ],
    [
      { name: "A", assigned_to_user_id: "wsp_0123456789ab" },
      "assigned_to_user_id needs an id starting with usr_",
    ],
  ])("rejects %j: %s", async (fields: Json, expected: string | RegExp) => {
    const owner = await connect(testApp());

    const refusal = await owner.refused("create_asset", fields);

    expect(refusal.code).toBe("validation_failed");
    if (typeof expected === "string") {
      expect(refusal.message.startsWith("Validation failed: ")).toBe(true);
      expect(refusal.message).toContain(expected);
    } else expect(refusal.message).toMatch(expected);
  });

  test("warns about a duplicate serial number of a manufacturer", async () => {
    const owner = await connect(testApp());
    const twin = { serial_number: "S-9", manufacturer: "Acme" };
    const first = await create(owner, { name: "Pump", ...twin });

    const second = await create(owner, { name: "Pump again", ...twin });
    const other = await create(owner, { name: "Fan", serial_number: "S-9", manufacturer: "Zed" });

    expect(second.warnings?.[0]).toContain(`${first.asset.inventory_number} ("Pump")`);
    expect(other.warnings).toBeUndefined();
  });

  test("nests parts at most eight levels deep", async () => {
    const owner = await connect(testApp());
    let parent = (await create(owner, { name: "Level 1" })).asset.id;
    for (let level = 2; level <= 8; level += 1) {
      const fields = { name: `Level ${level}`, parent_asset_id: parent };
      parent = (await create(owner, fields)).asset.id;
    }

    const refusal = await owner.refused("create_asset", { name: "9", parent_asset_id: parent });

    expect(refusal.message).toContain("parts can nest at most 8 levels deep");
  });
});

describe("list_assets", () => {
  const testApp = useApp();

  test("finds by words, word parts, state, category, tag, person, place, and dates", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "North" });
    await create(owner, {
      name: "Backup generator 1",
      workspace_id: "North",
      category: "Power",
      tags: ["Diesel"],
      assigned_to_user_id: "me",
      serial_number: "GEN-4711",
      criticality: "critical",
      warranty_expires_on: "2030-05-01",
      description: "Feeds the cold store.",
    });
    const fan = await create(owner, { name: "Fan", state: "stored" });
    await owner.ok("update_asset_state", { asset_id: fan.asset.id, state: "deleted" });
    await create(owner, { name: "Zebra pump" });

    const found = async (filters: Json) => names(await list(owner, filters));

    expect(await found({})).toEqual(["Backup generator 1", "Zebra pump"]);
    expect(await found({ state: "all" })).toEqual(["Backup generator 1", "Fan", "Zebra pump"]);
    expect(await found({ state: "deleted" })).toEqual(["Fan"]);
    expect(await found({ state: "available" })).toEqual(["Backup generator 1", "Zebra pump"]);
    for (const filters of [
      { query: "generator" },
      { query: "cold store" },
      { query: "4711" },
      { query: "power" },
      { category: "power" },
      { tag: "DIESEL" },
      { assigned_to_user_id: "me" },
      { assigned_to_user_id: owner.member.email.toUpperCase() },
      { workspace_id: "north" },
      { criticality: "critical" },
      { warranty_expires_before: "2030-05-02" },
      { warranty_expires_from: "2030-05-01", warranty_expires_before: "2030-05-02" },
      { updated_since: "2020-01-01T00:00:00Z", query: "Backup" },
    ]) {
      expect(await found(filters), JSON.stringify(filters)).toEqual(["Backup generator 1"]);
    }
    expect(await found({ workspace_id: "none" })).toEqual(["Zebra pump"]);
    expect(await found({ assigned_to_user_id: "none" })).toEqual(["Zebra pump"]);
    expect(await found({ warranty_expires_before: "2030-05-01" })).toEqual([]);
    expect(await found({ warranty_expires_from: "2030-05-02" })).toEqual([]);
    const ending = await list(owner, { warranty_expires_before: "2030-05-02" });
    expect(ending.assets).toMatchObject([{ warranty_expires_on: "2030-05-01" }]);
    expect(await found({ updated_since: "2990-01-01T00:00:00+02:00" })).toEqual([]);
    expect(await found({ query: "100%_" })).toEqual([]);
  });

  test("suggests close matches when a search finds nothing", async () => {
    const owner = await connect(testApp());
    const { asset } = await create(owner, { name: "Backup generator 1" });

    const answer = await list(owner, { query: "Bakup generater" });
    const missing = await owner.refused("get_asset", { asset_id: "Backup generator" });

    expect(answer).toEqual({
      assets: [],
      total_count: 0,
      did_you_mean: [`${asset.inventory_number} ("Backup generator 1")`],
    });
    expect(missing.message).toBe(
      `Asset not found for "Backup generator". Nearest: ${asset.inventory_number} ("Backup generator 1"). Use list_assets with query to find it. It may also be in a workspace you can't see, or be permanently deleted.`,
    );
  });

  test.each(["name", "inventory_number", "-created_at", "-updated_at", "warranty_expires_on"])(
    "pages by %s show every row once, including rows with equal values",
    async (sort) => {
      const owner = await connect(testApp());
      for (let count = 1; count <= 7; count += 1) {
        await create(owner, {
          name: count % 2 === 0 ? "Same" : `Name ${count}`,
          ...(count < 4 && { warranty_expires_on: `203${count % 2}-01-01` }),
        });
      }

      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Listed = await list(owner, { sort, limit: 2, ...(cursor && { cursor }) });
        expect(page.total_count).toBe(7);
        seen.push(...page.assets.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== undefined);

      const all = await list(owner, { sort, limit: 100 });
      expect(seen).toEqual(all.assets.map(({ id }) => id));
      expect(new Set(seen).size).toBe(7);
    },
  );

  test("accepts a cursor only with its list, arguments, and organization", async () => {
    const owner = await connect(testApp());
    const stranger = await connect(testApp());
    for (const person of [owner, stranger]) {
      await create(person, { name: "A" });
      await create(person, { name: "B" });
    }
    const { next_cursor: cursor = "" } = await list(owner, { limit: 1 });

    for (const [person, args] of [
      [owner, { cursor, limit: 1, query: "A" }],
      [owner, { cursor, limit: 1, sort: "inventory_number" }],
      [owner, { cursor: cursor.slice(0, -4) + "AAAA", limit: 1 }],
      [owner, { cursor: "x" }],
      [stranger, { cursor, limit: 1 }],
    ] as const) {
      const refusal = await person.refused("list_assets", args);
      expect(refusal).toMatchObject({ code: "validation_failed", field: "cursor" });
      expect(refusal.message).toContain("Start again without cursor");
    }
    expect(names(await list(owner, { cursor, limit: 5 }))).toEqual(["B"]);
  });

  test("continues after a name too long for a cursor", async () => {
    const owner = await connect(testApp());
    await create(owner, { name: "泵".repeat(200) });
    await create(owner, { name: "龍" });

    const first = await list(owner, { limit: 1 });
    const second = await list(owner, { limit: 1, cursor: first.next_cursor ?? "" });

    expect(first.next_cursor?.length).toBeLessThanOrEqual(512);
    expect(names(second)).not.toEqual(names(first));
    expect(second.next_cursor).toBeUndefined();
  });

  test("cuts a page of long rows at 60 KB and continues", async () => {
    const owner = await connect(testApp());
    for (let count = 0; count < 70; count += 1) {
      await create(owner, { name: "泵".repeat(200), location: "房".repeat(200) });
    }

    const first = await owner.call("list_assets", { limit: 100 });
    const { assets, next_cursor } = first.structuredContent as unknown as Listed;
    const rest = await list(owner, { limit: 100, cursor: next_cursor ?? "" });

    expect(Buffer.byteLength(first.content[0]?.text ?? "")).toBeLessThan(61_000);
    expect(assets.length + rest.assets.length).toBe(70);
  });
});
