import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, aTask } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { findProblems, openPage, views } from "../../support/pages.js";

describe("scripts of pages", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;

  beforeAll(async () => {
    owner = await connect(current(), { workspace: "Hall" });
    browser = await signIn(current().app, owner.member);
    for (const name of ["Pump 10", "Pump 2", "Fan"]) {
      await owner.ok("create_asset", { name, workspace_id: "Hall" });
    }
  });

  test("runs only on pages of records, and connects only to the server", async () => {
    const policyOf = async (url: string) =>
      String((await browser.get(url)).headers["content-security-policy"]);

    for (const url of ["/", "/assets", "/tasks/new", "/tasks?q=x", "/assets/none", "/workspaces"]) {
      const { body } = await browser.get(url);
      expect(await policyOf(url), url).toContain("script-src 'self'");
      expect(await policyOf(url), url).toContain("connect-src 'self'");
      expect(body.match(/<script/g), url).toHaveLength(3);
      expect(body).toMatch(/<script src="\/static\/pages-[^"]+\.js" defer data-[^>]*><\/script>/);
    }
    for (const url of ["/settings", "/settings/apps"]) {
      expect(await policyOf(url), url).toContain("script-src 'none'");
      expect((await browser.get(url)).body, url).not.toContain("<script");
    }
  });

  test("finds only visible assets, with only their number and name", async () => {
    const find = async (who: TestBrowser, q: string) =>
      (await who.get(`/search/assets?q=${q}`)).json<{ name: string }[]>();
    const { organization } = owner.member;
    const outsider = await aMember(current().db, { organization, role: "member" });

    const found = await find(browser, "pump");
    expect(found.map(({ name }) => name)).toEqual(["Pump 2", "Pump 10"]);
    expect(Object.keys(found[0] ?? {})).toEqual(["inventory_number", "name"]);
    for (const none of ["", "%00", "%20", "%F0%9F"]) expect(await find(browser, none)).toEqual([]);
    expect(await find(await signIn(current().app, outsider), "pump")).toEqual([]);
  });

  test("finds people to mention only if they see the record, for those who may comment", async () => {
    const { db, app } = current();
    const { organization, workspaceId } = owner.member;
    const join = (name: string, more: object = {}) =>
      aMember(db, { organization, role: "member", name, workspace: "Hall", ...more });
    await join("Mara O'Neil");
    await join("Mara Outside", { workspace: "Yard" });
    const viewer = await signIn(app, await join("Mara Viewer", { workspaceRole: "viewer" }));
    const task = await aTask(db, owner.member, { asset_id: null, workspace_id: workspaceId ?? "" });
    const find = (who: TestBrowser, q: string) => who.get(`/tasks/${task.id}/people?q=${q}`);
    const names = async (q: string) => (await find(browser, q)).json<string[]>();

    expect(await names("mar")).toEqual(["Mara O'Neil", "Mara Viewer"]);
    expect(await names("o%E2%80%99n")).toEqual(["Mara O'Neil"]);
    for (const none of ["ara", "%00", "%25"]) expect(await names(none)).toEqual([]);
    expect((await find(viewer, "mar")).statusCode).toBe(403);
  });

  browserTest("suggests people while a mention is typed, by keyboard and touch", async () => {
    const { db } = current();
    const { organization, workspaceId } = owner.member;
    for (const name of ["Zoe Adler", "Zoe Brand"]) {
      await aMember(db, { organization, role: "member", name, workspace: "Hall" });
    }
    const task = await aTask(db, owner.member, { asset_id: null, workspace_id: workspaceId ?? "" });
    const view = { ...views[0], hasTouch: true };
    const opened = await openPage(chromium(), current(), owner.member, view);
    const { page } = opened;
    await page.goto(`/tasks/${task.id}`);
    const text = page.locator("#comment");
    const list = page.getByRole("listbox", { name: "People" });

    await text.pressSequentially("See @zo");
    await list.waitFor();
    expect(await findProblems(page)).toEqual([]);
    const [field, shown] = [await text.boundingBox(), await list.boundingBox()];
    expect(shown?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));
    await text.press("ArrowDown");
    expect(await list.getByRole("option", { selected: true }).textContent()).toBe("Zoe Brand");
    await text.press("Enter");
    expect(await text.inputValue()).toBe("See @Zoe Brand ");

    await text.pressSequentially("and @zoe a");
    await list.getByText("Zoe Adler").tap();
    expect(await text.inputValue()).toBe("See @Zoe Brand and @Zoe Adler ");
    await text.pressSequentially("@z");
    await list.waitFor();
    await text.press("Escape");
    expect(await list.isVisible()).toBe(false);
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("keyboard shortcuts move, search, open pages, and can be turned off", async () => {
    const opened = await openPage(chromium(), current(), owner.member, views[3]);
    const { page } = opened;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.goto("/assets");
    await press("j", "j", "x", "k");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toContain("Fan");
    expect(await page.getByLabel("Select Pump 2").isChecked()).toBe(true);
    await press("/", "g", "t");
    expect(await page.getByLabel("Find anything").inputValue()).toBe("gt");

    await page.goto("/assets");
    await press("g", "t");
    await page.waitForURL(/\/tasks$/);
    await press("c");
    await page.waitForURL(/\/tasks\/quick$/);
    await page.keyboard.type("Grease it tomorrow !high");
    await press("Enter");
    await page.waitForURL(/\/tasks\/new/);
    expect(await page.getByLabel("Title").inputValue()).toBe("Grease it");

    await page.goto("/assets");
    await press("?");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Use shortcuts in this browser").uncheck();
    await press("Escape");
    expect(await dialog.count()).toBe(0);
    await press("j");
    // The closed dialog keeps the focus until the page is drawn again.
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("body");
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("selects all rows, suggests assets, warns before leaving, and copies", async () => {
    const opened = await openPage(chromium(), current(), owner.member, views[3]);
    const { page } = opened;
    await page.goto("/assets");
    await page.getByLabel("Select all").check();
    expect(await page.locator(".pick :checked").count()).toBe(4);
    await page.getByLabel("Select Fan").uncheck();
    expect(await page.locator("thead .pick input:indeterminate").count()).toBe(1);

    await page.goto("/tasks/new");
    await page.locator("#asset_id").pressSequentially("pump");
    const offered = page.locator("#asset_id-found option");
    await offered.nth(1).waitFor({ state: "attached" });
    const labels = offered.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).label));
    expect(await labels).toEqual(["Pump 2", "Pump 10"]);
    const asked = page.waitForEvent("dialog");
    const left = page.goto("/connect");
    expect((await asked).type()).toBe("beforeunload");
    await (await asked).accept();
    await left;
    await page.getByRole("button", { name: "Copy" }).click();
    expect(opened.complaints).toEqual([]);
    await opened.close();
  });
});
