import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("log, apps, sessions, emails and organization in German", () => {
  const current = useApp();

  async function readGerman() {
    const { app, db } = current();
    const member = await aMember(db, { role: "owner" });
    await db.query("UPDATE users SET locale = 'de-DE'");
    return signIn(app, member);
  }

  test.each([
    ["/settings/activity", "Anmeldungen und Konten", "Sign-ins, connected apps"],
    ["/settings/apps", "Ihre Apps", "Your apps"],
    [
      "/settings/sessions",
      "In diesen Browsern sind Sie angemeldet",
      "You're signed in on these browsers",
    ],
    ["/settings/mail", "Keine E-Mails warten auf den Versand", "No emails are waiting"],
    ["/settings/organization", "Organisation speichern", "Save organization"],
    [
      "/settings/organization/second-factor",
      "Inhaber und Admins ohne zweiten Faktor müssen",
      "Owners and admins without",
    ],
  ])("%s", async (address, german, english) => {
    const browser = await readGerman();

    const page = await browser.get(address);

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<html lang="de">');
    expect(page.body).toContain(german);
    expect(page.body).not.toContain(english);
  });

  test("translates a rejected form", async () => {
    const browser = await readGerman();
    const page = await browser.get("/settings/organization");

    const empty = await browser.submitForm(page, { name: " " });

    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain("Geben Sie einen Namen ein.");
  });
});
