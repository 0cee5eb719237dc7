import { beforeAll, expect, test } from "vitest";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { useDatabase } from "../../support/database.js";
import { testConfig } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { aToken } from "../../support/tokens.js";
import { allRows } from "../../support/all-rows.js";

const database = useDatabase();
const name = "Zora (Quin) O'Tessa";
const formerName = 'Zora "Zo" Maidenly';
const email = "zora.quintessa+x@example.com";
const refusal = {
  ...{ code: "forbidden", key: "role_too_low" },
  params: { ask: { of: "owners", names: ["Olga Owner", name] } },
};

interface Scene {
  owner: Member;
  person: Member;
}

/** Stores personal data in a column, or gives the reason why the column never contains any. */
type Decision = string | ((scene: Scene) => Promise<unknown>);

const query = (sql: string, ...values: unknown[]) => database().query(sql, values);

function addSet({ owner }: Scene, id: string, state: string, settings: object) {
  return query(
    `INSERT INTO change_sets (organization_id, id, kind, state, user_id, title, settings)
     VALUES ($1, $2, 'undo', $3, $4, 'Undo', $5)`,
    ...[owner.organizationId, id, state, owner.userId, settings],
  );
}

async function addRows({ owner, person }: Scene) {
  const conflicts = [
    { field: "name", by: name },
    { field: "location", by: formerName },
    { refusal },
    {
      field: "assigned_to_user_id",
      refusal: { params: { nearest: [{ id: person.userId, name }] } },
    },
  ];
  for (const state of ["applied", "applying"]) {
    await addSet({ owner, person }, `chg_${state}`, state, {});
    for (const [line, details] of [
      { kind: "asset", conflicts },
      { values: { name: "Pump", assigned_to_user_id: name }, problems: [refusal] },
      { values: { name, email: email.toUpperCase() } },
    ].entries()) {
      await query(
        `INSERT INTO change_set_rows (organization_id, change_set_id, line, outcome, name, details)
         VALUES ($1, $2, $3, 'conflict', $4, $5)`,
        ...[owner.organizationId, `chg_${state}`, line, line === 2 ? name : "Pump", details],
      );
    }
  }
}

/** Every JSON column. A new column fails here until there is a decision. */
const decisions: Record<string, Decision> = {
  "activity_log.details": ({ owner, person }) =>
    query(
      `INSERT INTO activity_log (organization_id, user_id, actor_name, type, details)
       VALUES ($1, $2, 'Olga Owner', 'member_removed', $3), ($1, $4, $5, 'name_changed', $6),
         ($1, $2, 'Olga Owner', 'invite_sent', $7)`,
      ...[owner.organizationId, owner.userId, { user_id: person.userId, name }, person.userId],
      ...[name, { name, former_name: formerName }, { email }],
    ),
  "activity_log.digests": "digests alone, of values that have salts",
  "activity_log.salts": "random, gone with the value",
  "change_set_rows.details": addRows,
  "change_sets.counts": "numbers",
  "change_sets.settings": (scene) => addSet(scene, "chg_stopped", "applying", { problem: refusal }),
  "confirmations.question": ({ owner, person }) =>
    confirm(owner, "cnf_1", { about: "person", name }, person.name),
  "confirmations.response": ({ owner }) => confirm(owner, "cnf_2", { words: name }, email),
  "history_events.before": "columns and whole texts that people wrote; people are ids",
  "history_events.changes": ({ owner, person }) =>
    query(
      `INSERT INTO history_events (id, organization_id, type, occurred_at, actor_user_id, actor_name,
         source, changes) VALUES ('evt_1', $1, 'asset_assigned', now(), $2, $3, 'web', $4)`,
      ...[owner.organizationId, person.userId, formerName],
      JSON.stringify([
        { field: "assigned_to_user_id", to: person.userId },
        { field: "assigned_to", to: formerName },
      ]),
    ),
  "idempotency_records.result": ({ owner }) =>
    query(
      `INSERT INTO idempotency_records (organization_id, user_id, client_id, tool, request_key,
         arguments_hash, result) VALUES ($1, $2, 'c', 'create_invite', 'k', '', $3)`,
      ...[owner.organizationId, owner.userId],
      { invite: { email: email.toUpperCase() }, asset: { assigned_to: name } },
    ),
  "organizations.settings": "empty",
  "procedure_versions.steps": "texts about work, as a task's steps",
  "sessions.data": "how someone signed in; goes with the account",
  "tool_call_log.arguments": "names of arguments and ids, never names and addresses",
  "webhook_deliveries.data": "ids",
};

async function confirm(owner: Member, id: string, question: object, answer: string) {
  const { connectionId } = await aToken(database(), testConfig(), {
    ...owner,
    scopes: ["mcp_read"],
  });
  await query(
    `INSERT INTO confirmations (organization_id, id, connection_id, user_id, call_hash, question,
       answer, expires_at, response) VALUES ($1, $2, $3, $4, $5, $6, $7, now(), $8)`,
    ...[owner.organizationId, id, connectionId, owner.userId, Buffer.from(id), question, answer],
    { action: "accept", content: { name } },
  );
}

let scene: Scene;
beforeAll(async () => {
  const owner = await aMember(database(), { role: "owner", name: "Olga Owner" });
  const { organization } = owner;
  const person = await aMember(database(), { organization, role: "admin", name, email });
  scene = { owner, person };
});

test("every JSON column has an erasure decision", () => {
  const columns = database().tables.flatMap(({ tableName, columns: all }) =>
    all
      .filter(({ type }) => type === "jsonb" || type === "json")
      .map(({ databaseName }) => `${tableName}.${databaseName}`),
  );
  expect(Object.keys(decisions)).toEqual(columns.toSorted());
});

test("erases a person's data from every column, including unfinished undos", async () => {
  for (const decision of Object.values(decisions)) {
    if (typeof decision !== "string") await decision(scene);
  }
  const find = async () =>
    (await allRows(database())).filter((row) => /zora|tessa|maidenly/i.test(row));
  const tables = new Set((await find()).map((row) => row.split(" ")[0]));
  const seeded = Object.entries(decisions).flatMap(([column, decision]) =>
    typeof decision === "string" ? [] : [String(column.split(".")[0])],
  );
  expect([...tables]).toEqual(expect.arrayContaining(seeded));

  await database().transaction((tx) =>
    erasePerson(tx, email, { id: scene.person.userId, name, email }),
  );

  expect(await find()).toEqual([]);
  const kept: unknown = await query("SELECT details FROM change_set_rows WHERE line = 0");
  expect(JSON.stringify(kept)).toContain('"Olga Owner","Former member"');
});
