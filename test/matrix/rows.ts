import { queueNotedMails } from "../../server/src/domain/messaging/notification-queue.js";
import { aSubscription } from "../support/push.js";
import { createBrowser, press } from "../support/browser.js";
import { formsOf, sendForm } from "../support/page-forms.js";
import { aPhoto } from "../support/pictures.js";
import * as oauth from "../support/oauth.js";
import { shareTask } from "../support/task-links.js";
import { planTable } from "../support/uploads.js";
import { codeOf, make, organizationOf, type World } from "./world.js";

/** A row that can be attached to an asset, its work, its workspace or a person. */
interface Row {
  /** The tables that it fills. The matrix fails if a table belongs to no row. */
  tables: string[];
  /** Attaches it to the asset "Pump", the task on it, the workspace "Plant" or the member. */
  hang: (world: World) => Promise<unknown>;
}

const sendFile = async ({ pages }: World, page: string, name: string, content: Buffer | string) =>
  pages.sendFiles(await pages.get(`${page}/files`), `${page}/files`, [
    { field: "file", name, content, type: name.endsWith("txt") ? "text/plain" : "image/jpeg" },
  ]);

let photo: Promise<Buffer> | undefined;
const somePhoto = () => (photo ??= aPhoto({ width: 60, height: 40 }));

const addTask = ({ owner, pump }: World, title: string, more: object = {}) =>
  make(owner, "create_maintenance_task", { asset_id: pump, title, ...more });

const insert = ({ current, owner, mo }: World, statement: string) =>
  current.db.query(statement, [owner.member.organizationId, mo.member.userId]);

const addPart = ({ owner }: World, name: string, more: object = {}) =>
  make(owner, "create_asset", { name, workspace_id: "Plant", ...more });

/** Sent by the member, or with a photo by a person without an account. */
async function report(
  world: World,
  description: string,
  isStranger: boolean,
  label?: string,
): Promise<string> {
  const { current, pages, moPages, pump } = world;
  const settings = { name: world.owner.member.organization, time_zone: "UTC", currency: "EUR" };
  const form = await pages.get("/settings/organization");
  await pages.submitForm(form, { ...settings, public_reports: "yes" });
  const browser = isStranger ? createBrowser(current.app) : moPages;
  const path = `/q/${label ?? (await codeOf(world, pump))}/report`;
  const files = isStranger ? [{ name: "leak.jpg", content: await somePhoto() }] : [];
  const about = { description, still_usable: isStranger ? "no" : "yes" };
  const by = isStranger ? { name: "Stray Stranger", email: "stray@example.com" } : {};
  await browser.sendFiles(await browser.get(path), path, files, { ...about, ...by });
  const row = await current.db.maybe<{ id: string }>(
    "SELECT id FROM problem_reports WHERE organization_id = $1 AND description = $2",
    [organizationOf(world), description],
  );
  const address = `/reports/${row?.id ?? ""}`;
  world.addresses.push(address);
  return address;
}

async function decide({ pages }: World, address: string, fields: Record<string, string>) {
  await pages.submitForm(await pages.get(address), fields, { action: address });
}

/** A label of a location in "Plant". Returns its code. */
async function placeLabel({ current, pages, plant }: World, locations: string): Promise<string> {
  const address = `/workspaces/${plant}/labels`;
  await pages.submitForm(await pages.get(address), { locations }, { action: address });
  const row = await current.db.maybe<{ qr_token: string }>(
    "SELECT qr_token FROM place_labels WHERE workspace_id = $1 AND location = $2",
    [plant, locations],
  );
  return row?.qr_token ?? "";
}

/** A round through "Plant" in which the member scans the asset and an unknown code. */
async function goRound(world: World): Promise<string> {
  const { moPages, plant, pump } = world;
  const form = await moPages.get("/rounds/new");
  const begun = await moPages.submitForm(form, { workspace_id: plant }, { action: "/rounds/new" });
  const round = String(begun.headers.location);
  for (const code of [await codeOf(world, pump), "4711"]) {
    await moPages.submitForm(await moPages.get(round), { code }, { action: round });
  }
  world.addresses.push(round);
  return round;
}

async function importTable(world: World, content: string, isApplied: boolean): Promise<void> {
  const { current, pages } = world;
  const table = { name: "list.csv", content, kind: "assets" };
  const plan = await planTable(current.app, pages, table);
  world.addresses.push(plan.raw.req.url ?? "");
  const apply = formsOf(plan).find(({ action }) => action.endsWith("/apply"));
  if (isApplied && apply !== undefined) await sendForm(pages, apply);
}

