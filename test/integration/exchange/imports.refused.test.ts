import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, Zip, ZipDeflate, zipSync } from "fflate";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import type { TestBrowser } from "../../support/browser.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { planTable, pressImport, upload } from "../../support/uploads.js";

/** A workbook of a few KB that unpacks to 260 MB. */
function aBomb(): Buffer {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((_error, piece) => pieces.push(piece));
  const add = (name: string) => {
    const part = new ZipDeflate(name, { level: 1 });
    zip.add(part);
    return part;
  };
  add("xl/worksheets/sheet1.xml").push(strToU8("<worksheet/>"), true);
  const texts = add("xl/sharedStrings.xml");
  const blanks = new Uint8Array(20_000_000).fill(32);
  for (let count = 0; count < 13; count += 1) texts.push(blanks);
  texts.push(strToU8("<sst/>"), true);
  zip.end();
  return Buffer.concat(pieces);
}

function aWorkbook(sheet: string, texts = "<sst/>"): Buffer {
  return Buffer.from(
    zipSync({
      "xl/workbook.xml": strToU8('<workbook><sheets><sheet r:id="r1"/></sheets></workbook>'),
      "xl/_rels/workbook.xml.rels": strToU8(
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      "xl/sharedStrings.xml": strToU8(texts),
      "xl/worksheets/sheet1.xml": strToU8(sheet),
    }),
  );
}

/** A small workbook with one long text that many cells refer to. */
function anEcho(text: string, rows: number): Buffer {
  const heading = (of: string) => `<c t="inlineStr"><is><t>${of}</t></is></c>`;
  const row = `<row>${heading("Pump")}${'<c t="s"><v>0</v></c>'.repeat(rows > 1 ? 30 : 1)}</row>`;
  return aWorkbook(
    `<worksheet><row>${heading("Name")}${heading("Tags")}</row>${row.repeat(rows)}</worksheet>`,
    `<sst><si><t>${text}</t></si></sst>`,
  );
}

describe("import refusals and permissions", () => {
  const current = useApp();
  let owner: Connected;
  let browser: TestBrowser;

  beforeEach(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
  });

  const plan = (content: Buffer | string, name = "list.csv") =>
    planTable(current().app, browser, { content, kind: "assets", name });

  test("rejects files that aren't tables or are too large, and stores nothing", async () => {
    const png = Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex");
    const files: Record<string, Buffer | string> = {
      empty: "",
      "only headings": "Name,Location\n",
      image: png,
      "image without line ends": Buffer.concat([png, Buffer.alloc(3000, ",\u0003;a")]),
      page: "<!doctype html>\n<p>Hello</p>\n",
      data: '{"name": "Pump",\n"a": 1}\n',
      prose: "Dear all,\nplease find attached\nthe list\n",
      "NUL bytes": "Name,Location\nPump\0,Roof\n",
      "10,000 columns": `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(",")}\nPump\n`,
      "100,001 rows": `Name\n${"Pump\n".repeat(100_001)}`,
      "open quote": 'Name,Location\n"Pump,Roof\n',
      "too large": `Name\n${"Pump number one of very many, with a long name\n".repeat(500_000)}`,
      "no workbook": Buffer.from(zipSync({ "word/document.xml": strToU8("<a/>") })),
      "half a workbook": aWorkbook("<worksheet/>").subarray(0, 60),
      bomb: aBomb(),
      "a long text in each of 3,000 cells": anEcho("a".repeat(99_000), 100),
    };
    for (const [name, content] of Object.entries(files)) {
      const sent = await upload(current().app, browser, "/import", {
        ...{ name: "file.xlsx", content, fields: { kind: "assets" } },
      });
      expect(sent.statusCode, name).toBe(400);
      expect(sent.body, name).toContain('id="file-error"');
      if (name.includes("image")) expect(sent.body, name).toContain("a readable table");
    }
    const missing = await upload(current().app, browser, "/import", {
      ...{ name: "", content: "", fields: { kind: "assets" } },
    });
    expect(missing.statusCode).toBe(400);
    const sets = await current().db.query("SELECT 1 FROM change_sets WHERE organization_id = $1", [
      owner.member.organizationId,
    ]);
    expect(sets).toEqual([]);
  });

  test("allows only owners and admins of the organization, with the form's token", async () => {
    const { app, db } = current();
    const planned = await plan("Name\nPump\n");
    const address = String(planned.raw.req.url);
    const { organization } = owner.member;
    const member = await aMember(db, { organization, role: "member", workspace: "Lab" });
    for (const other of [member, await aMember(db)]) {
      const theirs = await signIn(app, other);
      expect((await theirs.get(address)).statusCode).toBe(404);
      const [form] = [await pressImport(browser, planned, { _csrf: "no" })];
      expect(form.statusCode).toBe(403);
    }
    const theirs = await signIn(app, member);
    expect((await theirs.get("/import")).statusCode).toBe(403);
    const stranger = await app.inject({
      ...{ method: "POST", url: "/import", payload: "--x--\r\n" },
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect(stranger.statusCode).toBeGreaterThanOrEqual(400);
    const { organizationId } = owner.member;
    const assets = await db.query("SELECT 1 FROM assets WHERE organization_id = $1", [
      organizationId,
    ]);
    expect(assets).toEqual([]);
  });

  test("GRO-05 keeps ten waiting plans per person and drops the oldest", async () => {
    const { db } = current();
    for (let count = 0; count < 11; count += 1) await plan(`Name\nPump ${count}\n`, `${count}.csv`);
    const waiting = await db.query<{ title: string }>(
      "SELECT title FROM change_sets WHERE organization_id = $1 ORDER BY created_at, id",
      [owner.member.organizationId],
    );
    expect(waiting).toHaveLength(10);
    expect(waiting.map(({ title }) => title)).not.toContain("0.csv");
  });

  test("GRO-05 plans from apps don't displace a plan the person uploaded", async () => {
    await plan("Name\nPump\n", "mine.csv");
    for (let count = 0; count < 11; count += 1) {
      await owner.ok("create_asset", { prepare_only: true, name: `Fan ${count}` });
    }
    const waiting = await current().db.query<{ by_app: boolean; count: number }>(
      `SELECT client_name IS NOT NULL AS by_app, count(*)::int AS count FROM change_sets
       WHERE organization_id = $1 GROUP BY 1 ORDER BY 1`,
      [owner.member.organizationId],
    );
    expect(waiting).toEqual([
      { by_app: false, count: 1 },
      { by_app: true, count: 10 },
    ]);
  });

  test("marks a row with an unreadable list as wrong and continues planning", async () => {
    const planned = await plan('Name,Tags\nPump,"""abc"\nFan,a\n');
    expect(planned.body).toContain("1 new, 0 changed, 0 unchanged, 1 wrong");
  });

  test("rejects a cell far longer than its field without parsing it", async () => {
    const planned = await plan(anEcho("a,".repeat(49_000), 1), "list.xlsx");
    expect(planned.body).toContain("0 new, 0 changed, 0 unchanged, 1 wrong");
    expect(planned.body).toContain("must have at most 1000 characters");
  });

  test("keeps no transaction open while waiting to read a file again", async () => {
    const { app, db } = current();
    const planned = await plan("Name;Location\nPump;Roof\n");
    const action = `${String(planned.raw.req.url)}/columns`;
    let open: () => void = () => undefined;
    const turn = app.services.readInTurn(
      "org_of_others",
      () => new Promise<void>((done) => (open = done)),
    );
    const wanted = vi.spyOn(app.services, "readInTurn");
    const sent = browser.submitForm(planned, { delimiter: "|" }, { action });
    await vi.waitFor(() => {
      expect(wanted).toHaveBeenCalledOnce();
    }, 60_000);

    const inTransaction =
      await db.query(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND state = 'idle in transaction'`);

    open();
    await Promise.all([turn, sent]);
    expect(inTransaction).toEqual([]);
  });

  test("LIM-75 reads a file when its turn comes and holds no memory before", async () => {
    const { app, db } = current();
    const planned = await plan("Name;Location\nPump;Roof\n");
    const address = String(planned.raw.req.url);
    let open: () => void = () => undefined;
    const turn = app.services.readInTurn(
      "org_of_others",
      () => new Promise<void>((done) => (open = done)),
    );
    const wanted = vi.spyOn(app.services, "readInTurn").mockClear();
    const again = browser.submitForm(planned, { delimiter: "|" }, { action: `${address}/columns` });
    const file = { name: "list.csv", content: "Name\nEarlier upload\n" };
    const sending = upload(app, browser, "/import", { ...file, fields: { kind: "assets" } });
    await vi.waitFor(() => {
      expect(wanted).toHaveBeenCalledTimes(2);
    }, 60_000);

    writeFileSync(findUpload(file.content), "Name\nLater upload\n");
    await db.query("UPDATE import_pieces SET bytes = $1 WHERE change_set_id = $2", [
      Buffer.from("Name|Location\nLater pump|Roof\n"),
      address.split("/").at(-1),
    ]);

    open();
    const [sent] = await Promise.all([sending, again, turn]);
    expect((await browser.get(address)).body).toContain("Later pump");
    expect((await browser.get(String(sent.headers.location))).body).toContain("Later upload");
  });

  function findUpload(content: string): string {
    const folders = readdirSync(tmpdir()).filter((name) =>
      name.startsWith(`fettle-uploads-${process.pid}-`),
    );
    const paths = folders.flatMap((folder) => {
      const files = readdirSync(join(tmpdir(), folder));
      return files.map((name) => join(tmpdir(), folder, name));
    });
    const found = paths.find((path) => readFileSync(path, "utf8") === content);
    if (found === undefined) throw new Error("The file is not there.");
    return found;
  }

  test("maps a column only to fields of the table", async () => {
    const planned = await plan("Name,Other\nPump,x\n");
    const address = String(planned.raw.req.url);
    const fields = { column_0: "name", column_1: "toString" };
    await browser.submitForm(planned, fields, { action: `${address}/columns` });
    const sets = await current().db.query(
      "SELECT settings -> 'columns' AS columns FROM change_sets WHERE organization_id = $1",
      [owner.member.organizationId],
    );
    expect(sets).toEqual([{ columns: ["name", null] }]);
  });

  test("hides a plan from its creator after they lose admin rights", async () => {
    const { db, app } = current();
    const { organization, organizationId } = owner.member;
    const admin = await aMember(db, { organization, role: "admin" });
    const theirs = await signIn(app, admin);
    const sent = await upload(app, theirs, "/import", {
      ...{ name: "a.csv", content: "Name\nPump\n", fields: { kind: "assets" } },
    });
    const address = String(sent.headers.location);
    expect((await theirs.get(address)).statusCode).toBe(200);
    await db.query(
      "UPDATE organization_members SET role = 'member' WHERE organization_id = $1 AND user_id = $2",
      [organizationId, admin.userId],
    );
    expect((await theirs.get(address)).statusCode).toBe(403);
  });

  test("LIM-40 queues background jobs per organization and starts each once", async () => {
    const { app } = current();
    const begun: string[] = [];
    // Looked up in advance so both start at once.
    for (const id of ["org_a", "org_b"]) await app.services.quotaOrganizationOf(id);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((done) => (open = done));
    const run = (organizationId: string, id: string) =>
      app.services.runJob({ name: "test", organizationId, id }, async () => {
        begun.push(id);
        await gate;
      });
    const all = [run("org_a", "1"), run("org_a", "1"), run("org_a", "2"), run("org_b", "3")];
    await new Promise((done) => setImmediate(done));
    expect(begun).toEqual(["1", "3"]);
    open();
    await Promise.all(all);
    expect(begun).toEqual(["1", "3", "2"]);
  });

  test("LIM-40 long jobs of many organizations let another organization's job run", async () => {
    const { endedBefore, ended } = await runBeside(false);
    expect(endedBefore).toBe(0);
    expect(ended).toBe(4);
  });

  test("LIM-40 runs at most four jobs that hold data in memory", async () => {
    const { endedBefore } = await runBeside(true);
    expect(endedBefore).toBeGreaterThan(0);
  });

  /**
   * Starts long jobs of four organizations, then a short job of another. Returns how many ended
   * before the short one began.
   */
  async function runBeside(isHeld: boolean) {
    const { app } = current();
    let [ended, endedBefore] = [0, -1];
    for (const id of ["a", "b", "c", "d", "e"]) await app.services.quotaOrganizationOf(`org_${id}`);
    const run = (id: string, work: Parameters<typeof app.services.runJob>[1]) =>
      app.services.runJob({ name: "test", organizationId: `org_${id}`, id, isHeld }, work);
    const long = ["a", "b", "c", "d"].map((id) =>
      run(id, async (shouldContinue) => {
        for (let steps = 0; steps < 100 && (await shouldContinue()); steps += 1) {
          await new Promise((done) => setImmediate(done));
        }
        ended += 1;
      }),
    );
    const short = run("e", () => {
      endedBefore = ended;
      return Promise.resolve();
    });
    await Promise.all([...long, short]);
    return { endedBefore, ended };
  }
});
