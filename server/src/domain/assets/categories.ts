import type { Tx } from "../../db/database.js";
import { AssetCategory } from "../../db/entities/assets.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import { createId } from "../shared/ids.js";
import { anywhere, createParameters } from "../../db/parameters.js";
import { cleanText } from "../shared/text.js";
import { visibleAssetSql } from "../access/visibility.js";

export type Category = Pick<AssetCategory, "id" | "name" | "default_criticality">;

export interface EnsuredCategory extends Category {
  isNew: boolean;
}

export function cleanCategory(name: string): string {
  return cleanText(name, { field: "category", max: 100 });
}

/** Finds a category by its name (case ignored), or creates it. */
export async function ensureCategory(
  tx: Tx,
  caller: Caller,
  name: string,
): Promise<EnsuredCategory> {
  const cleaned = cleanCategory(name);
  const known = await findCategory(tx, caller, cleaned);
  if (known !== undefined) return { ...known, isNew: false };
  const inserted = await tx.query(
    `INSERT INTO asset_categories (id, organization_id, name) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT asset_categories_organization_id_name_key DO NOTHING RETURNING id`,
    [createId("category"), caller.organizationId, cleaned],
  );
  const created = await findCategory(tx, caller, cleaned);
  if (created === undefined) throw new Error("A category that was just created is missing.");
  return { ...created, isNew: inserted.length > 0 };
}

async function findCategory(tx: Tx, caller: Caller, name: string): Promise<Category | undefined> {
  const where = { organization_id: caller.organizationId, name };
  const select = { id: true, name: true, default_criticality: true };
  return tx.findOne(AssetCategory, { select, where });
}

/**
 * Returns up to three categories with a similar name, unless a visible asset has exactly that one.
 */
export async function findNearCategories(db: Tx, caller: Caller, text: string): Promise<string[]> {
  return findNear(
    db,
    caller,
    text,
    (visible) => `SELECT c.name::text FROM asset_categories c
      WHERE c.organization_id = $1 AND EXISTS (SELECT 1 FROM assets a
        WHERE a.organization_id = $1 AND a.category_id = c.id AND ${visible})`,
  );
}

/** Returns up to three tags with a similar name, unless a visible asset has exactly that one. */
export async function findNearTags(db: Tx, caller: Caller, text: string): Promise<string[]> {
  return findNear(
    db,
    caller,
    text,
    (visible) => `SELECT DISTINCT unnest(a.tags) FROM assets a
      WHERE a.organization_id = $1 AND a.tags <> '{}' AND ${visible}`,
  );
}

/** `toSource` selects all names on assets (`a`) that pass a condition. */
async function findNear(
  db: Tx,
  caller: Caller,
  text: string,
  toSource: (visible: string) => string,
): Promise<string[]> {
  const parameters = createParameters(caller.organizationId, text, anywhere(text));
  const visible = `a.state <> 'deleted' AND ${visibleAssetSql(caller, parameters, "a")}`;
  const rows = await db.query<{ name: string }>(
    `WITH known AS (SELECT name FROM (${toSource(visible)}) AS source (name))
     SELECT name FROM known
     WHERE (name % $2 OR $2 <% name OR name ILIKE $3)
       AND NOT EXISTS (SELECT 1 FROM known WHERE lower(name) = lower($2))
     ORDER BY similarity(name, $2) + word_similarity($2, name) DESC, name LIMIT 3`,
    parameters.values,
  );
  return rows.map(({ name }) => name);
}

/** Other names can still be typed in forms, and filtered where they appear. */
const maxNames = 1000;

export async function findCategoryNames(db: Tx, caller: Caller): Promise<string[]> {
  const parameters = createParameters(caller.organizationId);
  const visible = visibleAssetSql(caller, parameters, "a");
  const rows = await db.query<{ name: string }>(
    `SELECT c.name::text AS name FROM asset_categories c
     WHERE c.organization_id = $1 AND (${String(isOrganizationAdmin(caller))} OR EXISTS (
       SELECT 1 FROM assets a
       WHERE a.organization_id = $1 AND a.category_id = c.id AND ${visible}))
     ORDER BY c.name LIMIT ${maxNames}`,
    parameters.values,
  );
  return rows.map(({ name }) => name);
}
