import { beforeAll, describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { updateWorkspace } from "../../../server/src/domain/organizations/workspace-updates.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const current = useServer();

let owner: Member;
let viewer: Member;
let depot: string;
let yard: string;

beforeAll(async () => {
  const { db } = current();
  owner = await aMember(db, { role: "owner", name: "Olga Owner", workspace: "Depot" });
  viewer = await aMember(db, {
    organization: owner.organization,
    role: "member",
    workspace: "Depot",
    workspaceRole: "viewer",
    name: "Vito Viewer",
  });
  const other = await aMember(db, { organization: owner.organization, workspace: "Yard" });
  depot = owner.workspaceId ?? "";
  yard = other.workspaceId ?? "";
  const replay = createReplay(db, owner);
  const { asset } = await replay(daysAgo(30), async (tx, caller) => {
    await updateWorkspace(tx, caller, depot, {
      description: "Vans <b>and</b> parts",
      address: "Hafenstrasse 1\n14467 Potsdam",
    });
    return createAsset(tx, caller, { name: "Pump", workspace_id: depot });
  });
  await replay(daysAgo(2), (tx, caller) =>
    changeAssetState(tx, caller, asset.id, { state: "out_of_service" }),
  );
  const of = { asset_id: asset.id };
  await aTask(db, owner, { ...of, title: "Later", due_date: dayFromToday(5) });
  await aTask(db, owner, {
    ...of,
    title: "Load test",
    due_date: dayFromToday(-3),
    assigned_to_user_id: viewer.userId,
  });
  await aTask(db, owner, {
    ...of,
    state: "completed",
    completed_at: daysAgo(4).toISOString(),
    labor_cost: 80,
    currency: "EUR",
  });
  await aTask(db, owner, { title: "Sweep", workspace_id: yard });
});

async function pageFor(member: Member, id = depot) {
  const page = await (await signIn(current().app, member)).get(`/workspaces/${id}`);
  const text = page.body.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return { status: page.statusCode, body: page.body, text };
}

describe("workspace page", () => {
  test("shows its address, overdue tasks, assets out of service, people and costs", async () => {
    const { body, text } = await pageFor(owner);

    expect(text).toContain("Hafenstrasse 1 14467 Potsdam");
    expect(text).toContain("Vans &lt;b>and&lt;/b> parts");
    expect(text).toMatch(/Open tasks 1 overdue Load test .*3 days overdue.*Vito Viewer.* Later/);
    expect(text).toMatch(/1 asset Out of service 1 Not ready for use Pump/);
    expect(text).toMatch(/Completed tasks 1 .*Failures 1 .*Maintenance cost €80.00/);
    expect(text).toMatch(/People .*Vito Viewer Viewer 1 open task/);
    expect(text).toMatch(/Olga Owner (Owner of the organization|Member|Admin)/);
    expect(text).not.toContain("Sweep");
    for (const href of [
      `/tasks?state=overdue&amp;workspace_id=${depot}`,
      `/plan?workspace_id=${depot}`,
      `/trends?workspace_id=${depot}#cost`,
      `/tasks/new?workspace=${depot}`,
      `/settings/workspaces/${depot}`,
    ]) {
      expect(body).toContain(`href="${href}"`);
    }
  });

  test("is visible to its members, with the actions of their role", async () => {
    const seen = await pageFor(viewer);
    expect(seen.status).toBe(200);
    for (const offer of ["Add a task", "Add an asset", ">Edit<"]) {
      expect(seen.body).not.toContain(offer);
    }
    expect((await pageFor(viewer, yard)).status).toBe(404);
    expect((await pageFor(owner, "wsp_nowhere")).status).toBe(404);
    expect((await pageFor(await aMember(current().db, { role: "owner" }))).status).toBe(404);
  });

  test("is linked from the only list, and the old list URL redirects there", async () => {
    const browser = await signIn(current().app, owner);

    expect((await browser.get("/workspaces")).body).toContain(`href="/workspaces/${depot}"`);
    const answer = await browser.get("/settings/workspaces");
    expect([answer.statusCode, answer.headers.location]).toEqual([303, "/workspaces"]);
    expect((await browser.get("/settings")).body).not.toContain('href="/settings/workspaces"');
  });

  test("is found only in its organization", async () => {
    const { app, db } = current();
    const elsewhere = await aMember(db, { role: "owner", workspace: "Far" });
    await aMember(db, { organization: elsewhere.organization, email: owner.email });
    const browser = await signIn(app, owner);

    expect((await browser.get(`/workspaces/${depot}`)).statusCode).toBe(200);
    expect((await browser.get(`/workspaces/${elsewhere.workspaceId ?? ""}`)).statusCode).toBe(404);
    await db.query(
      "UPDATE organization_members SET role = 'admin' WHERE organization_id = $1 AND user_id = $2",
      [elsewhere.organizationId, owner.userId],
    );
    const found = await browser.get(`/workspaces/${elsewhere.workspaceId ?? ""}`);
    expect(found.body).toContain(elsewhere.organization);
    // Restores the state for the other tests.
    await db.query("DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2", [
      elsewhere.organizationId,
      owner.userId,
    ]);
  });
});

describe("workspace page in a browser", () => {
  const chromium = useChromium();

  browserTest("has no faults in any view, full and empty", async () => {
    const empty = await aMember(current().db, {
      organization: owner.organization,
      workspace: "E".repeat(90),
    });
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      const addresses = [depot, empty.workspaceId ?? ""].map((id) => `/workspaces/${id}`);
      expect(await sweep(opened, addresses)).toEqual({});
      await opened.close();
    }
  });
});
