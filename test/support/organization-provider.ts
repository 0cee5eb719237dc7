import type { DocumentNetwork } from "../../server/src/oauth/read-document.js";
import type { TestApp } from "./app.js";
import type { TestBrowser } from "./browser.js";
import { aMember, type Member } from "./builders.js";
import { localNetwork } from "./client-documents.js";
import type { TestProvider } from "./identity-provider.js";
import { signIn } from "./oauth.js";
import { openConfirmed } from "./second-factors.js";

export const providerPage = "/settings/organization/provider";

/** The redirect address of a server that doesn't listen, without the organization. */
export const providerRedirectUri = "http://localhost:3000/signin/provider/callback/";

/** DNS TXT records by domain. */
export const texts = new Map<string, string[]>();

export const networkWithTexts: DocumentNetwork = {
  ...localNetwork,
  resolveTexts: async (name) => texts.get(name) ?? [],
};

let count = 0;

export interface ProviderOrganization {
  owner: Member;
  /** The owner's signed-in browser. */
  browser: TestBrowser;
  domain: string;
}

/**
 * Creates an organization with its provider and a verified domain. Its owner sets them up on the
 * pages.
 */
export async function anOrganizationWith(
  testApp: TestApp,
  provider: TestProvider,
): Promise<ProviderOrganization> {
  count += 1;
  const domain = `firm-${count}.example`;
  const owner = await aMember(testApp.db, { email: `owner@${domain}` });
  const browser = await signIn(testApp.app, owner);
  await saveProvider(browser, owner, provider);
  await verifyDomain(browser, owner, domain);
  return { owner, browser, domain };
}

/** Creates an organization with its provider and a member known to the provider. */
export async function anOrganizationWithMember(testApp: TestApp, provider: TestProvider) {
  const organization = await anOrganizationWith(testApp, provider);
  const { owner, domain } = organization;
  const email = `ada@${domain}`;
  const member = await aMember(testApp.db, {
    organization: owner.organization,
    role: "member",
    email,
  });
  provider.persona = { sub: `sub-${domain}`, email, email_verified: true, name: "Ada" };
  return { ...organization, member, email };
}

export async function saveProvider(
  browser: TestBrowser,
  { password }: Member,
  { issuer, clientSecret }: Pick<TestProvider, "issuer" | "clientSecret">,
  fields: Record<string, string> = {},
) {
  const page = await openConfirmed(browser, `${providerPage}/edit`, { password });
  const given = { issuer, client_id: "fettle", client_secret: clientSecret, ...fields };
  return browser.submitForm(page, given);
}

export async function addDomain(browser: TestBrowser, { password }: Member, domain: string) {
  const page = await openConfirmed(browser, `${providerPage}/domains/new`, { password });
  return browser.submitForm(page, { domain });
}

/** Adds a domain, publishes its DNS record and runs the check. */
export async function verifyDomain(browser: TestBrowser, owner: Member, domain: string) {
  await addDomain(browser, owner, domain);
  texts.set(domain, ["v=spf1 -all", await textOnPage(browser)]);
  await check(browser, domain);
}

export async function removeDomain(browser: TestBrowser, { password }: Member, domain: string) {
  const page = await openConfirmed(browser, `${providerPage}/domains/${domain}/remove`, {
    password,
  });
  return browser.submitForm(page, {});
}

/** The DNS record shown on the page. */
export async function textOnPage(browser: TestBrowser): Promise<string> {
  const { body } = await browser.get(providerPage);
  return /fettle-domain-verification=[\w-]{43}/.exec(body)?.[0] ?? "";
}

/** Presses "Check now" and returns the next page. */
export async function check(browser: TestBrowser, domain: string) {
  const action = `${providerPage}/domains/${domain}/check`;
  await browser.submitForm(await browser.get(providerPage), {}, { action });
  return browser.get(providerPage);
}

export async function setSsoRequired(
  browser: TestBrowser,
  { password }: Member,
  fields: Record<string, string>,
) {
  const page = await openConfirmed(browser, `${providerPage}/sso-required`, { password });
  return browser.submitForm(page, fields);
}
