import type { Tx } from "../../db/database.js";
import type { Asset } from "../../db/entities/assets.js";
import { AppError } from "../../errors.js";
import { DeletionRecord } from "../../db/entities/people.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import type { Refusals } from "./refusals.js";
import { dayIn } from "./dates.js";
import { idKindOf } from "./ids.js";
import { compared, createParameters } from "../../db/parameters.js";
import { queryWithTimeout } from "../../db/query-with-timeout.js";
import { looksLikeTaskNumber } from "./task-references.js";
import { visibleAssetSql } from "../access/visibility.js";
import { rejectWrongKindOfId } from "./wrong-kind-of-id.js";

export interface ReferenceOptions {
  field?: string;
  /** Locks the asset until the transaction ends. */
  lock?: boolean;
}

/** Finds an asset's id by id or exact inventory number, if the caller may see it. */
export async function getAssetId(
  db: Tx,
  caller: Caller,
  reference: string,
  { field = "asset_id", lock = false }: ReferenceOptions = {},
): Promise<string> {
  const parameters = createParameters(caller.organizationId, reference);
  const found = await db.maybe<{ id: string }>(
    `SELECT a.id FROM assets a WHERE a.organization_id = $1 AND ${assetOfReference(reference, field)}
       AND ${visibleAssetSql(caller, parameters, "a")}${lock ? " FOR NO KEY UPDATE" : ""}`,
    parameters.values,
  );
  if (found === undefined) throw await assetNotFound(db, caller, reference, field);
  return found.id;
}

/** SQL condition: asset `a` has the id or exact inventory number $2. */
export function assetOfReference(reference: string, field = "asset_id"): string {
  rejectWrongKindOfId(reference, "asset", field);
  return `a.${idKindOf(reference) === "asset" ? "id" : "inventory_number"} = $2`;
}

/**
 * Locks assets, including the assets of tasks, then the tasks. All code that locks several uses
 * this order.
 */
export async function lockAssets(
  tx: Tx,
  caller: Caller,
  { assets, tasks = [] }: { assets: string[]; tasks?: string[] },
): Promise<void> {
  await tx.query(
    `SELECT 1 FROM assets a WHERE a.organization_id = $1 AND (a.id = ANY ($2::text[]) OR a.id IN
       (SELECT t.asset_id FROM maintenance_tasks t
        WHERE t.organization_id = $1 AND t.id = ANY ($3::text[])))
     ORDER BY a.id FOR NO KEY UPDATE`,
    [caller.organizationId, assets, tasks],
  );
  if (tasks.length === 0) return;
  await tx.query(
    `SELECT 1 FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.id = ANY ($2::text[])
     ORDER BY t.id FOR NO KEY UPDATE`,
    [caller.organizationId, tasks],
  );
}

export async function assetNotFound(
  db: Tx,
  caller: Caller,
  reference: string,
  field = "asset_id",
): Promise<AppError> {
  const deletion = await findDeletion(db, caller, reference);
  if (deletion !== undefined) {
    return new AppError("not_found", "asset_deleted_for_good", { field, ...deletion });
  }
  const nearest =
    idKindOf(reference) === "asset"
      ? []
      : await queryWithTimeout(db, (tx) => findNearAssets(tx, caller, reference));
  const isTaskNumber = looksLikeTaskNumber(reference);
  return new AppError("not_found", "asset_not_found", { field, reference, isTaskNumber, nearest });
}

/** Details of a permanently deleted asset. Only for callers who see everything. */
async function findDeletion(
  db: Tx,
  caller: Caller,
  reference: string,
): Promise<Refusals["asset_deleted_for_good"] | undefined> {
  if (!isOrganizationAdmin(caller)) return undefined;
  const column = idKindOf(reference) === "asset" ? "asset_id" : "inventory_number";
  const found = await db.findOne(DeletionRecord, {
    where: { organization_id: caller.organizationId, [column]: reference },
    order: { id: "DESC" },
  });
  if (found === undefined) return undefined;
  const { inventory_number, asset_name: name, actor_name: by, deleted_at: at } = found;
  return { reference, inventory_number, name, by, day: dayIn(caller.timeZone, at) };
}

export type NearAsset = Pick<Asset, "inventory_number" | "name" | "state">;

/**
 * Up to three assets whose name or number resembles a text. A number with other leading zeros comes
 * first, even of a retired asset.
 */
export async function findNearAssets(db: Tx, caller: Caller, text: string): Promise<NearAsset[]> {
  const parameters = createParameters(caller.organizationId, compared(text), otherZeros(text));
  return db.query(
    `SELECT a.inventory_number, a.name, a.state FROM assets a
     WHERE a.organization_id = $1 AND ${visibleAssetSql(caller, parameters, "a")}
       AND (a.inventory_number = ANY ($3::text[]) OR (a.state <> 'deleted'
         AND (a.name % $2 OR $2 <% a.name OR a.inventory_number % $2)))
     ORDER BY a.inventory_number = ANY ($3::text[]) DESC,
       greatest(similarity(a.name, $2), word_similarity($2, a.name),
         similarity(a.inventory_number, $2)) DESC, a.id
     LIMIT 3`,
    parameters.values,
  );
}

const maxDigits = 12;

/** Spellings of a number such as "434-3" with more or fewer zeros: "434-000003". */
function otherZeros(text: string): string[] {
  const [, start = "", given = ""] = /^(.*\D|)(\d{1,64})$/.exec(text) ?? [];
  const digits = given.replace(/^0+(?=\d)/, "");
  if (digits === "") return [];
  const lengths = Array.from({ length: maxDigits }, (_, index) => index + 1);
  return [...new Set(lengths.map((length) => start + digits.padStart(length, "0")))];
}
