import { describe, expect } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useServer } from "../../support/app.js";
import { anAsset, aTeam, readAsset } from "../../support/asset-pages.js";
import { aTask, toCaller } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { findProblems, openPage, sweep, views, type OpenPage } from "../../support/pages.js";

describe("asset forms in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  const press = ({ page }: OpenPage, name: string) =>
    page.getByRole("button", { name, exact: true }).click();

  /** Problems of the page, and errors that the browser reported. */
  const complaintsOf = async (opened: OpenPage) => [
    ...(await findProblems(opened.page)),
    ...opened.complaints,
  ];

  browserTest.each(views)(
    "adds, changes, uses, moves, retires, restores, and deletes an asset at $width, $colorScheme, scripts: $javaScriptEnabled",
    async (view) => {
      const team = await aTeam(current());
      const opened = await openPage(chromium(), current(), team.owner, view);
      const { page } = opened;

      await page.goto("/assets/new");
      await page.getByLabel("Name").fill("Pump ".repeat(39) + "x");
      await page.getByLabel("Category").fill("Pumps");
      await page.getByText("Make, model and numbers", { exact: true }).first().click();
      await page.getByLabel("Part of").fill("nothing-1");
      await press(opened, "Add asset");
      const refusal = page.getByRole("link", { name: "No asset you can see has this number." });
      expect(await complaintsOf(opened)).toEqual([]);
      await refusal.click();
      expect(new URL(page.url()).hash).toBe("#parent_asset_id");
      await page.getByLabel("Part of").fill("");
      await page.getByLabel("Name").fill("Pump");
      await press(opened, "Add asset");
      await page.waitForURL(/\/assets\/ast_/);
      const address = new URL(page.url()).pathname;
      const id = address.slice("/assets/".length);
      await page.getByRole("link", { name: "Add another like this" }).click();
      expect(await page.getByLabel("Category").inputValue()).toBe("Pumps");
      expect(await complaintsOf(opened)).toEqual([]);

      await page.goto(`${address}/edit`);
      await page.getByLabel("Location").fill("Roof");
      await commit({ db: current().db, caller: null }, (tx) =>
        updateAsset(tx, toCaller(team.lead), id, { location: "Y".repeat(200) }),
      );
      await press(opened, "Save changes");
      await page.getByText("Lena Lead changed “Location”").waitFor();
      expect(await complaintsOf(opened)).toEqual([]);
      await press(opened, "Save changes");
      await page.getByText("Saved for Pump: Location.").waitFor();

      await page.goto(`${address}/state`);
      await page.getByLabel("Out of service").check();
      await page.getByLabel("Note").fill("Leaks");
      await press(opened, "Change state");
      await page.getByText("Pump is now out of service.").waitFor();

      await page.goto(`${address}/move`);
      await page.getByLabel("To workspace").selectOption({ label: "Plant" });
      await press(opened, "Move asset");
      await page.getByText("Pump is now in Plant.").waitFor();

      await page.goto(`${address}/retire`);
      await page.getByLabel("Reason").selectOption({ label: "Sold" });
      await press(opened, "Retire asset");
      await page.getByRole("link", { name: "Restore it", exact: true }).click();
      await page.getByLabel("Stored").check();
      expect(await complaintsOf(opened)).toEqual([]);
      await press(opened, "Restore asset");
      await page.getByText("Pump restored, now stored.").waitFor();

      await page.goto(`${address}/delete`);
      await page.getByLabel("Inventory number").fill("no");
      await press(opened, "Delete permanently");
      await page.getByRole("alert").waitFor();
      expect(await complaintsOf(opened)).toEqual([]);
      const number = String((await readAsset(current(), id))?.["inventory_number"]);
      await page.getByLabel("Inventory number").fill(number);
      await press(opened, "Delete permanently");
      await page.getByText(`Pump (${number}) permanently deleted`).waitFor();
      expect(await readAsset(current(), id)).toBeUndefined();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    },
  );

  browserTest.each(views)(
    "every form passes the checks, even with long texts, at $width, $colorScheme, scripts: $javaScriptEnabled",
    async (view) => {
      const team = await aTeam(current());
      const asset = await anAsset(current(), team, {
        name: "W".repeat(200),
        inventory_number: "N".repeat(64),
        location: "L".repeat(200),
        description: "D".repeat(500),
        supplier: "Kessler",
        tags: ["t".repeat(40)],
        assigned_to_user_id: team.member.userId,
      });
      await anAsset(current(), team, { name: "P".repeat(200), parent_asset_id: asset.id });
      await aTask(current().db, team.owner, { asset_id: asset.id });
      const opened = await openPage(chromium(), current(), team.owner, view);
      const forms = ["edit", "state", "retire", "move", "delete"];
      const addresses = forms.map((form) => `/assets/${asset.id}/${form}`);
      expect(await sweep(opened, ["/assets/new", ...addresses])).toEqual({});
      await opened.close();
    },
  );

  browserTest("changes a state with the keyboard alone", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const opened = await openPage(chromium(), current(), team.member);
    const { page } = opened;
    await page.goto(`/assets/${asset.id}/state`);
    await page.locator("#state-in_use").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.type("By hand");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Air compressor is now in maintenance.").waitFor();
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });
});
