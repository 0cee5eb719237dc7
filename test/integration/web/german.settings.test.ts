import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("Settings in German", () => {
  const current = useApp();

  async function readGerman() {
    const { app, db } = current();
    const member = await aMember(db, { role: "owner" });
    await db.query("UPDATE users SET locale = 'de-DE'");
    return signIn(app, member);
  }

  test.each([
    ["/settings", "Ihr Konto", "You can't change your email"],
    ["/settings/password", "Passwort ändern", "You stay signed in here"],
    ["/settings/notifications", "Benachrichtigungen bei", "Notify me about"],
    ["/settings/notifications/calendar", "Adresse erstellen", "Anyone with this address"],
    [
      "/settings/members",
      "Nach Name, Position oder E-Mail suchen",
      "Search by name, job title or email",
    ],
    ["/settings/members/invite", "Persönliche Nachricht", "Personal message"],
    ["/settings/members/invitations", "Hier ist keine Einladung", "No invitation here"],
    ["/settings/webhooks", "Noch keine Webhooks", "Notify other systems"],
    ["/settings/webhooks/new", "Status einer Anlage geändert", "Asset state changed"],
    ["/settings/organization/deletions", "Löschen durch Apps", "confirms each deletion"],
  ])("%s", async (address, german, english) => {
    const browser = await readGerman();

    const page = await browser.get(address);

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<html lang="de">');
    expect(page.body).toContain(german);
    expect(page.body).toContain("Verbundene Apps");
    expect(page.body).not.toContain(english);
    expect(page.body).not.toContain("Connected Apps");
  });

  test("translates a rejected form and a message after a change", async () => {
    const browser = await readGerman();
    const page = await browser.get("/settings");

    const empty = await browser.submitForm(page, { name: " " });
    await browser.submitForm(page, { name: "Dara Novák" });

    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain("Geben Sie Ihren Namen ein.");
    expect((await browser.get("/settings")).body).toContain("Konto gespeichert.");
  });
});
