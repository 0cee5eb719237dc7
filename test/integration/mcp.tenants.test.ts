import { describe, expect, test } from "vitest";
import { registeredTools } from "../../server/src/mcp/registry.js";
import { useApp } from "../support/app.js";
import { connect, type Connected, type Json } from "../support/mcp.js";

/** What an argument refers to; a new argument that takes an id fails here until it is listed. */
const kinds: Record<string, "asset" | "workspace" | "person"> = {
  asset_id: "asset",
  parent_asset_id: "asset",
  workspace_id: "workspace",
  assigned_to_user_id: "person",
};

const idArguments = [...registeredTools.values()].flatMap(({ tool, inputSchema }) =>
  Object.keys(inputSchema.properties ?? {})
    .filter((name) => /_ids?$/.test(name))
    .map((argument) => ({ tool: tool.name, argument })),
);

/** What a call needs besides the argument under test. */
const rest: Record<string, (own: { asset: string }) => Json> = {
  create_asset: () => ({ name: "X" }),
  update_asset: ({ asset }) => ({ asset_id: asset, name: "Y" }),
  update_asset_state: ({ asset }) => ({ asset_id: asset, state: "stored" }),
};

interface Stock {
  asset: string[];
  workspace: string[];
  person: string[];
}

describe("a token of one organization", () => {
  const testApp = useApp();

  /** Somebody with one of everything, and all the ways to name these things. */
  async function stocked(): Promise<{ person: Connected; stock: Stock }> {
    const person = await connect(testApp());
    const { workspace } = await person.ok<{ workspace: { id: string } }>("create_workspace", {
      name: `Place ${person.member.userId.slice(4)}`,
    });
    const { asset } = await person.ok<{ asset: { id: string } }>("create_asset", {
      name: "Thing",
      inventory_number: `N-${person.member.userId.slice(4)}`,
      workspace_id: workspace.id,
    });
    const stock = {
      asset: [asset.id, `N-${person.member.userId.slice(4)}`],
      workspace: [workspace.id, `Place ${person.member.userId.slice(4)}`],
      person: [person.member.userId, person.member.email],
    };
    return { person, stock };
  }

  test("has every argument that takes an id tested", () => {
    expect(idArguments.filter(({ argument }) => kinds[argument] === undefined)).toEqual([]);
    expect(idArguments.length).toBeGreaterThan(7);
  });

  test.each(idArguments)(
    "reaches nothing of another through $argument of $tool",
    async (target) => {
      const { person, stock: own } = await stocked();
      const { person: other, stock } = await stocked();
      const before = await rowsOf(other);
      const kind = kinds[target.argument] ?? "asset";
      const others = rest[target.tool]?.({ asset: own.asset[0] ?? "" }) ?? {};

      for (const value of stock[kind]) {
        const refusal = await person.refused(target.tool, { ...others, [target.argument]: value });
        expect(refusal.code).toBe("not_found");
        expect(refusal.message).not.toContain("Thing");
      }
      for (const value of own[kind]) {
        const result = await person.call(target.tool, { ...others, [target.argument]: value });
        // An asset cannot be part of itself, which proves that it was found.
        if (result.isError === true) expect(result.content[0]?.text).toContain("its own part");
      }
      expect(await rowsOf(other)).toEqual(before);
    },
  );

  test("lists and searches nothing of another", async () => {
    const { person } = await stocked();
    const { stock } = await stocked();

    for (const query of stock.asset) {
      const found = await person.ok<{ total_count: number }>("list_assets", {
        query,
        state: "all",
      });
      expect(found).toMatchObject({ total_count: 0 });
    }
    const workspaces = await person.ok<{ total_count: number }>("list_workspaces");
    expect(workspaces.total_count).toBe(1);
  });

  async function rowsOf({ member }: Connected): Promise<unknown[]> {
    const { db } = testApp();
    const tables = ["assets", "workspaces", "history_events", "asset_state_periods"];
    return Promise.all(
      tables.map((table) =>
        db.query(`SELECT * FROM ${table} t WHERE organization_id = $1 ORDER BY t.id`, [
          member.organizationId,
        ]),
      ),
    );
  }
});
