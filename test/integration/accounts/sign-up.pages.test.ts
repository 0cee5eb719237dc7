import { describe, expect, test } from "vitest";
import { createAccount } from "../../../server/src/domain/accounts/accounts.js";
import { cleanUpSignUps } from "../../../server/src/domain/accounts/sign-ups.js";
import { startMailSender } from "../../../server/src/mail/sender.js";
import { createSmtp } from "../../../server/src/mail/smtp.js";
import { useApp, useServer, startApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { useMailServer } from "../../support/mail-server.js";
import { linkTo, noticesTo } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";
import { createLogger } from "../../../server/src/plugins/logging.js";

const mailFrom = "Fettle <fettle@example.org>";
const open = { signup: "open", smtpUrl: "smtp://127.0.0.1:1", mailFrom } as const;

let count = 0;

function aPerson() {
  count += 1;
  return {
    name: "Rosa Quintero",
    email: `rosa${count}@northgate.example`,
    password: "four unrelated words",
    organization: "Northgate Facilities",
  };
}

async function send(browser: TestBrowser, fields: Record<string, string>) {
  return browser.submitForm(await browser.get("/signup"), fields);
}

async function inTurn<From, To>(
  items: readonly From[],
  work: (item: From) => Promise<To>,
): Promise<To[]> {
  const done: To[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

describe("open sign-up", () => {
  const current = useApp(open);
  const mailServer = useMailServer();

  async function countAccounts(email: string): Promise<number> {
    const rows = await current().db.query("SELECT 1 FROM users WHERE email = $1", [email]);
    return rows.length;
  }

  test("creates an account and an organization when the emailed link is confirmed", async () => {
    const { app, db } = current();
    await aMember(db);
    const person = aPerson();
    const browser = createBrowser(app);
    const answer = await send(browser, person);
    expect(answer.headers.location).toBe("/signup/sent");
    expect((await browser.get("/signup/sent")).body).toContain("Check your email");
    expect(await countAccounts(person.email)).toBe(0);
    await expect(signIn(app, { ...(await aMember(db)), ...person })).rejects.toThrow("400");
    const stop = startMailSender({
      db,
      mails: app.services.mails,
      send: createSmtp({ smtpUrl: mailServer().url, mailFrom }),
      log: app.log,
      baseUrl: "https://fettle.example.org",
    });
    await expect.poll(() => mailServer().received.length).toBe(1);
    await stop();
    const [mail] = mailServer().received;
    expect(mail?.to).toEqual([person.email]);
    expect(mail?.text).not.toMatch(/Rosa|Northgate Facilities/);
    const path = /localhost:3000(\/signup\/confirm\/[\w-]{43})\s/.exec(mail?.text ?? "")?.[1] ?? "";
    const page = await browser.get(path);
    expect(page.body).not.toContain('type="password"');
    expect(await countAccounts(person.email)).toBe(0);

    const confirmed = await browser.submitForm(page, {});

    expect(confirmed.headers.location).toBe("/start");
    const home = await browser.get("/start");
    expect(home.body).toContain("Your account and organization are ready.");
    expect(home.body).toContain("Northgate Facilities");
    expect((await browser.get("/")).body).not.toContain("are ready");
    const rows = await db.query(
      `SELECT m.role, u.email_verified_at IS NOT NULL AS verified FROM users u
       JOIN organization_members m ON m.user_id = u.id WHERE u.email = $1`,
      [person.email],
    );
    expect(rows).toEqual([{ role: "owner", verified: true }]);
    expect((await browser.get(path)).body).toContain("You already have an account");
    await signIn(app, { ...(await aMember(db)), ...person });
  });

  test("requires the chosen password when the link opens in another browser", async () => {
    const { app, db } = current();
    await aMember(db);
    const person = aPerson();
    await send(createBrowser(app), person);
    const path = await linkTo(current(), person.email, "sign_up");
    const browser = createBrowser(app);
    const page = await browser.get(path);

    const refused = await browser.submitForm(page, { password: "not the password" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('id="password-error"');
    expect(await countAccounts(person.email)).toBe(0);
    const right = await browser.submitForm(refused, { password: person.password });
    expect(right.headers.location).toBe("/start");
    expect(await countAccounts(person.email)).toBe(1);
  });

  test("gives an existing account the usual response but a different email", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const person = aPerson();

    const answers = await Promise.all(
      [person.email, member.email.toUpperCase()].map(async (email) => {
        const browser = createBrowser(app);
        const { statusCode, headers } = await send(browser, { ...person, email });
        const sent = await browser.get("/signup/sent");
        const kept = [...browser.cookies].map(([name, { length }]) => [name, length]);
        return { statusCode, to: headers.location, body: sent.body.replaceAll(email, ""), kept };
      }),
    );

    expect(answers[1]).toEqual(answers[0]);
    expect(await noticesTo(current(), member.email)).toEqual([
      {
        kind: "account_exists",
        signIn: "http://localhost:3000/signin",
        forgot: "http://localhost:3000/password/forgot",
      },
    ]);
    expect(await noticesTo(current(), person.email)).toMatchObject([{ kind: "sign_up" }]);
    await expect(signIn(app, { ...member, password: person.password })).rejects.toThrow("400");
  });

  test("sends an address at most three emails an hour without changing the response", async () => {
    const { app, db } = current();
    await aMember(db);
    const person = aPerson();

    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await send(createBrowser(app), person));

    expect(new Set(answers.map(({ headers }) => headers.location))).toEqual(
      new Set(["/signup/sent"]),
    );
    expect(await noticesTo(current(), person.email)).toHaveLength(3);
  });

  test("creates one account from simultaneous submissions, even from two links", async () => {
    const { app, db } = current();
    await aMember(db);
    const person = aPerson();
    const asked = await inTurn([createBrowser(app), createBrowser(app)], async (browser) => {
      await send(browser, person);
      return { browser, path: await linkTo(current(), person.email, "sign_up") };
    });
    const stranger = { browser: createBrowser(app), path: asked[0]?.path ?? "" };
    const opened = await Promise.all(
      [...asked, stranger].map(async ({ browser, path }) => ({
        browser,
        page: await browser.get(path),
      })),
    );

    const answers = await Promise.all(
      opened.map(({ browser, page }) => browser.submitForm(page, person)),
    );

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 410, 410]);
    expect(await countAccounts(person.email)).toBe(1);
    const late = await asked[1]?.browser.get(asked[1].path);
    expect([200, 410]).toContain(late?.statusCode);
  });

  test("rejects a link when the account was created in the meantime", async () => {
    const { app, db } = current();
    await aMember(db);
    const person = aPerson();
    const browser = createBrowser(app);
    await send(browser, person);
    const page = await browser.get(await linkTo(current(), person.email, "sign_up"));
    await db.transaction((tx) =>
      createAccount(tx, { ...person, name: "Real Rosa", password: "another good one" }),
    );

    const answer = await browser.submitForm(page, {});

    expect(answer.statusCode).toBe(410);
    expect(answer.body).toContain("You already have an account");
    await expect(signIn(app, { ...(await aMember(db)), ...person })).rejects.toThrow("400");
  });

  test("rejects hostile and over-long input at its field, or stores it as text", async () => {
    const { app, db } = current();
    await aMember(db);
    const browser = createBrowser(app);
    const person = { ...aPerson(), name: '<img src=x onerror="x">', organization: "<i>Org</i>" };
    const refused = await send(browser, { ...person, organization: "x".repeat(121) });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('id="organization-error"');
    expect(refused.body).toContain("&lt;img src=x");

    await browser.submitForm(refused, person);
    const page = await browser.get(await linkTo(current(), person.email, "sign_up"));

    expect(page.body).toContain("&lt;i>Org&lt;/i>");
    expect(page.body).not.toContain("<i>Org");
  });

  test("rejects and deletes day-old links, and stores no token or password in plain text", async () => {
    const { app, db } = current();
    await aMember(db);
    const person = aPerson();
    const browser = createBrowser(app);
    await send(browser, person);
    const path = await linkTo(current(), person.email, "sign_up");
    const token = path.split("/").at(-1) ?? "";
    const rows = await db.query<{ dump: string }>("SELECT s::text AS dump FROM sign_ups s");
    for (const { dump } of rows) {
      expect(dump).not.toContain(token);
      expect(dump).not.toContain(person.password);
    }

    await db.query("UPDATE sign_ups SET expires_at = now() WHERE email = $1", [person.email]);

    expect((await browser.get(path)).statusCode).toBe(410);
    await cleanUpSignUps(db);
    const left = await db.query("SELECT 1 FROM sign_ups WHERE email = $1", [person.email]);
    expect(left).toEqual([]);
  });
});

describe("sign-up without email delivery", () => {
  const current = useApp({ signup: "open" });

  test("refers to the administrator, rejects a posted form, and logs a startup warning", async () => {
    const { app, db, config } = current();
    await aMember(db);
    const browser = createBrowser(app);
    expect((await browser.get("/signup")).body).toContain(
      "The server's administrator creates accounts",
    );
    const form = await browser.get("/signin");
    expect(form.body).not.toContain("/signup");
    const token = /name="_csrf" value="([^"]*)"/.exec(form.body)?.[1] ?? "";

    const answer = await browser.post("/signup", { ...aPerson(), _csrf: token });

    expect(answer.statusCode).toBe(403);
    expect(await db.query("SELECT 1 FROM sign_ups")).toEqual([]);
    const lines: string[] = [];
    const logged = await startApp(config, db, {
      log: createLogger({ logLevel: "warn" }, { write: (line: string) => lines.push(line) }),
    });
    await logged.ready();
    await logged.close();
    expect(lines.filter((line) => line.includes("SIGNUP=open"))).toHaveLength(1);
  });
});

