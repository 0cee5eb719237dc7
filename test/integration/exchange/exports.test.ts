// @module-tag embedded

import { strFromU8, unzipSync } from "fflate";
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createAssets } from "../../../server/src/domain/assets/create-asset.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { aMember, aTask, toCaller } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { before } from "../../support/statements.js";

describe("list exports", () => {
  const current = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(current());
    await owner.ok("create_workspace", { name: "Lab" });
    await owner.ok("create_workspace", { name: "Yard" });
    await owner.ok("create_asset", { name: "Pump, big", workspace_id: "Lab", state: "in_use" });
    await owner.ok("create_asset", { name: '=HYPERLINK("x")', workspace_id: "Yard", tags: ["a"] });
    await owner.ok("create_asset", { name: "＝1+1", workspace_id: "Yard" });
    await owner
      .ok("create_asset", { name: "Line\nbreak", description: "a\nb\r\nc" })
      .catch(() => 0);
    await owner.ok("create_maintenance_task", { workspace_id: "Lab", title: "Clean" });
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  const linesOf = (body: string) => body.replace("\uFEFF", "").trimEnd().split("\r\n");

  test("contain the list's rows, with its filters and the person's visibility", async () => {
    const { app, db } = current();
    const browser = await signIn(app, owner.member);
    const all = await browser.get("/assets.csv");
    expect(all.statusCode).toBe(200);
    expect(all.headers["content-disposition"]).toMatch(/filename="fettle-assets-.*\.csv"/);
    expect(linesOf(all.body)[0]).toMatch(/^Inventory number,Name,State,Workspace,Category,/);
    expect(all.body).toContain('"Pump, big",In use,Lab');
    const some = await browser.get("/assets.csv?workspace_id=Lab&state=in_use");
    expect(linesOf(some.body)).toHaveLength(2);
    expect(linesOf((await browser.get("/assets.csv?q=nothing")).body)).toHaveLength(1);
    expect((await browser.get("/tasks.csv")).body).toContain("T-1,Clean,Scheduled,,,Lab");

    const { organization } = owner.member;
    const viewer = await aMember(db, {
      ...{ organization, role: "member", workspace: "Lab", workspaceRole: "viewer" },
    });
    const theirs = await (await signIn(app, viewer)).get("/assets.csv");
    expect(theirs.body).toContain("Pump, big");
    expect(theirs.body).not.toContain("HYPERLINK");
  });

  test("LIM-78 read long texts in small batches to bound memory for slow downloads", async () => {
    const { app, db } = current();
    const writer = await connect(current());
    await writer.ok("create_asset", { name: "Press" });
    const asset = await db.maybe<{ id: string }>(
      "SELECT id FROM assets WHERE organization_id = $1",
      [writer.member.organizationId],
    );
    const text = "\u{1F527}".repeat(10_000);
    for (let count = 0; count < 30; count += 1) {
      await aTask(db, writer.member, {
        ...{ asset_id: asset?.id ?? "", title: `Work ${count}` },
        ...{ description: text, completion_notes: text },
      });
    }
    const browser = await signIn(app, writer.member);
    const reads = before(/FROM maintenance_tasks t[^]*LIMIT 100/, -1, () => Promise.resolve());

    const { body } = await browser.get("/tasks.csv");

    expect(new Set(linesOf(body).map((line) => line.slice(0, 12))).size).toBe(31);
    // Each row has 80 kB.
    expect(reads()).toBe(5);
  });

  test("contain visible people with their workspaces, and visible workspaces", async () => {
    const { app, db } = current();
    const { organization } = owner.member;
    const member = await aMember(db, {
      ...{
        organization,
        role: "member",
        workspace: "Lab",
        name: "Lena",
        email: "lena@example.com",
      },
    });
    await aMember(db, { organization, role: "member", workspace: "Yard", name: "Yuri" });
    const browser = await signIn(app, owner.member);
    const people = await browser.get("/settings/members.csv?role=member&q=lena");
    expect(people.headers["content-disposition"]).toMatch(/filename="fettle-members-.*\.csv"/);
    expect(linesOf(people.body)).toEqual([
      expect.stringMatching(/^Email,Name,Organization role,Workspace,Workspace role,/),
      expect.stringMatching(/^lena@example.com,Lena,Member,Lab,Member,/),
    ]);
    const places = await browser.get("/workspaces.csv?q=yard");
    expect(linesOf(places.body)).toHaveLength(2);
    expect((await browser.get("/settings/members")).body).toContain('href="/import?kind=people"');
    expect((await browser.get("/workspaces?q=a")).body).toContain('href="/workspaces.xlsx?q=a"');

    const theirs = await signIn(app, member);
    const seen = (await theirs.get("/settings/members.csv")).body;
    expect(seen).toContain("Lena");
    expect(seen).not.toContain("Yuri");
    expect((await theirs.get("/workspaces.csv")).body).not.toContain("Yard");
    expect((await theirs.get("/workspaces")).body).not.toContain("/import");
  });

  test("escape spreadsheet formulas", async () => {
    const browser = await signIn(current().app, owner.member);
    const csv = await browser.get("/assets.csv");
    expect(csv.body).toContain(`"'=HYPERLINK(""x"")"`);
    expect(csv.body).toContain("'＝1+1");
    const { rawPayload } = await browser.get("/assets.xlsx");
    const sheet = strFromU8(unzipSync(rawPayload)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
    expect(sheet).toContain(`<t xml:space="preserve">'=HYPERLINK("x")</t>`);
    expect(sheet).not.toContain("<f>");
  });

  test("are valid files for names with any characters", async () => {
    const name = "Fan \uFFFE\uFFFF";
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", { name });
    const browser = await signIn(current().app, owner.member);

    const { rawPayload } = await browser.get("/assets.xlsx");
    await owner.ok("update_asset_state", { asset_id: asset.id, state: "deleted" });

    const sheet = strFromU8(unzipSync(rawPayload)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
    // Characters allowed in XML 1.0.
    expect(sheet).toMatch(/^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
    expect(sheet).toContain("Fan \uFFFD\uFFFD");
  });

  test.each([
    ["/assets.csv", /SELECT a\.id.*ORDER BY a\.name_key/s, 2],
    ["/assets.xlsx", /SELECT a\.id.*ORDER BY a\.name_key/s, 2],
    ["/tasks.csv", /SELECT t\.id.*ORDER BY t\.task_number/s, 1],
    ["/settings/members.csv", /SELECT u\.id.*ORDER BY lower\(u\.name\)/s, 1],
    ["/workspaces.csv", /SELECT w\.id.*ORDER BY w\.name/s, 1],
  ])("AUD-10 abort for a person removed meanwhile: %s", async (address, read, place) => {
    const { app, db } = current();
    const member = await aMember(db, { workspace: "Mill" });
    const many = Array.from({ length: 501 }, (_, count) => ({ name: `Pump ${count}` }));
    await commit({ db, caller: null }, (tx) => createAssets(tx, toCaller(member), many));
    await aTask(db, member, { title: "Clean", workspace_id: member.workspaceId ?? null });
    const admin = await aMember(db, { organization: member.organization, role: "admin" });
    const browser = await signIn(app, admin);
    const reads = before(read, place, () =>
      db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
        admin.userId,
      ]),
    );

    await expect(browser.get(address)).rejects.toThrow("destroyed before completion");
    expect(reads()).toBe(place);
  });

  test("LIM-58 read round findings in parts, and abort for a person removed meanwhile", async () => {
    const { app, db } = current();
    const { organizationId, userId, ...member } = await aMember(db, { workspace: "Hall" });
    const round = "rnd_000000000001";
    await db.query(
      `INSERT INTO rounds (organization_id, id, workspace_id, started_by) VALUES ($1, $2, $3, $4)`,
      [organizationId, round, member.workspaceId, userId],
    );
    await db.query(
      `INSERT INTO round_findings (organization_id, round_id, id, outcome, code, found_by, found_at)
       SELECT $1, $2, 'scan' || n, 'unknown', 'Code ' || n, $3, now() - n * interval '1 second'
       FROM generate_series(1, 501) n`,
      [organizationId, round, userId],
    );
    const admin = await aMember(db, { organization: member.organization, role: "admin" });
    const browser = await signIn(app, admin);
    const address = `/rounds/${round}/findings.csv`;
    const codes = linesOf((await browser.get(address)).body).slice(1);

    before(/round_findings f.*ORDER BY array_position/s, 2, () =>
      db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
        admin.userId,
      ]),
    );

    expect(codes).toHaveLength(501);
    expect(codes[0]).toMatch(/^Unknown code,.*Code 1,/);
    expect(codes[500]).toMatch(/^Unknown code,.*Code 501,/);
    await expect(browser.get(address)).rejects.toThrow("destroyed before completion");
  });

  test("LIM-87 run one at a time per organization, and in parallel across organizations", async () => {
    const { app, db } = current();
    const withAssets = async (organization: string) => {
      const member = await aMember(db, { organization, role: "owner" });
      const many = Array.from({ length: 150 }, (_, count) => ({ name: `Pump ${count}` }));
      await commit({ db, caller: null }, (tx) => createAssets(tx, toCaller(member), many));
      return signIn(app, member);
    };
    const one = await withAssets("Mill");
    const second = await aMember(db, { organization: "Mill", role: "admin" });
    const another = await signIn(app, second);
    const other = await withAssets("Quarry");
    let shouldContinue: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (shouldContinue = resolve));
    onTestFinished(() => {
      shouldContinue();
    });
    const parts = before(/AS place_key, a\.inventory_number/, 2, () => held);

    const first = one.get("/assets.csv");
    await expect.poll(parts).toBe(2);
    const next = another.get("/assets.csv");
    await expect.poll(parts).toBe(3);
    for (const asked of [5, 7]) {
      expect(linesOf((await other.get("/assets.csv")).body)).toHaveLength(151);
      expect(parts()).toBe(asked);
    }
    shouldContinue();
    for (const { body } of await Promise.all([first, next]))
      expect(linesOf(body)).toHaveLength(151);
    expect(parts()).toBe(8);
  });

  test("continue when the last row of a part is deleted before the next read", async () => {
    const { db } = current();
    const other = await connect(current());
    const { organizationId } = other.member;
    await db.query(
      `INSERT INTO workspaces (organization_id, id, name, created_by)
       SELECT $1, 'wsp_' || lpad(n::text, 12, '0'), 'Place ' || lpad(n::text, 4, '0'), $2
       FROM generate_series(1, 501) n`,
      [organizationId, other.member.userId],
    );
    const many = Array.from({ length: 501 }, (_, count) => ({
      ...{ name: `Pump ${count}`, inventory_number: `P-${count}` },
    }));
    await commit({ db, caller: null }, (tx) => createAssets(tx, toCaller(other.member), many));
    const browser = await signIn(current().app, other.member);

    before(/SELECT w\.id.*ORDER BY w\.name/s, 2, () =>
      db.query("DELETE FROM workspaces WHERE organization_id = $1 AND name = 'Place 0500'", [
        organizationId,
      ]),
    );
    const places = (await browser.get("/workspaces.csv")).body;
    vi.restoreAllMocks();
    const found = await other.ok<{ assets: { id: string }[] }>("list_assets", { query: "P-499" });
    const asset_id = found.assets[0]?.id;
    before(/SELECT a\.id.*ORDER BY a\.name_key/s, 2, () =>
      other.ok("force_delete_asset", { asset_id, confirm_inventory_number: "P-499" }),
    );
    const assets = (await browser.get("/assets.csv")).body;

    expect(places).toContain("Place 0501");
    expect(assets).toContain("P-500");
  });

  test("reject unknown filters, and are linked from the list", async () => {
    const { app } = current();
    const browser = await signIn(app, owner.member);
    expect((await browser.get("/assets.csv?state=purple")).statusCode).toBe(400);
    expect((await browser.get("/tasks.xlsx?due_from=soon")).statusCode).toBe(400);
    const list = await browser.get("/assets?workspace_id=Lab");
    expect(list.body).toContain('href="/assets.csv?workspace_id=Lab"');
    expect((await browser.get("/tasks")).body).toContain('href="/tasks.xlsx"');
    const stranger = await app.inject({ url: "/assets.csv" });
    expect(stranger.statusCode).toBe(303);
  });
});
