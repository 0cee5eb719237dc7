import type { DataSource, EntityMetadata } from "typeorm";
import { noTimeLimit } from "../../db/backup/dump.js";

/** Whose data: all of an organization, or all about a person, wherever they are. */
export type Subject = { organizationId: string } | { userId: string; email: string };

const batchSize = 500;

/**
 * JSON Lines with every row, table by table, as of one moment; without secrets, and without what is
 * only there to be searched.
 */
export async function* exportData(db: DataSource, subject: Subject): AsyncGenerator<string> {
  const runner = db.createQueryRunner();
  const { manager } = runner;
  try {
    await runner.startTransaction("REPEATABLE READ");
    await manager.query("SET TRANSACTION READ ONLY");
    await manager.query(noTimeLimit);
    for (const table of db.entityMetadatas) {
      const condition = conditionOf(table, subject);
      if (condition === undefined) continue;
      const { tableName, primaryColumns } = table;
      const order = primaryColumns.map(({ databaseName }) => `t.${databaseName}`).join(", ");
      await manager.query(
        `DECLARE exported NO SCROLL CURSOR FOR SELECT (to_jsonb(t) - $1::text[])::text AS row
         FROM ${tableName} t WHERE ${condition} ORDER BY ${order}`,
        [secretsOf(table), JSON.stringify(subject)],
      );
      for (let count = batchSize; count === batchSize;) {
        const rows: { row: string }[] = await manager.query(`FETCH ${batchSize} FROM exported`);
        count = rows.length;
        for (const { row } of rows) yield `{"table":"${tableName}","row":${row}}`;
      }
      await manager.query("CLOSE exported");
    }
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Which rows of a table are the subject's, which is $2; undefined for none. */
function conditionOf({ tableName, columns }: EntityMetadata, subject: Subject): string | undefined {
  const names = columns.map(({ databaseName }) => databaseName);
  const value = (name: string) => `($2::jsonb ->> '${name}')`;
  if ("organizationId" in subject) {
    if (tableName === "organizations") return `t.id = ${value("organizationId")}`;
    if (tableName === "users") {
      return `t.id IN (SELECT user_id FROM organization_members
        WHERE organization_id = ${value("organizationId")})`;
    }
    return names.includes("organization_id")
      ? `t.organization_id = ${value("organizationId")}`
      : undefined;
  }
  const conditions = names.flatMap((name) => {
    if (tableName === "users" ? name === "id" : namesPerson.test(name))
      return `t.${name} = ${value("userId")}`;
    return tableName !== "users" && namesAddress.test(name)
      ? `t.${name} = ${value("email")}::citext`
      : [];
  });
  return conditions.length === 0 ? undefined : conditions.join(" OR ");
}

const namesPerson = /^(user_id|.+_user_id|.+_by)$/;
const namesAddress = /^(email|recipient)$/;

/** Hashes, keys and what is encrypted are bytes; of texts these are as secret, codes of labels as well. */
function secretsOf({ tableName, columns }: EntityMetadata): string[] {
  return columns
    .filter(
      ({ type, databaseName }) =>
        type === "bytea" ||
        type === "tsvector" ||
        databaseName === "password_hash" ||
        databaseName === "qr_token" ||
        (tableName === "sessions" && databaseName === "data"),
    )
    .map(({ databaseName }) => databaseName);
}
