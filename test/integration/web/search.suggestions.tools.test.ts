import { beforeAll, describe, expect, inject, test } from "vitest";
import { queryWithTimeout } from "../../../server/src/db/query-with-timeout.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { CreatedTask } from "../../support/tasks.js";

interface Asset {
  id: string;
  inventory_number: string;
}

interface Listed {
  did_you_mean?: string[];
}

const findAssets = (person: Connected, filters: Json) => person.ok<Listed>("list_assets", filters);
const findTasks = (person: Connected, filters: Json) =>
  person.ok<Listed>("list_maintenance_tasks", filters);
const anAsset = async (person: Connected, fields: Json) =>
  (await person.ok<{ asset: Asset }>("create_asset", fields)).asset;
const aTaskOf = async (person: Connected, asset: Asset, title: string) =>
  (await person.ok<CreatedTask>("create_maintenance_task", { asset_id: asset.id, title })).task;

describe("empty list", () => {
  const testApp = useApp();
  let owner: Connected;
  let member: Connected;
  const numbers = new Map<string, string>();
  const shown = (name: string) => `${numbers.get(name) ?? ""} ("${name}")`;

  beforeAll(async () => {
    owner = await connect(testApp());
    for (const name of ["Lab", "Vault"]) await owner.ok("create_workspace", { name });
    const add = async (name: string, fields: Json) => {
      const asset = await anAsset(owner, { name, ...fields });
      numbers.set(name, asset.inventory_number);
      return asset;
    };
    const van = await add("Ford Transit", {
      category: "Vans",
      tags: ["rented"],
      workspace_id: "Lab",
    });
    await aTaskOf(owner, van, "Change the tyres");
    await add("Bank van", {
      category: "Armoured vans",
      tags: ["rented by us"],
      workspace_id: "Vault",
    });
    await add("Compressor", { location: "Cellar east", workspace_id: "Lab" });
    for (const [name, workspace_id] of [
      ["Circulation pump 4", "Lab"],
      ["Secret pump", "Vault"],
    ] as const) {
      const { id } = await add(name, { workspace_id });
      await owner.ok("update_asset_state", { asset_id: id, state: "deleted" });
    }
    const { organization } = owner.member;
    member = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
  });

  const meant = async (person: Connected, filters: Json) =>
    (await findAssets(person, filters)).did_you_mean ?? [];

  test("names deleted assets that the filters would find", async () => {
    const deleted = `${shown("Circulation pump 4")} is deleted; use state "all"`;

    expect(await meant(owner, { query: "circulation pump" })).toEqual([deleted]);
    expect(await meant(owner, { query: "pump", workspace_id: "Vault" })).toEqual([
      `${shown("Secret pump")} is deleted; use state "all"`,
    ]);
    expect(await meant(member, { query: "pump" })).toEqual([deleted]);
    expect(await meant(owner, { query: "pump", state: "all", category: "Vans" })).toEqual([]);
  });

  test("suggests matches for fewer words, those with most words first", async () => {
    expect(await meant(owner, { query: "compressor cellar west" })).toEqual([shown("Compressor")]);
    expect(await meant(owner, { query: "yellow striped transit of the bank vans" })).toEqual([
      shown("Ford Transit"),
      shown("Bank van"),
    ]);
    expect(await meant(member, { query: "bank wagon armoured" })).toEqual([]);
    expect(await meant(owner, { query: "xylophone" })).toEqual([]);
  });

  test("suggests similar categories and tags of assets the caller can see", async () => {
    expect(await meant(owner, { category: "van" })).toEqual([
      'category "Vans"',
      'category "Armoured vans"',
    ]);
    expect(await meant(member, { category: "van" })).toEqual(['category "Vans"']);
    expect(await meant(owner, { tag: "rent" })).toEqual(['tag "rented"', 'tag "rented by us"']);
    expect(await meant(member, { tag: "rent" })).toEqual(['tag "rented"']);
    expect(await meant(owner, { category: "Vans", state: "stored" })).toEqual([]);
  });

  test("suggests tasks that match fewer words under the current filters", async () => {
    const find = (filters: Json) => findTasks(owner, { query: "transit tyre wheels", ...filters });

    expect(await find({})).toMatchObject({ tasks: [], did_you_mean: ['T-1 ("Change the tyres")'] });
    expect(await find({ state: "completed" })).not.toHaveProperty("did_you_mean");
  });

  test("suggests assets for a history search, only those the caller can see", async () => {
    const find = async (person: Connected, query: string) =>
      (await person.ok<{ did_you_mean?: string[] }>("search_asset_history", { query }))
        .did_you_mean;

    expect(await find(owner, "circulation pump")).toEqual([
      `asset_id ${shown("Circulation pump 4")}`,
    ]);
    expect(await find(owner, "secret")).toEqual([`asset_id ${shown("Secret pump")}`]);
    expect(await find(member, "secret")).toBeUndefined();
    expect(await find(owner, "Ford Tranzit")).toEqual([`asset_id ${shown("Ford Transit")}`]);
  });

  test("a list with results has no suggestions", async () => {
    expect(await findAssets(owner, { query: "van" })).not.toHaveProperty("did_you_mean");
  });
});

// The embedded database has no statement timeout.
describe.runIf(inject("databaseUrl") !== null)("slow similarity search", () => {
  const testApp = useApp();

  test("leaves out similarity suggestions and keeps the others", async () => {
    const owner = await connect(testApp());
    const fields = {
      name: "Compressor",
      location: "Cellar east",
      category: "Pumps",
      tags: ["loud"],
    };
    const { inventory_number: number } = await anAsset(owner, fields);
    // Simulates the duration with a hundred thousand assets.
    for (const name of ["similarity", "word_similarity"]) {
      const parameters = "(text, text)";
      await testApp().db.query(`ALTER EXTENSION pg_trgm DROP FUNCTION ${name}${parameters}`);
      await testApp().db.query(`CREATE OR REPLACE FUNCTION ${name}${parameters} RETURNS real
        LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN 1; END'`);
    }

    for (const filters of [{ query: "Compresor" }, { category: "Pump" }, { tag: "lou" }]) {
      const found = await findAssets(owner, filters);
      expect(found).toMatchObject({ assets: [], total_count: 0 });
      expect(found).not.toHaveProperty("did_you_mean");
    }
    const { did_you_mean: meant } = await findAssets(owner, { query: "compressor west" });
    expect(meant).toEqual([`${number} ("Compressor")`]);
    const events = await owner.ok<Listed>("search_asset_history", { query: "Compresor" });
    expect(events).toMatchObject({ events: [] });

    // Wrong references are refused without suggestions, even within a change, which continues.
    const unknown = await owner.refused("get_asset", { asset_id: "Compresor" });
    expect(unknown).toMatchObject({ code: "not_found" });
    expect(JSON.stringify(unknown)).not.toContain(number);
    const changed = await owner.refused("update_asset", {
      asset_id: "Compresor",
      location: "Hall",
    });
    expect(changed).toMatchObject({ code: "not_found" });
  });

  test("a query with a short timeout restores the transaction's timeout", async () => {
    await testApp().db.transaction(async (tx) => {
      await tx.query("SET LOCAL statement_timeout = '7s'");
      expect(await queryWithTimeout(tx, (within) => within.query("SELECT 1 AS one"))).toHaveLength(
        1,
      );
      expect(await queryWithTimeout(tx, (within) => within.query("SELECT pg_sleep(2)"))).toEqual(
        [],
      );
      expect(await tx.query("SHOW statement_timeout")).toEqual([{ statement_timeout: "7s" }]);
    });
  });
});
