import type { EntityManager } from "typeorm";
import { AppError } from "../../errors.js";
import type { Caller } from "../caller.js";
import { idKindOf } from "../ids.js";
import { createParameters } from "../parameters.js";
import { quote } from "../quote.js";
import { seesAsset } from "../visibility.js";
import { refuseOtherIds } from "../wrong-id.js";

export interface ReferenceOptions {
  /** The argument that holds the reference. */
  field?: string;
  /** Locks the asset against other changes until the transaction ends. */
  lock?: boolean;
}

/** Finds the id of an asset given by id or exact inventory number, if the caller may see it. */
export async function getAssetId(
  db: EntityManager,
  caller: Caller,
  reference: string,
  { field = "asset_id", lock = false }: ReferenceOptions = {},
): Promise<string> {
  refuseOtherIds(reference, "asset", { field, orElse: "an inventory number" });
  const column = idKindOf(reference) === "asset" ? "id" : "inventory_number";
  const parameters = createParameters(caller.organizationId, reference);
  const rows: { id: string }[] = await db.query(
    `SELECT a.id FROM assets a WHERE a.organization_id = $1 AND a.${column} = $2
       AND ${seesAsset(caller, parameters, "a")}${lock ? " FOR NO KEY UPDATE" : ""}`,
    parameters.values,
  );
  const found = rows[0];
  if (found === undefined) throw await assetNotFound(db, caller, reference, field);
  return found.id;
}

export async function assetNotFound(
  db: EntityManager,
  caller: Caller,
  reference: string,
  field = "asset_id",
): Promise<AppError> {
  const near = idKindOf(reference) === "asset" ? [] : await findNearAssets(db, caller, reference);
  const nearest = near[0] === undefined ? "" : ` Nearest: ${near[0]}.`;
  return new AppError(
    "not_found",
    `Asset not found for ${quote(reference)}.${nearest} Use list_assets to look it up. It may also be in a workspace you cannot see, or have been permanently deleted.`,
    { field, ...(near.length > 0 && { details: { nearest: near } }) },
  );
}

/** Up to three assets whose name or number looks like a text, as `number ("name")`. */
export async function findNearAssets(
  db: EntityManager,
  caller: Caller,
  text: string,
): Promise<string[]> {
  const parameters = createParameters(caller.organizationId, text);
  const rows: { inventory_number: string; name: string }[] = await db.query(
    `SELECT a.inventory_number, a.name FROM assets a
     WHERE a.organization_id = $1 AND a.state <> 'deleted'
       AND ${seesAsset(caller, parameters, "a")}
       AND (a.name % $2 OR $2 <% a.name OR a.inventory_number % $2)
     ORDER BY greatest(similarity(a.name, $2), word_similarity($2, a.name),
       similarity(a.inventory_number, $2)) DESC, a.id
     LIMIT 3`,
    parameters.values,
  );
  return rows.map((row) => `${row.inventory_number} (${quote(row.name)})`);
}
