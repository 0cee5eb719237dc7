// @module-tag embedded

import { beforeEach, describe, expect, test } from "vitest";
import { notificationChannels } from "../../../server/src/db/entities/messaging.js";
import {
  chooseNotifications,
  type NotificationTopic,
} from "../../../server/src/domain/messaging/notification-choices.js";
import {
  queueMailsOfMorning,
  queueMorning,
} from "../../../server/src/domain/messaging/mornings.js";
import {
  cleanUpNotifications,
  queueNotedMails,
} from "../../../server/src/domain/messaging/notification-queue.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { useApp } from "../../support/app.js";
import { aMember, aTask, toCaller, type Member } from "../../support/builders.js";
import { unwrap } from "../../support/emails.js";
import { notificationsIn, zoneWhereItIs } from "../../support/notifications.js";
import { reportsIn } from "../../support/reports.js";
import { signIn } from "../../support/oauth.js";

const current = useApp();
const { mails, assign, wait, send } = notificationsIn(current);

let owner: Member;
let member: Member;

beforeEach(async () => {
  const { db } = current();
  await db.query("DELETE FROM mail_outbox");
  await db.query("DELETE FROM notifications");
  owner = await aMember(db, { role: "owner", workspace: "Depot", name: "Ana Keller" });
  member = await aMember(db, {
    organization: owner.organization,
    role: "member",
    workspace: "Depot",
  });
});

/** Runs on two nodes at once. Returns how many emails each node queued. */
const queueOnTwoNodes = (work = queueNotedMails) =>
  Promise.all([work(current().db, mails()), work(current().db, mails())]);

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

