import { createHmac, hkdfSync } from "node:crypto";
import { createToken, idPrefixes } from "../shared/ids.js";
import { hashSecret } from "../shared/secrets.js";

interface LinkId {
  organizationId: string;
  id: string;
}

/** Derives the secrets of contractors' links, so that later emails can repeat the link. */
export interface TaskLinkSecrets {
  /** The secret of a new link. It begins with the organization, which is needed to look it up. */
  create: (link: LinkId) => string;
  /** Undefined if the key of the link is no longer configured. */
  find: (link: LinkId, hash: Buffer) => string | undefined;
}

const secretForm = new RegExp(`^([0-9a-z]{${createToken().length}})[\\w-]{43}$`);

/** Returns the organization of a secret. Undefined for other texts. */
export function organizationOfSecret(secret: string): string | undefined {
  const [, organization] = secretForm.exec(secret) ?? [];
  return organization && idPrefixes.organization + organization;
}

/** Creates with the newest key and finds with any key. */
export function createTaskLinkSecrets(secretKeys: readonly string[]): TaskLinkSecrets {
  const keys = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "fettle contractor link", 32)),
  );
  const newest = keys[0];
  if (newest === undefined) throw new Error("Contractor links need at least one secret key.");
  return {
    create: (link) => derive(newest, link),
    find: (link, hash) =>
      keys.map((key) => derive(key, link)).find((secret) => hashSecret(secret).equals(hash)),
  };
}

function derive(key: Buffer, { organizationId, id }: LinkId): string {
  const secret = createHmac("sha256", key).update(`${organizationId} ${id}`).digest("base64url");
  return organizationId.slice(idPrefixes.organization.length) + secret;
}
