import { expect, onTestFinished, test, vi } from "vitest";
import type { WorkspaceRole } from "../../../server/src/domain/access/caller.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { countAmount } from "../../../server/src/traffic/write-quota.js";
import { setAccessEnd } from "../../../server/src/domain/people/access-end.js";
import { changeOrganizationRole } from "../../../server/src/domain/people/member-roles.js";
import { changeWorkspaceRole } from "../../../server/src/domain/people/workspace-roles.js";
import { useApp } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { aMember, toCaller, type Member } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { startRound } from "../../support/rounds.js";
import { planTable, pressImport, upload } from "../../support/uploads.js";

const current = useApp();

/** Counts this many millions of bytes as just written by the person. */
function write(member: Member, millions: number): void {
  countAmount(toCaller(member), millions * 1_000_000);
}

test("LIM-66 blocks a person over the daily write limit until it expires, not others", async () => {
  const one = await connect(current(), { organization: "Works" });
  const other = await connect(current(), { organization: "Works", role: "admin" });
  const { asset } = await one.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());

  // A little more than the limit, since earlier writes may have expired by now.
  write(one.member, 2001);
  const error = await one.refused("update_asset", { asset_id: asset.id, name: "Fan" });
  expect(error).toMatchObject({ code: "rate_limited" });
  expect(error.message).toContain("limit of changes per person in a day");
  expect(await one.refused("create_asset", { name: "Lamp" })).toMatchObject(error);
  await one.ok("get_asset", { asset_id: asset.id });
  await other.ok("update_asset", { asset_id: asset.id, name: "Fan" });

  vi.setSystemTime(Date.now() + 60_000);
  await one.ok("update_asset", { asset_id: asset.id, name: "Lamp" });
});

test("GRO-14 counts texts by their index size", async () => {
  const one = await connect(current(), { organization: "Press" });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());

  // Three descriptions cost a tenth of a million with their word index, and a fiftieth as plain
  // text.
  write(one.member, 1999.9);
  const description = "word ".repeat(999);
  const assets = ["Pump", "Fan", "Lamp"].map((name) => ({ name, description }));
  await one.ok("create_asset", { assets });
  expect(await one.refused("create_asset", { name: "Lift" })).toMatchObject({
    code: "rate_limited",
  });
});

test("GRO-14 counts a deleted file because its space is freed later", async () => {
  const { app, db } = current();
  const one = await connect(current(), { organization: "Album" });
  const { asset } = await one.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
  const browser = await signIn(app, one.member);
  const page = await browser.get(`/assets/${asset.id}?tab=files`);
  const file = { field: "file", name: "log.txt", content: "x".repeat(100_000) };
  await browser.sendFiles(page, `/assets/${asset.id}/files`, [file]);
  const row = await db.maybe<{ id: string }>("SELECT id FROM files WHERE organization_id = $1", [
    one.member.organizationId,
  ]);
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());

  write(one.member, 1999.9);
  await press(browser, await browser.get(`/files/${row?.id ?? ""}/delete`), "Delete");
  expect(await one.refused("create_asset", { name: "Lift" })).toMatchObject({
    code: "rate_limited",
  });
});

test("LIM-66 undoing an app's changes and removing people work past the limit", async () => {
  const { app, db } = current();
  const owner = await connect(current(), { organization: "Yard" });
  const leaver = await aMember(db, { organization: "Yard", role: "admin" });
  const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
    name: "Pump",
    assigned_to_user_id: leaver.userId,
  });
  const browser = await signIn(app, owner.member);

  write(owner.member, 2010);
  const shown = await browser.get(`/settings/apps/${owner.connectionId}/undo?span=hour`);
  const undone = await press(browser, shown, "Undo");
  expect(undone.statusCode).toBe(303);
  const address = String(undone.headers.location);
  const stateOf = async () => {
    const row = await db.maybe<unknown>(
      "SELECT state, assigned_to_user_id FROM assets WHERE id = $1",
      [asset.id],
    );
    return row;
  };
  await expect.poll(stateOf).toMatchObject({ state: "deleted" });
  const redone = await press(browser, await browser.get(address), "Redo");
  const refused = await browser.get(String(redone.headers.location));
  expect(refused.body).toContain("limit of changes per person in a day");

  await owner.ok("remove_user", {
    user_id: leaver.userId,
    from_organization: true,
  });
  expect(await stateOf()).toMatchObject({ assigned_to_user_id: null });
});

test("LIM-66 stops bulk changes by call or form at the limit too", async () => {
  const { app, db } = current();
  const one = await connect(current(), { organization: "Mill" });
  const add = async (name: string) =>
    (await one.ok<{ asset: { id: string } }>("create_asset", { name })).asset.id;
  const ids = [await add("Pump"), await add("Fan")];
  const browser = await signIn(app, one.member);

  write(one.member, 2010);
  const error = await one.refused("update_asset", { asset_ids: ids, location: "Hall" });
  expect(error).toMatchObject({ code: "rate_limited" });
  const rows = [{ name: "Lamp" }, { name: "Lift" }];
  expect(await one.refused("create_asset", { assets: rows })).toMatchObject({ code: error.code });
  const page = await browser.get(`/assets/change?${ids.map((id) => `ids=${id}`).join("&")}`);
  const fields = { ids, state: "stored" };
  const sent = await browser.submitForm(page, fields, { action: "/assets/change" });
  expect(sent.body).toContain("limit of changes per person in a day");
  const kept = await db.query(
    "SELECT DISTINCT state, location FROM assets WHERE organization_id = $1",
    [one.member.organizationId],
  );
  expect(kept).toEqual([{ state: "available", location: null }]);
});

