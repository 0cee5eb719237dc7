// @module-tag embedded

import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { forceDeleteAsset } from "../../../server/src/domain/assets/asset-deletion.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { aTeam, anAsset, readAsset } from "../../support/asset-pages.js";
import { aMember, aTask, toCaller } from "../../support/builders.js";
import { untilOneWaits } from "../../support/database.js";
import { connect, type Json, type ToolResult } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import type { Answer } from "../../support/reports.js";
import { startRound } from "../../support/rounds.js";
import { before } from "../../support/statements.js";

interface Made {
  asset: { id: string; inventory_number: string };
}

const rounds = Array.from({ length: 8 }, (_, index) => index);

describe("force_delete_asset and concurrent calls", () => {
  const testApp = useApp();

  const confirm = ({ id, inventory_number }: Made["asset"]) => ({
    asset_id: id,
    confirm_inventory_number: inventory_number,
  });
  const codeOf = ({ structuredContent }: ToolResult) =>
    (structuredContent["error"] as Json | undefined)?.["code"];

  test("only one of two deletions succeeds", async () => {
    const owner = await connect(testApp());
    for (const round of rounds) {
      const { asset } = await owner.ok<Made>("create_asset", { name: `Pump ${round}` });

      const results = await Promise.all([
        owner.call("force_delete_asset", confirm(asset)),
        owner.call("force_delete_asset", confirm(asset)),
      ]);

      expect(results.map(codeOf).toSorted()).toEqual(["not_found", undefined]);
    }
    const row = await testApp().db.maybe<Json>(
      "SELECT count(*)::int AS records FROM deletion_records WHERE organization_id = $1",
      [owner.member.organizationId],
    );
    expect(row).toEqual({ records: rounds.length });
  });

  test("concurrent calls succeed before the deletion or find the asset gone", async () => {
    const owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Lab" });
    for (const round of rounds) {
      const { asset } = await owner.ok<Made>("create_asset", { name: `Pump ${round}` });
      const { id: asset_id } = asset;
      const { id: task_id } = await aTask(testApp().db, owner.member, { asset_id });

      const [deletion, ...others] = await Promise.all([
        owner.call("force_delete_asset", confirm(asset)),
        owner.call("create_maintenance_task", { asset_id, title: "Oil", due_date: "2999-01-01" }),
        owner.call("update_maintenance_task", { task_id, state: "completed" }),
        owner.call("update_asset", { asset_id, workspace_id: "Lab" }),
        owner.call("update_asset_state", { asset_id, state: "in_use" }),
        owner.call("create_asset", { name: "Part", parent_asset_id: asset_id }),
        owner.call("get_asset", { asset_id }),
      ]);

      expect(deletion.content[0]?.text).toContain('"deleted":true');
      for (const result of others) {
        expect([undefined, "not_found"], result.content[0]?.text).toContain(codeOf(result));
      }
      const row = await testApp().db.maybe<Json>(
        `SELECT (SELECT count(*)::int FROM maintenance_tasks WHERE asset_id = $1) AS tasks,
           (SELECT count(*)::int FROM history_events WHERE asset_id = $1) AS events,
           (SELECT count(*)::int FROM assets WHERE parent_asset_id = $1) AS parts`,
        [asset_id],
      );
      expect(row).toEqual({ tasks: 0, events: 0, parts: 0 });
    }
  });

  test("deletes an asset and its parts while their assignee is removed", async () => {
    const owner = await connect(testApp());
    const { organization } = owner.member;
    for (const round of rounds) {
      const bob = await aMember(testApp().db, { organization, role: "member" });
      const held = { name: `Pump ${round}`, assigned_to_user_id: bob.userId };
      const { asset } = await owner.ok<Made>("create_asset", held);
      const parts: Made["asset"][] = [];
      for (let index = 0; index < 3; index += 1) {
        const part = await owner.ok<Made>("create_asset", { ...held, parent_asset_id: asset.id });
        parts.push(part.asset);
        await aTask(testApp().db, owner.member, {
          asset_id: part.asset.id,
          assigned_to_user_id: bob.userId,
        });
      }

      const results = await Promise.all([
        owner.call("remove_user", { user_id: bob.userId, from_organization: true }),
        ...[asset, ...parts].map((gone) => owner.call("force_delete_asset", confirm(gone))),
      ]);

      expect(results.map(codeOf)).toEqual(Array(5).fill(undefined));
    }
  });

  // The embedded database runs one transaction at a time, so nothing can happen during one.
  describe.runIf(inject("databaseUrl") !== null)(
    "deletion just before a statement that needs the asset",
    () => {
      afterEach(() => {
        vi.restoreAllMocks();
      });

      type Scene = Awaited<ReturnType<typeof aScene>>;
      const aScene = async () => {
        const team = await aTeam(testApp());
        const asset = await anAsset(testApp(), team);
        const { id: task } = await aTask(testApp().db, team.owner, { asset_id: asset.id });
        const browser = await signIn(testApp().app, team.owner);
        return { team, asset, task, browser };
      };
      const aRound = async ({ team, browser }: Scene) => {
        const round = await startRound(testApp(), team.owner, { workspace_id: team.workspaceId });
        return { round, page: await browser.get(round) };
      };
      const aPhoto = async ({ browser }: Scene, path: string) => {
        const page = await browser.get(`${path}/files`);
        return () =>
          browser.sendFiles(page, `${path}/files`, [
            { field: "file", name: "a.txt", content: "Oil" },
          ]);
      };

      test.each<[string, RegExp, number, (scene: Scene) => Promise<() => Promise<Answer>>]>([
        [
          "the end of a round goes on without it",
          /INSERT INTO round_findings/,
          303,
          async (scene) => {
            const { round } = await aRound(scene);
            const page = await scene.browser.get(`${round}/end`);
            return () => scene.browser.submitForm(page, {}, { action: `${round}/end` });
          },
        ],
        [
          "a scan is of an unknown code",
          /INSERT INTO round_findings/,
          303,
          async (scene) => {
            const { round, page } = await aRound(scene);
            const code = scene.asset.inventory_number;
            return () => scene.browser.submitForm(page, { code }, { action: round });
          },
        ],
        [
          "a photo is told that it is gone",
          /WHERE a\.organization_id = \$1 AND a\.id = \$2"/,
          404,
          (scene) => aPhoto(scene, `/assets/${scene.asset.id}`),
        ],
        [
          "a photo of its work is told that it is gone",
          /WHERE t\.organization_id = \$1 AND t\.id = \$2"/,
          404,
          (scene) => aPhoto(scene, `/tasks/${scene.task}`),
        ],
      ])("%s", async (_, statement, status, prepare) => {
        // INSERT statements wait for the deletion to commit.
        const isWaiting = statement.source.startsWith("INSERT");
        const { db } = testApp();
        const scene = await aScene();
        const act = await prepare(scene);
        const deletion = confirm(scene.asset);
        const sent = before(
          statement,
          1,
          () =>
            new Promise<void>((resolve) => {
              void commit({ db, caller: null }, async (tx) => {
                await forceDeleteAsset(tx, toCaller(scene.team.owner), deletion);
                if (!isWaiting) return;
                resolve();
                await untilOneWaits(db);
              }).then(resolve);
            }),
        );

        const answer = await act();

        expect(sent()).toBeGreaterThan(0);
        expect(answer.statusCode).toBe(status);
        expect(await readAsset(testApp(), scene.asset.id)).toBeUndefined();
      });
    },
  );
});
