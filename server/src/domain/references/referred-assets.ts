import type { EntityManager } from "typeorm";
import type { Caller } from "../access/caller.js";
import { idKindOf } from "../values/ids.js";
import { createParameters } from "../sql/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";

/** An asset as a form names it that refers to it. */
export interface ReferredAsset {
  id: string;
  inventory_number: string;
  name: string;
  workspace_id: string | null;
  location: string | null;
}

/** The asset with an id or exact inventory number, if there is one that the caller sees. */
export async function findReferredAsset(
  db: EntityManager,
  caller: Caller,
  reference: string,
): Promise<ReferredAsset | undefined> {
  // No number has control characters, and the database takes no NUL.
  if (reference === "" || /\p{Cc}/u.test(reference)) return undefined;
  const column = idKindOf(reference) === "asset" ? "id" : "inventory_number";
  const parameters = createParameters(caller.organizationId, reference);
  const rows: ReferredAsset[] = await db.query(
    `SELECT a.id, a.inventory_number, a.name, a.workspace_id, a.location FROM assets a
     WHERE a.organization_id = $1 AND a.${column} = $2 AND ${visibleAssetSql(caller, parameters, "a")}`,
    parameters.values,
  );
  return rows[0];
}

/** What the person permanently deleted, by its id; a form that is sent twice asks for it. */
export async function findOwnDeletion(
  db: EntityManager,
  caller: Caller,
  id: string,
): Promise<{ inventory_number: string; name: string } | undefined> {
  if (idKindOf(id) !== "asset") return undefined;
  const rows: { inventory_number: string; name: string }[] = await db.query(
    `SELECT inventory_number, asset_name AS name FROM deletion_records
     WHERE organization_id = $1 AND asset_id = $2 AND actor_user_id = $3 LIMIT 1`,
    [caller.organizationId, id, caller.userId],
  );
  return rows[0];
}
