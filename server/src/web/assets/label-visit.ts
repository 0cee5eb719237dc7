import type { FastifyRequest } from "fastify";
import type { Tx } from "../../db/database.js";
import { findAssetOfCode, findOrganizationOfCode } from "../../domain/assets/asset-sightings.js";
import type { Caller } from "../../domain/access/caller.js";
import { inOrganization } from "../../domain/organizations/organizations.js";

/** The label's asset as the member sees it, with a caller in the asset's organization. */
export interface OwnAsset {
  id: string;
  caller: Caller;
}

/** Searches all of the person's organizations. Undefined if the person can't see the asset. */
export async function findOwnAsset(
  db: Tx,
  { caller, memberships }: FastifyRequest,
  code: string,
): Promise<OwnAsset | undefined> {
  if (caller === null) return undefined;
  const organization = await findOrganizationOfCode(
    db,
    code,
    memberships.map(({ id }) => id),
  );
  const membership = memberships.find(({ id }) => id === organization);
  if (membership === undefined) return undefined;
  // Replaces everything that depends on the organization. The check at the commit uses the roles
  // there.
  const there: Caller = { ...caller, ...inOrganization(membership) };
  const id = await findAssetOfCode(db, there, code);
  return id === undefined ? undefined : { id, caller: there };
}
