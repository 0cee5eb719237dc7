import { describe, expect } from "vitest";
import type { Page } from "playwright-core";
import { findFreePort, useServer, type TestApp, startApp } from "../../support/app.js";
import type { Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { unplug } from "../../support/offline.js";
import { findProblems, openPage, views } from "../../support/pages.js";
import { aBuilding, startRound } from "../../support/rounds.js";

const current = useServer();
const chromium = useChromium();

const label = "Inventory, label or serial number";

async function scan(page: Page, ...codes: string[]): Promise<void> {
  for (const code of codes) {
    await page.getByLabel(label).fill(code);
    await page.getByLabel(label).press("Enter");
    await page.waitForFunction(
      (id) => (document.getElementById(id) as HTMLInputElement | null)?.value === "",
      "code",
    );
  }
}

async function findingsOf(round: string): Promise<string[]> {
  const rows = await current().db.query<{ thing: string }>(
    `SELECT coalesce(a.name, f.code) AS thing FROM round_findings f
     LEFT JOIN assets a ON a.id = f.asset_id WHERE f.round_id = $1 ORDER BY 1`,
    [round.split("/").at(-1)],
  );
  return rows.map(({ thing }) => thing);
}

async function aRound(testApp: TestApp = current()) {
  const building = await aBuilding(testApp);
  const { team } = building;
  const round = await startRound(testApp, team.member, { workspace_id: team.workspaceId });
  return { ...building, round };
}

/** Opens the round on a phone, which stores it offline. */
async function aPhone(round: string, by: Member, testApp: TestApp = current()) {
  const opened = await openPage(chromium(), testApp, by, views[0]);
  await openRound(opened.page, round);
  return opened;
}

async function signOut(page: Page): Promise<void> {
  await page.locator(".account > button").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You're signed out.").waitFor();
}

async function openRound(page: Page, round: string): Promise<void> {
  await page.goto(round);
  await page.evaluate(async (path) => {
    await navigator.serviceWorker.ready;
    const find = async () => (await caches.match(path)) !== undefined;
    while (!(await find())) await new Promise((done) => setTimeout(done, 20));
    while (navigator.serviceWorker.controller === null) {
      await new Promise((done) => setTimeout(done, 20));
    }
  }, round);
}

const waiting = (page: Page) => page.locator(".waiting [role=status]");
const isSent = (page: Page) => page.locator(".waiting[hidden]").waitFor({ state: "attached" });

describe("a round in a real browser", () => {
  browserTest.each(views)("runs from start to end: %o", async (view) => {
    const { team, pump, lamp } = await aBuilding(current());
    const { page, complaints, close } = await openPage(chromium(), current(), team.owner, view);
    const problems: Record<string, string[]> = {};
    const check = async (name: string) => {
      const found = [...(await findProblems(page)), ...complaints.splice(0)];
      if (found.length > 0) problems[name] = found;
    };

    await page.goto("/rounds");
    await check("no round");
    await page.getByRole("link", { name: "Start a round" }).click();
    await check("start");
    await page.getByLabel(label).fill(pump.number);
    await page.getByRole("button", { name: "Choose its workspace" }).click();
    await page.waitForURL(/code=/);
    await page.getByLabel("Location").fill("");
    await page.getByRole("button", { name: "Start round" }).click();
    await page.getByRole("heading", { name: "Not seen yet" }).waitFor();
    for (const [code, words] of [
      [pump.code, "Pump is here."],
      [lamp.number, "Lamp is here, but belongs elsewhere: Office."],
      ["<b>9</b>", "is unknown"],
    ] as const) {
      await page.getByLabel(label).fill(code);
      await page.getByLabel(label).press("Enter");
      await page.getByRole("status").getByText(words).waitFor();
    }
    await page.getByText("1 of 2").waitFor();
    await check("running");
    await page.getByRole("link", { name: "End the round" }).click();
    await check("question");
    await page.getByRole("button", { name: "End anyway" }).click();
    await page.getByText("Round ended.").waitFor();
    await check("ended");
    await page.getByRole("button", { name: "Move selected assets to Plant" }).click();
    await page.getByText("1 asset moved here.").waitFor();
    await page.goto("/rounds");
    await check("list");

    expect(problems).toEqual({});
    expect(await page.getByText("1 not seen").count()).toBe(1);
    await close();
  });

  browserTest(
    "loses and duplicates nothing offline, after crashes, lost responses and in two tabs",
    async () => {
      const { team, pump, fan, round } = await aRound();
      const { page, close } = await aPhone(round, team.member);
      const context = page.context();

      await context.setOffline(true);
      // The browser's offline mode starts late and ends early, so the server also refuses
      // connections.
      const plugIn = unplug(current());
      await scan(page, pump.code, "Box 1");
      await waiting(page).getByText("2 scans are saved on this device. You're offline.").waitFor();
      expect(await findProblems(page)).toEqual([]);
      expect(await page.getByText("Saved on this device", { exact: true }).count()).toBe(1);
      await page.close();
      // Reopens the page offline and closes it during a scan.
      const second = await context.newPage();
      await second.goto(round);
      await waiting(second).getByText("2 scans are saved").waitFor();
      await second.getByLabel(label).fill(fan.number);
      await second.getByLabel(label).press("Enter");
      await waiting(second).getByText("3 scans are saved").waitFor();
      await second.close({ runBeforeUnload: false });
      expect(await findingsOf(round)).toEqual([]);

      plugIn();
      // The server stores the scans, but its responses are lost.
      let lost = 0;
      await context.route("**/queue", async (route) => {
        await route.fetch();
        lost += 1;
        await route.abort();
      });
      await context.setOffline(false);
      const tabs = [await context.newPage(), await context.newPage()];
      await Promise.all(tabs.map((tab) => tab.goto(round)));
      await Promise.all(tabs.map((tab) => waiting(tab).getByText("3 scans are saved").waitFor()));
      await expect.poll(() => lost).toBeGreaterThanOrEqual(2);
      await context.unroute("**/queue");
      await Promise.all(tabs.map((tab) => tab.evaluate(() => dispatchEvent(new Event("online")))));
      await Promise.all(tabs.map(isSent));

      expect(await findingsOf(round)).toEqual(["Box 1", "Fan", "Pump"]);
      const [tab] = tabs;
      await tab?.getByText("Everything in this workspace was seen.").waitFor();
      await close();
    },
  );

  browserTest("keeps the queue after sign-out; another person can't see or send it", async () => {
    const { team, pump, round } = await aRound();
    const { page, close } = await aPhone(round, team.member);
    const context = page.context();
    const signIn = async ({ email, password }: Member) => {
      await page.goto("/signin");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL((url) => url.pathname !== "/signin");
    };
    await context.setOffline(true);
    await scan(page, pump.code);
    await waiting(page).getByText("You're offline").waitFor();
    // The page's requests fail until a person signs out in another tab.
    await context.route("**/queue", (route) => route.abort());
    const other = await context.newPage();
    await context.setOffline(false);
    await other.goto("/");
    await signOut(other);
    await context.unroute("**/queue");

    await page.evaluate(() => dispatchEvent(new Event("online")));
    await waiting(page).getByText("You're signed out.").waitFor();
    expect(await waiting(page).innerText()).toContain("1 scan is saved on this device.");
    await context.setOffline(true);
    await other.goto(round);
    expect(await other.getByRole("heading").innerText()).toBe("You're offline");
    await context.setOffline(false);
    await other.goto(round);
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);

    await signIn(team.lead);
    await openRound(page, round);
    expect(await page.locator(".waiting").isVisible()).toBe(false);
    await scan(page, "Of Lena");
    await page.getByText("“Of Lena” is unknown").waitFor();
    expect(await findingsOf(round)).toEqual(["Of Lena"]);
    await signOut(page);

    await signIn(team.member);
    await page.goto("/rounds");
    await isSent(page);
    await expect.poll(() => findingsOf(round)).toEqual(["Of Lena", "Pump"]);
    await close();
  });

  browserTest("signing in from the notice returns to the round and sends the scan", async () => {
    const { team, pump, round } = await aRound();
    const { page, close } = await aPhone(round, team.member);
    await page.context().clearCookies();
    await scan(page, pump.code);
    await waiting(page).getByText("You're signed out.").waitFor();

    await page.locator(".waiting").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(team.member.email);
    await page.getByLabel("Password").fill(team.member.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();

    await page.waitForURL((url) => url.pathname === round);
    await isSent(page);
    expect(await findingsOf(round)).toEqual(["Pump"]);
    await close();
  });

  browserTest(
    "keeps a scan rejected after a role change, and stores it when allowed again",
    async () => {
      const { team, pump, round } = await aRound();
      const { page, close } = await aPhone(round, team.member);
      const become = (role: string) =>
        current().db.query("UPDATE workspace_members SET role = $2 WHERE user_id = $1", [
          team.member.userId,
          role,
        ]);
      await page.context().setOffline(true);
      await scan(page, pump.number);
      await waiting(page).getByText("You're offline").waitFor();

      await become("viewer");
      await page.context().setOffline(false);
      await page.getByText(`Not saved: ${pump.number}.`).waitFor();
      expect(await findingsOf(round)).toEqual([]);
      await become("member");
      await page.goto(round);
      await isSent(page);

      expect(await findingsOf(round)).toEqual(["Pump"]);
      await close();
    },
  );

  browserTest("scans wait while the server restarts", async () => {
    const port = await findFreePort();
    const config = { ...current().config, port, baseUrl: `http://localhost:${port}` };
    const start = async () => {
      const app = await startApp(config, current().db);
      await app.listen({ host: "localhost", port });
      return app;
    };
    const first = await start();
    const testApp = { ...current(), app: first, config };
    const { team, pump, fan, round } = await aRound(testApp);
    const { page, close } = await aPhone(round, team.member, testApp);
    await first.close();

    await scan(page, pump.number, fan.number);
    await waiting(page).getByText("2 scans are saved").waitFor();
    const second = await start();
    await scan(page, "Box 2");
    await isSent(page);

    expect(await findingsOf(round)).toEqual(["Box 2", "Fan", "Pump"]);
    await close();
    await second.close();
  });
});
