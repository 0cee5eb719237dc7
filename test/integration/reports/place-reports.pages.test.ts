import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aTeam, type Team } from "../../support/asset-pages.js";
import { createBrowser, press, type TestBrowser } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";

const current = useApp();

interface Scene {
  team: Team;
  owner: TestBrowser;
  /** The address of the workspace's labels. */
  labels: string;
}

/** A workspace of an organization in which anyone with a label may report problems. */
async function aScene(): Promise<Scene> {
  const team = await aTeam(current());
  const owner = await signIn(current().app, team.owner);
  const settings = { name: "Works", time_zone: "UTC", currency: "EUR", public_reports: "yes" };
  await owner.submitForm(await owner.get("/settings/organization"), settings);
  return { team, owner, labels: `/workspaces/${team.workspaceId}/labels` };
}

async function addLabels({ owner, labels }: Scene, locations: string) {
  return owner.submitForm(await owner.get(labels), { locations }, { action: labels });
}

async function codeOf({ team }: Scene, location: string | null): Promise<string> {
  const row = await current().db.one<{ qr_token: string }>(
    `SELECT qr_token FROM place_labels WHERE organization_id = $1 AND location IS NOT DISTINCT FROM $2
     ORDER BY revoked_at DESC NULLS FIRST LIMIT 1`,
    [team.owner.organizationId, location],
  );
  return row.qr_token;
}

async function report(browser: TestBrowser, code: string, fields: object = {}, photo?: Buffer) {
  const path = `/q/${code}/report`;
  const values = { description: "The tap drips.", still_usable: "yes", ...fields };
  const files = photo === undefined ? [] : [{ name: "tap.jpg", content: photo }];
  return browser.sendFiles(await browser.get(path), path, files, values);
}

const reportsOf = ({ team }: Scene) =>
  current().db.query<{ id: string; status: string; task_id: string | null }>(
    `SELECT id, status, task_id FROM problem_reports WHERE organization_id = $1
     ORDER BY created_at, id`,
    [team.owner.organizationId],
  );

