import { describe, expect, test, vi } from "vitest";
import {
  beginSample,
  deleteGivenUpSamples,
  makeSample,
} from "../../../server/src/demo/own-sample.js";
import { createAuditSigner } from "../../../server/src/domain/audit/audit-signer.js";
import { findChains } from "../../../server/src/domain/audit/read-chain.js";
import { verifyChain } from "../../../server/src/domain/audit/verify-chain.js";
import { deleteOrganization } from "../../../server/src/domain/organizations/organization-deletion.js";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useServer } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { aMember, toCaller } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

describe("personal sample organization", () => {
  const current = useServer();
  const chromium = useChromium();

  const samplesOf = (userId: string) =>
    current().db.query<{ id: string; sample_percent: number }>(
      "SELECT id, sample_percent FROM organizations WHERE sample_of = $1",
      [userId],
    );

  test("TEN-15 doesn't admit an account with an invented person's address", async () => {
    const { db } = current();
    const stranger = await aMember(db, { email: "dara@northgate.example" });
    const inOneBegun = async () => {
      const caller = toCaller(await aMember(db));
      const made = await commit({ db, caller: null }, (tx) => beginSample(tx, caller));
      const stopped = makeSample(db, caller, made, async () => false);
      await expect(stopped).rejects.toThrow("The server stops.");
      const rows = await db.query<{ id: string }>(
        "SELECT user_id AS id FROM organization_members WHERE organization_id = $1 ORDER BY 1",
        [made.id],
      );
      return rows.map(({ id }) => id);
    };

    const people = await inOneBegun();

    expect(people).toHaveLength(26);
    expect(people).not.toContain(stranger.userId);
    expect(await inOneBegun()).toEqual(people);
    const passwords = await db.query(
      "SELECT FROM user_passwords WHERE user_id = ANY ($1::text[])",
      [people],
    );
    expect(passwords).toEqual([]);
  });

  test("is in the language of the page that creates it", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    await db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [owner.userId]);
    const browser = await signIn(app, owner);
    await press(browser, await browser.get("/sample"), "Beispielorganisation anlegen");
    await vi.waitFor(
      async () => {
        const places = await db.query(
          `SELECT FROM workspaces w JOIN organizations o ON o.id = w.organization_id
           WHERE o.sample_of = $1 AND w.name = 'Kesselhaus'`,
          [owner.userId],
        );
        expect(places).toHaveLength(1);
      },
      { timeout: 120_000, interval: 1000 },
    );
  });

  test("AUD-19 is offered, created, opened and deleted with all its contents", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    expect((await browser.get("/")).body).toContain('href="/sample"');

    await press(browser, await browser.get("/sample"), "Create a sample organization");
    await vi.waitFor(
      async () => {
        expect((await browser.get("/sample")).body).toContain("is ready: 151 assets");
      },
      { timeout: 180_000, interval: 1000 },
    );
    const [sample] = await samplesOf(owner.userId);
    const name = '<span class="visually-hidden">(Northgate Facilities (sample))</span>';
    await press(browser, await browser.get("/sample"), `Switch ${name}`);
    const home = (await browser.get("/")).body;
    expect(home).toContain("Needs attention");
    expect(home).toContain(
      'This is a <a href="/sample">sample organization</a>. Try anything here.',
    );

    const asked = await browser.get("/sample/delete");
    expect(asked.body).toContain("Your other organizations aren't affected");
    expect((await press(browser, asked, "Delete")).headers.location).toBe("/organizations");

    await vi.waitFor(
      async () => {
        const left = await db.query("SELECT 1 FROM organizations WHERE id = $1", [sample?.id]);
        expect(left).toEqual([]);
      },
      { timeout: 60_000, interval: 500 },
    );
    const told = await db.query(
      `SELECT type, user_id, actor_name, details->>'user_id' AS by, details->>'name' AS name FROM activity_log WHERE organization_id IS NULL
         AND type IN ('organization_closed', 'organization_deleted')
         AND details->>'organization_id' = $1 ORDER BY id`,
      [sample?.id],
    );
    // Entries linked to the account are visible to admins of all the person's organizations. These
    // have none.
    const byServer = { user_id: null, actor_name: "Fettle", by: null, name: null };
    expect(told).toEqual([
      { ...byServer, type: "organization_closed", by: owner.userId, name: owner.name },
      { ...byServer, type: "organization_closed" },
      { ...byServer, type: "organization_deleted" },
    ]);
    const back = (await browser.get("/")).body;
    expect(back).toContain(`First steps for <bdi>${owner.organization}</bdi>`);
    expect((await browser.get("/sample")).body).toContain("Create a sample organization");
  });

  test("is limited to one per owner or admin, and restarts after an interruption", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const plain = await aMember(db, { organization: owner.organization, role: "member" });
    const begin = () => commit({ db, caller: null }, (tx) => beginSample(tx, toCaller(owner)));
    const [first, second] = await Promise.all([begin(), begin()]);
    expect(second.id).toBe(first.id);
    expect([first.isNew, second.isNew].toSorted()).toEqual([false, true]);
    const browser = await signIn(app, owner);
    expect((await browser.get("/sample")).headers.refresh).toBe("3");
    expect((await browser.get("/organizations")).body).not.toContain("(sample)");
    await db.query(
      "UPDATE organizations SET updated_at = app_now() - interval '2 minutes' WHERE id = $1",
      [first.id],
    );
    expect((await browser.get("/sample")).body).toContain("Start over");

    const third = await begin();

    expect(third.id).not.toBe(first.id);
    expect(await samplesOf(owner.userId)).toEqual([{ id: third.id, sample_percent: 0 }]);
    await deleteGivenUpSamples(db);
    const left = await db.query("SELECT 1 FROM organizations WHERE id = $1", [first.id]);
    expect(left).toEqual([]);
    const member = await signIn(app, plain);
    const page = await member.get("/sample");
    expect(page.body).toContain("Owners and admins of an organization can create one.");
    const token = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    expect((await member.post("/sample", { _csrf: token })).statusCode).toBe(403);
    expect((await browser.post("/sample", {})).statusCode).toBe(403);
    expect((await member.get("/sample/delete")).headers.location).toBe("/sample");
  });

  test.each(["its person was erased", "the organization that it was made from is deleted"])(
    "has an activity log while waiting, and is removed if impossible to finish: %s",
    async (why) => {
      const { db, config } = current();
      const { organization } = await aMember(db);
      const owner = await aMember(db, { organization, role: "owner" });
      const { userId, organizationId, email } = owner;
      const made = await commit({ db, caller: null }, (tx) => beginSample(tx, toCaller(owner)));
      const [chain = { id: made.id, organization: null }] = await findChains(db, made.id);
      const report = await verifyChain(db, createAuditSigner(config.secretKeys), chain);
      await deleteGivenUpSamples(db);
      const kept = await samplesOf(userId);

      if (why === "its person was erased") {
        const person = { id: userId, name: owner.name, email };
        await commit({ db, caller: null }, (tx) => erasePerson(tx, email, person));
      } else {
        await deleteOrganization(db, organizationId, () => undefined);
      }
      await deleteGivenUpSamples(db);

      expect(report).toMatchObject({ ok: true, problems: [], entries: 1 });
      expect(kept).toHaveLength(1);
      expect(await samplesOf(userId)).toEqual([]);
    },
  );

  browserTest("has pages without faults in every view", async () => {
    const { db } = current();
    const owner = await aMember(db);
    await commit({ db, caller: null }, (tx) => beginSample(tx, toCaller(owner)));
    for (const percent of [0, 100]) {
      await db.query("UPDATE organizations SET sample_percent = $2 WHERE sample_of = $1", [
        owner.userId,
        percent,
      ]);
      for (const view of views) {
        const opened = await openPage(chromium(), current(), owner, view);
        expect(await sweep(opened, ["/sample", "/sample/delete", "/organizations"])).toEqual({});
        await opened.close();
      }
    }
  });
});
