import { beforeAll, describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { inLocale, type Locale } from "../../../server/src/language/locale.js";
import { importFields } from "../../../server/src/domain/exchange/import-kinds.js";
import { toHeading } from "../../../server/src/domain/exchange/headings.js";
import { toColumnLabel } from "../../../server/src/web/text/field-labels.js";
import { useServer } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";
import { planTable, pressImport, upload } from "../../support/uploads.js";

const current = useServer();

let owner: Member;
let browser: TestBrowser;

beforeAll(async () => {
  const { db, app } = current();
  owner = await aMember(db, { role: "owner", workspace: "Halle" });
  const replay = createReplay(db, owner);
  const { asset } = await replay(daysAgo(300), (tx, caller) =>
    createAsset(tx, caller, { name: "Pumpe", workspace_id: "Halle" }),
  );
  const turn = (days: number, state: "out_of_service" | "in_use") =>
    replay(daysAgo(days), (tx, caller) => changeAssetState(tx, caller, asset.id, { state }));
  await turn(70, "out_of_service");
  await turn(20, "in_use");
  const work = (days: number, labor_cost: number) =>
    aTask(db, owner, {
      ...{ asset_id: asset.id, state: "completed", due_date: dayFromToday(-days) },
      ...{ completed_at: daysAgo(days).toISOString(), labor_cost, currency: "EUR" },
    });
  await work(5, 1249.9);
  await work(120, 500);
  browser = await signIn(app, owner);
  await speak("de-DE");
});

async function speak(locale: Locale): Promise<void> {
  await current().db.query("UPDATE users SET locale = $1 WHERE email = $2", [locale, owner.email]);
}

function toText(body: string): string {
  return body.replaceAll(/<(?!desc|title|meta)[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

describe("home, workspaces and imports in German", () => {
  test("trends use German months, numbers and words", async () => {
    const { body } = await browser.get("/trends");
    const text = toText(body);

    expect(body).toContain('<html lang="de"');
    expect(body).toMatch(/<h1[^>]*>Entwicklung<\/h1>/);
    expect(text).toMatch(/\d{1,2}\. \p{L}{3,4}\.? \d{4} bis \d{1,2}\. \p{L}{3,4}\.? \d{4}/u);
    expect(text).toContain("1.750 €");
    expect(text).toContain("Letzte 90 Tage · ");
    expect(body).toContain('aria-label="Instandhaltungskosten, EUR nach Monaten"');
    expect(text).toContain("Nach Arbeitsbereich");
    for (const english of ["Trends", "by month", "Planned work", "On time", "Longest downtime"]) {
      expect(text).not.toContain(english);
    }
  });

  test("a workspace shows changes since the previous days", async () => {
    const list = await browser.get("/workspaces");
    const [, address = ""] = /href="(\/workspaces\/wsp_[^"/?]+)"/.exec(list.body) ?? [];
    const text = toText((await browser.get(address)).body);

    expect(toText(list.body)).toContain("Arbeitsbereiche");
    expect(text).toContain("Letzte 90 Tage");
    expect(text).toMatch(/gestiegen um 150 % gegenüber den 90 Tagen davor/);
    expect(text).not.toContain("Maintenance cost");
  });

  test("rejects a workspace without a name and adds one with a name", async () => {
    const form = await browser.get("/settings/workspaces/new");
    const refused = await browser.submitForm(form, { name: "", description: "", address: "" });
    const added = await browser.submitForm(form, { name: "Hof", description: "", address: "" });
    const page = await browser.get(String(added.headers.location));

    expect(refused.body).toContain("Geben Sie einen Namen ein.");
    expect(page.body).toContain("Arbeitsbereich Hof hinzugefügt.");
    expect(page.body).toContain("Hier gibt es noch keine Anlagen.");
  });

  test("plans, applies and reports an import", async () => {
    const { app } = current();
    const form = await browser.get("/import");
    const content = "Name,Workspace,Farbe\nKran,Halle,rot\nLift,Nirgends,blau\n";
    const plan = await planTable(app, browser, { name: "liste.csv", content, kind: "assets" });
    const stored = await pressImport(browser, plan);
    const after = await browser.get(String(stored.headers.location));

    expect(form.body).toContain("Wie Zeilen zugeordnet werden");
    expect(form.body).toContain("100.000 Zeilen");
    for (const words of [
      "Import von liste.csv",
      "1 neu, 0 geändert, 0 unverändert, 1 fehlerhaft.",
      "2 Spalten importiert · 1 nicht importiert",
      "Zeile 3: Lift",
      "„Nirgends“ nicht gefunden.",
      "1 Zeile wird importiert, 1 fehlerhafte wird ausgelassen.",
      ">Kaufpreis</option>",
    ]) {
      expect(plan.body).toContain(words);
    }
    expect(toText(after.body)).toContain("1 Zeile importiert, 0 unverändert, 1 wegen Fehlern");
  });

  test("rejects an import without a type", async () => {
    const empty = { name: "leer.csv", content: "Name\nKran\n", fields: { kind: "" } };
    const refused = await upload(current().app, browser, "/import", empty);

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Wählen Sie, was die Datei enthält.");
  });
});

test("names columns like export headings in English and translates them in German", () => {
  const fields = Object.values(importFields).flatMap((one) => Object.keys(one));
  for (const field of fields) expect(toColumnLabel(field)).toBe(toHeading(field));
  const german = inLocale("de-AT", () => fields.map(toColumnLabel));
  expect(german).toContain("Kostenstelle");
  expect(german).not.toContain("Due date");
});
