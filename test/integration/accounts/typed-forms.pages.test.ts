import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { freshCode, setUpAuthenticator } from "../../support/second-factors.js";

describe("form submitted after the session ended", () => {
  const current = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(current(), { workspace: "Hall" });
  });

  const endSessions = ({ userId }: Member) =>
    current().db.query("DELETE FROM sessions WHERE user_id = $1", [userId]);

  /** Signs in on the page that the browser was redirected to. Returns the next address. */
  async function signInAgain(browser: TestBrowser, location: unknown, { email, password }: Member) {
    const page = await browser.get(String(location));
    const signedIn = await browser.submitForm(page, { email, password });
    return { page, next: String(signedIn.headers.location) };
  }

  test("restores an asset, a completion, an invitation, and an import after sign-in", async () => {
    const { app, db } = current();
    const { member } = owner;
    const made = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
    const task = await aTask(db, member, { asset_id: made.asset.id, state: "in_progress" });
    const forms = [
      { path: "/assets/new", fields: { name: 'Lathe "3"', description: "Line 1\r\nLine 2" } },
      { path: `/tasks/${task.id}/complete`, fields: { completion_notes: "Replaced the seal" } },
      { path: "/settings/members/invite", fields: { email: "kim@example.com", message: "Hello" } },
    ];
    for (const { path, fields } of forms) {
      const browser = await signIn(app, member);
      const form = await browser.get(path);
      await endSessions(member);

      const sent = await browser.submitForm(form, fields);

      expect([sent.statusCode, sent.headers.location], path).toEqual([
        303,
        expect.stringMatching(/^\/signin\?next=/),
      ]);
      const { page, next } = await signInAgain(browser, sent.headers.location, member);
      expect(page.body).toContain("Your input is kept");
      expect(next).toBe(path);
      const again = await browser.get(next);
      expect(again.body).toContain("Nothing is saved yet.");
      for (const text of Object.values(fields)) {
        const shown = text.replaceAll('"', "&quot;").replaceAll("\r\n", "\n");
        expect(again.body.replaceAll("\r\n", "\n"), path).toContain(shown);
      }
      expect((await browser.submitForm(again, fields)).statusCode, path).toBe(303);
      // The notice appears only once.
      expect((await browser.get(path)).body).not.toContain("Nothing is saved yet.");
    }
    const browser = await signIn(app, member);
    const form = await browser.get("/import");
    await endSessions(member);
    const file = { field: "file", name: "a.csv", content: "Name\nPump", type: "text/csv" };
    const sent = await browser.sendFiles(form, "/import", [file], { kind: "tasks" });
    const { next } = await signInAgain(browser, sent.headers.location, member);
    const again = await browser.get(next);
    expect(again.body).toContain("Choose your files again.");
    expect(again.body).toContain('<option value="tasks" selected');
  });

  test("keeps the form encrypted for an hour for its person and organization, across MFA", async () => {
    const { app, db } = current();
    const person = await aMember(db, { role: "owner" });
    const other = await aMember(db, { organization: person.organization, role: "admin" });
    const own = await signIn(app, person);
    const { secret } = await setUpAuthenticator(own, person);
    const signInWithCode = async (browser: TestBrowser, start: string) => {
      const { next } = await signInAgain(browser, start, person);
      const code = await freshCode(db, person, secret);
      return browser.submitForm(await browser.get(next), { code });
    };
    const send = async () => {
      const browser = createBrowser(app);
      await signInWithCode(browser, "/signin");
      const form = await browser.get("/assets/new");
      await endSessions(person);
      return { browser, sent: await browser.submitForm(form, { name: "Unusual lathe" }) };
    };

    const { browser, sent } = await send();
    const rows = await db.query<{ content_encrypted: Uint8Array }>(
      "SELECT content_encrypted FROM typed_forms",
    );
    expect(rows).toHaveLength(1);
    expect(Buffer.from(rows[0]?.content_encrypted ?? []).toString("latin1")).not.toContain("lathe");
    const taken = await signInAgain(browser, sent.headers.location, other);
    expect((await browser.get(taken.next)).body).not.toContain("Unusual lathe");
    expect(await db.query("SELECT 1 FROM typed_forms")).toHaveLength(1);

    const second = await send();
    await signInWithCode(second.browser, String(second.sent.headers.location));
    expect((await second.browser.get("/assets/new")).body).toContain("Unusual lathe");

    const late = await send();
    await db.query("UPDATE typed_forms SET created_at = created_at - interval '61 minutes'");
    await signInWithCode(late.browser, String(late.sent.headers.location));
    expect((await late.browser.get("/assets/new")).body).not.toContain("Unusual lathe");
  });

  test("doesn't keep secrets, over-long content, or forged forms", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const browser = await signIn(app, person);
    const form = await browser.get("/settings/password");
    await endSessions(person);
    const secrets = { current_password: "old-secret", password: "new-secret-1234" };
    const sent = await browser.submitForm(form, secrets);
    const { next } = await signInAgain(browser, sent.headers.location, person);
    const again = await browser.get(next);
    expect(again.body).not.toContain("old-secret");
    expect(again.body).not.toContain("new-secret");

    const long = await browser.get("/assets/new");
    await endSessions(person);
    const sentLong = await browser.submitForm(long, {
      name: "x",
      description: "\u{1}".repeat(15_000),
    });
    const page = await browser.get(String(sentLong.headers.location));
    expect(page.body).toContain("too long to keep");

    const stranger = createBrowser(app);
    const forged = await stranger.post("/assets/new", { _person: "a".repeat(100), name: "x" });
    expect(forged.statusCode).toBe(403);
    expect(await db.query("SELECT 1 FROM typed_forms WHERE user_id = $1", [person.userId])).toEqual(
      [],
    );
  });

  test("offers the form to a person who signed in again in another tab", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const browser = await signIn(app, person);
    const form = await browser.get("/assets/new");
    await endSessions(person);
    const fresh = await signIn(app, person);
    browser.cookies.clear();
    for (const [name, value] of fresh.cookies) browser.cookies.set(name, value);

    const sent = await browser.submitForm(form, { name: "Lathe" });

    expect(sent.statusCode).toBe(403);
    expect(sent.body).toContain('href="/assets/new"');
    expect((await browser.get("/assets/new")).body).toContain('value="Lathe"');
  });

  test("keeps the selected steps of a checklist", async () => {
    const { app } = current();
    const { member } = owner;
    const made = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      title: "Inspect pump",
      workspace_id: member.workspaceId,
      checklist: ["Seal", "Bolts"],
    });
    const browser = await signIn(app, member);
    const form = await browser.get(`/tasks/${made.task.id}/complete`);
    await endSessions(member);

    const sent = await browser.submitForm(form, { done: "2" });

    const { next } = await signInAgain(browser, sent.headers.location, member);
    const again = await browser.get(next);
    expect(again.body).toMatch(/id="done-2"[^>]* checked/);
    expect(again.body).not.toMatch(/id="done-1"[^>]* checked/);
  });

  test("keeps the records selected in a list", async () => {
    const { app } = current();
    const { member } = owner;
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Cart" });
    const browser = await signIn(app, member);
    const form = await browser.get(`/assets/change?ids=${asset.id}`);
    await endSessions(member);

    const sent = await browser.submitForm(form, { ids: asset.id, add_tags: "fleet" });

    const { next } = await signInAgain(browser, sent.headers.location, member);
    const again = await browser.get(next);
    expect(again.body).toContain('value="fleet"');
    expect(again.body).toMatch(/Edit 1 asset/);
  });
});
