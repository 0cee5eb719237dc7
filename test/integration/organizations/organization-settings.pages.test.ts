import { describe, expect, test } from "vitest";
import { addMeter } from "../../../server/src/domain/meters/change-meters.js";
import { useApp, useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { formsOf } from "../../support/page-forms.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { openConfirmed } from "../../support/second-factors.js";

const address = "/settings/organization";

describe("organization settings", () => {
  const current = useApp();

  async function stored({ organizationId }: Member) {
    const row = await current().db.maybe<Record<string, unknown>>(
      "SELECT name, time_zone, currency, inventory_prefix, version FROM organizations WHERE id = $1",
      [organizationId],
    );
    return row;
  }

  async function changesOf({ organizationId }: Member) {
    const rows = await current().db.query<{ details: { changed: string[] } }>(
      "SELECT details FROM activity_log WHERE organization_id = $1 AND type = 'organization_updated' ORDER BY id",
      [organizationId],
    );
    return rows.map(({ details }) => details.changed);
  }

  const values = {
    name: "Northgate",
    time_zone: "Europe/Berlin",
    currency: "EUR",
    inventory_prefix: "ng7",
  };

  test("an admin's changes are logged, and submitting them twice counts once", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const page = await browser.get(address);
    expect(page.body).toContain("Existing amounts keep their currency.");
    expect(page.body).toContain("Sets when a day starts and ends");

    const answers = [
      await browser.submitForm(page, values),
      await browser.submitForm(page, values),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect((await browser.get(address)).body).toContain("Northgate saved.");
    expect(await stored(owner)).toEqual({ ...values, inventory_prefix: "NG7", version: 2 });
    expect(await changesOf(owner)).toEqual([["name", "time_zone", "currency", "inventory_prefix"]]);
  });

  test("the prefix is fixed after the first number, even for a handcrafted request", async () => {
    const { app } = current();
    const owner = await connect(current());
    await owner.ok("create_asset", { name: "Pump" });
    const browser = await signIn(app, owner.member);
    const before = await stored(owner.member);

    const page = await browser.get(address);
    expect(page.body).not.toContain(`name="inventory_prefix"`);
    expect(page.body).toContain("Can't be changed: existing numbers");
    const refused = await browser.submitForm(page, values);

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("because existing inventory numbers use it");
    expect(await stored(owner.member)).toEqual(before);
  });

  test("rejects invalid values at their field, and keeps all input", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const page = await browser.get(address);
    const send = (fields: Partial<typeof values>) =>
      browser.submitForm(page, { ...values, ...fields });

    const empty = await send({ name: "  ", inventory_prefix: "KEPT" });
    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain(`<a href="#name">Enter a name.</a>`);
    expect(empty.body).toContain(`value="KEPT"`);
    expect((await send({ name: "x".repeat(121) })).body).toContain(`id="name-error"`);
    expect((await send({ name: "a\u202Eb" })).body).toContain("invisible characters");
    expect((await send({ time_zone: "Mars/Base" })).body).toContain(`id="time_zone-error"`);
    expect((await send({ currency: "euro" })).body).toContain(`id="currency-error"`);
    expect((await send({ inventory_prefix: "too-long-1" })).body).toContain(
      `id="inventory_prefix-error"`,
    );
    expect(await stored(owner)).toMatchObject({ version: 1 });
  });

  test("an outdated form names the other editor and changes, and can be resubmitted", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { name: "Olga Owner" });
    const admin = await aMember(db, { organization: owner.organization, role: "admin" });
    const [first, second] = [await signIn(app, owner), await signIn(app, admin)];
    const stale = await second.get(address);
    await first.submitForm(await first.get(address), { ...values, name: "First" });

    const refused = await second.submitForm(stale, { ...values, name: "Second" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Olga Owner changed “Name”, “Time zone”, “Currency”");
    expect(refused.body).toContain(`value="Second"`);
    expect(await stored(owner)).toMatchObject({ name: "First" });
    expect((await second.submitForm(refused, { ...values, name: "Second" })).statusCode).toBe(303);
    expect(await stored(owner)).toMatchObject({ name: "Second", version: 3 });
  });

  test("stores and shows a hostile name as text", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const name = `<img src=x onerror="alert(1)"> & co`;

    await browser.submitForm(await browser.get(address), { ...values, name });

    expect(await stored(owner)).toMatchObject({ name });
    const page = await browser.get(address);
    expect(page.body).not.toContain("<img");
    expect(page.body).toContain("&lt;img src=x");
  });

  test("members can read the settings but change nothing", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const member = await aMember(db, { organization: owner.organization, role: "member" });
    const browser = await signIn(app, member);

    const page = await browser.get(address);
    expect(page.body).toContain("Organization admins can change this.");
    expect(page.body).not.toContain("Save organization");
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    const refused = await browser.post(address, { ...values, _csrf });
    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain("admin or owner is needed to edit the organization");
    expect(await stored(owner)).toMatchObject({ version: 1 });
  });

  test("a form for an organization without membership changes nothing", async () => {
    const { app, db } = current();
    const [mine, theirs] = [await aMember(db), await aMember(db)];
    const browser = await signIn(app, mine);

    const answer = await browser.submitForm(await browser.get(address), {
      ...values,
      _organization: theirs.organizationId,
    });

    expect(answer.statusCode).toBe(403);
    expect([await stored(mine), await stored(theirs)]).toMatchObject([
      { version: 1 },
      { version: 1 },
    ]);
  });
});

