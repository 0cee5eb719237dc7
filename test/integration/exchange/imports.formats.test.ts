import { strToU8, zipSync } from "fflate";
import { beforeEach, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { planTable, pressImport } from "../../support/uploads.js";

describe("numbers, dates, currencies, and words of a table", () => {
  const current = useApp();
  let owner: Connected;
  let browser: TestBrowser;

  beforeEach(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
    await current().db.query("UPDATE organizations SET currency = 'GBP' WHERE id = $1", [
      owner.member.organizationId,
    ]);
  });

  const plan = (content: Buffer | string, kind = "assets") =>
    planTable(current().app, browser, { content, kind, name: "list.csv" });
  type Page = Awaited<ReturnType<typeof plan>>;

  async function pressAndFollow(
    page: Page,
    button: string,
    fields: Record<string, string> = {},
  ): Promise<Page> {
    const done = await press(browser, page, button, fields);
    return browser.get(String(done.headers.location));
  }

  async function stored(columns: string, table = "assets"): Promise<unknown[]> {
    const rows = await current().db.query<{ row: unknown }>(
      `SELECT to_jsonb(ARRAY[${columns}]::text[]) AS row FROM ${table}
       WHERE organization_id = $1 ORDER BY 1`,
      [owner.member.organizationId],
    );
    return rows.map(({ row }) => row);
  }
  /** Submits the columns form like a browser, with answers to its questions. */
  function readAgain(page: Page, columns: string[], answers: Record<string, string>) {
    const fields: Record<string, string> = { ...answers };
    for (const [at, field] of columns.entries()) fields[`column_${at}`] = field;
    return pressAndFollow(page, "Update preview", fields);
  }
  const inLanguage = (locale: string) =>
    current().db.query("UPDATE users SET locale = $2 WHERE id = $1", [owner.member.userId, locale]);

  test("reads amounts by their column's format and keeps their currency", async () => {
    const planned = await plan(
      "Name;Preis in €;Kaufdatum\n" +
        "A;1.249,00 €;13/04/2022\nB;1.099,00;01/04/2022\nC;84.500;\nD;CHF 1'249,50;\nE;£\u202f20;\n",
    );
    expect(planned.body).toContain("5 new, 0 changed, 0 unchanged, 0 wrong");
    expect(planned.body).toContain("Purchase cost: €84,500");
    await pressImport(browser, planned);
    expect(await stored("name, round(purchase_cost, 2), currency, purchase_date")).toEqual([
      ["A", "1249.00", "EUR", "2022-04-13"],
      ["B", "1099.00", "EUR", "2022-04-01"],
      ["C", "84500.00", "EUR", null],
      ["D", "1249.50", "CHF", null],
      ["E", "20.00", "GBP", null],
    ]);
  });

  test("asks about an ambiguous column format and applies the answer", async () => {
    const planned = await plan(
      "Name;Price;Purchase date\nA;84.500;01/04/2022\nB;120;\nC;1.250;02/03/2022\n",
    );
    expect(planned.body).toContain("Choose how to read 2 columns");
    // The reader's language suggests a reading, which doesn't apply yet.
    expect(planned.body).toMatch(/name="style_1">.*"point" selected/);
    expect(planned.body).toContain("1 new, 0 changed, 0 unchanged, 2 wrong");
    expect(planned.body).toContain("could be 84,500 or 84.5");
    expect(planned.body).toContain("could be 1 April 2022 or 4 January 2022");

    const columns = ["name", "purchase_cost", "purchase_date"];
    const half = await readAgain(planned, columns, { style_1: "comma" });
    expect(half.body).toContain("Choose how to read 1 column");
    const read = await readAgain(half, columns, { style_1: "comma", style_2: "month_first" });
    expect(read.body).not.toContain("Choose how to read");
    await pressImport(browser, read);
    expect(await stored("name, round(purchase_cost, 1), currency, purchase_date")).toEqual([
      ["A", "84500.0", "GBP", "2022-01-04"],
      ["B", "120.0", "GBP", null],
      ["C", "1250.0", "GBP", "2022-02-03"],
    ]);
  });

  test("reads amounts without a currency in the column's only currency or a chosen one", async () => {
    await owner.ok("create_asset", {
      ...{ name: "Old", inventory_number: "O-1", purchase_cost: 5, currency: "CHF" },
    });
    const planned = await plan(
      "Inv. no.;Name;Price\nL-1;Lift;84.500\nL-2;Door;1.249,00 €\nO-1;Old;7\n",
    );
    expect(planned.body).toContain("Amounts without a currency are in");
    expect(planned.body).toContain("Purchase cost: €84,500");
    const columns = ["inventory_number", "name", "purchase_cost"];
    const read = await readAgain(planned, columns, { currency_2: "GBP" });
    expect(read.body).toContain("Purchase cost: £84,500");
    await pressImport(browser, read);
    expect(await stored("name, currency")).toEqual([
      ["Door", "EUR"],
      ["Lift", "GBP"],
      ["Old", "CHF"],
    ]);
  });

  test("asks only about ambiguous cells when formats contradict each other", async () => {
    const planned = await plan("Name;Price\nA;1.249,00\nB;1,249.00\nC;84.500\n");
    expect(planned.body).toContain("Choose how to read 1 column");
    expect(planned.body).toContain("2 new, 0 changed, 0 unchanged, 1 wrong");
  });

  test("rejects an ambiguous currency sign unless the column or organization resolves it", async () => {
    const planned = await plan("Name;Price;Currency\nA;$5.50;\nB;$5.50;USD\nC;5.50 €;USD\n");
    expect(planned.body).toContain("can mean several currencies");
    expect(planned.body).toContain("This row has amounts in USD, EUR");
    expect(planned.body).toContain("1 new, 0 changed, 0 unchanged, 2 wrong");
    await current().db.query("UPDATE organizations SET currency = 'CAD' WHERE id = $1", [
      owner.member.organizationId,
    ]);
    await pressImport(browser, await plan("Name;Price\nA;$5.50\n"));
    expect(await stored("name, currency")).toEqual([["A", "CAD"]]);
  });

  test("asks once per column which currency a shared sign means, and shows every value", async () => {
    const file = `Name;Category;Price\n"Lift A";Lift;$5.50\nB;Door;7.00\nC;Door;$8.50\n`;
    const planned = await plan(file);
    expect(planned.body).toContain("1 new, 0 changed, 0 unchanged, 2 wrong");
    expect(planned.body).not.toMatch(/unclear|Amounts without a currency|name="cell_/);
    expect(planned.body).toMatch(
      /name="sign_2"><option value selected>Choose one<\/option><option value="USD">USD – US Dollar<\/option><option value="CAD">/,
    );
    const columns = ["name", "category", "purchase_cost"];
    const read = await readAgain(planned, columns, { sign_2: "AUD" });
    expect(read.body).toContain("3 new, 0 changed, 0 unchanged, 0 wrong");
    expect(read.body).toContain("Category: Lift · Purchase cost: A$5.50");
    const own = await readAgain(read, columns, { sign_2: "AUD", currency_2: "GBP" });
    await pressImport(browser, own);
    expect(await stored("name, currency")).toEqual([
      ["B", "GBP"],
      ["C", "AUD"],
      ["Lift A", "AUD"],
    ]);

    const all = await plan("Name;Price\nA;$5.50\n");
    expect(all.body).toContain("No rows without errors yet. Fix them in step 2.");
  });

  test("task costs keep their currency and never change it", async () => {
    const file =
      "Title;Workspace;State;Labour cost;Parts cost;Estimated minutes\nOil;Lab;Done;1.249,00 €;84.500 €;90\n";
    const planned = await plan(file, "tasks");
    // Each column's format is chosen separately.
    const places = ["title", "workspace_id", "state", "labor_cost", "parts_cost"];
    const read = await readAgain(planned, places, { style_4: "comma" });
    await pressImport(browser, read);
    const columns = "title, round(labor_cost), round(parts_cost), currency";
    expect(await stored(columns, "maintenance_tasks")).toEqual([["Oil", "1249", "84500", "EUR"]]);
    const back = await plan((await browser.get("/tasks.csv?state=all")).body, "tasks");
    expect(back.body).toContain("Nothing changes");
    const other = await plan("Task number;Labor cost\nT-1;£20\n", "tasks");
    expect(other.body).toContain("The costs of this task are in EUR");
  });

  test("reads workbook numbers as stored, in the currency of their format", async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const format = (id: number, code: string) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
    const parts = {
      "xl/workbook.xml": '<workbook><sheets><sheet r:id="r1"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      "xl/styles.xml": `<styleSheet><numFmts>${format(170, "#,##0.00\\ &quot;€&quot;")}${format(171, "[$CHF-807]\\ #,##0.00")}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
      "xl/worksheets/sheet1.xml":
        `<worksheet><sheetData><row>${cell("Name")}${cell("Price")}</row>` +
        `<row>${cell("A")}<c><v>84.125</v></c></row><row>${cell("B")}<c s="1"><v>1.25</v></c></row>` +
        `<row>${cell("C")}<c s="2"><v>84500</v></c></row><row>${cell("D")}${cell("1.250,00")}</row></sheetData></worksheet>`,
    };
    const entries = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
    const planned = await plan(Buffer.from(zipSync(Object.fromEntries(entries))));
    await pressImport(browser, planned);
    expect(await stored("name, round(purchase_cost, 3), currency")).toEqual([
      ["A", "84.125", "GBP"],
      ["B", "1.250", "EUR"],
      ["C", "84500.000", "CHF"],
      ["D", "1250.000", "GBP"],
    ]);
  });

  test("accepts page terms in each language and lists them in the reader's language", async () => {
    const planned = await plan(
      "Bezeichnung;Zustand;Status;Kritikalität;Seriennr.;Garantie bis\n" +
        "A;Gut;In Wartung;Hoch;S-1;31.12.2030\nB;schlecht;Außer Betrieb;niedrig;;\nC;prima;;;;\n",
    );
    expect(planned.body).toContain("Condition: &quot;prima&quot; (1 row)");
    expect(planned.body).toMatch(/Leave out<.*>Excellent<.*>Good<.*>Fair<.*>Poor<.*>Failed</);
    await inLanguage("de-DE");
    const german = await browser.get(String(planned.raw.req.url));
    expect(german.body).toMatch(/Auslassen<.*>Ausgezeichnet<.*>Gut<.*>Befriedigend<.*>Schlecht</);
    await pressImport(browser, german);
    const columns = "name, condition, state, criticality, serial_number, warranty_expires_on";
    expect(await stored(columns)).toEqual([
      ["A", "good", "in_maintenance", "high", "S-1", "2030-12-31"],
      ["B", "poor", "out_of_service", "low", null, null],
      ["C", null, "available", "medium", null, null],
    ]);
  });

  test("reimports an export in another language without changes", async () => {
    await owner.ok("create_asset", {
      ...{ name: "Pump", criticality: "high", condition: "good", purchase_cost: 84.125 },
      ...{ purchase_date: "2024-04-01", currency: "CHF", workspace_id: "Lab" },
    });
    for (const [from, to] of [
      ["de-DE", "en-GB"],
      ["en-US", "de-CH"],
    ] as const) {
      for (const type of ["csv", "xlsx"]) {
        await inLanguage(from);
        const { rawPayload } = await browser.get(`/assets.${type}`);
        await inLanguage(to);
        const { body } = await plan(rawPayload);
        expect(body, `${from} ${type}`).toMatch(/Nothing changes|Nichts ändert sich/);
      }
    }
  });

  test("lists every error of a row", async () => {
    const planned = await plan(
      "Name;Price;Workspace;Purchase date;Warranty ends;Estimate\n;about 7;Nowhere;2.2.2024;1.2.2024;odd\n",
    );
    const told = ["about 7", "Nowhere", "1 Feb 2024", "Name"];
    for (const one of told) expect(planned.body, one).toContain(one);
    expect(planned.body.match(/class="conflict"/g)).toHaveLength(4);
  });

  test("takes the state from a column of conditions, and part of a heading, as a guess", async () => {
    const planned = await plan("Name des Geräts;Zustand\nA;In Betrieb\nB;Defekt\n");
    expect(planned.body).toContain("2 to check");
    expect(planned.body).toContain("2 new, 0 changed");
    const read = await readAgain(planned, ["name", "state"], {});
    expect(read.body).toContain("All matched");
    await pressImport(browser, read);
    expect(await stored("name, state")).toEqual([
      ["A", "in_use"],
      ["B", "out_of_service"],
    ]);
  });

  test("lists unknown values once and imports them as chosen", async () => {
    const planned = await plan("Name;Condition\nA;prima\nB;Prima\nC;naja\n");
    expect(planned.body).toContain("3 new, 0 changed, 0 unchanged, 0 wrong");
    expect(planned.body).toContain("Condition: &quot;prima&quot; (2 rows)");
    expect(planned.body).toContain("Condition: &quot;naja&quot; isn't recognized and is left out.");
    const columns = ["name", "condition"];
    const read = await readAgain(planned, columns, { value_condition_prima: "good" });
    expect(read.body).toContain("Condition: &quot;prima&quot; (2 rows)");
    expect(read.body).toMatch(/name="value_condition_prima">.*?"good" selected/);
    await pressImport(browser, read);
    expect(await stored("name, condition")).toEqual([
      ["A", "good"],
      ["B", "good"],
      ["C", null],
    ]);
  });

  test("refuses an unknown role instead of leaving it out", async () => {
    const planned = await plan("Email;Role\nnew@example.com;Boss\n", "people");
    expect(planned.body).toContain("Nothing to import yet: 1 row needs fixing.");
    expect(planned.body).toContain("Use one of: Admin, Member, Viewer.");
  });

  test("corrects rows on the page and keeps corrections, and downloads the other wrong rows", async () => {
    const planned = await plan(
      "Name;Workspace;Price\n;Lab;about 7\nFan;Labb;84.500\nPump;Nowhere;1.249,00 €\n",
    );
    const columns = ["name", "workspace_id", "purchase_cost"];
    expect(planned.body).toContain("Nothing to import yet: 3 rows need fixing.");
    expect(planned.body).toContain('name="cell_2_0"');
    expect(planned.body).not.toContain('name="cell_3_0"');
    const first = await readAgain(planned, columns, { cell_2_0: "Lift", cell_2_2: "7,5" });
    const second = await readAgain(first, columns, { cell_3_1: "Lab" });
    expect(second.body).toContain("2 new, 0 changed, 0 unchanged, 1 wrong");

    const done = await pressImport(browser, second);
    const result = await browser.get(String(done.headers.location));
    expect(await stored("name, round(purchase_cost, 1), currency")).toEqual([
      ["Fan", "84500.0", "EUR"],
      ["Lift", "7.5", "EUR"],
    ]);
    const href = /href="([^"]*errors\.csv)"/.exec(result.body)?.[1];
    const { body, headers } = await browser.get(String(href));
    expect(headers["content-type"]).toContain("text/csv");
    expect(body).toContain("Name,Workspace,Price,Errors\r\nPump,Nowhere,");
    expect(body.trimEnd().split("\r\n")).toHaveLength(2);
  });
});
