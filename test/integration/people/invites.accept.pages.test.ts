import { beforeEach, describe, expect, test } from "vitest";
import { deactivateAccount } from "../../../server/src/domain/accounts/accounts.js";
import { useServer } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { tokenOf } from "../../support/mails.js";
import { connect, type Connected } from "../../support/mcp.js";
import { follow, signIn } from "../../support/oauth.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";

const current = useServer();
const chromium = useChromium();
const password = "correct horse battery";

let owner: Connected;
let count = 0;

beforeEach(async () => {
  owner = await connect(current(), { name: "Ana Keller" });
  await owner.ok("create_workspace", { name: "Lab" });
});

interface Invited {
  id: string;
  email: string;
  token: string;
  path: string;
}

async function invite(email?: string, more: Record<string, unknown> = {}): Promise<Invited> {
  count += 1;
  const address = email ?? `invited-${count}@example.com`;
  const { invite: made } = await owner.ok<{ invite: { id: string } }>("create_invite", {
    email: address,
    ...more,
  });
  const token = await tokenOf(current(), made.id);
  return { id: made.id, email: address, token, path: `/invites/${token}` };
}

async function markMail(inviteId: string, status: string): Promise<void> {
  await current().db.query(
    `UPDATE mail_outbox SET status = $2::text, sent_at = CASE WHEN $2::text = 'sent' THEN now() END,
       body_encrypted = CASE WHEN $2::text <> 'sent' THEN body_encrypted END WHERE invite_id = $1`,
    [inviteId, status],
  );
}

interface Standing {
  role: string;
  workspace_role: string | null;
}

async function standingOf(email: string): Promise<Standing | undefined> {
  const row = await current().db.maybe<Standing>(
    `SELECT m.role, w.role AS workspace_role FROM users u
     JOIN organization_members m ON m.user_id = u.id AND m.removed_at IS NULL
     LEFT JOIN workspace_members w ON w.user_id = u.id AND w.organization_id = m.organization_id
     WHERE u.email = $1 AND m.organization_id = $2`,
    [email, owner.member.organizationId],
  );
  return row;
}

async function activitiesOf(email: string): Promise<string[]> {
  const rows = await current().db.query<{ type: string }>(
    `SELECT a.type FROM activity_log a JOIN users u ON u.id = a.user_id
     WHERE u.email = $1 ORDER BY a.id`,
    [email],
  );
  return rows.map(({ type }) => type);
}

async function headingOf(browser: TestBrowser, path: string): Promise<string> {
  const { body } = await browser.get(path);
  return /<h1[^>]*>([^<]*)</.exec(body)?.[1] ?? "";
}