describe("Reports on places", () => {
  test("a stranger reports a tap, and the accepted task names the room", async () => {
    const scene = await aScene();
    const { owner } = scene;
    await addLabels(scene, "Room 11\nRoom 12");
    const code = await codeOf(scene, "Room 12");
    const stranger = createBrowser(current().app);

    const label = await stranger.get(`/Q/${code.toUpperCase()}`);
    const form = await stranger.get(`/q/${code}/report`);
    const sent = await report(stranger, code, { email: "rita@example.com" }, await aPhoto());
    const outcome = await stranger.get(String(sent.headers.location));

    expect(label.body).toContain("Room 12");
    expect(sent.statusCode).toBe(303);
    expect(outcome.body).toContain("Your report on Room 12");
    for (const { body } of [form, outcome]) {
      expect(body).toContain("Can this place still be used?");
      expect(body).not.toContain("Can it still be used?");
    }
    expect(form.body).not.toContain("It works, but");
    expect(outcome.body).not.toMatch(/\/files\/|\/assets\/|\/workspaces\//);
    const [{ id } = { id: "" }] = await reportsOf(scene);
    const page = await owner.get(`/reports/${id}`);
    expect(page.body).toContain('value="Room 12: The tap drips"');
    const accept = { decision: "accept", title: "Room 12: The tap drips" };
    await owner.submitForm(page, accept, { action: `/reports/${id}` });
    const list = await owner.get("/reports");
    const [{ task_id } = { task_id: null }] = await reportsOf(scene);
    const task = await owner.get(`/tasks/${task_id ?? ""}`);
    expect(task.body).toContain("Room 12: The tap drips");
    expect(task.body).toMatch(/Reported<\/dt>.*Room 12.*View report/s);
    expect(task.body).toContain("/files/");
    const row = await current().db.one(
      "SELECT asset_id, workspace_id FROM maintenance_tasks WHERE id = $1",
      [task_id],
    );
    expect(row).toEqual({ asset_id: null, workspace_id: scene.team.workspaceId });
    await press(owner, list, "Undo");
    expect(await reportsOf(scene)).toMatchObject([{ status: "open", task_id: null }]);
  });

  test("a second report merges into the first task, and its reporter gets the answer", async () => {
    const scene = await aScene();
    const { owner } = scene;
    await addLabels(scene, "");
    const code = await codeOf(scene, null);
    const stranger = createBrowser(current().app);
    await report(stranger, code);
    const second = await report(stranger, code, { description: "Water on the floor." });
    const [first, next] = await reportsOf(scene);
    const accept = { decision: "accept", title: "Tap" };
    const firstPage = `/reports/${first?.id ?? ""}`;
    await owner.submitForm(await owner.get(firstPage), accept, { action: firstPage });
    const [accepted] = await reportsOf(scene);
    const address = `/reports/${next?.id ?? ""}`;

    const merge = { decision: "merge", into: accepted?.task_id ?? "" };
    const merged = await owner.submitForm(await owner.get(address), merge, { action: address });

    expect(merged.statusCode).toBe(303);
    expect((await reportsOf(scene))[1]).toMatchObject({ status: "merged" });
    expect((await stranger.get(String(second.headers.location))).statusCode).toBe(200);
  });

  test("members see only places of their workspaces, and viewers add no labels", async () => {
    const scene = await aScene();
    await addLabels(scene, "Room 12");
    const code = await codeOf(scene, "Room 12");
    const outsider = scene.team.elsewhere;
    const browser = await signIn(current().app, outsider);

    expect((await browser.get(scene.labels)).statusCode).toBe(404);
    expect((await browser.get(`/q/${code}`)).body).not.toContain("View workspace");
    await report(browser, code);
    expect((await browser.get("/reports")).body).not.toContain("The tap drips.");
    await current().db.query(
      `INSERT INTO workspace_members (workspace_id, user_id, organization_id, role, added_by)
       VALUES ($1, $2, $3, 'viewer', $2)`,
      [scene.team.workspaceId, outsider.userId, outsider.organizationId],
    );
    expect((await browser.get(`/q/${code}`)).body).toContain("View workspace");
    expect((await browser.get(scene.labels)).body).not.toContain("Add labels");
    const own = await report(browser, code, { description: "It drips on." });
    expect(own.statusCode).toBe(303);
    expect((await browser.get("/reports")).body).toContain("It drips on.");
  });

  test("labels are printed, and a revoked one leads nowhere", async () => {
    const scene = await aScene();
    const { owner, labels, team } = scene;
    await addLabels(scene, "Room 11\nRoom 12\nroom 12");
    const again = await addLabels(scene, "Room 11");
    const code = await codeOf(scene, "Room 12");
    const stranger = createBrowser(current().app);
    await report(stranger, code);
    const scanned = await owner.get(`/scan?code=${code}`);
    const print = `/labels/new?workspace=${team.workspaceId}`;
    const sheet = await owner.submitForm(await owner.get(print), {
      label_template: "avery_l7160",
      skip_labels: "0",
    });
    const pdf = await stranger.get(String(sheet.headers.location));
    const [{ id } = { id: "" }] = await current().db.query<{ id: string }>(
      "SELECT id FROM place_labels WHERE qr_token = $1",
      [code],
    );

    const revoke = await owner.submitForm(await owner.get(`${labels}/${id}/revoke`), {});

    expect(again.statusCode).toBe(303);
    expect(scanned.headers.location).toBe(`/q/${code}`);
    expect(pdf.headers["content-type"]).toBe("application/pdf");
    expect(revoke.statusCode).toBe(303);
    const after = await owner.get(labels);
    expect(after.body).toContain("Label of Room 12 revoked.");
    expect(after.body).toContain("Room 11");
    expect((await stranger.get(`/q/${code}/report`)).statusCode).toBe(303);
    expect(await reportsOf(scene)).toHaveLength(1);
    await addLabels(scene, "Room 12");
    expect(await codeOf(scene, "Room 12")).not.toBe(code);
    expect((await owner.get("/settings/activity")).body).toMatch(
      /revoked the place label.*Room 12/,
    );
  });

  test("a form that was open when its label was revoked is refused", async () => {
    const scene = await aScene();
    await addLabels(scene, "Room 12");
    const code = await codeOf(scene, "Room 12");
    const stranger = createBrowser(current().app);
    const path = `/q/${code}/report`;
    const form = await stranger.get(path);
    await current().db.query("UPDATE place_labels SET revoked_at = now() WHERE qr_token = $1", [
      code,
    ]);

    const fields = { description: "The tap drips.", still_usable: "yes" };
    const sent = await stranger.sendFiles(form, path, [], fields);

    expect(sent.statusCode).toBe(303);
    expect(sent.headers.location).toBe(`/q/${code}`);
    expect(await reportsOf(scene)).toEqual([]);
  });
});
