import { describe, expect, test } from "vitest";
import {
  activateAccount,
  deactivateAccount,
  setPassword,
} from "../../../server/src/domain/accounts/accounts.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { linkTo } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";

const mail = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "Fettle <fettle@example.org>" };
const fresh = "an entirely new secret";

describe("password reset link", () => {
  const current = useApp(mail);

  /** A person who requested a link, and a function that returns the status of the link's page. */
  async function asked() {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = createBrowser(app);
    await browser.submitForm(await browser.get("/password/forgot"), { email: member.email });
    const path = await linkTo(current(), member.email, "password_reset");
    const status = async () => (await browser.get(path)).statusCode;
    expect(await status()).toBe(200);
    return { member, status };
  }

  test("expires when the person changes the password", async () => {
    const { member, status } = await asked();
    const browser = await signIn(current().app, member);

    const answer = await browser.submitForm(await browser.get("/settings/password"), {
      current_password: member.password,
      password: fresh,
    });

    expect(answer.statusCode).toBe(303);
    expect(await status()).toBe(410);
  });

  test("expires when the operator sets another password", async () => {
    const { member, status } = await asked();

    await current().db.transaction((tx) => setPassword(tx, member.userId, fresh));

    expect(await status()).toBe(410);
  });

  test("expires when the account is deactivated, and stays expired after reactivation", async () => {
    const { member, status } = await asked();

    await current().db.transaction((tx) => deactivateAccount(tx, member.userId));
    await current().db.transaction((tx) => activateAccount(tx, member.userId));

    expect(await status()).toBe(410);
  });
});
