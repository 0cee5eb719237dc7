import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  advisoryLocks,
  distributionColumn,
  distributionCommands,
  exceptions,
  places,
  placesAsMarkdown,
  type Place,
} from "../../distribution/tables.js";
import { statementsOf } from "../../distribution/trigger-statements.js";
import { check, parse } from "../../isolation/recorded.js";
import { useDatabase } from "../../support/database.js";

/*
 * The rules of Citus for tables that are distributed, copied to every node, or kept on the
 * coordinator, asked of the catalogue: Citus itself cannot be installed here.
 */

const db = useDatabase();
const server = join(import.meta.dirname, "../../../server");
const scaling = readFileSync(join(server, "SCALING.md"), "utf8");

interface Column {
  table: string;
  name: string;
  type: string;
  collation: string;
  nullable: boolean;
  identity: string;
}

interface ForeignKey {
  name: string;
  source: string;
  target: string;
  sourceColumns: string[];
  targetColumns: string[];
  onDelete: string;
  onUpdate: string;
}

interface Trigger {
  name: string;
  table: string;
  ofRows: boolean;
  code: string;
}

let columns: Column[];

beforeAll(async () => {
  columns = await db().query(
    `SELECT c.relname AS "table", a.attname AS name, a.atttypid::regtype::text AS type,
       a.attcollation::regcollation::text AS collation, NOT a.attnotnull AS nullable,
       a.attidentity AS identity
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND NOT a.attisdropped AND c.relname <> 'migrations'`,
  );
});

const placeOf = (table: string): Place => {
  const place = places.get(table);
  if (place === undefined) throw new Error(`${table} has no place in test/distribution/tables.ts.`);
  return place;
};

