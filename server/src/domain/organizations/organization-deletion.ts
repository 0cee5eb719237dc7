import { noTimeLimit, type Database, type Tx, type EntityMetadata } from "../../db/database.js";
import { Organization } from "../../db/entities/organizations.js";
import { commit } from "../history/transactions.js";
import { operatorName, recordActivity, type Activity } from "../audit/record-activity.js";

export interface DeletedOrganization {
  /** Number of deleted rows, without cascades. */
  rows: number;
  /** Number of entries ever in the audit chain, and the hash of the last one. */
  audit_entries: number;
  audit_hash: string | null;
}

/**
 * Author of the log entries. The details name the person who asked. An entry under their account
 * would be visible to admins of all their organizations.
 */
export type DeletedBy = Pick<Activity, "actorName" | "details">;

const byOperator: DeletedBy = { actorName: operatorName };

/**
 * Called with a table and its number of deleted rows so far. It is awaited, and an error stops the
 * deletion.
 */
export type Progress = (table: string, rows: number) => unknown;

/**
 * Deletes an organization with all its data. People keep their accounts. First revokes all access,
 * then deletes rows in batches of 1000, and finally the organization with its audit. Call it again
 * to resume after an interruption.
 */
export async function deleteOrganization(
  db: Database,
  id: string,
  progress: Progress,
  by = byOperator,
): Promise<DeletedOrganization> {
  await commit({ db, caller: null }, (tx) => closeOrganization(tx, id, by));
  const tables = tablesInOrder(db);
  await analyzeChanged(db, tables);
  let rows = 0;
  for (const table of tables) {
    for (const { columnNames } of table.foreignKeys.filter(isToItself)) {
      const column = columnNames.at(-1) ?? "";
      const detach = {
        act: `UPDATE ${table.tableName} SET ${column} = NULL`,
        where: `${column} IS NOT NULL`,
      };
      await inBatches(db, table, id, detach, () => undefined);
    }
    const act = `DELETE FROM ${table.tableName}`;
    rows += await inBatches(db, table, id, { act, where: "TRUE" }, progress);
  }
  const audit = await commit({ db, caller: null }, (tx) => removeOrganization(tx, id, by));
  return { rows, ...audit };
}

/**
 * Tables that grant access to people and apps or notify them. Tokens are deleted with their
 * connections.
 */
const ways = [
  "oauth_connections",
  "oauth_authorization_codes",
  "invites",
  "mail_outbox",
  "push_messages",
  "webhooks",
  "provider_identities",
  "identity_provider_domains",
  "identity_providers",
  "workspace_members",
];

export async function closeOrganization(tx: Tx, id: string, by: DeletedBy): Promise<void> {
  await tx.query(noTimeLimit);
  const counts = await tx.maybe<object>(
    `SELECT $1 AS organization_id,
       (SELECT count(*)::int FROM organization_members
        WHERE organization_id = $1 AND removed_at IS NULL) AS members,
       (SELECT count(*)::int FROM assets WHERE organization_id = $1) AS assets,
       (SELECT count(*)::int FROM maintenance_tasks WHERE organization_id = $1) AS tasks`,
    [id],
  );
  // From here on, members' changes can't be committed. Their assignments are deleted later.
  await tx.query(
    `UPDATE organization_members SET removed_at = app_now()
     WHERE organization_id = $1 AND removed_at IS NULL`,
    [id],
  );
  // Also stops public reports. Rows added during the deletion would make it fail.
  await tx.update(Organization, { id }, { public_reports: false });
  for (const table of ways) await tx.query(`DELETE FROM ${table} WHERE organization_id = $1`, [id]);
  await tx.query("DELETE FROM unique_names WHERE organization_id = $1 AND kind = 'domain'", [id]);
  await recordActivity(tx, {
    actorName: by.actorName,
    type: "organization_closed",
    details: { ...by.details, ...counts },
  });
}

const isToItself = ({
  entityMetadata,
  referencedEntityMetadata,
}: EntityMetadata["foreignKeys"][number]) => entityMetadata === referencedEntityMetadata;

