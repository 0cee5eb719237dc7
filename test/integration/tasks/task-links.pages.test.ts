import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { shareTask } from "../../support/task-links.js";

const steps = [
  "Switch it off",
  { label: "Rope play", unit: "mm", max: 5, required: true, follow_up: "Replace the rope" },
  { label: "Door closes", kind: "pass_fail" },
  { label: "Photo of the plate", kind: "photo" },
  { label: "Released by", kind: "signature" },
];

describe("a contractor's link", () => {
  const current = useApp();
  let owner: Connected;
  let pages: TestBrowser;
  let mo: Connected;

  beforeAll(async () => {
    owner = await connect(current());
    pages = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Tower" });
    const { organization } = owner.member;
    const member = { organization, workspace: "Tower", workspaceRole: "member" as const };
    mo = await connect(current(), await aMember(current().db, { ...member, name: "Mo Member" }));
  });

  async function aTask(fields: Json = {}): Promise<{ id: string; number: string }> {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Lift 2", workspace_id: "Tower", location: "Shaft B" },
    });
    const { task } = await owner.ok<{ task: { id: string; task_number: string } }>(
      "create_maintenance_task",
      { asset_id: asset.id, title: "Yearly check", checklist: steps, ...fields },
    );
    return { id: task.id, number: task.task_number };
  }

  const stranger = () => createBrowser(current().app);
  const read = async (task_id: string) =>
    (await owner.ok<{ task: Json & { checklist: Json[] } }>("get_maintenance_task", { task_id }))
      .task;
  async function send(path: string, fields: Record<string, string>, browser = stranger()) {
    return browser.submitForm(await browser.get(path), { send: "save", ...fields });
  }
  const isGone = async (path: string) => {
    const { statusCode, body } = await stranger().get(path);
    expect(body).not.toContain("Yearly check");
    return statusCode === 404 && body.includes("This link doesn't work");
  };

  test("shows the task and its asset's label, and nothing else of the organization", async () => {
    const { id } = await aTask({
      description: "Check the rope.",
      assigned_to_user_id: "Mo Member",
    });
    await owner.ok("update_maintenance_task", {
      checklist_answers: { 5: "Mo Member" },
      task_id: id,
      comment: "Costs 900",
      labor_cost: 77,
    });
    const path = await shareTask(pages, id);
    const { statusCode, body, headers } = await stranger().get(path);
    expect(statusCode).toBe(200);
    for (const text of ["Yearly check", "Check the rope.", "Lift 2", "Shaft B", "Rope play"]) {
      expect(body).toContain(text);
    }
    expect(body).toContain(owner.member.organization);
    expect(body).toContain(owner.member.name);
    expect(body).not.toMatch(/Mo Member|Costs 900|77|\/tasks\/|\/assets\/|ast_|tsk_/);
    expect(headers["x-robots-tag"]).toBe("noindex, nofollow");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["referrer-policy"]).toBe("same-origin");
    await send(path, { "step-3": "pass" });
    expect((await read(id)).checklist[4]).toMatchObject({ answer: "Mo Member" });
    const stored = JSON.stringify(await current().db.query("SELECT * FROM task_links"));
    expect(stored).not.toContain(path.slice("/job/".length));
  });

  test("answers steps, adds photos and notes as the contractor, once per form", async () => {
    const { id } = await aTask();
    const path = await shareTask(pages, id);
    const browser = stranger();
    const page = await browser.get(path);
    const files = [
      { field: "photo-4", name: "plate.jpg", content: await aPhoto() },
      { name: "rope.jpg", content: await aPhoto() },
    ];
    const fields = {
      send: "save",
      done: "1",
      "step-2": "7",
      "step-3": "pass",
      moment: "before",
      note: "Rope is old",
    };
    const sent = [
      await browser.sendFiles(page, path, files, fields),
      await browser.sendFiles(page, path, files, fields),
    ];
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    const task = await read(id);
    expect(task.checklist).toMatchObject([
      { done: true },
      { answer: "7", failed: true, answered_by: "Lindqvist Lifts (contractor link)" },
      { answer: "pass" },
      { done: true },
      { done: false },
    ]);
    expect(await owner.ok("get_maintenance_task", { task_id: id })).toMatchObject({
      comments: [{ author: "Lindqvist Lifts (contractor link)", text: "Rope is old" }],
    });
    const rows = await current().db.query(
      "SELECT created_by, task_link_id FROM files WHERE task_id = $1",
      [id],
    );
    expect(rows).toMatchObject([{ created_by: null }, { created_by: null }]);
    const shown = await browser.get(path);
    expect(shown.body).toContain("Rope is old");
    expect(shown.body).toMatch(/alt="rope.jpg"[^>]*><strong>Before<\/strong>/);
    expect(shown.body).not.toMatch(/alt="plate.jpg"[^>]*><strong>/);
    expect(shown.body).not.toMatch(/Task T-/);
    const events = await current().db.query(
      `SELECT DISTINCT actor_name, source, client_name FROM history_events
       WHERE task_id = $1 AND source = 'public_scan'`,
      [id],
    );
    expect(events).toEqual([
      {
        actor_name: owner.member.name,
        source: "public_scan",
        client_name: "Lindqvist Lifts (contractor link)",
      },
    ]);
    const own = await pages.get(`/tasks/${id}`);
    expect(own.body).toMatch(/Lindqvist Lifts \(contractor link\)<\/strong>.{1,80}shared by/s);
    expect(own.body).not.toContain(`/comments/${id}/edit`);
  });

  test("marks as done, which the assignee approves or sends back", async () => {
    const { id, number } = await aTask({ assigned_to_user_id: "Mo Member" });
    const path = await shareTask(pages, id);
    const early = await send(path, { send: "done", note: "All good" });
    expect(early.statusCode).toBe(400);
    expect(early.body).toMatch(/required step is open: 2/);
    const unsaid = await send(path, { send: "done", "step-2": "3" });
    expect(unsaid.body).toContain("Write what you did.");
    const done = await send(path, { send: "done", "step-2": "3", note: "Rope replaced" });
    expect(done.statusCode).toBe(303);
    expect(await read(id)).toMatchObject({
      ...{ state: "scheduled", done_by_contractor: "Lindqvist Lifts" },
    });
    expect((await stranger().get(path)).body).toContain("You marked this job as done");

    const moPages = await signIn(current().app, mo.member);
    const bell = await moPages.get("/notifications");
    expect(bell.body).toContain("Marked as done by Lindqvist Lifts (contractor link)");
    expect(bell.body).not.toContain("Comment by Lindqvist Lifts");
    const [news = ""] = /\/notifications\/contractor_done\/\w+/.exec(bell.body) ?? [];
    expect((await moPages.get(news)).headers.location).toBe(`/tasks/${id}`);
    const page = await moPages.get(`/tasks/${id}`);
    expect(page.body).toContain("Lindqvist Lifts says this is done");
    const [sendBack = ""] = /\/tasks\/\w+\/links\/\w+\/send-back/.exec(page.body) ?? [];
    const form = await moPages.get(sendBack);
    expect((await moPages.submitForm(form, { reason: "" })).statusCode).toBe(400);
    const sent = await moPages.submitForm(form, { reason: "The door still sticks" });
    expect(sent.statusCode).toBe(303);
    expect((await stranger().get(path)).body).toContain("The door still sticks");
    expect(await read(id)).not.toHaveProperty("done_by_contractor");

    await send(path, { send: "done", note: "Door adjusted" });
    const complete = await moPages.get(`/tasks/${id}/complete`);
    expect(complete.body).toContain("Door adjusted");
    const ended = await moPages.submitForm(complete, {
      ...{ completion_notes: "Door adjusted", "step-2": "3" },
    });
    expect(ended.statusCode).toBe(303);
    expect(await read(id)).toMatchObject({ state: "completed" });
    const closed = await stranger().get(path);
    expect(closed.body).toContain("This job is completed. Thank you.");
    expect(closed.body).not.toContain("<form");
    expect(number).toMatch(/^T-/);
  });

  test("ends at once when it is revoked, expires, or its person loses access", async () => {
    const { id } = await aTask();
    const path = await shareTask(pages, id);
    const browser = stranger();
    const page = await browser.get(path);
    const task = await pages.get(`/tasks/${id}`);
    const [revoke = ""] = /\/tasks\/\w+\/links\/\w+\/revoke/.exec(task.body) ?? [];
    await pages.submitForm(await pages.get(revoke), {});
    const late = await browser.submitForm(page, { send: "save", note: "Too late" });
    expect(late.statusCode).toBe(404);
    expect(await isGone(path)).toBe(true);
    expect((await pages.get(`/tasks/${id}`)).body).toContain("Revoked");

    const expired = await shareTask(pages, id);
    await current().db.query("UPDATE task_links SET expires_at = app_now() WHERE task_id = $1", [
      id,
    ]);
    expect(await isGone(expired)).toBe(true);

    const moPages = await signIn(current().app, mo.member);
    const ofMo = await shareTask(moPages, id);
    const setRole = (role: string) =>
      current().db.query("UPDATE workspace_members SET role = $1 WHERE user_id = $2", [
        role,
        mo.member.userId,
      ]);
    await setRole("viewer");
    expect(await isGone(ofMo)).toBe(true);
    expect((await pages.get(`/tasks/${id}`)).body).toContain("can't edit the task");
    await setRole("member");
    expect((await stranger().get(ofMo)).statusCode).toBe(200);
    for (const wrong of ["/job/x", `${ofMo}x`, `/job/${"0".repeat(55)}`]) {
      expect(await isGone(wrong)).toBe(true);
    }
  });

  test("follows the task: moved, cancelled, retired with its asset, deleted", async () => {
    const { id } = await aTask();
    const path = await shareTask(pages, id);
    const { asset_id } = await read(id);
    await owner.ok("create_workspace", { name: "Annex" });
    await owner.ok("update_asset", { asset_id, workspace_id: "Annex" });
    expect((await stranger().get(path)).body).toContain("Annex");
    await owner.ok("update_maintenance_task", { task_id: id, state: "cancelled" });
    expect((await stranger().get(path)).body).toContain("This job is closed.");
    expect((await pages.get(`/tasks/${id}/share`)).statusCode).toBe(303);
    await owner.ok("update_maintenance_task", { task_id: id, state: "scheduled" });
    await send(path, { "step-3": "fail", note: "Before the end" });
    await owner.ok("update_asset_state", { asset_id, state: "deleted" });
    expect((await stranger().get(path)).body).toContain("This job is closed.");
    await current().db.query("DELETE FROM task_checklist_items WHERE task_id = $1", [id]);
    await current().db.query("DELETE FROM maintenance_tasks WHERE id = $1", [id]);
    expect(await isGone(path)).toBe(true);
  });

  test("reaches no file of another task or link, and refuses what is too large", async () => {
    const { id } = await aTask();
    const path = await shareTask(pages, id);
    const other = await shareTask(pages, id, { contractor: "Other Ltd" });
    const browser = stranger();
    const photo = { name: "rope.jpg", content: await aPhoto() };
    await browser.sendFiles(await browser.get(path), path, [photo], { send: "save" });
    const shown = await browser.get(path);
    const [, file = ""] = /\/photos\/(fil_\w+)"/.exec(shown.body) ?? [];
    expect((await browser.get(`${path}/photos/${file}`)).headers["content-type"]).toBe(
      "image/webp",
    );
    expect((await browser.get(`${other}/photos/${file}`)).statusCode).toBe(404);
    expect((await browser.get(`/files/${file}`)).statusCode).toBe(303);
    expect((await browser.get(other)).body).not.toContain(file);
    const theirs = { send: "save", "step-4": file };
    const stolen = await send(other, theirs);
    expect(stolen.statusCode).toBe(400);

    const text = { name: "list.pdf", content: "%PDF-1.4 none", type: "application/pdf" };
    for (const field of ["file", "photo-4"]) {
      const form = await browser.get(path);
      const refused = await browser.sendFiles(form, path, [{ field, ...text }], { send: "save" });
      expect(refused.statusCode).toBe(400);
    }
    const large = { name: "large.jpg", content: Buffer.alloc(21 * 1024 * 1024, 1) };
    const form = await browser.get(path);
    const refused = await browser.sendFiles(form, path, [large], { send: "save", note: "Kept" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Kept");
  });

  test("has at most five active links a task, created once per form", async () => {
    const { id } = await aTask();
    const form = await pages.get(`/tasks/${id}/share`);
    const fields = { contractor: "Twice", days: "1" };
    expect((await pages.submitForm(form, fields)).body).toContain("/job/");
    expect((await pages.submitForm(form, fields)).statusCode).toBe(303);
    for (const contractor of ["A", "B", "C", "D"]) await shareTask(pages, id, { contractor });
    const full = await pages.submitForm(await pages.get(`/tasks/${id}/share`), fields);
    expect(full.statusCode).toBe(400);
    expect(full.body).toContain("at most 5 active contractor links");
    const missing = await pages.submitForm(form, { contractor: " ", days: "400" });
    expect(missing.body).toContain("Enter the contractor's name.");
  });
});
