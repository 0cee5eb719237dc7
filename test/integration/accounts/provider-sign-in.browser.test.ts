import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, vi } from "vitest";
import { createJsonCipher } from "../../../server/src/domain/shared/encryption.js";
import { useServer } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { useIdentityProvider } from "../../support/identity-provider.js";
import {
  networkWithTexts,
  anOrganizationWith,
  providerPage,
} from "../../support/organization-provider.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { addDevice, addPasskey, confirmByPassword, signOut } from "../../support/passkeys.js";

describe("organization's identity provider in a real browser", () => {
  const smtp = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" };
  const current = useServer(smtp, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider("http://localhost/signin/provider/callback/");
  const chromium = useChromium();

  async function setRule({ organizationId }: Member) {
    const { db } = current();
    await db.query("UPDATE identity_providers SET sso_required = true WHERE organization_id = $1", [
      organizationId,
    ]);
  }

  browserTest("SSO-50 every page passes WCAG AA in every view", async () => {
    for (const view of [views[0], views[3]]) {
      const { owner, domain } = await anOrganizationWith(current(), provider());
      await current().db.query(
        `INSERT INTO provider_identities (organization_id, issuer, subject, user_id, multi_factor)
         VALUES ($1, $2, 'sub', $3, false)`,
        [owner.organizationId, provider().issuer, owner.userId],
      );
      const opened = await openPage(chromium(), current(), owner, view);
      const { page } = opened;
      await page.goto(`${providerPage}/domains/new`);
      await confirmByPassword(page, owner);
      await page.getByLabel("Domain").fill("a-rather-long-name-of-a-domain.firm.example");
      await page.getByRole("button", { name: "Add domain" }).click();
      await page.getByText("Now verify it").waitFor();
      const forms = ["edit", "remove", "sso-required", "domains/new", `domains/${domain}/remove`];
      expect(
        await sweep(opened, [
          providerPage,
          ...forms.map((one) => `${providerPage}/${one}`),
          "/settings/organization",
          `/settings/members/${owner.userId}`,
          `/settings/members/${owner.userId}/release`,
        ]),
      ).toEqual({});
      await signOut(page);
      expect(await sweep(opened, ["/signin", "/signin/provider"])).toEqual({});
      await page.goto("/signin");
      const gaps = await page.evaluate(() =>
        ["form", "p:last-child"].map((selector) => {
          const element = document.querySelector(`main > ${selector}`);
          const above = element?.previousElementSibling;
          const inner = above?.querySelector(":scope > .button") ?? above;
          return (
            (element?.getBoundingClientRect().top ?? 0) -
            (inner?.getBoundingClientRect().bottom ?? 0)
          );
        }),
      );
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(16);
      await page.goto("/signin/provider/callback/x?state=x&code=y");
      await page.getByText("Start signing in again").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });

  /**
   * A signed-out person who can only sign in with the provider, in a browser with their passkey.
   */
  async function aPersonWithPasskey() {
    const { owner, domain } = await anOrganizationWith(current(), provider());
    const email = `ada@${domain}`;
    const { organization, organizationId } = owner;
    const member = await aMember(current().db, { organization, role: "member", email });
    const opened = await openPage(chromium(), current(), member, views[3]);
    const { page } = opened;
    await addDevice(page);
    await addPasskey(page, member, "A key");
    await signOut(page);
    await setRule(owner);
    return { organizationId, member, opened, page };
  }

  async function usePasskey(page: Page) {
    await page.goto("/signin/passkey");
    await page.getByRole("button", { name: "Use a passkey" }).click();
  }

  browserTest(
    "SSO-51 a passkey leads to the provider when only the provider is allowed",
    async () => {
      const { opened, page } = await aPersonWithPasskey();
      await usePasskey(page);
      await page.getByText("has to sign in with their organization's identity provider").waitFor();
      await page.goto("/settings");
      await page.waitForURL(/signin/);
      await opened.close();
    },
  );

  browserTest(
    "SSO-52, LOG-14 a passkey needs a provider answer under ten minutes old, and costs no attempt",
    async () => {
      const { organizationId, member, opened, page } = await aPersonWithPasskey();
      const { baseUrl, secretKeys } = current().config;
      const cipher = createJsonCipher(secretKeys, "fettle visitor cookie");
      /**
       * Sets the cookie of a person who returned from the provider and must give the second factor.
       */
      const beenAtProvider = async (minutesAgo: number) => {
        const { issuer } = provider();
        const subject = { organizationId, issuer, subject: "ada", multiFactor: false };
        const startedAt = Date.now() - minutesAgo * 60_000;
        const data = { pendingSignIn: { userId: member.userId, subject, startedAt } };
        const value = cipher.encrypt({ savedAt: Date.now(), data }).toString("base64url");
        const url = baseUrl.replace("http:", "https:");
        await page.context().addCookies([{ name: "__Host-fettle", value, url }]);
      };
      await beenAtProvider(11);
      await usePasskey(page);
      await page.getByText("has to sign in with their organization's identity provider").waitFor();
      const takeBack = vi.spyOn(current().app.services.signInThrottle, "takeBack");
      onTestFinished(() => {
        takeBack.mockRestore();
      });
      await beenAtProvider(1);
      await usePasskey(page);
      await page.waitForURL(`${baseUrl}/`);
      expect(takeBack).not.toHaveBeenCalled();
      await opened.close();
    },
  );
});
