import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, type Member } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { formsOf } from "../../support/page-forms.js";
import { signIn } from "../../support/oauth.js";

const current = useApp();

let petra: TestBrowser;
let emma: TestBrowser;
let owner: Member;
let id: string;
let code: string;

const toText = (body: string) =>
  body
    .replaceAll(/<(?:script|style)\b.*?<\/(?:script|style)>/gs, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ");

beforeAll(async () => {
  const { app, db } = current();
  owner = await aMember(db, { name: "Petra", workspace: "Hall of Fans" });
  const { organization } = owner;
  const other = await aMember(db, { name: "Emma", organization, role: "admin" });
  const { ok } = await connect(current(), { member: owner });
  const made = await ok<{ asset: { id: string } }>("create_asset", {
    ...{ name: "The big fan", workspace_id: "Hall of Fans", description: "Bought from you" },
    ...{ purchase_cost: 1249.9, currency: "EUR", purchase_date: "2026-11-02", category: "HVAC" },
    ...{ warranty_expires_on: "2026-11-02", criticality: "high", state: "in_use" },
  });
  ({ id } = made.asset);
  await ok("update_asset", { asset_id: id, location: "To the left", note: "Moved by us" });
  await ok("update_asset_state", { asset_id: id, state: "out_of_service" });
  const task = { asset_id: id, title: "Clean the filter", due_date: "2026-11-02" };
  await ok("create_maintenance_task", { ...task, recurrence: { every: 2, unit: "week" } });
  await ok("update_maintenance_task", { task_id: "T-1", clear_fields: ["recurrence"] });
  const row = await db.maybe<{ code: string }>(
    "SELECT qr_token AS code FROM assets WHERE id = $1",
    [id],
  );
  code = row?.code ?? "";
  await db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [owner.userId]);
  petra = await signIn(app, owner);
  emma = await signIn(app, other);
});

async function readBoth(address: string): Promise<{ german: string; english: string }> {
  const [german, english] = await Promise.all([petra.get(address), emma.get(address)]);
  expect(german.body, address).toContain('<html lang="de">');
  expect(english.body, address).toContain('<html lang="en">');
  return { german: toText(german.body), english: toText(english.body) };
}

describe("assets in German", () => {
  test("shows the list with filters and results", async () => {
    const { german, english } = await readBoth("/assets");
    const none = await readBoth("/assets?q=nirgends");
    const wrong = await readBoth("/assets?state=wrong");

    expect(german).toContain("1 Anlage");
    expect(german).toContain("Außer Betrieb");
    expect(german).toContain("The big fan");
    expect(english).toContain("1 asset");
    expect(english).toContain("Out of service");
    expect(none.german).not.toMatch(/No asset|found/);
    expect(wrong.german).not.toContain("must be");
  });

  test("translates facts, dates and amounts of an asset and keeps typed text", async () => {
    const { german, english } = await readBoth(`/assets/${id}`);

    expect(german).toContain("1.249,90 €");
    expect(german).toContain("2. Nov. 2026");
    expect(german).toContain("Bought from you");
    expect(german).toContain("To the left");
    expect(german).toContain("Clean the filter");
    expect(german).toContain("Kritikalität");
    expect(english).toContain("€1,249.90");
    expect(english).toContain("2 Nov 2026");
    expect(english).toContain("Criticality");
  });

  test("translates the history and keeps typed text", async () => {
    const { german, english } = await readBoth(`/assets/${id}/history`);

    expect(german).toContain("diese Anlage auf einen anderen Status gesetzt");
    expect(german).toContain("Standort: To the left");
    expect(german).toContain("Moved by us");
    expect(german).toContain("Alle 2 Wochen");
    expect(german).not.toMatch(/every|changed|became/);
    expect(english).toContain("Location: To the left");
    expect(english).toContain("Every 2 weeks");
  });

  test("forms show errors with German numbers and keep typed text", async () => {
    const form = await petra.get(`/assets/${id}/edit`);
    const send = (purchase_cost: string) => {
      const [edit] = formsOf(form).filter(({ seen }) => seen.includes("purchase_cost"));
      return petra.post(edit?.action ?? "", { ...edit?.fields, purchase_cost });
    };
    const refused = await send("12.34.56");
    const saved = await send("1.500,5");
    const page = await petra.get(`/assets/${id}`);

    expect(form.body).toContain('value="1249,9"');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("muss eine Zahl wie 1249,90 sein");
    expect(refused.body).toContain('value="12.34.56"');
    expect(saved.statusCode).toBe(303);
    expect(toText(page.body)).toContain("1.500,50 €");
    const stale = await send("3");
    expect(stale.statusCode).toBe(400);
    expect(toText(stale.body)).toContain("Petra hat „Kaufpreis“ vor");
  });

  test.each([
    ["/assets/new", "Anlage hinzufügen", "Add asset"],
    ["/labels/new", "Etiketten", "Labels"],
    ["/scan", "Scannen", "Scan"],
    ["/search?q=fan", "The big fan", "The big fan"],
    ["/search?q=nirgends", "nirgends", "nirgends"],
  ])("%s", async (address, words, inEnglish) => {
    const { german, english } = await readBoth(address);

    expect(german).toContain(words);
    expect(english).toContain(inEnglish);
    expect(german).not.toContain("Connected Apps");
    expect(german).not.toMatch(/\b(?:you|with|found)\b/);
  });

  test("covers a scanned label, a retired asset and its restoration", async () => {
    const scanned = await petra.get(`/q/${code}`);
    const here = await petra.get(String(scanned.headers.location));
    const retire = await petra.get(`/assets/${id}/retire`);
    const done = await petra.submitForm(retire, { reason: "sold", note: "Sold to you" });
    const { german, english } = await readBoth(`/assets/${id}`);
    const back = await petra.get(`/assets/${id}/restore`);

    expect(here.body).toContain('<html lang="de">');
    expect(done.statusCode).toBe(303);
    expect(german).toContain("Grund: verkauft.");
    expect(german).toContain("Sold to you");
    expect(english).toContain("Reason: sold.");
    expect(toText(back.body)).toContain("Anlage wiederherstellen");
  });
});
