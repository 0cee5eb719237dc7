import type { Database } from "./database.js";

/**
 * Replaces PostgreSQL's autovacuum, with its usual thresholds, for the embedded database. Frees the
 * space of old rows and updates planner statistics. Processes one table at a time, so no one waits
 * long.
 */
export async function vacuumEmbedded(db: Database): Promise<void> {
  const tables: { name: string }[] = await db.query(
    `SELECT quote_ident(s.relname) AS name FROM pg_stat_user_tables s
     JOIN pg_class c ON c.oid = s.relid, LATERAL (SELECT greatest(c.reltuples, 0) AS rows) known
     WHERE s.n_dead_tup > 50 + 0.2 * known.rows OR s.n_mod_since_analyze > 50 + 0.1 * known.rows
     ORDER BY s.relname`,
  );
  for (const { name } of tables) await db.query(`VACUUM (ANALYZE) ${name}`);
}
