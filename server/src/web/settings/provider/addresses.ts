import { organizationAddress, organizationCrumbs } from "../organization-address.js";

export const providerSettings = `${organizationAddress}/provider`;

export const providerTitle = "Sign-in with your identity provider";
export const providerCrumbs = [
  ...organizationCrumbs,
  { href: providerSettings, label: providerTitle },
];

/** What is done with one of the domains. */
export function domainAddress(domain: string, action: "check" | "remove"): string {
  return `${providerSettings}/domains/${domain}/${action}`;
}
