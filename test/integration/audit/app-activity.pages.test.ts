import { describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { aClient, signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

interface Made {
  asset: { id: string; inventory_number: string };
}

describe("changes made by an app", () => {
  const current = useServer();
  const chromium = useChromium();

  const addressOf = (connectionId: string) => `/settings/apps/${connectionId}/activity`;

  /** An owner whose app has added a pump, placed it and planned work for it. */
  async function anApp() {
    const app = await connect(current(), { clientId: "fettle-bridge" });
    const { asset } = await app.ok<Made>("create_asset", { name: "Pump" });
    await app.ok("update_asset", { asset_id: asset.id, location: "Hall" });
    const task = { asset_id: asset.id, title: "Mend it", type: "corrective" };
    await app.ok("create_maintenance_task", task);
    return { ...app, asset, browser: await signIn(current().app, app.member) };
  }

  test("lists each event with its record from Connected Apps and links to the undo", async () => {
    const { browser, connectionId, asset } = await anApp();
    const address = addressOf(connectionId);
    expect((await browser.get("/settings/apps")).body).toContain(`href="${address}"`);

    const page = await browser.get(address);

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("Changes by fettle-bridge");
    const pump = `<a href="/assets/${asset.id}" dir="auto">Pump · ${asset.inventory_number}</a>`;
    expect(page.body).toContain(`added ${pump}`);
    expect(page.body).toMatch(new RegExp(`changed +${pump}|moved +${pump}`));
    expect(page.body).toMatch(/planned <a href="\/tasks\/[^"]+" dir="auto">T-\d+ Mend it<\/a>/);
    expect(page.body).toContain("3 events");
    expect(page.body).toContain(`href="/settings/apps/${connectionId}/undo"`);
  });

  test("excludes events of a namesake app, the person, and colleagues", async () => {
    const { member, connectionId, asset, browser } = await anApp();
    const { db } = current();
    const { id: other } = await aClient(current().app, { client_name: "fettle-bridge" });
    const namesake = await connect(current(), { member, clientId: other });
    await namesake.ok("update_asset", { asset_id: asset.id, location: "Roof of the namesake" });
    const colleague = await aMember(db, { organization: member.organization, role: "admin" });
    const theirs = await connect(current(), { member: colleague, clientId: "fettle-bridge" });
    await theirs.ok("update_asset", { asset_id: asset.id, location: "Cellar of the colleague" });
    const { asset: gone } = await namesake.ok<Made>("create_asset", { name: "Gone" });
    const confirm_inventory_number = gone.inventory_number;
    await namesake.ok("force_delete_asset", { asset_id: gone.id, confirm_inventory_number });

    const page = (await browser.get(addressOf(connectionId))).body;

    expect(page).toContain("3 events");
    expect(page).not.toContain("Roof of the namesake");
    expect(page).not.toContain("Cellar of the colleague");
    const ownAddresses = [addressOf(connectionId), `/settings/apps/${connectionId}/undo?span=all`];
    for (const address of ownAddresses) {
      expect((await browser.get(address)).body).not.toContain("permanently deleted");
    }
    expect((await browser.get(addressOf(namesake.connectionId))).body).toContain(
      "1 asset permanently deleted",
    );
    // The owner sees the activity of the colleague's app in the owner's organization.
    const ofColleague = (await browser.get(addressOf(theirs.connectionId))).body;
    expect(ofColleague).toContain("Cellar of the colleague");
    expect(ofColleague).toContain(`for <bdi>${colleague.name}</bdi>`);
  });

  test("isn't found by members who didn't connect the app or by other organizations", async () => {
    const { app, db } = current();
    const { member, connectionId, browser } = await anApp();
    const { organization, email } = member;
    const plain = await signIn(app, await aMember(db, { organization, role: "member" }));
    const stranger = await signIn(app, await aMember(db));
    for (const visitor of [plain, stranger]) {
      expect((await visitor.get(addressOf(connectionId))).statusCode).toBe(404);
    }
    // Its name sorts after the organization that pages show first.
    const elsewhere = await aMember(db, { email, organization: "Quay" });
    const away = await connect(current(), { member: elsewhere });
    expect((await browser.get(addressOf(away.connectionId))).statusCode).toBe(404);
    expect((await browser.get(addressOf("con_0"))).statusCode).toBe(404);
  });

  test("says when nothing changed and counts permanent deletions", async () => {
    const { browser, connectionId, asset, ok } = await anApp();
    await ok("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: asset.inventory_number,
    });

    const page = (await browser.get(addressOf(connectionId))).body;

    expect(page).toContain("1 asset permanently deleted");
    expect(page).toContain("Nothing changed");
    expect(page).not.toContain("Undo changes");
  });

  browserTest("passes the checks in every view", async () => {
    const { member, connectionId } = await anApp();
    for (const view of views) {
      const opened = await openPage(chromium(), current(), member, view);
      expect(await sweep(opened, [addressOf(connectionId)])).toEqual({});
      await opened.close();
    }
  });
});
