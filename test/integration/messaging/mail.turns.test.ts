import { expect, onTestFinished, test } from "vitest";
import { endSsoRequired } from "../../../server/src/domain/accounts/sso-required.js";
import { createMailCipher } from "../../../server/src/domain/messaging/mail-cipher.js";
import { queueNotice } from "../../../server/src/domain/messaging/outbox.js";
import { startMailSender, type MailSenderOptions } from "../../../server/src/mail/sender.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected } from "../../support/mcp.js";

const testApp = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "Fettle <fettle@example.org>" });

/** Starts a sender. Returns the recipients' names in the order of sending. */
function startSender(more: Partial<MailSenderOptions> = {}): { sent: string[]; log: string[] } {
  const { db, app } = testApp();
  const [sent, log]: [string[], string[]] = [[], []];
  const write = (details: unknown, message?: string) =>
    void log.push(`${message ?? ""} ${JSON.stringify(details)}`);
  const stop = startMailSender({
    ...{ db, mails: app.services.mails, baseUrl: "https://fettle.example.org", everyMs: 20 },
    ...{ log: { info: write, warn: write, error: write }, delaysMs: [0, 0] },
    send: (mail) => {
      sent.push(mail.to.split("@")[0] ?? "");
      return Promise.resolve();
    },
    ...more,
  });
  onTestFinished(stop);
  return { sent, log };
}

async function invite({ ok }: Connected, name: string): Promise<void> {
  await ok("create_invite", { email: `${name}@northgate.example`, message: name });
}

test("LIM-46 sends emails without an organization first, then takes turns between organizations", async () => {
  const { db, app } = testApp();
  const [one, other] = [await connect(testApp()), await connect(testApp())];
  for (const name of ["a1", "a2", "a3"]) await invite(one, name);
  await invite(other, "b1");
  await db.transaction((tx) =>
    queueNotice(tx, app.services.mails, {
      recipient: "ana@northgate.example",
      notice: { kind: "password_reset", link: "https://fettle.example.org/password/x" },
      validMinutes: 60,
    }),
  );

  const { sent } = startSender();

  await expect.poll(() => sent.length).toBe(5);
  expect(sent).toEqual(["ana", "a1", "b1", "a2", "a3"]);
});

test("gives up an email that can't be rendered, without delaying others", async () => {
  const { db, config } = testApp();
  const owner = await connect(testApp());
  for (const name of ["broken", "whole"]) await invite(owner, name);
  const cipher = createMailCipher(config.secretKeys, true);
  const { sent, log } = startSender({
    mails: {
      ...cipher,
      decryptInvitation(body) {
        const letter = cipher.decryptInvitation(body);
        if (letter?.message === "broken") throw new Error("no words for it");
        return letter;
      },
    },
  });
  const read = async () => {
    const row = await db.maybe<{ status: string; attempts: number; last_error: string }>(
      "SELECT status, attempts, last_error FROM mail_outbox WHERE recipient ^@ 'broken'",
    );
    return row;
  };

  await expect.poll(read).toMatchObject({ status: "failed", attempts: 3 });

  expect((await read())?.last_error).toContain("couldn't be written");
  expect(log.join()).toContain("an email could not be written");
  expect(sent).toEqual(["whole"]);
});

test("LIM-88 queues at most twenty sso_required_ended emails an hour per owner, for their organization", async () => {
  const { db, app } = testApp();
  const { member } = await connect(testApp());
  const { organizationId: id, organization: name } = member;
  await db.query(
    `INSERT INTO identity_providers (organization_id, issuer, client_id, client_secret_encrypted)
     VALUES ($1, 'https://login.example', 'fettle', '')`,
    [id],
  );
  const services = { mails: app.services.mails, baseUrl: "https://fettle.example.org" };
  for (let time = 1; time <= 22; time += 1) {
    await db.query("UPDATE identity_providers SET sso_required = TRUE WHERE organization_id = $1", [
      id,
    ]);
    await db.transaction((tx) => endSsoRequired(tx, services, { id, name, slug: "x" }));
  }

  const mails =
    await db.query(`SELECT organization_id, recipient, count(*)::int AS count FROM mail_outbox
     WHERE kind = 'sso_required_ended' GROUP BY 1, 2`);
  expect(mails).toEqual([{ organization_id: id, recipient: member.email, count: 20 }]);
});
