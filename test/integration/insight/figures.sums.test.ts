import { expect, test } from "vitest";
import { rollUpFigures } from "../../../server/src/domain/insight/roll-up-figures.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";

const current = useApp();

test("LIM-50 sums many differences quickly without table statistics", async () => {
  const { db } = current();
  const { organizationId } = await aMember(db);
  await db.query("ANALYZE figures");
  await db.query(
    `INSERT INTO figures (organization_id, workspace_id, kind, day, key, n, amount)
     SELECT $1, 'wsp_' || i % 8, 'task', date '2026-01-01' + i % 100, 'open', 1, 2
     FROM generate_series(1, 100000) i`,
    [organizationId],
  );

  // One at a time would exceed the test's timeout.
  await rollUpFigures(db);

  const sums = await db.query(
    `SELECT level, count(*)::int AS rows, sum(n)::int AS n, sum(amount)::int AS amount
     FROM figures WHERE organization_id = $1 GROUP BY level ORDER BY level`,
    [organizationId],
  );
  expect(sums).toEqual([
    { level: 1, rows: 200, n: 100_000, amount: 200_000 },
    { level: 2, rows: 100, n: 100_000, amount: 200_000 },
  ]);
});
