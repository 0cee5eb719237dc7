import { createHash, createPublicKey, verify } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import type { DataSource } from "typeorm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../server/src/app.js";
import { createProgram } from "../../server/src/commands/program.js";
import { keepAudit } from "../../server/src/domain/audit/audit-retention.js";
import { createAuditSigner } from "../../server/src/domain/audit/audit-signer.js";
import type { Checkpoint } from "../../server/src/domain/audit/checkpoints.js";
import { verifyChain, type ChainReport } from "../../server/src/domain/audit/verify-chain.js";
import { commit } from "../../server/src/domain/changes/transactions.js";
import { recordActivity } from "../../server/src/domain/logs/record-activity.js";
import { testConfig } from "../support/app.js";
import { aMember, type Member } from "../support/builders.js";
import { createDatabase, rewriteLog, type TestDatabase } from "../support/database.js";
import { connect as connectTools } from "../support/mcp.js";
import {
  ageRotation,
  aChallenge,
  aClient,
  connect,
  openConsent,
  refresh,
  signIn,
} from "../support/oauth.js";

interface ExportedEntry {
  entry: Record<string, unknown> & { sequence: number; previous: string };
  hash: string;
}

describe("the audit", () => {
  const config = testConfig();
  const signer = createAuditSigner(config.secretKeys);
  let database: TestDatabase;
  let db: DataSource;
  let app: FastifyInstance;
  beforeAll(async () => {
    database = await createDatabase();
    db = database.dataSource;
    app = await createApp(config, db);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const write = (organizationId: string | undefined, name: string, details = {}) =>
    commit({ db, caller: null }, (tx) =>
      recordActivity(tx, {
        ...(organizationId !== undefined && { organizationId }),
        userId: "usr_writer",
        actorName: name,
        type: "workspace_created",
        details,
        origin: { ipAddress: "192.0.2.1", userAgent: "Browser" },
      }),
    );

  let chains = 0;
  /** A chain of nothing but numbered entries. */
  async function aChain(length = 5): Promise<string> {
    chains += 1;
    const id = `org_chain${chains}`;
    for (let number = 1; number <= length; number += 1) {
      await write(id, `Entry ${number}`, { number });
    }
    return id;
  }

  const check = (id: string, kept: Checkpoint[] = []): Promise<ChainReport> =>
    verifyChain(db, signer, { id, organization: null }, kept);
  const problemsOf = async (id: string, kept?: Checkpoint[]) => (await check(id, kept)).problems;
  const sign = (days = 0) => keepAudit(db, { audit: days }, signer);

  /** What somebody who has the database, but not the keys, can do: all hashes are made anew. */
  async function rewriteAll(id: string): Promise<void> {
    await rewriteLog(
      db,
      `UPDATE activity_log SET sequence = NULL, hash = NULL, actor_name = 'Nobody'
       WHERE organization_id = $1`,
      [id],
    );
    await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);
    await db.query(
      `SELECT audit_append(id) FROM (SELECT id FROM activity_log
         WHERE organization_id = $1 ORDER BY id) l`,
      [id],
    );
  }

  /** Runs a command as an operator does, while the server has the database. */
  async function run(args: string[], secretKeys = config.secretKeys) {
    const lines: string[] = [];
    const errors: string[] = [];
    const { run: start } = createProgram({
      variables: {
        SECRET_KEYS: secretKeys.join(","),
        DATABASE_URL: database.url,
        DATA_DIR: database.dataDir,
      },
      stdin: Readable.from([]),
      write: (line) => lines.push(line),
      complain: (line) => errors.push(line),
      report: () => undefined,
      onStopSignal: () => undefined,
      abort: () => undefined,
    });
    return { code: await start(["audit", ...args]), lines, errors };
  }

  function save(lines: string[]): string {
    const file = join(mkdtempSync(join(tmpdir(), "audit-")), "kept.jsonl");
    writeFileSync(file, lines.join("\n"));
    return file;
  }

  const entriesOf = (lines: string[]) =>
    lines
      .filter((line) => line.startsWith('{"entry"'))
      .map((line) => JSON.parse(line) as ExportedEntry);
  const checkpointsOf = (lines: string[]) =>
    lines
      .filter((line) => line.startsWith('{"checkpoint"'))
      .map((line) => JSON.parse(line) as Checkpoint);

  describe("the chain", () => {
    test("AUD-02 writers at once get places without gaps, each organization its own", async () => {
      const organizations = ["org_left", "org_right"];
      // Each writes to both, in opposite orders: none may end in a deadlock.
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
        const rows: { sequence: string }[] = await db.query(
          "SELECT sequence FROM activity_log WHERE organization_id = $1 ORDER BY sequence",
          [id],
        );
        expect(rows.map(({ sequence }) => Number(sequence))).toEqual(
          Array.from({ length: 24 }, (_, index) => index + 1),
        );
      }
    });

    test("AUD-02 what is rolled back takes no place", async () => {
      const id = await aChain(2);
      const failed = db.transaction(async (tx) => {
        await recordActivity(tx, { organizationId: id, actorName: "Nobody", type: "signed_in" });
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      await write(id, "Third");

      expect(await check(id)).toMatchObject({ entries: 3, ok: true });
    });

    test("AUD-02 the database and the server write any text alike before hashing", async () => {
      const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", ""));
      const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text));
      const details = fc.dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), value);
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

    test("AUD-03 consent, denial, reuse of a refresh token and permanent deletion are in it at once", async () => {
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

    test("AUD-03 a failed sign-in is in the server's chain at once, its repetitions after an hour", async () => {
      const member = await aMember(db);
      for (let time = 1; time <= 3; time += 1) {
        app.failedSignIns.record({ userId: member.userId, userName: member.name, origin: {} });
        await app.failedSignIns.flush();
      }
      const placesOf = async () => {
        const rows: { times: number; is_placed: boolean }[] = await db.query(
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

    test("AUD-03 removing the person and the organization leaves the chain as it is", async () => {
      const owner = await aMember(db, { role: "owner" });
      const before = await check(owner.organizationId);
      expect(before.entries).toBeGreaterThan(1);
      await db.query("DELETE FROM organization_members WHERE user_id = $1", [owner.userId]);
      await db.query("DELETE FROM users WHERE id = $1", [owner.userId]);
      await db.query("DELETE FROM organizations WHERE id = $1", [owner.organizationId]);

      expect(await check(owner.organizationId)).toEqual(before);
      expect(await check("server")).toMatchObject({ ok: true });
    });
  });

  describe("tampering", () => {
    test.each([
      ["UPDATE activity_log SET actor_name = 'X' WHERE organization_id = $1"],
      ["DELETE FROM activity_log WHERE organization_id = $1"],
      ["TRUNCATE activity_log"],
    ])("AUD-04 the log is append-only: %s", async (statement) => {
      const id = await aChain();
      const attempt = db.query(statement, statement.includes("$1") ? [id] : []);

      await expect(attempt).rejects.toThrow("append-only");
    });

    test.each([
      ["actor_name", "'Somebody'"],
      ["user_id", "NULL"],
      ["type", "'signed_in'"],
      ["details", `'{"number": 4}'`],
      ["ip_address", "'192.0.2.2'"],
      ["user_agent", "NULL"],
      ["created_at", "created_at - interval '1 microsecond'"],
      ["id", "id + 1000000"],
    ])("AUD-04 a changed %s is found", async (column, value) => {
      const id = await aChain();
      await rewriteLog(
        db,
        `UPDATE activity_log SET ${column} = ${value} WHERE organization_id = $1 AND sequence = 3`,
        [id],
      );

      expect(await problemsOf(id)).toEqual(["entry 3 was changed or is in another's place"]);
    });

    test("AUD-04 a hash that was made to fit a changed entry breaks the next one", async () => {
      const id = await aChain();
      const other = await aChain();
      await rewriteLog(
        db,
        `UPDATE activity_log SET hash = (SELECT hash FROM activity_log
           WHERE organization_id = $2 AND sequence = 3) WHERE organization_id = $1 AND sequence = 3`,
        [id, other],
      );

      expect(await problemsOf(id)).toEqual([
        "entry 3 was changed or is in another's place",
        "entry 4 was changed or is in another's place",
      ]);
    });

    test.each([
      ["at the beginning", "sequence <= 2", "entries 1 to 2 are missing"],
      ["in the middle", "sequence = 3", "entry 3 is missing"],
      ["at the end", "sequence >= 4", "entries 4 to 5 are missing at the end"],
      ["everywhere", "TRUE", "entries 1 to 5 are missing at the end"],
    ])("AUD-04 a removal %s is found", async (_where, condition, problem) => {
      const id = await aChain();
      await rewriteLog(db, `DELETE FROM activity_log WHERE organization_id = $1 AND ${condition}`, [
        id,
      ]);

      expect(await problemsOf(id)).toEqual([problem]);
    });

    test("AUD-04 a removed entry whose place the next ones take is found", async () => {
      const id = await aChain();
      await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1 AND sequence = 3", [
        id,
      ]);
      for (const sequence of [4, 5]) {
        await rewriteLog(
          db,
          "UPDATE activity_log SET sequence = sequence - 1 WHERE organization_id = $1 AND sequence = $2",
          [id, sequence],
        );
      }
      await db.query("UPDATE audit_chains SET sequence = 4 WHERE id = $1", [id]);

      expect((await problemsOf(id))[0]).toBe("entry 3 was changed or is in another's place");
    });

    test("AUD-04 an end that was cut off together with the chain's is found by the checkpoint", async () => {
      const id = await aChain();
      await sign();
      await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1 AND sequence > 3", [
        id,
      ]);
      await db.query(
        `UPDATE audit_chains SET sequence = 3, hash = (SELECT hash FROM activity_log
           WHERE organization_id = $1 AND sequence = 3) WHERE id = $1`,
        [id],
      );

      expect(await problemsOf(id)).toEqual(["entries 4 to 5 are missing at the end"]);
    });

    test("AUD-04 entries in each other's place are found", async () => {
      const id = await aChain();
      for (const [from, to] of [
        [2, 9],
        [3, 2],
        [9, 3],
      ]) {
        await rewriteLog(
          db,
          "UPDATE activity_log SET sequence = $3 WHERE organization_id = $1 AND sequence = $2",
          [id, from, to],
        );
      }

      expect(await problemsOf(id)).toEqual(
        [2, 3, 4].map((place) => `entry ${place} was changed or is in another's place`),
      );
    });

    test("AUD-04 added entries are found, in the middle, behind the end and without a place", async () => {
      const add = async (id: string, sequence: string) => {
        await rewriteLog(
          db,
          `INSERT INTO activity_log (organization_id, actor_name, type, sequence, hash)
           VALUES ($1, 'Forger', 'signed_in', ${sequence}, sha256('x'))`,
          [id],
        );
        return problemsOf(id);
      };
      const [middle, end, outside] = [await aChain(), await aChain(), await aChain()];
      await rewriteLog(
        db,
        "UPDATE activity_log SET sequence = sequence + 10 WHERE organization_id = $1 AND sequence > 2",
        [middle],
      );

      expect((await add(middle, "3")).slice(0, 2)).toEqual([
        "entry 3 was changed or is in another's place",
        "entries 4 to 12 are missing",
      ]);
      expect(await add(end, "6")).toEqual([
        "entry 6 was changed or is in another's place",
        "the chain's end, 5, is not its last entry, 6",
      ]);
      await rewriteLog(
        db,
        `INSERT INTO activity_log (organization_id, actor_name, type)
         VALUES ($1, 'Forger', 'signed_in')`,
        [outside],
      );
      expect(await problemsOf(outside)).toEqual([
        expect.stringMatching(/^the entry with the id \d+ has no place in the chain$/),
      ]);
    });

    test("AUD-04 an entry twice in one place is found", async () => {
      const id = await aChain();
      await db.query("DROP INDEX activity_log_sequence_idx");
      try {
        await rewriteLog(
          db,
          `INSERT INTO activity_log (organization_id, actor_name, type, sequence, hash)
           SELECT organization_id, 'Forger', type, sequence, hash FROM activity_log
           WHERE organization_id = $1 AND sequence = 3`,
          [id],
        );

        expect(await problemsOf(id)).toEqual(["entry 3 is there twice"]);
      } finally {
        await rewriteLog(db, "DELETE FROM activity_log WHERE actor_name = 'Forger'");
        await rewriteLog(
          db,
          `CREATE UNIQUE INDEX activity_log_sequence_idx
             ON activity_log ((coalesce(organization_id, 'server')), sequence)`,
        );
      }
    });

    test("AUD-05 a whole chain made anew is found by its checkpoint", async () => {
      const id = await aChain();
      await sign();
      await rewriteAll(id);

      expect(await problemsOf(id)).toEqual([
        expect.stringMatching(/^entry 5 is not the one that was signed at 20/),
      ]);
    });

    test("AUD-05 forged checkpoints are found: another hash, another key", async () => {
      const id = await aChain();
      await sign();
      await rewriteAll(id);
      await db.query(
        "UPDATE audit_checkpoints SET hash = (SELECT hash FROM audit_chains WHERE id = $1) WHERE chain = $1",
        [id],
      );
      const unsigned = ["the checkpoint at 5 is not signed with a key of this server"];
      expect(await problemsOf(id)).toEqual(unsigned);

      await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
      await keepAudit(
        db,
        { audit: 0 },
        createAuditSigner(["a key of the forger's, of 32 characters"]),
      );
      expect(await problemsOf(id)).toEqual(unsigned);
      await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
    });

    test("AUD-05 no beginning can be cut off at a checkpoint that does not say so", async () => {
      const id = await aChain();
      await sign();
      await write(id, "Later");
      await rewriteLog(
        db,
        "DELETE FROM activity_log WHERE organization_id = $1 AND sequence <= 5",
        [id],
      );
      await db.query("UPDATE audit_checkpoints SET kind = 'start' WHERE chain = $1", [id]);

      expect(await problemsOf(id)).toEqual([
        "the checkpoint at 5 is not signed with a key of this server",
        "entries 1 to 5 are missing",
      ]);
      await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
    });

    test("AUD-05 checkpoints hold after a change of keys, renewed before the old one goes", async () => {
      const id = await aChain();
      const [old, fresh] = [
        "an old key of at least 32 characters",
        "a new key of at least 32 characters",
      ];
      const verifyWith = async (...keys: string[]) =>
        (await verifyChain(db, createAuditSigner(keys), { id, organization: null })).problems;
      await keepAudit(db, { audit: 0 }, createAuditSigner([old]));
      expect(await verifyWith(fresh)).toHaveLength(1);
      expect(await verifyWith(fresh, old)).toEqual([]);

      await keepAudit(db, { audit: 0 }, createAuditSigner([fresh, old]));

      expect(await verifyWith(fresh)).toEqual([]);
      await db.query("DELETE FROM audit_checkpoints WHERE public_key <> $1", [
        signer.publicKeys[0],
      ]);
    });
  });

  describe("retention", () => {
    const age = (id: string, to: number) =>
      rewriteLog(
        db,
        `UPDATE activity_log SET created_at = now() - interval '100 days'
         WHERE organization_id = $1 AND sequence <= $2`,
        [id, to],
      );

    async function anAgedChain(): Promise<string> {
      const id = await aChain(0);
      for (let number = 1; number <= 6; number += 1) {
        await db.transaction(async (tx) => {
          const days = number <= 4 && number !== 3 ? 100 : 0;
          await tx.query(
            `SELECT set_config('fettle.now', (now() - make_interval(days => ${days}))::text, true)`,
          );
          await recordActivity(tx, {
            organizationId: id,
            actorName: `${number}`,
            type: "signed_in",
          });
        });
      }
      return id;
    }

    test("AUD-06 old entries go from the beginning only, and the rest is verified from there", async () => {
      const id = await anAgedChain();
      await sign(99);

      // The fourth is old too, but not before all that is younger.
      expect(await check(id)).toMatchObject({ entries: 4, signed_to: 6, ok: true, problems: [] });
      await write(id, "Later");
      expect(await check(id)).toMatchObject({ entries: 5, ok: true });
      await sign(99);
      expect(await check(id)).toMatchObject({ entries: 5, ok: true });
      const { lines } = await run(["export", "--organization", id]);
      expect(entriesOf(lines).map(({ entry }) => entry.sequence)).toEqual([3, 4, 5, 6, 7]);
    });

    test("AUD-06 everything may go, and the chain goes on", async () => {
      const id = await aChain();
      await age(id, 5);
      await sign(99);
      expect(await check(id)).toMatchObject({ entries: 0, signed_to: 5, ok: true });
      await write(id, "Later");

      expect(await check(id)).toMatchObject({ entries: 1, ok: true });
    });

    test("AUD-06 what is removed or changed behind the new beginning is found", async () => {
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
    });
  });

  describe("the export", () => {
    /** Knows nothing of the server: the bytes of the lines, SHA-256 and Ed25519. */
    function recheck(lines: string[]): void {
      let previous = entriesOf(lines)[0]?.entry.previous;
      for (const line of lines.filter((one) => one.startsWith('{"entry"'))) {
        const { entry, hash } = JSON.parse(line) as ExportedEntry;
        const text = line.slice('{"entry":'.length, line.lastIndexOf(',"hash":'));
        expect(entry.previous).toBe(previous);
        expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
        previous = hash;
      }
      for (const { checkpoint, public_key, signature } of checkpointsOf(lines)) {
        const sorted = Object.fromEntries(Object.entries(checkpoint).sort());
        const key = createPublicKey({
          key: { kty: "OKP", crv: "Ed25519", x: public_key },
          format: "jwk",
        });
        const text = Buffer.from(JSON.stringify(sorted));
        expect(verify(null, text, key, Buffer.from(signature, "base64url"))).toBe(true);
      }
      expect(checkpointsOf(lines).at(-1)?.checkpoint.hash).toBe(previous);
    }

    test("AUD-07 it holds every entry as it is stored, and anybody can check it", async () => {
      // More than are read at once.
      const id = await aChain(0);
      await db.query(
        `INSERT INTO activity_log (organization_id, user_id, actor_name, type, details, user_agent)
         SELECT $1, 'usr_1', 'Entry ' || n, 'signed_in', jsonb_build_object('number', n), 'ü"\\'
         FROM generate_series(1, 1203) n`,
        [id],
      );

      const { code, lines } = await run(["export", "--organization", id]);

      expect(code).toBe(0);
      recheck(lines);
      const stored: Record<string, unknown>[] = await db.query(
        `SELECT id::int, sequence::int, organization_id, user_id, actor_name, type, details,
           ip_address, user_agent, created_at FROM activity_log
         WHERE organization_id = $1 ORDER BY sequence`,
        [id],
      );
      const exported = entriesOf(lines).map(({ entry }) => {
        const { previous, created_at, ...rest } = entry;
        return { ...rest, created_at: new Date(String(created_at)) };
      });
      expect(exported).toEqual(stored);
    });

    test("AUD-07 without an organization it holds every chain", async () => {
      const { lines } = await run(["export"]);

      const exported = new Set(checkpointsOf(lines).map(({ checkpoint }) => checkpoint.chain));
      const chains: { id: string }[] = await db.query("SELECT id FROM audit_chains");
      expect([...exported].sort()).toEqual(chains.map(({ id }) => id).sort());
    });

    test("AUD-08 verify names every chain, and ends with 1 for what is not as it was", async () => {
      const owner = await aMember(db, { role: "owner" });
      const whole = await run(["verify", "--json", "--organization", owner.organization]);
      expect(whole).toMatchObject({ code: 0, errors: [] });
      expect(whole.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        {
          chain: owner.organizationId,
          organization: owner.organization,
          entries: 2,
          signed_to: 0,
          ok: true,
          problems: [],
        },
      ]);

      await rewriteLog(
        db,
        "UPDATE activity_log SET actor_name = 'X' WHERE organization_id = $1 AND sequence = 1",
        [owner.organizationId],
      );

      const changed = await run(["verify", "--organization", owner.organizationId]);
      expect(changed.code).toBe(1);
      expect(changed.lines).toEqual([
        `${owner.organization} (${owner.organizationId}): entry 1 was changed or is in another's place. Entries: 2, signed up to 0.`,
      ]);
      expect(changed.errors).toEqual(["Not as it was written: 1 of the chains."]);
      expect((await run(["verify"])).code).toBe(1);
      const unknown = await run(["verify", "--organization", "Nowhere"]);
      expect(unknown).toMatchObject({ code: 1, lines: [] });
      expect(unknown.errors[0]).toContain("There is no organization Nowhere");
    });

    test("AUD-08 checkpoints kept elsewhere find what somebody with the keys has made anew", async () => {
      const id = await aChain();
      const file = save((await run(["export", "--organization", id])).lines);
      await write(id, "Later");
      const verifyKept = () => run(["verify", "--organization", id, "--checkpoints", file]);
      expect((await verifyKept()).code).toBe(0);

      await rewriteAll(id);
      await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
      await sign();
      expect((await run(["verify", "--organization", id])).code).toBe(0);

      const found = await verifyKept();
      expect(found.code).toBe(1);
      expect(found.lines[0]).toContain("entry 5 is not the one that was signed at");
    });

    test("AUD-08 a chain that is gone altogether is found by kept checkpoints; a damaged file is refused", async () => {
      const id = await aChain();
      const { lines } = await run(["export", "--organization", id]);
      await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1", [id]);
      await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);
      await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);

      const found = await run(["verify", "--checkpoints", save(lines)]);

      expect(found.code).toBe(1);
      expect(found.lines).toContain(
        `${id}: entries 1 to 5 are missing at the end. Entries: 0, signed up to 5.`,
      );
      const damaged = save(lines.map((line) => line.replace('"sequence":5', '"sequence":4')));
      expect((await run(["verify", "--checkpoints", damaged])).errors[0]).toContain(
        "whose signature does not fit",
      );
      expect((await run(["verify", "--checkpoints", "/nowhere"])).errors[0]).toContain("be read");
    });

    async function download(member: Member) {
      const browser = await signIn(app, member);
      const page = await browser.get("/settings/activity");
      return { browser, page };
    }

    test("AUD-09 owners and admins download the organization's chain, which says so itself", async () => {
      const owner = await aMember(db, { role: "owner" });
      const { organization } = owner;
      const other = await aMember(db, { role: "owner" });
      for (const person of [owner, await aMember(db, { organization, role: "admin" })]) {
        const { browser, page } = await download(person);
        const action = "/settings/activity/export";
        const answer = await browser.submitForm(page, {}, { action });

        expect(answer.statusCode).toBe(200);
        expect(answer.headers["content-disposition"]).toContain("attachment");
        expect(answer.headers["content-type"]).toContain("application/jsonl");
        expect(answer.headers["cache-control"]).toBe("no-store");
        const lines = answer.body.trimEnd().split("\n");
        recheck(lines);
        expect(entriesOf(lines).at(-1)?.entry).toMatchObject({
          type: "audit_exported",
          user_id: person.userId,
          ip_address: "127.0.0.1",
        });
        expect(answer.body).not.toContain(other.organizationId);
        const printed = await run(["export", "--organization", owner.organizationId]);
        expect(entriesOf(printed.lines)).toEqual(entriesOf(lines));
        expect((await browser.get("/settings/activity")).body).toContain(
          "downloaded the activity log.",
        );
      }
    });

    test("AUD-09 members are refused, and so is what no form of ours sent", async () => {
      const owner = await aMember(db, { role: "owner" });
      const member = await aMember(db, { organization: owner.organization });
      const { browser, page } = await download(member);
      expect(page.body).not.toContain("Download");
      const token = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? "";

      const refused = await browser.post("/settings/activity/export", { _csrf: token });
      expect(refused.statusCode).toBe(403);
      expect(refused.body).not.toContain('{"entry"');
      const admin = await signIn(app, owner);
      expect((await admin.post("/settings/activity/export", {})).statusCode).toBe(403);
      expect((await admin.get("/settings/activity/export")).statusCode).toBe(404);
      const rows: unknown[] = await db.query(
        "SELECT 1 FROM activity_log WHERE organization_id = $1 AND type = 'audit_exported'",
        [owner.organizationId],
      );
      expect(rows).toEqual([]);
    });
  });
});
