import { createHash, createPublicKey, verify } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../../server/src/db/database.js";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { exportChain } from "../../../server/src/domain/audit/export-chain.js";
import { omit } from "../../../server/src/domain/shared/omit.js";
import {
  checkpointsOf,
  entriesOf,
  save,
  useAudit,
  type ExportedEntry,
} from "../../support/audit.js";
import { aMember, type Member } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { signIn } from "../../support/oauth.js";
import { before } from "../../support/statements.js";

describe("audit export by command and on the web", () => {
  const audit = useAudit();
  const { write, aChain, sign, rewriteAll, run } = audit;
  let db: Database;
  let app: FastifyInstance;
  beforeAll(() => {
    ({ db, app } = audit.current());
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  async function addEntries(organizationId: string): Promise<void> {
    await db.query(
      `INSERT INTO activity_log (organization_id, user_id, actor_name, type, details, user_agent)
       SELECT $1, 'usr_1', 'Entry ' || n, 'signed_in', jsonb_build_object('number', n), 'ü"\\'
       FROM generate_series(1, 1203) n`,
      [organizationId],
    );
  }

  /**
   * Verifies independently of the server, using only the bytes of the lines, SHA-256 and Ed25519.
   */
  function recheck(lines: string[]): void {
    let previous = entriesOf(lines)[0]?.entry.previous;
    const starts = new Map(
      checkpointsOf(lines)
        .filter(({ checkpoint }) => checkpoint.kind === "start")
        .map(({ checkpoint }) => [checkpoint.sequence + 1, checkpoint.hash]),
    );
    for (const line of lines.filter((one) => one.startsWith('{"entry"'))) {
      const { entry, hash, values } = JSON.parse(line) as ExportedEntry;
      const text = line.slice('{"entry":'.length, line.lastIndexOf(',"hash":'));
      expect(entry.previous).toBe(starts.get(entry.sequence) ?? previous);
      expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
      previous = hash;
      for (const [name, { salt, value }] of Object.entries(values)) {
        const salted = createHash("sha256").update(JSON.stringify({ salt, value }));
        expect(salted.digest("hex")).toBe(entry.personal[name]);
      }
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

  test("AUD-07 exports every entry as stored, and anyone can verify it", async () => {
    const id = await aChain(0);
    await addEntries(id);

    const { code, lines } = await run(["export", "--organization", id]);

    expect(code).toBe(0);
    recheck(lines);
    const stored = await db.query<Record<string, unknown>>(
      `SELECT id::int, sequence::int, organization_id, user_id, actor_name, type, details,
         ip_address, user_agent, created_at FROM activity_log
       WHERE organization_id = $1 ORDER BY sequence`,
      [id],
    );
    const exported = entriesOf(lines).map(({ entry, values }) => ({
      ...omit(entry, "previous", "personal"),
      created_at: new Date(String(entry["created_at"])),
      actor_name: values["actor_name"]?.value,
      ip_address: values["ip_address"]?.value ?? null,
      user_agent: values["user_agent"]?.value ?? null,
    }));
    expect(exported).toEqual(stored);
  });

  test("AUD-07 explains entries that expire during the export with a signed start", async () => {
    const id = await aChain(0);
    await db.query(
      `INSERT INTO activity_log (organization_id, actor_name, type, details, created_at)
       SELECT $1, 'Ana', 'signed_in', '{}', app_now() - make_interval(days => (n <= 900)::int * 9)
       FROM generate_series(1, 1203) n`,
      [id],
    );
    const lines: string[] = [];
    for await (const line of exportChain(db, audit.signer, id)) {
      if (lines.push(line) === 100) await sign(5);
    }

    const places = entriesOf(lines).map(({ entry }) => entry.sequence);
    expect([places[0], places[499], places[500], places.at(-1)]).toEqual([1, 500, 901, 1203]);
    recheck(lines);
  });

  test("AUD-12 isolates organizations named after another organization, its id, or the server", async () => {
    const [own, other] = [await aMember(db), await aMember(db)];
    const ownersOf = async (reference: string) => {
      const { code, lines } = await run(["export", "--organization", reference]);
      const entries = lines.flatMap((line) => (line.startsWith('{"entry"') ? [line] : []));
      const ids = entries.map(
        (line) => (JSON.parse(line) as { entry: { organization_id: string | null } }).entry,
      );
      return { code, organizations: [...new Set(ids.map((entry) => entry.organization_id))] };
    };
    const rename = (name: string) =>
      db.query("UPDATE organizations SET name = $2 WHERE id = $1", [own.organizationId, name]);

    await rename(other.organizationId);
    expect(await ownersOf(other.organizationId)).toEqual({
      code: 0,
      organizations: [other.organizationId],
    });
    await rename("server");
    expect((await ownersOf("server")).organizations).not.toContain(own.organizationId);
    await rename(other.organization);
    expect(await ownersOf(other.organization)).toEqual({ code: 1, organizations: [] });
  });

  test("AUD-07 exports every chain when no organization is given", async () => {
    const { lines } = await run(["export"]);

    const exported = new Set(checkpointsOf(lines).map(({ checkpoint }) => checkpoint.chain));
    const chains = await db.query<{ id: string }>("SELECT id FROM audit_chains");
    expect([...exported].sort()).toEqual(chains.map(({ id }) => id).sort());
  });

  test("AUD-08 verify names every chain and exits with 1 for altered ones", async () => {
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
      `${owner.organization} (${owner.organizationId}): entry 1 was changed or is in another's place. 2 entries, none signed yet.`,
    ]);
    expect(changed.errors).toEqual(["Verification failed for 1 chain."]);
    expect((await run(["verify"])).code).toBe(1);
    const unknown = await run(["verify", "--organization", "Nowhere"]);
    expect(unknown).toMatchObject({ code: 1, lines: [] });
    expect(unknown.errors[0]).toContain("No organization Nowhere");
  });

  test("AUD-08 external checkpoints reveal a chain rewritten with the server's keys", async () => {
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

  test("AUD-08 kept checkpoints reveal a missing chain, and a damaged file is rejected", async () => {
    const id = await aChain();
    const { lines } = await run(["export", "--organization", id]);
    await rewriteLog(db, "DELETE FROM activity_log WHERE organization_id = $1", [id]);
    await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);
    await db.query("DELETE FROM audit_checkpoints WHERE chain = $1", [id]);

    const found = await run(["verify", "--checkpoints", save(lines)]);

    expect(found.code).toBe(1);
    expect(found.lines).toContain(
      `${id}: entries 1 to 5 are missing at the end. 0 entries, signed up to 5.`,
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

  test("AUD-09 owners and admins download the organization's chain, which records the download", async () => {
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
      expect(entriesOf(lines).at(-1)).toMatchObject({
        entry: { type: "audit_exported", user_id: person.userId },
        values: { ip_address: { value: "127.0.0.1" } },
      });
      expect(answer.body).not.toContain(other.organizationId);
      const printed = await run(["export", "--organization", owner.organizationId]);
      expect(entriesOf(printed.lines)).toEqual(entriesOf(lines));
      expect((await browser.get("/settings/activity")).body).toContain(
        "downloaded the activity log.",
      );
    }
  });

  test.each([
    ["was removed", "UPDATE organization_members SET removed_at = now() WHERE user_id = $1"],
    ["became a member", "UPDATE organization_members SET role = 'member' WHERE user_id = $1"],
    ["signed out", "DELETE FROM sessions WHERE user_id = $1"],
  ])("AUD-10 aborts a download for an admin who %s meanwhile", async (_, end) => {
    const { organization, organizationId } = await aMember(db, { role: "owner" });
    const admin = await aMember(db, { organization, role: "admin" });
    await addEntries(organizationId);
    const { browser, page } = await download(admin);
    const reads = before(/json_build_object.*FROM activity_log/s, 2, () =>
      db.query(end, [admin.userId]),
    );

    const answer = browser.submitForm(page, {}, { action: "/settings/activity/export" });

    await expect(answer).rejects.toThrow("destroyed before completion");
    expect(reads()).toBe(2);
  });

  test("AUD-04 an admin verifies the log on its page, and a changed entry is a refusal", async () => {
    const { organization, organizationId } = await aMember(db, { role: "owner" });
    const admin = await aMember(db, { organization, role: "admin" });
    await addEntries(organizationId);
    const action = "/settings/activity/verify";
    const { browser, page } = await download(admin);

    expect((await browser.submitForm(page, {}, { action })).statusCode).toBe(303);
    const intact = await browser.get("/settings/activity");
    expect(intact.body).toMatch(/Activity log intact: [\d,]+ entries, none signed yet\./);

    await rewriteLog(
      db,
      "UPDATE activity_log SET actor_name = 'X' WHERE organization_id = $1 AND sequence = 3",
      [organizationId],
    );
    await browser.submitForm(intact, {}, { action });
    const changed = await browser.get("/settings/activity");
    expect(changed.body).toContain("The activity log was changed: 1 problem found.");
    expect(changed.body).not.toContain("Activity log intact");
  });

  test("AUD-04 a member can't verify the log", async () => {
    const { organization } = await aMember(db, { role: "owner" });
    const { browser, page } = await download(await aMember(db, { organization }));
    expect(page.body).not.toContain("Verify the log");
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? "";

    const refused = await browser.post("/settings/activity/verify", { _csrf });

    expect(refused.statusCode).toBe(403);
  });

  test("AUD-09 rejects members and forms without a valid token", async () => {
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
    const rows = await db.query(
      "SELECT 1 FROM activity_log WHERE organization_id = $1 AND type = 'audit_exported'",
      [owner.organizationId],
    );
    expect(rows).toEqual([]);
  });
});
