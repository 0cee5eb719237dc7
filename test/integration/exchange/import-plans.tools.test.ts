import { afterEach, describe, expect, test, vi } from "vitest";
import { continueImport, startApplying } from "../../../server/src/domain/exchange/apply-import.js";
import { planValues } from "../../../server/src/domain/exchange/imports.js";
import { continueUndo } from "../../../server/src/domain/history/continue-undo.js";
import { startUndoOf } from "../../../server/src/domain/history/undo.js";
import { useApp } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { toCaller } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { pressImport } from "../../support/uploads.js";

describe("import prepared by an assistant", () => {
  const current = useApp();

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("LIM-97: plans, applies, and undoes slow rows in small transactions", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    const numbers = ["A-1", "A-2", "A-3"];
    const assets = numbers.map((inventory_number) => ({ name: "Pump", inventory_number }));
    await owner.ok("create_asset", { assets });
    const caller = toCaller(owner.member);
    const context = { caller, mails: app.services.mails };
    const rows = numbers.map((inventory_number) => ({ inventory_number, location: "Roof" }));
    const transactions = vi.spyOn(db, "transaction");
    const countOf = async <Result>(work: () => Promise<Result>) => {
      transactions.mockClear();
      return { result: await work(), count: transactions.mock.calls.length };
    };
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 3000));

    const planned = await countOf(() => planValues(db, context, "assets", { noun: "asset", rows }));
    const { id } = planned.result;
    expect(planned.result.rows.map(({ line, outcome }) => [line, outcome])).toEqual(
      [1, 2, 3].map((line) => [line, "update"]),
    );
    expect(planned.count).toBe(numbers.length + 1);

    await db.transaction((tx) => startApplying(tx, caller, id));
    const applied = await countOf(() => continueImport(db, context, id));
    expect(applied.count).toBe(numbers.length + 1);

    const { undo } = await db.transaction((tx) => startUndoOf(tx, caller, id));
    const undone = await countOf(() => continueUndo(db, caller, undo));
    expect(undone.count).toBe(numbers.length);

    const sets = await db.query(
      "SELECT kind, state, counts FROM change_sets WHERE id = ANY ($1) ORDER BY kind",
      [[id, undo]],
    );
    expect(sets).toMatchObject([
      { kind: "import", state: "applied", counts: { rows: 3, stored: 3, refused: 0 } },
      { kind: "undo", state: "applied", counts: { records: 3, undone: 3, conflicts: 0 } },
    ]);
    expect(await db.query("SELECT DISTINCT location FROM assets")).toEqual([{ location: null }]);
  });

  test("leaves an existing asset's state unchanged unless a state is given", async () => {
    const owner = await connect(current());
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Pump", inventory_number: "A-1", state: "in_use" },
    });
    const again = { name: "Pump", inventory_number: "A-1" };
    const kept = await owner.ok<{ plan_url: string }>("create_asset", {
      ...again,
      prepare_only: true,
    });
    const given = { ...again, state: "stored", prepare_only: true };
    const named = await owner.ok<{ plan_url: string }>("create_asset", given);

    const browser = await signIn(current().app, owner.member);
    const [unchanged, changed] = await Promise.all(
      [kept, named].map(({ plan_url: url }) => browser.get(new URL(url).pathname)),
    );
    expect(unchanged?.body).toContain("1 unchanged");
    expect(changed?.body).toContain("1 changed");
    expect(await owner.ok("get_asset", { asset_id: asset.id })).toMatchObject({
      asset: { state: "in_use" },
    });
  });

  test("waits on its page for approval, and can be undone", async () => {
    const owner = await connect(current());
    await owner.ok("create_asset", { name: "Old", inventory_number: "A-1" });
    const prepared = await owner.ok<{ plan_url: string; warnings: string[] }>("create_asset", {
      prepare_only: true,
      category: "HVAC",
      assets: [
        { name: "New", inventory_number: "A-1" },
        { name: "Fan" },
        { name: "Bad", workspace_id: "Nowhere" },
      ],
    });
    expect(prepared.warnings).toHaveLength(1);
    expect(prepared.warnings[0]).toMatch(/^assets\[2\]: .*Nowhere/);
    const { assets } = await owner.ok<{ assets: object[] }>("list_assets");
    expect(assets).toMatchObject([{ name: "Old" }]);

    const browser = await signIn(current().app, owner.member);
    const page = await browser.get(new URL(prepared.plan_url).pathname);
    expect(page.body).toContain("prepared by fettle-bridge");
    expect(page.body).toContain("1 new, 1 changed, 0 unchanged, 1 wrong");
    const applied = await pressImport(browser, page);
    const result = await browser.get(String(applied.headers.location));
    expect(result.body).toContain("2 rows imported");
    const after = await owner.ok<{ assets: object[] }>("list_assets");
    expect(after.assets).toMatchObject([
      { name: "Fan", category: "HVAC" },
      { name: "New", category: "HVAC" },
    ]);
    const [, undo = ""] = /href="(\/changes\/\w+\/undo)"/.exec(result.body) ?? [];
    await press(browser, await browser.get(undo), "Undo");
    expect(await owner.ok("list_assets")).toMatchObject({ assets: [{ name: "Old" }] });
  });

  test("allows only owners and admins", async () => {
    const member = await connect(current(), { role: "member", workspace: "Lab" });
    await connect(current(), { organization: member.member.organization, role: "owner" });
    expect(
      await member.refused("create_asset", { prepare_only: true, name: "Pump" }),
    ).toMatchObject({
      code: "forbidden",
    });
  });
});
