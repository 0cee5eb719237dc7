import type { Database, Tx, EntityMetadata } from "../../db/database.js";
import { readContent, readFiles } from "../files/file-contents.js";
import type { ObjectStore } from "../files/object-store.js";
import { batchSizeOf } from "../../db/backup/dump.js";
import { bytesAtOnce, withinBytes } from "../../db/within-bytes.js";

/** Whose data: all of an organization, or all about a person, wherever they are. */
export type Subject = { organizationId: string } | { userId: string; email: string };

/**
 * JSON Lines with every row, table by table, as of one moment; without secrets, and without what is
 * only there to be searched. Of an organization with what is in its files, as bytes in hexadecimal.
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

/** Those with rows that can be the subject's. */
export function tablesOf(db: Database, subject: Subject): EntityMetadata[] {
  return db.tables.filter((table) => conditionOf(table, subject) !== undefined);
}

/** The subject's rows of a table as JSON, in the order of their keys, some at a time. */
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
  // Not asked of the first ones: a plan for both would read the table from its beginning each time.
  const isLater = `AND (${listOf("t")}) >
    (SELECT ${listOf("l")} FROM jsonb_populate_record(NULL::${tableName}, $3::jsonb) l)`;
  let last: string[] = [];
  let limit = most;
  for (let isOver = false; !isOver;) {
    const rows = await db.query<{ row: string; key: string; found: number }>(
      withinBytes(
        ["row"],
        `SELECT (${rowOf(table, subject)})::text AS row, (${key})::text AS key FROM ${tableName} t
         WHERE (${conditionOf(table, subject) ?? "FALSE"}) ${last.length > 0 ? isLater : ""}
         ORDER BY ${listOf("t")} LIMIT ${limit}`,
      ),
      [secretsOf(table), JSON.stringify(subject), ...last],
    );
    const found = rows[0]?.found ?? 0;
    isOver = found === rows.length && found < limit;
    // Few different ones, as each is a statement of its own.
    const bytes = rows.reduce((sum, { row }) => sum + Buffer.byteLength(row), 0);
    if (found > rows.length) limit = Math.ceil(limit / 4);
    else if (bytes * 4 <= bytesAtOnce) limit = Math.min(limit * 4, most);
    last = rows.slice(-1).map((one) => one.key);
    for (const { row } of rows) yield row;
  }
}

/** Of people an organization gets who they are, and the addresses of those who are with it still. */
function rowOf({ tableName }: EntityMetadata, subject: Subject): string {
  const isWhole = tableName !== "users" || !("organizationId" in subject);
  const isMember = `EXISTS (SELECT FROM organization_members m WHERE m.user_id = t.id
    AND m.organization_id = $2::jsonb ->> 'organizationId' AND m.removed_at IS NULL)`;
  const person = `jsonb_build_object('id', t.id, 'name', t.name,
    'email', CASE WHEN ${isMember} THEN t.email END)`;
  return `${isWhole ? "to_jsonb(t)" : person} - $1::text[]`;
}

/** What is in files that are not in the database, as if it were. */
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
        (type === "bytea" && tableName !== "file_pieces") ||
        type === "tsvector" ||
        databaseName === "password_hash" ||
        databaseName === "qr_token" ||
        (tableName === "sessions" && databaseName === "data"),
    )
    .map(({ databaseName }) => databaseName);
}