function foreignKeys(): Promise<ForeignKey[]> {
  const names = (numbers: string, table: string) =>
    `(SELECT array_agg(a.attname::text ORDER BY k.place)
      FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
      JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = k.number)`;
  return db().query(
    `SELECT conname AS name, conrelid::regclass::text AS source, confrelid::regclass::text AS target,
       ${names("conkey", "conrelid")} AS "sourceColumns",
       ${names("confkey", "confrelid")} AS "targetColumns",
       confdeltype AS "onDelete", confupdtype AS "onUpdate"
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
}

function triggers(): Promise<Trigger[]> {
  return db().query(
    `SELECT t.tgname AS name, t.tgrelid::regclass::text AS "table", t.tgtype & 1 = 1 AS "ofRows",
       pg_get_functiondef(t.tgfoid) AS code
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace`,
  );
}

describe("distributed by organization", () => {
  test("every table has its place", () => {
    const tables = new Set(columns.map(({ table }) => table));

    expect([...places.keys()].sort()).toEqual([...tables].sort());
  });

  test("what distributes is never null, and of one type and collation in all tables", () => {
    const kinds = [...places.keys()].flatMap((table) => {
      const name = distributionColumn(table);
      if (name === undefined) return [];
      const column = columns.find((each) => each.table === table && each.name === name);
      return [`${column?.type} ${column?.collation} ${column?.nullable}`];
    });

    expect(new Set(kinds)).toEqual(new Set(['text "default" false']));
  });

  test("keys, unique indexes and exclusions of a distributed table hold its column", async () => {
    const indexes: { name: string; table: string; columns: string[] }[] = await db().query(
      `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS "table",
         ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid
           AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])) AS columns
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       WHERE (i.indisunique OR i.indisexclusion)
         AND c.relnamespace = current_schema()::regnamespace AND c.relname <> 'migrations'`,
    );

    expect(indexes.length).toBeGreaterThan(50);
    const without = indexes.filter(({ table, columns: own }) => {
      const column = distributionColumn(table);
      return column !== undefined && !own.includes(column);
    });
    expect(without).toEqual([]);
  });

  test("foreign keys lead to where they may", async () => {
    const allowed: Record<Place, Place[]> = {
      distributed: ["distributed", "reference"],
      reference: ["reference"],
      coordinator: ["coordinator", "reference"],
    };

    const keys = await foreignKeys();

    expect(keys.length).toBeGreaterThan(40);
    const wrong = keys.filter(
      ({ source, target }) => !allowed[placeOf(source)].includes(placeOf(target)),
    );
    expect(wrong).toEqual([]);
  });

  test("foreign keys within an organization say it on both sides, and never empty it", async () => {
    const keys = (await foreignKeys()).filter(({ source }) => placeOf(source) === "distributed");

    const wrong = keys.filter((key) => {
      const place = key.sourceColumns.indexOf(distributionColumn(key.source) ?? "");
      if (placeOf(key.target) === "reference") return place !== -1;
      // SET NULL is refused even where it names only other columns (citusdata/citus#7132).
      const changes = ["n", "d"].includes(key.onDelete) || !["a", "r"].includes(key.onUpdate);
      return place === -1 || key.targetColumns[place] !== distributionColumn(key.target) || changes;
    });
    expect(wrong).toEqual([]);
  });

  test("numbers that count themselves are bigint", () => {
    const small = columns.filter(({ identity, type }) => identity !== "" && type !== "bigint");

    expect(small).toEqual([]);
  });

  test("no table is a view, a partition, or changed by a rule", async () => {
    const others: unknown[] = await db().query(
      `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace
         AND (relkind IN ('v', 'm', 'p', 'f') OR relhasrules OR relispartition)`,
    );

    expect(others).toEqual([]);
  });
});

describe("triggers", () => {
  test("copies on every node have none, and distributed tables run them for rows", async () => {
    const all = await triggers();
    const ofStatements = all.filter(
      ({ table, ofRows }) => placeOf(table) === "distributed" && !ofRows,
    );

    expect(all.filter(({ table }) => placeOf(table) === "reference")).toEqual([]);
    expect(ofStatements.map(({ name }) => name)).toEqual(Object.keys(exceptions.statementTriggers));
  });

  test("of distributed tables stay in the shard: what they read and write is of the same organization", async () => {
    const shared = (await triggers()).filter(({ table }) => placeOf(table) === "distributed");

    const { problems, tables } = await look(shared);

    expect(problems).toEqual([]);
    expect(tables.size).toBeGreaterThan(5);
    expect([...tables].filter((table) => placeOf(table) !== "distributed")).toEqual([]);
  });

  test("that leave their organization are noticed", async () => {
    const code = `CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM assets WHERE id = NEW.id) THEN NEW.name := 'there'; END IF;
      UPDATE workspaces SET name = (SELECT max(name) FROM invites) WHERE organization_id = OLD.organization_id;
      RETURN NULL;
    END $$`;

    const { problems, tables } = await look([{ name: "leave", code }]);

    expect(problems).toEqual([
      "assets assets is not bound to an organization",
      "invites invites is not bound to an organization",
    ]);
    expect([...tables].sort()).toEqual(["assets", "invites", "workspaces"]);
  });

  async function look(of: Pick<Trigger, "name" | "code">[]) {
    const problems: string[] = [];
    const tables = new Set<string>();
    for (const { name, code } of of)
      for (const text of await statementsOf(code))
        for (const statement of await parse(text)) {
          problems.push(...check(statement, { text, from: name }).problems);
          for (const [, table = ""] of JSON.stringify(statement).matchAll(/"relname":"(\w+)"/g))
            tables.add(table);
        }
    return { problems, tables };
  }
});

test("advisory locks are about one organization, or about what is on the coordinator", () => {
  const src = join(server, "src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const locking = files.filter((name) =>
    /pg_\w*advisory/.test(readFileSync(join(src, name), "utf8")),
  );

  expect(locking.sort()).toEqual(Object.keys(advisoryLocks).sort());
});

describe("server/SCALING.md", () => {
  test("says of each table where it is", () => {
    expect(scaling).toContain(placesAsMarkdown());
  });

  test("its steps keep every foreign key", async () => {
    const steps = [...scaling.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql);
    const before = await foreignKeys();
    // The two functions of Citus note what they were called for.
    const runner = db().createQueryRunner();
    await runner.startTransaction();
    await runner.query(`
      CREATE TEMP TABLE called (place text, name regclass) ON COMMIT DROP;
      CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE sql
        AS $$ INSERT INTO called VALUES ('reference', name) $$;
      CREATE FUNCTION create_distributed_table(name regclass, by text, colocate_with text DEFAULT '')
        RETURNS void LANGUAGE sql AS $$ INSERT INTO called VALUES ('distributed', name) $$;`);
    for (const sql of steps.filter((text) => !text.includes("ALTER SYSTEM")))
      await runner.query(sql);
    const called: { place: Place; name: string }[] = await runner.manager.query(
      "SELECT place, name::text FROM called",
    );
    await runner.commitTransaction();
    await runner.release();

    expect(steps.join("")).toContain(distributionCommands());
    expect(called.every(({ place, name }) => placeOf(name) === place)).toBe(true);
    expect(await foreignKeys()).toEqual(expect.arrayContaining(before));
  });
});
