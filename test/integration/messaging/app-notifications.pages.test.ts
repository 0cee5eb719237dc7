// @module-tag embedded

import { beforeEach, describe, expect, test } from "vitest";
import {
  chooseNotifications,
  type NotificationTopic,
} from "../../../server/src/domain/messaging/notification-choices.js";
import {
  notificationChannels,
  type NotificationChannel,
} from "../../../server/src/db/entities/messaging.js";
import { queueMorning } from "../../../server/src/domain/messaging/mornings.js";
import {
  cleanUpNotifications,
  queueNotedMails,
} from "../../../server/src/domain/messaging/notification-queue.js";
import { createMailCipher } from "../../../server/src/domain/messaging/mail-cipher.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import { removeUser } from "../../../server/src/domain/people/member-removal.js";
import { useApp, useServer } from "../../support/app.js";
import { aMember, aTask, toCaller, type Member } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { notificationsIn } from "../../support/notifications.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { reportsIn } from "../../support/reports.js";

const list = "/notifications";

/** The number on the bell. Undefined without one. */
const countOn = (body: string) =>
  /<a class="bell"(?:(?!<\/a>).)*<span class="count">(\d+\+?)/s.exec(body)?.[1];

const rowsOf = (body: string) =>
  [...body.matchAll(/<li( class="unread")?><p>.*?<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, unread, href = "", title = ""]) => ({ isRead: unread === undefined, href, title }),
  );

