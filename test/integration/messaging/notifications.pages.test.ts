import { beforeAll, describe, expect, test } from "vitest";
import type { NotificationKind } from "../../../server/src/db/entities/messaging.js";
import { findNotificationChoices } from "../../../server/src/domain/messaging/notification-choices.js";
import { useApp, useServer } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { notificationsIn } from "../../support/notifications.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const settings = "/settings/notifications";

describe("email preferences", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@example.com" });
  let owner: Member;
  let member: Member;

  beforeAll(async () => {
    owner = await aMember(current().db, { role: "owner" });
    const { organization } = owner;
    member = await aMember(current().db, { organization, role: "member" });
  });

  const choicesOf = (person: Member) => findNotificationChoices(current().db, person);
  const inApp = (names: readonly string[]) => names.map((name) => `app_${name}`);
  const byPush = (names: readonly string[]) => names.map((name) => `push_${name}`);
  const inOrder = (names: readonly string[]) => names.toSorted();
  const checkedIn = (body: string) =>
    inOrder(
      [...body.matchAll(/<input type="checkbox" id="(\w+)"[^>]*checked/g)].map(([, id = ""]) => id),
    );

  test("default to emails about the person's own work, plus the digest for managers", async () => {
    const work = ["assigned", "comments", "due_tomorrow", "overdue", "contractor_done"];
    const own = [...work, "report_answered"];
    const page = async (of: Member) => (await signIn(current().app, of)).get(settings);

    expect(checkedIn((await page(member)).body)).toEqual(
      inOrder([...own, ...inApp(own), ...byPush(own)]),
    );
    const ofOwner = [...own, "weekly_digest"];
    expect(checkedIn((await page(owner)).body)).toEqual(
      inOrder([...ofOwner, ...inApp(ofOwner), ...byPush(ofOwner)]),
    );
    expect((await page(member)).body).toContain(`to ${member.email}`);
  });

  test("are saved as a whole, for the organization of the form", async () => {
    const browser = await signIn(current().app, member);
    const saved = await browser.submitForm(await browser.get(settings), {
      overdue: "yes",
      report_answered: "yes",
      contractor_done: "yes",
      weekly_digest: "yes",
    });

    expect(saved.statusCode).toBe(303);
    const page = await browser.get(settings);
    expect(page.body).toContain("Notification preferences saved.");
    expect(checkedIn(page.body)).toEqual([
      ...["contractor_done", "overdue", "report_answered", "weekly_digest"],
    ]);
    expect((await choicesOf(owner))?.email.assigned).toBe(true);
  });

  test("aren't overwritten by an outdated page", async () => {
    const { organization } = owner;
    const person = await aMember(current().db, { organization, role: "member" });
    const browser = await signIn(current().app, person);
    const stale = await browser.get(settings);
    await browser.submitForm(await browser.get(settings), { assigned: "yes" });

    const refused = await browser.submitForm(stale, { assigned: "yes", overdue: "yes" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("after you opened this form");
    expect(checkedIn((await browser.get(settings)).body)).toEqual(["assigned"]);
    const saved = await browser.submitForm(refused, { assigned: "yes", overdue: "yes" });
    expect(saved.statusCode).toBe(303);
    expect(checkedIn((await browser.get(settings)).body)).toEqual(["assigned", "overdue"]);
  });

  test("require the form's token", async () => {
    const browser = await signIn(current().app, member);
    const refused = await browser.post(settings, { assigned: "yes" });
    expect(refused.statusCode).toBe(403);
  });
});

describe("unsubscribe link", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@example.com" });
  let member: Member;
  beforeAll(async () => {
    member = await aMember(current().db, { role: "member" });
  });

  const linkOf = (kind: NotificationKind, { organizationId, userId } = member) =>
    `/unsubscribe/${current().app.services.mails.writeUnsubscribeToken({ organizationId, userId, kind })}`;
  const choices = () => findNotificationChoices(current().db, member);
  const read = (url: string) => current().app.inject({ url, headers: { accept: "text/html" } });

  test("changes nothing when opened, and unsubscribes when its button is pressed", async () => {
    const { app } = current();
    const link = linkOf("reminder");
    expect((await read(link)).body).toContain("Unsubscribe");
    expect((await choices())?.email).toMatchObject({ due_tomorrow: true, overdue: true });

    const done = await app.inject({ method: "POST", url: link, payload: "" });
    expect([done.statusCode, done.headers.location]).toEqual([303, link]);
    expect((await read(link)).body).toContain("You're unsubscribed");
    expect((await choices())?.email).toMatchObject({
      ...{ assigned: true, due_tomorrow: false, overdue: false },
    });
  });

  test.each([
    ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])(
    "accepts one-click requests from email clients as %s, without a redirect",
    async (type, payload) => {
      const { app, db } = current();
      await db.query("DELETE FROM notification_choices");
      const url = linkOf("assigned");
      const headers = { "content-type": type };
      const done = await app.inject({ method: "POST", url, headers, payload });

      expect(done.statusCode).toBe(200);
      expect((await choices())?.email).toMatchObject({ assigned: false, overdue: true });
    },
  );

  test("is rejected when altered, and harmless after the membership has ended", async () => {
    const { app, db } = current();
    const link = linkOf("assigned");
    const wrong = `${link.slice(0, -4)}AAAA`;
    expect((await read(wrong)).statusCode).toBe(404);
    expect((await app.inject({ method: "POST", url: wrong })).statusCode).toBe(303);
    const gone = await aMember(db, { role: "member" });
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      gone.userId,
    ]);

    const post = await app.inject({ method: "POST", url: linkOf("assigned", gone) });
    expect(post.statusCode).toBe(303);
    expect((await read(linkOf("assigned", gone))).body).toContain("You're unsubscribed");
    expect(
      await db.query("SELECT 1 FROM notification_choices WHERE user_id = $1", [gone.userId]),
    ).toEqual([]);
  });
});

describe("emails in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();
  const { mails } = notificationsIn(current);

  browserTest("can be selected and unsubscribed in every view", async () => {
    const owner = await aMember(current().db, { role: "owner" });
    const { organizationId, userId } = owner;
    for (const view of views) {
      const token = mails().writeUnsubscribeToken({ organizationId, userId, kind: "assigned" });
      const link = `/unsubscribe/${token}`;
      const opened = await openPage(chromium(), current(), owner, view);
      const { page } = opened;
      expect(await sweep(opened, [settings])).toEqual({});
      await page.getByRole("checkbox", { name: "Work assigned to me Email" }).check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").getByText("Notification preferences saved.").waitFor();
      expect(await sweep(opened, [link])).toEqual({});
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await page.getByRole("heading", { name: "You're unsubscribed" }).waitFor();
      expect(await sweep(opened, [link, settings])).toEqual({});
      expect(
        await page.getByRole("checkbox", { name: "Work assigned to me Email" }).isChecked(),
      ).toBe(false);
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
