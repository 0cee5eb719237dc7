import { describe, expect, test } from "vitest";
import {
  changeEmail,
  cleanUpEmailChanges,
} from "../../../server/src/domain/accounts/email-changes.js";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { useApp, type TestApp } from "../../support/app.js";
import { createBrowser, press, type TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { linkTo, noticesTo, tokenOf } from "../../support/mails.js";
import { callWith, connect, signIn } from "../../support/oauth.js";

const mail = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "Fettle <fettle@example.org>" };

async function ask(browser: TestBrowser, member: Pick<Member, "password">, email: string) {
  const first = await browser.get("/settings/email");
  if (first.statusCode === 303) {
    const confirm = await browser.get(first.headers.location ?? "");
    await browser.submitForm(
      confirm,
      { password: member.password },
      {
        action: "/settings/security/confirm",
      },
    );
  }
  return browser.submitForm(await browser.get("/settings/email"), { email });
}

async function open(testApp: TestApp, email: string) {
  const browser = createBrowser(testApp.app);
  const path = await linkTo(testApp, email, "email_change");
  return browser.submitForm(await browser.get(path), {});
}

describe("Changing one's email", () => {
  const current = useApp(mail);

  test("needs both addresses; sessions and apps stay, and the log names both", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { browser, tokens } = await connect(app, member);

    const asked = await ask(browser, member, "New.Ana@example.org");

    expect(asked.headers.location).toBe("/settings/email");
    const waiting = await browser.get("/settings/email");
    expect(waiting.body).toContain("Waiting for confirmation");
    const first = await open(current(), "new.ana@example.org");
    expect(first.body).toContain(`open the link in our email to`);
    expect((await browser.get("/settings")).body).toContain(member.email);
    const second = await open(current(), member.email);
    expect(second.body).toContain("Email changed");
    expect((await browser.get("/settings")).body).toContain("New.Ana@example.org");
    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    await signIn(app, { ...member, email: "new.ana@example.org" });
    await expect(signIn(app, member)).rejects.toThrow("Sign-in failed: 400");
    const log = await db.query(
      `SELECT type, details FROM activity_log
       WHERE user_id = $1 AND type LIKE 'email\\_change%' ORDER BY id`,
      [member.userId],
    );
    expect(log).toEqual([
      { type: "email_change_requested", details: { email: "New.Ana@example.org" } },
      {
        type: "email_changed",
        details: { email: "New.Ana@example.org", former_email: member.email },
      },
    ]);
  });

  test("asks for the password first, and changes nothing without it", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db));

    const page = await browser.get("/settings/email");

    expect(page.headers.location).toMatch(/^\/settings\/security\/confirm/);
  });

  test("refuses the present email and what is no email, and keeps the input", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);

    const same = await ask(browser, member, member.email.toUpperCase());
    const wrong = await ask(browser, member, "ana at example");

    expect(same.body).toContain("This is already your email.");
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="ana at example"');
    expect(await noticesTo(current(), member.email)).toEqual([]);
  });

  test("a taken address is only told to its owner, and both accounts stay", async () => {
    const { app, db } = current();
    const [member, other] = [await aMember(db), await aMember(db)];
    const browser = await signIn(app, member);

    const asked = await ask(browser, member, other.email);

    expect(asked.headers.location).toBe("/settings/email");
    await open(current(), member.email);
    const taken = await open(current(), other.email);
    expect(taken.body).toContain("There is already an account");
    await signIn(app, member);
    await signIn(app, other);
  });

  test("of two people who change to one address at once, one gets it", async () => {
    const { app, db } = current();
    const members = [await aMember(db), await aMember(db)];
    const links = [];
    for (const member of members) {
      const browser = await signIn(app, member);
      await ask(
        browser,
        member,
        members.indexOf(member) === 0 ? "Both@example.org" : "both@example.org",
      );
      links.push(await linkTo(current(), "both@example.org", "email_change"));
      await open(current(), member.email);
    }

    const answers = await Promise.all(
      links.map(async (link) => {
        const browser = createBrowser(app);
        return browser.submitForm(await browser.get(link), {});
      }),
    );

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    expect(refused?.body).toContain("There is already an account with the email");
    const owners = await db.query("SELECT id FROM users WHERE email = 'both@example.org'");
    expect(owners).toHaveLength(1);
  });

  test("“Send again” renews only the links that wait, and keeps what is confirmed", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await ask(browser, member, "again@example.org");
    await open(current(), member.email);
    const early = await linkTo(current(), "again@example.org", "email_change");

    const sent = await press(browser, await browser.get("/settings/email"), "Send again");

    expect(sent.statusCode).toBe(303);
    const page = await browser.get("/settings/email");
    expect(page.body).toContain("We sent a new link to again@example.org.");
    expect(page.body).toContain(`${member.email} · Confirmed`);
    expect((await createBrowser(app).get(early)).statusCode).toBe(410);
    expect(await noticesTo(current(), member.email)).toHaveLength(1);
    expect((await open(current(), "again@example.org")).body).toContain("Email changed");
  });

  test("an admin reads both addresses, and an invitation to the new one is accepted", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const member = await aMember(db, { organization: owner.organization });
    const host = await aMember(db, { role: "owner" });
    const inviter = await signIn(app, host);
    const form = await inviter.get("/settings/members/invite");
    await inviter.submitForm(form, { email: "moved@example.org" });
    const [invite] = await db.query<{ id: string }>("SELECT id FROM invites WHERE email = $1", [
      "moved@example.org",
    ]);
    const browser = await signIn(app, member);
    await ask(browser, member, "moved@example.org");
    await open(current(), "moved@example.org");
    await open(current(), member.email);

    const log = await (await signIn(app, owner)).get("/settings/activity");
    expect(log.body).toContain(member.email);
    expect(log.body).toContain("moved@example.org");
    const invitation = `/invites/${await tokenOf(current(), invite?.id ?? "")}`;
    const accepted = await browser.submitForm(await browser.get(invitation), {});
    expect(accepted.statusCode).toBe(303);
    expect((await browser.get("/settings")).body).toContain(host.organization);
  });

  test("without a password, the identity provider decides on the email", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const { organizationId, userId } = member;
    await db.query(
      `INSERT INTO identity_providers (organization_id, issuer, client_id, client_secret_encrypted)
       VALUES ($1, 'https://login.example.com', 'c', '')`,
      [organizationId],
    );
    await db.query(
      `INSERT INTO provider_identities (organization_id, issuer, subject, user_id, multi_factor)
       VALUES ($1, 'https://login.example.com', 'ana', $2, false)`,
      [organizationId, userId],
    );
    const withPassword = await ask(browser, member, "own@example.org");
    await db.query("DELETE FROM user_passwords WHERE user_id = $1", [userId]);

    const page = await browser.get("/settings/email");

    expect(withPassword.statusCode).toBe(303);
    expect(page.body).toContain("so your email is changed there");
    expect(page.body).not.toContain("Send the links");
  });

  test("a new request replaces the earlier links, canceling and expiry end them", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await ask(browser, member, "first@example.org");
    const early = await linkTo(current(), "first@example.org", "email_change");
    await ask(browser, member, "second@example.org");
    const late = await linkTo(current(), "second@example.org", "email_change");
    const stranger = createBrowser(app);

    expect((await stranger.get(early)).statusCode).toBe(410);
    expect((await stranger.get(late)).statusCode).toBe(200);
    await browser.submitForm(await browser.get("/settings/email/cancel"), {});
    expect((await stranger.get(late)).statusCode).toBe(410);
    await ask(browser, member, "third@example.org");
    await db.query("UPDATE email_changes SET expires_at = app_now() - interval '1 second'");
    const third = await linkTo(current(), "third@example.org", "email_change");
    expect((await stranger.get(third)).statusCode).toBe(410);
    await cleanUpEmailChanges(db);
    expect(await db.query("SELECT FROM email_changes")).toEqual([]);
  });

  test("an expired request that is still stored doesn't block a new one", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    await ask(browser, member, "early@example.org");
    await db.query("UPDATE email_changes SET expires_at = app_now() - interval '1 second'");

    const again = await ask(browser, member, "late@example.org");

    expect(again.headers.location).toBe("/settings/email");
    expect((await browser.get("/settings/email")).body).toContain("late@example.org");
  });

  test("an email that nobody confirmed is not verified", async () => {
    const { db } = current();
    const member = await aMember(db);
    await db.query("UPDATE users SET email_verified_at = app_now() WHERE id = $1", [member.userId]);
    const person = { id: member.userId, name: member.name, email: member.email };

    await db.transaction((tx) =>
      changeEmail(tx, person, { email: "set@example.org", isConfirmed: false }),
    );

    const row = await db.one(
      "SELECT email::text AS email, email_verified_at FROM users WHERE id = $1",
      [member.userId],
    );
    expect(row).toEqual({ email: "set@example.org", email_verified_at: null });
  });

  test("an address gets at most three emails an hour", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    for (const name of ["a", "b", "c"]) await ask(browser, member, `${name}@example.org`);

    const refused = await ask(browser, member, "d@example.org");

    expect(refused.body).toContain("several emails in the last hour");
    expect((await browser.get("/settings/email")).body).toContain("c@example.org");
  });

  test("erasing a person erases the former email too", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const member = await aMember(db, { organization: owner.organization });
    const browser = await signIn(app, member);
    await ask(browser, member, "later@example.org");
    await open(current(), member.email);
    await open(current(), "later@example.org");

    await db.transaction((tx) =>
      erasePerson(tx, "later@example.org", {
        id: member.userId,
        name: member.name,
        email: "later@example.org",
      }),
    );

    const left = await db.query(
      "SELECT details FROM activity_log WHERE details::text ~* $1 OR details::text ~* 'later@'",
      [member.email],
    );
    expect(left).toEqual([]);
  });
});