describe("notifications in the app", () => {
  const current = useApp();
  const { mails, assign, wait } = notificationsIn(current);
  let owner: Member;
  let member: Member;
  let browser: TestBrowser;

  beforeEach(async () => {
    const { app, db } = current();
    owner = await aMember(db, { role: "owner", workspace: "Depot", name: "Ana Keller" });
    const { organization } = owner;
    member = await aMember(db, { organization, role: "member", workspace: "Depot" });
    browser = await signIn(app, member);
  });

  const openList = async () => (await browser.get(list)).body;

  test("appear at once, newest first, with the count on every page", async () => {
    expect(countOn((await browser.get("/")).body)).toBeUndefined();
    expect(await openList()).toContain("No notifications");
    const first = await assign(owner, member, { title: "Grease the hinges" });
    const second = await assign(owner, member, { title: "Oil <b>the</b> door" });

    for (const path of ["/", "/assets", "/tasks", "/settings", "/settings/notifications", list]) {
      expect(countOn((await browser.get(path)).body), path).toBe("2");
    }
    const body = await openList();
    expect(rowsOf(body)).toEqual([
      {
        isRead: false,
        href: `${list}/assigned/${second}`,
        title: "T-2 Oil &lt;b>the&lt;/b> door",
      },
      { isRead: false, href: `${list}/assigned/${first}`, title: "T-1 Grease the hinges" },
    ]);
    expect(body).toContain("Assigned to you by Ana Keller");
    const ofOwner = await (await signIn(current().app, owner)).get("/");
    expect(countOn(ofOwner.body)).toBeUndefined();
  });

  test("are read once opened, one by one or all together", async () => {
    const first = await assign(owner, member);
    await assign(owner, member);
    await assign(owner, member);

    const opened = await browser.get(`${list}/assigned/${first}`);
    expect([opened.statusCode, opened.headers.location]).toEqual([303, `/tasks/${first}`]);
    expect(countOn((await browser.get(`/tasks/${first}`)).body)).toBe("2");
    expect(rowsOf(await openList()).map(({ isRead }) => isRead)).toEqual([false, false, true]);

    const marked = await press(browser, await browser.get(list), "Mark all as read");
    expect([marked.statusCode, marked.headers.location]).toEqual([303, list]);
    const body = await openList();
    expect(body).toContain("All notifications marked as read.");
    expect(countOn(body)).toBeUndefined();
    expect(body).not.toContain("Mark all as read");
    expect(rowsOf(body)).toHaveLength(3);
  });

  test("never mark another person's or an unknown notification", async () => {
    const { app } = current();
    const task = await assign(owner, member);
    const others = await signIn(app, owner);
    await others.get(`${list}/assigned/${task}`);
    await press(others, await others.get("/settings/notifications"), "Save");
    expect(countOn((await browser.get("/")).body)).toBe("1");
    expect((await browser.get(`${list}/gossip/${task}`)).statusCode).toBe(404);
    expect((await app.inject({ url: list })).headers.location).toMatch(/^\/signin/);
  });

  test("exist once per person and subject, and are new again after a second assignment", async () => {
    const { db } = current();
    const task = await assign(owner, member);
    await browser.get(`${list}/assigned/${task}`);
    expect(countOn((await browser.get("/")).body)).toBeUndefined();
    const change = (changes: Parameters<typeof updateTask>[3]) =>
      db.transaction((tx) => updateTask(tx, toCaller(owner), task, changes));
    await change({ clear_fields: ["assigned_to_user_id"] });
    await change({ assigned_to_user_id: member.userId });

    expect(rowsOf(await openList()).map(({ isRead }) => isRead)).toEqual([false]);
  });

  test("follow each person's choice, separately from emails", async () => {
    const { db } = current();
    await db.query("DELETE FROM mail_outbox");
    await db.transaction((tx) => chooseNotifications(tx, member, "app", { assigned: false }));
    await assign(owner, member);
    await wait();
    expect(await queueNotedMails(db, mails())).toBeGreaterThan(0);
    expect(countOn((await browser.get("/")).body)).toBeUndefined();

    await db.query("DELETE FROM mail_outbox");
    await db.transaction(async (tx) => {
      await chooseNotifications(tx, member, "app", { assigned: true });
      await chooseNotifications(tx, member, "email", { assigned: false });
    });
    await assign(owner, member);
    await wait();
    await queueNotedMails(db, mails());
    expect(await db.query("SELECT 1 FROM mail_outbox WHERE kind = 'assigned'")).toEqual([]);
    expect(countOn((await browser.get("/")).body)).toBe("1");
  });

  test("work without a mail server, for longer than a day and at most 30 days", async () => {
    const { db, config } = current();
    await db.query("DELETE FROM mail_outbox");
    await assign(owner, member);
    await db.query("UPDATE notifications SET created_at = now() - interval '29 days'");
    await queueNotedMails(db, createMailCipher(config.secretKeys, false));
    await cleanUpNotifications(db);
    expect(countOn((await browser.get("/")).body)).toBe("1");
    expect(await db.query("SELECT 1 FROM mail_outbox")).toEqual([]);

    await db.query("UPDATE notifications SET created_at = now() - interval '31 days'");
    await cleanUpNotifications(db);
    expect(countOn((await browser.get("/")).body)).toBeUndefined();
  });

  test("of one morning are written once by two nodes, per channel and topic", async () => {
    const { db } = current();
    const of = { workspace_id: owner.workspaceId ?? "", assigned_to_user_id: member.userId };
    await aTask(db, owner, { ...of, due_date: "2026-11-24" });
    const turnOff = (
      topics: readonly NotificationTopic[],
      channels: readonly NotificationChannel[] = notificationChannels,
    ) =>
      db.transaction(async (tx) => {
        for (const channel of channels) {
          const none = Object.fromEntries(topics.map((topic) => [topic, false]));
          await chooseNotifications(tx, member, channel, none);
        }
      });
    const morning = (today: string) => {
      const of = { id: owner.organizationId, today, reminded_on: "2026-11-20" };
      return Promise.all([queueMorning(db, mails(), of), queueMorning(db, mails(), of)]);
    };
    expect((await morning("2026-11-25")).reduce((sum, n) => sum + n)).toBe(1);
    expect(rowsOf(await openList())).toEqual([
      {
        isRead: false,
        href: `${list}/reminder/2026-11-25`,
        title: "Tasks due tomorrow or overdue",
      },
    ]);
    const opened = await browser.get(`${list}/reminder/2026-11-25`);
    expect(opened.headers.location).toBe("/tasks?assignee=me");

    await turnOff(["overdue"], ["email"]);
    expect((await morning("2026-11-26")).reduce((sum, n) => sum + n)).toBe(0);
    expect(rowsOf(await openList())).toHaveLength(2);
    await turnOff(["overdue"]);
    await morning("2026-11-27");
    expect(rowsOf(await openList())).toHaveLength(2);
  });

  test("show no title of a task that the person can no longer view", async () => {
    const { db } = current();
    const task = await assign(owner, member, { title: "Secret pump" });
    await db.query("DELETE FROM workspace_members WHERE user_id = $1", [member.userId]);

    const body = await openList();
    expect(body).not.toContain("Secret pump");
    expect(body).toContain("A task you can no longer view");
    await browser.get(`${list}/assigned/${task}`);
    expect(countOn((await browser.get("/")).body)).toBeUndefined();
  });

  test("end with the membership", async () => {
    const { db } = current();
    await assign(owner, member);
    await db.transaction((tx) =>
      removeUser(tx, toCaller(owner), { user_id: member.userId, from_organization: true }),
    );
    expect(
      await db.query("SELECT 1 FROM notifications WHERE user_id = $1", [member.userId]),
    ).toEqual([]);
  });

  test("are listed in pages of 50, and counted up to 99", async () => {
    const { db } = current();
    await db.query(
      `INSERT INTO notifications (organization_id, user_id, kind, subject, in_app)
       SELECT $1, $2, 'weekly_digest', n::text, true FROM generate_series(1001, 1120) n`,
      [member.organizationId, member.userId],
    );
    const seen: string[] = [];
    let page = await browser.get(list);
    expect(countOn(page.body)).toBe("99+");
    for (;;) {
      seen.push(...rowsOf(page.body).map(({ href }) => href));
      const [, next] = /href="([^"]*)" rel="next"/.exec(page.body) ?? [];
      if (next === undefined) break;
      page = await browser.get(next);
    }
    expect(new Set(seen).size).toBe(120);
    expect(seen).toHaveLength(120);
  });
});

