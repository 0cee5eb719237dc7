import { commit } from "../../server/src/domain/history/transactions.js";
import { changeOrganizationRole } from "../../server/src/domain/people/member-roles.js";
import type { TestApp } from "./app.js";
import { createBrowser, press } from "./browser.js";
import { aCalendarAddress, aMember, toCaller, type Member } from "./builders.js";
import { connect, type Connected, type Json } from "./mcp.js";
import { signIn } from "./oauth.js";
import { formsOf, sendForm } from "./page-forms.js";
import { aPhoto } from "./pictures.js";
import { planTable } from "./uploads.js";

/** Values of hidden objects that must affect nothing visible: a rule and a meter reading. */
const hiddenRule = { every: 97, unit: "week" };
const hiddenReading = 7_919_191;
export const hiddenNumbers = /\b97 weeks|"every":97|7,?919,?\d{3}/;

interface World {
  current: TestApp;
  /** The owner sees both workspaces. `by` is the owner's app. */
  owner: Member;
  by: Connected;
  /** The member of the visible workspace. */
  member: Member;
  mo: Connected;
  /** The word in hidden texts, the hidden workspace and its asset. */
  word: string;
  workspace: string;
  asset: string;
}

export interface Crossings {
  ids: Record<string, string>;
  addresses: string[];
  /** A person who was in the hidden workspace until they lost their role. */
  former: Member;
}

type Made = Record<string, { id: string; inventory_number?: string }>;

/** Creates every link from visible objects, in "Lab", to hidden ones. */
export async function addCrossings(
  current: TestApp,
  { owner, member }: Record<"owner" | "member", Member>,
  hidden: Pick<World, "word" | "workspace" | "asset">,
): Promise<Crossings> {
  const by = await connect(current, { member: owner });
  const world = { current, owner, member, by, mo: await connect(current, { member }), ...hidden };
  await passThrough(world);
  await partsAcross(world);
  await mergeAndUndo(world);
  const works = await workGoesOn(world);
  await deleteBeside(world);
  const reports = await reportWhoseWorkIsElsewhere(world);
  const moved = await moveAfterwards(world);
  const former = await takeRole(world);
  await by.ok("update_asset", {
    ...{ asset_id: hidden.asset, meter_readings: { km: hiddenReading } },
  });
  const calendars = await Promise.all(
    [member, former.person].map((one) => aCalendarAddress(current.db, one)),
  );
  return {
    ids: { ...works, ...reports.ids, ...moved.ids, ...former.ids },
    addresses: [...calendars, ...reports.addresses, ...moved.addresses, ...former.addresses],
    former: former.person,
  };
}

const make = async (by: Connected, tool: string, args: Json) =>
  Object.values(await by.ok<Made>(tool, args))[0]?.id ?? "";

const anAsset = (by: Connected, name: string, more: Json = {}) =>
  make(by, "create_asset", { name, workspace_id: "Lab", ...more });

const aTask = (by: Connected, asset_id: string, title: string, more: Json = {}) =>
  make(by, "create_maintenance_task", { asset_id, title, due_date: "2030-01-03", ...more });

const updateAsset = (by: Connected, asset_id: string, more: Json) =>
  by.ok("update_asset", { asset_id, ...more });

/** Returns the next task's id if the work repeats. */
async function updateTask(by: Connected, task_id: string, more: Json): Promise<string> {
  const answer = await by.ok<{ next_task?: { id: string } }>("update_maintenance_task", {
    ...{ task_id, ...more },
  });
  return answer.next_task?.id ?? "";
}

const monthly = { recurrence: { every: 1, unit: "month" } };

/** A visible asset that was in the hidden workspace, as a part of its asset. */
async function passThrough({ by, workspace, asset, word }: World): Promise<void> {
  const press = await anAsset(by, "Press");
  const task = await aTask(by, press, "Grease", { ...monthly, due_date: "2026-01-03" });
  await updateAsset(by, press, { workspace_id: workspace, parent_asset_id: asset });
  await updateTask(by, task, { asset_id: asset, note: word });
  await updateTask(by, task, { title: `${word} grease` });
  await updateTask(by, task, { title: "Grease" });
  await updateTask(by, task, { asset_id: press });
  await updateAsset(by, press, { workspace_id: "Lab", clear_fields: ["parent_asset_id"] });
}

/** A part of a hidden asset, and a part that is hidden now. */
async function partsAcross({ by, mo, workspace, asset, word }: World): Promise<void> {
  const line = await anAsset(mo, "Line");
  const [drive, belt] = [await anAsset(mo, "Drive"), await anAsset(mo, "Belt")];
  await updateAsset(mo, drive, { parent_asset_id: line });
  await updateAsset(mo, belt, { parent_asset_id: line });
  await updateAsset(by, line, { parent_asset_id: asset });
  await updateAsset(by, drive, { workspace_id: workspace, name: `${word} drive` });
}

async function undoLast({ current }: World, person: Member, { again = false } = {}): Promise<void> {
  const [{ id } = { id: "" }] = await current.db.query<{ id: string }>(
    "SELECT id FROM change_sets WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
    [person.userId],
  );
  const browser = await signIn(current.app, person);
  const undone = await press(browser, await browser.get(`/changes/${id}`), "Undo");
  if (!again) return;
  await press(browser, await browser.get(String(undone.headers.location)), "Redo");
}

