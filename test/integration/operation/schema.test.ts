// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { rules } from "../../../server/src/db/query-errors.js";
import { readSqlFiles } from "../../../server/src/db/sql-files.js";
import { useDatabase } from "../../support/database.js";

const db = useDatabase();

describe("database schema", () => {
  test("the entities and the migrations describe the same schema", async () => {
    const { upQueries } = await db().source.driver.createSchemaBuilder().log();

    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  test("has the constraints behind refusals", async () => {
    const there = await column(
      `SELECT conname::text FROM pg_constraint UNION SELECT relname::text FROM pg_class WHERE relkind = 'i'`,
    );

    expect(there).toEqual(expect.arrayContaining(Object.values(rules).flat()));
  });

  test("every table has an entity", async () => {
    const tables = await column(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'public'
         AND tablename NOT IN ('migrations', 'schema_functions')`,
    );

    const described = db().tables.map(({ tableName }) => tableName);

    expect(described.sort()).toEqual(tables.sort());
  });

  test("enum checks allow exactly the entities' values", async () => {
    const allowed = (expression: string) => expression.match(/'[^']*'/g)?.sort();
    const enumerations = db()
      .tables.flatMap(({ checks }) => checks)
      .filter(({ expression }) => expression !== "");

    expect(enumerations.length).toBeGreaterThan(20);
    for (const { name, expression } of enumerations) {
      const [check] = await column(
        `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = '${name}'`,
      );
      expect(allowed(check ?? ""), name).toEqual(allowed(expression));
    }
  });

  test("every foreign key between tables with organization_id includes it", async () => {
    const loose = await column(`
      WITH tenant AS (
        SELECT attrelid, attnum FROM pg_attribute WHERE attname = 'organization_id' AND attnum > 0
      )
      SELECT conname FROM pg_constraint
        JOIN tenant source ON source.attrelid = conrelid
        JOIN tenant target ON target.attrelid = confrelid
      WHERE contype = 'f' AND NOT EXISTS (
        SELECT FROM unnest(conkey, confkey) AS pair (source_column, target_column)
        WHERE source_column = source.attnum AND target_column = target.attnum)`);

    expect(loose).toEqual([]);
  });

  test("every primary key and unique index within an organization includes it", async () => {
    const loose = await column(`
      SELECT i.indexrelid::regclass FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = 'organization_id' AND a.attnotnull
      WHERE (i.indisunique OR i.indisexclusion) AND i.indrelid <> 'unique_names'::regclass
        AND a.attnum <> ALL ((i.indkey::int2[])[0:i.indnkeyatts - 1])`);

    expect(loose).toEqual([]);
  });

  test("every constraint and index is named table_column_kind", async () => {
    // The last word is the kind. The name of a primary key has no column.
    const misnamed = await column(`
      WITH named AS (
        SELECT conrelid AS relation, conname AS name, CASE contype
          WHEN 'p' THEN '_pkey' WHEN 'u' THEN '_.+_key' WHEN 'f' THEN '_.+_fkey'
          WHEN 'c' THEN '_.+_check' END AS kind
        FROM pg_constraint WHERE contype IN ('p', 'u', 'f', 'c')
        UNION ALL
        SELECT indrelid, relname, '_.+_idx' FROM pg_index JOIN pg_class ON oid = indexrelid
        WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
      )
      SELECT name FROM named JOIN pg_class t ON t.oid = relation
      WHERE relnamespace = 'public'::regnamespace AND relname <> 'migrations'
        AND name !~ ('^' || relname || kind || '$')`);

    expect(misnamed).toEqual([]);
  });
});

describe("functions and triggers", () => {
  const files = readSqlFiles("functions");
  const ours = `p.pronamespace = current_schema()::regnamespace AND NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`;

  test("each is defined only by the file with its name", async () => {
    const functions = await column(
      `SELECT p.proname || CASE WHEN count(*) OVER (PARTITION BY p.proname) > 1
         THEN '(' || pg_get_function_identity_arguments(p.oid) || ')' ELSE '' END
       FROM pg_proc p WHERE ${ours}`,
    );
    const triggers = await column(
      `SELECT t.tgname || ' of ' || p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
       WHERE NOT t.tgisinternal`,
    );

    const inFiles = files.map(({ name, text }) => ({
      file: name.split(".")[0],
      functions: [...text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, of]) => of),
      triggers: [
        ...text.matchAll(/^CREATE (?:OR REPLACE|CONSTRAINT) TRIGGER (\w+)[^;]* FUNCTION (\w+)/gm),
      ].map(([, trigger = "", of = ""]) => `${trigger} of ${of}`),
    }));
    expect(inFiles.map(({ functions: defined }) => defined)).toEqual(
      inFiles.map(({ file }) => [file]),
    );
    expect(files).toHaveLength(functions.length);
    expect(new Set(inFiles.map(({ file }) => file))).toEqual(
      new Set(functions.map((name) => name.split("(")[0])),
    );
    expect(inFiles.flatMap((file) => file.triggers).sort()).toEqual(triggers.sort());
  });

  test("each matches its file, and its body is valid", async () => {
    const definitions = () =>
      column(
        `SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE ${ours}
         UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`,
      ).then((found) => found.sort());
    const migrated = await definitions();

    for (const { text } of files) await db().query(text.split("-- Afterwards")[0] ?? "");

    expect(await definitions()).toEqual(migrated);
  });
});

describe("history events", () => {
  const refusal = "history events are append-only";

  beforeAll(async () => {
    await insertAsset("ast_1", "L-8");
    await db().query(
      `INSERT INTO history_events (id, organization_id, asset_id, occurred_at, type, actor_name, source)
       VALUES ('evt_1', 'org_1', 'ast_1', now(), 'asset_created', 'Ada', 'web')`,
    );
  });

  test.each(["UPDATE history_events SET note = 'changed'", "DELETE FROM history_events"])(
    "rejects %s",
    async (statement) => {
      await expect(db().query(statement)).rejects.toThrow(refusal);
    },
  );

  test("rejects TRUNCATE, even while force deletion is on", async () => {
    await expect(db().query("TRUNCATE history_events")).rejects.toThrow(refusal);
    await expect(
      db().transaction(async (tx) => {
        await tx.query("SET LOCAL fettle.force_delete = 'on'");
        await tx.query("TRUNCATE history_events");
      }),
    ).rejects.toThrow(refusal);
  });

  test("force deletion can't change an event", async () => {
    await expect(
      db().transaction(async (tx) => {
        await tx.query("SET LOCAL fettle.force_delete = 'on'");
        await tx.query("UPDATE history_events SET note = 'changed'");
      }),
    ).rejects.toThrow(refusal);
  });

  test("force deletion can delete until its transaction ends", async () => {
    const runner = db().source.createQueryRunner();
    await runner.query(
      `INSERT INTO history_events (id, organization_id, occurred_at, type, actor_name, source)
       VALUES ('evt_2', 'org_1', now(), 'note_added', 'Ada', 'web')`,
    );

    await runner.startTransaction();
    await runner.query("SET LOCAL fettle.force_delete = 'on'");
    await runner.query("DELETE FROM history_events WHERE id = 'evt_2'");
    await runner.commitTransaction();

    expect(await column("SELECT id FROM history_events")).toEqual(["evt_1"]);
    await expect(runner.query("DELETE FROM history_events")).rejects.toThrow(refusal);
    await runner.release();
  });
});

describe("retired inventory number", () => {
  const refusal = {
    driverError: { code: "23505", constraint: "retired_inventory_numbers_pkey" },
  };

  beforeAll(async () => {
    await insertAsset("ast_2", "L-9");
    await db().query(
      `INSERT INTO retired_inventory_numbers (organization_id, inventory_number)
       VALUES ('org_1', 'L-7')`,
    );
  });

  test("is rejected on insert", async () => {
    await expect(insertAsset("ast_3", "L-7")).rejects.toMatchObject(refusal);
  });

  test("is rejected when renumbering an asset", async () => {
    await expect(
      db().query("UPDATE assets SET inventory_number = 'L-7' WHERE id = 'ast_2'"),
    ).rejects.toMatchObject(refusal);
  });

  test("of another organization can be used", async () => {
    await expect(insertAsset("ast_4", "L-7", "org_2")).resolves.toBeUndefined();
  });
});

async function column(sql: string): Promise<string[]> {
  const rows = await db().query<Record<string, unknown>>(sql);
  return rows.map((row) => String(Object.values(row)[0]));
}

async function insertAsset(id: string, number: string, organizationId = "org_1"): Promise<void> {
  await db().query(
    `INSERT INTO organizations (id, name, slug, inventory_prefix)
     VALUES ($1, 'Acme', replace($1, '_', '-'), '100') ON CONFLICT DO NOTHING`,
    [organizationId],
  );
  await db().query(
    `INSERT INTO users (id, email, name) VALUES ('usr_1', 'ada@example.com', 'Ada')
     ON CONFLICT DO NOTHING`,
  );
  await db().query(
    `INSERT INTO assets (id, organization_id, inventory_number, name, qr_token, created_by)
     VALUES ($1, $2, $3, 'Dock', $1, 'usr_1')`,
    [id, organizationId, number],
  );
}
