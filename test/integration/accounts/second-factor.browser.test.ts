import { describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { addDevice, addPasskey, confirmByPassword, signOut } from "../../support/passkeys.js";
import { readPngCode } from "../../support/qr-reader.js";
import { codeOf, freshCode, security } from "../../support/second-factors.js";

describe("second factors in a real browser", () => {
  const current = useServer({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" });
  const chromium = useChromium();

  browserTest(
    "MFA-40 a person scans the code, signs in with both steps, and removes the app",
    async () => {
      const { db } = current();
      const member = await aMember(db);
      const opened = await openPage(chromium(), current(), member, views[1]);
      const { page } = opened;
      await page.goto(security);
      await page.getByRole("link", { name: "Set up an authenticator app" }).click();
      await confirmByPassword(page, member);
      const image = await page
        .getByRole("img", { name: "Scan with your authenticator app" })
        .screenshot();
      const uri = new URL(readPngCode(image) ?? "");
      expect(uri.protocol + uri.host).toBe("otpauth:totp");
      expect(decodeURIComponent(uri.pathname)).toBe(`/Fettle (localhost):${member.email}`);
      const secret = uri.searchParams.get("secret") ?? "";
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      await page.getByLabel("Code").fill(codeOf(secret));
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("link", { name: "I've saved them, continue" }).click();
      await signOut(page);
      await page.getByLabel("Email").fill(member.email);
      await page.getByLabel("Password").fill(member.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByLabel("Code").fill(await freshCode(db, member, secret));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${current().config.baseUrl}/`);
      await page.goto(security);
      await page.getByRole("link", { name: "Remove the authenticator app" }).click();
      await page.getByLabel("Code").fill(await freshCode(db, member, secret));
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("button", { name: "Remove authenticator app" }).click();
      await page.getByText("Authenticator app removed.").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    },
  );

  browserTest("MFA-41 every page passes WCAG AA in every view", async () => {
    const { db } = current();
    for (const view of [views[0], views[3]]) {
      const member = await aMember(db);
      const opened = await openPage(chromium(), current(), member, view);
      const { page } = opened;
      await addDevice(page);
      const before = [security, `${security}/confirm`, "/settings/organization/second-factor"];
      expect(await sweep(opened, before)).toEqual({});
      await addPasskey(page, member, "A security key with quite a long name, for the drawer");
      const pages = ["passkeys/new", "authenticator", "recovery-codes"].map(
        (one) => `${security}/${one}`,
      );
      const { passkeyId } = await firstPasskey(member);
      expect(
        await sweep(opened, [
          security,
          ...pages,
          `${security}/passkeys/${passkeyId}/remove`,
          `${security}/confirm`,
          `${security}/confirm/passkey`,
          "/settings/organization/second-factor",
        ]),
      ).toEqual({});
      await signOut(page);
      await page.getByLabel("Email").fill(member.email);
      await page.getByLabel("Password").fill(member.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(/second-factor/);
      expect(await sweep(opened, ["/signin/second-factor", "/signin/passkey"])).toEqual({});
      await opened.close();
    }

    async function firstPasskey({ userId }: Member) {
      const row = await db.maybe<{ passkeyId: string }>(
        `SELECT id AS "passkeyId" FROM passkeys WHERE user_id = $1`,
        [userId],
      );
      return row ?? { passkeyId: "" };
    }
  });
});
