// @module-tag embedded

import { strToU8, zipSync } from "fflate";
import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { readStrictCsv } from "../../support/strict-csv.js";
import { before } from "../../support/statements.js";
import { planTable, pressImport, upload } from "../../support/uploads.js";

describe("table import", () => {
  const current = useApp();
  let owner: Connected;
  let browser: TestBrowser;

  beforeEach(async () => {
    owner = await connect(current());
    browser = await signIn(current().app, owner.member);
    await owner.ok("create_workspace", { name: "Lab" });
  });

  const plan = (content: Buffer | string, kind = "assets", name = "list.csv") =>
    planTable(current().app, browser, { content, kind, name });

  async function pressAndFollow(
    page: Awaited<ReturnType<typeof plan>>,
    button: string,
    fields: Record<string, string> = {},
  ) {
    const done = await press(browser, page, button, fields);
    return browser.get(String(done.headers.location));
  }
  const apply = async (planned: Awaited<ReturnType<typeof plan>>) =>
    browser.get(String((await pressImport(browser, planned)).headers.location));
  async function undo(applied: Awaited<ReturnType<typeof plan>>) {
    const [, preview] = /href="(\/changes\/\w+\/undo)"/.exec(applied.body) ?? [];
    return pressAndFollow(preview === undefined ? applied : await browser.get(preview), "Undo");
  }

  const assetsOf = ({ organizationId }: Member): Promise<Record<string, unknown>[]> =>
    current().db.query(
      `SELECT a.*, c.name AS category FROM assets a LEFT JOIN asset_categories c
         ON c.organization_id = a.organization_id AND c.id = a.category_id
       WHERE a.organization_id = $1 ORDER BY a.name`,
      [organizationId],
    );

  test("says that it continues automatically only while it does", async () => {
    const planned = await plan("Name;Workspace\nPump;Lab\n");
    const { organizationId } = owner.member;
    const set = await current().db.maybe<{ id: string }>(
      "UPDATE change_sets SET state = 'applying', worked_at = now() WHERE organization_id = $1 RETURNING id",
      [organizationId],
    );
    const read = () => browser.get(`/import/${String(set?.id)}`);
    const running = await read();
    await current().db.query(
      "UPDATE change_sets SET worked_at = now() - interval '2 minutes' WHERE id = $1",
      [set?.id],
    );
    const resting = await read();

    expect(planned.statusCode).toBe(200);
    expect(running.body).toContain("This page updates automatically.");
    expect(running.headers["refresh"]).toBe("3");
    expect(resting.body).toContain("Continue");
    expect(resting.body).not.toContain("updates automatically");
    expect(resting.headers["refresh"]).toBeUndefined();
  });

  test("shows good and wrong rows by line, stores the good ones, and undoes them", async () => {
    await owner.ok("create_asset", {
      ...{ name: "Old name", inventory_number: "A-1", location: "Roof", workspace_id: "Lab" },
    });
    const planned = await plan(
      "Inventory number;Name;Workspace;Location;Purchase cost\n" +
        "A-1;Pump;Lab;Roof;\n" +
        'A-2;"Two\nlines";Lab;Bay;1.249,90\n' +
        "A-3;Fan;Nowhere;Bay;\n" +
        "A-4;Motor;Lab;;about 7\n" +
        "A-2;Twice;Lab;;\n",
    );
    expect(planned.body).toContain("Line 2: A-1 Pump");
    expect(planned.body).toContain('<del dir="auto">Old name</del>');
    expect(planned.body).toContain("Line 5: A-3 Fan");
    expect(planned.body).toContain("about 7");
    expect(planned.body).toContain("Line 3 of the file has the same number");
    expect(planned.body).toContain("0 new, 1 changed, 0 unchanged, 4 wrong");
    expect(await assetsOf(owner.member)).toHaveLength(1);
  });

  const placesOf = async () =>
    (
      await current().db.query<{ name: string; place: string | null }>(
        `SELECT a.name, w.name::text AS place FROM assets a LEFT JOIN workspaces w
           ON w.organization_id = a.organization_id AND w.id = a.workspace_id
         WHERE a.organization_id = $1 ORDER BY a.name`,
        [owner.member.organizationId],
      )
    ).map(({ name, place }) => [name, place]);

  test("puts assets without a workspace in one that exists or is new", async () => {
    await owner.ok("create_asset", { name: "Old", inventory_number: "A-1", workspace_id: "Lab" });
    const planned = await plan(
      "Inventory number;Name;Workspace\nA-1;Lift;\nA-2;Fan;\nA-3;Pump;lab\n",
    );
    expect(planned.body).toContain('<option value="in:Lab">Lab</option>');

    const columns = { column_0: "inventory_number", column_1: "name", column_2: "workspace_id" };
    const named = { ...columns, place: "new", place_name: " Roof  top " };
    const again = await pressAndFollow(planned, "Update preview", named);
    expect(again.body).toContain("Creates the workspace &quot;Roof top&quot;. Undo keeps it.");
    expect(again.body).toContain("2 new, 1 changed");
    await apply(again);
    // An asset keeps its workspace, and a cell comes first.
    expect(await placesOf()).toEqual([
      ["Fan", "Roof top"],
      ["Lift", "Lab"],
      ["Pump", "Lab"],
    ]);

    const next = await plan("Name\nCrane\n");
    expect(next.body).toContain("Only owners and admins will see these assets.");
    await apply(
      await pressAndFollow(next, "Update preview", { column_0: "name", place: "in:Roof top" }),
    );
    expect(await placesOf()).toContainEqual(["Crane", "Roof top"]);
  });

  test("creates a workspace per value of a column, for valid rows only", async () => {
    const planned = await plan(
      "Name;Location;Purchase date\nFan;Hall 1;12. Mai 2018\nLift;hall 1;15.09.25\nPump;LAB;\nBad;Hall 2;about\n" +
        "None;;\n",
    );
    const columns = { column_0: "name", column_1: "location", column_2: "purchase_date" };
    const again = await pressAndFollow(planned, "Update preview", { ...columns, place: "by:1" });
    expect(again.body).toContain("4 new, 0 changed, 0 unchanged, 1 wrong");
    const applied = await apply(again);
    expect(await placesOf()).toEqual([
      ["Fan", "Hall 1"],
      ["Lift", "Hall 1"],
      ["None", null],
      ["Pump", "Lab"],
    ]);
    const places = await current().db.query(
      "SELECT name::text FROM workspaces WHERE organization_id = $1 ORDER BY name",
      [owner.member.organizationId],
    );
    expect(places).toEqual([{ name: "Hall 1" }, { name: "Lab" }]);
    for (const step of [
      "View the assets",
      "Print labels",
      "Add maintenance plans",
      "Invite people",
    ])
      expect(applied.body).toContain(step);
    const [, labels = ""] = /href="(\/labels\/new\?ids=[^"]+)"/.exec(applied.body) ?? [];
    expect(labels.match(/ids=ast_/g)).toHaveLength(4);
    expect((await undo(applied)).body).not.toContain("Next steps");
  });

  test("offers to create workspaces that a column names and that don't exist", async () => {
    const planned = await plan("Name;Workspace\nFan;Hall 1\nLift;Lab\nPump;none\n");
    expect(planned.body).toContain("The workspace &quot;Hall 1&quot; doesn't exist.");
    expect(planned.body).toContain("1 new, 0 changed, 0 unchanged, 2 wrong");

    const columns = { column_0: "name", column_1: "workspace_id" };
    const again = await pressAndFollow(planned, "Update preview", { ...columns, place: "by:1" });
    expect(again.body).toContain("Creates the workspace &quot;Hall 1&quot;.");
    expect(again.body).toContain("2 new, 0 changed, 0 unchanged, 1 wrong");
    await apply(again);
    expect(await placesOf()).toEqual([
      ["Fan", "Hall 1"],
      ["Lift", "Lab"],
    ]);
  });

  test("reads informal sheets with titles, short headings, placeholder values, and a total row", async () => {
    const planned = await plan(
      Buffer.from(
        "Equipment list;;;;;\nCreated;24.11.2026;;;;\n\n" +
          "Inv. No.;Bezeichnung;S/N;Mfr;Status;Comment\n" +
          "M-1;Pr\xfcfstand;123;Linde;In service;n/a\n" +
          "M-2;Pump;-;N/A;broken;wet\n" +
          "Total;2;;;;\n",
        "latin1",
      ),
    );
    expect(planned.body).toContain("2 new, 0 changed, 0 unchanged, 1 wrong");
    expect(planned.body).toContain("Line 5: M-1 Prüfstand");
    expect(planned.body).toContain("Manufacturer: Linde");
    expect(planned.body).toContain("Wrong (1)");
    expect(planned.body).toContain("This looks like the sum of the rows above it");
    await apply(planned);
    const fields = ["inventory_number", "serial_number", "manufacturer", "state", "description"];
    expect((await assetsOf(owner.member)).map((row) => fields.map((field) => row[field]))).toEqual([
      ["M-1", "123", "Linde", "in_use", null],
      ["M-2", null, null, "out_of_service", "wet"],
    ]);
  });

  test("asks for the name column when no heading identifies it", async () => {
    const told = "No column is imported as “Name”";
    const planned = await plan("Inv. No.;Description\nM-1;Pump\n");
    expect(planned.body).toContain(told);

    const read = await press(browser, planned, "Update preview", { column_1: "name" });
    const again = await browser.get(String(read.headers.location));
    expect(again.body).toContain("1 new, 0 changed");
    expect(again.body).not.toContain(told);
  });

  test("stores good rows in one set despite wrong ones, and undoes all of them", async () => {
    await owner.ok("create_asset", { name: "Old", inventory_number: "A-1", workspace_id: "Lab" });
    const planned = await plan(
      "Inventory number,Name,Workspace\nA-1,New,Lab\nA-2,Fan,Lab\nA-3,Bad,Nowhere\n",
    );
    expect(planned.body).toContain("1 new, 1 changed, 0 unchanged, 1 wrong");
    const applied = await apply(planned);
    expect(applied.body).toContain("2 rows imported");
    expect(applied.body).toContain("1 not imported because of errors");
    expect((await assetsOf(owner.member)).map(({ name }) => name)).toEqual(["Fan", "New"]);

    const [, preview = ""] = /href="(\/changes\/\w+\/undo)"/.exec(applied.body) ?? [];
    const previewed = (await browser.get(preview)).body;
    expect(previewed).toMatch(/A-2 Fan<\/a><span class="tag">Will be retired</);
    expect(previewed).toContain('<ins dir="auto">Old</ins>');
    const undone = await undo(applied);
    expect(undone.body).toContain("Undone: 1 retired, 1 restored.");
    expect(undone.body).not.toMatch(/>Undo<|rows imported|>Added</);
    expect(undone.body).toMatch(/A-2 Fan<\/a><span class="tag">Undone</);
    expect((await browser.get(preview)).body).not.toContain('<button type="submit">Undo');
    expect((await assetsOf(owner.member)).map(({ name, state }) => [name, state])).toEqual([
      ["Fan", "deleted"],
      ["Old", "available"],
    ]);
  });

  test("restores assets an undo retired, from the original or a corrected file, repeatedly", async () => {
    const file = "Inventory number,Name,Workspace,Part of\nA-1,Pump,Lab,\nA-2,Wheel,Lab,A-1\n";
    const assets = async () =>
      (await assetsOf(owner.member)).map((row) => [row["name"], row["state"]]);
    await undo(await apply(await plan(file)));
    const planned = await plan(file);
    expect(planned.body).toContain("0 new, 2 changed, 0 unchanged, 0 wrong");
    expect(planned.body).toContain('<del dir="auto">Retired</del>');
    expect(planned.body).toContain('<ins dir="auto">Available</ins>');
    const again = await apply(planned);
    expect(again.body).toContain("2 rows imported");
    expect(await assets()).toEqual([
      ["Pump", "available"],
      ["Wheel", "available"],
    ]);
    await undo(again);
    expect((await assetsOf(owner.member)).map((row) => row["deletion_reason"])).toEqual([
      "entered_in_error",
      "entered_in_error",
    ]);
    await apply(await plan(file.replace("Wheel", "Impeller")));
    expect(await assets()).toEqual([
      ["Impeller", "available"],
      ["Pump", "available"],
    ]);
  });

  test("restores assets in the file's state, or as available without one", async () => {
    const file = "Inventory number,Name,Status\nA-1,Fan,Broken\nA-2,Motor,\nA-3,Old,Retired\n";
    const states = async () => (await assetsOf(owner.member)).map(({ state }) => state);
    const applied = await apply(await plan(file));
    expect(await states()).toEqual(["out_of_service", "available", "deleted"]);
    await undo(applied);
    const planned = await plan(file);
    expect(planned.body).toContain("0 new, 2 changed, 1 unchanged, 0 wrong");
    const again = await apply(planned);
    expect(await states()).toEqual(["out_of_service", "available", "deleted"]);
    await undo(again);
    expect(await states()).toEqual(["deleted", "deleted", "deleted"]);
  });

  test("reports the number of retired assets among unchanged rows", async () => {
    for (const number of ["A-1", "A-2"]) {
      await owner.ok("create_asset", { name: "Pump", inventory_number: number });
      await owner.ok("update_asset_state", { asset_id: number, state: "deleted", reason: "sold" });
    }
    const planned = await plan("Inventory number,Name\nA-1,Pump\nA-2,Fan\n");
    expect(planned.body).toContain("0 new, 0 changed, 1 unchanged, 1 wrong");
    expect(planned.body).toContain("1 unchanged asset retired.");
    expect(planned.body).toContain("This asset is retired. Restore it before you edit it.");
  });

  test("accepts parts and parents in any order, and rejects cycles", async () => {
    const applied = await apply(
      await plan(
        "Inventory number,Name,Part of\n" +
          "A-3,Bolt,A-2\nA-2,Gear,A-1\nA-1,Machine,\nB-1,One,B-2\nB-2,Two,B-1\nC-1,Lost,C-9\n",
      ),
    );
    expect(applied.body).toContain("3 rows imported");
    expect(applied.body).toContain("3 not imported because of errors");
    const rows = await assetsOf(owner.member);
    const numberOf = (id: unknown) => rows.find((row) => row["id"] === id)?.["inventory_number"];
    expect(rows.map((row) => [row["inventory_number"], numberOf(row["parent_asset_id"])])).toEqual([
      ["A-3", "A-2"],
      ["A-2", "A-1"],
      ["A-1", undefined],
    ]);
  });

  test("applies the usual validation, and rejects only rows whose numbers were taken meanwhile", async () => {
    const asset = await owner.ok<{ asset: { id: string } }>("create_asset", {
      ...{ name: "Old", inventory_number: "A-1" },
    });
    await owner.ok("update_asset", { asset_id: asset.asset.id, inventory_number: "A-2" });
    const planned = await plan(
      "Inventory number;Name;Workspace;Category;Purchase date;Warranty ends;Responsible\n" +
        "A-1;Taken;Lab;;;;\n" +
        `A-3;${"long ".repeat(60)};Lab;;;;\n` +
        "A-4;Later;Lab;;31.12.2099;;\n" +
        "A-5;Too short;Lab;;2.2.2024;1.2.2024;\n" +
        "A-6;Nobody's;Lab;;;;nobody@example.com\n" +
        "A-7;Fine;Lab;Pumps;2.2.2024;;me\n" +
        ";Numbered;Lab;pumps;;;\n" +
        "A-8;Also fine;Lab;Pumps;;;\n",
    );
    const reasons = [
      ...["An asset had it before its number was changed", "must have at most 200 characters"],
      ...["31 Dec 2099 is after today", "1 Feb 2024 is before", "nobody@example.com"],
    ];
    for (const reason of reasons) expect(planned.body, reason).toContain(reason);
    expect(planned.body).toContain("3 new, 0 changed, 0 unchanged, 5 wrong");
    await owner.ok("create_asset", { name: "Quicker", inventory_number: "A-8" });
    const applied = await apply(planned);
    expect(applied.body).toContain("2 rows imported");
    expect((await assetsOf(owner.member)).map((row) => [row["name"], row["category"]])).toEqual([
      ["Fine", "Pumps"],
      ["Numbered", "Pumps"],
      ["Old", null],
      ["Quicker", null],
    ]);
  });

  test("reads amounts and states from German sheets", async () => {
    await apply(
      await plan(
        "Bezeichnung;Status;Kaufpreis\nA;Defekt;1.250.000\nB;in Betrieb;12'500,50 €\nC;verfügbar;1.249,90\n",
      ),
    );
    expect(
      (await assetsOf(owner.member)).map((row) => [row["state"], Number(row["purchase_cost"])]),
    ).toEqual([
      ["out_of_service", 1_250_000],
      ["in_use", 12_500.5],
      ["available", 1249.9],
    ]);
  });

  test("reads amounts and states from French sheets", async () => {
    await apply(
      await plan(
        "Nom;Statut;Prix d'achat\nA;En panne;1 250 000\nB;En service;12\u202f500,50 €\nC;disponible;1249,90\n",
      ),
    );
    expect(
      (await assetsOf(owner.member)).map((row) => [row["state"], Number(row["purchase_cost"])]),
    ).toEqual([
      ["out_of_service", 1_250_000],
      ["in_use", 12_500.5],
      ["available", 1249.9],
    ]);
  });

  test("reads states, grades, and flags from Spanish sheets", async () => {
    await apply(
      await plan(
        "Nombre;Número de inventario;Estado;Criticidad;Condición;Coste de compra\n" +
          "A;S-1;Averiado;crítico;bueno;1.250.000\n" +
          "B;S-2;En mantenimiento;Alta;Regular;1249,90\n",
      ),
    );
    expect(
      (await assetsOf(owner.member)).map((row) => [
        ...[row["state"], row["criticality"], row["condition"]],
        Number(row["purchase_cost"]),
      ]),
    ).toEqual([
      ["out_of_service", "critical", "good", 1_250_000],
      ["in_maintenance", "high", "fair", 1249.9],
    ]);
    const tasks = await plan(
      "Título;Estado;Prioridad;Requiere parar el activo;Número de activo\nX;En espera;Baja;Sí;S-1\n",
      "tasks",
    );
    expect(tasks.body).toContain("1 new, 0 changed, 0 unchanged, 0 wrong");
  });

  test("reports others' later changes as conflicts, on apply and on undo", async () => {
    await owner.ok("create_asset", { name: "One", inventory_number: "A-1" });
    await owner.ok("create_asset", { name: "Two", inventory_number: "A-2" });
    const planned = await plan("Asset Tag,Asset Name\nA-1,Uno\nA-2,Due\n");
    await owner.ok("update_asset", { asset_id: "A-1", location: "Roof" });
    const applied = await apply(planned);
    expect(applied.body).toContain("1 row imported");
    await owner.ok("update_asset", { asset_id: "A-2", name: "Zwei" });
    const result = await undo(applied);
    expect(result.body).toContain("Conflict:");
    expect(result.body).toContain("Undone: 1 kept.");
    expect(result.body).toContain('<span class="tag">Kept</span>');
    expect((await assetsOf(owner.member)).map(({ name }) => name)).toEqual(["One", "Zwei"]);
  });

  test("an exported list changes nothing when imported again", async () => {
    await owner.ok("create_asset", {
      ...{ name: '=SUM(A1)"', tags: ["a, b", "c"], workspace_id: "Lab", state: "in_use" },
      ...{ description: "first\nsecond", purchase_cost: 12.5, category: "HVAC" },
      ...{ assigned_to_user_id: "me", purchase_date: "2024-02-29", serial_number: "00012" },
    });
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name: "'-x" });
    await owner.ok("create_asset", { name: "Part", parent_asset_id: asset.id });
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });
    await owner.ok("create_maintenance_task", {
      ...{ workspace_id: "Lab", title: "Clean", due_date: "2027-01-01", estimated_minutes: 30 },
    });
    await owner.ok("create_maintenance_task", {
      ...{ workspace_id: "Lab", title: "Done", completed: { labor_cost: 3, activity: "repair" } },
    });
    const { organization } = owner.member;
    await aMember(current().db, { organization, role: "member", workspace: "Lab" });
    for (const [list, kind] of [
      ["/assets", "assets"],
      ["/tasks", "tasks"],
      ["/settings/members", "people"],
      ["/workspaces", "workspaces"],
    ] as const) {
      for (const type of ["csv", "xlsx"]) {
        const { rawPayload, body } = await browser.get(`${list}.${type}?state=all`);
        if (type === "csv") expect(readStrictCsv(body.slice(1)).length).toBeGreaterThan(1);
        const planned = await plan(rawPayload, kind, `list.${type}`);
        expect(planned.body, `${list}.${type}`).toContain("Nothing changes");
        expect(planned.body).toMatch(/0 new, 0 changed, [123] unchanged, 0 wrong/);
      }
    }
  });

  test("reads other encodings and allows correcting the column mapping", async () => {
    const text = "Name\tLocation\nKühlgerät\tGebäude\n";
    const windows = Buffer.from(text, "latin1");
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const file of [windows, utf16, Buffer.from(text)]) {
      const planned = await plan(file);
      expect(planned.body).toContain("Line 2: Kühlgerät");
    }
    const planned = await plan("Bezeichnung der Maschine,Ort\nPumpe,Dach\n");
    expect(planned.body).toContain("wrong");
    const again = await press(browser, planned, "Update preview", {
      ...{ column_0: "name", column_1: "location" },
    });
    const replanned = await browser.get(String(again.headers.location));
    expect(replanned.body).toContain("1 new, 0 changed");
  });

  test("reads exports from other programs", async () => {
    const files = {
      "Snipe-IT":
        "Company,Name,Asset Tag,Category,Supplier,Manufacturer,Location,Model,Model Number,Asset Notes,Purchase Date,Purchase Cost\nA,Backhoe,ICC-1,Rails,Kunde,Berge,Yard,Nial,17,notes,2023-01-23,2266.13\n",
      Homebox:
        "HB.import_ref,HB.location,HB.tags,HB.asset_id,HB.archived,HB.name,HB.quantity,HB.purchase_price,HB.purchase_time,HB.serial_number\n,Bin 8,Storage; Clothing,000-001,false,Bags,30,12.5,0001-01-01,SN-1\n",
      Shelf:
        'title,description,category,tags,location,custodian,valuation\nMacBook,Laptop,Laptops,"a, b",Office,,1200.50\n',
      "Atlas CMMS":
        "Name,Description,Status,Location,Area,Barcode,Category,Model,Serial Number\nPump,x,OPERATIONAL,Hall,North,B-1,Pumps,M,S-9\n",
    };
    for (const [layout, file] of Object.entries(files)) {
      const planned = await plan(file);
      expect(planned.body, layout).toContain(`as from ${layout}`);
      expect(planned.body, layout).toContain("1 new, 0 changed, 0 unchanged, 0 wrong");
      await apply(planned);
    }
    const rows = await assetsOf(owner.member);
    expect(rows).toMatchObject([
      { name: "Backhoe", inventory_number: "ICC-1", purchase_cost: "2266.1300" },
      { name: "Bags", inventory_number: "000-001", purchase_date: null, serial_number: "SN-1" },
      { name: "MacBook", tags: ["a", "b"], purchase_cost: "1200.5000", category: "Laptops" },
      { name: "Pump", state: "in_use", inventory_number: "B-1" },
    ]);
  });

  test("imports tasks, workspaces, and people", async () => {
    const places = await apply(await plan("Name,Description\nYard,Big\nlab,Small\n", "workspaces"));
    expect(places.body).toContain("2 rows imported");
    await owner.ok("create_asset", { name: "Pump", inventory_number: "A-1", workspace_id: "Yard" });
    const tasks = await apply(
      await plan(
        "Title,Asset,State,Due date,Type\nOil,A-1,Scheduled,21.11.2027,Inspection\nFixed,A-1,Done,,Corrective\n",
        "tasks",
      ),
    );
    expect(tasks.body).toContain("2 rows imported");
    const { member } = owner;
    const people = await apply(
      await plan(
        `Email,Workspace,Role\nnew@example.com,Yard,Viewer\n${member.email},,\nno address,,\n`,
        "people",
      ),
    );
    expect(people.body).toContain("1 row imported");
    expect(people.body).toContain("1 unchanged, 1 not imported");
    const { invites } = await owner.ok<{ invites: object[] }>("list_invites");
    expect(invites).toMatchObject([{ email: "new@example.com", workspace_role: "viewer" }]);
  });

  test("undoes invitations and unused workspaces", async () => {
    const places = await apply(
      await plan("Name,Description\nYard,\nLab,Changed\nUsed,\n", "workspaces"),
    );
    await owner.ok("create_asset", { name: "Pump", workspace_id: "Used" });
    const result = await undo(places);
    expect(result.body).toContain("Conflict:");
    const { workspaces } = await owner.ok<{ workspaces: Record<string, unknown>[] }>(
      "list_workspaces",
    );
    expect(workspaces.map(({ name, description }) => [name, description])).toEqual([
      ["Lab", undefined],
      ["Used", undefined],
    ]);
    const people = await apply(await plan("Email\nnew@example.com\n", "people"));
    await press(browser, people, "Undo");
    expect(await owner.ok("list_invites", { status: "pending" })).toMatchObject({
      total_count: 0,
    });
  });

  // The embedded database runs one transaction at a time, so no concurrent change is possible.
  test.runIf(inject("databaseUrl") !== null)(
    "keeps a workspace that is changed during the undo",
    async () => {
      const places = await apply(await plan("Name,Description\nLab,Changed\n", "workspaces"));
      before(/FROM workspaces w[^]*w\.id = \$2/, 1, () =>
        owner.ok("update_workspace", { workspace_id: "Lab", description: "By somebody" }),
      );

      const result = await undo(places);
      vi.restoreAllMocks();

      expect(result.body).toContain("Conflict:");
      const { workspaces } = await owner.ok<{ workspaces: object[] }>("list_workspaces");
      expect(workspaces).toMatchObject([{ name: "Lab", description: "By somebody" }]);
    },
  );

  test("reads dates, formulas, and text from a workbook", async () => {
    const { app } = current();
    const xlsx = Buffer.from(
      zipSync({
        "xl/workbook.xml": strToU8(
          '<workbook><sheets><sheet name="S" r:id="rId9"/></sheets></workbook>',
        ),
        "xl/_rels/workbook.xml.rels": strToU8(
          '<Relationships><Relationship Id="rId9" Target="/xl/worksheets/sheet7.xml"/></Relationships>',
        ),
        "xl/styles.xml": strToU8(
          '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd&quot;.&quot;mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
        ),
        "xl/sharedStrings.xml": strToU8(
          "<sst><si><t>Name</t></si><si><r><t>Pu</t></r><r><t>mp</t></r><rPh><t>x</t></rPh></si></sst>",
        ),
        "xl/worksheets/sheet7.xml": strToU8(
          '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Purchase date</t></is></c><c r="D1" t="str"><v>In service since</v></c></row>' +
            '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="C4" s="1"><f>TODAY()</f><v>45351</v></c><c r="D4" s="2"><v>45352</v></c></row></sheetData></worksheet>',
        ),
      }),
    );
    const sent = await upload(app, browser, "/import", {
      ...{ name: "a.xlsx", content: xlsx, fields: { kind: "assets" } },
    });
    const planned = await browser.get(String(sent.headers.location));
    expect(planned.body).toContain("Line 4: Pump");
    await apply(planned);
    const [row] = await assetsOf(owner.member);
    expect(row).toMatchObject({ purchase_date: "2024-02-29", in_service_date: "2024-03-01" });
  });
});
