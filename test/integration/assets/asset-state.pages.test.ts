import { describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { anAsset, aTeam, hostileTexts, readAsset } from "../../support/asset-pages.js";
import { withoutPageScript } from "../../support/browser.js";
import { aMember, aTask, toCaller } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("state, retire, restore, and move forms", () => {
  const current = useApp();

  const retire = (member: Parameters<typeof toCaller>[0], id: string) =>
    commit({ db: current().db, caller: null }, (tx) =>
      changeAssetState(tx, toCaller(member), id, { state: "deleted", reason: "sold" }),
    );

  test("changes a state with a note and a time in the organization's time zone", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    await current().db.query(
      `UPDATE organizations SET time_zone = 'Pacific/Auckland' WHERE id = $1`,
      [team.owner.organizationId],
    );
    await current().db.query(
      `UPDATE assets SET state_changed_at = now() - interval '80 days' WHERE id = $1`,
      [asset.id],
    );
    const at = new Date(Date.now() - 3 * 86_400_000);
    const local = new Intl.DateTimeFormat("sv-SE", {
      dateStyle: "short",
      timeStyle: "short",
      timeZone: "Pacific/Auckland",
    }).format(at);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/state`);
    expect(page.body).toContain("Pacific/Auckland time");
    expect(page.body).not.toContain('value="available"');
    expect(page.body).not.toContain('value="deleted"');
    const fields = { state: "out_of_service", note: "Smells burnt" };
    const answer = await browser.submitForm(page, {
      ...fields,
      effective_at: local.replace(" ", "T"),
    });

    expect(answer.headers.location).toBe(`/assets/${asset.id}`);
    const { body } = await browser.get(`/assets/${asset.id}`);
    expect(body).toContain("Air compressor is now out of service.");
    const changed = await readAsset(current(), asset.id);
    expect(changed?.["state"]).toBe("out_of_service");
    const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
    expect(changed?.["state_changed_at"]).toEqual(minute);
    const events: unknown = await current().db.query(
      "SELECT note FROM history_events WHERE asset_id = $1 AND type = 'asset_state_changed'",
      [asset.id],
    );
    expect(events).toEqual([{ note: "Smells burnt" }]);

    const twice = await browser.submitForm(page, fields);
    expect(twice.headers.location).toBe(`/assets/${asset.id}`);
    expect(await readAsset(current(), asset.id)).toMatchObject({ version: 2 });
  });

  test("rejects an impossible time in local terms and keeps the typed values", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/state`);
    const send = (effective_at: string) =>
      browser.submitForm(page, { state: "stored", note: "Kept note", effective_at });
    const year = new Date().getUTCFullYear();
    const early = await send(`${year}-01-01T00:00`);
    expect(early.statusCode).toBe(400);
    expect(early.body).toContain("Kept note");
    expect(early.body).toMatch(/id="state-stored"[^>]* checked/);
    expect(early.body).not.toMatch(/[TZ]\d\d:\d\dZ/);
    expect((await send(`${year + 1}-01-01T00:00`)).body).toContain("must not be in the future");
    expect((await send("yesterday")).body).toContain("isn't a date and time");
    const now = await send(new Date(Date.now() - 60_000).toISOString().slice(0, 16));
    expect(now.body).toContain("is before the last change of state, today ");
    expect(await readAsset(current(), asset.id)).toMatchObject({ version: 1 });
  });

  test("names the person behind a state conflict, and can be sent again", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/state`);
    await commit({ db: current().db, caller: null }, (tx) =>
      changeAssetState(tx, toCaller(team.owner), asset.id, { state: "in_use" }),
    );
    const stale = await browser.submitForm(page, { state: "stored" });
    expect(stale.statusCode).toBe(400);
    expect(stale.body).toContain("Olga Owner changed “State”");
    expect(stale.body).toContain("View the latest version");
    expect((await browser.submitForm(stale, { state: "stored" })).statusCode).toBe(303);
    expect(await readAsset(current(), asset.id)).toMatchObject({ state: "stored" });
  });

  test("explains the effects of retiring before and after, and restoring undoes them", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const part = await anAsset(current(), team, { name: "Motor", parent_asset_id: asset.id });
    await aTask(current().db, team.owner, { asset_id: asset.id });
    await aTask(current().db, team.owner, { asset_id: asset.id });
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/retire`);
    expect(page.body).toContain("2 open tasks are hidden until you restore the asset.");
    expect(page.body).toContain(`1 part of this asset is still in use: ${part.inventory_number}`);
    expect(await readAsset(current(), asset.id)).toMatchObject({ state: "available" });

    const fields = { reason: "sold", note: "To the neighbour" };
    const answers = await Promise.all([
      browser.submitForm(page, fields),
      browser.submitForm(page, fields),
    ]);
    expect(answers.map(({ headers }) => headers.location)).toEqual([
      `/assets/${asset.id}`,
      `/assets/${asset.id}`,
    ]);
    const retired = await browser.get(`/assets/${asset.id}`);
    expect(retired.body).toContain("Air compressor retired");
    expect(retired.body).toContain(`href="/assets/${asset.id}/restore"`);
    expect(await readAsset(current(), asset.id)).toMatchObject({
      state: "deleted",
      deletion_reason: "sold",
      version: 2,
    });

    const back = await browser.get(`/assets/${asset.id}/restore`);
    expect(back.body).toContain("Sold");
    expect(back.body).toMatch(/id="state-available"[^>]* checked/);
    const restored = await browser.submitForm(back, { state: "in_use" });
    expect(restored.headers.location).toBe(`/assets/${asset.id}`);
    expect((await browser.get(`/assets/${asset.id}`)).body).toContain("restored, now in use.");
    const twice = await browser.submitForm(back, { state: "stored" });
    expect(twice.statusCode).toBe(303);
    expect(await readAsset(current(), asset.id)).toMatchObject({ state: "in_use", version: 3 });
  });

  test("blocks the edit and state forms for a retired asset and links to restoring", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const [edit, state] = [
      await browser.get(`/assets/${asset.id}/edit`),
      await browser.get(`/assets/${asset.id}/state`),
    ];
    await retire(team.owner, asset.id);
    for (const [form, fields] of [
      [edit, { name: "New name", criticality: "low", expected_version: "2" }],
      [state, { state: "in_maintenance", expected_version: "2" }],
    ] as const) {
      const refused = await browser.submitForm(form, fields);
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain(`href="/assets/${asset.id}/restore"`);
    }
    expect(await readAsset(current(), asset.id)).toMatchObject({ state: "deleted", version: 2 });
  });

  test("moves the tasks along, unassigns people who can't see the workspace, and says so", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team, {
      assigned_to_user_id: team.member.userId,
      location: "Roof",
    });
    const task = await aTask(current().db, team.owner, { asset_id: asset.id });
    const office = team.elsewhere.workspaceId ?? "";
    const browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}/move`);
    expect(page.body).toContain("Mo Member is still the assignee only if they");
    const fields = { workspace_id: office, location: "Room 2" };
    expect((await browser.submitForm(page, fields)).statusCode).toBe(303);
    const { body } = await browser.get(`/assets/${asset.id}`);
    expect(body).toContain("Air compressor is now in Office.");
    expect(body).toContain("&quot;Mo Member&quot; can't see &quot;Office&quot;");
    const tasks: unknown = await current().db.query(
      "SELECT workspace_id FROM maintenance_tasks WHERE id = $1",
      [task.id],
    );
    expect(tasks).toEqual([{ workspace_id: office }]);

    const twice = await browser.submitForm(page, fields);
    expect(twice.headers.location).toBe(`/assets/${asset.id}`);
    const out = await browser.get(`/assets/${asset.id}/move`);
    await browser.submitForm(out, { workspace_id: "none", location: "" });
    expect(await readAsset(current(), asset.id)).toMatchObject({
      workspace_id: null,
      location: null,
      version: 3,
    });
  });

  test("moves a retired asset, so its workspace can be emptied", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team, { location: "Roof" });
    await retire(team.owner, asset.id);
    const browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}/move`);
    expect(page.body).not.toContain('name="location"');
    expect((await browser.submitForm(page, { workspace_id: "none" })).statusCode).toBe(303);
    const moved = { workspace_id: null, location: "Roof", state: "deleted" };
    expect(await readAsset(current(), asset.id)).toMatchObject(moved);
  });

  test("lets members move an asset only to workspaces where they may add assets", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const office = team.elsewhere.workspaceId ?? "";
    const { organization } = team.owner;
    const visitor = await aMember(current().db, {
      organization,
      role: "member",
      workspace: "Plant",
      workspaceRole: "member",
    });
    const second = { email: visitor.email, organization, workspace: "Archive" };
    const archive = await aMember(current().db, { ...second, workspaceRole: "viewer" });
    const browser = await signIn(current().app, visitor);
    const page = await browser.get(`/assets/${asset.id}/move`);
    expect(page.body).toContain("There's no other workspace you can add assets to.");
    const state = await browser.get(`/assets/${asset.id}/state`);
    const token = /name="_csrf" value="([^"]*)"/.exec(state.body)?.[1] ?? "";
    const move = async (workspace_id: string) => {
      const fields = { _csrf: token, expected_version: "1", workspace_id };
      const { statusCode } = await browser.post(`/assets/${asset.id}/move`, fields);
      return statusCode;
    };
    expect(await move(office)).toBe(400);
    expect(await move(archive.workspaceId ?? "")).toBe(403);
    expect(await move("none")).toBe(403);
    expect(await move(hostileTexts.nul)).toBe(400);
    expect(await readAsset(current(), asset.id)).toMatchObject({ workspace_id: team.workspaceId });
  });

  test.each(["state", "retire", "restore", "move"])(
    "/%s rejects a viewer and returns not found without access to the asset",
    async (form) => {
      const team = await aTeam(current());
      const asset = await anAsset(current(), team);
      if (form === "restore") await retire(team.owner, asset.id);
      const address = `/assets/${asset.id}/${form}`;
      const statuses = async (member: typeof team.viewer) => {
        const browser = await signIn(current().app, member);
        const { body } = await browser.get("/settings");
        const _csrf = /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "";
        const fields = { _csrf, state: "stored", workspace_id: "none" };
        const [page, answer] = [await browser.get(address), await browser.post(address, fields)];
        return [page.statusCode, answer.statusCode];
      };
      const before = await readAsset(current(), asset.id);
      expect(await statuses(team.viewer)).toEqual([403, 403]);
      expect(await statuses(team.elsewhere)).toEqual([404, 404]);
      expect(await statuses(team.stranger)).toEqual([404, 404]);
      expect(await readAsset(current(), asset.id)).toEqual(before);
      const member = await signIn(current().app, team.member);
      expect((await member.get(address)).statusCode).toBe(200);
    },
  );

  test.each(["state", "retire", "restore"])(
    "/%s rejects hostile input and keeps it as text",
    async (form) => {
      const team = await aTeam(current());
      const asset = await anAsset(current(), team);
      if (form === "restore") await retire(team.owner, asset.id);
      const browser = await signIn(current().app, team.member);
      const page = await browser.get(`/assets/${asset.id}/${form}`);
      const before = await readAsset(current(), asset.id);
      const fields = form === "retire" ? {} : { state: "stored" };
      const { nul, rightToLeft, long, script } = hostileTexts;
      for (const [name, text] of [
        ["note", nul],
        ["note", rightToLeft],
        ["note", long],
        ["effective_at", script],
        [form === "retire" ? "reason" : "state", script],
        [form === "retire" ? "reason" : "state", "deleted"],
      ] as const) {
        const answer = await browser.submitForm(page, { ...fields, [name]: text });
        expect([name, answer.statusCode]).toEqual([name, 400]);
        expect(withoutPageScript(answer.body)).not.toContain("<script");
      }
      expect(await readAsset(current(), asset.id)).toEqual(before);
      const answer = await browser.submitForm(page, { ...fields, note: script });
      expect(answer.statusCode).toBe(303);
      const { body } = await browser.get(`/assets/${asset.id}`);
      expect(withoutPageScript(body)).not.toContain("<script");
      expect(body).toContain("&lt;script>");
    },
  );
});
