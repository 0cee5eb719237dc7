import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { anonymousPool } from "../../../server/src/db/data-source.js";
import { openDatabase, type OpenDatabase } from "../../../server/src/db/open-database.js";
import { findResponse, storeResponse } from "../../../server/src/domain/access/client-responses.js";
import { poolOf } from "../../../server/src/db/pools.js";
import {
  claimDelivery,
  concludeDelivery,
  type ClaimedDelivery,
} from "../../../server/src/domain/messaging/webhook-deliveries.js";
import { addWebhook, sendTest } from "../../../server/src/domain/messaging/webhooks.js";
import { testConfig, startApp } from "../../support/app.js";
import { aCalendarAddress, aMember, toCaller, type Member } from "../../support/builders.js";
import { createBrowser } from "../../support/browser.js";
import { countWaiting, createDatabase, type TestDatabase } from "../../support/database.js";
import { tokenOf } from "../../support/mails.js";
import { connect, type Connected } from "../../support/mcp.js";
import { connect as connectApp, postForm, refresh, signIn } from "../../support/oauth.js";

// The embedded database runs one statement at a time, so no lock can be held meanwhile.
describe.runIf(inject("databaseUrl") !== null)(
  "requests of a person whose access is being removed",
  () => {
    const poolSize = 4;
    let own: TestDatabase;
    let system: OpenDatabase;
    let strangers: OpenDatabase;
    let senders: OpenDatabase;
    let app: FastifyInstance;
    let other: Connected;

    beforeAll(async () => {
      own = await createDatabase();
      const choice = { databaseUrl: own.url, dataDir: "", embedded: "own", poolSize } as const;
      system = await openDatabase({ ...choice, onFailure: () => undefined });
      strangers = await openDatabase({ ...choice, ...anonymousPool, onFailure: () => undefined });
      senders = await openDatabase({ ...choice, onFailure: () => undefined });
      app = await startApp(testConfig(), own.db, {
        systemDb: system.db,
        anonymousDb: strangers.db,
        backgroundDb: senders.db,
      });
      await app.ready();
      other = await connect(on());
    });

    afterAll(async () => {
      await app.close();
      await strangers.close();
      await senders.close();
      await system.close();
      await own.drop();
    });

    const on = () => ({ app, db: own.db, config: testConfig() });

    /** Holds the locks of a removal that reassigns much work. */
    async function whileHeld<Result>(
      { organizationId, userId }: Member,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const its = [organizationId, userId];
      return own.db.transaction(async (tx) => {
        for (const table of ["organization_members", "oauth_connections"]) {
          await tx.query(
            `SELECT FROM ${table} WHERE organization_id = $1 AND user_id = $2 FOR UPDATE`,
            its,
          );
        }
        return work();
      });
    }

    test("LIM-56 opening pages doesn't block other people", async () => {
      const member = await aMember(own.db);
      const browser = await signIn(app, member);
      const others = await signIn(app, other.member);
      await own.db.query(
        "UPDATE sessions SET last_used_at = now() - interval '2 minutes' WHERE user_id = $1",
        [member.userId],
      );

      const statuses = await whileHeld(member, async () => {
        const opened = Array.from({ length: poolSize }, () => browser.get("/settings"));
        await other.ok("list_assets");
        return Promise.all([others.get("/assets"), ...opened]);
      });

      expect(new Set(statuses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    });

    test("LIM-56 downloading a list doesn't wait for the lock", async () => {
      const { ok, member } = await connect(on());
      await ok("create_asset", { name: "Pump" });
      const browser = await signIn(app, member);

      const file = await whileHeld(member, () => browser.get("/assets.csv"));

      expect(file.body).toContain("Pump");
    });

    test("LIM-56 initializing apps doesn't block other people", async () => {
      const { member, token } = await connect(on());
      const initialize = async () =>
        app.inject({
          method: "POST",
          url: "/mcp",
          headers: {
            host: new URL(app.services.config.baseUrl).host,
            authorization: `Bearer ${token}`,
            accept: "application/json, text/event-stream",
          },
          payload: {
            ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
            params: {
              protocolVersion: "2025-06-18",
              capabilities: { elicitation: {} },
              clientInfo: { name: "App", version: "1" },
            },
          },
        });

      const begun = await whileHeld(member, async () => {
        const sent = Array.from({ length: poolSize }, initialize);
        await other.ok("list_assets");
        await other.ok("list_assets");
        return { sent };
      });

      for (const { statusCode } of await Promise.all(begun.sent)) expect(statusCode).toBe(200);
    });

    test("LIM-56 refreshing and revoking tokens doesn't block other sign-ins", async () => {
      const member = await aMember(own.db);
      const { client, tokens } = await connectApp(app, member);
      const token = tokens.refresh_token;

      const begun = await whileHeld(member, async () => {
        const sent = Array.from({ length: poolSize }, (_, id) => [
          refresh(app, client, token, { rotation_id: `${id}`.padStart(43, "r") }),
          postForm(app, "/oauth/revoke", { token, client_id: client.id }),
        ]).flat();
        const browser = await signIn(app, other.member);
        return { sent, browser };
      });

      expect(begun.browser.cookies.size).toBeGreaterThan(0);
      await Promise.all(begun.sent);
    });

    test("LIM-67 other apps wait only briefly, even when organizations take every queue slot", async () => {
      const members = await Promise.all(Array.from({ length: 3 }, () => aMember(own.db)));
      const apps = await Promise.all(members.map((member) => connectApp(app, member)));
      const free = await connectApp(app, other.member);
      const send = ({ client, tokens }: (typeof apps)[number]) =>
        refresh(app, client, tokens.refresh_token);

      const [kept, ...held] = await own.db.transaction(async (tx) => {
        await tx.query("SELECT FROM oauth_connections WHERE user_id = ANY ($1) FOR UPDATE", [
          members.map(({ userId }) => userId),
        ]);
        return Promise.all([free, ...apps].toReversed().map(send)).then((all) => all.toReversed());
      });

      expect(kept?.statusCode).toBe(200);
      for (const answer of held) {
        expect(answer.statusCode).toBe(503);
        expect(answer.headers["retry-after"]).toBe("1");
        expect(answer.json()).toMatchObject({ error: "temporarily_unavailable" });
      }
      const again = await Promise.all(apps.map(send));
      expect(again.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    });

    test("LIM-56 accepting an invitation being withdrawn doesn't block sign-ins", async () => {
      const { ok, member } = await connect(on());
      const { invite } = await ok<{ invite: { id: string } }>("create_invite", {
        email: "invited@example.com",
      });
      const path = `/invites/${await tokenOf(on(), invite.id)}`;
      const invited = await Promise.all(
        Array.from({ length: poolSize }, async () => {
          const browser = createBrowser(app);
          return { browser, page: await browser.get(path) };
        }),
      );

      const { sent } = await own.db.transaction(async (tx) => {
        await tx.query("SELECT FROM invites WHERE organization_id = $1 FOR UPDATE", [
          member.organizationId,
        ]);
        const sent = invited.map(({ browser, page }) =>
          browser.submitForm(page, { name: "Ana", password: member.password }),
        );
        await signIn(app, other.member);
        return { sent };
      });

      const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
      expect(statuses).toContain(303);
    });

    test("LIM-56 storing an answer doesn't wait for a question in use", async () => {
      const { member, connectionId } = await connect(on());
      const { organizationId, userId } = member;
      const question = { organizationId, connectionId, id: "used" };
      await own.db.query(
        `INSERT INTO confirmations (organization_id, id, connection_id, user_id, call_hash, question,
         answer, expires_at) VALUES ($1, $2, $3, $4, '', '{}', '', now() + interval '1 hour')`,
        [organizationId, question.id, connectionId, userId],
      );
      const findKept = () => findResponse(own.db, question);

      await own.db.transaction(async (tx) => {
        await tx.query("SELECT FROM confirmations WHERE organization_id = $1 FOR UPDATE", [
          organizationId,
        ]);
        await storeResponse(system.db, question, { result: {} });
      });
      expect(await findKept()).toBeUndefined();

      await storeResponse(system.db, question, { result: {} });
      expect(await findKept()).toEqual({ result: {} });
    });

    test("LIM-92: webhook deliveries and failed sign-in records don't block token checks", async () => {
      const owners = [];
      while (owners.length < poolSize - 1) owners.push(await aMember(own.db, { role: "owner" }));
      for (const owner of owners) {
        await own.db.transaction(async (tx) => {
          const given = { url: "https://example.com/", events: ["task.created"] as const };
          const { id } = await addWebhook(tx, toCaller(owner), app.services.webhookSecrets, given);
          await sendTest(tx, toCaller(owner), id);
        });
      }
      const claimed: ClaimedDelivery[] = [];
      while (claimed.length < owners.length) {
        const served = claimed.map(({ organization_id }) => organization_id);
        const delivery = await claimDelivery(app.services.backgroundDb, served);
        if (delivery !== undefined) claimed.push(delivery);
      }
      const { userId, userName } = toCaller(await aMember(own.db));

      const { begun } = await own.db.transaction(async (tx) => {
        await tx.query("SELECT FROM webhooks FOR UPDATE");
        await tx.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [userId]);
        app.services.failedSignIns.record({ userId, userName, origin: undefined });
        const outcome = { isDelivered: true, isGone: false, result: "It did." };
        const begun = [
          app.services.failedSignIns.flush(),
          ...claimed.map((delivery) =>
            concludeDelivery(app.services.backgroundDb, delivery, outcome),
          ),
        ];
        await vi.waitFor(async () => {
          expect(await countWaiting(own.db)).toBe(poolSize);
        }, 60_000);
        const { totalCount = 0, idleCount = 0 } = poolOf(system.db) ?? {};
        expect(totalCount - idleCount).toBe(0);
        await other.ok("list_assets");
        return { begun };
      });

      await Promise.all(begun);
    });

    /** Locks the table used to look up callers while enough calls run to occupy all connections. */
    async function leavesRoomWhile(table: string, ask: () => Promise<{ statusCode: number }>) {
      expect((await ask()).statusCode).toBe(200);
      const { asked } = await own.db.transaction(async (tx) => {
        await tx.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const asked = Promise.all(Array.from({ length: 2 * poolSize }, ask));
        await vi.waitFor(async () => {
          expect(await countWaiting(own.db)).toBeGreaterThan(1);
        }, 60_000);
        // Looks up other callers, as `/readyz` also does.
        await system.db.query("SELECT 1");
        return { asked };
      });
      expect(new Set((await asked).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    }

    test("LIM-99 more concurrent calls than connections don't block token checks", async () => {
      const { token } = await connect(on());
      await leavesRoomWhile("oauth_access_tokens", async () =>
        app.inject({
          method: "POST",
          url: "/mcp",
          headers: { authorization: `Bearer ${token}`, accept: "application/json" },
          payload: { jsonrpc: "2.0", id: 1, method: "ping" },
        }),
      );
    });

    test("LIM-99 more concurrent pages than connections don't block other sessions", async () => {
      const browser = await signIn(app, await aMember(own.db));
      await leavesRoomWhile("sessions", () => browser.get("/settings"));
    });

    test.each(["sessions", "users", "organization_members"])(
      "LIM-99 many people of one organization reading %s don't block other sessions",
      async (table) => {
        const browsers: Awaited<ReturnType<typeof signIn>>[] = [];
        while (browsers.length < poolSize) {
          browsers.push(await signIn(app, await aMember(own.db, { organization: table })));
        }
        for (const browser of browsers) await browser.get("/assets");
        let next = 0;
        await leavesRoomWhile(table, async () => {
          const browser = browsers[next++ % poolSize];
          return browser?.get("/assets") ?? { statusCode: 0 };
        });
      },
    );

    test("LIM-93: a slow calendar occupies no connection of the anonymous pool", async () => {
      const path = await aCalendarAddress(own.db, other.member);

      const { read } = await own.db.transaction(async (tx) => {
        await tx.query("LOCK TABLE maintenance_tasks IN ACCESS EXCLUSIVE MODE");
        const read = app.inject({ url: path });
        await vi.waitFor(async () => {
          expect(await countWaiting(own.db)).toBe(1);
        }, 60_000);
        const { totalCount = 0, idleCount = 0 } = poolOf(strangers.db) ?? {};
        expect(totalCount - idleCount).toBe(0);
        return { read };
      });

      expect((await read).statusCode).toBe(200);
    });

    test("LIM-56 unsubscribing from emails doesn't block sign-ins", async () => {
      const member = await aMember(own.db);
      const { organizationId, userId } = member;
      const token = app.services.mails.writeUnsubscribeToken({
        organizationId,
        userId,
        kind: "assigned",
      });

      const begun = await whileHeld(member, async () => {
        const sent = Array.from({ length: poolSize }, () =>
          postForm(app, `/unsubscribe/${token}`, { "List-Unsubscribe": "One-Click" }),
        );
        const browser = await signIn(app, other.member);
        return { sent, browser };
      });

      expect(begun.browser.cookies.size).toBeGreaterThan(0);
      for (const { statusCode } of await Promise.all(begun.sent)) expect(statusCode).toBe(200);
    });
  },
);
