import type { Database } from "../../../server/src/db/database.js";
import { describe, expect, test } from "vitest";
import { createSetupLink } from "../../../server/src/domain/accounts/setup-links.js";
import { useApp, useServer } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";

const person = {
  name: "Rosa Lindqvist",
  email: "rosa@northgate.example",
  password: "correct horse battery",
  organization: "Northgate Facilities",
};

async function removeEverybody(db: Database): Promise<void> {
  await db.query("DELETE FROM organizations");
  await db.query("DELETE FROM users");
}

describe("first account", () => {
  const current = useApp();

  test("before it exists, every entry page explains where the set-up link is", async () => {
    const browser = createBrowser(current().app);

    for (const url of ["/signin", "/signup", "/setup"]) {
      const page = await browser.get(url);
      expect(page.statusCode, url).toBe(200);
      expect(page.body, url).toContain("This server isn't set up yet");
    }
  });

  test("rejects a wrong link, and a rejected submission keeps its input", async () => {
    const { app, db } = current();
    const token = (await createSetupLink(db)) ?? "";
    const browser = createBrowser(app);
    expect((await browser.get("/setup?token=guess")).statusCode).toBe(404);
    const page = await browser.get(`/setup?token=${token}`);

    const refused = await browser.submitForm(page, { ...person, password: "short" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('value="Rosa Lindqvist"');
    expect(refused.body).toContain('href="#password"');
    expect(refused.body).toContain('aria-describedby="password-help password-error"');
    expect(refused.body).not.toContain("short");
    const users = await db.maybe<{ n: number }>("SELECT count(*)::int AS n FROM users");
    expect(users?.n).toBe(0);
    const wrong = { name: "", email: "rosa", password: "short", organization: " " };
    const all = await browser.submitForm(refused, wrong);
    const nothing = { name: "", email: "", password: "", organization: "" };
    for (const { body } of [all, await browser.submitForm(refused, nothing)]) {
      const [summary = ""] = /<div class="error-summary".*?<\/ul>/s.exec(body) ?? [];
      expect([...summary.matchAll(/href="#(\w+)"/g)].map(([, field]) => field)).toEqual([
        ...["name", "email", "password", "organization"],
      ]);
    }
    const done = await browser.submitForm(refused, person);
    expect(done).toMatchObject({ statusCode: 303, headers: { location: "/start" } });
    expect((await browser.get("/start")).body).toContain("What do you look after?");
  });

  test("of several links used concurrently, one creates the account, then none works", async () => {
    const { app, db } = current();
    await removeEverybody(db);
    const tokens = await Promise.all([1, 2, 3].map(() => createSetupLink(db)));
    const pages = await Promise.all(
      tokens.map(async (token) => {
        const browser = createBrowser(app);
        return { browser, page: await browser.get(`/setup?token=${token ?? ""}`) };
      }),
    );

    const answers = await Promise.all(
      pages.map(({ browser, page }, index) =>
        browser.submitForm(page, { ...person, email: `rosa${index}@northgate.example` }),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404, 404]);
    expect(await createSetupLink(db)).toBeUndefined();
    const left = await db.maybe<{ n: number }>("SELECT count(*)::int AS n FROM setup_links");
    expect(left?.n).toBe(0);
    const owners = await db.query<{
      role: string;
      name: string;
    }>(`SELECT m.role, o.name FROM organization_members m
       JOIN organizations o ON o.id = m.organization_id`);
    expect(owners).toEqual([{ role: "owner", name: "Northgate Facilities" }]);
  });

  test("asks for time zone and currency, preselected for the browser's region", async () => {
    const { app, db } = current();
    await removeEverybody(db);
    const token = (await createSetupLink(db)) ?? "";
    const browser = createBrowser(app);
    const address = `/setup?token=${token}`;
    const page = await browser.get(address, { "accept-language": "de-AT,de;q=0.8,en-US;q=0.5" });
    expect(page.body).toMatch(/<option value="Europe\/Vienna"[^>]* selected/);
    expect(page.body).toContain('<option value="EUR" selected');

    const wrong = await browser.submitForm(page, { ...person, time_zone: "Mars/Crater" });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('id="time_zone-error"');
    const chosen = { ...person, time_zone: "Asia/Tokyo", currency: "JPY" };
    expect((await browser.submitForm(page, chosen)).statusCode).toBe(303);

    expect(await db.query("SELECT time_zone, currency FROM organizations")).toEqual([
      { time_zone: "Asia/Tokyo", currency: "JPY" },
    ]);
  });

  test("the set-up link is stored as a hash only", async () => {
    const { db } = current();
    await removeEverybody(db);
    const token = (await createSetupLink(db)) ?? "";

    const rows = await db.query<{ row: string }>("SELECT l::text AS row FROM setup_links l");

    expect(token).toHaveLength(43);
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  });
});

describe("set-up with a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("preselects the browser's time zone and its currency, until refused", async () => {
    const { config, db } = current();
    await removeEverybody(db);
    const token = (await createSetupLink(db)) ?? "";
    const context = await chromium().newContext({ timezoneId: "Europe/Zurich", locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${config.baseUrl}/setup?token=${token}`);
    const zone = page.locator("#time_zone");
    expect(await zone.inputValue()).toBe("Europe/Zurich");
    expect(await page.locator("#currency").inputValue()).toBe("CHF");

    await zone.selectOption("Asia/Tokyo");
    for (const [name, value] of Object.entries({ ...person, password: "short" }))
      await page.locator(`#${name}`).fill(value);
    await page.getByRole("button", { name: "Create account" }).click();
    expect(await page.locator("#password-error").count()).toBe(1);
    expect(await zone.inputValue()).toBe("Asia/Tokyo");
    await context.close();
  });
});

describe("sign-up by invitation", () => {
  const current = useApp();

  test("the page explains it, and a posted form creates no account", async () => {
    const { app, db } = current();
    await aMember(db);
    const browser = createBrowser(app);
    expect((await browser.get("/signup")).body).toContain("Accounts are by invitation only");
    const form = await browser.get("/signin");

    const token = /name="_csrf" value="([^"]*)"/.exec(form.body)?.[1] ?? "";
    const answer = await browser.post("/signup", { ...person, _csrf: token });

    expect(answer.statusCode).toBe(403);
    const users = await db.maybe<{ n: number }>("SELECT count(*)::int AS n FROM users");
    expect(users?.n).toBe(1);
  });
});