test("LIM-66 counts import rows that remain, even without changes", async () => {
  const { app } = current();
  const { member } = await connect(current(), { organization: "Quarry" });
  const browser = await signIn(app, member);
  const content = `Name\nDepot\n${`${"x".repeat(190)}\n`.repeat(1000)}`;
  const table = { name: "list.csv", content };

  write(member, 1999.8);
  const planned = await planTable(app, browser, { ...table, kind: "workspaces" });
  expect(planned.body).toContain("1 new, 0 changed, 0 unchanged, 1000 wrong");
  const applied = await pressImport(browser, planned);
  expect(applied.statusCode).toBe(303);
  const refused = await upload(app, browser, "/import", {
    ...table,
    fields: { kind: "workspaces" },
  });
  expect(refused.statusCode).toBe(429);
  expect(refused.body).toContain("limit of changes per person in a day");
});

test("LIM-66 an undo past the limit continues but doesn't list conflicts", async () => {
  const { app, db } = current();
  const one = await connect(current(), { organization: "Dock" });
  const other = await connect(current(), { organization: "Dock", role: "admin" });
  const { asset } = await one.ok<{ asset: { id: string } }>("create_asset", { name: "Crane" });
  await other.ok("update_asset", { asset_id: asset.id, name: "Lift" });
  const browser = await signIn(app, one.member);
  const undo = async () => {
    const shown = await browser.get(`/settings/apps/${one.connectionId}/undo?span=hour`);
    const { headers } = await press(browser, shown, "Undo");
    const id = String(headers.location).split("/").at(-1);
    const stored = async (): Promise<unknown[]> =>
      db.query(
        `SELECT state, counts ->> 'conflicts' AS conflicts, (SELECT count(*)::int
           FROM change_set_rows r WHERE r.organization_id = s.organization_id
             AND r.change_set_id = s.id) AS listed
         FROM change_sets s WHERE s.organization_id = $1 AND s.id = $2`,
        [one.member.organizationId, id],
      );
    await expect.poll(stored).toMatchObject([{ state: "applied" }]);
    return (await stored())[0];
  };

  expect(await undo()).toMatchObject({ conflicts: "1", listed: 1 });
  write(one.member, 2010);
  expect(await undo()).toMatchObject({ conflicts: "1", listed: 0 });
});

test("LIM-66 writes made before the clock was set back expire", async () => {
  const one = await connect(current(), { organization: "Pier" });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const now = Date.now();

  vi.setSystemTime(now + 30 * 86_400_000);
  write(one.member, 2000.5);
  vi.setSystemTime(now);
  expect(await one.refused("create_asset", { name: "Pump" })).toMatchObject({
    code: "rate_limited",
  });
  vi.setSystemTime(now + 60_000);
  await one.ok("create_asset", { name: "Pump" });
});

test("LIM-66 counts every round scan, even unknown codes, and stores none past the limit", async () => {
  const { app, db } = current();
  const { member } = await connect(current(), { organization: "Store", workspace: "Hall" });
  const round = await startRound(current(), member, { workspace_id: member.workspaceId ?? "" });
  const browser = await signIn(app, member);
  const scan = async (code: string) =>
    browser.submitForm(await browser.get(round), { code }, { action: round });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());

  write(member, 2000);
  expect((await scan("A-1")).statusCode).toBe(303);
  const refused = await scan("A-2");
  expect(refused.statusCode).toBe(429);
  expect(refused.body).toContain("limit of changes per person in a day");
  const kept = await db.query("SELECT code FROM round_findings WHERE organization_id = $1", [
    member.organizationId,
  ]);
  expect(kept).toEqual([{ code: "A-1" }]);
});

test("LIM-66 counts activity log lines, and ending a person's access works past the limit", async () => {
  const { db } = current();
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const one = await connect(current(), { organization: "Lock" });
  const { workspace } = await one.ok<{ workspace: { id: string } }>("create_workspace", {
    name: "Hall",
  });
  const organization = "Lock";
  const viewer = { organization, workspace: "Hall", workspaceRole: "viewer" } as const;
  const [low, high] = [await aMember(db, viewer), await aMember(db, viewer)];
  const giveRole = (person: Member, workspace_role: WorkspaceRole) =>
    commit({ db, caller: null }, (tx) => {
      const place = { user_id: person.userId, workspace_id: workspace.id, workspace_role };
      return changeWorkspaceRole(tx, toCaller(one.member), place);
    });
  const rename = { workspace_id: workspace.id, name: "Yard" };
  await giveRole(high, "member");

  write(one.member, 1999.988);
  await one.ok("update_workspace", rename);
  const error = await one.refused("update_workspace", { ...rename, name: "Hall" });
  expect(error).toMatchObject({ code: "rate_limited" });
  expect(await one.refused("create_workspace", { name: "Dock" })).toMatchObject(error);
  await expect(giveRole(low, "member")).rejects.toMatchObject({ code: "rate_limited" });
  const caller = toCaller(one.member);
  const raised = commit({ db, caller }, (tx) =>
    changeOrganizationRole(tx, caller, { user_id: low.userId, role: "admin" }),
  );
  await expect(raised).rejects.toMatchObject({ code: "rate_limited" });
  const endOn = (access_ends_on: string | undefined) =>
    commit({ db, caller }, (tx) =>
      setAccessEnd(tx, caller, { user_id: high.userId, access_ends_on }),
    );
  await endOn("2090-01-02");
  await endOn("2090-01-01");
  for (const later of ["2090-01-02", undefined])
    await expect(endOn(later)).rejects.toMatchObject({ code: "rate_limited" });

  await giveRole(high, "viewer");
  await one.ok("remove_user", { user_id: low.userId, from_organization: true });
});
