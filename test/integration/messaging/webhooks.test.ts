// @module-tag embedded

import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { WebhookEvent } from "../../../server/src/db/entities/messaging.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import {
  addWebhook,
  changeWebhook,
  findDeliveries,
  findTroubles,
  getWebhook,
  listWebhooks,
  removeWebhook,
  renewWebhookSecrets,
  resumeWebhook,
  sendTest,
} from "../../../server/src/domain/messaging/webhooks.js";
import {
  claimDelivery,
  concludeDelivery,
} from "../../../server/src/domain/messaging/webhook-deliveries.js";
import { omit } from "../../../server/src/domain/shared/omit.js";
import { createJsonCipher } from "../../../server/src/domain/shared/encryption.js";
import { publicNetwork } from "../../../server/src/oauth/read-document.js";
import {
  startWebhookSender,
  type WebhookSenderOptions,
} from "../../../server/src/webhooks/sender.js";
import { useApp } from "../../support/app.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { localNetwork } from "../../support/client-documents.js";
import { notificationsIn } from "../../support/notifications.js";
import { useReceiver } from "../../support/webhook-receiver.js";

const current = useApp();
const receiver = useReceiver();
const { assign } = notificationsIn(current);

let owner: Member;
beforeEach(async () => {
  await current().db.query("DELETE FROM webhooks");
  owner = await aMember(current().db, { role: "owner", workspace: "Depot" });
});

const add = (events: readonly WebhookEvent[], url = receiver().url) =>
  current().db.transaction((tx) =>
    addWebhook(tx, toCaller(owner), current().app.services.webhookSecrets, { url, events }),
  );
const deliveriesOf = (id: string) => findDeliveries(current().db, toCaller(owner), id);
const webhookOf = (id: string) => getWebhook(current().db, toCaller(owner), id);

const usual = (): WebhookSenderOptions => ({
  ...{ db: current().db, secrets: current().app.services.webhookSecrets, network: localNetwork },
  ...{ baseUrl: current().config.baseUrl, delaysMs: [0, 0, 0] },
  log: { info: () => undefined, error: () => undefined },
});

/** Delivers on two nodes until the webhook's queue is empty, or `until` is met. */
async function deliver(
  id: string,
  more: Partial<WebhookSenderOptions> = {},
  until = async () => (await deliveriesOf(id)).every(({ state }) => state !== "queued"),
): Promise<void> {
  const { db } = current();
  const start = () => startWebhookSender({ ...usual(), everyMs: 20, ...more });
  const stops = [start(), start()];
  await vi.waitFor(
    async () => {
      // Failed addresses pause for a while.
      await db.query(
        "UPDATE webhooks SET busy_until = now() WHERE busy_until < now() + interval '30 s'",
      );
      expect(await until()).toBe(true);
    },
    { timeout: 60_000, interval: 50 },
  );
  for (const stop of stops) await stop();
}

