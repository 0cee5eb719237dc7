import { describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { openPage, sweep, views } from "../../support/pages.js";

describe("meters in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest.each(views)("adds and reads meters after a scan: %o", async (view) => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team, { name: "Forklift" });
    const opened = await openPage(chromium(), current(), team.member, view);
    const { page } = opened;
    const address = `/assets/${asset.id}`;

    await page.goto(`${address}/meters/new`);
    await page.getByLabel("Name").fill("Odometer");
    await page.getByLabel("Unit").fill("km");
    await page.getByRole("button", { name: "Add meter" }).click();
    await page.getByText("Odometer added.").waitFor();
    const meter = new URL(page.url()).pathname;
    await page.goto(`${address}?scanned=1`);
    await page.getByLabel("Odometer (km)").fill("120500");
    await page.getByRole("button", { name: "Record reading" }).click();
    await page.locator(".meters").getByText("120,500 km").waitFor();
    await page.getByLabel("Odometer (km)").fill("120700.5");
    await page.getByRole("button", { name: "Record reading" }).click();
    await page.locator(".meters").getByText("120,700.5 km").waitFor();
    const box = await page.getByRole("button", { name: "Record reading" }).boundingBox();
    if (view.width === 390) expect(box?.height).toBeGreaterThanOrEqual(44);

    const forms = [`${meter}/edit`, `${meter}/remove`, `${address}/readings`];
    const pages = [
      `${address}?tab=readings`,
      `${address}?scanned=1`,
      meter,
      `${address}/meters/new`,
    ];
    const task = `/tasks/new?asset=${asset.id}`;
    expect(await sweep(opened, [...pages, ...forms, task])).toEqual({});
    await opened.close();
  });
});
