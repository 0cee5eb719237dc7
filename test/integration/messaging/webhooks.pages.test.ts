import { beforeAll, describe, expect, inject, test } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { countWaiting } from "../../support/database.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const list = "/settings/webhooks";
const form = `${list}/new`;
const url = "https://hooks.example.com/fettle/secret-path";

describe("webhook pages", () => {
  const current = useApp();
  let owner: Member;
  let member: Member;
  beforeAll(async () => {
    owner = await aMember(current().db, { role: "owner" });
    const { organization } = owner;
    member = await aMember(current().db, { organization, role: "member" });
  });

  test("add one, show its secret once, change, test, stop, resume, renew and delete it", async () => {
    const browser = await signIn(current().app, owner);
    const empty = await browser.get(list);
    expect(empty.body).toContain("No webhooks yet");
    const made = await browser.submitForm(await browser.get(form), { url, "task.created": "yes" });
    const [, secret = ""] = /value="(whsec_[^"]+)"/.exec(made.body) ?? [];
    const [, id = ""] = /href="\/settings\/webhooks\/(whk_\w+)"/.exec(made.body) ?? [];
    expect([made.statusCode, secret.length]).toEqual([200, 50]);

    const address = `${list}/${id}`;
    const page = async () => (await browser.get(address)).body;
    expect(await page()).toContain("Task added");
    expect(await page()).not.toContain(secret);
    const edit = await browser.get(`${address}/edit`);
    const saved = await browser.submitForm(edit, { url, "asset.created": "yes" });
    expect(saved.statusCode).toBe(303);
    expect(await page()).toContain("Asset added");
    for (const [action, said] of [
      ["test", "Test sent."],
      ["stop", "Paused. Nothing is sent until you resume."],
      ["resume", "Resumed. New events are sent from now on."],
    ] as const) {
      await browser.submitForm(await browser.get(address), {}, { action: `${address}/${action}` });
      expect(await page(), action).toContain(said);
    }
    // Queued deliveries were dropped when the webhook stopped.
    expect(await page()).toContain("Webhook paused.");
    const renewed = await browser.submitForm(await browser.get(`${address}/secret`), {});
    expect(/value="(whsec_[^"]+)"/.exec(renewed.body)?.[1]).not.toBe(secret);
    await browser.submitForm(await browser.get(`${address}/delete`), {});
    expect((await browser.get(list)).body).toContain("Webhook deleted.");
    expect((await browser.get(address)).statusCode).toBe(404);

    const log = (await browser.get("/settings/activity")).body;
    expect(log).toContain("deleted the webhook to &quot;hooks.example.com&quot;");
    expect(log).not.toContain("secret-path");
  });

  test("warn about failing deliveries, with the cause and the next attempt", async () => {
    const { app, db } = current();
    const admin = await aMember(db, { role: "owner" });
    const browser = await signIn(app, admin);
    await browser.submitForm(await browser.get(form), { url, "task.created": "yes" });
    expect((await browser.get(list)).body).toContain('<span class="tag good">Active</span>');
    await db.query(
      `INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, data, attempts,
         next_attempt_at, last_result)
       SELECT organization_id, id, 'evt_1', 'task.created', '{}', 2, now() + interval '30 minutes',
         'It returned status 502.' FROM webhooks WHERE organization_id = $1`,
      [admin.organizationId],
    );

    const { body } = await browser.get(list);
    const [, address = ""] = /href="(\/settings\/webhooks\/whk_\w+)"/.exec(body) ?? [];
    const page = (await browser.get(address)).body;

    expect(body).toContain('<span class="tag bad">Failing, retrying</span>');
    expect(page).toMatch(
      /notice warning"><h2>Deliveries fail<\/h2><p>It returned status 502\.<\/p><p>Next attempt: <time/,
    );
  });

  test.runIf(inject("databaseUrl") !== null)(
    "change, renew, stop and test nothing if the webhook is deleted concurrently",
    async () => {
      const { app, db } = current();
      const browser = await signIn(app, owner);
      for (const action of ["edit", "secret", "stop", "test"]) {
        const fields = { url, "task.created": "yes" };
        const made = await browser.submitForm(await browser.get(form), fields);
        const [, id = ""] = /href="\/settings\/webhooks\/(whk_\w+)"/.exec(made.body) ?? [];
        const path = `${list}/${id}/${action}`;
        const isButton = action === "stop" || action === "test";
        const page = await browser.get(isButton ? `${list}/${id}` : path);
        const sending = await db.transaction(async (tx) => {
          await tx.query("DELETE FROM webhooks WHERE id = $1", [id]);
          const sent = isButton
            ? browser.submitForm(page, {}, { action: path })
            : browser.submitForm(page, fields);
          await expect.poll(() => countWaiting(db)).toBe(1);
          return { sent };
        });
        expect([action, (await sending.sent).statusCode]).toEqual([action, 404]);
        const told = await db.query(
          `SELECT type FROM activity_log WHERE details ->> 'webhook_id' = $1 ORDER BY created_at`,
          [id],
        );
        expect(told).toEqual([{ type: "webhook_added" }]);
      }
    },
  );

  test("add one webhook for a form submitted twice, and show its secret both times", async () => {
    const admin = await aMember(current().db, { role: "owner" });
    const browser = await signIn(current().app, admin);
    const page = await browser.get(form);
    const fields = { url, "task.created": "yes" };

    const answers = await Promise.all([1, 2].map(() => browser.submitForm(page, fields)));

    const secrets = answers.map(({ body }) => /value="(whsec_[^"]+)"/.exec(body)?.[1]);
    expect(secrets[0]).toHaveLength(50);
    expect(secrets[1]).toBe(secrets[0]);
    const { db } = current();
    const of = [admin.organizationId];
    expect(await db.query("SELECT 1 FROM webhooks WHERE organization_id = $1", of)).toHaveLength(1);
    const kept = await db.query<{ result: unknown }>(
      "SELECT result FROM idempotency_records WHERE organization_id = $1",
      of,
    );
    expect(JSON.stringify(kept)).not.toContain("whsec_");
  });

  test("reject an invalid address and keep every selection", async () => {
    const browser = await signIn(current().app, owner);
    const refused = await browser.submitForm(await browser.get(form), {
      ...{ url: "http://hooks.example.com", "task.created": "yes" },
    });
    const nothing = await browser.submitForm(await browser.get(form), { url });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Address must be an https address");
    expect(refused.body).toMatch(/id="task.created"[^>]*checked/);
    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).toContain("Choose at least one event.");
  });

  test("refresh while a test is under way, and send nothing to a sample address", async () => {
    const { app, db } = current();
    const admin = await aMember(db, { role: "owner" });
    const browser = await signIn(app, admin);
    await browser.submitForm(await browser.get(form), { url, "task.created": "yes" });
    const { body } = await browser.get(list);
    const [, address = ""] = /href="(\/settings\/webhooks\/whk_\w+)"/.exec(body) ?? [];
    const test = async () =>
      browser.submitForm(await browser.get(address), {}, { action: `${address}/test` });
    const organization = [admin.organizationId];

    await test();
    const waiting = await browser.get(address);
    expect(waiting.headers.refresh).toBe("3");
    await db.query(
      `UPDATE webhook_deliveries SET created_at = now() - interval '2 minutes'
       WHERE organization_id = $1`,
      organization,
    );
    const late = await browser.get(address);
    expect(late.headers.refresh).toBeUndefined();
    expect(late.body).toContain(">Refresh</a>");

    await db.query(
      `UPDATE webhooks SET busy_until = '2999-01-01', failing_since = now(), is_active = false
       WHERE organization_id = $1`,
      organization,
    );
    await test();
    const sample = await browser.get(address);
    expect(sample.body).toContain("Nothing sent. This is a sample address.");
    expect(sample.body).toContain("Sample webhook");
    expect(sample.body).toContain("Nothing is sent to a sample address.");
    expect(sample.headers.refresh).toBeUndefined();
    for (const place of ["/", "/settings"]) {
      expect((await browser.get(place)).body, place).toMatch(/1 (webhook fails|failing)/);
    }
    const edit = await browser.get(`${address}/edit`);
    await browser.submitForm(edit, { url: `${url}/new`, "task.created": "yes" });
    expect((await browser.get(address)).body).not.toContain("Sample webhook");
  });

  test("are limited to owners and admins", async () => {
    const browser = await signIn(current().app, member);
    for (const address of [list, form]) {
      expect((await browser.get(address)).statusCode, address).toBe(403);
    }
    expect((await browser.get("/settings/members")).body).not.toContain(list);
    expect((await createBrowser(current().app).get(list)).statusCode).toBe(303);
  });
});

describe("webhooks in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("are added and deleted in every view", async () => {
    const owner = await aMember(current().db, { role: "owner" });
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      const { page } = opened;
      expect(await sweep(opened, [list, form])).toEqual({});
      await page.getByLabel("Address").fill(url);
      await page.getByLabel("Task completed").check();
      await page.getByRole("button", { name: "Add webhook" }).click();
      expect(await page.getByRole("textbox", { name: "Secret" }).inputValue()).toMatch(/^whsec_/);
      await page.getByRole("link", { name: "I've saved it, continue" }).click();
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByRole("status").getByText("Test sent.").waitFor();
      const address = new URL(page.url()).pathname;
      const below = ["edit", "secret", "delete"].map((action) => `${address}/${action}`);
      expect(await sweep(opened, [address, list, ...below])).toEqual({});
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("status").getByText("Webhook deleted.").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
