import { describe, expect, test } from "vitest";
import { createSetupLink } from "../../../server/src/domain/accounts/setup-links.js";
import { useApp, type TestApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { linkTo, noticesTo } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";

const german = { "accept-language": "de-AT,de;q=0.9,en;q=0.8" };
const person = {
  name: "Rosa Lindqvist",
  email: "rosa@northgate.example",
  password: "correct horse battery",
  organization: "Northgate",
};

async function localeOf({ db }: TestApp, email = person.email): Promise<string | undefined> {
  const row = await db.maybe<{ locale: string }>("SELECT locale FROM users WHERE email = $1", [
    email,
  ]);
  return row?.locale;
}

async function save(browser: TestBrowser, fields: Record<string, string>) {
  return browser.submitForm(await browser.get("/settings"), { name: "Rosa", ...fields });
}

describe("before an account exists", () => {
  const current = useApp({
    signup: "open",
    smtpUrl: "smtp://127.0.0.1:1",
    mailFrom: "a@b.example",
  });

  test("pages use the browser's language, and setup asks for the account's language", async () => {
    const { app, db } = current();
    await db.query("DELETE FROM users");
    const token = (await createSetupLink(db)) ?? "";
    const browser = createBrowser(app);

    const page = await browser.get(`/setup?token=${token}`, german);

    expect(page.body).toContain('<html lang="de"');
    expect(page.body).toContain('<option value="de-AT" lang="de" selected');
    expect(page.body).toContain('<option value="en" lang="en">English</option>');
    const refused = await browser.submitForm(page, { ...person, language: "xx" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('<a href="#language">Language: choose one from the list.</a>');
    const made = await browser.submitForm(page, { ...person, language: "de-CH" });
    expect(made.statusCode).toBe(303);
    const home = await browser.get("/");
    expect(home.body).toContain("Ihr Konto und Ihre Organisation sind bereit.");
    expect(await localeOf(current())).toBe("de-CH");
  });

  test("uses English for a browser without a supported language", async () => {
    await aMember(current().db);
    for (const asked of [undefined, "*", "xx-XX, xx", "en-US,en;q=0.9", "x".repeat(9000)]) {
      const headers = asked === undefined ? {} : { "accept-language": asked };
      const { body } = await createBrowser(current().app).get("/signin", headers);
      expect(body, asked).toContain('<html lang="en"');
    }
  });

  test("a German sign-up gets a German email and account, wherever it is confirmed", async () => {
    const { app, db } = current();
    await aMember(db);
    const email = "rosa2@northgate.example";
    const browser = createBrowser(app);
    const page = await browser.get("/signup");
    await browser.submitForm(page, { ...person, email, language: "de" });
    const [notice] = await noticesTo(current(), email);
    expect(notice).toMatchObject({ locale: "de-DE" });

    const confirmed = await browser.get(await linkTo(current(), email, "sign_up"));
    await browser.submitForm(confirmed, {});

    expect(await localeOf(current(), email)).toBe("de-DE");
    expect((await browser.get("/")).body).toContain('<html lang="de"');
  });
});

describe("a person", () => {
  const current = useApp();

  async function aReader(): Promise<{ member: Member; browser: TestBrowser }> {
    const member = await aMember(current().db, { role: "owner", workspace: "Hall" });
    return { member, browser: await signIn(current().app, member) };
  }

  test("chooses language and time zone and keeps values that aren't submitted", async () => {
    const { member, browser } = await aReader();

    await save(browser, { language: "de", time_zone: "America/New_York" });

    const saved = await browser.get("/settings");
    expect(saved.body).toContain("Konto gespeichert.");
    expect(saved.body).toContain('<option value="de" lang="de" selected');
    expect(saved.body).toContain('<option value="America/New_York" selected');
    await browser.post("/settings", {
      name: "Rosa",
      _csrf: /name="_csrf" value="([^"]+)"/.exec(saved.body)?.[1] ?? "",
    });
    expect(await localeOf(current(), member.email)).toBe("de-DE");
    await save(browser, { language: "en", time_zone: "organization" });
    const page = await browser.get("/settings");
    expect(page.body).toContain("Account saved.");
    expect(page.body).toContain('<option value="organization" selected');
  });

  test("sees an error for an unknown language or time zone, and nothing changes", async () => {
    const { member, browser } = await aReader();
    for (const wrong of [
      { language: "xx" },
      { time_zone: "Mars/Olympus" },
      { time_zone: "+02:00" },
    ]) {
      const answer = await save(browser, wrong);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(`href="#${Object.keys(wrong)[0] ?? ""}"`);
    }
    expect(await localeOf(current(), member.email)).toBe("en-GB");
  });

  test("uses their own time zone for times and the organization's for days", async () => {
    const { db } = current();
    const { member, browser } = await aReader();
    await db.query("UPDATE organizations SET time_zone = 'Europe/Berlin' WHERE id = $1", [
      member.organizationId,
    ]);
    const task = await aTask(db, member, {
      workspace_id: member.workspaceId ?? "",
      title: "Oil",
      due_date: "2026-03-02",
    });
    await save(browser, { language: "en", time_zone: "Asia/Tokyo" });
    const form = await browser.get(`/tasks/${task.id}/complete`);
    expect(form.body).toContain("(Asia/Tokyo)");

    const done = await browser.submitForm(form, { completed_at: "2026-03-02T09:30" });

    expect(done.statusCode).toBe(303);
    const row = await db.maybe<{ at: Date }>(
      "SELECT completed_at AS at FROM maintenance_tasks WHERE id = $1",
      [task.id],
    );
    expect(row?.at.toISOString()).toBe("2026-03-02T00:30:00.000Z");
    const page = await browser.get(`/tasks/${task.id}`);
    expect(page.body).toContain("2 March 2026 at 09:30 (Asia/Tokyo)");
    const again = await browser.get(`/tasks/${task.id}/complete`);
    expect(again.body).toContain('value="2026-03-02T09:30"');
  });

  test("sees numbers in their language and finds them unchanged", async () => {
    const { db } = current();
    const { member, browser } = await aReader();
    const task = await aTask(db, member, {
      workspace_id: member.workspaceId ?? "",
      title: "Oil",
    });
    await save(browser, { language: "de" });
    const form = await browser.get(`/tasks/${task.id}/complete`);

    const wrong = await browser.submitForm(form, {
      labor_cost: "12.34.56",
      actual_minutes: "1:75",
    });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("muss eine Zahl wie 1249,90 sein, ohne Tausenderzeichen.");
    expect(wrong.body).toContain('value="12.34.56"');
    await browser.submitForm(form, {
      labor_cost: "1.249,9",
      parts_cost: "1.500",
      actual_minutes: "1:30",
    });

    const rows = await db.query(
      `SELECT labor_cost::float AS labor_cost, parts_cost::float AS parts_cost, actual_minutes
       FROM maintenance_tasks WHERE id = $1`,
      [task.id],
    );
    expect(rows).toEqual([{ labor_cost: 1249.9, parts_cost: 1500, actual_minutes: 90 }]);
    const again = await browser.get(`/tasks/${task.id}/complete`);
    expect(again.body).toContain('value="1249,9"');
  });
});
