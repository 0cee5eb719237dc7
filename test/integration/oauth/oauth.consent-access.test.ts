import { afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { endMembership } from "../../../server/src/domain/people/member-removal.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type MemberOptions } from "../../support/builders.js";
import {
  aChallenge,
  aClient,
  approve,
  exchange,
  openConsent,
  signIn,
  type TestClient,
} from "../../support/oauth.js";
import { findActivity } from "../../support/second-factors.js";
import { before } from "../../support/statements.js";

/** Notes below the permissions, depending on the person's roles. */
function ownRights(html: string): string[] {
  const list = /<ul class="own-rights" id="own-rights">(.*?)<\/ul>/s.exec(html)?.[1] ?? "";
  return [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, line = ""]) => line);
}

describe("permissions on the consent page", () => {
  const current = useApp();
  let client: TestClient;

  beforeAll(async () => {
    client = await aClient(current().app);
  });

  test.each<[MemberOptions, string]>([
    [{ role: "owner" }, "As owner: everything, including people."],
    [{ role: "admin" }, "As admin: everything except owner tasks."],
    [
      { role: "member" },
      "As member: view only assets in no workspace; change nothing, as you have view-only access; delete nothing, as you don't manage a workspace.",
    ],
    [
      { role: "member", workspace: "Site", workspaceRole: "viewer" },
      "As member: view your 1 workspace, and assets outside of workspaces; change nothing, as you have view-only access; delete nothing, as you don't manage a workspace.",
    ],
    [
      { role: "member", workspace: "Site", workspaceRole: "admin" },
      "As member: view your 1 workspace, and assets outside of workspaces; change in your 1 workspace; delete assets in your 1 workspace.",
    ],
  ])("shows in one line how far the permissions reach for %j", async (options, line) => {
    const { app, db } = current();
    // The first person in an organization owns it.
    const { organization } = await aMember(db);
    const person = await aMember(db, { ...options, organization });

    const page = await openConsent(await signIn(app, person), client, aChallenge());

    expect(ownRights(page.body)).toEqual([line]);
  });

  test("groups organizations with the same role, and summarizes many groups", async () => {
    const { app, db } = current();
    const first = await aMember(db, { organization: "Alpha" });
    const { email } = first;
    await aMember(db, { email, organization: "Beta" });
    const browser = await signIn(app, first);
    const rights = async () => ownRights((await openConsent(browser, client, aChallenge())).body);

    expect(await rights()).toEqual(["As owner of Alpha and Beta: everything, including people."]);
    for (let workspaces = 0; workspaces < 4; workspaces += 1) {
      const organization = `Of others ${workspaces}`;
      await aMember(db, { organization });
      await aMember(db, { email, organization, role: "member" });
      for (let place = 0; place < workspaces; place += 1) {
        await aMember(db, { email, organization, role: "member", workspace: `Place ${place}` });
      }
    }

    const lines = await rights();
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe("In your other organizations, your role there decides.");
  });

  test("shows since when the person has been connected to the app, until disconnected", async () => {
    const { app, db } = current();
    const { organization } = await aMember(db);
    const person = await aMember(db, { organization });
    const colleague = await aMember(db, { organization });
    await exchange(app, await approve(await signIn(app, colleague), client));
    const browser = await signIn(app, person);
    const open = async (of = client) => (await openConsent(browser, of, aChallenge())).body;
    expect(await open()).not.toContain("Already connected");

    await exchange(app, await approve(browser, client));

    expect(await open()).toMatch(/Already connected since <time [^>]*>today /);
    expect(await open(await aClient(app))).not.toContain("Already connected");
    await db.query(
      `UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'disconnected'
       WHERE user_id = $1`,
      [person.userId],
    );
    expect(await open()).not.toContain("Already connected");
  });

  test("always offers permanent deletion, and highlights it if the app asked for it", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));
    const open = async (scope: string) =>
      (await openConsent(browser, client, aChallenge(), { scope })).body;

    const quiet = await open("mcp_read");
    const loud = await open("mcp_read mcp_destructive");

    expect(quiet).toContain('<div class="destructive">');
    expect(quiet).toContain("The app didn't ask for this.");
    expect(loud).toContain('<div class="destructive danger">');
    expect(loud).not.toContain("The app didn't ask for this.");
    for (const body of [quiet, loud]) expect(body).toContain('value="mcp_destructive"');
  });

  test("the preceding sign-in shows the name that a registered app gave itself", async () => {
    const { app, db } = current();
    const evil = await aClient(app);
    await db.query("UPDATE oauth_clients SET name = $2 WHERE id = $1", [evil.id, "<b>Bank</b>"]);
    const described = { ...client, id: "https://app.example/oauth/client.json" };
    const unnamed = await aClient(app, { client_name: undefined });
    const purposeOf = async (of: TestClient) =>
      (await openConsent(createBrowser(app), of, aChallenge())).body;

    expect(await purposeOf(client)).toContain(
      'An app called <bdi class="app-name">Test app</bdi> wants to connect.',
    );
    expect(await purposeOf(evil)).toContain("&lt;b>Bank&lt;/b>");
    for (const of of [described, unnamed]) {
      expect(await purposeOf(of)).toContain("An app wants to connect.");
    }
    const browser = createBrowser(app);
    const page = await openConsent(browser, client, aChallenge());
    const refused = await browser.submitForm(page, { email: "nobody@example.com", password: "x" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Test app</bdi> wants to connect.");
    expect((await createBrowser(app).get("/signin")).body).not.toContain("wants to connect");
  });
});

// The embedded database runs one transaction at a time, so nothing can happen during one.
describe.runIf(inject("databaseUrl") !== null)("person removed while denying", () => {
  const current = useApp();
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("RVK-19 writes nothing to the organization's activity log", async () => {
    const { app, db } = current();
    const person = await aMember(db, { role: "member" });
    const browser = await signIn(app, person);
    const page = await openConsent(browser, await aClient(app), aChallenge());
    before(/UPDATE oauth_authorization_requests SET decided_at/, 1, () =>
      db.transaction((tx) => endMembership(tx, person, person.userId)),
    );

    await browser.submitForm(page, { decision: "deny" });

    const written = await db.query<object>(
      "SELECT FROM activity_log WHERE organization_id = $1 AND type = 'app_denied'",
      [person.organizationId],
    );
    expect(written).toEqual([]);
    expect((await findActivity(db, person)).map(([type]) => type)).toContain("app_denied");
  });
});