const ofAsset: Record<string, Row> = {
  photo: {
    tables: ["files", "file_pieces"],
    hang: async (world) => sendFile(world, `/assets/${world.pump}`, "pump.jpg", await somePhoto()),
  },
  file: {
    tables: ["files", "file_pieces"],
    hang: (world) => sendFile(world, `/assets/${world.pump}`, "manual.txt", "Turn it on."),
  },
  comments: {
    tables: ["comments", "files"],
    hang: async (world) => {
      const { mo, owner, moPages, pump, job } = world;
      await owner.ok("update_asset", {
        asset_id: pump,
        comment: `@${mo.member.name} listen to it`,
      });
      await owner.ok("update_maintenance_task", { task_id: job, comment: "Oil is ordered" });
      for (const page of [`/assets/${pump}/comments`, `/tasks/${job}/comments`]) {
        const file = { name: "seen.jpg", content: await somePhoto(), type: "image/jpeg" };
        const files = [{ field: "photo", ...file }];
        await moPages.sendFiles(await moPages.get(page), page, files, { comment: "Seen" });
      }
      await mo.ok("update_maintenance_task", { task_id: job, comment: "Never mind" });
      const [, id = ""] =
        /\/comments\/(\w+)\/remove(?![\s\S]*\/remove)/.exec(
          (await moPages.get(`/tasks/${job}`)).body,
        ) ?? [];
      const remove = `/comments/${id}/remove`;
      await moPages.submitForm(await moPages.get(remove), {});
    },
  },
  "a contractor's link": {
    tables: ["task_links", "comments", "files"],
    hang: async (world) => {
      const { current, pages, job } = world;
      const path = await shareTask(pages, job);
      const contractor = createBrowser(current.app);
      const files = [{ name: "seen.jpg", content: await somePhoto() }];
      const fields = { send: "done", note: "Sealed by the contractor", moment: "after" };
      await contractor.sendFiles(await contractor.get(path), path, files, fields);
      world.addresses.push(`/tasks/${job}`, `/tasks/${job}/share`);
    },
  },
  details: {
    tables: ["asset_categories"],
    hang: ({ owner, mo, pump }) =>
      owner.ok("update_asset", {
        ...{
          asset_id: pump,
          category: "Pumps",
          tags: ["wet"],
          purchase_cost: 900,
          criticality: "high",
        },
        ...{ assigned_to_user_id: mo.member.userId, warranty_expires_on: "2027-03-01" },
      }),
  },
  reading: {
    tables: ["meters", "meter_readings"],
    hang: ({ mo, pump }) =>
      mo.ok("update_asset", { asset_id: pump, meter_readings: { h: 120, km: 7 } }),
  },
  "work by usage": {
    tables: ["maintenance_plans", "meters", "meter_readings"],
    hang: async (world) => {
      await world.owner.ok("update_asset", { asset_id: world.pump, meter_readings: { h: 130 } });
      await addTask(world, "Filter", { recurrence: { every_usage: 50, meter: "h" } });
      const both = { every: 1, unit: "month", every_usage: 90, meter: "h" };
      await addTask(world, "Belt", { recurrence: both, due_date: "2026-12-31" });
    },
  },
  "work that repeats": {
    tables: ["maintenance_plans"],
    hang: async (world) => {
      const recurrence = { every: 1, unit: "month" };
      const due = { due_date: "2026-12-31", recurrence };
      await addTask(world, "Grease", { ...due, completed: { labor_cost: 12, actual_minutes: 30 } });
      await addTask(world, "Look", { ...due, type: "inspection", assigned_to_user_id: "me" });
    },
  },
  "a child": {
    tables: ["assets"],
    hang: (world) => addPart(world, "Valve", { parent_asset_id: world.pump }),
  },
  "a parent": {
    tables: ["assets"],
    hang: async (world) => {
      const parent_asset_id = await addPart(world, "Line");
      await world.owner.ok("update_asset", { asset_id: world.pump, parent_asset_id });
    },
  },
  "a merged asset": {
    tables: ["assets"],
    hang: async (world) => {
      const asset_id = await addPart(world, "Duplicate");
      await world.owner.ok("update_asset", { asset_id, meter_readings: { cycles: 5 } });
      await world.owner.ok("create_maintenance_task", { asset_id, title: "Of the duplicate" });
      await sendFile(world, `/assets/${asset_id}`, "same.txt", "Of the duplicate.");
      const merge = { state: "deleted", merged_into: world.pump };
      await world.owner.ok("update_asset_state", { asset_id, ...merge });
    },
  },
  "a deleted child": {
    tables: ["deletion_records", "retired_inventory_numbers"],
    hang: async (world) => {
      const number = { inventory_number: "GONE-1", parent_asset_id: world.pump };
      const asset_id = await addPart(world, "Gone", number);
      const confirm_inventory_number = number.inventory_number;
      await world.owner.ok("force_delete_asset", { asset_id, confirm_inventory_number });
    },
  },
  "a label": {
    tables: [],
    hang: async (world) => {
      const asset_ids = [world.pump, world.twin];
      const sheet = await world.mo.ok<{ sheet: { url: string } }>("generate_asset_qr_codes", {
        ...{ asset_ids, format: "pdf_sheet" },
      });
      const code = await codeOf(world, world.pump);
      world.addresses.push(new URL(sheet.sheet.url, "http://x").pathname, `/q/${code}`);
    },
  },
  "a report": {
    tables: ["problem_reports", "files"],
    hang: (world) => report(world, "It leaks oil.", true),
  },
  "decided reports": {
    tables: ["problem_reports", "files"],
    hang: async (world) => {
      const accepted = await report(world, "It is loud.", false);
      await decide(world, accepted, { decision: "accept", title: "Bearing" });
      const answered = await report(world, "It is blue.", true);
      await decide(world, answered, { decision: "answer", answer: "It is meant to be." });
    },
  },
};

