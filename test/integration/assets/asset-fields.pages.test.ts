import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

describe("asset field, such as the cost centre", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
  });

  const create = async (fields: Json) =>
    (await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump", ...fields })).asset
      .id;
  const read = async (asset_id: string) =>
    (await owner.ok<{ asset: Json }>("get_asset", { asset_id })).asset;

  test("is set, changed, and cleared by tools, and recorded in the history", async () => {
    const asset_id = await create({ cost_center: " 4711 " });
    expect(await read(asset_id)).toMatchObject({ cost_center: "4711" });

    await owner.ok("update_asset", { asset_id, cost_center: "4712" });
    const emptied = await owner.ok("update_asset", { asset_id, clear_fields: ["cost_center"] });

    expect(emptied).toMatchObject({ changed: [{ field: "cost_center", from: "4712" }] });
    expect(await read(asset_id)).not.toHaveProperty("cost_center");
    const found = await owner.ok("search_asset_history", { asset_id, field: "cost_center" });
    expect(found).toMatchObject({ total_count: 2 });
  });

  test("has a length limit in the tool", async () => {
    const refusal = await owner.refused("create_asset", { name: "A", cost_center: "x".repeat(61) });

    expect(refusal).toMatchObject({ code: "validation_failed", field: "cost_center" });
    expect(refusal.message).toContain("has 61 characters. Use at most 60");
  });

  test("is entered, limited, and cleared in the forms, and shown on the page", async () => {
    const browser = await signIn(testApp().app, owner.member);
    const form = await browser.get("/assets/new");
    expect(form.body).toMatch(/<label for="cost_center">Cost center/);
    expect(/<input id="cost_center"[^>]*>/.exec(form.body)?.[0]).toContain('maxlength="60"');

    const tooLong = await browser.submitForm(form, { name: "Fan", cost_center: "x".repeat(61) });
    expect(tooLong.statusCode).toBe(400);
    expect(tooLong.body).toContain('<a href="#cost_center">');

    const added = await browser.submitForm(form, { name: "Fan", cost_center: "0815" });
    const address = String(added.headers.location);
    const page = await browser.get(address);
    expect(page.body).toContain("<dt>Cost center</dt><dd><bdi>0815</bdi></dd>");

    const edit = await browser.get(`${address}/edit`);
    const fields = { name: "Fan", criticality: "medium", cost_center: "" };
    const saved = await browser.submitForm(edit, fields);
    expect(saved.statusCode).toBe(303);
    expect(await read(address.slice("/assets/".length))).not.toHaveProperty("cost_center");
    const after = await browser.get(address);
    expect(after.body).not.toContain("<dt>Cost center</dt>");
    expect(after.body).toContain("Cost center");
  });
});
