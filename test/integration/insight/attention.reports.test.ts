import { describe, expect, test } from "vitest";
import { findAttention } from "../../../server/src/domain/insight/attention.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aTask, toCaller } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { reportsIn, type Scene } from "../../support/reports.js";

const current = useApp();
const { aScene, reportsOf, report, decide } = reportsIn(current);

/** A new asset with a problem report and a late routine task. */
async function aReportedAsset(fields: Record<string, string> = {}) {
  const scene = await aScene();
  const { owner } = scene.team;
  const late = {
    asset_id: scene.asset.id,
    title: "Service",
    due_date: "2020-01-01",
    assigned_to_user_id: null,
  };
  await aTask(current().db, owner, late);
  await report(createBrowser(current().app), scene, fields);
  const [{ id } = { id: "" }] = await reportsOf(scene);
  return { scene, id, assistant: await connect(current(), { member: owner }) };
}

async function reasonsOf({ team }: Scene) {
  const caller = toCaller(team.owner, "owner");
  const { entries } = await findAttention(current().db, { caller, limit: 50 });
  return entries.map(({ reason, task, report: it }) => [reason, task?.title ?? it?.description]);
}

const sent = "It leaks oil.\nMuch of it.";
const untilDecided = [["reported_unusable", sent]];
const late = [["overdue", "Service"]];

describe("asset reported as unusable", () => {
  test("needs attention until its planned repair is done", async () => {
    const { scene, id, assistant } = await aReportedAsset();
    const before = await reasonsOf(scene);
    await decide(scene.team.member, id, { decision: "accept", title: "Seal the pump" });
    const planned = await reasonsOf(scene);
    const [{ task_id } = { task_id: null }] = await reportsOf(scene);
    await assistant.ok("update_maintenance_task", { task_id, state: "in_progress" });
    const begun = await reasonsOf(scene);
    await assistant.ok("update_maintenance_task", { task_id, state: "completed" });
    const repaired = await reasonsOf(scene);
    await assistant.ok("update_maintenance_task", { task_id, state: "in_progress" });
    const reopened = await reasonsOf(scene);

    expect(before).toEqual(untilDecided);
    expect(planned).toEqual([["reported_unusable", "Seal the pump"]]);
    expect(begun).toEqual(planned);
    // Still out of service, because only a person ends that.
    expect(repaired).toEqual([["out_of_service", undefined]]);
    expect(reopened).toEqual(planned);
  });

  test("needs attention until set to a usable state, whatever other work restores", async () => {
    const scene = await aScene();
    const assistant = await connect(current(), { member: scene.team.owner });
    const service = await assistant.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: scene.asset.id, title: "Service", requires_downtime: true },
    });
    const { id: task_id } = service.task;
    await assistant.ok("update_maintenance_task", { task_id, state: "in_progress" });
    await report(createBrowser(current().app), scene);
    await assistant.ok("update_maintenance_task", { task_id, state: "completed" });
    const givenBack = await reasonsOf(scene);
    await assistant.ok("update_asset_state", { asset_id: scene.asset.id, state: "in_use" });

    expect(givenBack).toEqual(untilDecided);
    expect(await reasonsOf(scene)).toEqual([]);
    await report(createBrowser(current().app), scene, { description: "Again." });
    expect(await reasonsOf(scene)).toEqual([["reported_unusable", "Again."]]);
  });

  test.each(["available", "in_use", "stored"])(
    "needs no attention once set to %s",
    async (state) => {
      const { scene, assistant } = await aReportedAsset();
      await assistant.ok("update_asset_state", { asset_id: scene.asset.id, state });
      expect(await reasonsOf(scene)).toEqual(late);
    },
  );

  test("needs no attention once retired, even after restoring", async () => {
    const { scene, assistant } = await aReportedAsset();
    const retired = { asset_id: scene.asset.id, state: "deleted" };
    await assistant.ok("update_asset_state", retired);
    expect(await reasonsOf(scene)).toEqual([]);
    await assistant.ok("update_asset_state", { ...retired, state: "in_use" });
    expect(await reasonsOf(scene)).toEqual(late);
  });

  test.each([
    { decision: "answer", answer: "Turn the valve." },
    { decision: "refuse", reason: "It is condensation." },
  ])(
    "needs attention only while out of service once the report is closed by $decision",
    async (closed) => {
      const { scene, id } = await aReportedAsset();
      await decide(scene.team.member, id, closed);
      expect(await reasonsOf(scene)).toEqual([["out_of_service", undefined]]);
    },
  );

  test("follows the report it was merged into", async () => {
    const { scene, id } = await aReportedAsset();
    await report(createBrowser(current().app), scene, {
      description: "Noise.",
      still_usable: "yes",
    });
    const [, other] = await reportsOf(scene);
    const member = await signIn(current().app, scene.team.member);
    const page = await member.get(`/reports/${id}`);
    const merged = { decision: "merge", into: other?.id ?? "" };
    await member.submitForm(page, merged, { action: `/reports/${id}` });
    const inOther = await reasonsOf(scene);
    await decide(scene.team.member, other?.id ?? "", { decision: "accept", title: "Balance it" });

    expect(inOther).toEqual(untilDecided);
    expect(await reasonsOf(scene)).toEqual([["reported_unusable", "Balance it"]]);
  });

  test("excludes an asset with only a flaw reported", async () => {
    const { scene } = await aReportedAsset({ still_usable: "yes" });
    expect(await reasonsOf(scene)).toEqual(late);
  });

  test("links the home page to the report, and is included for assistants", async () => {
    const { scene, id, assistant } = await aReportedAsset();
    const home = (await (await signIn(current().app, scene.team.owner)).get("/")).body;
    const { attention } = await assistant.ok<{ attention: unknown }>("get_organization_stats", {
      include: ["attention"],
    });

    expect(home).toContain(`href="/reports/${id}">Review report`);
    expect(home).toContain("<q>It leaks oil.");
    expect(attention).toMatchObject([{ reason: "reported_unusable", report: sent, more: 2 }]);
  });
});
