import { beforeAll, describe, expect, test } from "vitest";
import { cleanUpTaskLinks } from "../../../server/src/domain/tasks/task-links.js";
import { queueNotedMails } from "../../../server/src/domain/messaging/notification-queue.js";
import { useApp, useServer } from "../../support/app.js";
import { createBrowser, press, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { noticesTo } from "../../support/mails.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { notificationsIn } from "../../support/notifications.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";
import { shareTask } from "../../support/task-links.js";

describe("links of contractors beside other changes", () => {
  const current = useServer({
    ...{ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@acme.example", rateLimit: true },
  });
  const chromium = useChromium();
  const { wait, mails, send: sendAll } = notificationsIn(current);
  let owner: Connected;
  let pages: TestBrowser;

  beforeAll(async () => {
    owner = await connect(current());
    pages = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Tower" });
  });

  const stranger = () => createBrowser(current().app);

  async function anAsset(name = "Lift 2"): Promise<string> {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name, workspace_id: "Tower" },
    });
    return asset.id;
  }
  async function aTask(fields: object = {}): Promise<string> {
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: await anAsset(), title: "Yearly check", checklist: ["Oil it"], ...fields },
    });
    return task.id;
  }
  async function send(path: string, fields: Record<string, string>) {
    const browser = stranger();
    return browser.submitForm(await browser.get(path), { send: "save", ...fields });
  }

  test("the link is emailed, in the sharer's language, and at most three times an hour", async () => {
    const id = await aTask();
    const email = "office@lindqvist.example.com";
    const path = await shareTask(pages, id, { email });
    const [notice] = await noticesTo(current(), email);
    expect(notice).toMatchObject({ kind: "task_link", task: "Yearly check" });
    expect(JSON.stringify(notice)).toContain(path);
    await shareTask(pages, id, { email });
    await shareTask(pages, id, { email });
    const form = await pages.get(`/tasks/${id}/share`);
    const fourth = await pages.submitForm(form, { contractor: "L", days: "1", email });
    expect(fourth.statusCode).toBe(400);
    expect(fourth.body).toContain("too many links were emailed");
    const wrong = await pages.submitForm(form, { contractor: "L", days: "1", email: "nowhere" });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="nowhere"');
  });

  test("sending back emails the reason while the link works and its limit allows it", async () => {
    const id = await aTask();
    const email = "crew@lindqvist.example.com";
    const path = await shareTask(pages, id, { email });
    const [link] = await current().db.query<{ id: string }>(
      "SELECT id FROM task_links WHERE task_id = $1",
      [id],
    );
    const markAsDone = () => send(path, { send: "done", note: "Oiled", done: "1" });
    const sendBack = async (reason: string) => {
      const form = await pages.get(`/tasks/${id}/links/${link?.id ?? ""}/send-back`);
      const { headers } = await pages.submitForm(form, { reason });
      const { body } = await pages.get(String(headers.location));
      return { help: form.body, told: body.includes("The contractor gets an email.") };
    };
    await markAsDone();
    const first = await sendBack("The door still sticks");
    expect(first.help).toContain(`sent to ${email}`);
    expect(first.told).toBe(true);
    const [, notice] = await noticesTo(current(), email);
    expect(notice).toMatchObject({
      ...{ kind: "task_sent_back", task: "Yearly check", reason: "The door still sticks" },
      ...{ by: owner.member.name, organization: owner.member.organization },
    });
    expect(JSON.stringify(notice)).toContain(path);
    expect((await stranger().get(path)).body).toContain("The door still sticks");
    await wait();
    const emails = (await sendAll()).filter(({ to }) => to === email);
    expect(emails.map(({ subject }) => subject)).toEqual([
      "Job for you: Yearly check",
      "Not finished yet: Yearly check",
    ]);
    expect(emails[1]?.text).toContain("The door still sticks");

    await markAsDone();
    expect((await sendBack("Still")).told).toBe(true);
    await markAsDone();
    expect((await sendBack("Again")).told).toBe(false);
    expect((await stranger().get(path)).body).toContain("Again");
    await current().db.query(
      "UPDATE mail_outbox SET created_at = now() - interval '2 hours' WHERE recipient = $1",
      [email],
    );
    await markAsDone();
    await current().db.query("UPDATE task_links SET revoked_at = now() WHERE task_id = $1", [id]);
    const revoked = await sendBack("Revoked meanwhile");
    expect(revoked.told).toBe(false);
    expect(revoked.help).toContain("Their link no longer works.");
  });

  test("the person who shared is notified without an assignee, in the app and by email", async () => {
    const { organization } = owner.member;
    const sharer = await aMember(current().db, {
      ...{ organization, workspace: "Tower", email: "sharer@fettle.test" },
    });
    const id = await aTask();
    const path = await shareTask(await signIn(current().app, sharer), id);
    await send(path, { send: "done", note: "Oiled", done: "1" });
    const bell = await (await signIn(current().app, sharer)).get("/notifications");
    expect(bell.body).toContain("Marked as done by Lindqvist Lifts (contractor link)");
    await wait();
    await queueNotedMails(current().db, mails());
    const emails = (await sendAll()).filter(({ to }) => to === sharer.email);
    expect(emails).toHaveLength(1);
    expect(JSON.stringify(emails)).toMatch(/Lindqvist Lifts marked T-\d+.* as done.*Oiled/s);
  });

  test("work sent back before the email goes out sends none", async () => {
    const { organization } = owner.member;
    const assignee = await aMember(current().db, {
      ...{ organization, workspace: "Tower", email: "assignee@fettle.test" },
    });
    const id = await aTask({ assigned_to_user_id: assignee.userId });
    const path = await shareTask(pages, id);
    await send(path, { send: "done", note: "Oiled", done: "1" });
    await current().db.query(
      "UPDATE task_links SET done_at = NULL, done_note = NULL WHERE task_id = $1",
      [id],
    );
    await wait();
    await queueNotedMails(current().db, mails());
    const emails = (await sendAll()).filter(({ to }) => to === assignee.email);
    expect(JSON.stringify(emails)).not.toContain("Oiled");
    expect(JSON.stringify(emails)).not.toContain("as done");
  });

  test("the assignee's home page tells that a contractor is done", async () => {
    const id = await aTask({
      ...{ assigned_to_user_id: owner.member.userId, due_date: "2026-01-05", title: "Late one" },
    });
    const path = await shareTask(pages, id);
    await send(path, { send: "done", note: "Oiled", done: "1" });
    const { organization } = owner.member;
    const member = await connect(current(), {
      ...{ organization, role: "member", workspace: "Tower", workspaceRole: "member" },
    });
    await owner.ok("update_maintenance_task", {
      ...{ task_id: id, assigned_to_user_id: member.member.userId },
    });
    const home = await (await signIn(current().app, member.member)).get("/");
    expect(home.body).toContain("Lindqvist Lifts says this is done");
  });

  test("ends with the membership of the person who shared the task, and after an erasure", async () => {
    const { organization } = owner.member;
    const sharer = await aMember(current().db, { organization, workspace: "Tower" });
    const id = await aTask();
    const path = await shareTask(await signIn(current().app, sharer), id);
    const form = await stranger().get(path);
    expect(form.statusCode).toBe(200);
    await current().db.query(
      "UPDATE organization_members SET removed_at = now() WHERE user_id = $1",
      [sharer.userId],
    );
    expect((await stranger().get(path)).statusCode).toBe(404);
    expect((await pages.get(`/tasks/${id}`)).body).toContain("can't edit the task");
  });

  test("stays with the task when its asset is merged, and its work can be undone", async () => {
    const [asset_id, merged_into] = [await anAsset("Lift 3"), await anAsset("Lift 4")];
    const id = await aTask({ asset_id });
    const path = await shareTask(pages, id);
    await send(path, { done: "1", note: "Oiled" });
    await owner.ok("update_asset_state", { asset_id, state: "deleted", merged_into });
    expect((await stranger().get(path)).body).toContain("Lift 4");

    const [set] = await current().db.query<{ id: string }>(
      `SELECT e.change_set_id AS id FROM history_events e WHERE e.task_id = $1
         AND e.source = 'public_scan' AND e.change_set_id IS NOT NULL LIMIT 1`,
      [id],
    );
    const page = await pages.get(`/changes/${set?.id ?? ""}`);
    expect(page.body).toContain("Lindqvist Lifts");
    await press(pages, page, "Undo");
    const { task } = await owner.ok<{ task: { checklist: object[] } }>("get_maintenance_task", {
      task_id: id,
    });
    expect(task.checklist).toMatchObject([{ done: false }]);
  });

  test("a change that someone else made meanwhile is told without a name", async () => {
    const id = await aTask();
    const path = await shareTask(pages, id);
    const browser = stranger();
    const page = await browser.get(path);
    await owner.ok("update_maintenance_task", { task_id: id, title: "Renamed by the owner" });
    const late = await browser.submitForm(page, { send: "save", done: "1", note: "Oiled" });
    expect(late.statusCode).toBe(400);
    expect(late.body).toContain("The task was changed meanwhile.");
    expect(late.body).toContain("Oiled");
    const again = await browser.submitForm(late, { send: "save", done: "1", note: "Oiled" });
    expect(again.statusCode).toBe(303);
  });

  test("secrets and addresses go 90 days after the end, and names stay with the work", async () => {
    const id = await aTask();
    const path = await shareTask(pages, id, { email: "gone@lindqvist.example.com" });
    await send(path, { done: "1", note: "Oiled" });
    await current().db.query(
      "UPDATE task_links SET expires_at = now() - interval '91 days' WHERE task_id = $1",
      [id],
    );
    await cleanUpTaskLinks(current().db);
    const rows = await current().db.query(
      "SELECT token_hash, email, contractor FROM task_links WHERE task_id = $1",
      [id],
    );
    expect(rows).toEqual([{ token_hash: null, email: null, contractor: "Lindqvist Lifts" }]);
    expect((await pages.get(`/tasks/${id}`)).body).toContain("Lindqvist Lifts (contractor link)");
  });

  browserTest(
    "fifty steps, photos and a review fit phones and desks, with and without scripts",
    async () => {
      const checklist = Array.from({ length: 50 }, (_, index) =>
        index % 5 === 0 ? { label: `Photo ${index}`, kind: "photo" } : `Step ${index}`,
      );
      const id = await aTask({ checklist, description: "Check **every** floor." });
      const path = await shareTask(pages, id);
      const photo = { name: "rope.jpg", content: await aPhoto() };
      const browser = stranger();
      const page = await browser.get(path);
      expect(page.body.length).toBeLessThan(100_000);
      await browser.sendFiles(page, path, [photo], { send: "done", note: "Oiled" });
      const closed = await aTask();
      const closedPath = await shareTask(pages, closed);
      await owner.ok("update_maintenance_task", { task_id: closed, state: "completed" });
      const task = await pages.get(`/tasks/${id}`);
      const [sendBack = ""] = /\/tasks\/\w+\/links\/\w+\/send-back/.exec(task.body) ?? [];
      const own = [`/tasks/${id}`, `/tasks/${id}/share`, sendBack];
      for (const view of views) {
        const member = await openPage(chromium(), current(), owner.member, view);
        expect(await sweep(member, own)).toEqual({});
        await member.close();
        const opened = await openPage(chromium(), current(), undefined, view);
        expect(await sweep(opened, [path, closedPath])).toEqual({});
        await opened.close();
      }
    },
    240_000,
  );
});

describe("rate limits of contractors' links", () => {
  const current = useApp({ rateLimit: true });

  test("an address can send thirty forms a minute", async () => {
    const owner = await connect(current());
    await owner.ok("create_workspace", { name: "Tower" });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ workspace_id: "Tower", title: "Sweep" },
    });
    const path = await shareTask(await signIn(current().app, owner.member), task.id);
    const browser = createBrowser(current().app);
    const form = await browser.get(path);
    const answers: number[] = [];
    for (let count = 0; count < 32; count += 1) {
      const sent = await browser.submitForm(form, { send: "done" });
      answers.push(sent.statusCode);
    }
    expect(answers.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 400));
    expect(answers.slice(30)).toEqual([429, 429]);
  });
});