describe("webhook", () => {
  test("receives each subscribed event once from two nodes, signed and without record contents", async () => {
    const { id, secret } = await add(["task.created", "task.completed"]);
    const tasks = [
      await assign(owner, owner),
      await assign(owner, owner),
      await assign(owner, owner),
    ];
    await current().db.transaction((tx) =>
      updateTask(tx, toCaller(owner), tasks[0] ?? "", { title: "Another title" }),
    );

    await deliver(id);

    const { requests } = receiver();
    const bodies = requests.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(bodies).toHaveLength(3);
    expect(bodies).toContainEqual({
      type: "task.created",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: {
        organization_id: owner.organizationId,
        task_id: tasks[0],
        workspace_id: owner.workspaceId,
        actor_user_id: owner.userId,
        url: `${current().config.baseUrl}/tasks/${tasks[0] ?? ""}`,
      },
    });
    const ids = requests.map(({ headers }) => headers["webhook-id"]);
    const events = await current().db.query<{ id: string }>(
      "SELECT id FROM history_events WHERE organization_id = $1 AND type = 'task_created'",
      [owner.organizationId],
    );
    expect(ids.toSorted()).toEqual(events.map((event) => event.id).toSorted());
    expect(JSON.stringify(requests)).not.toContain("Grease the hinges");
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(
      Array.from({ length: 3 }, () => "delivered"),
    );
  });

  test("receives a retry with the same id after a bad response", async () => {
    const { id } = await add(["task.created"]);
    receiver().answers.push(500, 302);
    await assign(owner, owner);

    await deliver(id);

    const ids = receiver().requests.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(await deliveriesOf(id)).toMatchObject([
      { state: "delivered", attempts: 3, last_result: "It returned status 204." },
    ]);
  });

  test("is marked failing and stopped after repeated failures, with no new events until resumed", async () => {
    const { db } = current();
    const caller = toCaller(owner);
    const { id } = await add(["task.created"]);
    receiver().answers.push(...Array.from({ length: 4 }, () => 503));
    await assign(owner, owner);
    await deliver(id);

    expect(await deliveriesOf(id)).toMatchObject([
      { state: "failed", attempts: 4, last_result: "It returned status 503." },
    ]);
    const failing = await webhookOf(id);
    expect([failing.is_active, failing.failing_since]).toEqual([false, expect.any(Date)]);
    await assign(owner, owner);
    expect(await deliveriesOf(id)).toHaveLength(1);

    await db.transaction((tx) => sendTest(tx, caller, id));
    await deliver(id);
    expect(receiver().requests.at(-1)?.body).toContain('"type":"webhook.test"');
    await db.transaction((tx) => resumeWebhook(tx, caller, id));
    await assign(owner, owner);
    await deliver(id);
    expect(receiver().requests).toHaveLength(6);
    const logged = await db.query<{ details: object }>(
      "SELECT details FROM activity_log WHERE organization_id = $1 AND type = 'webhook_failed'",
      [owner.organizationId],
    );
    expect(logged).toEqual([{ details: { webhook_id: id, host: new URL(receiver().url).host } }]);
  });

  test("isn't delayed by unresponsive addresses of another organization", async () => {
    const { db } = current();
    const sendTo = async (url?: string) => {
      const { id } = await add(["task.created"], url);
      await db.transaction((tx) => sendTest(tx, toCaller(owner), id));
      return id;
    };
    for (const name of ["a", "b", "c", "d", "e"]) await sendTo(`${receiver().url}/${name}-slow`);
    owner = await aMember(db, { role: "owner" });
    const id = await sendTo();

    let unanswered = 0;
    await deliver(id, {}, async () => {
      unanswered = receiver().unanswered;
      const [delivery] = await deliveriesOf(id);
      return delivery?.state === "delivered" && unanswered > 0;
    });

    // At most one per node. Others wait for no more than these.
    expect(unanswered).toBeLessThanOrEqual(2);
  });

  test("LIM-53 waits for only a few slow webhooks of other organizations", async () => {
    const { db } = current();
    const sendTo = async (url: string, times: number) => {
      owner = await aMember(db, { role: "owner" });
      const { id } = await add(["task.created"], url);
      for (let sent = 0; sent < times; sent += 1) {
        await db.transaction((tx) => sendTest(tx, toCaller(owner), id));
      }
      return id;
    };
    for (let count = 0; count < 8; count += 1) await sendTo(`${receiver().url}/late`, 5);
    const told = () => receiver().requests.filter(({ path }) => !path.endsWith("late")).length;
    const slow = () => receiver().requests.length - told();
    const stop = startWebhookSender({ ...usual(), everyMs: 20 });
    await vi.waitFor(
      () => {
        expect(slow()).toBeGreaterThan(8);
      },
      { timeout: 60_000 },
    );

    await sendTo(receiver().url, 10);
    const before = slow();
    await vi.waitFor(
      () => {
        expect(told()).toBe(10);
      },
      { timeout: 60_000 },
    );
    await stop();

    expect(slow() - before).toBeLessThan(16);
  });

  test("is stopped immediately after a 410, and its queued deliveries are given up", async () => {
    const { id } = await add(["task.created"]);
    receiver().answers.push(410);
    await assign(owner, owner);
    await assign(owner, owner);
    await deliver(id);

    expect((await webhookOf(id)).is_active).toBe(false);
    expect(receiver().requests).toHaveLength(1);
    expect((await deliveriesOf(id)).map(({ last_result }) => last_result).toSorted()).toEqual([
      "It returned status 410.",
      "Webhook paused.",
    ]);
  });

  test("names the actual cause of a failure, and when the next attempt is", async () => {
    const { db } = current();
    const troubles = async () => [...(await findTroubles(db, toCaller(owner))).values()];
    const unknown = { ...localNetwork, resolve: async () => [] };
    const untrusting = omit(localNetwork, "ca");
    const isTried = async (id: string) =>
      (await deliveriesOf(id)).every(({ last_result }) => last_result !== null);
    for (const [network, cause] of [
      [unknown, "Its host name wasn't found."],
      [untrusting, "Its TLS certificate was rejected."],
    ] as const) {
      const { id } = await add(["task.created"]);
      await assign(owner, owner);
      await deliver(id, { network, delaysMs: [3_600_000] }, () => isTried(id));
      expect(await troubles()).toEqual([{ id, cause, next_attempt_at: expect.any(Date) as Date }]);
      await db.query("DELETE FROM webhooks");
    }

    const { id } = await add(["task.created"]);
    receiver().answers.push(410);
    await assign(owner, owner);
    await assign(owner, owner);
    await deliver(id);
    expect(await troubles()).toEqual([{ id, cause: "It returned status 410." }]);
    await db.transaction((tx) => resumeWebhook(tx, toCaller(owner), id));
    expect(await troubles()).toEqual([]);
  });

  test("stays active after its address changes, despite a 410 from the old address", async () => {
    const { db } = current();
    const gone = { isDelivered: false, isGone: true, result: "It returned status 410." };
    const { id } = await add(["task.created"], `${receiver().url}/before`);
    await assign(owner, owner);
    const delivery = await claimDelivery(db);
    if (delivery === undefined) throw new Error("There is nothing to deliver.");
    const change = { url: receiver().url, events: ["task.created"] as const };
    await db.transaction((tx) => changeWebhook(tx, toCaller(owner), id, change));

    await concludeDelivery(db, delivery, gone);

    expect(delivery.url).not.toBe(change.url);
    expect((await webhookOf(id)).is_active).toBe(true);
  });

  test("GRO-07 is stopped if too slow for its events, and keeps few queued deliveries", async () => {
    const { db } = current();
    const { id } = await add(["task.created"]);
    const queue = (count: number, since: string) =>
      db.query(
        `INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, data, created_at)
         SELECT $1, $2, $3 || n, 'task.created', '{}', now() - $3::interval
         FROM generate_series(1, $4::int) n`,
        [owner.organizationId, id, since, count],
      );
    const countWaiting = async () => {
      const row = await db.maybe<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM webhook_deliveries
         WHERE organization_id = $1 AND webhook_id = $2 AND state = 'queued'`,
        [owner.organizationId, id],
      );
      return row?.waiting;
    };
    const deliverNext = async () => {
      const delivery = await claimDelivery(db);
      if (delivery === undefined) throw new Error("Nothing is due.");
      await concludeDelivery(db, delivery, { isDelivered: true, isGone: false, result: "It did." });
    };

    await queue(20_003, "1 minute");
    await deliverNext();
    expect((await webhookOf(id)).is_active).toBe(true);
    expect(await countWaiting()).toBe(20_002);

    const longAgo = "UPDATE webhook_deliveries SET created_at = now() - interval '2 hours'";
    await db.query(`${longAgo} WHERE webhook_id = $1`, [id]);
    await deliverNext();
    expect(await webhookOf(id)).toMatchObject({
      is_active: false,
      failing_since: expect.any(Date) as Date,
    });
    expect(await countWaiting()).toBe(0);
    const kept = await db.maybe<{ given_up: number }>(
      `SELECT count(*)::int AS given_up FROM webhook_deliveries
       WHERE organization_id = $1 AND webhook_id = $2 AND state = 'failed'`,
      [owner.organizationId, id],
    );
    expect(kept?.given_up).toBe(1000);
    expect((await findTroubles(db, toCaller(owner))).get(id)?.cause).toBe(
      "Too many events were waiting.",
    );

    await db.query("UPDATE webhooks SET is_active = true, failing_since = NULL WHERE id = $1", [
      id,
    ]);
    await queue(200_002, "2 minutes");
    await deliverNext();
    expect((await webhookOf(id)).is_active).toBe(false);
  });

  test("is not delivered or connected to on a non-public network", async () => {
    for (const url of [receiver().url.replace("apps.example", "127.0.0.1"), "https://[::1]/x"]) {
      const { id } = await add(["task.created"], url);
      await assign(owner, owner);
      await deliver(id, { network: publicNetwork, delaysMs: [] });
      expect(await deliveriesOf(id), url).toMatchObject([
        { state: "failed", last_result: expect.stringContaining("is a private address") as string },
      ]);
      await current().db.transaction((tx) => removeWebhook(tx, toCaller(owner), id));
    }
    expect(receiver().connections).toBe(0);
  });

  test("is claimed by one node, and by another after the first node dies", async () => {
    const { db } = current();
    const { id } = await add(["task.created"]);
    await assign(owner, owner);
    const claims = await Promise.all([claimDelivery(db), claimDelivery(db), claimDelivery(db)]);
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);

    await db.query("UPDATE webhooks SET busy_until = now() WHERE id = $1", [id]);
    const again = await claimDelivery(db);
    expect(again?.id).toBe(claims.find((claim) => claim !== undefined)?.id);
    expect(again?.attempts).toBe(2);
  });

  test("LIM-48: organizations take turns, however many addresses one has", async () => {
    const { db } = current();
    const sendTests = async (addresses: number, each: number) => {
      for (let count = 0; count < addresses; count += 1) {
        const { id } = await add(["task.created"]);
        for (let sent = 0; sent < each; sent += 1) {
          await db.transaction((tx) => sendTest(tx, toCaller(owner), id));
        }
      }
      return owner.organizationId;
    };
    const many = await sendTests(4, 2);
    owner = await aMember(db, { role: "owner" });
    const few = await sendTests(1, 3);

    const told: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const delivery = await claimDelivery(db);
      if (delivery === undefined) break;
      told.push(delivery.organization_id);
      await concludeDelivery(db, delivery, { isDelivered: true, isGone: false, result: "It did." });
    }

    expect(told).toEqual([many, few, many, few, many, few]);
  });

  test("is limited to owners and admins of its organization", async () => {
    const { db, app } = current();
    const { id } = await add(["task.created"]);
    const { organization } = owner;
    const member = await aMember(db, { organization, role: "member" });
    const stranger = await aMember(db, { role: "owner" });
    const given = { url: receiver().url, events: ["task.created"] as const };

    await expect(listWebhooks(db, toCaller(member, "member"))).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(
      addWebhook(db, toCaller(member, "member"), app.services.webhookSecrets, given),
    ).rejects.toMatchObject({ code: "forbidden" });
    await expect(getWebhook(db, toCaller(stranger), id)).rejects.toMatchObject({
      code: "not_found",
    });
    for (const url of ["http://a.example/", "https://u:p@a.example/", "ftp://a.example/", "x"]) {
      await expect(add(["task.created"], url), url).rejects.toMatchObject({
        key: "no_webhook_url",
      });
    }
    await expect(add([])).rejects.toMatchObject({ key: "webhook_without_events" });
    for (let count = 1; count < 10; count += 1) await add(["task.created"]);
    await expect(add(["task.created"])).rejects.toMatchObject({ key: "too_many_webhooks" });
  });

  test("doesn't receive deliveries that were in progress when it was stopped", async () => {
    const { db } = current();
    const { id } = await add(["task.created"]);
    await assign(owner, owner);
    await db.query("UPDATE webhooks SET is_active = false");
    await db.transaction((tx) => resumeWebhook(tx, toCaller(owner), id));
    expect(await deliveriesOf(id)).toMatchObject([{ state: "failed" }]);
  });

  test("keeps its secret after key rotation", async () => {
    const { db, app, config } = current();
    const { id, secret } = await add(["task.created"]);
    const newer = createJsonCipher(
      ["another-key-that-is-at-least-32-characters", ...config.secretKeys],
      "fettle webhook",
    );
    await renewWebhookSecrets(db, newer);
    const row = await db.maybe<{ secret_encrypted: Buffer }>(
      "SELECT secret_encrypted FROM webhooks WHERE organization_id = $1 AND id = $2",
      [owner.organizationId, id],
    );
    const encrypted = row?.secret_encrypted ?? Buffer.of();
    expect(newer.decrypt(encrypted)).toBe(secret);
    expect(app.services.webhookSecrets.decrypt(encrypted)).toBeUndefined();
  });
});
