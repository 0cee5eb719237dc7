import { afterAll, beforeAll, expect, test } from "vitest";
import { createAssets } from "../../../server/src/domain/assets/create-asset.js";
import { findTakenNumbers } from "../../../server/src/domain/assets/inventory-numbers.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { aMember, toCaller } from "../../support/builders.js";
import { createDatabase, type TestDatabase } from "../../support/database.js";
import { captureQueries } from "../../support/recorded-statements.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

interface PlanNode {
  "Node Type": string;
  "Actual Loops": number;
  Plans?: PlanNode[];
}

test("looks up taken numbers once for all assets, even without table statistics", async () => {
  const { db } = database;
  const caller = toCaller(await aMember(db, { role: "owner" }));
  await db.query("ALTER TABLE assets SET (autovacuum_enabled = false)");
  const assets = Array.from({ length: 200 }, (_, index) => ({
    name: "Pump",
    inventory_number: `P-${index}`,
  }));
  await commit({ db, caller }, (tx) => createAssets(tx, caller, assets));

  const numbers = ["P-1", "P-2", "P-9000"];
  const [query] = await captureQueries(() => findTakenNumbers(db, caller, numbers));
  const row = await db.maybe<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${query?.text ?? ""}`,
    [...(query?.values ?? [])],
  );

  const [plan] = row?.["QUERY PLAN"] ?? [];
  const lookUps = nodesOf(plan?.Plan).filter((node) => node["Node Type"] === "Function Scan");
  expect(lookUps.map((node) => node["Actual Loops"])).toEqual([1]);
});

function nodesOf(node: PlanNode | undefined): PlanNode[] {
  return node === undefined ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