const ofWork: Record<string, Row> = {
  "a checklist": {
    tables: ["task_checklist_items", "files", "file_pieces"],
    hang: async (world) => {
      const { mo, moPages } = world;
      const answered = [
        { label: "Pressure", unit: "bar", max: 6, required: true, follow_up: "Mend" },
        { label: "Signed", kind: "signature" },
      ];
      const task_id = await addTask(world, "Check", { checklist: ["One", "Two", ...answered] });
      await mo.ok("update_maintenance_task", {
        ...{ task_id, checklist_tick: [1], checklist_answers: { 3: 7 } },
      });
      const page = await moPages.get(`/tasks/${task_id}`);
      const drawing = { field: "photo-drawing-4", name: "signed.jpg", content: await somePhoto() };
      const fields = { "step-1": "yes", "step-3": "7", "step-4": "Mo Member" };
      await moPages.sendFiles(page, `/tasks/${task_id}/checklist`, [drawing], fields);
    },
  },
  "work by a procedure": {
    tables: ["procedures", "procedure_versions"],
    hang: async (world) => {
      const list = "/settings/procedures";
      const { pages } = world;
      const fields = { name: "Pump check", category: "Pumps", "label-1": "One" };
      const made = await pages.submitForm(await pages.get(`${list}/new`), fields);
      const address = String(made.headers.location);
      const edited = { ...fields, "label-2": "Two", "kind-2": "number" };
      await pages.submitForm(await pages.get(`${address}/edit`), edited);
      const recurrence = { every: 1, unit: "month" };
      await addTask(world, "By the book", {
        ...{ procedure: "Pump check", due_date: "2027-01-31", recurrence, completed: {} },
      });
      world.addresses.push(list, address);
    },
  },
  "a photo of work": {
    tables: ["files", "file_pieces"],
    hang: async (world) => sendFile(world, `/tasks/${world.job}`, "job.jpg", await somePhoto()),
  },
  "work in progress": {
    tables: ["asset_state_periods"],
    hang: async (world) => {
      const task_id = await addTask(world, "Mend", { type: "corrective", requires_downtime: true });
      await world.mo.ok("update_maintenance_task", {
        task_id,
        state: "in_progress",
        note: "Begun",
      });
    },
  },
  "finished work": {
    tables: ["asset_peaks"],
    hang: async (world) => {
      const done = { labor_cost: 9, parts_cost: 3, actual_minutes: 60, downtime_minutes: 5 };
      await addTask(world, "Repaired", { type: "corrective", completed: done });
      const task_id = await addTask(world, "Not needed");
      await world.mo.ok("update_maintenance_task", { task_id, state: "cancelled" });
    },
  },
  "work of the place": {
    tables: ["maintenance_tasks"],
    hang: ({ owner }) =>
      make(owner, "create_maintenance_task", { workspace_id: "Plant", title: "Sweep" }),
  },
};

