import { expect } from "vitest";
import { commit } from "../../server/src/domain/history/transactions.js";
import { erasePerson } from "../../server/src/domain/people/person-erasure.js";
import { createAsset } from "../../server/src/domain/assets/create-asset.js";
import { askPerson } from "../../server/src/domain/access/confirmations.js";
import type { TestApp } from "./app.js";
import type { LightMyRequestResponse } from "fastify";
import { createBrowser, type TestBrowser } from "./browser.js";
import { aMember, toCaller, type Member } from "./builders.js";
import { connect, type Connected } from "./mcp.js";
import { aChallenge, aClient, authorizeUrl, signIn } from "./oauth.js";
import { formsOf, sendForm } from "./page-forms.js";
import { aPhoto } from "./pictures.js";
import { createReplay, daysAgo } from "./replay.js";
import { daysFromNow } from "./tasks.js";
import { planTable } from "./uploads.js";

/** All typed words: names that are not English words. */
export const typedWords =
  `Halle Hof Pumpe Kran Lift Tor Jana Novak Petr Orlik Ilja Werk Nord Zuse KSB Omega
  Serie Dach Keller Dichtung tauschen Ventil Filter Motor Anlass Notiz Teil Antriebe Lager Rost rot kg
  Stunden liste dsgvo Tropft stark Rosa Zettel Werkzeug Kolben Nirgends nirgends Nabu rost NAME WORKSPACE ZETTEL PURCHASE COST TITLE ASSET DUE DATE`.split(
    /\s+/,
  );

export interface GermanOrganization {
  owner: Member;
  member: Member;
  browser: TestBrowser;
  retired: string;
  asset: { id: string; code: string };
  task: string;
  /** Addresses that no page links. */
  addresses: string[];
}

interface Made {
  asset: { id: string; inventory_number: string };
  task: { id: string; task_number: string };
}

type Ok = (tool: string, args: Record<string, unknown>) => Promise<Made>;

/** An organization with one record of each kind. Its owner reads German. */
export async function aGermanOrganization(testApp: TestApp): Promise<GermanOrganization> {
  const { db, app } = testApp;
  const organization = "Werk Nord";
  const owner = await aMember(db, { organization, name: "Jana Novak", workspace: "Halle" });
  const member = await aMember(db, {
    ...{ organization, name: "Petr Orlik", role: "member" },
    ...{ workspace: "Halle", workspaceRole: "member" },
  });
  await aMember(db, { organization: "Omega", email: owner.email });
  await db.query("UPDATE users SET locale = 'de-DE'");
  const connected = await connect(testApp, { member: owner });
  const ok: Ok = (tool, args) => connected.ok<Made>(tool, args);
  const asset = await addAssets(ok, testApp, owner, member);
  const task = await addTasks(ok, asset.id, member);
  const browser = await signIn(app, owner);
  await choose(browser, owner);
  const addresses = [
    ...(await addByPages(testApp, browser, asset.id)),
    ...(await addPeople(testApp, ok, owner, connected)),
    await addRound(browser, asset.code, owner),
    ...(await addReports(testApp, browser, asset.code)),
  ];
  addresses.push(...(await addFormerMember(testApp, owner, addresses[0] ?? "")));
  await ok("update_asset", { asset_id: asset.id, location: "Keller", note: "Notiz" });
  return { ...{ owner, member, browser, asset, addresses }, task: task.id, retired: asset.retired };
}

/** Switches the browser to one of two organizations. */
async function choose(browser: TestBrowser, { organizationId }: Member): Promise<void> {
  const page = await browser.get("/organizations");
  await browser.submitForm(page, { organization_id: organizationId }, { action: "/organizations" });
}

