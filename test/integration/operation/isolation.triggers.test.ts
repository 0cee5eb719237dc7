import { expect, test } from "vitest";
import { check, parse } from "../../isolation/recorded.js";
import { statementsOf } from "../../isolation/trigger-statements.js";
import { useDatabase } from "../../support/database.js";

// Recorded statements exclude those of triggers.

const db = useDatabase();

interface Trigger {
  name: string;
  code: string;
}

async function findProblems(triggers: Trigger[]) {
  const problems: string[] = [];
  const tables = new Set<string>();
  for (const { name, code } of triggers)
    for (const text of await statementsOf(code))
      for (const statement of await parse(text)) {
        problems.push(...check(statement, { text, from: name }).problems);
        for (const [, table = ""] of JSON.stringify(statement).matchAll(/"relname":"(\w+)"/g))
          tables.add(table);
      }
  return { problems, tables: [...tables].sort() };
}

test("triggers read and write only rows of their row's organization", async () => {
  const triggers: Trigger[] = await db().query(
    `SELECT t.tgname AS name, pg_get_functiondef(t.tgfoid) AS code
     FROM pg_trigger t JOIN pg_attribute a ON a.attrelid = t.tgrelid
     WHERE NOT t.tgisinternal AND a.attname = 'organization_id' AND a.attnotnull`,
  );

  const { problems, tables } = await findProblems(triggers);

  expect(problems).toEqual([]);
  expect(tables.length).toBeGreaterThan(5);
});

test("detects a trigger that crosses organizations", async () => {
  const code = `CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM assets WHERE id = NEW.id) THEN NEW.name := 'there'; END IF;
    UPDATE workspaces SET name = (SELECT max(name) FROM invites) WHERE organization_id = OLD.organization_id;
    RETURN NULL;
  END $$`;

  const { problems, tables } = await findProblems([{ name: "leave", code }]);

  expect(problems).toEqual([
    "assets assets is not bound to an organization",
    "invites invites is not bound to an organization",
  ]);
  expect(tables).toEqual(["assets", "invites", "workspaces"]);
});