/**
 * Merges an asset into the hidden one and undoes that. Its meter and the work by meter stay there.
 */
async function mergeAndUndo(world: World): Promise<void> {
  const { current, owner, mo, asset } = world;
  const { organization } = owner;
  const admin = await aMember(current.db, { organization, role: "admin", name: "Ada" });
  const ada = await connect(current, { member: admin });
  const truck = await anAsset(mo, "Truck");
  await updateAsset(mo, truck, { meter_readings: { h: 100 } });
  const byUsage = { every_usage: 50, meter: "h" };
  const rule = { every: 1, unit: "month", ...byUsage };
  const oil = await aTask(mo, truck, "Oil", { recurrence: rule });
  const begun = await aTask(mo, truck, "Filter", { recurrence: byUsage, due_date: "2030-02-01" });
  await ada.ok("update_asset_state", { asset_id: truck, state: "deleted", merged_into: asset });
  await updateAsset(world.by, asset, { meter_readings: { h: hiddenReading } });
  const browser = await signIn(current.app, admin);
  const address = `/settings/apps/${ada.connectionId}/undo?span=hour`;
  await press(browser, await browser.get(address), "Undo");
  // Work by usage only stays with the meter, which is hidden.
  await mo.refused("get_maintenance_task", { task_id: begun });
  await updateTask(mo, oil, { state: "completed" });
}

/**
 * Repeating work that was done here, continued in the hidden workspace, and resumed here in each
 * possible way.
 */
async function workGoesOn(world: World): Promise<Record<string, string>> {
  const { mo, by, asset, member, word } = world;
  let next = "";
  const recurrence = { every: 1, unit: "month", every_usage: 20, meter: "km" };
  for (const way of ["left", "reopened", "undone", "redone"]) {
    const machine = await anAsset(mo, `Machine ${way}`);
    await updateAsset(mo, machine, { meter_readings: { km: 10 } });
    const task = await aTask(mo, machine, `Service ${way}`, { recurrence });
    await mo.ok("update_maintenance_task", { task_ids: [task], state: "completed" });
    next = await nextOf(mo, task);
    await updateTask(by, next, { asset_id: asset, title: `${word} ${way}` });
    await updateTask(by, next, { recurrence: { ...recurrence, ...hiddenRule } });
    if (way === "reopened") await updateTask(mo, task, { state: "in_progress" });
    if (way === "undone" || way === "redone")
      await undoLast(world, member, { again: way === "redone" });
  }
  return { next };
}

async function nextOf(by: Connected, task_id: string): Promise<string> {
  const { task } = await by.ok<{ task: { next_task_id: string } }>("get_maintenance_task", {
    task_id,
  });
  return task.next_task_id;
}

/** Permanently deletes the asset with the next occurrence, hidden or visible. */
async function deleteBeside({ mo, by, asset, workspace, word }: World): Promise<void> {
  for (const isHidden of [true, false]) {
    const machine = await anAsset(mo, isHidden ? "Saw" : "Drill");
    const furnace = await anAsset(by, `${word} furnace`, { workspace_id: workspace });
    const task = await aTask(mo, machine, "Sharpen", monthly);
    const next = await updateTask(mo, task, { state: "completed" });
    await updateTask(by, next, { asset_id: isHidden ? furnace : asset, title: `${word} sharpen` });
    await updateTask(by, next, { recurrence: hiddenRule });
    const gone = isHidden ? furnace : machine;
    const read = await by.ok<Made>("get_asset", { asset_id: gone });
    const confirm_inventory_number = read["asset"]?.inventory_number;
    await by.ok("force_delete_asset", { asset_id: gone, confirm_inventory_number });
  }
}

/** A report on a visible asset whose work is hidden now. Both have the photo. */
async function reportWhoseWorkIsElsewhere({ current, owner, by, member, asset, word }: World) {
  const { app, db } = current;
  const browser = await signIn(app, owner);
  const settings = { name: owner.organization, time_zone: "UTC", currency: "EUR" };
  await browser.submitForm(await browser.get("/settings/organization"), {
    ...{ ...settings, public_reports: "yes" },
  });
  const pump = await anAsset(by, "Pump of Lab");
  const [{ code } = { code: "" }] = await db.query<{ code: string }>(
    "SELECT qr_token AS code FROM assets WHERE id = $1",
    [pump],
  );
  const stranger = createBrowser(app);
  const form = await stranger.get(`/q/${code}/report`);
  const photo = { name: "leak.jpg", content: await aPhoto() };
  const fields = { description: "It leaks.", still_usable: "yes" };
  const sent = await stranger.sendFiles(form, `/q/${code}/report`, [photo], fields);
  const report = await db.maybe<{ id: string }>(
    "SELECT id FROM problem_reports WHERE asset_id = $1",
    [pump],
  );
  const address = `/reports/${report?.id ?? ""}`;
  const decider = await signIn(app, member);
  const accept = { decision: "accept", title: "Seal" };
  await decider.submitForm(await decider.get(address), accept, { action: address });
  const work = await db.maybe<{ id: string }>(
    "SELECT task_id AS id FROM problem_reports WHERE asset_id = $1",
    [pump],
  );
  const sealing = work?.id ?? "";
  await updateTask(by, sealing, { asset_id: asset, title: `${word} seal`, description: word });
  await updateTask(by, sealing, { state: "completed", completion_notes: word });
  const addresses = [address, `/q/${code}`, String(sent.headers.location)];
  return { ids: { sealing }, addresses };
}

