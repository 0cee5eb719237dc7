import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

const testApp = useApp();
let owner: Connected;

beforeAll(async () => {
  owner = await connect(testApp(), { role: "owner" });
});

async function namesOf(tool: string, rows: string, args: Json): Promise<string[]> {
  const answer = await owner.ok<Record<string, Json[]>>(tool, args);
  return (answer[rows] ?? []).map(({ name, title }) => String(name ?? title));
}

describe("search with accents and other alphabets", () => {
  const names: [name: string, query: string][] = [
    ["Wójcik", "Wojcik"],
    ["Żółw łódź", "zolw lodz"],
    ["Straßenlampe", "strassenlampe"],
    ["Sørensen đak", "sorensen dak"],
    ["Crème brûlée", "CREME BRULEE"],
  ];

  beforeAll(async () => {
    for (const [name] of names) {
      const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
        name: `${name} press`,
      });
      await owner.ok("update_asset", { asset_id: asset.id, location: "Bay", note: `By ${name}` });
      await owner.ok("create_workspace", { name: `${name} hall` });
      await owner.ok("create_maintenance_task", { asset_id: asset.id, title: `Oil ${name}` });
      const { organization } = owner.member;
      await aMember(testApp().db, { organization, name: `Anna ${name}` });
    }
  });

  test.each(names)("finds %s by %s and by its own spelling", async (name, query) => {
    for (const text of [query, name, query.slice(1), name.normalize("NFD")]) {
      expect(await namesOf("list_assets", "assets", { query: text })).toEqual([`${name} press`]);
      expect(await namesOf("list_maintenance_tasks", "tasks", { query: text })).toEqual([
        `Oil ${name}`,
      ]);
      expect(await namesOf("list_workspaces", "workspaces", { query: text })).toEqual([
        `${name} hall`,
      ]);
      expect(await namesOf("list_users", "users", { query: text })).toEqual([`Anna ${name}`]);
    }
    const { events } = await owner.ok<{ events: Json[] }>("search_asset_history", { query });
    expect(events.length).toBeGreaterThan(0);
  });
});

describe("ranking of asset search results", () => {
  const inOrder = ["Other", "Lift 5", "Lift 5 north", "Lift 50", "Goods Lift 5", "Forklift 5"];

  beforeAll(async () => {
    for (const name of inOrder.toReversed()) {
      const other = name === "Other" ? { name: "Aaa", inventory_number: "lift 5" } : { name };
      await owner.ok("create_asset", other);
    }
  });
  const expected = ["Aaa", ...inOrder.slice(1)];

  test("ranks number, name, name prefix, word prefix and then the rest", async () => {
    expect(await namesOf("list_assets", "assets", { query: "Lift 5" })).toEqual(expected);
    expect((await namesOf("list_assets", "assets", { query: "lift" })).at(-1)).toBe("Forklift 5");
  });

  test("keeps the ranking across pages", async () => {
    const found: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined;) {
      const page = await owner.ok<{ assets: { name: string }[]; next_cursor?: string }>(
        "list_assets",
        { query: "Lift 5", limit: 1, ...(cursor !== undefined && { cursor }) },
      );
      found.push(...page.assets.map(({ name }) => name));
      cursor = page.next_cursor;
      isFirst = false;
    }
    expect(found).toEqual(expected);
  });
});