async function addAssets(ok: Ok, testApp: TestApp, owner: Member, member: Member) {
  const { db } = testApp;
  const replay = createReplay(db, owner);
  const { asset } = await replay(daysAgo(200), (tx, caller) =>
    createAsset(tx, caller, { name: "Pumpe", workspace_id: "Halle" }),
  );
  await ok("create_workspace", { name: "Hof", description: "Lager", address: "Hof" });
  await ok("update_workspace", { workspace_id: "Hof", clear_fields: ["address"] });
  const full = {
    ...{ manufacturer: "KSB", model: "Omega", serial_number: "Serie", location: "Dach" },
    ...{ category: "Antriebe", description: "Teil", supplier: "Zuse", cost_center: "Nord" },
    ...{ purchase_date: "2024-03-02", purchase_cost: 1249.9, tags: ["rot"], condition: "poor" },
    ...{ warranty_expires_on: daysFromNow(20), in_service_date: "2024-04-02" },
    ...{ end_of_life_on: daysFromNow(300), criticality: "critical" },
  };
  const { id } = asset;
  await ok("update_asset", { asset_id: id, ...full, assigned_to_user_id: member.userId });
  for (const state of ["in_use", "in_maintenance", "stored", "out_of_service"]) {
    await ok("update_asset_state", { asset_id: id, state, note: "Notiz" });
  }
  await ok("update_asset", { asset_id: id, remove_tags: ["rot"], clear_fields: ["supplier"] });
  const part = await ok("create_asset", {
    name: "Ventil",
    parent_asset_id: id,
    workspace_id: "Hof",
  });
  await ok("update_asset", { asset_id: part.asset.id, workspace_id: "Halle" });
  const retired: string[] = [];
  for (const name of ["Kran", "Lift"]) {
    const other = await ok("create_asset", { name, workspace_id: "Hof" });
    if (name === "Lift") retired.push(other.asset.id);
    await ok("update_asset_state", {
      ...{ asset_id: other.asset.id, state: "deleted", note: "Rost" },
      ...(name === "Kran" ? { reason: "duplicate", merged_into: id } : { reason: "scrapped" }),
    });
  }
  const row = await db.maybe<{ code: string }>(
    "SELECT qr_token AS code FROM assets WHERE id = $1",
    [id],
  );
  return { id, code: row?.code ?? "", retired: retired.join() };
}

async function addTasks(ok: Ok, asset_id: string, member: Member) {
  const full = {
    ...{ asset_id, title: "Dichtung tauschen", description: "Teil", priority: "urgent" },
    ...{ type: "corrective", estimated_minutes: 90, requires_downtime: true },
    ...{ checklist: ["Filter", "Motor"], assigned_to_user_id: member.userId },
  };
  const { task } = await ok("create_maintenance_task", { ...full, due_date: daysFromNow(-3) });
  const { id } = task;
  await ok("update_maintenance_task", { task_id: id, state: "in_progress", checklist_done: [1] });
  await ok("update_maintenance_task", { task_id: id, state: "on_hold", note: "Notiz" });
  const recurrence = { every: 1, unit: "month" };
  const repeated = await ok("create_maintenance_task", {
    ...{ ...full, type: "preventive", due_date: daysFromNow(2), recurrence },
  });
  await ok("update_maintenance_task", {
    ...{ task_id: repeated.task.id, state: "completed", completion_notes: "Rost" },
    ...{ labor_cost: 1249.9, parts_cost: 12, actual_minutes: 130, downtime_minutes: 65 },
    ...{ activity: "replace", failure_cause: "wear" },
  });
  const failed = await ok("create_maintenance_task", {
    ...{ asset_id, title: "Ventil", type: "corrective", due_date: daysFromNow(1) },
    completed: { failure_cause: "operation", actual_minutes: 20, other_cost: 5 },
  });
  await ok("update_maintenance_task", { task_id: failed.task.id, state: "in_progress" });
  await ok("update_maintenance_task", {
    ...{ task_id: failed.task.id, type: "preventive", title: "Filter", due_date: "2090-11-06" },
    recurrence: { every: 3, unit: "month", on_weekday: "first monday" },
  });
  await ok("update_maintenance_task", {
    ...{ task_id: failed.task.id, clear_fields: ["recurrence", "due_date"], checklist_done: [] },
  });
  const away = await ok("create_maintenance_task", {
    ...{ workspace_id: "Hof", title: "Tor", due_date: daysFromNow(5) },
    recurrence: { every: 2, unit: "week", anchor: "completion_date" },
  });
  await ok("update_maintenance_task", { task_id: away.task.id, state: "cancelled", note: "Notiz" });
  return task;
}

