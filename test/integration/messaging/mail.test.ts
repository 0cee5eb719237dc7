import type { Database } from "../../../server/src/db/database.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  createMailCipher,
  type InvitationLetter,
} from "../../../server/src/domain/messaging/mail-cipher.js";
import { cleanUpMails } from "../../../server/src/domain/messaging/outbox.js";
import { hashSecret } from "../../../server/src/domain/shared/secrets.js";
import { startMailSender, type MailSenderOptions } from "../../../server/src/mail/sender.js";
import { createSmtp } from "../../../server/src/mail/smtp.js";
import { createLogger } from "../../../server/src/plugins/logging.js";
import { findFreePort, useApp, startApp } from "../../support/app.js";
import { unwrap } from "../../support/emails.js";
import { useMailServer } from "../../support/mail-server.js";
import { mailsOf } from "../../support/mails.js";
import { connect, type Connected } from "../../support/mcp.js";

const mailFrom = "Fettle <fettle@example.org>";
const smtpUrl = "smtp://127.0.0.1:1";
const testApp = useApp({ smtpUrl, mailFrom });
const mailServer = useMailServer();

const stops: (() => Promise<void>)[] = [];
const log: string[] = [];
let owner: Connected;

beforeEach(async () => {
  owner = await connect(testApp(), { name: "Ana Keller" });
  log.splice(0);
});

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await testApp().db.query("DELETE FROM mail_outbox");
});

/** Starts a sender that polls often and retries at once. */
function startSender(more: Partial<MailSenderOptions> = {}): () => Promise<void> {
  const { db, config } = testApp();
  const write = (details: unknown, message?: string) => {
    log.push(`${message ?? ""} ${JSON.stringify(details)}`);
  };
  const stop = startMailSender({
    db,
    mails: createMailCipher(config.secretKeys, true),
    send: createSmtp({ smtpUrl: mailServer().url, mailFrom }),
    log: { info: write, warn: write, error: write },
    baseUrl: "https://fettle.example.org",
    delaysMs: [0, 0, 0, 0, 0],
    everyMs: 20,
    ...more,
  });
  stops.push(stop);
  return stop;
}

async function invite(email: string, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await owner.ok<{ invite: { id: string } }>("create_invite", { email, ...more });
  return answer.invite.id;
}

interface Delivery {
  delivery_status: string;
  status: string;
  attempts: number;
  last_error: string | null;
  is_later: boolean;
  body_encrypted: Buffer | null;
}

async function deliveryOf(id: string): Promise<Delivery | undefined> {
  const row = await testApp().db.maybe<Delivery>(
    `SELECT i.delivery_status, m.status, m.attempts, m.last_error, m.body_encrypted,
       m.next_attempt_at > now() + interval '1 minute' AS is_later
     FROM invites i JOIN mail_outbox m ON m.invite_id = i.id WHERE i.id = $1`,
    [id],
  );
  return row;
}

const becomes = (id: string, expected: Partial<Delivery>) =>
  vi.waitFor(
    async () => {
      expect(await deliveryOf(id)).toMatchObject(expected);
    },
    { timeout: 60_000 },
  );

/** Changes a queued email as if it had been written that way. */
async function rewrite(id: string, change: Partial<InvitationLetter>): Promise<void> {
  const { app, db } = testApp();
  const letter = (await mailsOf(testApp(), id))[0]?.letter;
  if (letter === undefined) throw new Error("There is no letter.");
  await db.query("UPDATE mail_outbox SET body_encrypted = $2 WHERE invite_id = $1", [
    id,
    app.services.mails.encrypt({ ...letter, ...change }),
  ]);
}

