import { expect, test } from "vitest";
import { inLocale } from "../../server/src/language/locale.js";
import { retellNote } from "../../server/src/web/history/stored-texts.js";
import { toChangedValue } from "../../server/src/web/history/history-values.js";

const style = { timeZone: "Europe/Berlin", now: new Date(), currency: null };

test.each([
  ["recurrence", "every 3 months", "Alle 3 Monate, gezählt ab der Fälligkeit"],
  [
    "recurrence",
    "every month on the first Monday after completion until 2027-06-30",
    "Jeden Monat am ersten Montag",
  ],
  ["recurrence", "every year or every 10,000 km (Odometer)", "10.000 km (Odometer)"],
  ["recurrence", "every 500 h (Hour meter (left)) until 2027-06-30", "30. Juni 2027"],
  ["recurrence", "as an earlier version kept it", "as an earlier version kept it"],
  ["meter: Odometer", "120,300.5 km (replaced)", "120.300,5 km (getauscht)"],
  ["due_usage", "130,000 km", "130.000 km"],
  ["due_usage", "unknown", "unknown"],
])("translates %s of the history into German: %s", (field, kept, german) => {
  expect(inLocale("de-DE", () => toChangedValue(field, kept, style))).toContain(german);
});

test.each([
  ["system", "Odometer reached 125,000 km.", "Odometer hat 125.000 km erreicht."],
  ["web", "Odometer reached 125,000 km.", "Odometer reached 125,000 km."],
  ["web", "Problem reported: It leaks.\nMuch.", "Gemeldetes Problem: It leaks.\nMuch."],
  ["web", "Also reported: {x}", "Ebenfalls gemeldet: {x}"],
])(
  "translates Fettle's notes into German and keeps people's words: %s %s",
  (source, note, german) => {
    expect(retellNote({ note, source })).toBe(note);
    expect(inLocale("de-DE", () => retellNote({ note, source }))).toBe(german);
  },
);
