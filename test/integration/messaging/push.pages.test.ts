import { beforeEach, describe, expect, test, vi } from "vitest";
import { createPushKeys } from "../../../server/src/domain/messaging/push-keys.js";
import { queueNotedMails } from "../../../server/src/domain/messaging/notification-queue.js";
import { publicNetwork } from "../../../server/src/oauth/read-document.js";
import { startPushSender, type PushSenderOptions } from "../../../server/src/push/sender.js";
import { useApp, useServer } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { localNetwork } from "../../support/client-documents.js";
import { notificationsIn } from "../../support/notifications.js";
import { signIn } from "../../support/oauth.js";
import { openPage } from "../../support/pages.js";
import { aSubscription, readVapid } from "../../support/push.js";
import { useReceiver } from "../../support/webhook-receiver.js";

const settings = "/settings/notifications";

describe("push messages", () => {
  const current = useApp();
  const receiver = useReceiver();
  const { mails, assign, wait } = notificationsIn(current);
  let owner: Member;
  let member: Member;
  let browser: TestBrowser;

  beforeEach(async () => {
    const { app, db } = current();
    await db.query("DELETE FROM push_subscriptions");
    await db.query("DELETE FROM notifications");
    owner = await aMember(db, { role: "owner", workspace: "Depot", name: "Ana Keller" });
    const { organization } = owner;
    member = await aMember(db, { organization, role: "member", workspace: "Depot" });
    browser = await signIn(app, member);
  });

  const turnOn = async (by = browser, endpoint = receiver().url) => {
    const made = aSubscription(endpoint);
    const fields = { subscription: JSON.stringify(made.subscription) };
    const sent = await by.submitForm(await by.get(settings), fields, {
      action: `${settings}/push`,
    });
    expect([sent.statusCode, sent.headers.location]).toEqual([303, settings]);
    return made;
  };
  const countOf = async (table: string) =>
    (await current().db.query(`SELECT 1 FROM ${table}`)).length;
  const queue = async () => {
    await wait();
    const { db } = current();
    await Promise.all([queueNotedMails(db, mails()), queueNotedMails(db, mails())]);
  };

  /** Sends on two nodes until nothing is left. */
  async function send(more: Partial<PushSenderOptions> = {}): Promise<void> {
    const { app, db, config } = current();
    const log = { info: () => undefined, error: () => undefined };
    const start = () =>
      startPushSender({
        ...{ db, mails: mails(), keys: app.services.pushKeys, network: localNetwork, log },
        ...{ baseUrl: config.baseUrl, delaysMs: [0, 0], everyMs: 20 },
        ...more,
      });
    const stops = [start(), start()];
    await vi.waitFor(async () => {
      expect(await countOf("push_messages")).toBe(0);
    }, 30_000);
    for (const stop of stops) await stop();
  }

  test("reach the browser once, encrypted, with title and address only", async () => {
    const { decrypt } = await turnOn();
    const task = await assign(owner, member, { title: "Grease the hinges" });
    await queue();
    await send();

    const [request, ...others] = receiver().requests;
    expect(others).toEqual([]);
    expect(decrypt(request?.bytes ?? Buffer.of())).toEqual({
      title: "Assigned to you: T-1 Grease the hinges",
      url: `/notifications/assigned/${task}`,
    });
    expect(request?.body).not.toContain("Grease");
    expect(request?.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "43200" });
    const { publicKey } = current().app.services.pushKeys.newest;
    expect(readVapid(request?.headers["authorization"] ?? "", publicKey)).toMatchObject({
      aud: new URL(receiver().url).origin,
    });
    // Several subjects are one message, which leads to the list.
    receiver().requests.splice(0);
    await assign(owner, member);
    await assign(owner, member);
    await queue();
    await send();
    expect(receiver().requests.map(({ bytes }) => decrypt(bytes))).toEqual([
      { title: "Assigned to you: 2 tasks", url: "/notifications" },
    ]);
  });

  test("are retried while the service is busy, and given up in the end", async () => {
    const { decrypt } = await turnOn();
    await assign(owner, member);
    await queue();
    receiver().answers.push(503, 429, 201);
    await send();
    expect(receiver().requests).toHaveLength(3);
    expect(decrypt(receiver().requests[2]?.bytes ?? Buffer.of())).toHaveProperty("title");

    receiver().requests.splice(0);
    await assign(owner, member);
    await queue();
    receiver().answers.push(503, 503, 503, 503);
    await send();
    expect(receiver().requests).toHaveLength(3);
    expect(await countOf("push_subscriptions")).toBe(1);
  });

  test.each([404, 410])("end with the subscription when the service answers %i", async (status) => {
    await turnOn();
    await assign(owner, member);
    await queue();
    receiver().answers.push(status);
    await send();
    expect(await countOf("push_subscriptions")).toBe(0);
    expect((await browser.get(settings)).body).toContain("Turn on push");
  });

  test("are never sent to private addresses, nor with a key that is gone", async () => {
    await turnOn();
    await assign(owner, member);
    await queue();
    await send({ network: publicNetwork });
    expect(receiver().connections).toBe(0);

    await assign(owner, member);
    await queue();
    await send({ keys: createPushKeys(["another secret key of this server, long enough"]) });
    expect(receiver().connections).toBe(0);
    expect(await countOf("push_subscriptions")).toBe(0);
  });

  test("follow the choices and access at the time of sending", async () => {
    const { db } = current();
    await turnOn();
    await browser.submitForm(await browser.get(settings), { assigned: "yes", app_assigned: "yes" });
    await assign(owner, member);
    await queue();
    expect(await countOf("push_messages")).toBe(0);

    await browser.submitForm(await browser.get(settings), { push_assigned: "yes" });
    await assign(owner, member, { title: "Secret pump" });
    await queue();
    expect(await countOf("push_messages")).toBe(1);
    await db.query("DELETE FROM workspace_members WHERE user_id = $1", [member.userId]);
    await send();
    expect(receiver().requests).toEqual([]);
  });

  test("are turned off by a button, and by signing out", async () => {
    await turnOn();
    const page = await browser.get(settings);
    expect(page.body).toContain("even while Fettle is closed");
    await press(browser, page, "Turn off push");
    expect(await countOf("push_subscriptions")).toBe(0);
    expect((await browser.get(settings)).body).toContain("Turn on push");

    await turnOn();
    const other = await signIn(current().app, member);
    await turnOn(other, `${receiver().url}/2`);
    await press(browser, await browser.get("/"), "Sign out");
    expect(await countOf("push_subscriptions")).toBe(1);
    expect((await other.get(settings)).body).toContain("Turn off push");
  });

  test("belong to the person who turned them on last, at most ten browsers each", async () => {
    await turnOn();
    const others = await signIn(current().app, owner);
    await turnOn(others);
    expect(await countOf("push_subscriptions")).toBe(1);
    expect((await browser.get(settings)).body).toContain("Turn on push");
    for (let n = 0; n < 11; n += 1) {
      browser.cookies.delete("__Host-fettle-push");
      await turnOn(browser, `${receiver().url}/${n}`);
    }
    expect(await countOf("push_subscriptions")).toBe(11);
  });

  test.each([
    ["http", { endpoint: "http://push.example.com/1" }],
    ["a short key", { keys: { p256dh: "AAAA", auth: "AAAA" } }],
    ["no keys", { keys: null }],
  ])("refuse a subscription with %s", async (_reason, wrong) => {
    const { subscription } = aSubscription();
    const fields = { subscription: JSON.stringify({ ...subscription, ...wrong }) };
    const page = await browser.get(settings);
    const refused = await browser.submitForm(page, fields, { action: `${settings}/push` });
    expect([refused.statusCode, refused.headers.location]).toEqual([303, settings]);
    expect((await browser.get(settings)).body).toContain(
      'role="alert">This browser can\'t show notifications.',
    );
    expect(await countOf("push_subscriptions")).toBe(0);
  });
});

