import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { linkTo, tokenOf } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";
import {
  enterPassword,
  openConfirmed,
  security,
  setUpAuthenticator,
} from "../../support/second-factors.js";

const german = { headers: { "accept-language": "de-AT,de;q=0.9,en;q=0.8" } };
const mail = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "werk@nord.example" };

/** A browser that requests German before the sign-in. */
async function openGerman(browser: TestBrowser, address: string) {
  const page = await browser.get(address, german.headers);
  expect(page.body, address).toContain('<html lang="de">');
  return page;
}

describe("an account in German", () => {
  const current = useApp({ ...mail, signup: "open" });
  let petra: Member;

  const speakGerman = ({ userId }: Member) =>
    current().db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [userId]);

  beforeAll(async () => {
    petra = await aMember(current().db, { name: "Petra", organization: "The Works" });
    await speakGerman(petra);
  });

  test("rejects and accepts a sign-in in the browser's and then the person's language", async () => {
    const { app, db } = current();
    const emma = await aMember(db, { name: "Emma", organization: petra.organization });
    const browser = createBrowser(app);
    const page = await openGerman(browser, "/signin");
    const fields = { email: petra.email, password: "wrong" };
    const refused = await browser.submitForm(page, fields, german);
    const english = await createBrowser(app).get("/signin");

    expect(page.body).toContain("Noch kein Konto?");
    expect(refused.body).toContain("E-Mail und Passwort passen nicht zusammen.");
    expect(refused.body).toContain(`value="${petra.email}"`);
    expect(english.body).toContain("No account yet?");
    // The account's language has priority over the browser's.
    const home = await (await signIn(app, petra)).get("/", { "accept-language": "en" });
    expect(home.body).toContain('<html lang="de">');
    const other = await (await signIn(app, emma)).get("/", german.headers);
    expect(other.body).toContain('<html lang="en">');
  });

  test("covers a forgotten password up to the new one", async () => {
    const { app } = current();
    const browser = createBrowser(app);
    const page = await openGerman(browser, "/password/forgot");
    const empty = await browser.submitForm(page, { email: "" }, german);
    await browser.submitForm(page, { email: petra.email }, german);
    const sent = await openGerman(browser, "/password/sent");
    const form = await openGerman(browser, await linkTo(current(), petra.email, "password_reset"));
    const weak = await browser.submitForm(form, { password: "kurz" }, german);

    expect(empty.body).toContain("„E-Mail“ darf nicht leer sein.");
    expect(sent.body).toContain("Prüfen Sie Ihre E-Mails");
    expect(form.body).toContain("Für das Konto");
    expect(weak.statusCode).toBe(400);
    expect(weak.body).toMatch(/mindestens \d+ Zeichen/);
    expect(weak.body).not.toContain("characters");
  });

  test("covers a second factor and recovery codes", async () => {
    const { app, db } = current();
    const member = await aMember(db, { name: "Otto" });
    await speakGerman(member);
    const own = await signIn(app, member);
    await setUpAuthenticator(own, member);
    const overview = await own.get(security);
    const passkeys = await own.get(`${security}/passkeys/new`);
    const { browser, page } = await enterPassword(app, member);
    const wrong = await browser.submitForm(page, { code: "000000" }, german);

    expect(overview.body).toContain("Wiederherstellungscodes");
    expect(overview.body).toContain("Authenticator-App");
    expect(passkeys.body).toContain('<html lang="de">');
    expect(wrong.body).toContain("Noch ein Schritt");
    expect(wrong.body).toContain("Passwort richtig. Verwenden Sie jetzt Ihren zweiten Faktor.");
    expect(wrong.statusCode).toBe(400);
  });

  test("asks for the password before security changes", async () => {
    const { app } = current();
    const browser = await signIn(app, petra);
    const away = await browser.get(`${security}/authenticator`);
    const question = await browser.get(String(away.headers.location));
    const wrong = await browser.submitForm(question, { password: "falsch" });
    const page = await openConfirmed(browser, `${security}/authenticator`, petra);

    expect(question.body).toContain("Passwort");
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).not.toMatch(/Password|is not/);
    expect(page.body).toContain("Authenticator-App");
  });

  test("shows organization names unchanged on a German page", async () => {
    const { app, db } = current();
    await aMember(db, { email: petra.email, organization: "The Other Works" });
    const browser = await signIn(app, petra);
    const page = await browser.get("/organizations");

    expect(page.body).toContain("The Other Works");
    expect(page.body).toContain("Organisationen");
    expect(page.body).not.toContain(">Organizations<");
  });

  test("shows, rejects and accepts an invitation", async () => {
    const { app, db } = current();
    const owner = await signIn(app, petra);
    const email = "ilja@nord.example";
    const form = await owner.get("/settings/members/invite");
    const sent = await owner.submitForm(form, {
      email,
      organization_role: "member",
      message: "Hi there",
    });
    const invite = await db.maybe<{ id: string }>("SELECT id FROM invites WHERE email = $1", [
      email,
    ]);
    const path = `/invites/${await tokenOf(current(), invite?.id ?? "")}`;
    const browser = createBrowser(app);
    const page = await openGerman(browser, path);
    const english = await createBrowser(app).get(path);
    const empty = await browser.submitForm(page, { name: "", password: "" }, german);
    const person = { name: "Ilja", password: "correct horse battery", language: "de" };
    const done = await browser.submitForm(page, person, german);

    expect(sent.statusCode).toBe(303);
    expect(page.body).toContain("Works beitreten");
    expect(english.body).toContain('<html lang="en">');
    expect(empty.body).toContain("„Name“ darf nicht leer sein.");
    expect(done.statusCode).toBe(303);
    expect((await browser.get("/")).body).toContain('<html lang="de">');
  });

  test("explains invalid links", async () => {
    const browser = createBrowser(current().app);
    for (const address of ["/invites/x", "/password/reset/x", "/signup/confirm/x"]) {
      const page = await openGerman(browser, address);
      expect(page.body, address).toMatch(/<h1[^>]*>[^<]*(?:Link|Einladung)/);
    }
  });
});

describe("rate limit", () => {
  const current = useApp({ rateLimit: true });

  test("rejects in German", async () => {
    const { app, db } = current();
    await aMember(db);
    const browser = createBrowser(app);
    const page = await openGerman(browser, "/signin");
    let answer = page;
    for (let n = 0; n < 11; n += 1) {
      const fields = { email: `rate-${n}@nord.example`, password: "falsch" };
      answer = await browser.submitForm(page, fields, german);
    }

    expect(answer.statusCode).toBe(429);
    expect(answer.body).toContain('<html lang="de">');
    expect(answer.body).toMatch(/Minuten?/);
    expect(answer.body).not.toContain("Too many");
  });
});
