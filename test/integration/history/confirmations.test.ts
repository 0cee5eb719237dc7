import { expect, test } from "vitest";
import {
  askPerson,
  confirmQuestion,
  takeConfirmation,
} from "../../../server/src/domain/access/confirmations.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { changeRules } from "../../../server/src/domain/organizations/organization-rules.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { aClient, approve, signIn } from "../../support/oauth.js";

const current = useApp();

test("CNF-05: keeps a confirmation and its five minutes when the app asks again", async () => {
  const { db } = current();
  const { member, connectionId } = await connect(current());
  const caller = toCaller(member);
  const call = {
    ...{ connectionId, tool: "delete_workspace", arguments: { workspace_id: "Dock" } },
    ...{ question: { about: "workspace", name: "Dock" } as const, answer: "Dock" },
  };
  const id = await askPerson(db, caller, call);
  await db.transaction((tx) => confirmQuestion(tx, caller, id, "Dock"));
  const yes: unknown = await db.query("SELECT * FROM confirmations");

  expect(await askPerson(db, caller, call)).toBe(id);

  expect(await db.query("SELECT * FROM confirmations")).toEqual(yes);
  const other = { ...call, question: { about: "person", name: "Dock" } as const };
  expect(await takeConfirmation(db, caller, other, null)).toBe(false);
  expect(await takeConfirmation(db, caller, call, null)).toBe(true);
  expect(await takeConfirmation(db, caller, call, null)).toBe(false);
});

test("the page shows verified details of an app that may have been renamed", async () => {
  const { app, db } = current();
  const { member, connectionId } = await connect(current());
  const id = await askPerson(db, toCaller(member), {
    ...{ connectionId, tool: "delete_workspace", arguments: { workspace_id: "Dock" } },
    ...{ question: { about: "workspace", name: "Dock" } as const, answer: "Dock" },
  });
  await db.query(
    `WITH renamed AS (
       INSERT INTO oauth_clients (id, name, redirect_uris, token_endpoint_auth_method, grant_types)
       VALUES ('https://tidy.example/app.json', 'Claude', '{https://tidy.example/back}', 'none', '{}')
       RETURNING id)
     UPDATE oauth_connections SET client_id = renamed.id, redirect_uri = 'https://tidy.example/back'
     FROM renamed WHERE oauth_connections.id = $1`,
    [connectionId],
  );

  const page = await (await signIn(app, member)).get(`/confirm/${id}`);

  expect(page.body).toContain('<strong dir="auto">Claude</strong> wants');
  expect(page.body).toContain('Described by <strong dir="auto">tidy.example</strong> (verified)');
});

test("RVK-20 rejects changes of an app that got its first token as the rule started", async () => {
  const { app, db } = current();
  const owner = await aMember(db, { role: "owner" });
  const person = await aMember(db, { organization: owner.organization, role: "admin" });
  await approve(await signIn(app, person), await aClient(app));
  const caller = toCaller(person, "admin");
  await commit({ db, caller }, async () => undefined);

  await db.transaction((tx) =>
    changeRules(tx, toCaller(owner), "deletions", { deletion_needs_person: true }),
  );

  const late = commit({ db, caller }, async () => undefined);
  await expect(late).rejects.toMatchObject({ key: "access_changed" });
});
