import { expect, test } from "vitest";
import {
  askPerson,
  confirmQuestion,
  takeConfirmation,
} from "../../server/src/domain/confirmations/confirmations.js";
import { useApp } from "../support/app.js";
import { toCaller } from "../support/builders.js";
import { connect } from "../support/mcp.js";

const current = useApp();

test("CNF-05: a yes stays one when the app asks again, for the same five minutes", async () => {
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
