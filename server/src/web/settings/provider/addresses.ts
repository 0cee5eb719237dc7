import { t } from "../../../language/translate.js";
import { organizationAddress, organizationCrumbs } from "../organization-address.js";

export const providerSettings = `${organizationAddress}/provider`;

export function providerTitle(): string {
  return t("Sign-in with your identity provider");
}

export function providerCrumbs() {
  return [...organizationCrumbs, { href: providerSettings, label: providerTitle() }];
}

/** The address of an action on a domain. */
export function domainAddress(domain: string, action: "check" | "remove"): string {
  return `${providerSettings}/domains/${domain}/${action}`;
}
