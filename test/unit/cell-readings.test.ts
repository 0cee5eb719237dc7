import { describe, expect, test } from "vitest";
import { readDays, readNumbers } from "../../server/src/domain/exchange/cell-styles.js";
import { guessFields } from "../../server/src/domain/exchange/guess-fields.js";
import { guessColumns } from "../../server/src/domain/exchange/import-kinds.js";
import {
  findCurrency,
  readWrittenAmount,
  splitHeading,
} from "../../server/src/domain/exchange/read-money.js";
import { importWords } from "../../server/src/web/exchange/import-words.js";

const guess = (kind: "assets" | "tasks", ...headings: string[]) =>
  guessColumns(kind, headings, importWords());

describe("readings of a cell", () => {
  test.each([
    ["84.500", { comma: 84_500, point: 84.5 }],
    ["84,500", { comma: 84.5, point: 84_500 }],
    ["1.249,00", { comma: 1249 }],
    ["1,249.00", { point: 1249 }],
    ["1.250.000", { comma: 1_250_000 }],
    ["1,25,00,000", { point: 12_500_000 }],
    ["0.500", { point: 0.5 }],
    ["12.5", { point: 12.5 }],
    ["1249,500", { comma: 1249.5 }],
    ["1'249.500", { point: 1249.5 }],
    ["1\u202f249,00", { comma: 1249 }],
    ["1\u00a0249", { comma: 1249, point: 1249 }],
    ["1’249.-", { point: 1249 }],
    ["84,–", { comma: 84 }],
    ["12.34.56", {}],
    ["1,2,3", {}],
    ["1e3", {}],
    ["", {}],
  ])("reads the number %j", (text, readings) => {
    expect(readNumbers(text)).toEqual(readings);
  });

  test.each([
    ["01/04/2022", { day_first: "2022-04-01", month_first: "2022-01-04" }],
    ["13/04/2022", { day_first: "2022-04-13" }],
    ["04-13-2022", { month_first: "2022-04-13" }],
    ["1.4.2022", { day_first: "2022-04-01", month_first: "2022-04-01" }],
    ["2022-04-01 00:00:00", { day_first: "2022-04-01", month_first: "2022-04-01" }],
    ["31/02/2022", {}],
    ["01/04/22", { day_first: "2022-04-01", month_first: "2022-01-04" }],
    ["15-09-25", {}],
    ["12 Foo 2018", {}],
    ["12 ju 2018", {}],
    ["32 May 2018", {}],
    ["May 2018", {}],
  ])("reads the date %j", (text, readings) => {
    expect(readDays(text)).toEqual(readings);
  });
});

test.each([
  ["15.09.25", "2025-09-15"],
  ["1.1.79", "2079-01-01"],
  ["1.1.80", "1980-01-01"],
  ["12. Mai 2018", "2018-05-12"],
  ["12.Mai.18", "2018-05-12"],
  ["12 May 2018", "2018-05-12"],
  ["12-May-18", "2018-05-12"],
  ["12th of May 2018", "2018-05-12"],
  ["May 12, 2018", "2018-05-12"],
  ["Sept. 3rd, 2018", "2018-09-03"],
  ["12 mai 2018", "2018-05-12"],
  ["1er févr. 2018", "2018-02-01"],
  ["12 JUILLET 2018", "2018-07-12"],
  ["12 de mayo de 2018", "2018-05-12"],
  ["3 ene 2018", "2018-01-03"],
  ["3. Jänner 2018", "2018-01-03"],
  ["3. Mrz. 2018", "2018-03-03"],
  ["3 mar 2018", "2018-03-03"],
])("reads %j in each style as one date", (text, day) => {
  expect(readDays(text)).toEqual({ day_first: day, month_first: day });
});

describe("currency of an amount", () => {
  test.each([
    ["1.249,00 €", "GBP", "EUR"],
    ["EUR1.249", "GBP", "EUR"],
    ["£84", "EUR", "GBP"],
    ["CHF 1'249.50", "EUR", "CHF"],
    ["Fr. 50.–", "EUR", "CHF"],
    ["$5", "CAD", "CAD"],
    ["$5", "EUR", "unclear"],
    ["$5 USD", "EUR", "USD"],
    ["US$5", "CAD", "USD"],
    ["5 kr", "SEK", "SEK"],
    ["5", "EUR", undefined],
  ])("is found in %j when the organization uses %s", (text, own, currency) => {
    expect(findCurrency(readWrittenAmount(text)?.currencies ?? [], own)).toBe(currency);
  });

  test("is not found in words that name no currency", () => {
    for (const text of ["5 pcs", "about 7", "7 K", "XYZ 5", "-5"]) {
      expect(readWrittenAmount(text), text).toBeUndefined();
    }
  });

  test("can be in the column heading", () => {
    const currencies = [
      "Price (EUR)",
      "Preis in €",
      "Kosten [chf]",
      "Cost GBP",
      "Preis€",
      "Cost all",
    ];
    expect(currencies.map((one) => splitHeading(one).currency)).toEqual([
      ...["EUR", "€", "chf", "GBP", "€", undefined],
    ]);
    expect(guess("assets", "Name", "Preis in EUR")).toEqual(["name", "purchase_cost"]);
  });
});

test("recognizes a column by its label in any language and by common synonyms", () => {
  const headings = {
    ...{
      Zustand: "condition",
      Status: "state",
      Kritikalität: "criticality",
      Kritikalitaet: "criticality",
    },
    ...{ Anschaffungskosten: "purchase_cost", Preis: "purchase_cost", Kaufpreis: "purchase_cost" },
    ...{
      "Seriennr.": "serial_number",
      "Serien-Nr.": "serial_number",
      "Serial no": "serial_number",
    },
    ...{ "Garantie bis": "warranty_expires_on", "Inv.-Nr.": "inventory_number" },
    ...{ Kostenstelle: "cost_center", "In Betrieb seit": "in_service_date", Standort: "location" },
    ...{
      Zuständig: "assigned_to_user_id",
      Arbeitsbereich: "workspace_id",
      "Teil von": "parent_asset_id",
    },
  };
  for (const [heading, field] of Object.entries(headings)) {
    expect(guess("assets", heading), heading).toEqual([field]);
  }
  expect(guess("tasks", "Fällig am", "Art", "Lohnkosten", "Geschätzte Dauer")).toEqual([
    ...["due_date", "type", "labor_cost", "estimated_minutes"],
  ]);
});

test("guesses a column from its values or from a part of its heading", () => {
  const guessed = (heading: string, ...values: string[]) =>
    guessFields("assets", { headings: [heading], samples: [values] }, importWords());
  expect(guessed("Zustand", "Gut", "Defekt")).toEqual({ columns: ["condition"], doubtful: [] });
  expect(guessed("Zustand", "In Betrieb", "Defekt")).toEqual({ columns: ["state"], doubtful: [0] });
  expect(guessed("Name des Geräts")).toEqual({ columns: ["name"], doubtful: [0] });
  expect(guessed("Kaufpreis netto")).toEqual({ columns: ["purchase_cost"], doubtful: [0] });
  expect(guessed("Vornamen")).toEqual({ columns: [null], doubtful: [] });
});
