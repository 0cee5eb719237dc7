import { beforeEach, describe, expect, test } from "vitest";
import {
  queueMailsOfMorning,
  queueMorning,
} from "../../../server/src/domain/messaging/mornings.js";
import { queueNotedMails } from "../../../server/src/domain/messaging/notification-queue.js";
import type { Envelope } from "../../../server/src/mail/smtp.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { unwrap } from "../../support/emails.js";
import { notificationsIn } from "../../support/notifications.js";
import { signIn } from "../../support/oauth.js";
import { dayFromToday } from "../../support/replay.js";
import { reportsIn } from "../../support/reports.js";

const german = { "accept-language": "de-DE,de;q=0.9" };
const current = useApp({
  signup: "open",
  smtpUrl: "smtp://127.0.0.1:1",
  mailFrom: "werk@nord.example",
});
const { mails, assign, wait, send } = notificationsIn(current);
const { aScene, reportsOf, report, decide } = reportsIn(current);

let owner: Member;
/** Two people who get the same emails. Petra reads German. */
let petra: Member;
let emma: Member;

const speakGerman = ({ userId }: Member) =>
  current().db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [userId]);

beforeEach(async () => {
  const { db } = current();
  await db.query("DELETE FROM mail_outbox");
  await db.query("DELETE FROM notifications");
  await db.query("UPDATE organizations SET reminded_on = '9999-01-01'");
  owner = await aMember(db, { role: "owner", workspace: "Halle", name: "Ana Keller" });
  const { organization } = owner;
  petra = await aMember(db, { organization, workspace: "Halle", workspaceRole: "admin" });
  emma = await aMember(db, { organization, workspace: "Halle", workspaceRole: "admin" });
  await speakGerman(petra);
});

/** Sent emails by recipient. */
async function sendTo(...readers: Member[]): Promise<Envelope[]> {
  const sent = await send();
  return readers.map(({ email }) => {
    const mail = sent.find(({ to }) => to === email);
    if (mail === undefined) throw new Error(`No mail to ${email}`);
    return mail;
  });
}

function expectWords(mail: Envelope | undefined, ...words: (string | RegExp)[]): void {
  for (const word of words) expect(unwrap(mail?.text)).toMatch(word);
}

