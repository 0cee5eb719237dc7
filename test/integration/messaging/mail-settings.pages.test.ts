import { describe, expect, test } from "vitest";
import {
  claimMail,
  recordFailure,
  recordSent,
} from "../../../server/src/domain/messaging/mail-deliveries.js";
import { useApp, useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { mailsOf } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const address = "/settings/mail";

async function invite(owner: Connected, email: string): Promise<string> {
  const answer = await owner.ok<{ invite: { id: string } }>("create_invite", { email });
  return answer.invite.id;
}

describe("emails kept without a mail server", () => {
  const current = useApp();

  test("shows admins the links of open invitations and the mail server setup", async () => {
    const { app } = current();
    const owner = await connect(current(), { name: "Olga Owner" });
    const browser = await signIn(app, owner.member);
    expect((await browser.get(address)).body).toContain("No emails are waiting to be sent");
    const id = await invite(owner, "ana@example.com");
    const [mail] = await mailsOf(current(), id);

    const page = await browser.get(address);

    expect(page.headers["cache-control"]).toContain("no-store");
    expect(page.body).toContain(`value="${mail?.letter?.link ?? "none"}"`);
    expect(page.body).toContain("ana@example.com");
    expect(page.body).toContain("Invited by <bdi>Olga Owner</bdi>");
    expect(page.body).toContain("<code>SMTP_URL</code>");
  });

  test("hides renewed and withdrawn links", async () => {
    const { app } = current();
    const owner = await connect(current());
    const browser = await signIn(app, owner.member);
    const id = await invite(owner, "ana@example.com");
    const [first] = await mailsOf(current(), id);
    await owner.ok("resend_invite", { invite_id: id });
    const [second] = await mailsOf(current(), id);

    const page = await browser.get(address);
    expect(page.body).not.toContain(first?.letter?.link);
    expect(page.body).toContain(second?.letter?.link);
    await owner.ok("delete_invite", { invite_id: id });
    expect((await browser.get(address)).body).not.toContain("ana@example.com");
  });

  test("shows an organization's emails only to its admins", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Lab" });
    const other = await connect(current());
    await invite(owner, "ana@example.com");
    const { organization } = owner.member;
    const boss = await aMember(db, {
      organization,
      role: "member",
      workspace: "Lab",
      workspaceRole: "admin",
    });
    const admin = await aMember(db, { organization, role: "admin" });

    const refused = await (await signIn(app, boss)).get(address);
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain("admin or owner is needed");
    expect(refused.body).not.toContain("ana@example.com");
    expect((await (await signIn(app, admin)).get(address)).body).toContain("ana@example.com");
    expect((await (await signIn(app, other.member)).get(address)).body).not.toContain(
      "ana@example",
    );
  });

  test("never shows emails that grant account access", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    await db.query(
      `INSERT INTO mail_outbox (kind, recipient, body_encrypted, status, next_attempt_at)
       VALUES ('password_reset', $1, $2::bytea, 'queued', now())`,
      [
        owner.email,
        app.services.mails.encrypt({ kind: "password_reset", link: "https://secret.example/x" }),
      ],
    );

    const page = await (await signIn(app, owner)).get(address);

    expect(page.body).not.toContain("secret.example");
    expect(page.body).toContain("No emails are waiting to be sent");
    await db.query("DELETE FROM mail_outbox WHERE kind = 'password_reset'");
  });

  test("paginates many emails", async () => {
    const { app } = current();
    const owner = await connect(current());
    for (let number = 0; number < 27; number += 1) {
      await invite(owner, `person-${number}@invited.example`);
    }
    const browser = await signIn(app, owner.member);

    const first = await browser.get(address);
    expect(first.body).toContain("25 of 27 emails");
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.body)?.[1] ?? "";
    const second = await browser.get(next);
    expect(second.body).toContain("person-0@invited.example");
    expect(second.body).not.toContain("person-26@invited.example");
  });
});

describe("emails with a mail server", () => {
  const current = useApp({
    smtpUrl: "smtp://127.0.0.1:1",
    mailFrom: "Fettle <fettle@example.org>",
  });

  test("lists pending, sent and refused emails, with the reason for each refusal", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    const browser = await signIn(app, owner.member);
    const form = await browser.get("/settings/members/invite");
    await browser.submitForm(form, { email: "sent@example.com" });
    expect((await browser.get("/settings/members")).body).toContain(
      "Invitation sent to sent@example.com.",
    );
    expect((await browser.get(address)).body).toContain("On its way");
    const sent = await claimMail(db);
    if (sent === undefined) throw new Error("No mail is queued.");
    await recordSent(db, sent);
    const answer = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: "failed@example.com",
    });
    expect(answer).not.toHaveProperty("warnings");
    const { id } = answer.invite;
    const failed = await claimMail(db);
    if (failed === undefined) throw new Error("No mail is queued.");
    await recordFailure(db, failed, "The mail server rejected it (EENVELOPE, 550).");

    const page = await browser.get(address);

    expect(page.body).not.toContain("SMTP_URL");
    expect(page.body).toMatch(/sent@example\.com<\/span><span class="soft">Sent/);
    expect(page.body).toContain("The mail server rejected it (EENVELOPE, 550).");
    const [mail] = await mailsOf(current(), id);
    expect(page.body).toContain(mail?.letter?.link);
    const list = await browser.get("/settings/members");
    expect(list.body).toContain("Email sent.");
    expect(list.body).toContain("Email not delivered.");
  });
});

describe("emails in a real browser", () => {
  const current = useServer({
    smtpUrl: "smtp://127.0.0.1:1",
    mailFrom: "Fettle <fettle@example.org>",
  });
  const chromium = useChromium();

  browserTest("shows a readable email page with states of every kind", async () => {
    const { db } = current();
    const owner = await connect(current());
    await invite(owner, `${"failed-".repeat(9)}@${"example-".repeat(6)}host.example`);
    const failed = await claimMail(db);
    if (failed === undefined) throw new Error("No mail is queued.");
    await recordFailure(db, failed, "The mail server rejected it (EENVELOPE, 550).");
    await invite(owner, `${"queued-".repeat(9)}@${"example-".repeat(6)}host.example`);
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner.member, view);
      expect(await sweep(opened, [address, "/settings/members"])).toEqual({});
      await opened.close();
    }
  });
});