async function addByPages({ app }: TestApp, browser: TestBrowser, id: string): Promise<string[]> {
  const page = `/assets/${id}`;
  const meter = async (name: string, unit: string, values: string[]) => {
    const added = await browser.submitForm(await browser.get(`${page}/meters/new`), { name, unit });
    const address = String(added.headers.location);
    for (const value of values) {
      const fields = { [address.split("/").at(-1) ?? ""]: value };
      await browser.submitForm(await browser.get(address), fields);
    }
    return address;
  };
  const address = await meter("Stunden", "h", ["1200,5", "1210", "1190"]);
  await meter("Kolben", "kg", []);
  for (const form of [page, (await browser.get("/tasks")).body.match(/\/tasks\/tsk_\w+/)?.[0]]) {
    const shown = await browser.get(`${String(form)}/files`);
    const files = [
      { name: "dach.jpg", content: await aPhoto() },
      { field: "file", name: "notiz.txt", content: "Notiz", type: "text/plain" },
    ];
    await browser.sendFiles(shown, `${String(form)}/files`, files);
  }
  const content = `NAME,WORKSPACE,ZETTEL,PURCHASE COST\nKran,Halle,rot,12\nLift,Nirgends,rot,x\n`;
  const plan = { name: "liste.csv", content, kind: "assets" };
  const waiting = await planTable(app, browser, plan);
  const applied = await planTable(app, browser, plan);
  await sendFormOf(browser, applied, /\/apply$/);
  const tasks = `TITLE,ASSET,DUE DATE\nFilter,Pumpe,2026-12-01\n,,x\n`;
  const other = await planTable(app, browser, { ...plan, content: tasks, kind: "tasks" });
  const imports = [waiting, applied, other].map((one) => one.raw.req.url ?? "");
  return [address, `${address}/edit`, `${address}/remove`, ...imports];
}

/** Submits a page's form unchanged except for the given fields. */
async function sendFormOf(
  browser: TestBrowser,
  page: LightMyRequestResponse,
  action: RegExp,
  given: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const form = formsOf(page).find((one) => action.test(one.action));
  if (form === undefined) throw new Error(`No form for ${String(action)}: ${page.body}`);
  return sendForm(browser, { ...form, fields: { ...form.fields, ...given } });
}

async function addPeople(
  testApp: TestApp,
  ok: Ok,
  owner: Member,
  { connectionId, member }: Connected,
): Promise<string[]> {
  const { app, db } = testApp;
  await ok("create_invite", { email: "ilja@nord.example", workspace_id: "Halle", message: "Rosa" });
  await ok("create_invite", { email: "rosa@nord.example", access_ends_on: daysFromNow(9) });
  await ok("delete_invite", { invite_id: "rosa@nord.example" });
  const browser = await signIn(app, owner);
  await choose(browser, owner);
  const url = "https://nabu.example/rost";
  await browser.submitForm(await browser.get("/settings/webhooks/new"), {
    ...{ url, "task.created": "yes" },
  });
  const webhooks = await browser.get("/settings/webhooks");
  const [webhook = ""] = /\/settings\/webhooks\/whk_\w+/.exec(webhooks.body) ?? [];
  await sendFormOf(browser, await browser.get(webhook), /\/test$/);
  const client = await aClient(app, { client_name: "Zuse" });
  const asked = await browser.get(authorizeUrl(client, aChallenge()));
  const question = await askPerson(db, toCaller(owner), {
    ...{ connectionId, tool: "delete_workspace", arguments: { workspace_id: "Hof" } },
    ...{ question: { about: "workspace", name: "Hof" }, answer: "Hof" },
  });
  const unsubscribe = app.services.mails.writeUnsubscribeToken({
    ...{ organizationId: owner.organizationId, userId: member.userId, kind: "assigned" },
  });
  return [
    ...[String(asked.headers.location), `/confirm/${question}`, `/unsubscribe/${unsubscribe}`],
    ...[`/settings/apps/${connectionId}/undo`, `/settings/apps/${connectionId}/activity`],
  ];
}