describe("an answer to a report", () => {
  const current = useApp();
  const { aScene, reportsOf, report, decide } = reportsIn(current);

  test("is listed with its outcome", async () => {
    const scene = await aScene();
    const browser = await signIn(current().app, scene.team.member);
    await report(browser, scene);
    for (const { id } of await reportsOf(scene)) {
      await decide(scene.team.lead, id, { decision: "answer", answer: "It is condensation." });
    }
    const { body } = await browser.get(list);
    expect(body).toContain("Your report was answered.");
    const [row] = rowsOf(body);
    expect((await browser.get(row?.href ?? "")).headers.location).toBe("/reports");
  });
});

describe("the bell in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();
  const { assign } = notificationsIn(current);

  browserTest("shows the count and leads to the list in every view", async () => {
    const owner = await aMember(current().db, { role: "owner", workspace: "Depot" });
    const { organization } = owner;
    const member = await aMember(current().db, { organization, workspace: "Depot" });
    for (const view of views) {
      const task = await assign(owner, member);
      await assign(owner, member, { title: `Check ${"Verteilerkasten".repeat(5)}` });
      const opened = await openPage(chromium(), current(), member, view);
      const { page } = opened;
      expect(await sweep(opened, ["/", list, "/settings/notifications"])).toEqual({});
      await page.goto("/");
      await page.getByRole("link", { name: "Notifications 2 unread" }).click();
      await page.getByRole("link", { name: "Grease the hinges" }).first().click();
      await page.waitForURL(`**/tasks/${task}`);
      await page.getByRole("link", { name: "Notifications 1 unread" }).click();
      await page.getByRole("button", { name: "Mark all as read" }).click();
      await page.getByRole("status").getByText("All notifications marked as read.").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