describe("concurrent changes by two people", () => {
  const current = useApp();

  /** One person saves a form twice. Another person submits a form that was opened before. */
  async function changeBoth(
    one: Member,
    path: string,
    [first, second]: readonly [Record<string, string>, Record<string, string>],
  ) {
    const { app, db } = current();
    const other = await aMember(db, { organization: one.organization, role: "owner" });
    const browsers = [await signIn(app, one), await signIn(app, other)] as const;
    const open = async (browser: TestBrowser) => {
      const page = await openConfirmed(browser, path, { password: one.password });
      const form = formsOf(page).find(({ action }) => action !== "/signout");
      return (given: Record<string, string>) => browser.post(path, { ...form?.fields, ...given });
    };
    const [mine, theirs] = [await open(browsers[0]), await open(browsers[1])];
    // Both have a second factor, so neither is redirected to set one up.
    await db.query(
      `INSERT INTO authenticators (user_id, secret_encrypted, last_step)
       SELECT unnest($1::text[]), '', 0`,
      [[one.userId, other.userId]],
    );
    const saved = [await mine(first), await mine(first)];
    const stale = await theirs(second);

    expect(saved.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain("after you opened this form");
  }

  async function read(table: string, columns: string, id: string) {
    const key = table === "organizations" ? "id" : "organization_id";
    const row = await current().db.maybe<Record<string, unknown>>(
      `SELECT ${columns} FROM ${table} WHERE ${key} = $1`,
      [id],
    );
    return row;
  }

  test("a second factor rule that was switched on stays on", async () => {
    const { db } = current();
    const owner = await aMember(db);
    const { organizationId: id } = owner;
    await db.query(
      "UPDATE organizations SET destructive_needs_second_factor = TRUE WHERE id = $1",
      [id],
    );

    await changeBoth(owner, `${address}/second-factor`, [
      { admins_need_second_factor: "yes" },
      { destructive_needs_second_factor: "" },
    ]);

    const rules = { admins_need_second_factor: true, destructive_needs_second_factor: true };
    expect(await read("organizations", Object.keys(rules).join(), id)).toEqual(rules);
  });

  test("a webhook's replaced URL isn't restored", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const made = { url: "https://old.example/hook", "task.created": "yes" };
    await browser.submitForm(await browser.get("/settings/webhooks/new"), made);
    const webhook = await read("webhooks", "id", owner.organizationId);
    const moved = { url: "https://new.example/hook" };

    await changeBoth(owner, `/settings/webhooks/${String(webhook?.["id"])}/edit`, [
      moved,
      { "asset.created": "yes" },
    ]);

    expect(await read("webhooks", "url", owner.organizationId)).toEqual(moved);
  });

  test("revoked trust in an identity provider's addresses stays revoked", async () => {
    const { db } = current();
    const owner = await aMember(db);
    await db.query(
      `INSERT INTO identity_providers
         (organization_id, issuer, client_id, client_secret_encrypted, verifies_addresses)
       VALUES ($1, 'https://login.example.com', 'one', '', TRUE)`,
      [owner.organizationId],
    );

    await changeBoth(owner, `${address}/provider/edit`, [
      { verifies_addresses: "" },
      { client_id: "two" },
    ]);

    const columns = "client_id, verifies_addresses";
    expect(await read("identity_providers", columns, owner.organizationId)).toEqual({
      client_id: "one",
      verifies_addresses: false,
    });
  });

  test("a meter keeps its corrected unit", async () => {
    const { db } = current();
    const owner = await connect(current());
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "Car" });
    const { organizationId } = owner.member;
    const { id } = await db.transaction((tx) =>
      addMeter(tx, toCaller(owner.member), asset.id, { name: "Odometer", unit: "h" }),
    );

    await changeBoth(owner.member, `/assets/${asset.id}/meters/${id}/edit`, [
      { unit: "km" },
      { name: "Mileage" },
    ]);

    expect(await read("meters", "name, unit", organizationId)).toEqual({
      name: "Odometer",
      unit: "km",
    });
  });
});

describe("organization settings in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("an admin saves the form, and a member reads it", async () => {
    const { db } = current();
    const owner = await aMember(db, { organization: "Longname".repeat(15) });
    const { organization } = owner;
    const member = await aMember(db, { organization, role: "member" });
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      expect(await sweep(opened, [address])).toEqual({});
      const { page } = opened;
      await page.getByLabel("Time zone").selectOption("America/New York");
      await page.getByLabel("Inventory prefix").fill("not a prefix".slice(0, 8));
      await page.getByRole("button", { name: "Save organization" }).click();
      await page.getByText("1 to 8 characters").first().waitFor();
      expect(await page.getByLabel("Time zone").inputValue()).toBe("America/New_York");
      await page.getByLabel("Inventory prefix").fill("NG");
      await page.getByRole("button", { name: "Save organization" }).click();
      await page.getByRole("status").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
    const reader = await openPage(chromium(), current(), member);
    expect(await sweep(reader, [address])).toEqual({});
    await reader.close();
  });
});
