import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aTask } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";
import { daysFromNow } from "../../support/tasks.js";

interface Created {
  asset: { id: string; inventory_number: string };
}

/** A word with no position for a line break. */
const unbroken = "Umwälzpumpenersatzteilbeschaffungsverfahren".repeat(4);

describe("assets in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let asset: Created["asset"];
  let retired: Created["asset"];

  beforeAll(async () => {
    owner = await connect(current(), { workspace: "Hall", name: "Dara Novak" });
    const create = async (fields: Record<string, unknown>) =>
      (await owner.ok<Created>("create_asset", { name: "Pump", ...fields })).asset;
    asset = await create({
      ...{ name: "Circulation pump", workspace_id: "Hall", criticality: "critical" },
      ...{ description: unbroken, manufacturer: unbroken.slice(0, 120), tags: ["a", "b c"] },
      ...{ warranty_expires_on: daysFromNow(10), location: unbroken, assigned_to_user_id: "me" },
    });
    await create({ name: unbroken, parent_asset_id: asset.id, state: "out_of_service" });
    for (let number = 1; number <= 31; number += 1) await create({ name: `Filter ${number}` });
    retired = await create({ name: "Old pump" });
    const leave = { state: "deleted", reason: "sold", note: unbroken };
    await owner.ok("update_asset_state", { asset_id: retired.id, ...leave });
    await owner.ok("update_asset", { asset_id: asset.id, condition: "good", note: unbroken });
    const task = { asset_id: asset.id, title: unbroken, due_date: daysFromNow(-3) };
    await aTask(current().db, owner.member, task);
    await aTask(current().db, owner.member, { asset_id: asset.id, state: "on_hold" });
  });

  browserTest.each(views)(
    "every asset page passes the checks at $width px, $colorScheme, scripts $javaScriptEnabled",
    async (view) => {
      const opened = await openPage(chromium(), current(), owner.member, view);

      const problems = await sweep(opened, [
        "/assets",
        "/assets?q=nothing-like-it&tag=a&warranty_before=2027-01-01",
        `/assets/${asset.id}?scanned=1`,
        `/assets/${asset.id}?tab=work`,
        `/assets/${asset.id}?tab=files`,
        `/assets/${retired.id}`,
        `/assets/${asset.id}/history`,
      ]);

      expect(problems).toEqual({});
      await opened.close();
    },
  );

  browserTest("pages without results pass the checks too", async () => {
    const opened = await openPage(chromium(), current(), owner.member, views[0]);

    for (const address of ["/assets/ast_000000000000", "/q/000000000000", "/assets?cursor=x"]) {
      await opened.page.goto(address);
      expect(await findProblems(opened.page), address).toEqual([]);
    }
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("a phone shows the filters on demand, without scripts", async () => {
    const opened = await openPage(chromium(), current(), owner.member, views[2]);
    const { page } = opened;
    await page.goto("/assets");
    const state = page.locator("#filter-state");

    expect(await state.isVisible()).toBe(false);
    await page.getByText("Filters", { exact: true }).click();
    await state.selectOption("Out of service");
    await page.getByRole("button", { name: "Apply" }).click();

    await page.getByText("1 asset", { exact: true }).waitFor();
    expect(await state.inputValue()).toBe("out_of_service");
    await page.getByText("Filters · 1").waitFor();
    await page.getByRole("link", { name: "State: Out of service: remove" }).click();
    await page.getByText("30 of 33 assets").waitFor();
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("the keyboard alone can search, open an asset, and reach every action", async () => {
    const opened = await openPage(chromium(), current(), owner.member, views[3]);
    const { page } = opened;
    await page.goto("/assets");
    await page.getByLabel("Search", { exact: true }).focus();
    await page.keyboard.type("circulation");
    await page.keyboard.press("Enter");
    await page.getByText("1 asset", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Circulation pump" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Circulation pump" }).waitFor();

    await page.locator("#content").getByText("More", { exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");

    const focused = await page.evaluate(() => document.activeElement?.getAttribute("href"));
    expect(focused).toBe(`/assets/${asset.id}/move`);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("a printed asset shows its details without navigation or buttons", async () => {
    const opened = await openPage(chromium(), current(), owner.member, views[3]);
    const { page } = opened;
    await page.goto(`/assets/${asset.id}?scanned=1`);
    await page.emulateMedia({ media: "print" });

    for (const name of ["Circulation pump", "Open tasks", "Details", "Latest history", "Label"]) {
      expect(await page.getByRole("heading", { name, exact: true }).isVisible(), name).toBe(true);
    }
    expect(await page.getByAltText(/^QR code/).isVisible()).toBe(true);
    expect(await page.getByText(/^Organization \d+, /).isVisible()).toBe(true);
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Print this label" }).count()).toBe(0);
    const color = await page.evaluate(() => getComputedStyle(document.body).color);
    expect(color, "the dark scheme is not printed").toBe("rgb(0, 0, 0)");
    await opened.close();
  });
});
