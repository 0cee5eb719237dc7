import { isIP } from "node:net";
import { redirectUriProblem } from "./redirect-uris.js";

/*
 * A client_id may be the https URL of a metadata document
 * (draft-ietf-oauth-client-id-metadata-document). Ids that Fettle issues never look like a URL.
 */

export interface ClientDocumentSettings {
  enabled: boolean;
  /** Domains, including subdomains. Empty means all. */
  allowed: readonly string[];
  denied: readonly string[];
}

/** The id is a primary key. */
const maxLength = 512;

export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith("https://");
}

/**
 * Returns the document URL, or undefined if the id is invalid (§3 of the draft). It must be in
 * browser-normalized form, with a path and a domain name, without fragment and user.
 */
export function toDocumentUrl(clientId: string): URL | undefined {
  if (!isDocumentAddress(clientId) || clientId.length > maxLength) return undefined;
  if (redirectUriProblem(clientId, []) !== undefined) return undefined;
  const url = new URL(clientId);
  const isDomain = isIP(url.hostname) === 0 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname);
  return isDomain && url.pathname !== "/" ? url : undefined;
}

export function isAllowedHost(
  hostname: string,
  { enabled, allowed, denied }: ClientDocumentSettings,
): boolean {
  const isBelow = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  if (!enabled || denied.some(isBelow)) return false;
  return allowed.length === 0 || allowed.some(isBelow);
}

/** The host of the client's document, the only verified fact about the client. */
export function findDescriber(clientId: string): string | undefined {
  return isDocumentAddress(clientId) ? new URL(clientId).host : undefined;
}
