import { describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { aMember, aTask } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";

describe("photos and files in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest.each(views)("adds and displays files, with and without scripts: %o", async (view) => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const opened = await openPage(chromium(), current(), team.member, view);
    const { page } = opened;
    const photo = { name: "Type plate.jpg", mimeType: "image/jpeg", buffer: await aPhoto() };
    const manual = Buffer.from("%PDF-1.7 x");

    await page.goto(`/assets/${asset.id}?tab=files`);
    const document = { name: "A manual.pdf", mimeType: "application/pdf", buffer: manual };
    await page.getByLabel("Add photo or file").setInputFiles([photo, document]);
    // A script sends them.
    if (!view.javaScriptEnabled)
      await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("2 files added to Air compressor.").waitFor();
    const picture = page.getByRole("img", { name: "Type plate.jpg" });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalHeight))
      .toBe(300);
    const remove = page.getByRole("link", { name: "Delete Type plate.jpg" });
    const question = (await remove.getAttribute("href")) ?? "";

    const addresses = [`/assets/${asset.id}`, `/assets/${asset.id}/files`, question, "/assets"];
    expect(await sweep(opened, addresses)).toEqual({});
    await opened.close();
  });

  browserTest.each(views)("completes a task with photos taken one by one: %o", async (view) => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const { id } = await aTask(current().db, team.lead, { asset_id: asset.id, title: "Oil" });
    const opened = await openPage(chromium(), current(), team.member, view);
    const { page } = opened;
    const photo = async (name: string) => ({
      ...{ name, mimeType: "image/jpeg", buffer: await aPhoto() },
    });
    const control = page.getByLabel("Add photo");

    await page.goto(`/tasks/${id}/complete`);
    if (view.javaScriptEnabled) {
      for (const name of ["before.jpg", "blurred.jpg", "after.jpg"]) {
        await control.setInputFiles(await photo(name));
        await page.getByRole("img", { name }).waitFor();
      }
      await page.getByRole("button", { name: "Remove (blurred.jpg)" }).click();
    } else {
      await control.setInputFiles([await photo("before.jpg"), await photo("after.jpg")]);
    }
    expect(await findProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Complete task" }).click();
    await page.waitForURL(new RegExp(`${id}$`));

    const pictures = page.getByRole("region", { name: "Photos and files" }).getByRole("img");
    expect(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute("alt")))).toEqual(
      expect.arrayContaining(["before.jpg", "after.jpg"]),
    );
    expect(await pictures.count()).toBe(2);
    expect(await sweep(opened, [`/tasks/${id}`])).toEqual({});
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("LOG-19 doesn't show a thumbnail to the next person who signs in", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const stranger = await aMember(current().db);
    const opened = await openPage(chromium(), current(), team.member);
    const { page } = opened;
    const photo = { name: "Plate.jpg", mimeType: "image/jpeg", buffer: await aPhoto() };
    await page.goto(`/assets/${asset.id}?tab=files`);
    await page.getByLabel("Add photo or file").setInputFiles(photo);
    const picture = page.locator("img[src$='/thumbnail']").first();
    const address = (await picture.getAttribute("src")) ?? "";
    expect((await page.goto(address))?.status()).toBe(200);

    const { cookies } = await signIn(current().app, stranger);
    const url = current().config.baseUrl.replace("http:", "https:");
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));

    expect((await page.goto(address))?.status()).toBe(404);
    await opened.close();
  });
});
