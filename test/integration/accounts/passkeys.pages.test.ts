import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { noticesTo } from "../../support/mails.js";
import { openPage, views, type OpenPage } from "../../support/pages.js";
import { addDevice, addPasskey, credentialsOf, signOut } from "../../support/passkeys.js";
import { recoveryCodesOn, security } from "../../support/second-factors.js";

describe("passkeys in a real browser", () => {
  const current = useServer({ smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" });
  const chromium = useChromium();

  /** A person in a browser with a device, on the page that adds a passkey. */
  async function aPerson() {
    const member = await aMember(current().db);
    const opened = await openPage(chromium(), current(), member);
    return { member, opened, page: opened.page, device: await addDevice(opened.page) };
  }

  async function signInByPasskey(page: Page): Promise<void> {
    await page.goto("/signin");
    await page.getByRole("link", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
  }

  const isIn = async (page: Page) => {
    await page.goto("/settings");
    return new URL(page.url()).pathname === "/settings";
  };

  async function close({ close: end, complaints }: OpenPage) {
    expect(complaints).toEqual([]);
    await end();
  }

  browserTest(
    "PKY-01 adds a named passkey, which signs in alone under a new session id",
    async () => {
      const { db } = current();
      const { member, opened, page, device } = await aPerson();
      await addPasskey(page, member, "Work laptop");
      expect(recoveryCodesOn({ body: await page.content() } as never)).toHaveLength(10);
      await page.getByRole("link", { name: "I've saved them, continue" }).click();
      expect(await page.getByRole("heading", { name: "Work laptop" }).isVisible()).toBe(true);
      expect(await page.getByText("Not yet").count()).toBe(1);
      await signOut(page);
      const before = (await page.context().cookies())[0]?.value;

      await signInByPasskey(page);
      await page.waitForURL(`${current().config.baseUrl}/`);

      expect((await page.context().cookies())[0]?.value).not.toBe(before);
      await page.goto(security);
      expect(await page.getByText("Not yet").count()).toBe(0);
      const logged = await db.query<{ type: string; details: object }>(
        `SELECT type, details FROM activity_log WHERE user_id = $1
         AND type IN ('passkey_added', 'signed_in') ORDER BY id`,
        [member.userId],
      );
      expect(logged.map(({ type, details }) => [type, details])).toEqual([
        ["signed_in", { method: "password" }],
        ["passkey_added", { name: "Work laptop" }],
        ["signed_in", { method: "passkey" }],
      ]);
      expect(await noticesTo(current(), member.email)).toMatchObject([
        { change: "passkey_added", name: "Work laptop" },
      ]);
      const [credential] = await credentialsOf(device);
      expect(credential?.isResidentCredential).toBe(true);
      await close(opened);
    },
  );

  browserTest(
    "PKY-02 the password is no longer enough; the passkey is the second step",
    async () => {
      const { member, opened, page } = await aPerson();
      await addPasskey(page, member, "Phone");
      await signOut(page);
      await page.goto("/settings/sessions");
      await page.getByLabel("Email").fill(member.email);
      await page.getByLabel("Password").fill(member.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(/second-factor/);
      expect(await page.getByLabel("Recovery code").isVisible()).toBe(true);

      await page.getByRole("link", { name: "Use a passkey" }).click();
      await page.getByRole("button", { name: "Use a passkey" }).click();

      // The redirect target is preserved over both steps.
      await page.waitForURL(/\/settings\/sessions$/);
      await close(opened);
    },
  );

  browserTest(
    "PKY-03 several passkeys can be kept and removed; a removed one can't sign in",
    async () => {
      const { member, opened, page, device } = await aPerson();
      await addPasskey(page, member, "First");
      await page.goto(`${security}/passkeys/new`);
      await page.getByRole("button", { name: "Add passkey" }).click();
      await page.getByText("already has a passkey for your account").waitFor();
      // Another device replaces the first one. The browser allows one internal authenticator at a
      // time.
      await device.client.send("WebAuthn.removeVirtualAuthenticator", {
        authenticatorId: device.id,
      });
      await addDevice(page);
      await addPasskey(page, member, "Second");
      expect(await page.locator(".factors h3").allTextContents()).toEqual(["First", "Second"]);
      await page.getByRole("link", { name: "Remove the passkey Second" }).click();
      await page.getByRole("button", { name: "Remove passkey" }).click();
      await page.getByText("Passkey Second removed.").waitFor();
      expect(await page.locator(".factors h3").allTextContents()).toEqual(["First"]);
      expect((await noticesTo(current(), member.email)).at(-1)).toMatchObject({
        change: "passkey_removed",
        name: "Second",
      });

      await signOut(page);
      await signInByPasskey(page);
      await page.getByText("The passkey wasn't accepted").first().waitFor();
      expect(await isIn(page)).toBe(false);
      await close(opened);
    },
  );

  browserTest("PKY-04 accepts an answer once, and only in the browser that was asked", async () => {
    const { app, db } = current();
    const { member, opened, page } = await aPerson();
    await addPasskey(page, member, "Phone");
    await signOut(page);
    // Records the browser's request without sending it.
    await page.goto("/signin/passkey");
    const cookies = await page.context().cookies();
    let body = "";
    await page.route("**/signin/passkey", async (route) => {
      body = route.request().postData() ?? "";
      await route.fulfill({ status: 200, contentType: "text/html", body: "held back" });
    });
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("held back").waitFor();
    const send = async (cookie: string) => {
      const { statusCode } = await app.inject({
        method: "POST",
        url: "/signin/passkey",
        headers: {
          host: new URL(current().config.baseUrl).host,
          cookie,
          "content-type": "application/x-www-form-urlencoded",
        },
        payload: body,
      });
      return statusCode;
    };
    const mine = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

    const other = await openPage(chromium(), current());
    await other.page.goto("/signin/passkey");
    const token = await other.page.locator("[name=_csrf]").getAttribute("value");
    const theirs = (await other.page.context().cookies()).map((one) => `${one.name}=${one.value}`);
    const original = body;
    body = original.replace(/_csrf=[^&]*/, `_csrf=${encodeURIComponent(token ?? "")}`);
    expect(await send(theirs.join("; ")), "another browser").toBe(400);
    body = original;
    expect(await send(mine), "the browser that was asked").toBe(303);
    // Simulates passkeys without a counter, whose responses otherwise don't differ.
    await db.query("UPDATE passkeys SET sign_count = 0 WHERE user_id = $1", [member.userId]);
    expect(await send(mine), "the same again").toBe(400);
    await other.close();
    await opened.close();
  });

  browserTest(
    "PKY-05 rejects a sign-in without confirmation by fingerprint, face or PIN",
    async () => {
      const { member, opened, page, device } = await aPerson();
      await addPasskey(page, member, "Phone");
      await signOut(page);
      await device.client.send("WebAuthn.setUserVerified", {
        authenticatorId: device.id,
        isUserVerified: false,
      });

      await signInByPasskey(page);
      await page
        .getByText(/Nothing was confirmed|did not work/)
        .first()
        .waitFor();

      expect(await isIn(page)).toBe(false);
      // The server requires user verification even if a modified page doesn't request it.
      await page.goto("/signin/passkey");
      await page.locator("input[data-passkey]").evaluate((input: HTMLInputElement) => {
        const options = JSON.parse(input.dataset["options"] ?? "") as object;
        input.dataset["options"] = JSON.stringify({ ...options, userVerification: "discouraged" });
      });
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("The passkey wasn't accepted").first().waitFor();
      expect(await isIn(page)).toBe(false);
      await close(opened);
    },
  );

  browserTest(
    "PKY-06 a decreasing counter indicates a copy: rejected, logged, and the person is notified",
    async () => {
      const { app, db } = current();
      const { member, opened, page, device } = await aPerson();
      await addPasskey(page, member, "Phone");
      await signOut(page);
      const [credential] = await credentialsOf(device);
      await signInByPasskey(page);
      await page.waitForURL(`${current().config.baseUrl}/`);
      await signOut(page);
      const authenticatorId = device.id;
      const copy = { ...credential, signCount: 0 } as NonNullable<typeof credential>;
      await device.client.send("WebAuthn.clearCredentials", { authenticatorId });
      await device.client.send("WebAuthn.addCredential", { authenticatorId, credential: copy });

      await signInByPasskey(page);
      await page.getByText("The passkey wasn't accepted").first().waitFor();

      expect(await isIn(page)).toBe(false);
      const logged = await db.query(
        "SELECT details FROM activity_log WHERE user_id = $1 AND type = 'passkey_copied'",
        [member.userId],
      );
      expect(logged).toEqual([{ details: { name: "Phone" } }]);
      expect((await noticesTo(current(), member.email)).at(-1)).toMatchObject({
        change: "passkey_copied",
      });
      expect(app.services.relyingParty?.id).toBe("localhost");
      await close(opened);
    },
  );

  browserTest(
    "PKY-07 rejects a passkey of a deactivated account, or of another account after the password",
    async () => {
      const { db } = current();
      const { member, opened, page } = await aPerson();
      await addPasskey(page, member, "Phone");
      await signOut(page);
      const other = await aMember(db);
      await db.query(
        `INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports, backed_up, name)
       VALUES ($1, $1, $1, '', 0, '{}', false, 'Theirs')`,
        [other.userId],
      );
      await page.goto("/signin");
      await page.getByLabel("Email").fill(other.email);
      await page.getByLabel("Password").fill(other.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("link", { name: "Use a passkey" }).click();
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("belongs to a different account").first().waitFor();
      expect(await isIn(page)).toBe(false);

      await db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [member.userId]);
      await page.context().clearCookies();
      await signInByPasskey(page);
      await page.getByText("The passkey wasn't accepted").first().waitFor();
      expect(await isIn(page)).toBe(false);
      await close(opened);
    },
  );

  browserTest("PKY-08 a passkey confirms only changes to its own account", async () => {
    const { member, opened, page } = await aPerson();
    await addPasskey(page, member, "Phone");
    await signOut(page);
    await signInByPasskey(page);
    await page.waitForURL(`${current().config.baseUrl}/`);
    await page.goto(`${security}/recovery-codes`);
    await page.getByRole("link", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Generate new codes" }).click();
    await page.getByText("They're only shown now").waitFor();

    const other = await aMember(current().db);
    await page.context().clearCookies();
    await page.goto(`${security}/confirm/passkey`);
    await page.getByLabel("Email").fill(other.email);
    await page.getByLabel("Password").fill(other.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("The passkey wasn't accepted").first().waitFor();
    await page.goto(`${security}/authenticator`);
    expect(page.url()).toContain("/confirm");
    await close(opened);
  });

  browserTest(
    "PKY-09 without scripts, the pages explain the limitation and a recovery code signs in",
    async () => {
      const { member, opened, page } = await aPerson();
      await addPasskey(page, member, "Phone");
      const codes = recoveryCodesOn({ body: await page.content() } as never);
      await opened.close();
      const bare = await openPage(chromium(), current(), undefined, views[1]);
      await bare.page.goto("/signin/passkey");
      expect(await bare.page.getByText("Passkeys need JavaScript").isVisible()).toBe(true);
      expect(await bare.page.getByRole("button", { name: "Use a passkey" }).isDisabled()).toBe(
        true,
      );
      await bare.page.getByRole("link", { name: "Sign in with your password" }).click();
      await bare.page.getByLabel("Email").fill(member.email);
      await bare.page.getByLabel("Password").fill(member.password);
      await bare.page.getByRole("button", { name: "Sign in" }).click();
      await bare.page.getByLabel("Recovery code").fill(codes[0] ?? "");
      await bare.page.getByRole("button", { name: "Sign in" }).click();
      await bare.page.waitForURL(`${current().config.baseUrl}/`);
      expect(await bare.page.getByRole("status").textContent()).toContain("recovery codes");
      await close(bare);
    },
  );
});
