import { strFromU8, unzipSync } from "fflate";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { useApp } from "../../support/app.js";
import { aTeam, anAsset, type Team } from "../../support/asset-pages.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { before } from "../../support/statements.js";

const address = "/settings/organization/export";

describe("organization export as one file", () => {
  const current = useApp();
  let team: Team;
  let browser: TestBrowser;
  let photo: Buffer;

  beforeAll(async () => {
    team = await aTeam(current());
    const asset = await anAsset(current(), team, { name: "Pump, big" });
    for (let count = 0; count < 510; count += 1) {
      await aTask(current().db, team.owner, { title: `Work ${count}`, asset_id: asset.id });
    }
    browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}?tab=files`);
    const content = await aPhoto();
    await browser.sendFiles(page, `/assets/${asset.id}/files`, [{ name: "plate.jpg", content }]);
    const file = await current().db.maybe<{ id: string }>(
      "SELECT id FROM files WHERE organization_id = $1",
      [team.owner.organizationId],
    );
    photo = (await browser.get(`/files/${file?.id ?? ""}`)).rawPayload;
    await aMember(current().db, { name: "Sam Stranger", workspace: "Distant mill" });
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Confirms the person's identity and returns the download page. */
  async function confirmed(by: TestBrowser, { password }: Member) {
    const asked = await by.get(address);
    expect(asked.statusCode).toBe(303);
    const confirm = await by.get(String(asked.headers.location));
    const answer = await press(by, confirm, "Confirm", { password });
    expect(answer.headers.location).toBe(address);
    return by.get(address);
  }

  test("gives a recently confirmed person a complete file without secrets", async () => {
    const answer = await press(
      browser,
      await confirmed(browser, team.owner),
      "Download everything",
    );

    expect(answer.headers["content-type"]).toBe("application/zip");
    expect(answer.headers["content-disposition"]).toMatch(/filename="fettle-[\d-]+\.zip"/);
    const parts = unzipSync(answer.rawPayload);
    const text = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
    const linesOf = (name: string) => text(name).trimEnd().split(/\r?\n/);
    expect(text("assets.csv")).toContain('"Pump, big"');
    expect(linesOf("tasks.csv")).toHaveLength(511);
    expect(linesOf("tables/maintenance_tasks.jsonl")).toHaveLength(510);
    expect(new Set(linesOf("tables/maintenance_tasks.jsonl")).size).toBe(510);
    expect(text("members.csv")).toContain(team.owner.email);
    expect(text("workspaces.csv").length).toBeGreaterThan(5);
    const file = Object.keys(parts).find((name) => name.endsWith("/plate.jpg")) ?? "";
    expect(Buffer.from(parts[file] ?? []).equals(photo)).toBe(true);
    const all = Object.keys(parts).map(text).join("\n");
    expect(all).not.toContain("Distant mill");
    expect(all).not.toMatch(/"(\w*_(hash|encrypted)|qr_token)":/);
    expect((await browser.get("/settings/activity")).body).toContain(
      "exported all data of the organization",
    );
  });

  test("AUD-10 aborts for an admin removed during a slow download", async () => {
    const { app, db } = current();
    const admin = await aMember(db, { organization: team.owner.organization, role: "admin" });
    const theirs = await signIn(app, admin);
    const page = await confirmed(theirs, admin);
    before(/to_jsonb.*FROM assets t/s, 1, async () => {
      await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
        admin.userId,
      ]);
      await setTimeout(1100);
    });

    const answer = press(theirs, page, "Download everything");

    await expect(answer).rejects.toThrow("destroyed before completion");
  });

  test.each([/FROM file_pieces/, /to_jsonb.*FROM assets t/s])(
    "LIM-55 aborts only the download when the database is gone: %s",
    async (read) => {
      const theirs = await signIn(current().app, team.owner);
      const page = await confirmed(theirs, team.owner);
      const reads = before(read, 1, () => Promise.reject(new Error("gone")));

      await expect(press(theirs, page, "Download everything")).rejects.toThrow(
        "destroyed before completion",
      );

      expect(reads()).toBe(1);
    },
  );

  test("LIM-78 reads long texts in small batches to bound memory for slow downloads", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { role: "owner" });
    const text = "\u{1F527}".repeat(10_000);
    await db.query(
      `INSERT INTO workspaces (id, organization_id, name, created_by)
       VALUES ('wsp_longlonglong', $1, 'Lab', $2)`,
      [owner.organizationId, owner.userId],
    );
    await db.query(
      `INSERT INTO maintenance_tasks (id, organization_id, task_number, workspace_id, title, type,
         created_by, description, completion_notes)
       SELECT 'tsk_' || lpad(i::text, 12, '0'), $1, i, 'wsp_longlonglong', 'Work ' || i, 'inspection',
         $2, $3, $3 FROM generate_series(1, 150) i`,
      [owner.organizationId, owner.userId, text],
    );
    const theirs = await signIn(app, owner);
    const page = await confirmed(theirs, owner);
    const reads = before(/to_jsonb.*FROM maintenance_tasks t/s, -1, () => Promise.resolve());

    const answer = await press(theirs, page, "Download everything");

    const part = unzipSync(answer.rawPayload)["tables/maintenance_tasks.jsonl"];
    const lines = strFromU8(part ?? new Uint8Array())
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect([lines.length, new Set(lines).size]).toEqual([150, 150]);
    // Each row has 80 kB.
    expect(reads()).toBeGreaterThan(20);
  });

  test("queues its reads per organization, including read-ahead", async () => {
    const { app, db } = current();
    const { organizationId } = team.owner;
    const countDownloads = () =>
      db
        .query("SELECT 1 FROM activity_log WHERE organization_id = $1 AND type = $2", [
          organizationId,
          "organization_exported",
        ])
        .then(({ length }: unknown[]) => length);
    const theirs = await signIn(app, team.owner);
    const page = await confirmed(theirs, team.owner);
    const reads = before(/name_key AS place_key/, -1, () => Promise.resolve());
    let end = () => {};
    const others = new Promise<void>((resolve) => (end = resolve));
    const turn = app.services.filePieceQueue(organizationId, () => others);

    const begun = await countDownloads();
    const answer = press(theirs, page, "Download everything");
    await vi.waitFor(async () => {
      expect(await countDownloads()).toBe(begun + 1);
    }, 60_000);
    for (let look = 0; look < 10; look += 1) await db.query("SELECT 1");

    expect(reads()).toBe(0);
    end();
    await turn;
    expect((await answer).statusCode).toBe(200);
    expect(reads()).toBeGreaterThan(0);
  });

  test("LIM-84 points to the operator's command when its file list needs too much memory", async () => {
    const { app, db } = current();
    const other = await aTeam(current());
    const { owner } = other;
    const asset = await anAsset(current(), other);
    await db.query(
      `INSERT INTO files (organization_id, id, asset_id, name, type, size, storage)
       SELECT $1, 'fil_' || lpad(i::text, 12, '0'), $2, 'a.txt', 'text/plain', 1, 'database'
       FROM generate_series(1, 60000) i`,
      [owner.organizationId, asset.id],
    );
    const theirs = await signIn(app, owner);

    const answer = await press(theirs, await confirmed(theirs, owner), "Download everything");

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("fettle organization export");
    expect((await theirs.get("/settings/activity")).body).not.toContain("exported all data");
  });

  test("is available and offered only to owners and admins", async () => {
    const { app } = current();
    const member = await signIn(app, team.member);
    expect((await member.get(address)).statusCode).toBe(403);
    expect((await member.get("/settings/organization")).body).not.toContain(address);
    expect((await browser.get("/settings/organization")).body).toContain(address);
  });
});
