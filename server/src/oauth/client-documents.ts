import type { FastifyInstance } from "fastify";
import { isAllowedHost, toDocumentUrl } from "../domain/oauth/client-documents.js";
import { toDocumentMetadata, type ClientMetadata } from "../domain/oauth/client-metadata.js";
import {
  findClient,
  findDescribedClient,
  maxDocumentSeconds,
  storeDescribedClient,
  type RegisteredClient,
} from "../domain/oauth/clients.js";
import { createUnusedClientLimit } from "../domain/oauth/oauth-cleanup.js";
import { findOrganizationsOf } from "../domain/organizations/organizations.js";
import { readDocument, type DocumentNetwork } from "./read-document.js";

/** Clients whose id is the URL of their metadata document. */
export interface ClientDocuments {
  /** Returns the document's URL if this server may read it, otherwise undefined. */
  toUrl: (clientId: string) => URL | undefined;
  /**
   * Reads the document on behalf of a person, unless the cached one is fresh. Returns undefined if
   * it can't be read or is invalid. Only the log contains the reason.
   */
  find: (url: URL, personId: string) => Promise<RegisteredClient | undefined>;
}

export function createClientDocuments(app: FastifyInstance): ClientDocuments {
  const { config, systemDb, documentNetwork: network } = app.services;
  const own = new URL(config.baseUrl).hostname;
  const limitUnused = createUnusedClientLimit(systemDb, config.retention);
  const limitPerson = app.services.createLimit("documents-of-person");
  const limitOrganization = app.services.createLimit("documents-of-organization");
  const limitHost = app.services.createLimit("documents-of-host");
  const limitTogether = app.services.createLimit("documents");
  const underWay = new Map<string, Promise<RegisteredClient | undefined>>();

  /**
   * Limits all people of an organization together. They must not use up a host's or everyone's
   * allowance.
   */
  async function limitOrganizations(personId: string): Promise<void> {
    const organizations = await findOrganizationsOf(systemDb, personId);
    const homes = await Promise.all(
      organizations.map(({ id }) => app.services.quotaOrganizationOf(id)),
    );
    // A person without an organization can't connect apps yet.
    for (const home of new Set(homes.length === 0 ? ["none"] : homes))
      await limitOrganization(home);
  }

  /** Checks the cache again first, because another read may have finished meanwhile. */
  async function read(url: URL): Promise<RegisteredClient | undefined> {
    const known = await findDescribedClient(systemDb, url.href);
    if (known !== undefined) return known;
    const description = await readDescription(app, url, network);
    if (description === undefined) return undefined;
    const { metadata, seconds } = description;
    const client = await storeDescribedClient(systemDb, url.href, metadata, seconds);
    await limitUnused(Buffer.byteLength(JSON.stringify(client)));
    return client;
  }

  return {
    toUrl: (clientId) => {
      const url = toDocumentUrl(clientId);
      // Content that people store on this server must not speak in its name.
      if (url === undefined || url.hostname === own) return undefined;
      return isAllowedHost(url.hostname, config.clientDocuments) ? url : undefined;
    },
    find: async (url, personId) => {
      const known = await findDescribedClient(systemDb, url.href);
      if (known !== undefined) return known;
      await limitPerson(personId);
      // Documents read before have a separate limit. No one can disable an app by using up its
      // host's reads, or retain outdated metadata.
      const wasRead = (await findClient(systemDb, url.href)) !== undefined;
      if (!wasRead) await limitOrganizations(personId);
      await limitHost(wasRead ? url.href : url.hostname);
      if (!wasRead) await limitTogether("everybody");
      const present = underWay.get(url.href);
      if (present !== undefined) return present;
      const reading = read(url).finally(() => underWay.delete(url.href));
      underWay.set(url.href, reading);
      return reading;
    },
  };
}

interface Description {
  metadata: ClientMetadata;
  /** How long the metadata is valid. */
  seconds: number;
}

async function readDescription(
  app: FastifyInstance,
  url: URL,
  network: DocumentNetwork,
): Promise<Description | undefined> {
  try {
    const { document, cacheControl } = await readDocument(url, network);
    const metadata = toDocumentMetadata(document, url.href, app.services.config.redirectSchemes);
    return { metadata, seconds: toSeconds(cacheControl) };
  } catch (error) {
    app.log.info({ err: error, client: url.href }, "a client's metadata document was refused");
    return undefined;
  }
}

const [minSeconds, defaultSeconds] = [60, 3600];

/** RFC 9111 §5.2.2, within bounds: neither a read per request, nor never again. */
function toSeconds(cacheControl: string): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return minSeconds;
  const maxAge = /\bmax-age="?(\d+)/i.exec(cacheControl)?.[1];
  return Math.min(Math.max(Number(maxAge ?? defaultSeconds), minSeconds), maxDocumentSeconds);
}
