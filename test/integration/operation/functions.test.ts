// @module-tag embedded

import { beforeEach, describe, expect, test, vi } from "vitest";
import { dump } from "../../../server/src/db/backup/dump.js";
import { load } from "../../../server/src/db/backup/load.js";
import type { Piece } from "../../../server/src/db/backup/pieces.js";
import { migrate } from "../../../server/src/db/migrate.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller } from "../../support/builders.js";
import { createDatabase } from "../../support/database.js";

const testApp = useApp();
let assetId: string;

beforeEach(async () => {
  const { db } = testApp();
  const member = await aMember(db);
  const { asset } = await db.transaction((tx) =>
    createAsset(tx, toCaller(member), { name: "Pump 2" }),
  );
  assetId = asset.id;
});

/**
 * Makes the database look as an earlier version left it, with other function definitions or other
 * rows.
 */
async function pretendEarlier(names: string[], ...statements: string[]): Promise<void> {
  const { db } = testApp();
  for (const statement of statements) await db.query(statement);
  await db.query("UPDATE schema_functions SET hash = 'earlier' WHERE name = ANY ($1)", [names]);
}

async function nameKey(db = testApp().db): Promise<unknown> {
  const [row] = await db.query<{ name_key: string }>("SELECT name_key FROM assets WHERE id = $1", [
    assetId,
  ]);
  return row?.name_key;
}

describe("function with a changed file", () => {
  test("is redefined, and its earlier rows are updated", async () => {
    await pretendEarlier(
      ["natural_key"],
      "CREATE OR REPLACE FUNCTION natural_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT RETURN 'earlier'",
      "UPDATE assets SET name = name",
    );
    expect(await nameKey()).toBe("earlier");
    const onPending = vi.fn();

    await migrate(testApp().db, onPending);

    expect(onPending).toHaveBeenCalled();
    expect(await nameKey()).toBe("pump 0000000002");
  });

  test("isn't redefined while its file is unchanged", async () => {
    await pretendEarlier([], "UPDATE assets SET name_key = 'by hand'");
    const onPending = vi.fn();

    await migrate(testApp().db, onPending);

    expect(onPending).not.toHaveBeenCalled();
    expect(await nameKey()).toBe("by hand");
  });

  test("updates no rows when the function is new", async () => {
    const { db } = testApp();
    await db.query("UPDATE assets SET name_key = 'by hand'");
    await db.query("DELETE FROM schema_functions WHERE name = 'natural_key'");

    await migrate(db);

    expect(await nameKey()).toBe("by hand");
  });
});

test("recomputes figures, search words and indexes for all functions that maintain them", async () => {
  const { db } = testApp();
  const kept = () =>
    db.query(
      `SELECT a.id, a.search, a.name_key, a.awaits_work, fettle_fold(a.name) LIKE '%pump%' AS folded,
         (SELECT json_agg(f ORDER BY f) FROM (SELECT kind, day, key, sum(n) AS n FROM figures
            WHERE organization_id = a.organization_id AND level < 2
            GROUP BY 1, 2, 3 HAVING sum(n) <> 0) f) AS figures
       FROM assets a WHERE a.id = $1`,
      [assetId],
    );
  const before = await kept();
  const names = await db.query<{ name: string }>("SELECT name FROM schema_functions");
  await pretendEarlier(
    names.map(({ name }) => name),
    "UPDATE assets SET search = '', name_key = '', awaits_work = true",
    "DELETE FROM figures",
  );

  await migrate(db);

  expect(await kept()).toEqual(before);
});

test("restoring a backup made with other functions updates its rows", async () => {
  const { db } = testApp();
  await db.query("UPDATE assets SET name_key = 'earlier'");
  await pretendEarlier(["natural_key"]);
  const pieces: Piece[] = [];
  for await (const piece of dump(db, "0.1.0")) pieces.push(piece);
  const target = await createDatabase();

  await load(
    target.db,
    (async function* () {
      yield* pieces;
    })(),
  );

  expect(await nameKey(target.db)).toBe("pump 0000000002");
  await target.drop();
});
