import { beforeAll, expect, test } from "vitest";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { nearestOnWeekday } from "../../../server/src/domain/tasks/next-due-date.js";
import { createTask } from "../../../server/src/domain/tasks/create-task.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const current = useServer();

let browser: TestBrowser;
let owner: Member;
let seal: string;
let late: string;

beforeAll(async () => {
  const { db, app } = current();
  owner = await aMember(db, { role: "owner", name: "Olga Owner", workspace: "Depot" });
  await db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [owner.userId]);
  const replay = createReplay(db, owner);
  const { asset } = await replay(daysAgo(30), (tx, caller) =>
    createAsset(tx, caller, { name: "Pumpe", workspace_id: "Depot" }),
  );
  const { task } = await replay(daysAgo(1), (tx, caller) =>
    createTask(tx, caller, {
      asset_id: asset.id,
      title: "Dichtung wechseln",
      due_date: nearestOnWeekday("first monday", dayFromToday(3))?.after ?? dayFromToday(3),
      estimated_minutes: 90,
      checklist: ["Absperren", "Entleeren"],
      recurrence: { every: 3, unit: "month", on_weekday: "first monday" },
    }),
  );
  seal = task.id;
  ({ id: late } = await aTask(db, owner, {
    asset_id: asset.id,
    title: "Sichtprüfung",
    due_date: dayFromToday(-3),
  }));
  browser = await signIn(app, owner);
});

const toText = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function read(address: string): Promise<string> {
  const page = await browser.get(address);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('<html lang="de">');
  return toText(page.body);
}

test("translates the task list", async () => {
  const text = await read("/tasks");

  expect(text).toContain("2 Aufgaben, 1 überfällig");
  expect(text).toContain("3 Tage überfällig");
  expect(text).toContain("In 7 Tagen fällig");
  expect(text).toContain("Früheste Fälligkeit");
  for (const english of ["Add a task", "Due within", "overdue", "Sort by", "Assign to"]) {
    expect(text).not.toContain(english);
  }
});

test("translates a task and its history", async () => {
  const text = await read(`/tasks/${seal}`);

  expect(text).toContain("Alle 3 Monate am ersten Montag, gezählt ab der Fälligkeit");
  expect(text).toContain("Geschätzte Dauer 1 Std. 30 Min.");
  expect(text).toContain("0 von 2 erledigt");
  expect(text).toMatch(/Olga Owner hat diese Aufgabe geplant/);
  expect(text).toContain("Arbeit beginnen");
  for (const english of ["Start work", "this task", "History", "Every 3"]) {
    expect(text).not.toContain(english);
  }
});

test("translates task forms, a refusal and the message after a change", async () => {
  expect(await read(`/tasks/${seal}/edit`)).toContain("Erster Montag");
  expect(await read(`/tasks/${seal}/cancel`)).toContain("Auch die Wiederholung beenden");
  expect(await read(`/tasks/${seal}/complete`)).toContain("Leer lassen für die aktuelle Zeit");

  const form = await browser.get("/tasks/new");
  const refused = await browser.submitForm(form, { title: "" });
  expect(toText(refused.body)).toContain("Geben Sie einen Titel ein.");

  await press(browser, await browser.get(`/tasks/${late}`), "Arbeit beginnen");
  expect(await read(`/tasks/${late}`)).toMatch(/T-\d+ begonnen\./);
});

test("translates the plan", async () => {
  const text = await read("/plan?view=month");

  expect(text).toContain("Auslastung");
  expect(text).toMatch(/Überfällig 1 .*Sichtprüfung/);
  expect(text).toContain("Nichts ist fällig.");
  for (const english of ["Previous", "This month", "Load", "Nothing is due", "ticked"]) {
    expect(text).not.toContain(english);
  }
  const page = await browser.get("/plan");
  const sent = await press(browser, page, "Verschieben", { due_date: dayFromToday(2) });
  expect(toText(sent.body)).toContain("Wählen Sie Aufgaben aus, um sie zu ändern.");
});

test("translates reports and undone changes", async () => {
  expect(await read("/reports")).toContain("Keine Meldungen zu prüfen");
  expect(await read("/reports/reviewed")).toContain("Noch keine geprüften Meldungen");
  const gone = await browser.get("/changes/nothing");
  expect(gone.body).toContain('<html lang="de">');
});
