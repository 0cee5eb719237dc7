// @module-tag embedded

import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { chainCountedLines, signEnd } from "../../../server/src/domain/audit/checkpoints.js";
import { createAuditSigner } from "../../../server/src/domain/audit/audit-signer.js";
import { findChains } from "../../../server/src/domain/audit/read-chain.js";
import { deleteOrganization } from "../../../server/src/domain/organizations/organization-deletion.js";
import { recordActivity } from "../../../server/src/domain/audit/record-activity.js";
import { entriesOf, useAudit } from "../../support/audit.js";
import { aMember } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { connect as connectTools } from "../../support/mcp.js";
import {
  ageRotation,
  aChallenge,
  aClient,
  connect,
  openConsent,
  refresh,
  signIn,
} from "../../support/oauth.js";
import { before } from "../../support/statements.js";

describe("audit chains", () => {
  const audit = useAudit();
  const { config, write, aChain, check, problemsOf, sign, run } = audit;
  let db: Database;
  let app: FastifyInstance;
  beforeAll(() => {
    ({ db, app } = audit.current());
  });

  test("AUD-02 concurrent writers get gapless sequence numbers per organization", async () => {
    const organizations = ["org_left", "org_right"];
    // Each transaction writes to both in opposite orders, which must not deadlock.
    await Promise.all(
      Array.from({ length: 24 }, (_, number) =>
        db.transaction(async (tx) => {
          const order = number % 2 === 0 ? organizations : organizations.toReversed();
          for (const organizationId of order) {
            await recordActivity(tx, {
              organizationId,
              actorName: `Writer ${number}`,
              type: "workspace_created",
            });
          }
        }),
      ),
    );

    for (const id of organizations) {
      expect(await check(id)).toMatchObject({ entries: 24, ok: true, problems: [] });
      const rows = await db.query<{ sequence: string }>(
        "SELECT sequence FROM activity_log WHERE organization_id = $1 ORDER BY sequence",
        [id],
      );
      expect(rows.map(({ sequence }) => Number(sequence))).toEqual(
        Array.from({ length: 24 }, (_, index) => index + 1),
      );
    }
  });

  test("AUD-02 rolled-back entries take no sequence number", async () => {
    const id = await aChain(2);
    const failed = db.transaction(async (tx) => {
      await recordActivity(tx, { organizationId: id, actorName: "Nobody", type: "signed_in" });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    await write(id, "Third");

    expect(await check(id)).toMatchObject({ entries: 3, ok: true });
  });

  test.each([
    ["of one transaction", null],
    ["that were counted", "2020-01-01"],
  ])("AUD-21: many entries %s update the end of their chain once", async (name, counted_until) => {
    const id = `org_many ${name}`;
    await db.query(`CREATE TABLE ends ();
      CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN INSERT INTO ends DEFAULT VALUES; RETURN NULL; END $$;
      CREATE TRIGGER note_end AFTER UPDATE ON audit_chains
        FOR EACH ROW WHEN (NEW.hash <> OLD.hash) EXECUTE FUNCTION note_end()`);
    await db.query(
      `INSERT INTO activity_log (organization_id, actor_name, type, counted_until)
       SELECT $1, 'Ana', 'signed_in', $2 FROM generate_series(1, 20)`,
      [id, counted_until],
    );
    await chainCountedLines(db);
    const ends = await db.query("SELECT FROM ends");
    await db.query("DROP FUNCTION note_end CASCADE; DROP TABLE ends");

    expect(ends).toHaveLength(1);
    expect(await check(id)).toMatchObject({ entries: 20, ok: true, problems: [] });
  });

  test("AUD-02 the database and the server serialize any text identically before hashing", async () => {
    const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", ""));
    const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text));
    const word = fc.constantFrom("name", "email", "former_email", "break_glass_owner");
    const details = fc.dictionary(fc.oneof(fc.stringMatching(/^[a-z_]{1,9}$/), word), value);
    const samples = fc.sample(fc.tuple(text, details), { numRuns: 100, seed: 18 });
    const every = String.fromCharCode(...Array.from({ length: 300 }, (_, code) => code + 1));
    for (const [name, some] of [
      ...samples,
      [every, { every, deep: { b: [{}], a: [] } }],
    ] as const) {
      await write("org_texts", name, some);
    }

    expect(await check("org_texts")).toMatchObject({ entries: 101, ok: true, problems: [] });
  });

  test("AUD-03 records consent, denial, refresh token reuse, and permanent deletion immediately", async () => {
    const owner = await aMember(db, { role: "owner" });
    const browser = await signIn(app, owner);
    const denied = await aClient(app, { client_name: "Denied" });
    const page = await openConsent(browser, denied, aChallenge());
    await browser.submitForm(page, { decision: "deny" });
    const { client, tokens } = await connect(app, owner, {}, { client_name: "Claude" });
    await refresh(app, client, tokens.refresh_token);
    await ageRotation(db, 60);
    await refresh(app, client, tokens.refresh_token);
    const tools = await connectTools({ app, db, config }, { member: owner });
    const { asset } = await tools.ok<{ asset: { id: string; inventory_number: string } }>(
      "create_asset",
      { name: "Pump" },
    );
    await tools.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });
    await tools.ok("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: asset.inventory_number,
    });

    const { lines } = await run(["export", "--organization", owner.organizationId]);

    const told = entriesOf(lines).map(({ entry }) => [entry["type"], entry["details"]]);
    expect(told).toEqual(
      expect.arrayContaining([
        ["app_denied", expect.objectContaining({ client_name: "Denied" })],
        ["app_connected", expect.objectContaining({ client_name: "Claude" })],
        ["refresh_reuse", expect.objectContaining({ client_name: "Claude" })],
        [
          "asset_force_deleted",
          expect.objectContaining({ asset_name: "Pump", tasks_removed: 0, events_removed: 2 }),
        ],
      ]),
    );
    expect(await check(owner.organizationId)).toMatchObject({ ok: true });
    await rewriteLog(
      db,
      `UPDATE activity_log SET details = '{"client_name": "Other"}'
       WHERE type = 'app_denied' AND organization_id = $1`,
      [owner.organizationId],
    );
    expect(await problemsOf(owner.organizationId)).toEqual([
      expect.stringMatching(/^entry \d+ was changed/),
    ]);
  });

  test("AUD-03 records a failed sign-in in the server's chain immediately, repeats after an hour", async () => {
    const member = await aMember(db);
    for (let time = 1; time <= 3; time += 1) {
      app.services.failedSignIns.record({
        userId: member.userId,
        userName: member.name,
        origin: {},
      });
      await app.services.failedSignIns.flush();
    }
    const placesOf = async () => {
      const rows = await db.query<{ times: number; is_placed: boolean }>(
        `SELECT (details->>'times')::int AS times, sequence IS NOT NULL AS is_placed
         FROM activity_log WHERE user_id = $1 AND type = 'sign_in_failed' ORDER BY id`,
        [member.userId],
      );
      return rows;
    };

    await sign();
    expect(await placesOf()).toEqual([
      { times: 1, is_placed: true },
      { times: 2, is_placed: false },
    ]);
    expect(await check("server")).toMatchObject({ ok: true });
    await db.query(
      `UPDATE activity_log SET counted_until = now(), created_at = now() - interval '1 hour'
       WHERE sequence IS NULL`,
    );
    await sign();

    expect(await placesOf()).toEqual([
      { times: 1, is_placed: true },
      { times: 2, is_placed: true },
    ]);
    expect(await check("server")).toMatchObject({ ok: true });
  });

  test("AUD-03 leaves the chain unchanged when the person and the organization are removed", async () => {
    const owner = await aMember(db, { role: "owner" });
    const before = await check(owner.organizationId);
    expect(before.entries).toBeGreaterThan(1);
    await db.query("DELETE FROM organization_members WHERE user_id = $1", [owner.userId]);
    await db.query("DELETE FROM users WHERE id = $1", [owner.userId]);
    await db.query("DELETE FROM organizations WHERE id = $1", [owner.organizationId]);

    expect(await check(owner.organizationId)).toEqual(before);
    expect(await check("server")).toMatchObject({ ok: true });
  });

  async function anAgedChain(ages = [100, 100, 0, 100, 0, 0]): Promise<string> {
    const id = await aChain(0);
    for (const [place, days] of ages.entries()) {
      await db.transaction(async (tx) => {
        await tx.query(
          `SELECT set_config('fettle.now', (now() - make_interval(days => ${days}))::text, true)`,
        );
        await recordActivity(tx, {
          organizationId: id,
          actorName: `${place + 1}`,
          type: "signed_in",
        });
      });
    }
    return id;
  }

  test("AUD-06 removes old entries only from the beginning and verifies the rest", async () => {
    const id = await anAgedChain();
    await sign(99);

    // The fourth is old too, but a younger entry precedes it.
    expect(await check(id)).toMatchObject({ entries: 4, signed_to: 6, ok: true, problems: [] });
    await write(id, "Later");
    expect(await check(id)).toMatchObject({ entries: 5, ok: true });
    await sign(99);
    expect(await check(id)).toMatchObject({ entries: 5, ok: true });
    const { lines } = await run(["export", "--organization", id]);
    expect(entriesOf(lines).map(({ entry }) => entry.sequence)).toEqual([3, 4, 5, 6, 7]);
  });

  test("AUD-05 a clock set back doesn't delay the next signature", async () => {
    const id = await aChain(2);
    const ahead = "SELECT set_config('fettle.now', (now() + interval '1 year')::text, true)";
    await db.transaction(async (tx) => {
      await tx.query(ahead);
      await signEnd(tx, createAuditSigner(config.secretKeys), id);
    });
    await write(id, "After the clock was set back");

    await sign();

    expect(await check(id)).toMatchObject({ entries: 3, signed_to: 3, ok: true });
  });

  test("AUD-06 the chain continues after every entry expired", async () => {
    const id = await anAgedChain([100, 100, 100, 100, 100]);
    await sign(99);
    expect(await check(id)).toMatchObject({ entries: 0, signed_to: 5, ok: true });
    await write(id, "Later");

    expect(await check(id)).toMatchObject({ entries: 1, ok: true });
  });

  test("AUD-06 detects an entry removed after the new start", async () => {
    const id = await anAgedChain();
    await sign(99);
    const attempt = db.query(
      "DELETE FROM activity_log WHERE organization_id = $1 AND sequence = 3",
      [id],
    );
    await expect(attempt).rejects.toThrow("append-only");
    await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1 AND sequence = 3", [
      id,
    ]);

    expect(await problemsOf(id)).toEqual(["entry 3 is missing"]);
    await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);
  });

  test("AUD-06 detects and keeps an entry added before the new start", async () => {
    const id = await anAgedChain();
    await sign(99);
    await db.query(
      `INSERT INTO activity_log (organization_id, actor_name, type, sequence, hash)
       VALUES ($1, 'Forger', 'signed_in', 1, sha256('x'))`,
      [id],
    );
    const found = [expect.stringMatching(/^the entry with the id \d+ has no place in the chain$/)];
    expect(await problemsOf(id)).toEqual(found);

    await sign(99);

    expect(await problemsOf(id)).toEqual(found);
  });

  test.each([
    [
      "made older",
      "UPDATE activity_log SET created_at = created_at - interval '100 days' WHERE sequence = 3",
      "entry 3 was changed or is in another's place",
    ],
    ["removed", "DELETE FROM activity_log WHERE sequence IN (2, 3)", "entries 2 to 3 are missing"],
  ])("AUD-06 retention deletes nothing when entries were %s", async (_what, statement, problem) => {
    const id = await anAgedChain();
    await rewriteLog(db, `${statement} AND organization_id = $1`, [id]);
    const before = await check(id);

    await expect(sign(99)).rejects.toThrow(
      `Nothing old was removed from the audit chain ${id}: ${problem}.`,
    );

    expect(before.problems).toContain(problem);
    expect(await check(id)).toEqual({ ...before, signed_to: 6 });
    await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);
  });

  test("AUD-16 an erasure doesn't explain values taken out of later entries", async () => {
    const id = await aChain(2);
    // Three values were erased in entries whose retention has since ended.
    await db.transaction((tx) =>
      recordActivity(tx, {
        organizationId: id,
        actorName: "Operator",
        type: "person_erased",
        details: { values: 3 },
      }),
    );
    await write(id, "Later");
    expect(await problemsOf(id)).toEqual([]);

    await rewriteLog(
      db,
      `UPDATE activity_log SET salts = '{}', ip_address = NULL, user_agent = NULL,
         actor_name = 'Former member' WHERE organization_id = $1 AND sequence = 4`,
      [id],
    );

    expect(await problemsOf(id)).toEqual(["no erasure tells of 3 values that were taken out"]);
  });

  test("leaves no signature for a chain deleted with its organization during signing", async () => {
    const { organizationId: id } = await aMember(db);
    before(/INSERT INTO audit_checkpoints/, 1, async () => {
      vi.restoreAllMocks();
      await deleteOrganization(db, id, () => undefined);
    });

    await sign();

    expect(await findChains(db, id)).toEqual([]);
  });
});