async function addRound(browser: TestBrowser, code: string, { workspaceId }: Member) {
  const form = await browser.get("/rounds/new");
  const fields = { workspace_id: workspaceId ?? "" };
  const made = await browser.submitForm(form, fields, { action: "/rounds/new" });
  const address = String(made.headers.location);
  for (const scanned of [code, "rost"]) {
    const page = await browser.get(address);
    await browser.submitForm(page, { code: scanned }, { action: address });
  }
  return address;
}

/** A person who left their name everywhere possible and was erased. */
async function addFormerMember(testApp: TestApp, { organization }: Member, meter: string) {
  const { app, db } = testApp;
  const role = { role: "admin", workspace: "Halle" } as const;
  const person = await aMember(db, { organization, name: "Zuse", ...role });
  const tools = await connect(testApp, { member: person });
  const { asset } = await tools.ok<Made>("create_asset", { name: "Rost", workspace_id: "Halle" });
  const { task } = await tools.ok<Made>("create_maintenance_task", {
    ...{ asset_id: asset.id, title: "Kolben", type: "corrective", completed: {} },
  });
  await tools.ok("create_invite", { email: "petr@nord.example" });
  await tools.ok("update_asset", { asset_id: asset.id, location: "Dach" });
  const browser = await signIn(app, person);
  const page = `/assets/${asset.id}`;
  const file = { field: "file", name: "rost.txt", content: "Rost", type: "text/plain" };
  await browser.sendFiles(await browser.get(`${page}/files`), `${page}/files`, [file]);
  const fields = { [meter.split("/").at(-1) ?? ""]: "1300" };
  await browser.submitForm(await browser.get(meter), fields);
  const [{ code = "" } = {}] = await db.query<{ code?: string }>(
    "SELECT qr_token AS code FROM assets WHERE id = $1",
    [asset.id],
  );
  const round = await addRound(browser, code, person);
  const known = { id: person.userId, name: "Zuse", email: person.email };
  await commit({ db, caller: null }, (tx) => erasePerson(tx, person.email, known));
  return [page, `${page}/history`, `/tasks/${task.id}`, meter, round, "/changes"];
}

async function addReports({ app, db }: TestApp, browser: TestBrowser, code: string) {
  await db.query("UPDATE organizations SET public_reports = true");
  const path = `/q/${code}/report`;
  const addresses: string[] = [`/q/${code}`, path];
  for (const still_usable of ["yes", "no", "no"]) {
    const anybody = createBrowser(app);
    const page = await anybody.get(path);
    const fields = { description: "Tropft stark", still_usable, name: "Rosa" };
    const sent = await anybody.sendFiles(page, path, [], fields);
    expect(sent.statusCode).toBe(303);
    addresses.push(String(sent.headers.location));
  }
  for (const decision of ["accept", "refuse"]) {
    const [address = ""] = /\/reports\/rep_\w+/.exec((await browser.get("/reports")).body) ?? [];
    const page = await browser.get(address);
    const form = formsOf(page).find(({ fields }) => fields["decision"] === decision);
    const given = { ...form?.fields, reason: "Rost", due_date: daysFromNow(4) };
    await browser.post(form?.action ?? "", given);
  }
  return addresses;
}