describe("invitation email", () => {
  test("arrives with a working link and leaves only the record behind", async () => {
    await owner.ok("create_workspace", { name: "Lab" });
    await testApp().db.query("UPDATE organizations SET time_zone = 'Europe/Berlin'");
    const id = await invite("bob@example.com", {
      workspace_id: "Lab",
      message: "Welcome!\n<b>Bold</b> & “quoted”",
    });

    startSender();
    await becomes(id, { status: "sent", delivery_status: "sent", body_encrypted: null });

    const [mail, ...others] = mailServer().received;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: "fettle@example.org", to: ["bob@example.com"] });
    expect(mail?.headers).toMatchObject({
      from: mailFrom,
      to: "bob@example.com",
      subject: `Invitation to ${owner.member.organization}`,
      "auto-submitted": "auto-generated",
      "message-id": expect.stringMatching(/^<[0-9a-f]{32}@fettle\.example\.org>$/) as string,
    });
    const token = /http:\/\/localhost:3000\/invites\/([\w-]{43})\s/.exec(mail?.text ?? "")?.[1];
    const rows = await testApp().db.query("SELECT id FROM invites WHERE token_hash = $1", [
      hashSecret(token ?? ""),
    ]);
    expect(rows).toEqual([{ id }]);
    expect(unwrap(mail?.text)).toContain(
      `"Ana Keller" invited you to the workspace "Lab" in "${owner.member.organization}"`,
    );
    expect(mail?.text.replaceAll("\r", "")).toContain("> Welcome!\n> <b>Bold</b> & “quoted”\n");
    expect(unwrap(mail?.text)).toMatch(
      /valid until \d+ \w+ \d{4} at \d\d:\d\d \(Europe\/Berlin\)\./,
    );
    expect(mail?.html).toMatch(
      /<blockquote dir="auto"[^>]*>Welcome!<br\/>&lt;b>Bold&lt;\/b> &amp; “quoted”/,
    );
    expect(mail?.html).toContain(`href="http://localhost:3000/invites/${token ?? ""}"`);
  });

  test("puts the plain text first, with the link unbroken in the message source", async () => {
    const id = await invite("bob@example.com", { message: "Grüße" });
    const link = (await mailsOf(testApp(), id))[0]?.letter?.link ?? "";

    startSender();
    await becomes(id, { status: "sent" });

    const [, plain, rich] = mailServer().received[0]?.source.split("\r\nContent-Type: text/") ?? [];
    expect(plain).toMatch(/^plain;/);
    expect(plain).toContain(`\r\n${link}\r\n`);
    expect(rich).toMatch(/^html;/);
  });

  test("a name can't inject headers, recipients or addresses", async () => {
    const id = await invite("bob@example.com");
    await rewrite(id, {
      organization: "X\r\nBcc: eve@example.com\r\n\r\nhttps://evil.example <i>",
      inviter: "www.evil.example\u202E",
    });

    startSender();
    await becomes(id, { status: "sent" });

    const [mail] = mailServer().received;
    expect(mail?.to).toEqual(["bob@example.com"]);
    expect(mail?.headers).not.toHaveProperty("bcc");
    expect(mail?.headers["subject"]).toBe("Invitation to X Bcc: […] […] <i>");
    expect(unwrap(mail?.text)).toContain('"[…] " invited you to "X Bcc: […] […] <i>" on Fettle');
    expect(`${mail?.text ?? ""}${mail?.html ?? ""}`).not.toContain("evil.example");
    expect(mail?.html).not.toContain("<i>");
  });

  test("removes text that email clients would link from names, and keeps other names unchanged", async () => {
    const id = await invite("bob@example.com");
    await rewrite(id, {
      organization: "sicher-konto.example",
      workspace: String.raw`203.0.113.7/pay \\evil\share`,
      inviter: "ｅｖｉｌ．ｅｘａｍｐｌｅ sms:+49123",
    });
    const other = await invite("amy@example.com");
    await rewrite(other, { organization: "Kühn & Sons, Inc.", inviter: "Dr. Ana Keller" });

    startSender();
    await becomes(id, { status: "sent" });
    await becomes(other, { status: "sent" });

    const mailTo = (address: string) => mailServer().received.find(({ to }) => to[0] === address);
    const bobs = mailTo("bob@example.com");
    expect(bobs?.headers["subject"]).toBe("Invitation to […]");
    expect(unwrap(bobs?.text)).toContain(
      '"[…] […]" invited you to the workspace "[…] […]" in "[…]" on Fettle',
    );
    expect(bobs?.html).not.toMatch(/konto|203\.0|evil|ｅｖｉｌ|sms:/);
    expect(unwrap(mailTo("amy@example.com")?.text)).toContain(
      '"Dr. Ana Keller" invited you to "Kühn & Sons, Inc." on Fettle',
    );
  });

  test("is encrypted while queued, with neither link nor text readable in the tables", async () => {
    const id = await invite("bob@example.com", { message: "between us" });
    const letter = (await mailsOf(testApp(), id))[0]?.letter;
    const token = letter?.link.split("/").at(-1) ?? "";

    const rows = await testApp().db.query<{
      dump: string;
      body: Buffer | null;
    }>(`SELECT m::text AS dump, m.body_encrypted AS body FROM mail_outbox m
       UNION ALL SELECT i::text, i.token_hash FROM invites i
       UNION ALL SELECT a::text, NULL FROM activity_log a
       UNION ALL SELECT t::text, NULL FROM tool_call_log t`);

    expect(token).toHaveLength(43);
    expect(rows.length).toBeGreaterThan(2);
    for (const { dump, body } of rows) {
      expect(dump).not.toContain(token);
      expect(dump).not.toContain("/invites/");
      expect(body?.includes(token) ?? false).toBe(false);
      expect(body?.includes("between us") ?? false).toBe(false);
    }
  });

  test("never appears in a log", async () => {
    const lines: string[] = [];
    const config = { ...testApp().config, logLevel: "trace" };
    const app = await startApp(config, testApp().db, {
      log: createLogger(config, { write: (line: string) => lines.push(line) }),
    });
    const person = await connect({ ...testApp(), app }, { member: owner.member });
    await person.ok("create_invite", { email: "bob@example.com", message: "between us" });
    await person.refused("create_invite", { email: "bob@example.com" });
    const { invites } = await person.ok<{ invites: { id: string }[] }>("list_invites");
    const id = invites[0]?.id ?? "";
    const link = (await mailsOf(testApp(), id))[0]?.letter?.link ?? "";
    mailServer().refusals.push(451);

    await app.inject({ method: "GET", url: new URL(link).pathname });
    startSender({ log: app.log });
    await becomes(id, { status: "sent" });
    await app.close();

    const text = lines.join("");
    expect(text).toContain('"route":"/invites/:token","params":{"token":"[redacted]"}');
    expect(text).toContain("an email could not be sent");
    expect(text).toContain("an email was sent");
    for (const secret of [link.split("/").at(-1), "bob@example.com", "between us"]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe("email sender", () => {
  test("retries when the server refuses temporarily", async () => {
    const id = await invite("bob@example.com");
    mailServer().refusals.push(451, 452);

    startSender();
    await becomes(id, { status: "sent", attempts: 3, last_error: null });

    expect(mailServer().received).toHaveLength(1);
  });

  test("gives up immediately when the server refuses permanently", async () => {
    const id = await invite("bob@example.com");
    mailServer().refusals.push(550);

    startSender();
    await becomes(id, { status: "failed", delivery_status: "failed", attempts: 1 });

    const delivery = await deliveryOf(id);
    expect(delivery?.last_error).toBe("The mail server rejected it (EENVELOPE, 550).");
    expect(delivery?.body_encrypted).not.toBeNull();
    expect(mailServer().received).toEqual([]);
  });

  test("waits while the server is down, and gives up after the last delay", async () => {
    const id = await invite("bob@example.com");
    const nobody = `smtp://127.0.0.1:${await findFreePort()}`;
    const send = createSmtp({ smtpUrl: nobody, mailFrom });

    const stop = startSender({ send, delaysMs: [0, 0, 3_600_000] });
    await becomes(id, { status: "queued", attempts: 3, is_later: true, delivery_status: "queued" });
    await stop();
    await makeDue(testApp().db);
    startSender({ send, delaysMs: [0, 0, 3_600_000] });
    await becomes(id, { status: "failed", attempts: 4, delivery_status: "failed" });

    const delivery = await deliveryOf(id);
    expect(delivery?.last_error).toMatch(
      /^The mail server couldn't be reached or didn't respond \([A-Z]+\)\.$/,
    );
  });

  test("sends nothing for a withdrawn or expired invitation", async () => {
    const withdrawn = await invite("one@example.com");
    const revoked = await invite("two@example.com");
    const expired = await invite("three@example.com");
    await owner.ok("delete_invite", { invite_id: withdrawn });
    const { db } = testApp();
    await db.query("UPDATE invites SET revoked_at = now() WHERE id = $1", [revoked]);
    await db.query("UPDATE invites SET expires_at = now() WHERE id = $1", [expired]);
    const open = await invite("four@example.com");

    startSender();
    await becomes(open, { status: "sent" });
    await cleanUpMails(db);

    expect(mailServer().received.map(({ to }) => to)).toEqual([["four@example.com"]]);
    const left = await db.query<{ invite_id: string }>("SELECT invite_id FROM mail_outbox");
    expect(left).toEqual([{ invite_id: open }]);
  });

  test("sends only the newest link of an invitation", async () => {
    const id = await invite("bob@example.com");
    const old = (await mailsOf(testApp(), id))[0]?.letter?.link ?? "";
    await owner.ok("resend_invite", { invite_id: id });
    const fresh = (await mailsOf(testApp(), id))[0]?.letter?.link ?? "";

    startSender();
    await becomes(id, { status: "sent" });

    expect(mailServer().received).toHaveLength(1);
    expect(mailServer().received[0]?.text).toContain(fresh);
    expect(mailServer().received[0]?.text).not.toContain(old);
  });

  test("runs alongside other senders without sending anything twice", async () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `p${index}@example.com`);
    const ids = await Promise.all(addresses.map((email) => invite(email)));

    for (let senders = 0; senders < 3; senders += 1) startSender();
    for (const id of ids) await becomes(id, { status: "sent", attempts: 1 });

    const sentTo = mailServer().received.flatMap(({ to }) => to);
    expect(sentTo.sort()).toEqual(addresses.sort());
  });

  test("wakes when an email is announced, and finishes sending before it stops", async () => {
    const { app } = testApp();
    const first = await invite("amy@example.com");
    const stop = startSender({ mails: app.services.mails, everyMs: 3_600_000 });
    // The start reads the outbox once. After that only notifications wake the sender.
    await becomes(first, { status: "sent" });

    const id = await invite("bob@example.com");
    await becomes(id, { status: "sent" });
    await stop();
    const later = await invite("eve@example.com");

    expect(await deliveryOf(later)).toMatchObject({ status: "queued", attempts: 0 });
  });

  test("decrypts emails with an older key and marks undecryptable ones as failed", async () => {
    const { db, config } = testApp();
    const newKey = "another-key-that-is-at-least-32-characters";
    const id = await invite("bob@example.com");
    const lost = await invite("eve@example.com");
    const stranger = createMailCipher(["a-key-that-nobody-knows-any-more-at-all"], true);
    const letter = (await mailsOf(testApp(), lost))[0]?.letter;
    await db.query("UPDATE mail_outbox SET body_encrypted = $2 WHERE invite_id = $1", [
      lost,
      letter && stranger.encrypt(letter),
    ]);

    startSender({ mails: createMailCipher([newKey, ...config.secretKeys], true) });

    await becomes(id, { status: "sent" });
    await becomes(lost, { status: "failed", delivery_status: "failed" });
    expect(mailServer().received.map(({ to }) => to)).toEqual([["bob@example.com"]]);
  });
});

async function makeDue(db: Database): Promise<void> {
  await db.query("UPDATE mail_outbox SET next_attempt_at = now() - interval '1 second'");
}
