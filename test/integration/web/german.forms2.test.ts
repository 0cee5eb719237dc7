import { beforeAll, expect, test } from "vitest";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import type { TestBrowser } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { createReplay, daysAgo } from "../../support/replay.js";

const current = useServer();

let browser: TestBrowser;
let assetId: string;
let number: string;

beforeAll(async () => {
  const { db, app } = current();
  const owner: Member = await aMember(db, {
    role: "owner",
    name: "Olga Owner",
    workspace: "Depot",
  });
  await db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [owner.userId]);
  const { asset } = await createReplay(db, owner)(daysAgo(30), (tx, caller) =>
    createAsset(tx, caller, {
      name: "Pumpe",
      workspace_id: "Depot",
      warranty_expires_on: "2031-03-04",
    }),
  );
  assetId = asset.id;
  number = asset.inventory_number;
  await aTask(db, owner, { asset_id: asset.id, title: "Dichtung wechseln" });
  browser = await signIn(app, owner);
});

const toText = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function read(address: string): Promise<string> {
  const page = await browser.get(address);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('<html lang="de">');
  return toText(page.body);
}

async function send(address: string, fields: Record<string, string>): Promise<string> {
  const sent = await browser.submitForm(await browser.get(address), fields);
  if (sent.statusCode !== 303) return toText(sent.body);
  return read(String(sent.headers.location));
}

test("rejects and adds an asset in German", async () => {
  const text = await read("/assets/new");
  expect(text).toContain("Anlage hinzufügen");
  expect(text).toContain("Auswirkung bei einem Ausfall.");
  expect(text).toContain("Verfügbar");
  expect(text).toContain("Kauf, Garantie und Lebensdauer");
  for (const english of [
    "Add",
    "Impact if it fails",
    "Available",
    "Three letters",
    "Not rated",
    "Up to 20",
  ]) {
    expect(text).not.toContain(english);
  }

  expect(await send("/assets/new", { name: "" })).toContain("Geben Sie einen Namen ein.");
  const added = await send("/assets/new", { name: "Kompressor" });
  expect(added).toMatch(/Kompressor ist als \S+ hinzugefügt\./);
  expect(added).toContain("Noch eine solche hinzufügen");
});

test("translates the details form of an asset", async () => {
  const text = await read(`/assets/${assetId}/edit`);
  expect(text).toContain("Status oder Arbeitsbereich? Status ändern · Verschieben");
  expect(text).toContain("Änderungen speichern");
  expect(text).not.toContain("Elsewhere");

  const shown = { name: "Pumpe", criticality: "medium", warranty_expires_on: "2031-03-04" };
  const changed = { ...shown, location: "Dach" };
  const address = `/assets/${assetId}/edit`;
  expect(await send(address, changed)).toContain("Für Pumpe gespeichert: Standort.");
  expect(await send(address, changed)).toContain("Nichts geändert: Alles hat schon");
});

test("translates the bulk form for assets", async () => {
  const text = await read(`/assets/change?ids=${assetId}`);
  expect(text).toContain("Schlagwörter entfernen");
  expect(text).toContain("Beibehalten");
  expect(text).not.toContain("Keep current");
});

test("translates the move form", async () => {
  const text = await read(`/assets/${assetId}/move`);
  expect(text).toContain("Ihre Aufgaben, offene und abgeschlossene, ziehen mit um.");
  expect(text).not.toContain("Its parts");

  const moved = await send(`/assets/${assetId}/move`, { workspace_id: "none" });
  expect(moved).toContain("Pumpe ist jetzt in keinem Arbeitsbereich.");
});

test("translates the retire and restore forms", async () => {
  await send(`/assets/${assetId}/retire`, { reason: "sold" });
  expect(await read(`/assets/${assetId}/edit`)).toContain("Diese Anlage ist ausgemustert");
  const text = await read(`/assets/${assetId}/restore`);
  expect(text).toContain("Grund Verkauft");
  expect(text).toContain("Status ab jetzt");
  expect(text).not.toContain("State from now on");

  expect(await send(`/assets/${assetId}/restore`, { state: "stored" })).toContain(
    "Pumpe wiederhergestellt, jetzt eingelagert.",
  );
});

test("translates permanent deletion", async () => {
  const address = `/assets/${assetId}/delete`;
  const text = await read(address);
  expect(text).toContain("Das löscht Pumpe endgültig für alle.");
  expect(text).toContain("Aufgaben 1 Aufgabe");
  expect(text).toContain("Garantie bis 4. März 2031");
  for (const english of ["This permanently deletes", "To continue", "Retire it", "Recorded cost"]) {
    expect(text).not.toContain(english);
  }

  expect(await send(address, { confirm_inventory_number: "X" })).toContain("Inventarnummer");
  expect(await send(address, { confirm_inventory_number: number })).toMatch(
    /Pumpe \(\S+\) endgültig gelöscht, mit 1 Aufgabe und \d+ Einträgen im Verlauf\./,
  );
});
