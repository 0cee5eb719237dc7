import { beforeAll, describe, expect, inject, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, aTask } from "../../support/builders.js";
import { untilOneWaits } from "../../support/database.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import type { Tx } from "../../../server/src/db/database.js";
import { signIn } from "../../support/oauth.js";
import { startRound } from "../../support/rounds.js";

interface Made {
  asset: { id: string };
}

describe("delete_workspace", () => {
  const testApp = useApp();
  let owner: Connected;

  const aWorkspace = async (name: string) => {
    const { workspace } = await owner.ok<{ workspace: { id: string } }>("create_workspace", {
      name,
    });
    return workspace.id;
  };
  const anInvite = (
    workspaceId: string,
    email: string,
    { until = "now() + interval '7 days'", by }: { until?: string; by?: Tx } = {},
  ) =>
    (by ?? testApp().db).query(
      `INSERT INTO invites (id, organization_id, workspace_id, workspace_name, email,
         organization_role, workspace_role, token_hash, expires_at, last_sent_at, invited_by)
       VALUES ('inv_' || left(md5($3), 12), $1, $2, 'Lab', $3, 'member', 'member', $3::bytea,
         ${until}, now(), $4)`,
      [owner.member.organizationId, workspaceId, email, owner.member.userId],
    );

  beforeAll(async () => {
    owner = await connect(testApp());
  });

  test("deletes an empty workspace with its memberships and open invitations", async () => {
    const id = await aWorkspace("Lab");
    const member = await connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace: "Lab",
    });
    await anInvite(id, "open@example.com");
    await anInvite(id, "late@example.com", { until: "now() - interval '1 day'" });

    const answer = await owner.ok("delete_workspace", { workspace_id: "lab" });
    const again = await owner.refused("delete_workspace", { workspace_id: id });

    expect(answer).toEqual({
      workspace: { id, name: "Lab" },
      deleted: true,
      invites_revoked: 1,
      members_removed: 1,
    });
    expect(again.message).toMatch(/^Workspace not found/);
    expect(await member.ok("get_current_user")).toMatchObject({ workspace_count: 0 });
    const invites = await testApp().db.query<Json>(
      "SELECT email, revoked_by, workspace_id FROM invites WHERE organization_id = $1 ORDER BY email",
      [owner.member.organizationId],
    );
    expect(invites).toEqual([
      { email: "late@example.com", revoked_by: null, workspace_id: null },
      { email: "open@example.com", revoked_by: owner.member.userId, workspace_id: null },
    ]);
    const activity = await testApp().db.maybe<Json>(
      "SELECT details FROM activity_log WHERE type = 'workspace_deleted' AND user_id = $1",
      [owner.member.userId],
    );
    expect(activity).toEqual({
      details: { workspace_id: id, name: "Lab", client_name: "fettle-bridge" },
    });
  });

  test("keeps a non-empty workspace, and the refusal explains how to empty it", async () => {
    const id = await aWorkspace("QA Lab");
    const assets: string[] = [];
    for (const name of ["One", "Two", "Three"]) {
      const { asset } = await owner.ok<Made>("create_asset", { name, workspace_id: id });
      assets.push(asset.id);
    }
    for (const asset_id of assets.slice(0, 2)) {
      await owner.ok("update_asset_state", { asset_id, state: "deleted" });
    }
    const states = ["scheduled", "completed", "completed", "cancelled"];
    for (const [index, state] of states.entries()) {
      await aTask(testApp().db, owner.member, { asset_id: assets[index % 3] ?? "", state });
    }
    const { id: own } = await aTask(testApp().db, owner.member, {
      workspace_id: id,
      state: "completed",
    });

    const refusal = await owner.refused("delete_workspace", { workspace_id: id });

    expect(refusal).toMatchObject({
      code: "not_empty",
      message:
        'Workspace is not empty: it holds 3 assets (2 deleted) and 5 tasks (4 finished). Find the assets with list_assets, workspace_id "QA Lab", state "all", and move them with update_asset and workspace_id; their tasks move with them. Find the task without an asset with list_maintenance_tasks, workspace_id "QA Lab", and move it with update_maintenance_task and workspace_id.',
      details: { assets: 3, deleted_assets: 2, tasks: 5, finished_tasks: 4, own_tasks: 1 },
    });

    for (const asset_id of assets) {
      await owner.ok("update_asset", { asset_id, clear_fields: ["workspace_id"] });
    }
    const onlyTask = await owner.refused("delete_workspace", { workspace_id: id });
    expect(onlyTask.message).toMatch(
      /^Workspace is not empty: it holds 1 task \(1 finished\)\. Find the task/,
    );
    await testApp().db.query("DELETE FROM maintenance_tasks WHERE id = $1", [own]);
    await owner.ok("delete_workspace", { workspace_id: id });
  });

  test("keeps its rounds as evidence, under its name and for organization admins", async () => {
    const id = await aWorkspace("Depot");
    const { app } = testApp();
    const { organization } = owner.member;
    const join = { organization, role: "member", workspace: "Depot" } as const;
    const member = await aMember(testApp().db, join);
    const browser = await signIn(app, owner.member);
    const end = async (round: string) =>
      browser.submitForm(await browser.get(`${round}/end`), {}, { action: `${round}/end` });
    const { asset } = await owner.ok<Made>("create_asset", { name: "Ladder", workspace_id: id });
    const ended = await startRound(testApp(), owner.member, { workspace_id: id });
    await end(ended);
    const running = await startRound(testApp(), owner.member, { workspace_id: id });
    const runningPage = await browser.get(`${running}/end`);
    await owner.ok("update_asset", { asset_id: asset.id, clear_fields: ["workspace_id"] });

    const foreseen = await owner.ok("delete_workspace", { workspace_id: id, dry_run: true });
    const question = await browser.get(`/settings/workspaces/${id}/delete`);
    const answer = await owner.ok("delete_workspace", { workspace_id: id });
    const list = await browser.get("/rounds");
    const pages = [await browser.get(ended), await browser.get(running)];
    const late = await browser.submitForm(runningPage, {}, { action: `${running}/end` });

    expect(foreseen).toMatchObject({ rounds_kept: 2, dry_run: true });
    expect(question.body).toContain("2 rounds are kept.");
    expect(answer).toMatchObject({ deleted: true, rounds_kept: 2 });
    expect(list.body.match(/>Depot</g)).toHaveLength(2);
    expect(pages.map(({ body }) => body.includes("Ladder"))).toEqual([true, false]);
    for (const { body } of pages) {
      expect(body).toContain("Ended");
      expect(body).not.toContain("End the round");
    }
    expect(late.statusCode).toBe(404);
    expect((await (await signIn(app, member)).get(ended)).statusCode).toBe(404);
  });

  // All connections to the embedded database share one session.
  const testRace = test.runIf(inject("databaseUrl") !== null);

  testRace("an invitation that comes at the same moment is withdrawn as well", async () => {
    const id = await aWorkspace("Annex");
    const { db } = testApp();

    const { answer } = await db.transaction(async (tx) => {
      await anInvite(id, "same-moment@example.com", { by: tx });
      const sent = owner.ok("delete_workspace", { workspace_id: id });
      await untilOneWaits(db);
      return { answer: sent };
    });

    expect(await answer).toMatchObject({ deleted: true, invites_revoked: 1 });
    expect(await owner.ok("list_invites", { status: "pending" })).toMatchObject({ invites: [] });
  });

  test("a dry run returns the same and leaves no trace", async () => {
    const id = await aWorkspace("Attic");
    await anInvite(id, "attic@example.com");
    const trace = () =>
      testApp().db
        .query<Json>(`SELECT (SELECT jsonb_agg(w.* ORDER BY w.id) FROM workspaces w) AS workspaces,
           (SELECT jsonb_agg(i.* ORDER BY i.id) FROM invites i) AS invites,
           (SELECT count(*) FROM activity_log) AS activity`);
    const before = await trace();

    const answer = await owner.ok("delete_workspace", { workspace_id: id, dry_run: true });

    expect(await trace()).toEqual(before);
    expect(answer).toMatchObject({ would_delete: true, invites_revoked: 1, dry_run: true });
  });

  test("is limited to organization admins", async () => {
    const id = await aWorkspace("Vault");
    const join = { organization: owner.member.organization, role: "member" } as const;
    const ana = await connect(testApp(), { ...join, workspace: "Vault", workspaceRole: "admin" });
    const outsider = await connect(testApp(), join);
    const admin = await connect(testApp(), { ...join, role: "admin" });

    const asAna = await ana.refused("delete_workspace", { workspace_id: id });
    const asOutsider = await outsider.refused("delete_workspace", { workspace_id: id });
    await admin.ok("delete_workspace", { workspace_id: id });

    expect(asAna.message).toMatch(/^Not authorized: your role in the organization is member/);
    expect(asOutsider.message).toMatch(/^Workspace not found/);
  });

  test("concurrent creations are refused or prevent deletion, and never leave assets without a workspace", async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await aWorkspace(`Race ${round}`);
      const { asset } = await owner.ok<Made>("create_asset", { name: "Elsewhere" });
      const create = (name: string) => owner.call("create_asset", { name, workspace_id: id });

      const [before, deletion, moved, after] = await Promise.all([
        create("Before"),
        owner.call("delete_workspace", { workspace_id: id }),
        owner.call("update_asset", { asset_id: asset.id, workspace_id: id }),
        create("After"),
      ]);

      const text = deletion.content[0]?.text ?? "";
      const others = [before, moved, after];
      if (deletion.isError === true) {
        expect(text).toMatch(/^Workspace is not empty: it holds [123] asset/);
        expect(others.map(({ isError }) => isError)).toEqual([undefined, undefined, undefined]);
      } else {
        for (const { isError, content } of others) {
          expect(isError).toBe(true);
          expect(content[0]?.text).toMatch(/^Workspace not found for "wsp_/);
        }
      }
      const row = await testApp().db.maybe<Json>(
        `SELECT (SELECT count(*)::int FROM assets WHERE workspace_id = $1) AS held,
           (SELECT count(*)::int FROM workspaces WHERE id = $1) AS there`,
        [id],
      );
      expect(row).toEqual(
        deletion.isError === true ? { held: 3, there: 1 } : { held: 0, there: 0 },
      );
    }
  });
});
