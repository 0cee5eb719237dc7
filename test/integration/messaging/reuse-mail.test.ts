import { describe, expect, test } from "vitest";
import { startMailSender } from "../../../server/src/mail/sender.js";
import { createSmtp } from "../../../server/src/mail/smtp.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { useMailServer } from "../../support/mail-server.js";
import { noticesTo } from "../../support/mails.js";
import { ageRotation, callWith, connect, refresh } from "../../support/oauth.js";

const mailFrom = "Fettle <fettle@example.org>";

describe("reused refresh token", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom });
  const mailServer = useMailServer();

  test("ends the connection, and notifies the person once by email", async () => {
    const { app, db } = current();
    const member = await aMember(db, { organization: "Northgate" });
    const { client, tokens } = await connect(
      app,
      member,
      {},
      { client_name: "evil.example Reader" },
    );
    await refresh(app, client, tokens.refresh_token);
    await ageRotation(db, 11);

    for (let n = 0; n < 2; n += 1) await refresh(app, client, tokens.refresh_token);

    expect(await callWith(app, tokens.access_token)).toBe(401);
    const apps = "http://localhost:3000/settings/apps";
    expect(await noticesTo(current(), member.email)).toEqual([
      { kind: "connection_ended", app: "evil.example Reader", organization: "Northgate", apps },
    ]);
    const stop = startMailSender({
      db,
      mails: app.services.mails,
      send: createSmtp({ smtpUrl: mailServer().url, mailFrom }),
      log: app.log,
      baseUrl: "https://fettle.example.org",
    });
    await expect.poll(() => mailServer().received.map(({ to }) => to)).toEqual([[member.email]]);
    await stop();
    const [mail] = mailServer().received;
    expect(mail?.headers["subject"]).toBe("App disconnected: […] Reader");
    expect(mail?.text).toContain('We disconnected "[…] Reader" from "Northgate".');
    expect(mail?.html).toContain(`href="${apps}"`);
    const rows = await db.query(
      "SELECT kind, status, organization_id, body_encrypted FROM mail_outbox",
    );
    expect(rows).toEqual([
      { kind: "connection_ended", status: "sent", organization_id: null, body_encrypted: null },
    ]);
  });

  test("a retry a moment later keeps the connection and sends nothing", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { client, tokens } = await connect(app, member);
    await refresh(app, client, tokens.refresh_token);

    await refresh(app, client, tokens.refresh_token);

    expect(await noticesTo(current(), member.email)).toEqual([]);
  });
});

describe("without a mail server", () => {
  const current = useApp();

  test("queues no email about an account", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const { client, tokens } = await connect(app, member);
    await refresh(app, client, tokens.refresh_token);
    await ageRotation(db, 11);

    await refresh(app, client, tokens.refresh_token);

    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect(await db.query("SELECT 1 FROM mail_outbox")).toEqual([]);
  });
});