describe("sign-up in a real browser", () => {
  const current = useServer(open);
  const chromium = useChromium();

  browserTest.each(views)("every page passes the checks in $width $colorScheme", async (view) => {
    await aMember(current().db);
    const person = aPerson();
    const opened = await openPage(chromium(), current(), undefined, view);
    const { page } = opened;
    expect(await sweep(opened, ["/signup/sent", "/signup"])).toEqual({});
    await page.getByLabel("Your name").fill(person.name);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password").fill("short");
    await page.getByLabel("Organization name").fill(person.organization);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").waitFor();
    expect(await findProblems(page)).toEqual([]);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL((url) => url.pathname === "/signup/sent");
    const path = await linkTo(current(), person.email, "sign_up");
    const elsewhere = await openPage(chromium(), current(), undefined, view);

    expect(await sweep(elsewhere, [path])).toEqual({});
    expect(await sweep(opened, [path])).toEqual({});
    await page.getByRole("button", { name: "Confirm and continue" }).click();
    await page.waitForURL((url) => url.pathname === "/start");

    expect(await page.getByRole("status").textContent()).toContain("are ready");
    await elsewhere.page.goto(path);
    expect(await findProblems(elsewhere.page)).toEqual([]);
    expect(opened.complaints).toEqual([]);
    await opened.close();
    await elsewhere.close();
  });
});
