import { beforeAll, describe, expect, test } from "vitest";
import sharp from "sharp";
import type { Page } from "playwright-core";
import { findPersonByEmail } from "../../../server/src/domain/accounts/accounts.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { erasePerson } from "../../../server/src/domain/people/person-erasure.js";
import { useServer } from "../../support/app.js";
import { createBrowser, type TestBrowser } from "../../support/browser.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPhone, someWork, unplug } from "../../support/offline.js";
import { findProblems } from "../../support/pages.js";
import { shareTask } from "../../support/task-links.js";

const steps = [
  { label: "Remarks", kind: "text" },
  { label: "Signed by", kind: "signature", required: true },
] as const;

const aDrawing = (background = "#ffffff") =>
  sharp({ create: { width: 900, height: 300, channels: 3, background } })
    .png()
    .toBuffer();

describe("drawn signatures", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
  });

  async function aTask(by = owner): Promise<string> {
    const { task } = await by.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ workspace_id: "Lab", title: "Hand over", checklist: steps },
    });
    return task.id;
  }
  const signatureOf = async (task_id: string) =>
    (await owner.ok<{ task: { checklist: Json[] } }>("get_maintenance_task", { task_id })).task
      .checklist[1];
  const drawn = async (background?: string) => ({
    ...{ field: "photo-drawing-2", name: "Signature.png", type: "image/png" },
    content: await aDrawing(background),
  });
  async function sign(id: string, fields: Record<string, string>, background?: string) {
    const page = await browser.get(`/tasks/${id}`);
    const files = [await drawn(background)];
    return browser.sendFiles(page, `/tasks/${id}/checklist`, files, fields);
  }
  async function save(id: string, fields: Record<string, string>) {
    const page = await browser.get(`/tasks/${id}`);
    return browser.submitForm(page, fields, { action: `/tasks/${id}/checklist` });
  }
  const filesOf = (id: string) =>
    current().db.query<{ id: string }>("SELECT id FROM files WHERE task_id = $1", [id]);

  test("are stored beside the name, shown, and printed in the record", async () => {
    const id = await aTask();
    expect((await sign(id, { "step-2": "Olga Owner" })).statusCode).toBe(303);
    const [file] = await filesOf(id);
    expect(await signatureOf(id)).toMatchObject({ answer: "Olga Owner", drawing: file?.id });
    expect((await browser.get(`/tasks/${id}`)).body).toMatch(/class="step-drawing" src="\/files\//);
    await owner.ok("update_maintenance_task", { task_id: id, state: "completed" });
    expect((await browser.get(`/tasks/${id}`)).body).toMatch(/Olga Owner[^]*class="step-drawing"/);

    const csv = (await browser.get(`/tasks/${id}/record.csv`)).body;
    expect(csv).toMatch(/Answer,Drawing[^]*Olga Owner,Signature\.png/);
    const pdf = await browser.get(`/tasks/${id}/record.pdf`);
    expect(pdf.rawPayload.toString("latin1")).toContain("/Subtype /Image");
  });

  test("without a name are kept until the name is typed", async () => {
    const id = await aTask();
    const refused = await sign(id, { "step-1": "Fine", "step-2": "" });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("needs an answer");
    expect(refused.body).toMatch(/name="drawing-2" value="fil_\w+"/);
    const fields = { "step-1": "Fine", "step-2": "Olga Owner" };
    const done = await browser.submitForm(refused, fields, { action: `/tasks/${id}/checklist` });
    expect(done.statusCode).toBe(303);
    const [file] = await filesOf(id);
    expect(await signatureOf(id)).toMatchObject({ answer: "Olga Owner", drawing: file?.id });
  });

  test("end with another name, a cleared answer or their file, and undo restores them", async () => {
    const id = await aTask();
    await sign(id, { "step-2": "Olga Owner" });
    // The history has times to the second.
    await current().db.query(
      "UPDATE task_checklist_items SET done_at = done_at - interval '1 minute' WHERE task_id = $1",
      [id],
    );
    const first = await signatureOf(id);
    await save(id, { "step-1": "Fine", "step-2": "Olga Owner" });
    expect(await signatureOf(id)).toEqual(first);
    await save(id, { "step-2": "Someone Else" });
    const other = await signatureOf(id);
    expect(other).toMatchObject({ answer: "Someone Else" });
    expect(other).not.toHaveProperty("drawing");
    const shown = await browser.get(`/tasks/${id}`);
    const [, action = ""] = /action="(\/changes\/\w+\/undo)"/.exec(shown.body) ?? [];
    await browser.submitForm(shown, {}, { action });
    expect(await signatureOf(id)).toEqual(first);

    // The typed name stays the same.
    await sign(id, { "step-2": "Olga Owner" }, "#eeeeee");
    const second = await signatureOf(id);
    expect(second?.["drawing"]).not.toBe(first?.["drawing"]);
    const address = `/files/${String(second?.["drawing"])}/delete`;
    await browser.submitForm(await browser.get(address), {});
    expect(await signatureOf(id)).toMatchObject({ answer: "Olga Owner", done: true });
    expect(await signatureOf(id)).not.toHaveProperty("drawing");
    await save(id, { "step-2": "" });
    expect(await signatureOf(id)).toMatchObject({ done: false });
  });

  test("are pictures of the task itself, for steps to sign", async () => {
    const [id, other] = [await aTask(), await aTask()];
    await sign(other, { "step-2": "Olga Owner" });
    const [foreign] = await filesOf(other);
    const stolen = { "step-2": "Olga Owner", "drawing-2": foreign?.id ?? "" };
    const refused = await save(id, stolen);
    expect(refused.statusCode).toBe(400);
    await save(id, { "step-1": "Fine", "drawing-1": foreign?.id ?? "" });
    expect(await signatureOf(id)).toMatchObject({ done: false });
    const page = await browser.get(`/tasks/${id}`);
    const text = { ...(await drawn()), content: "no picture" };
    const sent = await browser.sendFiles(page, `/tasks/${id}/checklist`, [text]);
    expect(sent.statusCode).toBe(400);
  });

  test("are erased with the person, also earlier ones", async () => {
    const leaver = await connect(current(), { organization: owner.member.organization });
    const theirs = await signIn(current().app, leaver.member);
    const id = await aTask();
    await current().db.query(`UPDATE organization_members SET role = 'admin' WHERE user_id = $1`, [
      leaver.member.userId,
    ]);
    for (const background of ["#ffffff", "#eeeeee"]) {
      const page = await theirs.get(`/tasks/${id}`);
      const fields = { "step-2": "Lea Leaver" };
      const files = [await drawn(background)];
      await theirs.sendFiles(page, `/tasks/${id}/checklist`, files, fields);
    }
    expect(await filesOf(id)).toHaveLength(2);
    const { email } = leaver.member;
    await commit({ db: current().db, caller: null }, async (tx) =>
      erasePerson(tx, email, await findPersonByEmail(tx, email)),
    );
    expect(await filesOf(id)).toEqual([]);
    const step = await signatureOf(id);
    expect(step).toMatchObject({ done: true, answer: "Former member" });
    expect(step).not.toHaveProperty("drawing");
  });

  test("are added through a contractor's link, which shows only its own", async () => {
    const id = await aTask();
    const contractor = createBrowser(current().app);
    const path = await shareTask(browser, id);
    const page = await contractor.get(path);
    expect(page.body).toContain("signature-pad");
    const fields = { "step-2": "Lars Lindqvist", note: "Done", send: "save" };
    const sent = await contractor.sendFiles(page, path, [await drawn()], fields);
    expect(sent.statusCode, sent.body).toBe(303);
    const shown = (await contractor.get(path)).body;
    expect(shown).toMatch(/class="step-drawing" src="\/job\/[\w-]+\/photos\/fil_/);
    expect(await signatureOf(id)).toMatchObject({
      ...{ answer: "Lars Lindqvist", drawing: expect.stringMatching(/^fil_/) as string },
    });
    const another = await contractor.get(
      await shareTask(browser, id, { contractor: "Other Lifts" }),
    );
    expect(another.body).not.toContain("Lars Lindqvist");
    expect(another.body).not.toContain("step-drawing");
  });

  async function draw(page: Page): Promise<void> {
    const canvas = page.locator(".signature-pad canvas").first();
    await canvas.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    await page.mouse.move(x + width / 4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 4, { steps: 5 });
    await page.mouse.move(x + (width * 3) / 4, y + (height * 3) / 4, { steps: 5 });
    await page.mouse.up();
  }
  /** The share of dark pixels in a stored drawing. */
  async function readInk(task: string): Promise<number> {
    const row = await current().db.one<{ content: Buffer }>(
      `SELECT p.content FROM task_checklist_items i JOIN file_pieces p ON p.file_id = i.drawing
       WHERE i.task_id = $1`,
      [task],
    );
    const drawing = sharp(Buffer.from(row.content));
    const [{ channels }, info] = await Promise.all([drawing.stats(), drawing.metadata()]);
    expect(info).toMatchObject({ format: "png", width: 900, height: 300 });
    return 1 - (channels[0]?.mean ?? 0) / 255;
  }
  const press = (page: Page, name: string) =>
    page.getByRole("button", { name, exact: true }).click();

  browserTest("are drawn on a phone, cleared, and sent later without a network", async () => {
    const { team, tasks } = await someWork(current(), 2, [...steps]);
    const [first = { id: "" }, second = { id: "" }] = tasks;
    const { page, complaints, close } = await openPhone(chromium(), current(), team.member);
    await page.goto(`/tasks/${first.id}`);
    expect(await page.getByRole("button", { name: "Clear", exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Signed by").fill("Mia Member");
    await draw(page);
    await press(page, "Clear");
    await draw(page);
    expect(await findProblems(page)).toEqual([]);
    await press(page, "Save checklist");
    await page.locator(".step-drawing").waitFor();
    expect(await readInk(first.id)).toBeGreaterThan(0.002);

    await page.context().setOffline(true);
    const plugIn = unplug(current());
    await page.goto(`/tasks/${second.id}/complete`);
    await draw(page);
    await page.getByLabel("What did you find, and what did you do?").fill("New seal");
    await press(page, "Complete task");
    await page.locator(".offline-bar").getByText("1 change waits").waitFor();
    plugIn();
    await page.context().setOffline(false);
    // Without a name, the server refuses it. The drawing is stored.
    await page.locator(".offline-bar.stuck").waitFor();
    await page.goto("/offline");
    await page.getByRole("link", { name: "Open form with your input" }).click();
    await page.locator("input[name=drawing-2]").waitFor({ state: "attached" });
    await page.getByLabel("Signed by").fill("Mia Member");
    await press(page, "Complete task");
    await page.locator(".steps-read .step-drawing").waitFor();
    expect(await readInk(second.id)).toBeGreaterThan(0.002);
    expect(complaints.filter((one) => !one.includes("net::"))).toEqual([]);
    await close();
  });

  browserTest("are drawn on a contractor's page, and no script is needed to sign", async () => {
    const id = await aTask();
    const path = await shareTask(browser, id);
    const context = await chromium().newContext({ baseURL: current().app.services.config.baseUrl });
    const page = await context.newPage();
    await page.goto(path);
    await draw(page);
    await page.getByLabel("Signed by").fill("Lars Lindqvist");
    await press(page, "Save");
    await page.locator("img.step-drawing").waitFor();
    expect(await readInk(id)).toBeGreaterThan(0.002);
    await context.close();

    const plain = await chromium().newContext({
      ...{ baseURL: current().app.services.config.baseUrl, javaScriptEnabled: false },
    });
    const still = await plain.newPage();
    await still.goto(path);
    expect(await still.locator(".signature-pad").isVisible()).toBe(false);
    await still.getByLabel("Signed by").fill("Lars Lindqvist II");
    await press(still, "Save");
    expect(await signatureOf(id)).toMatchObject({ answer: "Lars Lindqvist II" });
    await plain.close();
  });
});
