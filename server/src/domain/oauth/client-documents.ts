import { isIP } from "node:net";
import { redirectUriProblem } from "./redirect-uris.js";

/*
 * A client may be known by the https address of a document about it, which is then its client_id
 * (draft-ietf-oauth-client-id-metadata-document). Ids that we give never look like this.
 */

export interface ClientDocumentSettings {
  enabled: boolean;
  /** Domains with all that is below them; none means all. */
  allowed: readonly string[];
  denied: readonly string[];
}

/** It is a primary key. */
const maxLength = 512;

export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith("https://");
}

/**
 * The address to read, or undefined when an id is none (§3 of the draft): spelled as browsers spell
 * it, with a path and a domain name, without fragment and user.
 */
export function toDocumentUrl(clientId: string): URL | undefined {
  if (!isDocumentAddress(clientId) || clientId.length > maxLength) return undefined;
  if (redirectUriProblem(clientId, []) !== undefined) return undefined;
  const url = new URL(clientId);
  const isDomain = isIP(url.hostname) === 0 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname);
  return isDomain && url.pathname !== "/" ? url : undefined;
}

/** Whether documents of a host may be read at all. */
export function isAllowedHost(
  hostname: string,
  { enabled, allowed, denied }: ClientDocumentSettings,
): boolean {
  const isBelow = (domain: string) => hostname === domain || hostname.endsWith(`.${domain}`);
  if (!enabled || denied.some(isBelow)) return false;
  return allowed.length === 0 || allowed.some(isBelow);
}

/** Who describes the client, as far as that is certain: the host of its document. */
export function findDescriber(clientId: string): string | undefined {
  return isDocumentAddress(clientId) ? new URL(clientId).host : undefined;
}
