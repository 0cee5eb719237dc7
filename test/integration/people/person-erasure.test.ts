// @module-tag embedded

import type { FastifyInstance } from "fastify";
import type { Database } from "../../../server/src/db/database.js";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { checkpointsOf, entriesOf, save, useAudit } from "../../support/audit.js";
import { aMember, type Member } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { connect as connectTools } from "../../support/mcp.js";
import { callWith, connect, signIn } from "../../support/oauth.js";

const name = "Zora Quintessa";
const email = "zora.quintessa@example.com";
const formerName = "Zora Maidenly";

describe("erasure of a person", () => {
  const audit = useAudit();
  let db: Database;
  let app: FastifyInstance;
  beforeAll(() => {
    ({ db, app } = audit.current());
  });

  const erase = (address: string, ...more: string[]) =>
    audit.command(["person", "erase", "--email", address, ...more]);
  const lineOf = ({ code, lines, errors }: Awaited<ReturnType<typeof erase>>) => {
    expect(code, errors.join()).toBe(0);
    return JSON.parse(lines.join()) as Record<string, unknown>;
  };

  /** Every row of every table, as text. */
  async function allRows(of?: string): Promise<string[]> {
    // The server writes tool calls and activity times later.
    const tables = db.tables.filter(
      ({ tableName }) => of === undefined || tableName !== "tool_call_log",
    );
    const rows = await Promise.all(
      tables.map(async ({ tableName, columns }) => {
        const isOf = columns.some(({ databaseName }) => databaseName === "organization_id")
          ? "t.organization_id = $1"
          : "false";
        const found = await db.query<{ row: string }>(
          `SELECT '${tableName} ' || (to_jsonb(t) - 'last_active_at')::text AS row FROM ${tableName} t
           WHERE $1::text IS NULL OR ${isOf} ORDER BY 1`,
          [of ?? null],
        );
        return found.map(({ row }) => row);
      }),
    );
    return rows.flat();
  }
  const findNames = async (pattern = /zora|quintessa|maidenly|192\.0\.2\.77/i) =>
    (await allRows()).filter((row) => pattern.test(row));

  /** A person who left their name everywhere possible. */
  async function aKnownPerson() {
    const owner = await aMember(db, { role: "owner", name: "Olga Owner" });
    const { organization } = owner;
    const person = await aMember(db, { organization, role: "admin", name: formerName, email });
    const elsewhere = await aMember(db, { name: "Else", role: "owner" });
    const browser = await signIn(app, person);
    const page = await browser.get("/settings");
    await browser.submitForm(page, { name });
    const { tokens } = await connect(app, person);
    await aMember(db, { organization: elsewhere.organization, email });
    const context = { app, db, config: audit.config };
    const tools = await connectTools(context, { member: { ...person, name } });
    const boss = await connectTools(context, { member: owner });
    const { asset } = await boss.ok<{ asset: { id: string } }>("create_asset", {
      name: "Pump",
      assigned_to_user_id: person.userId,
      request_key: "pump-1",
    });
    const { task } = await tools.ok<{ task: { id: string } }>("create_maintenance_task", {
      title: "Oil it",
      type: "inspection",
      asset_id: asset.id,
      assigned_to_user_id: "me",
    });
    const done = await tools.ok<{ task: { id: string } }>("create_maintenance_task", {
      title: "Look at it",
      type: "inspection",
      asset_id: asset.id,
      assigned_to_user_id: "me",
    });
    await tools.ok("update_maintenance_task", { task_id: done.task.id, state: "completed" });
    await boss.ok("create_workspace", { name: "Lab" });
    await boss.ok("create_invite", { email: "friend@example.com", organization_role: "member" });
    await tools.ok("create_invite", {
      email: "guest@example.com",
      organization_role: "member",
      message: `Hello, this is ${name}`,
    });
    await tools.ok("create_asset", { name: "Fan" });
    await db.query(
      `INSERT INTO invites (id, organization_id, email, organization_role, token_hash, expires_at,
         last_sent_at, invited_by) VALUES ('inv_zora', $1, $2, 'member', '', now(), now(), $3)`,
      [elsewhere.organizationId, email.toUpperCase(), elsewhere.userId],
    );
    await db.query(
      `INSERT INTO sign_ups (token_hash, email, name, organization_name, password_hash, expires_at)
       VALUES ('zora', $1, $2, 'Zora Ltd', '', now() + interval '1 day')`,
      [email, name],
    );
    await db.query(
      `INSERT INTO rounds (organization_id, id, workspace_id, started_by)
       SELECT organization_id, 'rnd_hall', id, $2 FROM workspaces WHERE organization_id = $1`,
      [person.organizationId, person.userId],
    );
    await db.query(
      `INSERT INTO round_findings (organization_id, round_id, id, outcome, code, found_by, found_at)
       VALUES ($1, 'rnd_hall', 'badge', 'unknown', 'MAILTO:' || upper($3), $2, now()),
         ($1, 'rnd_hall', 'code', 'unknown', '4711', $2, now())`,
      [person.organizationId, person.userId, email],
    );
    await db.query(
      `INSERT INTO mail_outbox (kind, recipient, body_encrypted, status, next_attempt_at)
       VALUES ('account_exists', $1, '', 'failed', now())`,
      [email],
    );
    await db.query(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports,
         backed_up, name) VALUES ('k', $1, 'c', '', 0, '{}', false, 'Phone of Zora')`,
      [person.userId],
    );
    await db.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO activity_log (organization_id, user_id, actor_name, type, details)
         VALUES (NULL, $1, $2, 'passkey_added', '{"name": "Phone of Zora"}'),
           ($3, $4, 'Olga Owner', 'member_removed', jsonb_build_object('user_id', $1, 'name', $2)),
           ($3, $4, 'Olga Owner', 'sso_required_started', jsonb_build_object('user_id', $1, 'break_glass_owner', $2)),
           ($3, $4, 'Olga Owner', 'invite_sent', jsonb_build_object('email', upper($5)))`,
        [person.userId, name, person.organizationId, owner.userId, email],
      );
    });
    app.services.failedSignIns.record({
      userId: person.userId,
      userName: name,
      origin: { ipAddress: "192.0.2.77" },
    });
    await app.services.failedSignIns.flush();
    return { owner, person, elsewhere, browser, tokens, asset, task, done: done.task, boss };
  }

  let known: Awaited<ReturnType<typeof aKnownPerson>>;
  let stranger: Member;
  let exported: string[];
  let before: string[];
  beforeAll(async () => {
    known = await aKnownPerson();
    stranger = await aMember(db, { name: "Sam Stranger", role: "owner", workspace: "Hall" });
    await (
      await connectTools({ app, db, config: audit.config }, { member: stranger })
    ).ok("create_asset", { name: "Pump of Sam" });
    before = await allRows(stranger.organizationId);
    // The log of calls is written shortly after the calls.
    const findCalls = `SELECT FROM tool_call_log WHERE user_id = $1`;
    await vi.waitUntil(
      async () => (await db.query<object>(findCalls, [known.person.userId])).length > 0,
      60_000,
    );
    exported = (await audit.run(["export"])).lines;
  });

  test("changes nothing without confirmation and lists the data to erase", async () => {
    const { code, lines, errors } = await erase(email);

    expect([code, lines]).toEqual([1, []]);
    expect(errors.join()).toContain(
      `takes ${name} (${email}) out of ${known.owner.organization}, ${known.elsewhere.organization}, `,
    );
    expect(errors.join()).toContain("Add --yes to confirm");
    expect((await findNames()).length).toBeGreaterThan(20);
  });

  test("rejects erasing the only owner of an organization and explains the next step", async () => {
    const { code, errors } = await erase(known.owner.email, "--yes");

    expect(code).toBe(1);
    expect(errors.join()).toContain(
      `"Olga Owner" is the only owner of "${known.owner.organization}"`,
    );
    expect(errors.join()).toContain("fettle organization delete");
    expect((await known.boss.ok<{ user: object }>("get_current_user")).user).toBeDefined();
  });

  test("AUD-13 erases the person's name in all organizations and nothing of others", async () => {
    const done = lineOf(await erase(email.toUpperCase(), "--yes"));

    expect(done).toMatchObject({
      erased: true,
      user_id: known.person.userId,
      left: [known.person.organizationId, known.elsewhere.organizationId].sort(),
      unassigned: { assets: 1, tasks: 1 },
    });
    expect(await findNames()).toEqual([]);
    expect(await allRows(stranger.organizationId)).toEqual(before);
    const about: string[] = (await allRows()).filter((row) => row.includes(known.person.userId));
    expect([...new Set(about.map((row) => row.split(" ")[0]))].sort()).toEqual([
      "activity_log",
      "assets",
      "figures",
      "history_events",
      "invites",
      "maintenance_tasks",
      "organization_members",
      "round_findings",
      "rounds",
      "tool_call_log",
      "users",
    ]);
  });

  test("ends sign-in and apps at once, and frees the address for a new account", async () => {
    const { browser, tokens, person } = known;
    expect((await browser.get("/")).headers.location).toBe("/signin");
    expect(await callWith(app, tokens.access_token)).toBe(401);
    await expect(signIn(app, { ...person, name })).rejects.toThrow();
    app.services.failedSignIns.record({ userId: person.userId, userName: name, origin: {} });
    await app.services.failedSignIns.flush();
    expect(await findNames()).toEqual([]);

    const again = lineOf(await erase(email, "--yes"));
    expect(again).toEqual({ email, erased: false });
    const { lines } = await audit.command(["account", "list"]);
    expect(lines.join()).not.toContain(person.userId);
    const { organization } = known.owner;
    const someone = await aMember(db, { email, name: "Zora Another", organization });
    expect(someone.userId).not.toBe(person.userId);
    expect(lineOf(await erase(email, "--yes"))).toMatchObject({ erased: true });
  });

  test("pages and tools show a former member, and the work remains", async () => {
    const browser = await signIn(app, known.owner);
    const [log, asset, task, done] = await Promise.all(
      [
        "/settings/activity",
        `/assets/${known.asset.id}`,
        `/tasks/${known.task.id}`,
        `/tasks/${known.done.id}`,
      ].map(async (address) => (await browser.get(address)).body),
    );

    expect(log).toContain("The server's administrator erased a former member's personal data.");
    expect(log).toContain("Olga Owner removed Former member from the organization.");
    expect(log).toContain("Olga Owner invited Former member");
    expect(asset).toMatch(/>The server's administrator<.{0,40} reassigned/s);
    for (const page of [log, asset, task, done]) {
      expect(page).toContain("Former member");
      expect(page).not.toMatch(/zora|quintessa|maidenly/i);
    }
    const { events } = await known.boss.ok<{ events: object[] }>("search_asset_history", {
      query: "Former member",
    });
    expect(events.length).toBeGreaterThan(3);
    expect(await known.boss.ok("search_asset_history", { query: "Quintessa" })).toMatchObject({
      events: [],
    });
  });

  test("AUD-13 the chains still verify, even against earlier exports", async () => {
    const file = save(exported);
    expect(checkpointsOf(exported).length).toBeGreaterThan(2);

    const { code, lines } = await audit.run(["verify", "--checkpoints", file]);

    expect(code, lines.join("\n")).toBe(0);
  });

  test("AUD-13 exports contain the value and salt before, and only the digest after", async () => {
    const { organizationId } = known.person;
    const after = entriesOf((await audit.run(["export", "--organization", organizationId])).lines);
    const own = entriesOf(exported).filter(
      ({ entry }) => entry["organization_id"] === organizationId,
    );

    for (const { entry, hash, values } of own) {
      const later = after.find((one) => one.entry.sequence === entry.sequence);
      expect(later).toMatchObject({ entry, hash });
      const isHers = entry["user_id"] === known.person.userId;
      expect(values["actor_name"]?.salt).toMatch(/^[0-9a-f]{32}$/);
      expect(later?.values["actor_name"]).toEqual(isHers ? undefined : values["actor_name"]);
    }
    expect(JSON.stringify(after)).not.toMatch(/zora|quintessa/i);
    expect(after.map(({ entry: { type, details } }) => [type, details["user_id"]])).toContainEqual([
      "person_erased",
      known.person.userId,
    ]);
  });

  test.each([
    ["a name in the place of an erased one", "actor_name = 'Bob'", "was changed"],
    ["an address where one was erased", `details = details || '{"name": "Bob"}'`, "was changed"],
    [
      "values taken out without an erasure",
      "salts = '{}', details = details - 'name', ip_address = NULL, user_agent = NULL, actor_name = 'Former member'",
      "no erasure tells of",
    ],
  ])("AUD-14 detects %s", async (_, change, problem) => {
    const erased = change.includes("salts") ? "IS NOT NULL" : "= '{}'";
    const { organizationId } = known.person;
    const check = async () => (await audit.check(organizationId)).problems.join();
    const row = await db.maybe<{ id: string; row: string }>(
      `SELECT id, to_jsonb(l) AS row FROM activity_log l WHERE organization_id = $1
         AND type = 'workspace_created' AND salts ${erased}
       UNION ALL SELECT id, to_jsonb(l) FROM activity_log l WHERE organization_id = $1
         AND user_id = $2 AND salts ${erased} LIMIT 1`,
      [organizationId, known.person.userId],
    );
    expect(await check()).toBe("");

    await rewriteLog(db, `UPDATE activity_log SET ${change} WHERE id = $1`, [row?.id]);
    expect(await check()).toContain(problem);

    await rewriteLog(
      db,
      `UPDATE activity_log l SET (actor_name, details, salts, ip_address, user_agent) =
         (SELECT r.actor_name, r.details, r.salts, r.ip_address, r.user_agent
          FROM jsonb_populate_record(NULL::activity_log, $2::jsonb) r) WHERE l.id = $1`,
      [row?.id, JSON.stringify(row?.row)],
    );
    expect(await check()).toBe("");
  });

  test("erases a person who was only invited", async () => {
    const { owner } = known;
    const browser = known.boss;
    await browser.ok("create_invite", { email: "only@example.com", organization_role: "member" });

    expect((await erase("only@example.com")).errors.join()).toContain("No one has an account");
    expect(lineOf(await erase("only@example.com", "--yes"))).toEqual({
      email: "only@example.com",
      erased: true,
      removed: 2,
      activity_entries: 1,
    });

    expect(await findNames(/only@example/)).toEqual([]);
    expect(await audit.check(owner.organizationId)).toMatchObject({ ok: true });
  });

  test("AUD-17 a sign-in or rename that waited for the erasure stores nothing", async () => {
    const { organization } = known.owner;
    const late = await aMember(db, { organization, role: "member", name: "Lara Later" });
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      late.userId,
    ]);
    const browser = await signIn(app, late);
    const page = await browser.get("/settings");
    const person = { id: late.userId, name: late.name, email: late.email };

    const { waiting } = await db.transaction(async (tx) => {
      await erasePerson(tx, late.email, person);
      const sent = [
        browser.submitForm(page, { name: "Lara Latest" }),
        signIn(app, late).catch(() => undefined),
      ];
      await setTimeout(1000);
      return { waiting: sent };
    });
    await Promise.all(waiting);

    expect(await findNames(/Lara/)).toEqual([]);
    const kept = await db.query(
      "SELECT FROM activity_log WHERE user_id = $1 AND ip_address IS NOT NULL",
      [late.userId],
    );
    expect(kept).toEqual([]);
  });
});
