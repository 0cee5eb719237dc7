import type { Database } from "../../server/src/db/database.js";

/** Every row of every table, as table name and text. */
export async function allRows(db: Database): Promise<string[]> {
  const rows = await Promise.all(
    db.tables.map(({ tableName }): Promise<{ row: string }[]> =>
      db.query(`SELECT '${tableName} ' || to_jsonb(t)::text AS row FROM ${tableName} t`),
    ),
  );
  return rows.flat().map(({ row }) => row);
}
