import { beforeAll, describe, expect, test } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { attributeOf, type TestBrowser } from "../../support/browser.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const list = "/settings/procedures";

const controls =
  /<input [^>]*>|<textarea [^>]*>[^<]*|<select [^>]*>(?:<option[^>]*>[^<]*<\/option>)*/g;

/** The value that a control of a form shows. Undefined for a checkbox that isn't selected. */
function valueOf(control: string): string | undefined {
  const isUnchecked = control.includes('type="checkbox"') && !control.includes(" checked");
  const [chosen] = /<option[^>]* selected[^>]*>/.exec(control) ?? [control];
  const text = control.startsWith("<textarea") ? control.replace(/^[^>]*>/, "") : undefined;
  return isUnchecked ? undefined : (text ?? attributeOf(chosen, "value"));
}

/** The fields that a browser sends with the procedure's form. */
function shownIn(body: string): Record<string, string> {
  const named = [...body.matchAll(controls)].flatMap(([control]) => {
    const name = /^<[^>]*/.exec(control)?.[0].match(/ name="([a-z_]+-\d+|name|category)"/)?.[1];
    const value = valueOf(control);
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

interface TaskWithProcedure {
  id: string;
  procedure?: string;
  procedure_version?: number;
  checklist: Json[];
}

describe("procedures", () => {
  const current = useApp();
  let owner: Connected;
  let browser: TestBrowser;

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
  });

  async function addProcedure(fields: Record<string, string>): Promise<string> {
    const made = await browser.submitForm(await browser.get(`${list}/new`), fields);
    expect(made.statusCode, made.body).toBe(303);
    return String(made.headers.location);
  }
  async function edit(address: string, fields: Record<string, string>): Promise<void> {
    const page = await browser.get(`${address}/edit`);
    const saved = await browser.submitForm(page, { ...shownIn(page.body), ...fields });
    expect(saved.statusCode, saved.body).toBe(303);
  }
  const press = async (address: string, action: string) =>
    browser.submitForm(await browser.get(address), {}, { action: `${address}/${action}` });
  async function anAsset(fields: Json = {}): Promise<string> {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Boiler", workspace_id: "Lab", ...fields },
    });
    return asset.id;
  }
  const taskOf = async (task_id: string) =>
    (await owner.ok<{ task: TaskWithProcedure }>("get_maintenance_task", { task_id })).task;
  async function addTask(fields: Json): Promise<TaskWithProcedure> {
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", fields);
    return taskOf(task.id);
  }
  async function complete(task_id: string): Promise<TaskWithProcedure> {
    const done = { task_id, state: "completed" };
    const { next_task: next } = await owner.ok<{ next_task: { id: string } }>(
      "update_maintenance_task",
      done,
    );
    return taskOf(next.id);
  }

  test("are added, edited into versions, archived and restored on pages", async () => {
    expect((await browser.get(list)).body).toContain("No procedures yet");
    const address = await addProcedure({
      ...{ name: "Boiler inspection", category: "Heating", "label-1": "Wipe" },
      ...{ "label-2": "Pressure", "kind-2": "number", "unit-2": "bar", "max-2": "6" },
      more: "Close the door\nSign the book",
    });
    const shown = (await browser.get(address)).body;
    for (const text of ["Heating", "Number · At most 6 bar", "Sign the book", "Version"]) {
      expect(shown).toContain(text);
    }

    // A new name alone is no new version.
    await edit(address, { name: "Boilers" });
    expect((await browser.get(list)).body).toMatch(/Boilers[^]*Version 1/);
    await edit(address, { "max-2": "8", "label-1": "", "position-4": "1" });
    const second = (await browser.get(address)).body;
    expect(second).toContain("Removed: Wipe");
    expect(second).toContain("Changed: Pressure");
    expect(second).toContain("Order changed");
    const first = (await browser.get(`${address}?version=1`)).body;
    expect(first).toMatch(/At most 6 bar[^]*Edited by|The current version is/);
    expect((await browser.get(`${address}?version=7`)).statusCode).toBe(404);

    await press(address, "archive");
    expect((await browser.get(address)).body).toMatch(/Archived[^]*Restore/);
    expect((await browser.get("/tasks/new")).body).not.toContain("Boilers");
    const other = await addProcedure({ name: "boilers", "label-1": "Other" });
    const refused = await press(address, "restore");
    expect(refused.body).toContain("There is already a procedure");
    await press(other, "archive");
    expect((await press(address, "restore")).statusCode).toBe(303);
    const log = (await browser.get("/settings/activity")).body;
    for (const said of ["added", "changed", "archived", "restored"]) {
      expect(log).toContain(`${said} the procedure`);
    }
    await press(address, "archive");
  });

  test("are refused without a name, without steps, and with limits reversed", async () => {
    const page = await browser.get(`${list}/new`);
    for (const [fields, message] of [
      [{ "label-1": "Wipe" }, "Enter a name."],
      [{ name: "Empty" }, "is missing"],
      [
        { name: "Odd", "label-1": "P", "kind-1": "number", "min-1": "3", "max-1": "2" },
        "The upper limit must not be below the lower one.",
      ],
      [{ name: "none", "label-1": "P" }, "none"],
    ] as const) {
      const answer = await browser.submitForm(page, fields);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(message);
    }
  });

  test("a form that is based on an older version is refused", async () => {
    const address = await addProcedure({ name: "Twice", "label-1": "One" });
    const stale = await browser.get(`${address}/edit`);
    await edit(address, { "label-2": "Two" });
    const answer = await browser.submitForm(stale, { name: "Twice", "label-1": "Uno" });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("View the latest version");
  });

  test("a repeating task copies the current version, and an archived one stays", async () => {
    const address = await addProcedure({
      ...{ name: "Monthly check", "label-1": "Hours", "kind-1": "number", "meter-1": "h" },
      ...{ "label-2": "Look" },
    });
    const asset_id = await anAsset();
    await owner.ok("update_asset", { asset_id, meter_readings: { h: 3 } });
    const first = await addTask({
      ...{ asset_id, title: "Check", procedure: "monthly CHECK", due_date: "2030-01-31" },
      recurrence: { every: 1, unit: "month" },
    });
    expect(first).toMatchObject({ procedure: "Monthly check", procedure_version: 1 });
    expect(first.checklist).toMatchObject([{ label: "Hours", unit: "h" }, { label: "Look" }]);
    // Steps changed in one task are for that task only.
    await owner.ok("update_maintenance_task", { task_id: first.id, checklist: ["Once"] });

    await edit(address, { "label-3": "Listen" });
    const second = await complete(first.id);
    expect(second).toMatchObject({ procedure_version: 2 });
    expect(second.checklist.map(({ label }) => label)).toEqual(["Hours", "Look", "Listen"]);
    const page = (await browser.get(`/tasks/${second.id}`)).body;
    expect(page).toContain(`${address}?version=2`);

    await edit(address, { "label-3": "" });
    await press(address, "archive");
    const third = await complete(second.id);
    expect(third).toMatchObject({ procedure: "Monthly check", procedure_version: 2 });
    expect(third.checklist).toHaveLength(3);
  });

  test("steps name meters that an asset may lack", async () => {
    await addProcedure({
      ...{ name: "By meter", "label-1": "Km", "kind-1": "number", "meter-1": "Odometer" },
    });
    const task = await addTask({ workspace_id: "Lab", title: "Place", procedure: "By meter" });
    expect(task.checklist).toMatchObject([{ label: "Km", meter: "Odometer" }]);
    const asset_id = await anAsset();
    const { id } = await addTask({ asset_id, title: "Asset", procedure: "By meter" });
    const answered = await owner.ok<{ warnings: string[] }>("update_maintenance_task", {
      ...{ task_id: id, checklist_answers: { 1: 5 } },
    });
    expect(answered.warnings.join()).toContain("has no meter");
  });

  test("an unknown procedure names the known ones, and steps are not given besides", async () => {
    await addProcedure({ name: "Known one", "label-1": "One" });
    const task = { asset_id: await anAsset(), title: "Check" };
    const create = async (fields: Json) =>
      (await owner.refused("create_maintenance_task", { ...task, ...fields })).message;
    expect(await create({ procedure: "Unknown" })).toContain('"Known one"');
    const both = await create({ procedure: "Known one", checklist: ["Two"] });
    expect(both).toContain("not both");
  });

  test("are chosen on the form of a task, those of the asset's category first", async () => {
    await addProcedure({ name: "A general one", "label-1": "One" });
    const fitting = await addProcedure({
      ...{ name: "Z for pumps", category: "Pumps", "label-1": "Turn", "label-2": "Listen" },
    });
    const asset_id = await anAsset({ category: "Pumps" });
    const form = await browser.get(`/tasks/new?asset=${asset_id}`);
    expect(form.body.indexOf("Z for pumps")).toBeLessThan(form.body.indexOf("A general one"));
    const id = fitting.slice(fitting.lastIndexOf("/") + 1);
    const made = await browser.submitForm(form, { title: "Service", procedure: id });
    expect(made.statusCode).toBe(303);
    const task = (await browser.get(String(made.headers.location))).body;
    expect(task).toContain("Z for pumps</a>, version 1");
    expect(task).toContain("Listen");

    const steps = await browser.get(`${String(made.headers.location)}/steps`);
    expect(steps.body).toContain("The next one copies Z for pumps.");
    const [, link = ""] = /href="(\/settings\/procedures\/new\?task=\w+)"/.exec(steps.body) ?? [];
    const page = await browser.get(link);
    const copy = await browser.submitForm(page, { ...shownIn(page.body), name: "Copy" });
    expect((await browser.get(String(copy.headers.location))).body).toContain("Listen");
  });

  test("every member reads them, and only admins edit them", async () => {
    const address = await addProcedure({ name: "For roles", "label-1": "One" });
    const { organization } = owner.member;
    const rights = { member: 403, admin: 200 } as const;
    for (const [role, status] of Object.entries(rights)) {
      const workspace = { organization, role: "member", workspace: "Lab" } as const;
      const one = await connect(current(), workspace);
      await current().db.query(
        "UPDATE workspace_members SET role = $2 WHERE user_id = $1 AND organization_id = $3",
        [one.member.userId, role, one.member.organizationId],
      );
      const session = await signIn(current().app, one.member);
      expect((await session.get(address)).statusCode).toBe(200);
      expect((await session.get(list)).body.includes("Add a procedure")).toBe(status === 200);
      for (const action of [`${address}/edit`, `${list}/new`]) {
        expect((await session.get(action)).statusCode, role).toBe(status);
      }
    }
    const stranger = await connect(current());
    const outside = await signIn(current().app, stranger.member);
    expect((await outside.get(address)).statusCode).toBe(404);
  });
});

describe("procedures in a browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest(
    "pass the checks of pages",
    async () => {
      const owner = await connect(current());
      const browser = await signIn(current().app, owner.member);
      const fields = { name: "Boiler inspection", "label-1": "Wipe", more: "Look\nListen" };
      const made = await browser.submitForm(await browser.get(`${list}/new`), fields);
      const address = String(made.headers.location);
      for (const view of views) {
        const opened = await openPage(chromium(), current(), owner.member, view);
        const addresses = [list, `${list}/new`, address, `${address}/edit`, "/tasks/new"];
        expect(await sweep(opened, addresses)).toEqual({});
        await opened.close();
      }
    },
    240_000,
  );
});
