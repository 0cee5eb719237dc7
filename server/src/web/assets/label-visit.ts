import type { FastifyRequest } from "fastify";
import type { Tx } from "../../db/database.js";
import { findAssetOfCode, findOrganizationOfCode } from "../../domain/assets/asset-sightings.js";
import type { Caller } from "../../domain/access/caller.js";
import { inOrganization } from "../../domain/organizations/organizations.js";

/** The asset of a label as a member sees it, who then acts in its organization. */
export interface OwnAsset {
  id: string;
  caller: Caller;
}

/** In whichever organization of the person it is; undefined where the person does not see it. */
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
  // All that hangs on the organization: the check at the commit asks for the roles in that one.
  const there: Caller = { ...caller, ...inOrganization(membership) };
  const id = await findAssetOfCode(db, there, code);
  return id === undefined ? undefined : { id, caller: there };
}
