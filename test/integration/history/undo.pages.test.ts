import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { ChangeSetRow } from "../../../server/src/db/entities/history.js";
import { createChangeSet } from "../../../server/src/domain/history/change-sets.js";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { aMember, toCaller } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { press } from "../../support/browser.js";

interface Made {
  asset: { id: string; inventory_number: string; name: string };
}

describe("undo of an app's changes", () => {
  const current = useApp();

  const stateOf = async (id: string) => {
    const row = await current().db.maybe<{ state: string; location: string | null; name: string }>(
      "SELECT state, location, name FROM assets WHERE id = $1",
      [id],
    );
    return row;
  };

  test("appears beside the app, previews the difference, undoes it, and lists kept changes", async () => {
    const { app } = current();
    const owner = await connect(current());
    const made = await owner.ok<Made>("create_asset", { name: "Pump", location: "Roof" });
    const { id } = made.asset;
    const browser = await signIn(app, owner.member);
    await ageHistory(owner);
    await owner.ok("update_asset", { asset_id: id, location: "Cellar", name: "Broken pump" });
    const other = await owner.ok<Made>("create_asset", { name: "Invented" });
    await rename(owner, id, "Good pump");

    const apps = await browser.get("/settings/apps");
    const address = `/settings/apps/${owner.connectionId}/undo`;
    expect(apps.body).toContain(`href="${address}"`);
    const shown = await browser.get(`${address}?span=hour`);
    expect(shown.body).toContain("Cellar");
    expect(shown.body).toContain("Roof");
    expect(shown.body).toContain("Conflict:");
    expect(shown.body).toContain("Will be retired");
    expect(shown.body).toContain("2 records, 1 with a conflict");
    expect(shown.body).toContain("Undo changes to 2 records");
    expect(shown.body.indexOf("Conflict:")).toBeLessThan(shown.body.indexOf("Will be retired"));
    expect(await stateOf(id)).toMatchObject({ location: "Cellar" });

    const done = await press(browser, shown, "Undo");
    expect(done.statusCode).toBe(303);
    const result = await browser.get(String(done.headers.location));
    expect(result.body).toContain("1 conflict");
    expect(result.body).toContain("Name was changed by");
    expect(await stateOf(id)).toEqual({ state: "available", location: "Roof", name: "Good pump" });
    expect(await stateOf(other.asset.id)).toMatchObject({ state: "deleted" });

    const again = await press(browser, result, "Redo");
    const redone = await browser.get(String(again.headers.location));
    expect(redone.body).toContain(">Undo<");
    expect(await stateOf(id)).toMatchObject({ location: "Cellar", name: "Good pump" });
    expect(await stateOf(other.asset.id)).toMatchObject({ state: "available" });
  });

  test("says that permanent deletions remain and that there may be nothing to undo", async () => {
    const { app } = current();
    const owner = await connect(current());
    const { asset } = await owner.ok<Made>("create_asset", { name: "Gone" });
    await owner.ok("force_delete_asset", {
      asset_id: asset.id,
      confirm_inventory_number: asset.inventory_number,
    });
    const browser = await signIn(app, owner.member);
    const shown = await browser.get(`/settings/apps/${owner.connectionId}/undo`);
    expect(shown.body).toContain("1 asset permanently deleted");
    expect(shown.body).toContain("Nothing to undo");
  });

  test("starts with the shortest period that has changes", async () => {
    const owner = await connect(current());
    await owner.ok("create_asset", { name: "Pump" });
    const browser = await signIn(current().app, owner.member);
    const address = `/settings/apps/${owner.connectionId}/undo`;
    const selected = async () =>
      /<option[^>]*value="(\w+)"[^>]*selected/.exec((await browser.get(address)).body)?.[1];
    expect(await selected()).toBe("today");
    await ageHistory(owner);
    expect(await selected()).not.toBe("today");
  });

  test("allows the app's person and admins, in their own organization", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    const organization = owner.member.organization;
    const member = await aMember(db, { organization, role: "member", workspace: "Lab" });
    const stranger = await aMember(db);
    const { asset } = await owner.ok<Made>("create_asset", { name: "Pump" });
    const address = `/settings/apps/${owner.connectionId}/undo`;
    for (const other of [member, stranger]) {
      const browser = await signIn(app, other);
      expect((await browser.get(address)).statusCode).toBe(404);
    }
    const browser = await signIn(app, owner.member);
    const done = await press(browser, await browser.get(address), "Undo");
    const set = String(done.headers.location);
    expect(await stateOf(asset.id)).toMatchObject({ state: "deleted" });
    for (const other of [member, stranger]) {
      const theirs = await signIn(app, other);
      expect((await theirs.get(set)).statusCode).toBe(404);
    }
    const admin = await aMember(db, { organization, role: "admin" });
    expect((await (await signIn(app, admin)).get(set)).statusCode).toBe(200);
    expect((await (await signIn(app, admin)).get(address)).statusCode).toBe(200);
  });

  test("rejects impossible times and pages", async () => {
    const owner = await connect(current());
    const browser = await signIn(current().app, owner.member);
    const address = `/settings/apps/${owner.connectionId}/undo`;
    await owner.ok("create_asset", { name: "Pump" });
    const page = await browser.get(address);

    for (const far of ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"]) {
      const asked = await browser.get(`${address}?until=${encodeURIComponent(far)}`);
      expect(asked.statusCode).toBe(400);
      const sent = await press(browser, page, "Undo", { from: far, until: far });
      expect(sent.statusCode).toBe(400);
    }
    const done = await press(browser, page, "Undo");
    const beyond = await browser.get(`${String(done.headers.location)}?kept=2147483648`);
    expect(beyond.statusCode).toBe(200);
  });

  test("undoes a call that changed several records together, linked from the history", async () => {
    const { app } = current();
    const owner = await connect(current());
    await owner.ok("create_asset", { assets: [{ name: "One" }, { name: "Two" }] });
    const { assets } = await owner.ok<{ assets: { id: string }[] }>("list_assets");
    const [one = "", two = ""] = assets.map(({ id }) => id);
    await owner.ok("update_asset", { asset_ids: [one, two], location: "Roof" });
    await owner.ok("update_asset", { asset_ids: [one, two], location: "Bay", dry_run: true });
    await owner.ok("update_asset", { asset_id: one, name: "Uno" });
    const browser = await signIn(app, owner.member);
    const history = await browser.get(`/assets/${one}/history`);
    const [, set = ""] = /href="(\/changes\/\w+)"/.exec(history.body) ?? [];
    const page = await browser.get(set);
    expect(page.body).toContain("Changes by fettle-bridge: 2 records");

    const done = await press(browser, page, "Undo");
    const result = await browser.get(String(done.headers.location));
    expect(result.body).toContain("2 records");
    expect(await stateOf(one)).toEqual({ state: "available", location: null, name: "Uno" });
    expect(await stateOf(two)).toMatchObject({ location: null });
  });

  test("undoes a merge, and says that photos and files stay", async () => {
    const { app } = current();
    const owner = await connect(current());
    const [kept, duplicate] = [
      (await owner.ok<Made>("create_asset", { name: "Kept" })).asset,
      (await owner.ok<Made>("create_asset", { name: "Twin" })).asset,
    ];
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: duplicate.id, title: "Oil it" },
    });
    const browser = await signIn(app, owner.member);
    const content = await aPhoto();
    const sent = await browser.sendFiles(
      await browser.get(`/assets/${duplicate.id}?tab=files`),
      `/assets/${duplicate.id}/files`,
      [{ name: "plate.jpg", content }],
    );
    expect(sent.statusCode).toBe(303);
    await owner.ok("update_asset", { asset_id: duplicate.id, meter_readings: { km: 5 } });
    await ageHistory(owner);
    await owner.ok("update_asset_state", {
      ...{ asset_id: duplicate.id, state: "deleted", merged_into: kept.id },
    });
    expect((await browser.get(`/assets/${kept.id}`)).body).toContain('alt="plate.jpg"');

    const shown = await browser.get(`/settings/apps/${owner.connectionId}/undo?span=hour`);
    expect(shown.body).toContain("Photos and files that were added, removed or moved");
    expect(shown.body).toContain("eters that moved to another asset stay there");
    await press(browser, shown, "Undo");
    expect(await stateOf(duplicate.id)).toMatchObject({ state: "available" });
    const { task: after } = await owner.ok<{ task: object }>("get_maintenance_task", {
      task_id: task.id,
    });
    expect(after).toMatchObject({ asset_id: duplicate.id });
    expect((await browser.get(`/assets/${kept.id}`)).body).toContain('alt="plate.jpg"');
  });

  test("hides names of kept or refused records the reader can no longer see", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    const { organization, organizationId } = owner.member;
    await owner.ok("create_workspace", { name: "Yard" });
    const member = await aMember(db, { organization, role: "member", workspace: "Lab" });
    const made = (name: string) =>
      owner.ok<Made>("create_asset", { name, workspace_id: member.workspaceId });
    const [kept, refused] = [(await made("Kept lathe")).asset, (await made("Refused lathe")).asset];
    const set = await commit({ db, caller: null }, async (tx) => {
      const given = { kind: "bulk", state: "applied", title: "2 assets", settings: {} } as const;
      const id = await createChangeSet(tx, toCaller(member), given);
      const rows = [
        { line: 1, outcome: "wrong", ...toRow(refused), details: { problems: ["Its place"] } },
        { line: 2, outcome: "conflict", ...toRow(kept), details: { kind: "asset", conflicts: [] } },
      ] as const;
      for (const row of rows) {
        const where = { organization_id: organizationId, change_set_id: id };
        await tx.insert(ChangeSetRow, { ...where, ...row });
      }
      return id;
    });
    const browser = await signIn(app, member);
    const before = (await browser.get(`/changes/${set}`)).body;
    await owner.ok("update_asset", { asset_ids: [kept.id, refused.id], workspace_id: "Yard" });
    const after = (await browser.get(`/changes/${set}`)).body;

    expect(before).toContain("Kept lathe");
    expect(before).toContain("Refused lathe");
    expect(after).not.toContain("lathe");
    expect(after).not.toContain("Its place");
    expect(after.split("Something you can't see")).toHaveLength(3);
  });

  const toRow = ({ id, name }: Made["asset"]) => ({ subject_id: id, name });

  async function ageHistory({ member }: Connected): Promise<void> {
    await current().db.transaction(async (tx) => {
      await tx.query("SET LOCAL fettle.erase = 'on'");
      await tx.query(
        `UPDATE history_events SET recorded_at = recorded_at - interval '1 day'
         WHERE organization_id = $1`,
        [member.organizationId],
      );
    });
  }

  async function rename({ member }: Connected, id: string, name: string): Promise<void> {
    const caller = toCaller(member);
    await commit({ db: current().db, caller }, (tx) => updateAsset(tx, caller, id, { name }));
  }
});
