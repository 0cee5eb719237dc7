import type { Database, Tx, EntityMetadata } from "../../db/database.js";
import { readContent, readFiles } from "../files/file-contents.js";
import type { ObjectStore } from "../files/object-store.js";
import { batchSizeOf } from "../../db/backup/dump.js";
import { bytesAtOnce, assertMaxBytes } from "../../db/assert-max-bytes.js";

/** The data to export: an organization's, or everything about a person. */
export type Subject = { organizationId: string } | { userId: string; email: string };

/**
 * Yields every row as JSON Lines, table by table, from one snapshot. Omits secrets and search
 * columns. For an organization, includes file contents as hexadecimal bytes.
 */
export async function* exportData(
  db: Database,
  subject: Subject,
  objects?: ObjectStore,
): AsyncGenerator<string> {
  yield* db.snapshot(async function* (tx) {
    for (const table of tablesOf(db, subject)) {
      for await (const row of readRows(tx, table, subject)) {
        yield `{"table":"${table.tableName}","row":${row}}`;
      }
    }
  });
  if ("organizationId" in subject) yield* exportObjects(db, subject.organizationId, objects);
}

export function tablesOf(db: Database, subject: Subject): EntityMetadata[] {
  return db.tables.filter((table) => conditionOf(table, subject) !== undefined);
}

/** Yields the subject's rows of a table as JSON, in key order, in batches. */
export async function* readRows(
  db: Tx,
  table: EntityMetadata,
  subject: Subject,
): AsyncGenerator<string> {
  const { tableName, primaryColumns } = table;
  const keys = primaryColumns.map(({ databaseName: name }) => name);
  const listOf = (alias: string) => keys.map((name) => `${alias}.${name}`).join(", ");
  const key = `jsonb_build_object(${keys.map((name) => `'${name}', t.${name}`).join(", ")})`;
  const most = batchSizeOf(tableName);
  // Omitted for the first batch: a plan for both cases would read the table from its start each
  // time.
  const isLater = `AND (${listOf("t")}) >
    (SELECT ${listOf("l")} FROM jsonb_populate_record(NULL::${tableName}, $3::jsonb) l)`;
  let last: string[] = [];
  let limit = most;
  for (let isOver = false; !isOver;) {
    const rows = await db.query<{ row: string; key: string; found: number }>(
      assertMaxBytes(
        ["row"],
        `SELECT (${rowOf(table, subject)})::text AS row, (${key})::text AS key FROM ${tableName} t
         WHERE (${conditionOf(table, subject) ?? "FALSE"}) ${last.length > 0 ? isLater : ""}
         ORDER BY ${listOf("t")} LIMIT ${limit}`,
      ),
      [secretsOf(table), JSON.stringify(subject), ...last],
    );
    const found = rows[0]?.found ?? 0;
    isOver = found === rows.length && found < limit;
    // Few distinct limits, because each is a separate statement.
    const bytes = rows.reduce((sum, { row }) => sum + Buffer.byteLength(row), 0);
    if (found > rows.length) limit = Math.ceil(limit / 4);
    else if (bytes * 4 <= bytesAtOnce) limit = Math.min(limit * 4, most);
    last = rows.slice(-1).map((one) => one.key);
    for (const { row } of rows) yield row;
  }
}

/** An organization gets its people's ids and names, and the emails of current members. */
function rowOf({ tableName }: EntityMetadata, subject: Subject): string {
  const isWhole = tableName !== "users" || !("organizationId" in subject);
  const isMember = `EXISTS (SELECT FROM organization_members m WHERE m.user_id = t.id
    AND m.organization_id = $2::jsonb ->> 'organizationId' AND m.removed_at IS NULL)`;
  const person = `jsonb_build_object('id', t.id, 'name', t.name,
    'email', CASE WHEN ${isMember} THEN t.email END)`;
  return `${isWhole ? "to_jsonb(t)" : person} - $1::text[]`;
}

/** Yields the contents of files stored outside the database, as if they were stored inside. */
async function* exportObjects(
  db: Database,
  organization_id: string,
  objects: ObjectStore | undefined,
): AsyncGenerator<string> {
  for await (const file of readFiles(db, organization_id)) {
    if (file.storage !== "s3") continue;
    let position = 0;
    for await (const piece of await readContent(db, objects, file)) {
      const content = `\\x${(piece as Buffer).toString("hex")}`;
      const row = { organization_id, file_id: file.id, position, content };
      yield JSON.stringify({ table: "file_pieces", row });
      position += 1;
    }
  }
}

/** SQL condition for the subject's ($2) rows of a table. Undefined if there are none. */
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

/**
 * Secret columns: all binary columns (hashes, keys, encrypted values) and these text columns,
 * including label codes.
 */
function secretsOf({ tableName, columns }: EntityMetadata): string[] {
  return columns
    .filter(
      ({ type, databaseName }) =>
        (type === "bytea" && tableName !== "file_pieces") ||
        type === "tsvector" ||
        databaseName === "password_hash" ||
        databaseName === "qr_token" ||
        (tableName === "sessions" && databaseName === "data"),
    )
    .map(({ databaseName }) => databaseName);
}
