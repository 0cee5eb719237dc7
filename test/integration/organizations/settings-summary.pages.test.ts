import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("the first page of the settings", () => {
  const current = useApp();

  /** The states by address. */
  async function statesOf(browser: Awaited<ReturnType<typeof signIn>>) {
    const { body } = await browser.get("/settings");
    const entries = body.matchAll(/<li><a href="([^"]+)">[^<]+<\/a> <span[^>]*>([^<]*)<\/span>/g);
    return Object.fromEntries([...entries].map(([, href = "", state]) => [href, state]));
  }

  const own = {
    "/settings/security": "Off",
    "/settings/sessions": "1",
    "/settings/apps": "0",
  };

  test("shows admins the state of their own settings and of the organization", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    await aMember(db, { organization: owner.organization });
    const browser = await signIn(app, owner);
    const form = await browser.get("/settings/webhooks/new");
    await browser.submitForm(form, { url: "https://hooks.example/a", "task.created": "yes" });
    await db.query(
      "UPDATE webhooks SET is_active = false, failing_since = now() WHERE organization_id = $1",
      [owner.organizationId],
    );

    expect(await statesOf(browser)).toEqual({
      ...own,
      "/settings/mail": "Not set up yet",
      "/settings/members": "2",
      "/settings/organization#second-factor": "Not required",
      "/settings/webhooks": "1, 1 failing",
    });
  });

  test("shows members only their own", async () => {
    const { app, db } = current();
    const { organization } = await aMember(db, { role: "owner" });
    const member = await aMember(db, { organization, role: "member" });

    expect(await statesOf(await signIn(app, member))).toEqual(own);
  });
});