const ofPlace: Record<string, Row> = {
  "an open round": { tables: ["rounds", "round_findings"], hang: (world) => goRound(world) },
  "an ended round": {
    tables: ["rounds", "round_findings"],
    hang: async (world) => {
      const [round, pages] = [await goRound(world), world.moPages];
      await pages.submitForm(await pages.get(`${round}/end`), {}, { action: `${round}/end` });
    },
  },
  "reports on a place": {
    tables: ["place_labels", "problem_reports", "files"],
    hang: async (world) => {
      const code = await placeLabel(world, "Room 12");
      const accepted = await report(world, "The tap in room 12 drips.", true, code);
      await decide(world, accepted, { decision: "accept", title: "Tap" });
      await report(world, "The light in room 12 flickers.", true, code);
      world.addresses.push(`/q/${code}`, `/workspaces/${world.plant}/labels`);
    },
  },
  "an invitation": {
    tables: ["invites"],
    hang: async ({ owner }) => {
      const to = { workspace_id: "Plant", workspace_role: "member" };
      await owner.ok("create_invite", { email: "guest@example.com", ...to, message: "Come in" });
    },
  },
  "a webhook": {
    tables: ["webhooks", "webhook_deliveries"],
    hang: async ({ pages, owner, pump }) => {
      const names = ["asset.updated", "asset.deleted", "task.updated", "report.created"];
      const events = Object.fromEntries(names.map((name) => [name, "yes"]));
      const url = "https://hooks.example.com/fettle";
      await pages.submitForm(await pages.get("/settings/webhooks/new"), { url, ...events });
      await owner.ok("update_asset", { asset_id: pump, supplier: "Acme" });
    },
  },
};

const ofChanges: Record<string, Row> = {
  "a pending import": {
    tables: ["change_sets", "change_set_rows", "import_pieces"],
    hang: (world) =>
      importTable(
        world,
        "Inventory number,Name,Workspace\nP-1,Renamed,Plant\nX-1,New,Plant\n",
        false,
      ),
  },
  "an import": {
    tables: ["change_sets", "change_set_rows"],
    hang: (world) =>
      importTable(world, "Inventory number,Supplier,Name\nP-1,Imported,Pump\nX-2,Fan,Fan\n", true),
  },
  "a bulk change": {
    tables: ["change_sets"],
    hang: ({ mo, pump, twin }) =>
      mo.ok("update_asset", { asset_ids: [pump, twin], manufacturer: "Acme" }),
  },
  "an undo with conflicts": {
    tables: ["change_sets", "change_set_rows"],
    hang: async ({ current, owner, mo, pages, pump, twin }) => {
      const asset_ids = [pump, twin];
      await owner.ok("update_asset", { asset_ids, model: "M1", cost_center: "C1" });
      await mo.ok("update_asset", { asset_id: pump, model: "M2" });
      const set = await current.db.maybe<{ id: string }>(
        `SELECT id FROM change_sets WHERE organization_id = $1 AND user_id = $2 AND kind = 'call'
         ORDER BY created_at DESC LIMIT 1`,
        [owner.member.organizationId, owner.member.userId],
      );
      await press(pages, await pages.get(`/changes/${set?.id ?? ""}`), "Undo");
    },
  },
  "a kept answer": {
    tables: ["idempotency_records", "history_events"],
    hang: ({ mo, pump }) =>
      make(mo, "create_maintenance_task", { asset_id: pump, title: "Once", request_key: "once-1" }),
  },
};

