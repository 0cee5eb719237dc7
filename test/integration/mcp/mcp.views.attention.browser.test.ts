import type { Frame } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { runAxe } from "../../support/axe.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { dayFromToday } from "../../support/replay.js";
import { showView } from "../../support/view-host.js";

const hostile = '<img src=x onerror="document.title = 1"></script><b>Pump</b>';
const server = useServer();
const chromium = useChromium();

interface Made {
  asset: { id: string; inventory_number: string };
  task: { task_number: string };
}

const textOf = (view: Frame, selector: string) => view.locator(selector).innerText();
const message = (view: Frame) => view.locator("#message");

describe("attention view", () => {
  const attention = { tool: "get_organization_stats", args: { include: ["attention"] } };
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(server(), { role: "owner", name: "Olga Owner" });
    await owner.ok("create_workspace", { name: "Hall 1" });
  });

  async function aLateTask(title: string, more: Record<string, unknown> = {}): Promise<string> {
    const { asset } = await owner.ok<Made>("create_asset", {
      name: hostile,
      workspace_id: "Hall 1",
    });
    const { task } = await owner.ok<Made>("create_maintenance_task", {
      asset_id: asset.id,
      title,
      due_date: dayFromToday(-3),
      ...more,
    });
    return task.task_number;
  }

  const rowOf = (view: Frame, number: string) => view.locator("li.matter", { hasText: number });
  const press = (view: Frame, number: string, name: string) =>
    rowOf(view, number).getByRole("button", { name }).click();

  browserTest.each(["2025-11-25", "2026-07-28"] as const)(
    "completes a task after confirmation, in revision %s",
    async (era) => {
      const number = await aLateTask(`Load test <i>${era}</i>`, {
        checklist: ["Warm up", "Load"],
        recurrence: { every: 1, unit: "month" },
      });
      const shown = await showView(chromium(), server(), owner, { ...attention, era });
      const { view } = shown;
      await rowOf(view, number).waitFor();

      expect(await rowOf(view, number).innerText()).toContain(
        `Load test <i>${era}</i> · 3 days overdue`,
      );
      await press(view, number, "Complete");
      const question = rowOf(view, number).getByRole("group", { name: "Complete task" });
      await question.waitFor();
      expect(await question.innerText()).toMatch(/2 of 2 steps aren't done/);
      const asked = await shown.heard();
      expect(asked.calls.map(({ name }) => name)).toEqual([
        "get_current_user",
        "get_maintenance_task",
      ]);

      await question.getByLabel("Completion notes").fill("Ran for an hour");
      await question.getByRole("button", { name: "Complete task" }).click();
      await rowOf(view, number).waitFor({ state: "detached" });

      expect(await message(view).innerText()).toContain(`${number} completed.`);
      expect(await message(view).innerText()).toMatch(/Next task: T-\d+, due on/);
      expect(await owner.ok("get_maintenance_task", { task_id: number })).toMatchObject({
        task: { state: "completed", completion_notes: "Ran for an hour" },
      });
      const heard = await shown.heard();
      expect(heard.told).toEqual([
        `Done by the person in the attention list: ${number} completed.`,
      ]);
      expect(shown.complaints).toEqual([]);
      await shown.close();
    },
  );

  browserTest("reassigns and postpones a task using only the keyboard", async () => {
    const number = await aLateTask("Grease");
    const shown = await showView(chromium(), server(), owner, attention);
    const { view, page } = shown;
    await rowOf(view, number).getByRole("button", { name: "Assign to me" }).focus();
    await page.keyboard.press("Enter");
    await rowOf(view, number).getByRole("group").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => message(view).innerText()).toContain("assigned to Olga Owner");
    await expect
      .poll(() => rowOf(view, number).getByRole("button", { name: "Assign" }).count())
      .toBe(0);
    expect(await rowOf(view, number).innerText()).toContain("Olga Owner");

    await rowOf(view, number).getByRole("button", { name: "+7 days" }).focus();
    await page.keyboard.press("Enter");
    await rowOf(view, number).getByRole("group").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await rowOf(view, number).waitFor({ state: "detached" });

    expect(await owner.ok("get_maintenance_task", { task_id: number })).toMatchObject({
      task: { assigned_to: "Olga Owner", due_date: dayFromToday(7) },
    });
    expect(shown.complaints).toEqual([]);
    await shown.close();
  });

  browserTest("changes nothing without confirmation and shows refusals as text", async () => {
    const number = await aLateTask("Inspect");
    const shown = await showView(chromium(), server(), owner, attention);
    const { view } = shown;
    await press(view, number, "+7 days");
    await rowOf(view, number).getByRole("button", { name: "Cancel" }).click();
    expect(await rowOf(view, number).getByRole("group").count()).toBe(0);

    await press(view, number, "+7 days");
    await rowOf(view, number).getByRole("group").waitFor();
    // Meanwhile another person changes the task.
    await owner.ok("update_maintenance_task", { task_id: number, priority: "urgent" });
    await rowOf(view, number).getByRole("button", { name: "Change due date" }).click();
    await expect
      .poll(() => rowOf(view, number).getByRole("alert").innerText())
      .toMatch(/^Conflict: /);

    expect(await owner.ok("get_maintenance_task", { task_id: number })).toMatchObject({
      task: { due_date: dayFromToday(-3) },
    });
    await shown.close();
  });

  browserTest("offers no changes to viewers and read-only connections", async () => {
    const number = await aLateTask("Look");
    const reader = await connect(server(), { member: owner.member, scopes: ["mcp_read"] });
    const { organization } = owner.member;
    const place = { workspace: "Hall 1", workspaceRole: "viewer" } as const;
    const viewer = await connect(server(), { organization, role: "member", ...place });
    for (const [person, words] of [
      [reader, "This connection is read-only"],
      [viewer, "Needs attention"],
    ] as const) {
      const shown = await showView(chromium(), server(), person, attention);
      await rowOf(shown.view, number).waitFor();

      expect(await textOf(shown.view, "main")).toContain(words);
      const buttons = await rowOf(shown.view, number).getByRole("button").allInnerTexts();
      expect(buttons.map((text) => text.split(/\s/)[0])).toEqual(["View"]);
      await shown.close();
    }
  });

  browserTest("shows user input as plain text and opens the task page", async () => {
    const number = await aLateTask(hostile);
    const shown = await showView(chromium(), server(), owner, attention);
    const { view } = shown;

    expect(await rowOf(view, number).innerText()).toContain(hostile);
    expect(await view.locator("img, b").count()).toBe(0);
    expect(await view.title()).toBe("Needs attention");
    // Views accept messages only from the host.
    await view.evaluate(() => {
      const method = "ui/notifications/tool-result";
      const params = { content: [], structuredContent: { attention: [] } };
      window.postMessage({ jsonrpc: "2.0", method, params }, "*");
    });
    await press(view, number, "View task");
    await expect.poll(async () => (await shown.heard()).links).toHaveLength(1);
    const { task } = await owner.ok<{ task: { url: string } }>("get_maintenance_task", {
      task_id: number,
    });
    expect((await shown.heard()).links).toEqual([task.url]);
    expect(shown.complaints).toEqual([]);
    await shown.close();
  });

  browserTest(
    "offers to load a missing list, and is read-only in hosts without tool calls",
    async () => {
      await aLateTask("Any");
      const asked = await showView(chromium(), server(), owner, { ...attention, args: {} });
      await asked.view.getByRole("button", { name: "Show attention list" }).waitFor();
      expect(await textOf(asked.view, "#content")).toMatch(/^\d+ assets · \d+ tasks? overdue/);
      await asked.view.getByRole("button", { name: "Show attention list" }).click();
      await asked.view.locator("li.matter").first().waitFor();
      await asked.close();

      const quiet = await showView(chromium(), server(), owner, { ...attention, capabilities: {} });
      await quiet.view.locator("li.matter").first().waitFor();
      expect(await quiet.view.getByRole("button").count()).toBe(0);
      expect((await quiet.heard()).calls).toEqual([]);
      await quiet.close();
    },
  );

  browserTest("shows a long list collapsed at first", async () => {
    const busy = await connect(server());
    const names = Array.from({ length: 10 }, (_, index) => ({ name: `Pump ${index}` }));
    const { assets } = await busy.ok<{ assets: { id: string }[] }>("create_asset", {
      assets: names,
    });
    const asset_ids = assets.map(({ id }) => id);
    const late = { title: "Oil", due_date: dayFromToday(-1) };
    await busy.ok("create_maintenance_task", { asset_ids, ...late });
    const { view, close } = await showView(chromium(), server(), busy, attention);
    const rows = view.locator("li.matter");
    const more = view.getByRole("button", { name: "Show 2 more" });
    await more.waitFor();
    expect(await rows.count()).toBe(8);

    await more.press("Enter");
    await expect.poll(() => rows.count()).toBe(10);
    expect(await rows.nth(8).evaluate((row) => row === document.activeElement)).toBe(true);
    await close();
  });

  browserTest("shows the error message of a refused call", async () => {
    const shown = await showView(chromium(), server(), owner, {
      ...attention,
      args: { workspace_id: "Nowhere" },
    });
    await shown.view.locator("#message.failed").waitFor();

    expect(await message(shown.view).innerText()).toContain("Nowhere");
    await shown.close();
  });

  browserTest.each([
    { theme: "light", width: 390 },
    { theme: "dark", width: 800 },
  ] as const)(
    "axe finds nothing at $width in $theme, including the confirmation",
    async ({ theme, width }) => {
      const number = await aLateTask("Clean");
      const shown = await showView(chromium(), server(), owner, {
        ...attention,
        context: { theme },
        width,
      });
      await press(shown.view, number, "Complete");
      await rowOf(shown.view, number).getByRole("group").waitFor();

      expect(await runAxe(shown.view)).toEqual([]);
      const background = () =>
        shown.view.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const own = theme === "light" ? "rgb(255, 255, 255)" : "rgb(27, 31, 35)";
      expect(await background()).toBe(own);
      await shown.page.evaluate(() => {
        window.changeContext({
          styles: { variables: { "--color-background-primary": "#fefefe" } as never },
        });
      });
      await expect.poll(background).toBe("rgb(254, 254, 254)");
      await shown.close();
    },
  );
});
