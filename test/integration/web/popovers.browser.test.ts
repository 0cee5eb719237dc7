import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aTask } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { findProblems, openPage, views } from "../../support/pages.js";
import { daysFromNow } from "../../support/tasks.js";

describe("popovers", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let asset: { id: string };

  beforeAll(async () => {
    owner = await connect(current(), { workspace: "Hall" });
    const made = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Pump", workspace_id: "Hall" },
    });
    ({ asset } = made);
    const columns = { asset_id: asset.id, title: "Grease it", due_date: daysFromNow(0) };
    await aTask(current().db, owner.member, columns);
  });

  browserTest.each(views)(
    "closes on Escape, an outside click and another opening, at $width px, scripts $javaScriptEnabled",
    async (view) => {
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      const open = page.locator(":popover-open");
      await page.goto("/tasks");

      await page.getByRole("button", { name: "Filters" }).click();
      expect(await open.getByRole("button", { name: "Apply" }).isVisible()).toBe(true);
      await page.locator(".account > button").click();
      expect(await open.count()).toBe(1);
      expect(await open.getByRole("button", { name: "Sign out" }).isVisible()).toBe(true);
      expect(await findProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await open.count()).toBe(0);
      expect(await page.locator(".account > button:focus").count()).toBe(1);
      await page.getByRole("button", { name: "Actions (Grease it)" }).click();
      expect(await findProblems(page)).toEqual([]);
      await page.mouse.click(5, 200);
      expect(await open.count()).toBe(0);

      await page.goto(`/assets/${asset.id}`);
      await page.locator("main .menu > button").click();
      const box = await open.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(view.width);
      await open.getByRole("link", { name: "Move" }).click();
      await page.waitForURL(/\/move$/);
      expect(opened.complaints).toEqual([]);
      await opened.close();
    },
  );

  browserTest(
    "opens the bottom navigation on a phone, and shows the plan panel above it",
    async () => {
      const opened = await openPage(chromium(), current(), owner.member, views[2]);
      const { page } = opened;
      await page.goto("/plan");
      await page.locator(".tick input").first().check();
      await page.locator(".selection-bar summary", { hasText: "Reschedule" }).click();

      await page.locator(".plan-form").evaluate((form) => {
        form.scrollIntoView();
      });
      const bar = await page.locator("nav.bottom").boundingBox();
      const last = await page.getByRole("button", { name: "7 days later" }).boundingBox();
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);

      await page.locator("nav.bottom button").click();
      await page.locator(":popover-open").getByRole("link", { name: "Workspaces" }).click();
      await page.waitForURL("**/workspaces");
      await opened.close();
    },
  );

  browserTest("a rejected form focuses the error, with and without scripts", async () => {
    for (const view of [views[0], views[1]]) {
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      await page.goto("/tasks/new");
      await page.getByLabel("Title").fill("Grease it");

      await page.getByRole("button", { name: "Add task" }).click();

      const summary = page.locator(".error-summary:focus");
      await summary.waitFor();
      await page.keyboard.press("Tab");
      expect(await summary.count()).toBe(0);
      expect(await page.locator(".error-summary a:focus").count()).toBe(1);
      await opened.close();
    }
  });
});