const ofPerson: Record<string, Row> = {
  "a notification": {
    tables: ["notifications", "notification_choices"],
    hang: async (world) => {
      const page = await world.moPages.get("/settings/notifications");
      await world.moPages.submitForm(page, { assigned: "yes", push_assigned: "yes" });
      await addTask(world, "Told", { assigned_to_user_id: world.mo.member.userId });
    },
  },
  "a push message": {
    tables: ["push_subscriptions", "push_messages"],
    hang: async (world) => {
      const { app, db } = world.current;
      const page = await world.moPages.get("/settings/notifications");
      const subscription = JSON.stringify(aSubscription().subscription);
      await world.moPages.submitForm(
        page,
        { subscription },
        { action: "/settings/notifications/push" },
      );
      await addTask(world, "Pushed", { assigned_to_user_id: world.mo.member.userId });
      await db.query("UPDATE notifications SET created_at = created_at - interval '5 minutes'");
      await queueNotedMails(db, app.services.mails);
    },
  },
  "a calendar": {
    tables: ["calendar_feeds"],
    hang: async ({ moPages }) => {
      const form = await moPages.get("/settings/notifications/calendar");
      await moPages.submitForm(form, { covers: "all" });
    },
  },
  "a saved view": {
    tables: ["saved_views"],
    hang: async ({ moPages }) => {
      const form = await moPages.get("/tasks/view?query=state%3Doverdue");
      await moPages.submitForm(form, { name: "Late" });
    },
  },
  "an absence": {
    tables: ["absences"],
    hang: async ({ mo, pages, moPages }) => {
      const address = `/settings/members/${mo.member.userId}`;
      const absence = { first_day: "2026-12-21", last_day: "2026-12-31", note: "Winter" };
      await moPages.submitForm(await moPages.get(`${address}/absences`), absence);
      const time = { weekly_hours: "20", day_1: "yes", day_2: "yes" };
      await pages.submitForm(await pages.get(`${address}/working-time`), time);
    },
  },
  "a connection": {
    tables: [
      ...["oauth_connections", "oauth_access_tokens", "oauth_refresh_tokens", "oauth_clients"],
      ...["oauth_authorization_codes", "oauth_authorization_requests"],
    ],
    hang: async ({ current, mo, moPages }) => {
      const { client } = await oauth.connect(current.app, mo.member);
      await oauth.approve(moPages, client);
      await oauth.openConsent(moPages, client, oauth.aChallenge());
    },
  },
  "a question": {
    tables: ["confirmations"],
    hang: (world) =>
      insert(
        world,
        `INSERT INTO confirmations (organization_id, id, connection_id, user_id, call_hash, question,
           answer, expires_at) SELECT $1, 'cnf_' || id, id, $2, '', '{"about": "several", "words": "Sure?"}',
           'Yes', now() + interval '5 minutes' FROM oauth_connections
         WHERE organization_id = $1 AND user_id = $2 LIMIT 1`,
      ),
  },
  "ways to sign in": {
    tables: ["passkeys", "authenticators", "recovery_codes", "sessions", "user_passwords"],
    hang: async (world) => {
      await insert(
        world,
        `INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports, backed_up,
           name) SELECT 'psk' || $2, $2, $2, '', 0, '{}', false, 'Phone' WHERE $1 <> ''`,
      );
      await insert(
        world,
        "INSERT INTO authenticators (user_id, secret_encrypted, last_step) SELECT $2, '', 0 WHERE $1 <> ''",
      );
      await insert(
        world,
        "INSERT INTO recovery_codes (user_id, code_hash) SELECT $2, '' WHERE $1 <> ''",
      );
    },
  },
  "an identity provider": {
    tables: [
      "identity_providers",
      "identity_provider_domains",
      "provider_identities",
      "unique_names",
    ],
    hang: async (world) => {
      for (const statement of [
        `INSERT INTO identity_providers (organization_id, issuer, client_id, client_secret_encrypted,
           break_glass_owner_id) SELECT $1, 'https://login.example.com', 'c', '', user_id
         FROM organization_members WHERE organization_id = $1 AND role = 'owner' AND user_id <> $2`,
        "INSERT INTO identity_provider_domains VALUES ($1, 'of-' || $2, 'c', now(), now())",
        "INSERT INTO unique_names VALUES ('domain', 'of-' || $2, $1)",
        "INSERT INTO provider_identities VALUES ($1, 'https://login.example.com', $2, $2, false)",
      ])
        await insert(world, statement);
    },
  },
};

export const rows: Record<string, Row> = {
  ...ofAsset,
  ...ofWork,
  ...ofPlace,
  ...ofChanges,
  ...ofPerson,
};

/** Tables that every world fills, and tables that no operation of the matrix affects. */
export const otherTables: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...["organizations", "organization_members", "users", "workspaces", "workspace_members"],
      ...["figures", "activity_log", "audit_chains", "tool_call_log", "mail_outbox"],
    ].map((table) => [table, "Every world has some."]),
  ),
  audit_checkpoints:
    "Signed by housekeeping; test/integration/audit.* changes what they are about.",
  file_objects: "Of files in an object store, see test/integration/files/object-store.test.ts.",
  setup_links: "Of an account that nobody has used yet.",
  sign_ups: "Of somebody who has no account yet.",
  password_resets: "Of an account alone, and for an hour.",
  email_changes: "Of an account alone, and for a day.",
  typed_forms: "Waits an hour for the person to sign in again.",
  kept_photos: "Of a refused report, for an hour; it names no record yet.",
  spent_challenges: "Refers to nothing, and is kept for minutes.",
};
