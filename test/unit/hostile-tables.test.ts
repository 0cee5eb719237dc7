import { strToU8, zipSync } from "fflate";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { toFileName } from "../../server/src/domain/files/file-types.js";
import { readSettings as read } from "../../server/src/domain/exchange/import-settings.js";
import type { ImportKind } from "../../server/src/domain/exchange/import-kinds.js";
import { readTable } from "../../server/src/domain/exchange/read-table.js";
import { importWords } from "../../server/src/web/exchange/import-words.js";
import { createFairQueue } from "../../server/src/traffic/slots.js";

const sheetPart = "xl/worksheets/sheet1.xml";
const sheet =
  '<worksheet><row><c t="inlineStr"><is><t>Name</t></is></c></row><row><c><v>2</v></c></row></worksheet>';
const book = (parts: Record<string, string>) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))),
  );

const hostile: [what: string, parts: Record<string, string>][] = [
  ["tags within tags", { [sheetPart]: "<a>".repeat(100_000) }],
  [
    "more styles than there are",
    { [sheetPart]: sheet, "xl/styles.xml": `<s><cellXfs>${"<xf/>".repeat(100_001)}</cellXfs></s>` },
  ],
  [
    "more formats than there are, none of a date,",
    { [sheetPart]: sheet, "xl/styles.xml": `<s>${'<numFmt formatCode="["/>'.repeat(10_001)}</s>` },
  ],
  [
    "more empty texts than a workbook has",
    { [sheetPart]: sheet, "xl/sharedStrings.xml": `<sst>${"<si/>".repeat(2_000_001)}</sst>` },
  ],
  [
    "a text of more signs than a cell has",
    { [sheetPart]: sheet, "xl/sharedStrings.xml": `<sst><si><t>${"&amp;".repeat(100_001)}` },
  ],
];

const readSettings = (kind: ImportKind, file: Buffer) => read(kind, file, importWords());

describe("hostile workbooks", () => {
  test.each(hostile)("LIM-37 rejects %s while reading", async (_, parts) => {
    const { key } = (await readSettings("assets", book(parts)).catch(
      (error: unknown) => error,
    )) as { key: string };
    expect(key).toBe("file_unpacks_too_large");
  });

  test("LIM-37 reads a number format with 500,000 open brackets", async () => {
    const format = `<s><numFmts><numFmt numFmtId="1" formatCode="${"[".repeat(500_000)}"/></numFmts></s>`;
    const { rows } = await readSettings(
      "assets",
      book({ [sheetPart]: sheet, "xl/styles.xml": format }),
    );
    expect(rows).toBe(1);
  });

  test("LIM-37 yields to other work while reading empty lines, and rejects too many", async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    onTestFinished(() => {
      clearInterval(others);
    });
    const read = (lines: number) =>
      readSettings("assets", Buffer.from(`${"\n".repeat(lines)}Name\nPump\n`));

    expect((await read(100_000)).rows).toBe(1);
    expect(turns).toBeGreaterThan(5);
    await expect(read(1_100_000)).rejects.toMatchObject({ key: "file_too_many_rows" });
  });

  test("LIM-49 reads rows with missing or extra cells without extra errors", async () => {
    const made = vi.spyOn(Error, "captureStackTrace");
    onTestFinished(() => {
      made.mockRestore();
    });
    const { rows } = await readSettings(
      "assets",
      Buffer.from(`Name,Location\nPump\n\nPump,Roof,\n${"\n".repeat(1000)}Pump,Roof\n`),
    );

    expect(rows).toBe(3);
    // The parser creates an error for each such row and drops it. Only the sample of 30 lines may
    // cause that.
    expect(made.mock.calls.length).toBeLessThan(150);
  });

  test("counts lines when the file has invalid line numbers", async () => {
    const row = (line: string) => `<row r="${line}"><c><v>1</v></c></row>`;
    const lines = ["3", "x", "99999999999", "4", "9"].map(row).join("");
    const found: number[] = [];
    const file = book({ [sheetPart]: `<worksheet>${lines}</worksheet>` });
    for await (const { line } of readTable(file, { format: "xlsx" })) found.push(line);
    expect(found).toEqual([3, 4, 5, 6, 9]);
  });
});

describe("piles of marks, which take quadratic time to sort", () => {
  const pile = "a" + "\u0301\u0323".repeat(100_000);

  test("LIM-38 are cut in headings", async () => {
    const { headings } = await readSettings("assets", Buffer.from(`Name,${pile}\nPump,1\n`));
    expect(headings[1]).toHaveLength(200);
  });

  test("LIM-38 are cut in file names", () => {
    expect(toFileName(pile, "image/png").length).toBeLessThanOrEqual(200);
  });
});

describe("fair queue", () => {
  test("LIM-39 a caller with many jobs waits without delaying other callers", async () => {
    const inTurn = createFairQueue(2);
    const order: string[] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((done) => (open = done));
    const run = (who: string, name: string) =>
      inTurn(who, async () => {
        order.push(name);
        await gate;
      });
    const all = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1")];
    await new Promise((done) => setImmediate(done));
    expect(order).toEqual(["a1", "b1"]);
    open();
    await Promise.all(all);
    expect(order).toEqual(["a1", "b1", "a2", "a3"]);
  });

  test("continues after a failed job", async () => {
    const inTurn = createFairQueue(1);
    const failed = inTurn("a", () => Promise.reject(new Error("no")));
    const next = inTurn("a", async () => "done");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("done");
  });
});
