import { describe, expect, test } from "vitest";
import { useApp } from "../support/app.js";
import { press } from "../support/browser.js";
import { connect } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";

describe("an import that an assistant prepares", () => {
  const current = useApp();

  test("waits on its page until a person approves it, and can be undone", async () => {
    const owner = await connect(current());
    await owner.ok("create_asset", { name: "Old", inventory_number: "A-1" });
    const prepared = await owner.ok<{ plan_url: string; warnings: string[] }>("create_asset", {
      plan: true,
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
    const applied = await press(browser, page, "Apply");
    const result = await browser.get(String(applied.headers.location));
    expect(result.body).toContain("2 rows stored");
    const after = await owner.ok<{ assets: object[] }>("list_assets");
    expect(after.assets).toMatchObject([
      { name: "Fan", category: "HVAC" },
      { name: "New", category: "HVAC" },
    ]);
    await press(browser, result, "Undo");
    expect(await owner.ok("list_assets")).toMatchObject({ assets: [{ name: "Old" }] });
  });

  test("is for owners and admins", async () => {
    const member = await connect(current(), { role: "member", workspace: "Lab" });
    await connect(current(), { organization: member.member.organization, role: "owner" });
    expect(await member.refused("create_asset", { plan: true, name: "Pump" })).toMatchObject({
      code: "forbidden",
    });
  });
});
