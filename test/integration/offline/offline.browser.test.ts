import type { Page } from "playwright-core";
import { afterEach, describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import type { SentFile } from "../../support/browser.js";
import type { Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import {
  hideCookies,
  keepWork,
  loseReplies,
  openPhone,
  openSurely,
  someWork,
  unplug,
} from "../../support/offline.js";
import { signIn } from "../../support/oauth.js";
import { findProblems } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";

const current = useServer();
const chromium = useChromium();

const bar = (page: Page) => page.locator(".offline-bar");
const isSent = (page: Page) => page.getByText("No changes are waiting.").waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

let plugIn = () => {};
afterEach(() => {
  plugIn();
});

async function goOffline(page: Page): Promise<() => Promise<void>> {
  await page.context().setOffline(true);
  // The browser's offline mode starts late, so the server also refuses connections.
  plugIn = unplug(current());
  return async () => {
    plugIn();
    await page.context().setOffline(false);
  };
}

async function readTask(id: string) {
  const { db } = current();
  const task = await db.one<Record<string, unknown>>(
    "SELECT state, completion_notes, version FROM maintenance_tasks WHERE id = $1",
    [id],
  );
  const find = async (sql: string) =>
    (await db.query<{ text: string }>(sql, [id])).map(({ text }) => text);
  return {
    ...(task as { state: string; completion_notes: string | null; version: number }),
    comments: await find("SELECT text FROM comments WHERE task_id = $1 ORDER BY created_at"),
    files: await find(
      "SELECT concat_ws(' ', name, moment) AS text FROM files WHERE task_id = $1 ORDER BY name",
    ),
    answers: await find(
      `SELECT concat_ws(' ', label, coalesce(answer, done_at IS NOT NULL || '')) AS text
       FROM task_checklist_items WHERE task_id = $1 AND kind <> 'photo' ORDER BY position`,
    ),
  };
}

async function signInAs(page: Page, { email, password }: Member): Promise<void> {
  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page, "Sign in");
  await page.waitForURL((url) => url.pathname !== "/signin");
}

const photo = async (name: string) => ({ name, mimeType: "image/jpeg", buffer: await aPhoto() });

describe("a task on a phone without a network", () => {
  browserTest("is started, answered, noted and completed, and a problem reported", async () => {
    const { team, asset, tasks } = await someWork(current());
    const [task = { id: "", number: "" }] = tasks;
    const { page, complaints, close } = await openPhone(chromium(), current(), team.member);
    const goOnline = await goOffline(page);

    await page.goto("/");
    await bar(page).getByText("You're offline. This page was saved at").waitFor();
    await page.goto("/tasks");
    await page
      .getByRole("link", { name: /Service 1/ })
      .first()
      .click();
    await press(page, "Start work");
    await bar(page).getByText("1 change waits to be sent.").waitFor();
    const head = page.locator(".page-head");
    await head.getByText("· Saved on this device. Waits to be sent.").waitFor();
    const start = page.getByRole("button", { name: "Start work", exact: true });
    expect(await start.isDisabled()).toBe(true);
    await page.getByLabel("Wipe the housing").check();
    await page.getByLabel("Pressure").fill("9,5");
    await page.getByLabel("Pressure").blur();
    await page.getByText("Above the limit").waitFor();
    await page.getByLabel("Pressure").fill("3.5");
    await page.getByLabel("Pressure").blur();
    await page.getByText("Above the limit").waitFor({ state: "hidden" });
    await page.getByLabel("Photo of the plate").setInputFiles(await photo("plate.jpg"));
    await press(page, "Save checklist");
    await bar(page).getByText("2 changes wait to be sent.").waitFor();
    // The saved page contains the answers that wait.
    expect(await page.getByLabel("Pressure").inputValue()).toBe("3.5");
    await page.getByLabel("Remarks").fill("Noisy");
    await press(page, "Save checklist");
    await bar(page).getByText("3 changes wait").waitFor();
    await page.getByLabel("Comment", { exact: true }).fill("Bearing is worn");
    await page.locator(".comment-form input[type=file]").setInputFiles(await photo("bearing.jpg"));
    await press(page, "Comment");
    await bar(page).getByText("4 changes wait").waitFor();
    expect(await findProblems(page)).toEqual([]);
    await page.goto(`/assets/${asset.id}`);
    await page.goto(`/q/${asset.code}/report`);
    await page.getByLabel("What is wrong?").fill("Oil on the floor");
    await page.getByText("Yes", { exact: true }).click();
    await press(page, "Send report");
    await page.waitForURL("/offline");
    await page.goto(`/tasks/${task.id}/complete`);
    expect(await page.getByLabel("Remarks").inputValue()).toBe("Noisy");
    await page.getByLabel("What did you find, and what did you do?").fill("New seal");
    await press(page, "Complete task");
    await bar(page).getByText("6 changes wait").waitFor();
    await page.getByRole("link", { name: "Complete", exact: true }).click();
    await page.locator("form .offline-mark").waitFor();
    expect(await page.getByRole("button", { name: "Complete task" }).isDisabled()).toBe(true);
    for (const list of ["/", "/tasks"]) {
      await page.goto(list);
      await page.locator("li, tr").getByText("5 changes wait to be sent.").waitFor();
      expect(await findProblems(page)).toEqual([]);
    }
    const waitsSince = new Date();
    await page.waitForTimeout(10);
    await page.goto("/offline");
    await page
      .getByRole("heading", { name: `${task.number} Service 1` })
      .first()
      .waitFor();
    expect(await findProblems(page)).toEqual([]);
    expect(await page.locator("article").nth(1).innerText()).toMatch(
      /Save checklist · .+\n\s*Wipe the housing\s+✓\s+Pressure\s+3.5\s+Photo of the plate\s+plate.jpg/,
    );
    const shown = await page.locator("article dl").allInnerTexts();
    expect(shown.slice(2).map((text) => text.split(/\n+/))).toEqual([
      ["Comment", "Bearing is worn", "Photos and files", "bearing.jpg"],
      expect.arrayContaining([
        "What is wrong?",
        "Oil on the floor",
        "Can it still be used?",
        "Yes",
      ]),
      expect.arrayContaining([
        "Pressure",
        "3.5",
        "Remarks",
        "Noisy",
        "What did you find, and what did you do?",
        "New seal",
      ]),
    ]);
    expect((await readTask(task.id)).version).toBe(1);

    await goOnline();
    await isSent(page);
    await bar(page).getByText(`${task.number} started.`).waitFor();
    await bar(page).getByText(`${task.number} completed.`).waitFor();
    const times = await current().db.one<
      Record<"started_at" | "answered_at" | "completed_at", Date>
    >(
      `SELECT started_at, completed_at, (SELECT max(done_at) FROM task_checklist_items i
         WHERE i.task_id = t.id) AS answered_at FROM maintenance_tasks t WHERE id = $1`,
      [task.id],
    );
    expect(times.started_at < times.answered_at).toBe(true);
    expect(times.answered_at <= times.completed_at && times.completed_at <= waitsSince).toBe(true);
    expect(await readTask(task.id)).toMatchObject({
      state: "completed",
      completion_notes: "New seal",
      comments: ["Bearing is worn"],
      files: ["bearing.jpg", "plate.jpg"],
      answers: ["Wipe the housing true", "Pressure 3.5", "Remarks Noisy"],
    });
    const reports = "SELECT description FROM problem_reports WHERE asset_id = $1";
    expect(await current().db.query(reports, [asset.id])).toEqual([
      { description: "Oil on the floor" },
    ]);
    expect(complaints.filter((text) => !/ERR_/.test(text))).toEqual([]);
    await close();
  });

  browserTest("opens its photos and small PDF files", async () => {
    const { team, asset, tasks } = await someWork(current());
    const [task = { id: "" }] = tasks;
    const browser = await signIn(current().app, team.member);
    const add = async (subject: string, address: string, ...files: SentFile[]) =>
      browser.sendFiles(await browser.get(address), `${subject}/files`, files);
    const manual = (size: number) => Buffer.alloc(size, "%PDF-1.7 x");
    const files = `/assets/${asset.id}?tab=files`;
    await add(`/tasks/${task.id}`, `/tasks/${task.id}`, {
      ...{ field: "file", name: "bearing.jpg", content: await aPhoto() },
    });
    await add(
      ...[`/assets/${asset.id}`, files],
      { field: "file", name: "manual.pdf", content: manual(2000) },
      { field: "file", name: "catalog.pdf", content: manual(5 * 1024 * 1024 + 1) },
      { field: "file", name: "notes.txt", content: "Oil of 5 W" },
    );
    const stored = await current().db.query<{ id: string; name: string }>(
      "SELECT id, name FROM files WHERE organization_id = $1",
      [team.owner.organizationId],
    );
    const addressOf = (name: string) => `/files/${stored.find((file) => file.name === name)?.id}`;
    const [bearing, pdf] = [addressOf("bearing.jpg"), addressOf("manual.pdf")];
    const { page, close } = await openPhone(chromium(), current(), team.member);
    const kept = () =>
      page.evaluate(async () => {
        const stores = (await caches.keys()).filter((name) => name.startsWith("offline-"));
        const requests = await Promise.all(
          stores.map(async (name) => (await caches.open(name)).keys()),
        );
        const addresses = requests.flat().map(({ url }) => new URL(url).pathname);
        return addresses.filter((address) => address.startsWith("/files/")).sort();
      });
    const all = [bearing, `${bearing}/thumbnail`, pdf].sort();
    await expect.poll(kept).toEqual(all);
    const goOnline = await goOffline(page);
    const open = async (address: string) => {
      const answer = page.waitForResponse((response) => response.url().endsWith(address));
      await page.locator(`main a[href="${address}"]`).click();
      return answer;
    };

    await page.goto(`/tasks/${task.id}`);
    await open(bearing);
    await page.waitForURL(`**${bearing}`);
    const picture = page.locator("img");
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalHeight)).toBe(300);
    await page.goto(`/assets/${asset.id}`);
    await page.getByRole("link", { name: "3 files" }).click();
    const opened = await open(pdf);
    expect([opened.status(), opened.headers()["content-type"]]).toEqual([200, "application/pdf"]);
    expect(opened.headers()["content-length"]).toBe("2000");
    for (const name of ["catalog.pdf", "notes.txt"]) {
      await page.goto(files);
      await open(addressOf(name));
      await page.getByText("This page isn't saved on this device.").waitFor();
    }

    await goOnline();
    await current().db.query("DELETE FROM files WHERE name = 'bearing.jpg' AND task_id = $1", [
      task.id,
    ]);
    for (const address of [`/tasks/${task.id}`, `/tasks/${task.id}/complete`, "/"]) {
      await openSurely(page, address);
    }
    await expect.poll(kept, { timeout: 30_000 }).toEqual([pdf]);
    await close();
  });

  browserTest("a change made meanwhile on the server becomes a choice", async () => {
    const { team, tasks } = await someWork(current(), 2);
    const [first = { id: "" }, second = { id: "" }] = tasks;
    const { page, close } = await openPhone(chromium(), current(), team.member);
    const goOnline = await goOffline(page);
    for (const { id } of [first, second]) {
      await page.goto(`/tasks/${id}/complete`);
      await page.getByLabel("What did you find, and what did you do?").fill("Mine");
      await page.locator("input[name=file]").setInputFiles(await photo("mine.jpg"));
      await page.getByRole("radio", { name: "Before" }).check();
      await press(page, "Complete task");
      await bar(page).waitFor();
    }
    const theirs = `UPDATE maintenance_tasks SET completion_notes = 'Theirs', version = version + 1`;
    await current().db.query(`${theirs} WHERE id = ANY ($1)`, [[first.id, second.id]]);

    await goOnline();
    await page.goto("/offline");
    await bar(page).getByText("2 changes need your decision.").waitFor();
    await page.getByText("Changed on the server since you opened it.").first().waitFor();
    expect(await findProblems(page)).toEqual([]);
    expect((await readTask(first.id)).completion_notes).toBe("Theirs");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Discard" }).nth(1).click();
    await bar(page).getByText("1 change needs your decision.").waitFor();
    await page.getByRole("link", { name: "Open form with your input" }).click();
    await page.getByText("Your input is filled in again.").waitFor();
    await page.getByText("Now: Theirs").waitFor();
    expect(await findProblems(page)).toEqual([]);
    await press(page, "Complete task");
    await page.getByText(/T-\d+ completed/).waitFor();
    await page.goto("/offline");
    await isSent(page);

    expect(await readTask(first.id)).toMatchObject({
      ...{ state: "completed", completion_notes: "Mine", files: ["mine.jpg before"] },
    });
    expect(await readTask(second.id)).toMatchObject({
      ...{ state: "scheduled", completion_notes: "Theirs" },
    });
    await close();
  });

  browserTest("keeps changes after sign-out; another person can't see or send them", async () => {
    const { team, tasks } = await someWork(current());
    const [task = { id: "" }] = tasks;
    const { page, close } = await openPhone(chromium(), current(), team.member);
    const goOnline = await goOffline(page);
    await page.goto(`/tasks/${task.id}`);
    await page.getByLabel("Comment", { exact: true }).fill("Of Mo");
    await press(page, "Comment");
    await bar(page).getByText("1 change waits").waitFor();
    await current().db.query("DELETE FROM sessions");

    await goOnline();
    await bar(page).getByText("You're signed out. Sign in to send them.").waitFor();
    await signInAs(page, team.lead);
    await keepWork(page);
    await page.goto("/offline");
    await isSent(page);
    const stores = () => page.evaluate(() => caches.keys());
    expect(await stores()).toEqual([`offline-${team.lead.userId}.${team.lead.organizationId}`]);
    expect((await readTask(task.id)).comments).toEqual([]);
    await page.context().clearCookies();
    await signInAs(page, team.member);
    await page.goto("/offline");
    await isSent(page);

    await expect.poll(async () => (await readTask(task.id)).comments).toEqual(["Of Mo"]);
    await close();
  });

  browserTest("a form whose reply is lost, or whose session has ended, waits", async () => {
    const { team, tasks } = await someWork(current());
    const [task = { id: "" }] = tasks;
    const { page, close } = await openPhone(chromium(), current(), team.member);
    await page.goto(`/tasks/${task.id}`);
    let lost = 0;
    const stop = loseReplies(current(), (url) => url.endsWith("/comments") && (lost += 1) < 3);
    await page.getByLabel("Comment", { exact: true }).fill("Once");
    await press(page, "Comment");
    await expect.poll(() => lost).toBeGreaterThan(2);
    stop();
    await page.goto("/offline");
    await isSent(page);
    expect((await readTask(task.id)).comments).toEqual(["Once"]);

    await page.goto(`/tasks/${task.id}/complete`);
    await page.locator("input[name=file]").setInputFiles(await photo("done.jpg"));
    await current().db.query("DELETE FROM sessions");
    await press(page, "Complete task");
    await page.waitForURL(/signin/);
    await signInAs(page, team.member);
    await page.goto("/offline");
    await isSent(page);
    expect(await readTask(task.id)).toMatchObject({
      state: "completed",
      files: ["done.jpg after"],
    });
    await close();
  });

  browserTest("works in a browser whose worker can't read cookies", async () => {
    const show = hideCookies(current());
    const { team, tasks } = await someWork(current());
    const [task = { id: "" }] = tasks;
    const { page, close } = await openPhone(chromium(), current(), team.member);
    const [worker] = page.context().serviceWorkers();
    expect(await worker?.evaluate(() => "cookieStore" in self && self.cookieStore)).toBe(undefined);
    const stores = () => page.evaluate(() => caches.keys());
    const goOnline = await goOffline(page);
    await page.goto(`/tasks/${task.id}`);
    await page.getByLabel("Comment", { exact: true }).fill("Kept");
    await press(page, "Comment");
    await bar(page).getByText("1 change waits").waitFor();
    await goOnline();
    await page.goto("/offline");
    await isSent(page);

    await page.goto(`/tasks/${task.id}`);
    await page.getByLabel("Comment", { exact: true }).fill("Signed out");
    await current().db.query("DELETE FROM sessions");
    await press(page, "Comment");
    await page.waitForURL(/signin/);
    expect(await stores()).toEqual([]);
    await signInAs(page, team.lead);
    await keepWork(page);
    expect(await stores()).toEqual([`offline-${team.lead.userId}.${team.lead.organizationId}`]);
    await page.context().clearCookies();
    await signInAs(page, team.member);
    await page.goto("/offline");
    await isSent(page);
    await expect
      .poll(async () => (await readTask(task.id)).comments)
      .toEqual(["Kept", "Signed out"]);
    show();
    await close();
  });
});
