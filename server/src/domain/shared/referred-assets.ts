import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import { DeletionRecord } from "../../db/entities/people.js";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "./ids.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";

export type ReferredAsset = Pick<
  Asset,
  "id" | "inventory_number" | "name" | "workspace_id" | "location"
>;

export async function findReferredAsset(
  db: Tx,
  caller: Caller,
  reference: string,
): Promise<ReferredAsset | undefined> {
  // Inventory numbers have no control characters, and the database rejects NUL.
  if (reference === "" || /\p{Cc}/u.test(reference)) return undefined;
  const column = idKindOf(reference) === "asset" ? "id" : "inventory_number";
  const parameters = createParameters(caller.organizationId, reference);
  return db.maybe<ReferredAsset>(
    `SELECT a.id, a.inventory_number, a.name, a.workspace_id, a.location FROM assets a
     WHERE a.organization_id = $1 AND a.${column} = $2 AND ${visibleAssetSql(caller, parameters, "a")}`,
    parameters.values,
  );
}

/** Finds the caller's permanent deletion of an asset, by its id. For forms submitted twice. */
export async function findOwnDeletion(
  db: Tx,
  caller: Caller,
  id: string,
): Promise<Pick<Asset, "inventory_number" | "name"> | undefined> {
  if (idKindOf(id) !== "asset") return undefined;
  const found = await db.findOne(DeletionRecord, {
    where: {
      organization_id: caller.organizationId,
      asset_id: id,
      actor_user_id: caller.userId,
    },
  });
  return found === undefined
    ? undefined
    : { inventory_number: found.inventory_number, name: found.asset_name };
}