describe("invitation to an address without an account", () => {
  test("shows inviter and destination, and creates an account that is joined and signed in", async () => {
    const { app, db } = current();
    const { id, email, path } = await invite(undefined, {
      workspace_id: "Lab",
      workspace_role: "viewer",
      message: "See you <b>there</b>",
    });
    const browser = createBrowser(app);
    const page = await browser.get(path);
    for (const text of ["Ana Keller", "Lab", "Viewer", email, "See you &lt;b>there&lt;/b>"]) {
      expect(page.body).toContain(text);
    }
    expect(page.body).toContain(owner.member.organization);
    expect(page.headers["referrer-policy"]).toBe("same-origin");

    const answer = await browser.submitForm(page, { name: "Bo Lind", password });

    expect(answer).toMatchObject({ statusCode: 303, headers: { location: "/" } });
    expect((await browser.get("/")).body).toContain(`Welcome to ${owner.member.organization}.`);
    expect(await standingOf(email)).toEqual({ role: "member", workspace_role: "viewer" });
    const rows = await db.query(
      `SELECT u.name, i.accepted_at IS NOT NULL AS accepted FROM invites i
       JOIN users u ON u.id = i.accepted_by AND u.email_verified_at IS NULL
       WHERE i.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ name: "Bo Lind", accepted: true }]);
    const mails = await db.query("SELECT 1 FROM mail_outbox WHERE invite_id = $1", [id]);
    expect(mails).toEqual([]);
    expect(await activitiesOf(email)).toEqual([
      "account_created",
      "member_added",
      "workspace_member_added",
      "invite_accepted",
      "signed_in",
    ]);
  });

  test("verifies the address if the link was emailed, not if an admin saw it", async () => {
    const { app, db } = current();
    for (const [status, isVerified] of [
      ["sent", true],
      ["queued", true],
      ["failed", false],
      ["kept", false],
    ] as const) {
      const { id, email, path } = await invite();
      await markMail(id, status);
      const browser = createBrowser(app);

      await browser.submitForm(await browser.get(path), { name: "Bo Lind", password });

      const rows = await db.query(
        `SELECT email_verified_at IS NOT NULL AS "isVerified" FROM users WHERE email = $1`,
        [email],
      );
      expect(rows, status).toEqual([{ isVerified }]);
      expect((await activitiesOf(email)).includes("email_verified")).toBe(isVerified);
    }
  });

  test("keeps input after a rejected password, and the address as invited", async () => {
    const { email, path } = await invite();
    const browser = createBrowser(current().app);
    const page = await browser.get(path);

    const refused = await browser.submitForm(page, { name: "<i>Bo</i>", password: "short" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('value="&lt;i>Bo&lt;/i>"');
    expect(refused.body).toContain('href="#password"');
    expect(refused.body).not.toContain("short");
    const other = { name: "Bo", password, email: "eve@example.com" };
    expect((await browser.submitForm(refused, other)).statusCode).toBe(303);
    expect(await standingOf(email)).toEqual({ role: "member", workspace_role: null });
    expect(await standingOf("eve@example.com")).toBeUndefined();
  });

  test("submitted twice simultaneously, joins once, and both end in the organization", async () => {
    const { app, db } = current();
    const { email, path } = await invite(undefined, { organization_role: "admin" });
    const browsers = [createBrowser(app), createBrowser(app)];
    const opened = await Promise.all(
      browsers.map(async (browser) => ({ browser, page: await browser.get(path) })),
    );

    const answers = await Promise.all(
      opened.map(({ browser, page }) => browser.submitForm(page, { name: "Bo Lind", password })),
    );

    expect(answers.map(({ headers }) => headers.location)).toEqual(["/", "/"]);
    for (const browser of browsers) {
      expect((await browser.get("/")).body).toContain(owner.member.organization);
    }
    expect(await standingOf(email)).toMatchObject({ role: "admin" });
    const people = await db.query("SELECT 1 FROM users WHERE email = $1", [email]);
    expect(people).toHaveLength(1);
    const log = await activitiesOf(email);
    expect(log.filter((type) => type === "invite_accepted")).toHaveLength(1);
  });

  test("MFA-18 resubmitting the password doesn't sign in a person with a new second factor", async () => {
    const { app, db } = current();
    const { email, path } = await invite();
    const fields = { name: "Bo Lind", password };
    const [first, later] = [createBrowser(app), createBrowser(app)];
    const page = await later.get(path);
    await first.submitForm(await first.get(path), fields);
    await db.query(
      `INSERT INTO authenticators (user_id, secret_encrypted, last_step)
       SELECT id, '', 0 FROM users WHERE email = $1`,
      [email],
    );

    await later.submitForm(page, fields);

    expect((await later.get("/settings")).headers.location).toMatch(/^\/signin/);
    expect((await first.get("/settings")).statusCode).toBe(200);
  });

  test("opening or prefetching the link accepts nothing", async () => {
    const { email, path } = await invite();
    const { app } = current();

    await app.inject({ method: "HEAD", url: path });
    await app.inject({ method: "GET", url: path, headers: { "sec-purpose": "prefetch" } });
    const post = await app.inject({ method: "POST", url: path });

    expect(post.statusCode).toBe(403);
    expect(await standingOf(email)).toBeUndefined();
  });
});

describe("invitation to an address with an account", () => {
  async function invited(more: Record<string, unknown> = {}) {
    const member = await aMember(current().db);
    return { member, ...(await invite(member.email.toUpperCase(), more)) };
  }

  test("requires sign-in, returns without the link in any redirect, and joins", async () => {
    const { app, db } = current();
    const { member, path, token } = await invited({ workspace_id: "Lab" });
    const browser = createBrowser(app);
    const page = await browser.get(path);
    expect(page.body).not.toContain('name="password"');
    const signInPath = /href="(\/signin\?next=[^"]*)"/.exec(page.body)?.[1] ?? "";
    const form = await browser.get(signInPath);
    expect(form.body).toContain("Sign in to accept the invitation.");

    const signedIn = await browser.submitForm(form, {
      email: member.email,
      password: member.password,
    });

    expect(signedIn.headers.location).toBe("/invites/waiting");
    const sessions = await db.query<{ data: string }>("SELECT data::text AS data FROM sessions");
    for (const { data } of sessions) expect(data).not.toContain(token);
    const back = await follow(browser, signedIn);
    expect(back.body).toContain(`Join ${owner.member.organization}</button>`);
    const joined = await browser.submitForm(back, {});
    expect(joined.headers.location).toBe("/");
    expect((await browser.get("/")).body).toContain(`Welcome to ${owner.member.organization}.`);
    expect(await standingOf(member.email)).toEqual({ role: "member", workspace_role: "member" });
    expect((await browser.submitForm(back, {})).headers.location).toBe("/");
    const again = await browser.post(path, { _csrf: csrfOf(back) });
    expect(again.headers.location).toBe("/");
    expect(await activitiesOf(member.email)).toContain("invite_accepted");
  });

  test("a posted form without sign-in adds no members", async () => {
    const { member, path } = await invited();
    const browser = createBrowser(current().app);
    const form = await browser.get("/signin");

    const answer = await browser.post(path, { _csrf: csrfOf(form), name: "Eve", password });

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain("Sign in to join");
    expect(await standingOf(member.email)).toBeUndefined();
  });

  test("shows another person the intended address, with the option to sign out and continue", async () => {
    const { app, db } = current();
    const { member, path, token } = await invited();
    const other = await aMember(db);
    const browser = await signIn(app, other);
    const page = await browser.get(path);
    for (const text of ["This invitation is for someone else", other.email, member.email]) {
      expect(page.body.toLowerCase()).toContain(text.toLowerCase());
    }

    const forced = await browser.post(path, { _csrf: csrfOf(page) });
    const out = await browser.submitForm(page, { decision: "sign_out" }, {});

    expect(forced.body).toContain("This invitation is for someone else");
    expect(await standingOf(other.email)).toBeUndefined();
    expect(out.headers.location).toBe("/invites/waiting");
    const next = await follow(browser, out);
    expect(next.body).toContain("Sign in to join");
    expect(next.body).not.toContain(token);
    expect((await browser.get("/settings")).headers.location).toMatch(/^\/signin/);
  });

  test("raises a role, but never lowers one", async () => {
    const { app, db } = current();
    const organization = owner.member.organization;
    const low = await invited({ workspace_id: "Lab", workspace_role: "admin" });
    const high = await invited({ workspace_id: "Lab", workspace_role: "viewer" });
    const place = { organization, workspace: "Lab" };
    await aMember(db, { ...place, email: low.member.email, workspaceRole: "viewer" });
    await aMember(db, { ...place, email: high.member.email, workspaceRole: "admin" });
    const join = async (member: Member, path: string) => {
      const browser = await signIn(app, member);
      const page = await browser.get(path);
      await browser.submitForm(page, {}, {});
      return page.body;
    };

    const raised = await join(low.member, low.path);
    const kept = await join(high.member, high.path);

    expect(raised).toContain(`Join ${organization}</button>`);
    expect(kept).toContain("You're already a member");
    expect(await standingOf(low.member.email)).toMatchObject({ workspace_role: "admin" });
    expect(await standingOf(high.member.email)).toMatchObject({ workspace_role: "admin" });
    expect(await activitiesOf(low.member.email)).toContain("workspace_role_changed");
  });

  test("rejects a deactivated account", async () => {
    const { app, db } = current();
    const { member, path } = await invited();
    const browser = await signIn(app, member);
    const page = await browser.get(path);
    await db.transaction((tx) => deactivateAccount(tx, member.userId));

    await browser.submitForm(page, {});

    expect(await standingOf(member.email)).toBeUndefined();
  });
});

describe("invitation that can't be accepted", () => {
  test("explains the reason and the next step on a separate page", async () => {
    const { app, db } = current();
    const browser = createBrowser(app);
    const [expired, withdrawn, used, resent] = [
      await invite(),
      await invite(),
      await invite(),
      await invite(),
    ];
    const open = await browser.get(expired.path);
    await db.query("UPDATE invites SET expires_at = now() WHERE id = $1", [expired.id]);
    await owner.ok("delete_invite", { invite_id: withdrawn.id });
    const other = createBrowser(app);
    await other.submitForm(await other.get(used.path), { name: "Bo", password });
    await owner.ok("resend_invite", { invite_id: resent.id });

    expect(await headingOf(browser, expired.path)).toBe("This invitation has expired");
    expect(await headingOf(browser, withdrawn.path)).toBe("This invitation was withdrawn");
    expect(await headingOf(browser, used.path)).toBe("This invitation was already used");
    expect(await headingOf(other, used.path)).toBe("You're already a member");
    for (const path of [resent.path, "/invites/nothing", "/invites/waiting"]) {
      expect(await headingOf(browser, path)).toBe("Invitation not found");
    }
    const late = await browser.submitForm(open, { name: "Bo", password });
    expect(late.statusCode).toBe(410);
    expect(await standingOf(expired.email)).toBeUndefined();
  });
});

describe("invitations in a real browser", () => {
  browserTest.each(views)("every page fits in $width $colorScheme", async (view) => {
    const { db, app } = current();
    const member = await aMember(db, { name: "Bo Lind-Vestergaard-Schmidt" });
    const [fresh, known, gone] = [
      await invite(undefined, { workspace_id: "Lab", message: "x".repeat(300) }),
      await invite(member.email),
      await invite(),
    ];
    await owner.ok("delete_invite", { invite_id: gone.id });
    const guest = await openPage(chromium(), current(), undefined, view);
    const host = await openPage(chromium(), current(), member, view);

    const swept = await sweep(guest, [fresh.path, known.path]);
    expect({ ...swept, ...(await sweep(host, [fresh.path, known.path])) }).toEqual({});
    await guest.page.goto(gone.path);
    expect(await findProblems(guest.page)).toEqual([]);
    await guest.page.goto(fresh.path);
    await guest.page.getByLabel("Your name").fill("Kim");
    await guest.page.getByLabel("Password").fill(password);
    await guest.page.getByRole("button", { name: "Create account and join" }).click();
    await guest.page.waitForURL((url) => url.pathname === "/");
    await host.page.goto(fresh.path);
    expect(await findProblems(host.page)).toEqual([]);
    await host.page.goto(known.path);
    await host.page.getByRole("button", { name: /^Join / }).click();
    await host.page.waitForURL((url) => url.pathname === "/");

    expect(await host.page.getByRole("status").textContent()).toContain("Welcome to");
    expect(guest.complaints).toEqual([]);
    expect(host.complaints).toEqual([]);
    expect(await standingOf(fresh.email)).toMatchObject({ workspace_role: "member" });
    expect(app.services.config.rateLimit).toBe(false);
    await guest.close();
    await host.close();
  });
});

function csrfOf({ body }: { body: string }): string {
  return /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "";
}
