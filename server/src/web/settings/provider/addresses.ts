import { t } from "../../../language/translate.js";
import { organizationAddress, organizationCrumbs } from "../organization-address.js";

export const providerSettings = `${organizationAddress}/provider`;

export function providerTitle(): string {
  return t("Sign-in with your identity provider");
}

export function providerCrumbs() {
  return [...organizationCrumbs, { href: providerSettings, label: providerTitle() }];
}

/** What is done with one of the domains. */
export function domainAddress(domain: string, action: "check" | "remove"): string {
  return `${providerSettings}/domains/${domain}/${action}`;
}
