import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { decideReport } from "../../../server/src/domain/reports/decide-report.js";
import { removeUser } from "../../../server/src/domain/people/member-removal.js";
import { openConnection } from "../../../server/src/domain/oauth/connections.js";
import { poolOf } from "../../../server/src/db/pools.js";
import { testConfig, startApp } from "../../support/app.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { countWaiting, createDatabase, type TestDatabase } from "../../support/database.js";
import { tokenOf } from "../../support/mails.js";
import { connect } from "../../support/mcp.js";
import { aChallenge, aClient, openConsent, signIn } from "../../support/oauth.js";

// The embedded database runs one statement at a time, so no lock can be held meanwhile.
describe.runIf(inject("databaseUrl") !== null)("requests while a membership is locked", () => {
  let own: TestDatabase;
  let system: OpenDatabase;
  let app: FastifyInstance;

  beforeAll(async () => {
    own = await createDatabase();
    const choice = { databaseUrl: own.url, dataDir: "", embedded: "own", poolSize: 4 } as const;
    system = await openDatabase({ ...choice, onFailure: () => undefined });
    const mail = { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "Fettle <fettle@example.org>" };
    app = await startApp(testConfig(mail), own.db, {
      systemDb: system.db,
      anonymousDb: own.db,
    });
    await app.ready();
  });

  afterAll(async () => {
    await app.close();
    await system.close();
    await own.drop();
  });

  const on = () => ({ app, db: own.db, config: testConfig() });

  /**
   * Holds the membership's lock while it starts `begin`. Calls `look` once that ended or waits.
   * Returns the started work's promise.
   */
  async function whileHeld<Begun>(
    { organizationId, userId }: Member,
    begin: () => Promise<Begun>,
    look: () => Promise<void>,
  ): Promise<Begun> {
    const { begun } = await own.db.transaction(async (tx) => {
      await tx.query(
        "SELECT FROM organization_members WHERE organization_id = $1 AND user_id = $2 FOR UPDATE",
        [organizationId, userId],
      );
      const begun = begin();
      await overOrWaiting(begun);
      await look();
      return { begun };
    });
    return begun;
  }

  async function overOrWaiting(begun: Promise<unknown>): Promise<void> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    begun.then(end, end);
    await vi.waitFor(async () => {
      expect(isOver || (await countWaiting(own.db)) > 0).toBe(true);
    }, 60_000);
  }

  async function expectFree(table: string, { userId }: Member): Promise<void> {
    // Sign-in takes the lock on the account, sign-out the lock on the session.
    const [key, mode] = table === "users" ? ["id", "NO KEY UPDATE"] : ["user_id", "UPDATE"];
    const select = `SELECT FROM ${table} WHERE ${key} = $1`;
    const all = await own.db.query(select, [userId]);
    const free = await own.db.query(`${select} FOR ${mode} SKIP LOCKED`, [userId]);
    expect(free.length).toBe(all.length);
  }

  async function submit(browser: TestBrowser, path: string, fields = {}): Promise<number> {
    const answer = await browser.submitForm(await browser.get(path), fields);
    return answer.statusCode;
  }

  test.each([
    ["saved", "/settings", { name: "Ana" }],
    ["signed out elsewhere", "/settings/sessions/others/end", {}],
  ])(
    "LIM-56 the person's account is %s without being locked during the wait",
    async (_, path, fields) => {
      const member = await aMember(own.db);
      await signIn(app, member);
      const browser = await signIn(app, member);

      const status = await whileHeld(
        member,
        () => submit(browser, path, fields),
        async () => {
          await expectFree("users", member);
          await expectFree("sessions", member);
        },
      );

      expect(status).toBe(303);
    },
  );

  test("LIM-56 requesting sample data doesn't lock the owner's account", async () => {
    const owner = await aMember(own.db, { role: "owner" });
    const browser = await signIn(app, owner);
    const page = await browser.get("/sample");

    await whileHeld(
      owner,
      () => browser.submitForm(page, {}),
      () => expectFree("users", owner),
    );
  });

  test.each([false, true])(
    "LIM-56 making a change doesn't lock the person's account (replicas: %s)",
    async (readsReplicas) => {
      const member = await aMember(own.db, { role: "owner" });
      const caller = { ...toCaller(member), readsReplicas };

      await whileHeld(
        member,
        () => commit({ db: own.db, caller }, async () => undefined),
        () => expectFree("users", member),
      );
    },
  );

  test("rejects a change by a person deactivated while it waited", async () => {
    const member = await aMember(own.db, { role: "owner" });
    const caller = { ...toCaller(member), readsReplicas: true };

    const change = whileHeld(
      member,
      () => commit({ db: own.db, caller }, async () => undefined),
      async () => {
        await own.db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [
          member.userId,
        ]);
      },
    );

    await expect(change).rejects.toMatchObject({ code: "forbidden" });
  });

  test("LIM-56 accepting an invitation doesn't lock the person's account", async () => {
    const { ok, member: owner } = await connect(on(), { workspace: "Depot" });
    const { organization } = owner;
    const member = await aMember(own.db, { organization, role: "member" });
    await own.db.query("UPDATE users SET email_verified_at = NULL WHERE id = $1", [member.userId]);
    const { invite } = await ok<{ invite: { id: string } }>("create_invite", {
      email: member.email,
      workspace_id: "Depot",
    });
    const browser = await signIn(app, member);
    const page = await browser.get(`/invites/${await tokenOf(on(), invite.id)}`);

    const answer = await whileHeld(
      member,
      () => browser.submitForm(page, {}),
      () => expectFree("users", member),
    );

    expect(answer.statusCode).toBe(303);
  });

  test("LIM-56 creating a calendar address doesn't lock the session or the calendar", async () => {
    const member = await aMember(own.db);
    const browser = await signIn(app, member);
    const path = "/settings/notifications/calendar";
    await submit(browser, path, { covers: "own" });
    const page = await browser.get(path);

    const answer = await whileHeld(
      member,
      () => browser.submitForm(page, { covers: "all" }),
      async () => {
        await expectFree("sessions", member);
        await expectFree("calendar_feeds", member);
      },
    );

    expect(answer.statusCode).toBe(200);
  });

  test("LIM-56 a waiting consent occupies no shared connection", async () => {
    const member = await aMember(own.db);
    const browser = await signIn(app, member);
    const page = await openConsent(browser, await aClient(app), aChallenge());

    await whileHeld(
      member,
      () => browser.submitForm(page, { scope: ["mcp_read"], decision: "allow" }),
      async () => {
        const pool = poolOf(system.db);
        expect(pool?.idleCount).toBe(pool?.totalCount);
      },
    );
  });

  test("LIM-70 a waiting sign-in occupies no shared connection", async () => {
    const { userId, email, password } = await aMember(own.db);
    const browser = createBrowser(app);
    const page = await browser.get("/signin");

    const { begun } = await own.db.transaction(async (tx) => {
      await tx.query("SELECT FROM users WHERE id = $1 FOR SHARE", [userId]);
      const begun = browser.submitForm(page, { email, password });
      await overOrWaiting(begun);
      expect(await countWaiting(own.db)).toBe(1);
      const pool = poolOf(system.db);
      expect(pool?.idleCount).toBe(pool?.totalCount);
      return { begun };
    });

    await begun;
  });

  test("LIM-89 password reset requests for one address wait on a single connection", async () => {
    const { email } = await aMember(own.db);
    const ask = async () => {
      const browser = createBrowser(app);
      return browser.submitForm(await browser.get("/password/forgot"), { email });
    };

    const { begun } = await own.db.transaction(async (tx) => {
      // Takes the lock of a decision about a report with this address, until the change is stored.
      await tx.query(
        "SELECT pg_advisory_xact_lock(hashtextextended('notices to ' || lower($1), 0))",
        [email],
      );
      const begun = Promise.all([ask(), ask(), ask()]);
      await overOrWaiting(begun);
      await pause(500);
      expect(await countWaiting(own.db)).toBe(1);
      return { begun };
    });

    expect((await begun).map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  });

  test("LIM-70 skips a locked connection at the limit and ends it next time", async () => {
    const { member, connectionId } = await connect(on());
    const db = own.db;
    const open = () =>
      commit({ db, caller: null }, (tx) =>
        openConnection(tx, {
          client_id: "fettle-bridge",
          organization_id: member.organizationId,
          user_id: member.userId,
          scopes: ["mcp_read"],
          resource: "http://localhost:3000/mcp",
          redirect_uri: "http://127.0.0.1/callback",
          connection_days: null,
        }),
      );
    const findLive = (): Promise<{ id: string }[]> =>
      db.query("SELECT id FROM oauth_connections WHERE user_id = $1 AND revoked_at IS NULL", [
        member.userId,
      ]);
    const long =
      "UPDATE oauth_connections SET last_used_at = now() - interval '1 year' WHERE id = $1";
    await db.query(long, [connectionId]);
    for (let made = 1; made < 50; made += 1) await open();

    await db.transaction(async (tx) => {
      // Takes the lock of a removal from another organization, before it reassigns the person's
      // work.
      await tx.query("SELECT FROM oauth_connections WHERE id = $1 FOR UPDATE", [connectionId]);
      const opened = open();
      await overOrWaiting(opened);
      expect(await countWaiting(db)).toBe(0);
    });
    expect(await findLive()).toHaveLength(51);

    await open();
    const live = await findLive();
    expect(live).toHaveLength(50);
    expect(live).not.toContainEqual({ id: connectionId });
  });

  test("LIM-94: notifying a reporter doesn't lock their email address", async () => {
    const owner = await aMember(own.db, { role: "owner" });
    const caller = toCaller(owner);
    const { asset } = await commit({ db: own.db, caller: null }, (tx) =>
      createAsset(tx, caller, { name: "Lift" }),
    );
    await own.db.query(
      `INSERT INTO problem_reports
         (organization_id, id, asset_id, request_key, description, still_usable, email)
       VALUES ($1, 'rep_111111111111', $2, 'key', 'It squeaks.', true, 'Told@example.com')`,
      [owner.organizationId, asset.id],
    );
    const services = { mails: app.services.mails, secrets: app.services.reportSecrets };
    const decision = { kind: "answer", answer: "It may.", restore: false } as const;

    await whileHeld(
      owner,
      () =>
        commit({ db: own.db, caller }, (tx) =>
          decideReport(tx, caller, services, "rep_111111111111", decision),
        ),
      async () => {
        const found = await own.db.maybe<{ is_free: boolean }>(
          "SELECT pg_try_advisory_xact_lock(hashtextextended('notices to told@example.com', 0)) AS is_free",
        );
        expect(found?.is_free).toBe(true);
      },
    );

    const mails = await own.db.query(
      "SELECT FROM mail_outbox WHERE recipient = 'told@example.com' AND kind = 'report_closed'",
    );
    expect(mails).toHaveLength(1);
  });

  test("LIM-56 a removal doesn't lock the calendar address", async () => {
    const owner = await aMember(own.db, { role: "owner" });
    const { organization, organizationId } = owner;
    const member = await aMember(own.db, { organization, role: "admin" });
    await (await connect(on(), { member })).ok("create_invite", { email: "new@example.com" });
    const browser = await signIn(app, member);
    expect(await submit(browser, "/settings/notifications/calendar", { covers: "own" })).toBe(200);

    // The removal has ended the membership and now waits for the invitation.
    const { removal } = await own.db.transaction(async (tx) => {
      await tx.query("SELECT FROM invites WHERE organization_id = $1 FOR UPDATE", [organizationId]);
      const removal = commit({ db: own.db, caller: toCaller(owner) }, (removing) =>
        removeUser(removing, toCaller(owner), { user_id: member.userId, from_organization: true }),
      );
      await overOrWaiting(removal);
      await expectFree("calendar_feeds", member);
      return { removal };
    });

    await removal;
    const left = await own.db.query("SELECT FROM calendar_feeds WHERE organization_id = $1", [
      organizationId,
    ]);
    expect(left).toEqual([]);
  });
});
