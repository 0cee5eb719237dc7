import type { EntityManager } from "typeorm";
import type { Criticality } from "../../db/entities/asset.js";
import type { Caller } from "../caller.js";
import { createId } from "../ids.js";
import { cleanText } from "../text.js";

export interface Category {
  id: string;
  name: string;
  default_criticality: Criticality | null;
}

/** Finds a category by its name (case ignored), or creates it. */
export async function ensureCategory(
export interface EnsuredCategory extends Category {
  /** Whether this call created it. */
  isNew: boolean;
}

  tx: EntityManager,
  caller: Caller,
  name: string,
): Promise<EnsuredCategory> {
  const cleaned = cleanText(name, { field: "category", max: 100 });
  const known = await findCategory(tx, caller, cleaned);
  if (known !== undefined) return { ...known, isNew: false };
  const inserted: unknown[] = await tx.query(
    `INSERT INTO asset_categories (id, organization_id, name) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT asset_categories_organization_id_name_key DO NOTHING RETURNING id`,
    [createId("category"), caller.organizationId, cleaned],
  );
  const created = await findCategory(tx, caller, cleaned);
  if (created === undefined) throw new Error("A category that was just created is missing.");
  return { ...created, isNew: inserted.length > 0 };
}

async function findCategory(
  tx: EntityManager,
  caller: Caller,
  name: string,
): Promise<Category | undefined> {
  const rows: Category[] = await tx.query(
    `SELECT id, name::text AS name, default_criticality FROM asset_categories
     WHERE organization_id = $1 AND name = $2::citext`,
    [caller.organizationId, name],
  );
  return rows[0];
}
