import { afterEach, expect, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { signInAtProvider, useIdentityProvider } from "../../support/identity-provider.js";
import {
  anOrganizationWith,
  networkWithTexts,
  providerRedirectUri,
} from "../../support/organization-provider.js";
import { before } from "../../support/statements.js";

const current = useApp({}, { documentNetwork: networkWithTexts });
const provider = useIdentityProvider(providerRedirectUri);
afterEach(() => {
  vi.restoreAllMocks();
});

test("OUT-08 confirms joining, even if the database fails before the sign-in ends", async () => {
  const { browser, domain } = await anOrganizationWith(current(), provider());
  const email = `joined@${domain}`;
  const form = await browser.get("/settings/members/invite");
  await browser.submitForm(form, { email, organization_role: "member" });
  provider().persona = { sub: "joined", email, email_verified: true, name: "Jo New" };
  // Joining links the identity. The sign-in checks it again. The second statement is the check.
  before(/INSERT INTO provider_identities/, 2, async () => {
    throw new Error("Connection terminated unexpectedly");
  });

  const page = await signInAtProvider(createBrowser(current().app), email);

  expect(page.statusCode).toBe(503);
  expect(page.body).toContain("your change was saved");
  expect((await browser.get("/settings/members")).body).toContain("Jo New");
});
