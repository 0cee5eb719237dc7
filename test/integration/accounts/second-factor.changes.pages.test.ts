import { describe, expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { noticesTo } from "../../support/mails.js";
import { signIn } from "../../support/oauth.js";
import {
  aPersonWithAuthenticator,
  codeOf,
  enterPassword,
  findActivity,
  freshCode,
  isSignedIn,
  openConfirmed,
  secretOn,
  security,
  sessionIdOf,
  setUpAuthenticator,
} from "../../support/second-factors.js";

describe("changing second factors", () => {
  const current = useApp({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" });

  const activityOf = (member: Member) => findActivity(current().db, member);
  const aPerson = () => aPersonWithAuthenticator(current());

  test("MFA-12 changes require confirmation, by second factor if there is one", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const pages = ["authenticator", "passkeys/new", "recovery-codes"].map(
      (one) => `${security}/${one}`,
    );
    for (const url of pages) {
      expect((await browser.get(url)).headers.location, url).toMatch(/\/confirm\?next=/);
    }
    const question = await browser.get(`${security}/confirm`);
    const wrong = await browser.submitForm(question, { password: "not the password" });
    expect(wrong.statusCode).toBe(400);
    expect((await browser.get(pages[0] ?? "")).statusCode).toBe(303);

    const { secret } = await setUpAuthenticator(browser, member);
    const { browser: later, page } = await enterPassword(app, member);
    await later.submitForm(page, { code: await freshCode(db, member, secret) });
    const remove = `${security}/authenticator/remove`;
    expect((await later.get(remove)).headers.location).toMatch(/\/confirm\?next=/);
    const asked = await later.get(`${security}/confirm`);
    // The password that sufficed before is refused, even in a hand-made request.
    const byPassword = await later.submitForm(asked, { password: member.password });
    expect(byPassword.statusCode).toBe(400);
    const forced = await later.submitForm(
      asked,
      {},
      { headers: {}, action: `${security}/confirm` },
    );
    expect(forced.statusCode).toBe(400);
    const unasked = /name="_csrf" value="([^"]*)"/.exec(asked.body)?.[1] ?? "";
    expect((await later.post(remove, { _csrf: unasked })).headers.location).toMatch(/\/confirm/);
    const byCode = await later.submitForm(asked, { code: await freshCode(db, member, secret) });
    expect(byCode.headers.location).toBe(security);
    expect((await later.get(remove)).statusCode).toBe(200);
  });

  test("MFA-12 setting the clock back ends a confirmation", async () => {
    const { app, db } = current();
    const member = await aMember(db);
    const browser = await signIn(app, member);
    const page = `${security}/authenticator`;
    const { password } = member;
    expect((await openConfirmed(browser, page, { password })).statusCode).toBe(200);
    onTestFinished(() => void vi.useRealTimers());

    // Node clocks differ by seconds. A confirmation on one node must count on another.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 5000 });
    expect((await browser.get(page)).statusCode).toBe(200);
    vi.setSystemTime(Date.now() - 3_600_000);

    expect((await browser.get(page)).headers.location).toMatch(/\/confirm\?next=/);
  });

  test("MFA-13 removing the last factor ends recovery codes, and the password is enough again", async () => {
    const { app, db } = current();
    const { member, browser } = await aPerson();
    const before = sessionIdOf(browser);

    const page = await browser.get(`${security}/authenticator/remove`);
    const answers = [await browser.submitForm(page, {})];

    expect(answers[0]?.headers.location).toBe(security);
    expect(sessionIdOf(browser)).not.toBe(before);
    const codes = await db.query("SELECT 1 FROM recovery_codes WHERE user_id = $1", [
      member.userId,
    ]);
    expect(codes).toEqual([]);
    expect(await isSignedIn(await signIn(app, member))).toBe(true);
    expect(await activityOf(member)).toContainEqual(["authenticator_removed", {}]);
    const notices = await noticesTo(current(), member.email);
    expect(notices.at(-1)).toMatchObject({ change: "authenticator_removed" });
  });

  test("MFA-14 another app replaces the first; its codes end, recovery codes stay", async () => {
    const { app, db } = current();
    const { member, browser, secret: first, recoveryCodes } = await aPerson();
    const page = await browser.get(`${security}/authenticator`);
    const second = secretOn(page);
    expect(second).not.toBe(first);

    const answer = await browser.submitForm(page, { code: codeOf(second) });

    expect(answer.headers.location).toBe(security);
    const { browser: next, page: question } = await enterPassword(app, member);
    await freshCode(db, member, second);
    expect((await next.submitForm(question, { code: codeOf(first) })).statusCode).toBe(400);
    const code = recoveryCodes[0] ?? "";
    expect((await next.submitForm(question, { code })).statusCode).toBe(303);
  });

  test("MFA-15 an offered secret belongs to one person, and can't be forged", async () => {
    const { app, db } = current();
    const [one, other] = [await aMember(db), await aMember(db)];
    const open = async (member: Member) => {
      const browser = await signIn(app, member);
      const address = `${security}/authenticator`;
      return {
        browser,
        page: await openConfirmed(browser, address, { password: member.password }),
      };
    };
    const [mine, theirs] = [await open(one), await open(other)];
    const offer = /name="offer" value="([^"]*)"/.exec(theirs.page.body)?.[1] ?? "";
    const code = codeOf(secretOn(theirs.page));

    for (const forged of [
      offer,
      "",
      "AAAA",
      Buffer.from('{"secret":"AAAA"}').toString("base64url"),
    ]) {
      const answer = await mine.browser.submitForm(mine.page, { offer: forged, code });
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain("open for too long");
    }
    expect((await mine.browser.get(security)).body).toContain("Set up an authenticator app");
  });
});
