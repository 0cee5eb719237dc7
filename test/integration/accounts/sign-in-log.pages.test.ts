import { describe, expect, onTestFinished, test } from "vitest";
import { createSetupLink } from "../../../server/src/domain/accounts/setup-links.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { signInAtProvider, useIdentityProvider } from "../../support/identity-provider.js";
import { linkTo, tokenOf } from "../../support/mails.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import {
  anOrganizationWithMember,
  networkWithTexts,
  providerRedirectUri,
} from "../../support/organization-provider.js";
import { enterPassword, freshCode, setUpAuthenticator } from "../../support/second-factors.js";

describe("sign-in log", () => {
  const current = useApp(
    { signup: "open", smtpUrl: "smtp://127.0.0.1:1", mailFrom: "fettle@example.com" },
    { documentNetwork: networkWithTexts },
  );
  const provider = useIdentityProvider(providerRedirectUri);
  const password = "four unrelated words";
  const newcomer = { name: "Rosa Lind", password, organization: "Northgate" };
  let [count, email] = [0, ""];
  let member: Member;

  async function anotherMember(): Promise<void> {
    count += 1;
    email = `person-${count}@example.com`;
    member = await aMember(current().db, { email });
  }

  /** Requests a link by email and opens its page. The returned function submits the page. */
  async function askForLink(kind: "sign_up" | "password_reset") {
    const browser = createBrowser(current().app);
    const form = kind === "sign_up" ? "/signup" : "/password/forgot";
    await browser.submitForm(await browser.get(form), { ...newcomer, email });
    const page = await browser.get(await linkTo(current(), email, kind));
    return () => browser.submitForm(page, kind === "sign_up" ? {} : { password });
  }

  const ways: Record<string, () => Promise<() => Promise<unknown>>> = {
    "a password": async () => () => signIn(current().app, member),
    "a second factor": async () => {
      const { app, db } = current();
      const { secret } = await setUpAuthenticator(await signIn(app, member), member);
      return async () => {
        const { browser, page } = await enterPassword(app, member);
        await browser.submitForm(page, { code: await freshCode(db, member, secret) });
      };
    },
    "an identity provider": async () => {
      ({ email } = await anOrganizationWithMember(current(), provider()));
      return () => signInAtProvider(createBrowser(current().app), email);
    },
    "an invitation": async () => {
      email = `new-${email}`;
      const { ok } = await connect(current());
      const { invite } = await ok<{ invite: { id: string } }>("create_invite", { email });
      const browser = createBrowser(current().app);
      const page = await browser.get(`/invites/${await tokenOf(current(), invite.id)}`);
      return () => browser.submitForm(page, newcomer);
    },
    "a sign-up": () => {
      email = `new-${email}`;
      return askForLink("sign_up");
    },
    "the set-up link": async () => {
      const { app, db } = current();
      await db.query("DELETE FROM organizations");
      await db.query("DELETE FROM users");
      const token = (await createSetupLink(db)) ?? "";
      const browser = createBrowser(app);
      const page = await browser.get(`/setup?token=${token}`);
      return () => browser.submitForm(page, { ...newcomer, email });
    },
    "a new password by mail": () => askForLink("password_reset"),
  };

  async function keepNoSession(): Promise<void> {
    const { db } = current();
    onTestFinished(async () => {
      await db.query("DROP FUNCTION skip_row CASCADE");
    });
    await db.query(
      "CREATE FUNCTION skip_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    );
    await db.query(
      "CREATE TRIGGER skip_row BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION skip_row()",
    );
  }

  async function find() {
    const { db } = current();
    const lines = await db.query<Record<string, unknown>>(
      `SELECT a.details, a.ip_address, u.last_login_at IS NOT NULL AS noted
       FROM activity_log a JOIN users u ON u.id = a.user_id AND a.actor_name = u.name
       WHERE u.email = $1 AND a.type = 'signed_in' ORDER BY a.id`,
      [email],
    );
    const sessions = await db.query(
      "SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1",
      [email],
    );
    return { lines, sessions: sessions.length };
  }

  const byPassword = { method: "password" };
  test.each([
    ["a password", byPassword],
    ["a second factor", { ...byPassword, factor: "authenticator" }],
    ["an identity provider", { method: "provider" }],
    ["an invitation", byPassword],
    ["a sign-up", byPassword],
    ["the set-up link", byPassword],
    ["a new password by mail", undefined],
  ])("SSO-59 logs a sign-in by %s only where its session is stored", async (way, proof) => {
    const line = { details: proof, ip_address: "127.0.0.1", noted: true };
    for (const isStored of [true, false]) {
      await anotherMember();
      const run = await ways[way]?.();
      const before = await find();
      if (!isStored) await keepNoSession();

      await run?.();

      const after = await find();
      const expected = isStored && proof !== undefined ? [line] : [];
      expect(after.lines.slice(before.lines.length)).toEqual(expected);
      expect(after.sessions).toBe(before.sessions + expected.length);
    }
  });
});
