import { describe, expect } from "vitest";
import { useServer } from "../support/app.js";
import { aMember, type Member } from "../support/builders.js";
import { browserTest, useChromium } from "../support/chromium.js";
import { useIdentityProvider } from "../support/identity-provider.js";
import {
  networkWithTexts,
  anOrganizationWith,
  providerPage,
} from "../support/organization-provider.js";
import { openPage, sweep, views } from "../support/pages.js";
import { addDevice, addPasskey, confirmByPassword, signOut } from "../support/passkeys.js";

describe("the identity provider of an organization in a real browser", () => {
  const smtp = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "f@example.com" };
  const current = useServer(smtp, { documentNetwork: networkWithTexts });
  const provider = useIdentityProvider("http://localhost/signin/provider/callback");
  const chromium = useChromium();

  async function setRule({ organizationId }: Member) {
    const { db } = current();
    await db.query("UPDATE identity_providers SET only_way = true WHERE organization_id = $1", [
      organizationId,
    ]);
  }

  browserTest("SSO-50 every page of it passes WCAG AA in every look", async () => {
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
      await page.getByText("Now show that it is yours").waitFor();
      const forms = ["edit", "remove", "only-way", "domains/new", `domains/${domain}/remove`];
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
      await page.goto("/signin/provider/callback?state=x&code=y");
      await page.getByText("Start the sign-in again").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });

  browserTest("SSO-51 a passkey leads to the provider where that is the only way", async () => {
    const { owner, domain } = await anOrganizationWith(current(), provider());
    const email = `ada@${domain}`;
    const { organization } = owner;
    const member = await aMember(current().db, { organization, role: "member", email });
    const opened = await openPage(chromium(), current(), member, views[3]);
    const { page } = opened;
    await addDevice(page);
    await addPasskey(page, member, "A key");
    await signOut(page);
    await setRule(owner);
    await page.goto("/signin/passkey");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("wants its people to sign in").waitFor();
    await page.goto("/settings");
    await page.waitForURL(/signin/);
    await opened.close();
  });
});