describe("assignment email", () => {
  test("combines assignments from a few minutes, and two nodes write it once", async () => {
    await assign(owner, member, { title: "Grease the hinges", due_date: "2030-01-31" });
    await assign(owner, member, { title: "Look at https://evil.example now" });
    expect(total(await queueOnTwoNodes())).toBe(0);
    await wait();

    expect(total(await queueOnTwoNodes())).toBe(1);
    const [mail, ...others] = await send();

    expect(others).toEqual([]);
    expect(mail?.to).toBe(member.email);
    expect(mail?.subject).toBe("Assigned to you: 2 tasks");
    expect(unwrap(mail?.text)).toContain(
      `"Ana Keller" assigned you 2 tasks in "${owner.organization}".`,
    );
    expect(mail?.text).toMatch(/T-1 Grease the hinges\n {2}Depot · due 31 Jan 2030\n {2}https:/);
    expect(mail?.text).not.toContain("evil.example");
    expect(mail?.headers).toEqual({
      "List-Unsubscribe": expect.stringMatching(
        /^<https:\/\/fettle\.example\.com\/unsubscribe\/[\w-]+>$/,
      ) as string,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    await wait();
    expect(total(await queueOnTwoNodes())).toBe(0);
  });

  test("skips self-assignments, but is queued again after a reassignment", async () => {
    const own = await assign(owner, owner);
    const { db } = current();
    const give = (to: Member | undefined) =>
      db.transaction((tx) =>
        updateTask(
          tx,
          toCaller(owner),
          own,
          to === undefined
            ? { clear_fields: ["assigned_to_user_id"] }
            : { assigned_to_user_id: to.userId },
        ),
      );
    await wait();
    expect(total(await queueOnTwoNodes())).toBe(0);

    for (let times = 0; times < 2; times += 1) {
      await give(member);
      await wait();
      expect(total(await queueOnTwoNodes())).toBe(1);
      await give(undefined);
    }
    // Entries that no longer concern the recipient are omitted, and so are empty emails.
    expect(await send()).toEqual([]);
  });

  test.each([
    [
      "the membership has ended",
      "UPDATE organization_members SET removed_at = now() WHERE user_id = $1",
    ],
    ["the workspace is hidden", "DELETE FROM workspace_members WHERE user_id = $1"],
    ["the account is closed", "UPDATE users SET deactivated_at = now() WHERE id = $1"],
    [
      "they want none",
      `INSERT INTO notification_choices (organization_id, user_id, channel, assigned)
       SELECT organization_id, user_id, 'email', false FROM organization_members WHERE user_id = $1`,
    ],
  ])("is not sent when %s, before and after it is queued", async (_reason, statement) => {
    const { db } = current();
    await assign(owner, member);
    await wait();
    expect(total(await queueOnTwoNodes())).toBe(1);
    await db.query(statement, [member.userId]);

    expect(await send()).toEqual([]);
    expect(await db.query("SELECT 1 FROM mail_outbox")).toEqual([]);
  });

  test("isn't queued after opting out or a day later", async () => {
    const { db } = current();
    await assign(owner, member);
    await db.query("UPDATE notifications SET created_at = now() - interval '25 hours'");
    expect(total(await queueOnTwoNodes())).toBe(0);
    await db.query("UPDATE notifications SET created_at = now() - interval '31 days'");
    await cleanUpNotifications(db);
    expect(await db.query("SELECT 1 FROM notifications")).toEqual([]);

    await db.transaction((tx) => chooseNotifications(tx, member, "email", { assigned: false }));
    await assign(owner, member);
    await wait();
    expect(total(await queueOnTwoNodes())).toBe(0);
  });
});

describe("reminder email", () => {
  const setZone = (zone: string) =>
    current().db.query("UPDATE organizations SET time_zone = $2 WHERE id = $1", [
      owner.organizationId,
      zone,
    ]);
  /** All other organizations already had their reminders. */
  beforeEach(() =>
    current().db.query("UPDATE organizations SET reminded_on = '9999-01-01' WHERE id <> $1", [
      owner.organizationId,
    ]),
  );

  test("is sent once a day, in the organization's morning, from two nodes", async () => {
    const { db } = current();
    const zone = zoneWhereItIs(10);
    const today = dayIn(zone);
    const shift = (days: number) =>
      new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
    const of = { workspace_id: owner.workspaceId ?? "", assigned_to_user_id: member.userId };
    await aTask(db, owner, { ...of, title: "Tomorrow one", due_date: shift(1) });
    await aTask(db, owner, { ...of, title: "Tomorrow two", due_date: shift(1) });
    await aTask(db, owner, { ...of, title: "Late since yesterday", due_date: shift(-1) });
    await aTask(db, owner, { ...of, title: "Next week", due_date: shift(7) });
    await aTask(db, owner, { ...of, title: "Done", due_date: shift(1), state: "completed" });

    for (const hour of [5, 21]) {
      await setZone(zoneWhereItIs(hour));
      expect(total(await queueOnTwoNodes(queueMailsOfMorning)), `at ${hour}`).toBe(0);
    }
    await setZone(zone);
    const isMonday = new Date(today).getUTCDay() === 1;
    // On Mondays the owner also gets a digest.
    expect(total(await queueOnTwoNodes(queueMailsOfMorning))).toBe(isMonday ? 2 : 1);
    expect(total(await queueOnTwoNodes(queueMailsOfMorning))).toBe(0);
    const mail = (await send()).find(({ to }) => to === member.email);

    expect(mail?.subject).toBe("1 task overdue, 2 due tomorrow");
    expect(mail?.text).toContain("Late since yesterday");
    expect(mail?.text).toContain("1 day overdue");
    expect(mail?.text).toContain("Tomorrow two");
    expect(mail?.text).not.toMatch(/Next week|Done/);
  });

  test("is sent when work becomes overdue and on Mondays, per each person's choice", async () => {
    const { db } = current();
    const of = { workspace_id: owner.workspaceId ?? "", assigned_to_user_id: member.userId };
    await aTask(db, owner, { ...of, due_date: "2026-11-24" });
    const reminded = async (today: string, before: string | null) => {
      await db.query("DELETE FROM notifications");
      const morning = { id: owner.organizationId, today, reminded_on: before };
      await queueMorning(db, mails(), morning);
      const rows = await db.query<{ kind: string }>(
        "SELECT kind FROM notifications WHERE user_id = $1",
        [member.userId],
      );
      return rows.map(({ kind }) => kind);
    };

    const turnOff = (topic: NotificationTopic) =>
      db.transaction(async (tx) => {
        for (const channel of notificationChannels) {
          await chooseNotifications(tx, member, channel, { [topic]: false });
        }
      });

    // The due day is Tuesday the 24th. Thursday has no news unless the server was down before.
    expect(await reminded("2026-11-23", "2026-11-22")).toEqual(["reminder"]);
    expect(await reminded("2026-11-24", "2026-11-23")).toEqual([]);
    expect(await reminded("2026-11-25", "2026-11-24")).toEqual(["reminder"]);
    expect(await reminded("2026-11-26", "2026-11-25")).toEqual([]);
    expect(await reminded("2026-11-26", "2026-11-23")).toEqual(["reminder"]);
    expect(await reminded("2026-11-30", "2026-11-29")).toEqual(["reminder"]);
    await turnOff("overdue");
    expect(await reminded("2026-11-25", "2026-11-24")).toEqual([]);
    expect(await reminded("2026-11-23", "2026-11-22")).toEqual(["reminder"]);
    await turnOff("due_tomorrow");
    expect(await reminded("2026-11-23", "2026-11-22")).toEqual([]);
  });
});

describe("weekly digest", () => {
  test("is sent to managers on Mondays with work visible to them, and never empty", async () => {
    const { db } = current();
    const { organization } = owner;
    const lead = await aMember(db, {
      ...{ organization, role: "member", workspace: "Yard", workspaceRole: "admin" },
    });
    const empty = await aMember(db, {
      ...{ organization, role: "member", workspace: "Attic", workspaceRole: "admin" },
    });
    const of = { due_date: "2026-11-01", assigned_to_user_id: member.userId };
    await aTask(db, owner, { ...of, title: "At the depot", workspace_id: owner.workspaceId ?? "" });
    await aTask(db, owner, { ...of, title: "In the yard", workspace_id: lead.workspaceId ?? "" });

    const morning = { id: owner.organizationId, today: "2026-11-30", reminded_on: "2026-11-29" };
    await queueMorning(db, mails(), morning);
    const sent = await send();
    const digestOf = ({ email }: Member) =>
      sent.find(({ to, subject }) => to === email && subject.includes("due in the next 7 days"));

    expect(digestOf(owner)?.text).toContain("At the depot");
    expect(digestOf(owner)?.text).toContain("In the yard");
    expect(digestOf(lead)?.text).toContain("In the yard");
    expect(digestOf(lead)?.text).not.toContain("At the depot");
    expect(digestOf(empty)).toBeUndefined();
    expect(digestOf(member)).toBeUndefined();
  });
});

describe("answer to a member's report", () => {
  const { aScene, reportsOf, report, decide } = reportsIn(current);

  test("notifies the reporter once, but not people who answer their own report", async () => {
    const scene = await aScene();
    await report(await signIn(current().app, scene.team.member), scene);
    await report(await signIn(current().app, scene.team.lead), scene);
    for (const { id } of await reportsOf(scene)) {
      await decide(scene.team.lead, id, { decision: "answer", answer: "It is condensation." });
    }

    expect(total(await queueOnTwoNodes())).toBe(1);
    const [mail, ...others] = await send();
    expect(others).toEqual([]);
    expect(mail?.to).toBe(scene.team.member.email);
    expect(mail?.text).toMatch(/^"Works" answered your report\.\n/);
    expect(mail?.text).toContain("\n> It is condensation.\n");
  });
});