describe("emails about tasks and reports", () => {
  test("notify each assignee in their own language and keep typed text", async () => {
    const task = { title: "Grease the Türangeln", due_date: "2026-12-02" };
    await assign(owner, petra, { ...task, due_date: dayFromToday(400) });
    await assign(owner, emma, { ...task, due_date: dayFromToday(400) });
    await wait();
    await queueNotedMails(current().db, mails());
    const [toPetra, toEmma] = await sendTo(petra, emma);

    expect(toPetra?.subject).toMatch(/^Ihnen zugewiesen: T-\d+ Grease the Türangeln$/);
    expectWords(
      toPetra,
      `„Ana Keller“ hat Ihnen bei „${owner.organization}“ eine Aufgabe zugewiesen.`,
      /Halle · fällig am \d{1,2}\. \p{L}+\.? 20\d\d/u,
      "Sie bekommen diese E-Mail, weil Ihnen jemand Aufgaben zugewiesen hat.",
      "Abbestellen: https://fettle.example.com/unsubscribe/",
    );
    expect(toPetra?.html).toContain('<html lang="de">');
    expect(toPetra?.html).toContain(">Abbestellen</a>");
    expect(toPetra?.headers).toHaveProperty("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
    expect(toEmma?.subject).toMatch(/^Assigned to you: T-\d+ Grease the Türangeln$/);
    expect(toEmma?.html).toContain('<html lang="en">');
  });

  test("link to an unsubscribe page in German", async () => {
    await assign(owner, petra);
    await wait();
    await queueNotedMails(current().db, mails());
    const [mail] = await sendTo(petra);
    const link = new URL(/https:\S+\/unsubscribe\/\S+/.exec(mail?.text ?? "")?.[0] ?? "").pathname;
    const browser = createBrowser(current().app);

    const page = await browser.get(link, german);
    await browser.post(link, {}, german);
    const after = await browser.get(link, german);

    expect(page.body).toContain("Sie bekommen E-Mails, wenn jemand Ihnen Arbeit zuweist.");
    expect(after.body).toContain("Sie bekommen keine E-Mails");
  });

  test("cover due and overdue tasks", async () => {
    const { db } = current();
    for (const reader of [petra, emma]) {
      const of = { workspace_id: owner.workspaceId ?? "", assigned_to_user_id: reader.userId };
      await aTask(db, owner, { ...of, title: "Ölen", due_date: dayFromToday(1) });
      await aTask(db, owner, { ...of, title: "Filter", due_date: dayFromToday(-1) });
    }
    const morning = { id: owner.organizationId, today: dayFromToday(0) };
    await queueMorning(db, mails(), { ...morning, reminded_on: dayFromToday(-1) });
    const [toPetra, toEmma] = await sendTo(petra, emma);

    expect(toPetra?.subject).toContain("1 Aufgabe überfällig, 1 morgen fällig");
    expectWords(toPetra, "Überfällig", "1 Tag überfällig", "Morgen fällig", "Ölen", "Filter");
    expectWords(toPetra, "und danach jeden Montag, bis sie erledigt sind.");
    expect(toEmma?.subject).toBe("1 task overdue, 1 due tomorrow");
    expectWords(toEmma, "1 day overdue", "Ölen");
  });

  test("cover the week and the outcome of a report", async () => {
    const { db } = current();
    const of = { workspace_id: owner.workspaceId ?? "", due_date: "2026-11-02" };
    await aTask(db, owner, { ...of, title: "Seit Langem" });
    const morning = { id: owner.organizationId, today: "2026-11-30", reminded_on: "2026-11-29" };
    await queueMorning(db, mails(), morning);
    const [toPetra, toEmma] = await sendTo(petra, emma);

    expect(toPetra?.subject).toBe(
      `Wochenüberblick für ${owner.organization}: 1 Aufgabe überfällig, 0 in den nächsten 7 Tagen fällig`,
    );
    expectWords(toPetra, "Am längsten überfällig", "Offen und nicht zugewiesen");
    expectWords(toPetra, "fällig am 2. Nov. 2026");
    expectWords(toEmma, "Most overdue", "due 2 Nov 2026");

    const scene = await aScene();
    await speakGerman(scene.team.member);
    await report(await signIn(current().app, scene.team.member), scene);
    for (const { id } of await reportsOf(scene)) {
      await decide(scene.team.lead, id, { decision: "answer", answer: "It is Kondenswasser." });
    }
    await queueMailsOfMorning(db, mails());
    await queueNotedMails(db, mails());
    const [answer] = await sendTo(scene.team.member);
    expect(answer?.subject).toContain("Neues zu Ihrer Meldung");
    expectWords(answer, "Sie bekommen diese E-Mail, weil Sie ein Problem gemeldet haben.");
    expectWords(answer, "hat Ihre Meldung beantwortet.", "> It is Kondenswasser.");
  });
});

describe("account emails", () => {
  test("cover a new password and a sign-up", async () => {
    const browser = createBrowser(current().app);
    for (const { email } of [petra, emma]) {
      const forgot = await browser.get("/password/forgot", german);
      await browser.submitForm(forgot, { email }, { headers: german });
    }
    const person = { name: "Rosa", organization: "Nord", password: "correct horse battery" };
    const fields = { ...person, email: "rosa@nord.example", language: "de" };
    await browser.submitForm(await browser.get("/signup", german), fields, { headers: german });
    const rosa = { ...petra, email: fields.email };
    const [toPetra, toEmma, toRosa] = await sendTo(petra, emma, rosa);

    expect(toPetra?.subject).toBe("Ihr Passwort für Fettle zurücksetzen");
    expectWords(toPetra, "Neues Passwort wählen:", "Der Link gilt einmal und eine Stunde lang.");
    expect(toEmma?.subject).toBe("Reset your Fettle password");
    expect(toRosa?.subject).toBe("Ihre E-Mail-Adresse für Fettle bestätigen");
    expectWords(toRosa, "Ein Konto entsteht erst, wenn Sie den Link öffnen.");
    expect(toRosa?.html).toContain('<html lang="de">');
  });

  test("use the inviter's language for an invitation and keep the message as typed", async () => {
    const invite = async (by: Member, email: string) => {
      const browser = await signIn(current().app, by);
      const page = await browser.get("/settings/members/invite");
      const place = { workspace_id: owner.workspaceId ?? "", workspace_role: "member" };
      const fields = { email, organization_role: "member", message: "Welcome, Ilja!", ...place };
      const sent = await browser.submitForm(page, fields);
      expect(sent.statusCode, sent.body).toBe(303);
    };
    await invite(petra, "ilja@nord.example");
    await invite(emma, "otto@nord.example");
    const [toIlja, toOtto] = await sendTo(
      { ...petra, email: "ilja@nord.example" },
      { ...petra, email: "otto@nord.example" },
    );

    expect(toIlja?.subject).toBe(`Einladung zu ${owner.organization}`);
    expectWords(toIlja, "hat Sie auf Fettle in den Arbeitsbereich", "Welcome, Ilja!");
    expectWords(toIlja, /Der Link gilt bis \d{1,2}\. \p{L}+ 20\d\d/u);
    expect(toIlja?.html).toContain('<html lang="de">');
    expect(toOtto?.subject).toBe(`Invitation to ${owner.organization}`);
  });
});

test("a calendar uses its owner's language", async () => {
  const { app, db } = current();
  const of = { workspace_id: owner.workspaceId ?? "", assigned_to_user_id: petra.userId };
  await aTask(db, owner, { ...of, title: "Grease it", due_date: dayFromToday(3) });
  const browser = await signIn(app, petra);
  const form = await browser.get("/settings/notifications/calendar");
  const { body } = await browser.submitForm(form, { covers: "all" });
  const path = /\/calendar\/[\w-]+\.ics/.exec(body)?.[0] ?? "";

  const calendar = await createBrowser(app).get(path);

  expect(calendar.body.replaceAll("\r\n ", "")).toContain("Grease it");
  expect(calendar.body).toContain("CATEGORIES:Vorbeugend");
});