/** Tables whose primary key begins with the organization, each before the tables it references. */
function tablesInOrder({ tables }: Database): EntityMetadata[] {
  const ordered: EntityMetadata[] = [];
  let left = tables.filter(
    ({ primaryColumns: [first, second] }) =>
      first?.databaseName === "organization_id" && second !== undefined,
  );
  while (left.length > 0) {
    const needed = new Set(
      left.flatMap(({ foreignKeys }) =>
        foreignKeys.filter((key) => !isToItself(key)).map((key) => key.referencedEntityMetadata),
      ),
    );
    ordered.push(...left.filter((table) => !needed.has(table)));
    left = left.filter((table) => needed.has(table));
  }
  return ordered;
}

/**
 * Without statistics, foreign key checks scan the whole organization for each row. Analyzes changed
 * tables one by one: together they take longer than a connection may be silent.
 */
async function analyzeChanged(db: Database, tables: EntityMetadata[]): Promise<void> {
  const changed = await db.query<{ name: string }>(
    `SELECT s.relname AS name FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
     WHERE s.relname = ANY ($1) AND (c.reltuples < 0 OR s.n_mod_since_analyze > 50 + 0.1 * c.reltuples)`,
    [tables.map(({ tableName }) => tableName)],
  );
  for (const { name } of changed) {
    await commit({ db, caller: null }, async (tx) => {
      await tx.query(noTimeLimit);
      await tx.query(`ANALYZE ${name}`);
    });
  }
}

const batchSize = 1000;

/** Pages through the rows by key, so none is read twice. Returns their number. */
async function inBatches(
  db: Database,
  { tableName, primaryColumns }: EntityMetadata,
  id: string,
  { act, where }: { act: string; where: string },
  progress: Progress,
): Promise<number> {
  const keys = primaryColumns.slice(1).map(({ databaseName }) => databaseName);
  const places = keys.map((_, index) => `$${index + 2}`).join(", ");
  let [all, last]: [number, string[]] = [0, []];
  for (let count = batchSize; count === batchSize; all += count) {
    const after = last.length === 0 ? "" : `AND (${keys.join(", ")}) > (${places})`;
    const [batch]: { count: number; last: string[] }[] = await commit(
      { db, caller: null },
      async (tx) => {
        await tx.query(noTimeLimit);
        await tx.query("SET LOCAL fettle.force_delete = 'on'");
        return tx.query(
          `WITH batch AS (SELECT ctid AS place, ${keys.join(", ")} FROM ${tableName}
           WHERE organization_id = $1 AND ${where} ${after} ORDER BY ${keys.join(", ")} LIMIT ${batchSize}),
         changed AS (${act} WHERE ctid = ANY (ARRAY(SELECT place FROM batch)))
         SELECT (SELECT count(*)::int FROM batch) AS count, ARRAY[${keys.map((key) => `${key}::text`).join(", ")}] AS last
         FROM batch ORDER BY ${keys.map((key) => `batch.${key} DESC`).join(", ")} LIMIT 1`,
          [id, ...last],
        );
      },
    );
    ({ count, last } = batch ?? { count: 0, last });
    await progress(tableName, all + count);
  }
  return all;
}

async function removeOrganization(
  tx: Tx,
  id: string,
  by: DeletedBy,
): Promise<Omit<DeletedOrganization, "rows">> {
  await tx.query(noTimeLimit);
  await tx.query("SET LOCAL fettle.force_delete = 'on'");
  const chain = await tx.maybe<{ entries: number; hash: string }>(
    "SELECT sequence::int AS entries, encode(hash, 'hex') AS hash FROM audit_chains WHERE id = $1",
    [id],
  );
  const audit = { audit_entries: chain?.entries ?? 0, audit_hash: chain?.hash ?? null };
  for (const table of ["activity_log", "tool_call_log", "unique_names"]) {
    await tx.query(`DELETE FROM ${table} WHERE organization_id = $1`, [id]);
  }
  // The chain comes first, because the signer locks it.
  await tx.query("DELETE FROM audit_chains WHERE id = $1", [id]);
  await tx.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
  const affected = await tx.delete(Organization, { id });
  // Another run has already deleted and logged the organization.
  if (affected === 0) return audit;
  await recordActivity(tx, {
    actorName: by.actorName,
    type: "organization_deleted",
    details: { organization_id: id, ...audit },
  });
  return audit;
}
