import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPdf, readTexts } from "../../support/qr-reader.js";

async function readPdf(file: Buffer): Promise<{ pages: number; text: string }> {
  const pdf = await openPdf(file);
  const texts: string[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) texts.push(...(await readTexts(pdf, page)));
  return { pages: pdf.numPages, text: texts.join("\n") };
}

const checklist = [
  "Wipe the housing",
  { label: "Oil pressure", unit: "bar", min: 2, max: 6, required: true, follow_up: "Mend pump" },
  { label: "=Guard in place", kind: "pass_fail" },
  { label: "Remarks", kind: "text" },
  { label: "Signed by", kind: "signature" },
];

describe("the record of work as a file", () => {
  const current = useApp();
  let owner: Connected;
  let browser: TestBrowser;

  beforeAll(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
  });

  async function aTask(answers: Json | undefined, fields: Json = {}): Promise<string> {
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Pump", workspace_id: "Lab" },
    });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: asset.id, title: "Inspect the pump", checklist, ...fields },
    });
    if (answers !== undefined) {
      await owner.ok("update_maintenance_task", {
        ...{ task_id: task.id, checklist_tick: [1], checklist_answers: answers },
        ...{ state: "completed", completion_notes: "Seal looks old." },
      });
    }
    return `/tasks/${task.id}`;
  }

  const answers = { 2: 7.25, 3: "pass", 4: '=HYPERLINK("x")\nSeal; -2', 5: "Olga Owner" };

  test("as CSV, one row for each step, with formulas escaped", async () => {
    const address = await aTask(answers);
    expect((await browser.get(address)).body).toContain(`href="${address}/record.csv"`);

    const file = await browser.get(`${address}/record.csv`);

    expect(file.headers["content-type"]).toContain("text/csv");
    const [head = "", ...rows] = file.body.split("\r\n");
    expect(head).toContain("Answer,Drawing,Failed,Answered by,Answered at,Follow up task");
    expect(rows[0]).toContain("Wipe the housing,check");
    expect(rows[1]).toMatch(/Oil pressure,number,Yes,bar,2,6,,Yes,7\.25,,Yes,.*,T-\d+$/);
    expect(rows[2]).toContain("'=Guard in place,pass_fail");
    expect(file.body).toContain(`"'=HYPERLINK(""x"")\nSeal; '-2"`);
    expect(rows.join()).toContain("Olga Owner");
    expect((await browser.get(`${address}/record.xlsx`)).statusCode).toBe(200);
  });

  test("as PDF, with limits, answers, failures and pages", async () => {
    const many = Array.from({ length: 45 }, (_, index) => `Point ${index + 6}`);
    const address = await aTask(answers, { checklist: [...checklist, ...many] });

    const file = await browser.get(`${address}/record.pdf`);

    expect(file.headers["content-type"]).toBe("application/pdf");
    expect(file.headers["content-disposition"]).toMatch(/attachment; filename="T-\d+\.pdf"/);
    const { pages, text } = await readPdf(file.rawPayload);
    expect(pages).toBeGreaterThan(2);
    for (const words of [
      ...[
        "Inspect the pump",
        "Pump",
        "Lab",
        "7.25 bar – Above the limit",
        "Allowed: 2 bar to 6 bar",
      ],
      ...["Pass", "Olga Owner", "Task T-", "Point 50", "Seal looks old.", `Page 1 of ${pages}`],
    ]) {
      expect(text).toContain(words);
    }
  });

  test("a PDF says where characters are missing", async () => {
    const address = await aTask({ ...answers, 4: "漏れ\nעברית" });
    const { text } = await readPdf((await browser.get(`${address}/record.pdf`)).rawPayload);
    expect(text).toContain("??");
    expect(text).toContain("replaces characters");
  });

  test("not before a step is done, and not for others", async () => {
    const open = await aTask(undefined);
    expect((await browser.get(open)).body).not.toContain("record.pdf");
    for (const kind of ["pdf", "csv"]) {
      expect((await browser.get(`${open}/record.${kind}`)).statusCode).toBe(404);
    }
    const done = await aTask(answers);
    const stranger = await connect(current());
    const other = await signIn(current().app, stranger.member);
    for (const kind of ["pdf", "csv"]) {
      expect((await other.get(`${done}/record.${kind}`)).statusCode).toBe(404);
    }
  });
});