describe("the installed app", () => {
  const current = useServer();
  const chromium = useChromium();

  test("has a manifest with icons that exist", async () => {
    const { app } = current();
    const page = await app.inject({ url: "/signin" });
    const [, href = ""] = /<link rel="manifest" href="([^"]*)"/.exec(page.body) ?? [];
    const manifest = await app.inject({ url: href });
    expect(manifest.headers["content-type"]).toContain("application/manifest+json");
    const { icons, start_url, display } = manifest.json<{
      icons: { src: string }[];
      start_url: string;
      display: string;
    }>();
    expect([start_url, display, icons.length]).toEqual(["/", "standalone", 3]);
    for (const { src } of icons) {
      const icon = await app.inject({ url: src });
      expect([icon.statusCode, icon.headers["content-type"]]).toEqual([200, "image/png"]);
    }
  });

  browserTest("turns on push with its button", async () => {
    const member = await aMember(current().db, { role: "owner" });
    const opened = await openPage(chromium(), current(), member);
    const { page } = opened;
    await page.context().grantPermissions(["notifications"]);
    const { subscription } = aSubscription();
    // No push service is reachable here, so the browser's part of subscribing is replaced.
    await page.addInitScript((made) => {
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async () =>
        ({ toJSON: () => made }) as unknown as PushSubscription;
    }, subscription);
    await page.goto(settings);
    await page.getByRole("button", { name: "Turn on push" }).click();
    await page.getByRole("status").getByText("turned on for this browser").waitFor();
    await page.getByRole("button", { name: "Turn off push" }).waitFor();
    expect(await current().db.query("SELECT 1 FROM push_subscriptions")).toHaveLength(1);

    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("says why push can't be turned on", async () => {
    const member = await aMember(current().db, { role: "owner" });
    const without = await openPage(chromium(), current(), member, {
      ...{ width: 390, colorScheme: "dark", javaScriptEnabled: false },
    });
    await without.page.goto(settings);
    await without.page.getByText("Turning on push needs JavaScript.").waitFor();
    expect(await without.page.getByRole("button", { name: "Turn on push" }).count()).toBe(0);
    await without.close();
    const opened = await openPage(chromium(), current(), member);
    await opened.page.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { value: "denied" });
      Notification.requestPermission = async () => "denied";
    });
    await opened.page.goto(settings);
    await opened.page.getByText("Notifications are blocked.").waitFor();
    await opened.close();
  });
});
