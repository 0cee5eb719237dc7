// @module-tag embedded

import { describe, expect, test } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { anAsset, aTeam, hostileTexts, readAsset } from "../../support/asset-pages.js";
import { withoutPageScript } from "../../support/browser.js";
import { toCaller } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

const newAddress = "/assets/new";

describe("new asset form", () => {
  const current = useApp();

  const countAssets = async (organizationId: string) => {
    const row = await current().db.maybe<{ count: number }>(
      "SELECT count(*)::int AS count FROM assets WHERE organization_id = $1",
      [organizationId],
    );
    return row?.count;
  };

  test("adds an asset with all given fields, and offers to add a similar one", async () => {
    const team = await aTeam(current());
    const parent = await anAsset(current(), team, { name: "Compressor plant" });
    const browser = await signIn(current().app, team.lead);
    const answer = await browser.submitForm(await browser.get(newAddress), {
      name: " Dryer ",
      category: "HVAC",
      workspace_id: team.workspaceId,
      location: "Roof",
      assigned_to_user_id: team.member.userId,
      criticality: "high",
      condition: "good",
      state: "in_use",
      manufacturer: "Brunvik",
      model: "K 22",
      serial_number: "S-1",
      inventory_number: "DRY-1",
      parent_asset_id: parent.inventory_number,
      supplier: "Kessler",
      purchase_date: "2024-02-29",
      purchase_cost: "1249,90",
      currency: "chf",
      warranty_expires_on: "2027-02-28",
      in_service_date: "2024-03-01",
      end_of_life_on: "2034-03-01",
      description: "First line\r\nSecond line",
      tags: "Roof, noisy",
    });

    expect(answer.statusCode).toBe(303);
    const address = String(answer.headers.location);
    const asset = await readAsset(current(), address.slice("/assets/".length));
    expect(asset).toMatchObject({
      name: "Dryer",
      category: "HVAC",
      inventory_number: "DRY-1",
      state: "in_use",
      cost: 1249.9,
      currency: "CHF",
      purchase_date: "2024-02-29",
      parent_asset_id: parent.id,
      assigned_to_user_id: team.member.userId,
      description: "First line\nSecond line",
      tags: ["roof", "noisy"],
    });
    const page = await browser.get(address);
    expect(page.body).toContain("Dryer added as DRY-1.");
    expect(page.body).toContain(`href="/assets/new?copy=${String(asset?.["id"])}"`);

    const copy = await browser.get(`/assets/new?copy=${String(asset?.["id"])}`);
    expect(copy.body).toContain('value="Dryer"');
    expect(copy.body).toContain('value="Kessler"');
    expect(copy.body).toContain(`${parent.inventory_number} is Compressor plant.`);
    expect(copy.body).not.toContain("DRY-1");
    expect(copy.body).not.toContain('value="S-1"');
  });

  test("adds one asset when sent twice, and warns first when the contents differ", async () => {
    const team = await aTeam(current());
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(newAddress);
    const fields = { name: "Pump", workspace_id: team.workspaceId, state: "available" };

    const answers = await Promise.all([
      browser.submitForm(page, fields),
      browser.submitForm(page, fields),
    ]);
    const places = answers.map(({ headers }) => headers.location);
    expect(places[0]).toMatch(/^\/assets\/ast_/);
    expect(places[1]).toBe(places[0]);
    expect(await countAssets(team.owner.organizationId)).toBe(1);

    const refused = await browser.submitForm(page, { ...fields, name: "Another pump" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("You already sent this form");
    expect(await countAssets(team.owner.organizationId)).toBe(1);
    const again = await browser.submitForm(refused, { ...fields, name: "Another pump" });
    expect(again.statusCode).toBe(303);
    expect(await countAssets(team.owner.organizationId)).toBe(2);
  });

  test("warns about a duplicate serial number and a nearly identical category", async () => {
    const team = await aTeam(current());
    const twin = await anAsset(current(), team, { serial_number: "S-7", category: "Pumps" });
    const browser = await signIn(current().app, team.member);
    const fields = { name: "Pump", workspace_id: team.workspaceId, serial_number: "S-7" };
    const answer = await browser.submitForm(await browser.get(newAddress), {
      ...fields,
      category: "Pump",
    });
    const { body } = await browser.get(String(answer.headers.location));
    expect(body).toContain(twin.inventory_number);
    expect(body).toContain("Category &quot;Pump&quot; is new. There is also &quot;Pumps&quot;.");
  });

  test("preselects the workspace or parent from the URL when it is visible", async () => {
    const team = await aTeam(current());
    const parent = await anAsset(current(), team, { name: "Plant room", location: "Cellar" });
    const browser = await signIn(current().app, team.member);
    const part = await browser.get(`${newAddress}?parent=${parent.id}`);
    expect(part.body).toContain(`${parent.inventory_number} is Plant room.`);
    expect(part.body).toContain('value="Cellar"');
    expect(part.body).toMatch(new RegExp(`<option value="${team.workspaceId}" selected`));

    const other = await signIn(current().app, team.elsewhere);
    const unseen = await other.get(`${newAddress}?parent=${parent.id}`);
    expect(unseen.statusCode).toBe(200);
    expect(unseen.body).not.toContain("Plant room");
    expect((await other.get(`${newAddress}?copy=${parent.id}`)).statusCode).toBe(404);
    expect((await other.get(`${newAddress}?parent=%00&workspace=%00`)).statusCode).toBe(200);
  });

  test("is not offered to a viewer, and rejects a viewer's submission", async () => {
    const team = await aTeam(current());
    const viewer = await signIn(current().app, team.viewer);
    const page = await viewer.get(newAddress);
    expect(page.statusCode).toBe(403);
    expect(page.body).toMatch(/You can view this workspace but not add assets\. Ask .*Lena Lead/);

    const member = await signIn(current().app, team.member);
    const token = await viewer.get("/settings");
    const hidden = /name="_csrf" value="([^"]*)"/.exec(token.body)?.[1] ?? "";
    const fields = { _csrf: hidden, name: "Pump", workspace_id: team.workspaceId };
    expect((await viewer.post(newAddress, fields)).statusCode).toBe(403);
    const numbered = await member.submitForm(await member.get(newAddress), {
      name: "Pump",
      workspace_id: team.workspaceId,
      inventory_number: "MINE-1",
    });
    expect(numbered.statusCode).toBe(403);
    expect((await member.get(newAddress)).body).not.toContain('name="inventory_number"');
    expect(await countAssets(team.owner.organizationId)).toBe(0);
  });

  test("lets only an organization admin add an asset without a workspace", async () => {
    const team = await aTeam(current());
    const member = await signIn(current().app, team.member);
    const refused = await member.submitForm(await member.get(newAddress), { name: "Pump" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('<a href="#workspace_id">Choose a workspace.</a>');
    expect(refused.body).toContain('value="Pump"');
    const owner = await signIn(current().app, team.owner);
    const answer = await owner.submitForm(await owner.get(newAddress), { name: "Pump" });
    expect(answer.statusCode).toBe(303);
  });

  test("does not reach into another organization", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.stranger);
    const page = await browser.get(newAddress);
    const answers = [
      await browser.submitForm(page, { name: "Pump", workspace_id: team.workspaceId }),
      await browser.submitForm(page, { name: "Pump", parent_asset_id: asset.id }),
      await browser.submitForm(page, { name: "Pump", assigned_to_user_id: team.member.userId }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(answers[0]?.body).toContain("This workspace no longer exists.");
    expect(answers[1]?.body).toContain("No asset you can see has this number.");
    expect(answers[2]?.body).toContain("You can no longer choose this person.");
    const forged = await browser.submitForm(page, {
      name: "Pump",
      _organization: team.owner.organizationId,
    });
    expect(forged.statusCode).toBe(403);
  });

  const names = ["name", "category", "location", "parent_asset_id", "serial_number", "tags"];
  const others = ["workspace_id", "assigned_to_user_id", "criticality", "state", "purchase_cost"];
  test.each([...names, ...others, "purchase_date", "currency", "description", "inventory_number"])(
    "rejects %s with NUL, right-to-left override, or excess length, and shows it as text",
    async (field) => {
      const team = await aTeam(current());
      const browser = await signIn(current().app, team.owner);
      const page = await browser.get(newAddress);
      for (const text of [hostileTexts.nul, hostileTexts.rightToLeft, hostileTexts.long]) {
        const answer = await browser.submitForm(page, { name: "Pump", [field]: text });
        expect([text.slice(0, 5), answer.statusCode]).toEqual([text.slice(0, 5), 400]);
        expect(answer.body).toContain(`<a href="#${field}">`);
      }
      expect(await countAssets(team.owner.organizationId)).toBe(0);
    },
  );

  test("stores and shows scripts as text, and ignores an invalid request key", async () => {
    const team = await aTeam(current());
    const browser = await signIn(current().app, team.owner);
    const { script } = hostileTexts;
    const answer = await browser.submitForm(await browser.get(newAddress), {
      request_key: hostileTexts.nul,
      name: script,
      category: script,
      description: script,
    });
    expect(answer.statusCode).toBe(303);
    const address = String(answer.headers.location);
    expect(await readAsset(current(), address.slice("/assets/".length))).toMatchObject({
      name: script,
      category: script,
      description: script,
    });
    for (const path of ["", "/edit", "/state", "/retire", "/move", "/delete"]) {
      const { body, statusCode } = await browser.get(address + path);
      expect([path, statusCode]).toEqual([path, 200]);
      expect(withoutPageScript(body)).not.toContain("<script");
      expect(body).not.toContain("<img src=x");
      expect(body).toContain("&lt;script>");
    }
  });
});

describe("asset edit form", () => {
  const current = useApp();

  /** Form fields as the browser sends them back, unless a test changes them. */
  const asShown = { criticality: "medium", name: "Air compressor" };

  test("saves only changed fields, clears emptied ones, and names them", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team, { location: "Roof", tags: ["a"], model: "K 22" });
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/edit`);
    expect(page.body).not.toContain('name="inventory_number"');
    const fields = { ...asShown, location: "", model: "K 22", tags: "a", supplier: "Kessler" };
    const answer = await browser.submitForm(page, fields);

    expect(answer.headers.location).toBe(`/assets/${asset.id}`);
    expect((await browser.get(`/assets/${asset.id}`)).body).toContain(
      "Saved for Air compressor: Location and Supplier.",
    );
    const events = await current().db.query<{ changes: { field: string }[] }>(
      "SELECT changes FROM history_events WHERE asset_id = $1 AND type = 'asset_updated'",
      [asset.id],
    );
    expect(events.flatMap(({ changes }) => changes.map(({ field }) => field)).sort()).toEqual([
      "location",
      "supplier",
    ]);
    expect(await readAsset(current(), asset.id)).toMatchObject({ location: null, tags: ["a"] });

    const twice = await browser.submitForm(page, fields);
    expect(twice.headers.location).toBe(`/assets/${asset.id}`);
    expect((await browser.get(`/assets/${asset.id}`)).body).toContain(
      "Nothing changed: everything already has the values you entered.",
    );
    expect(await readAsset(current(), asset.id)).toMatchObject({ version: 2 });
  });

  test("changes once when sent twice at once, and succeeds both times", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/edit`);
    const fields = { ...asShown, location: "Cellar" };
    const answers = await Promise.all([
      browser.submitForm(page, fields),
      browser.submitForm(page, fields),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect(await readAsset(current(), asset.id)).toMatchObject({ version: 2, location: "Cellar" });
  });

  test("explains a version conflict, keeps the typed values, and can be sent again", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/edit`);
    await commit({ db: current().db, caller: null }, (tx) =>
      updateAsset(tx, toCaller(team.owner), asset.id, { location: "Yard" }),
    );

    const stale = await browser.submitForm(page, { ...asShown, location: "Cellar" });
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain("Olga Owner changed “Location”");
    expect(stale.body).toContain("</strong> is now: <bdi>Yard</bdi>");
    expect(stale.body).toContain('value="Cellar"');
    expect(stale.body).toContain(
      `<a href="/assets/${asset.id}" target="_blank" rel="noopener">View the latest version`,
    );
    expect(await readAsset(current(), asset.id)).toMatchObject({ location: "Yard" });

    const again = await browser.submitForm(stale, { ...asShown, location: "Cellar" });
    expect(again.statusCode).toBe(303);
    expect(await readAsset(current(), asset.id)).toMatchObject({ location: "Cellar" });
  });

  test("changes nothing without a valid version", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/edit`);
    for (const version of ["", "0x1", "9".repeat(40), hostileTexts.nul]) {
      const fields = { ...asShown, location: "Cellar", expected_version: version };
      expect((await browser.submitForm(page, fields)).statusCode).toBe(400);
    }
    expect(await readAsset(current(), asset.id)).toMatchObject({ version: 1 });
  });

  test("allows workspace members and admins, but only admins to change the number", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const address = `/assets/${asset.id}/edit`;
    const viewer = await signIn(current().app, team.viewer);
    expect((await viewer.get(address)).statusCode).toBe(403);
    for (const person of [team.elsewhere, team.stranger]) {
      const browser = await signIn(current().app, person);
      expect((await browser.get(address)).statusCode).toBe(404);
      const page = await browser.get(newAddress);
      const fields = { ...asShown, location: "Cellar", expected_version: "1" };
      const posted = await browser.post(address, { ...fields, _csrf: csrfOf(page.body) });
      expect(posted.statusCode).toBe(404);
    }
    const member = await signIn(current().app, team.member);
    const page = await member.get(address);
    const renumbered = { ...asShown, inventory_number: "MINE-1" };
    expect((await member.submitForm(page, renumbered)).statusCode).toBe(403);
    const lead = await signIn(current().app, team.lead);
    const form = await lead.get(address);
    expect(form.body).toContain('name="inventory_number"');
    const none = await lead.submitForm(form, { ...asShown, inventory_number: " " });
    expect(none.body).toContain("Enter an inventory number.");
    expect((await lead.submitForm(form, renumbered)).statusCode).toBe(303);
    expect(await readAsset(current(), asset.id)).toMatchObject({ inventory_number: "MINE-1" });
  });

  test.each(["name", "category", "parent_asset_id", "location", "purchase_cost", "tags"])(
    "rejects %s with NUL, right-to-left override, or excess length",
    async (field) => {
      const team = await aTeam(current());
      const asset = await anAsset(current(), team);
      const browser = await signIn(current().app, team.member);
      const page = await browser.get(`/assets/${asset.id}/edit`);
      for (const text of [hostileTexts.nul, hostileTexts.rightToLeft, hostileTexts.long]) {
        const answer = await browser.submitForm(page, { ...asShown, [field]: text });
        expect([text.slice(0, 5), answer.statusCode]).toEqual([text.slice(0, 5), 400]);
        expect(answer.body).toContain(`<a href="#${field}">`);
      }
      expect(await readAsset(current(), asset.id)).toMatchObject({ version: 1 });
    },
  );

  test("rejects an asset as its own part and a number already taken", async () => {
    const team = await aTeam(current());
    const [asset, other] = [await anAsset(current(), team), await anAsset(current(), team)];
    const browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}/edit`);
    const own = { ...asShown, inventory_number: asset.inventory_number };
    const circle = await browser.submitForm(page, { ...own, parent_asset_id: asset.id });
    expect(circle.body).toContain("An asset can't be part of its own part.");
    const taken = { ...asShown, inventory_number: other.inventory_number };
    const refused = await browser.submitForm(page, taken);
    expect(refused.body).toContain("Inventory number has already been taken");
    expect(refused.body).not.toContain(other.id);
    const { db } = current();
    await commit({ db, caller: null }, (tx) =>
      changeAssetState(tx, toCaller(team.owner), other.id, { state: "deleted" }),
    );
    const retired = await browser.submitForm(page, taken);
    expect(retired.body).toContain("which is retired). You can restore that asset.");
  });
});

function csrfOf(html: string): string {
  return /name="_csrf" value="([^"]*)"/.exec(html)?.[1] ?? "";
}
