import type { FastifyRequest } from "fastify";
import type { Tx } from "../../db/database.js";
import { findAssetOfCode, findOrganizationOfCode } from "../../domain/assets/asset-sightings.js";
import type { Caller } from "../../domain/access/caller.js";
import { findPlaceOfCode, type PlaceLabelRow } from "../../domain/labels/place-labels.js";
import { inOrganization } from "../../domain/organizations/organizations.js";

/** A label as the member sees it, with a caller in the label's organization. */
export interface OwnLabel {
  caller: Caller;
  /** The id of its asset. Undefined if it is a place's or the person can't see the asset. */
  asset: string | undefined;
  /** Likewise. */
  place: PlaceLabelRow | undefined;
}

/** Searches all of the person's organizations. Undefined if none of them has the label. */
export async function findOwnLabel(
  db: Tx,
  { caller, memberships }: FastifyRequest,
  code: string,
): Promise<OwnLabel | undefined> {
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
  const asset = await findAssetOfCode(db, there, code);
  const place = asset === undefined ? await findPlaceOfCode(db, there, code) : undefined;
  return { caller: there, asset, place };
}
