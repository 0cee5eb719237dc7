import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  beginSample,
  deleteGivenUpSamples,
  deleteSample,
  giveUpSample,
} from "../../../server/src/demo/own-sample.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";

// Like a PostgreSQL server. On the embedded database all organizations share their turns.
const current = useApp({ rateLimit: true, databaseUrl: "postgres://127.0.0.1/tests" });

/** The id of a sample that a person creates in their current organization. */
async function sampleOf(member: Member): Promise<string> {
  const { id } = await commit({ db: current().db, caller: null }, (tx) =>
    beginSample(tx, toCaller(member)),
  );
  return id;
}

/** An owner with two samples: their own, and one that a guest created inside it. */
async function aHomeWithSamples() {
  const owner = await aMember(current().db);
  const guest = await aMember(current().db);
  const first = await sampleOf(owner);
  const second = await sampleOf({ ...guest, organizationId: first });
  const [home, samples] = [owner.organizationId, [first, second]];
  const all = [home, ...samples];
  // Looked up in advance so they queue before others.
  for (const id of all) await current().app.services.quotaOrganizationOf(id);
  return { owner, home, samples, all };
}

function aWait() {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  return { held, end };
}

/** Returns true if the work is over after all ready tasks ran. */
async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  void work.then(() => (over = true));
  await current().db.query("SELECT 1");
  await setImmediate();
  return over;
}

test("LIM-68 samples of an organization share its anonymous queue", async () => {
  const { app, db } = current();
  const { all } = await aHomeWithSamples();
  const other = await aMember(db);
  const { held, end } = aWait();

  const turns = all.map((id) => app.services.anonymousQueue(id, () => held));
  await app.services.anonymousQueue(other.organizationId, async () => undefined);

  expect(await isOver(Promise.any(turns))).toBe(false);
  end();
  await Promise.all(turns);
});

test("LIM-68 samples of an organization share its queue for changing several records", async () => {
  const { app, db } = current();
  const { owner, samples } = await aHomeWithSamples();
  const others = [await aMember(db), await aMember(db)];
  const leave = await app.services.takeTurn(owner);

  const turns = samples.map((organizationId, at) =>
    app.services.takeTurn({ organizationId, userId: others[at]?.userId ?? "" }),
  );
  const [other] = others;
  if (other !== undefined) (await app.services.takeTurn(other))();

  expect(await isOver(Promise.any(turns))).toBe(false);
  leave();
  // On a slow machine some have already timed out.
  for (const turn of turns) (await turn.catch(() => () => undefined))();
});

test("LIM-73 background jobs of an organization's samples wait for its own jobs", async () => {
  const { app, db } = current();
  const { home, all } = await aHomeWithSamples();
  const other = await aMember(db);
  const { held, end } = aWait();

  const begun: string[] = [];
  const jobs = all.map((organizationId) =>
    app.services.runJob({ name: "test", organizationId, id: "1" }, () => {
      begun.push(organizationId);
      return held;
    }),
  );
  await app.services.runJob(
    { name: "test", organizationId: other.organizationId, id: "1" },
    async () => undefined,
  );

  expect(begun).toEqual([home]);
  end();
  await Promise.all(jobs);
});

test("LIM-73 deleting a sample yields to other jobs between steps", async () => {
  const { app, db } = current();
  const { owner, samples } = await aHomeWithSamples();
  let steps = 0;
  for (const id of samples) {
    await commit({ db, caller: null }, (tx) => giveUpSample(tx, id, toCaller(owner)));
    await app.services.runJob({ name: "test", organizationId: id, id }, (shouldContinue) =>
      deleteSample(db, id, () => {
        steps += 1;
        return shouldContinue();
      }),
    );
  }
  const left = await db.query("SELECT 1 FROM organizations WHERE id = ANY ($1)", [samples]);
  expect(left).toEqual([]);
  expect(steps).toBeGreaterThan(samples.length);
});

test("LIM-73 deleting a sample can be resumed after the server stops", async () => {
  const { db } = current();
  const { owner, samples } = await aHomeWithSamples();
  const [id = ""] = samples;
  await commit({ db, caller: null }, (tx) => giveUpSample(tx, id, toCaller(owner)));

  await expect(deleteSample(db, id, async () => false)).rejects.toThrow("The server stops.");

  await deleteGivenUpSamples(db);
  expect(await db.query("SELECT 1 FROM organizations WHERE id = $1", [id])).toEqual([]);
});
