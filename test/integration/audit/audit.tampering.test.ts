import type { Database } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test } from "vitest";
import { keepAudit } from "../../../server/src/domain/audit/audit-retention.js";
import { createAuditSigner } from "../../../server/src/domain/audit/audit-signer.js";
import { findChains } from "../../../server/src/domain/audit/read-chain.js";
import { verifyChain } from "../../../server/src/domain/audit/verify-chain.js";
import { aMember } from "../../support/builders.js";
import { useAudit } from "../../support/audit.js";
import { rewriteLog } from "../../support/database.js";

describe("audit tampering", () => {
  const audit = useAudit();
  const { signer, write, aChain, problemsOf, sign, rewriteAll } = audit;
  let db: Database;
  beforeAll(() => {
    ({ db } = audit.current());
  });

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
    ["details", `details || '{"email": "ana@example.com"}'`],
    ["ip_address", "'192.0.2.2'"],
    ["user_agent", "NULL"],
    ["salts", "salts - 'ip_address'"],
    ["salts", `salts || '{"ip_address": "1"}'`],
    ["digests", "digests - 'ip_address'"],
    ["digests", "NULL"],
    ["created_at", "created_at - interval '1 microsecond'"],
    ["id", "id + 1000000"],
  ])("AUD-04 detects a changed %s", async (column, value) => {
    const id = await aChain();
    await rewriteLog(
      db,
      `UPDATE activity_log SET ${column} = ${value} WHERE organization_id = $1 AND sequence = 3`,
      [id],
    );

    expect(await problemsOf(id)).toEqual(["entry 3 was changed or is in another's place"]);
  });

  test("AUD-04 a hash recomputed for a changed entry breaks the next one", async () => {
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
  ])("AUD-04 detects a removal %s", async (_where, condition, problem) => {
    const id = await aChain();
    await rewriteLog(db, `DELETE FROM activity_log WHERE organization_id = $1 AND ${condition}`, [
      id,
    ]);

    expect(await problemsOf(id)).toEqual([problem]);
  });

  test("AUD-04 detects a removed entry even when the following entries are renumbered", async () => {
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

  test("AUD-04 the checkpoint reveals a truncated log and chain", async () => {
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

  test("AUD-04 detects swapped entries", async () => {
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

  test("AUD-04 detects entries added in the middle, past the end, or without a place", async () => {
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

  test("AUD-04 detects two entries with one sequence number", async () => {
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

  test("AUD-05 the checkpoint reveals a completely rewritten chain", async () => {
    const id = await aChain();
    await sign();
    await rewriteAll(id);

    expect(await problemsOf(id)).toEqual([
      expect.stringMatching(/^entry 5 is not the one that was signed at 20/),
    ]);
  });

  test("AUD-11 detects an organization whose chain and checkpoints are gone", async () => {
    const { organizationId: id } = await aMember(db);
    await write(id, "Entry");
    await sign();
    const report = async () => {
      const chain = (await findChains(db)).find((one) => one.id === id);
      return chain && verifyChain(db, signer, chain);
    };
    expect(await report()).toMatchObject({ ok: true });

    await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1", [id]);
    await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
    await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);

    expect(await report()).toMatchObject({ ok: false, problems: ["all of it is missing"] });
  });

  test("AUD-18 detects the server's missing chain and checkpoints once accounts exist", async () => {
    await aMember(db);
    await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id IS NULL");
    await db.query("DELETE FROM audit_checkpoints WHERE chain = 'server'");
    await db.query("DELETE FROM audit_chains WHERE id = 'server'");

    const { code, lines } = await audit.command(["audit", "verify", "--organization", "server"]);

    expect(code).toBe(1);
    expect(lines).toContain("server: all of it is missing. 0 entries, none signed yet.");
  });

  test("AUD-05 detects forged checkpoints with another hash or another key", async () => {
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

  test("AUD-05 rejects a new start at a checkpoint not signed as a start", async () => {
    const id = await aChain();
    await sign();
    await write(id, "Later");
    await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1 AND sequence <= 5", [
      id,
    ]);
    await db.query("UPDATE audit_checkpoints SET kind = 'start' WHERE chain = $1", [id]);

    expect(await problemsOf(id)).toEqual([
      "the checkpoint at 5 is not signed with a key of this server",
      "entries 1 to 5 are missing",
    ]);
    await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);
  });

  test("AUD-05 checkpoints survive key rotation when renewed before the old key is removed", async () => {
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
    await db.query("DELETE FROM audit_checkpoints WHERE public_key <> $1", [signer.publicKeys[0]]);
  });
});