/** Bulk-changes, imports, scans and labels assets here, then moves them to the hidden workspace. */
async function moveAfterwards({ current, owner, by, mo, member, workspace, word }: World) {
  const { app, db } = current;
  const asset_ids = await Promise.all(["Lathe", "Mill"].map((name) => anAsset(mo, name)));
  const tasks = await Promise.all(asset_ids.map((id) => aTask(mo, id, "Look")));
  await mo.ok("update_asset", { asset_ids, location: "Hall 1" });
  await mo.ok("update_maintenance_task", { task_ids: tasks, priority: "high" });
  const sheet = { asset_ids, format: "pdf_sheet" };
  const labels = await mo.ok<{ sheet: { url: string } }>("generate_asset_qr_codes", sheet);
  const content = "NAME,WORKSPACE\nCrane,Lab\nLift,Lab\n";
  const plan = await importTable(current, owner, content);
  const imported = await db.query<{ id: string }>("SELECT id FROM assets WHERE name = 'Crane'");
  const browser = await signIn(app, member);
  const form = await browser.get("/rounds/new");
  const fields = { workspace_id: member.workspaceId ?? "" };
  const round = await browser.submitForm(form, fields, { action: "/rounds/new" });
  const address = String(round.headers.location);
  const [lathe = "", mill = ""] = asset_ids;
  const codes = await db.query<{ code: string }>(
    "SELECT qr_token AS code FROM assets WHERE id = ANY ($1)",
    [asset_ids],
  );
  for (const { code } of codes)
    await browser.submitForm(await browser.get(address), { code }, { action: address });
  const [crane = ""] = imported.map(({ id }) => id);
  for (const id of [lathe, crane])
    await updateAsset(by, id, { workspace_id: workspace, name: `${word} was here` });
  await updateTask(by, tasks[0] ?? "", { title: `${word} look` });
  const printed = new URL(labels.sheet.url, "http://x").pathname;
  const addresses = [address, plan, printed, "/changes", `/assets/${mill}`];
  return { ids: { lathe }, addresses };
}

/** Imports the table. Returns the address of the import. */
async function importTable({ app }: TestApp, by: Member, content: string): Promise<string> {
  const browser = await signIn(app, by);
  const plan = await planTable(app, browser, { name: "more.csv", content, kind: "assets" });
  const apply = formsOf(plan).find(({ action }) => action.endsWith("/apply"));
  if (apply !== undefined) await sendForm(browser, apply);
  return plan.raw.req.url ?? "";
}

/** A person who changed, counted and saw hidden objects while they had a role there. */
async function takeRole({ current, owner, by, workspace, word }: World) {
  const { app, db } = current;
  const name = "Rex";
  const join = { organization: owner.organization, role: "admin", name } as const;
  const person = await aMember(db, { ...join, workspace: "Lab", workspaceRole: "member" });
  const { email } = person;
  await aMember(db, { ...join, email, workspace: `${word} hall`, workspaceRole: "admin" });
  const rex = await connect(current, { member: person });
  const own = await anAsset(rex, `${word} crate`, { workspace_id: workspace });
  const box = await anAsset(rex, `${word} box`, { workspace_id: workspace });
  const task = await aTask(rex, own, `${word} lift`, { assigned_to_user_id: "me", ...monthly });
  await rex.ok("update_asset", { asset_ids: [own, box], location: word });
  await rex.ok("update_maintenance_task", { task_ids: [task], state: "completed" });
  const invite = { email: "friend@acme.example", workspace_id: workspace };
  await rex.ok("create_invite", { ...invite, workspace_role: "viewer", message: word });
  const browser = await signIn(app, person);
  const form = await browser.get("/rounds/new");
  const fields = { workspace_id: workspace };
  const round = await browser.submitForm(form, fields, { action: "/rounds/new" });
  const content = `NAME,WORKSPACE\n${word} hoist,${word} hall\n${word} ladder,${word} nowhere\n`;
  const plan = await importTable(current, person, content);
  const sheet = { asset_ids: [own, box], format: "pdf_sheet" };
  const labels = await rex.ok<{ sheet: { url: string } }>("generate_asset_qr_codes", sheet);
  await commit({ db, caller: null }, (tx) =>
    changeOrganizationRole(tx, toCaller(owner), { user_id: person.userId, role: "member" }),
  );
  await by.ok("remove_user", { user_id: person.userId, workspace_id: workspace });
  const printed = new URL(labels.sheet.url, "http://x").pathname;
  const addresses = [String(round.headers.location), plan, printed];
  return { person, ids: { box, lift: task }, addresses };
}
