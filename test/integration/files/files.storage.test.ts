// @module-tag embedded

import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { dump } from "../../../server/src/db/backup/dump.js";
import { load } from "../../../server/src/db/backup/load.js";
import { exportData } from "../../../server/src/domain/exchange/data-export.js";
import { deleteOrganization } from "../../../server/src/domain/organizations/organization-deletion.js";
import { readContent } from "../../../server/src/domain/files/file-contents.js";
import { defaultRetention } from "../../../server/src/domain/shared/retention.js";
import { cleanUp } from "../../../server/src/housekeeping.js";
import { testConfig, useApp, type TestApp, startApp } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { createDatabase, useDatabase } from "../../support/database.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { startS3, type S3Server } from "../../support/s3-server.js";
import { before } from "../../support/statements.js";

const manual = Buffer.from(`%PDF-1.7\n${"a manual ".repeat(60_000)}\n%%EOF`);

/** An asset with a photo and a manual, added by a member of its workspace. */
async function withFiles(current: TestApp) {
  const team = await aTeam(current);
  const asset = await anAsset(current, team);
  const browser = await signIn(current.app, team.member);
  const action = `/assets/${asset.id}/files`;
  const answer = await browser.sendFiles(await browser.get(action), action, [
    { name: "a.jpg", content: await aPhoto() },
    { field: "file", name: "manual.pdf", content: manual },
  ]);
  expect(answer.statusCode).toBe(303);
  const files = await current.db.query<{ id: string; type: string; storage: "database" | "s3" }>(
    "SELECT id, type, storage FROM files WHERE organization_id = $1 ORDER BY type",
    [team.owner.organizationId],
  );
  const pdf = files.find(({ type }) => type === "application/pdf")?.id ?? "";
  return { team, asset, browser, files, pdf };
}

async function exportedPieces(current: TestApp, organizationId: string, fileId: string) {
  const pieces: string[] = [];
  for await (const line of exportData(
    current.db,
    { organizationId },
    current.app.services.files.objects,
  )) {
    const { table, row } = JSON.parse(line) as { table: string; row: Record<string, string> };
    if (table === "file_pieces" && row["file_id"] === fileId) pieces.push(row["content"] ?? "");
  }
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece.slice(2), "hex")));
}

describe("files in the database", () => {
  const current = useApp();
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("stops a slow download when the person's access ends", async () => {
    const { team, browser, pdf } = await withFiles(current());
    before(/FROM file_pieces/, 2, async () => {
      await current().db.query(
        "UPDATE organization_members SET removed_at = now() WHERE user_id = $1",
        [team.member.userId],
      );
      await pause(1100);
    });

    const answer = await browser.get(`/files/${pdf}`).catch(() => undefined);

    expect(answer?.rawPayload.length ?? 0).toBeLessThan(manual.length);
  });

  test("backups and organization exports include the content, but personal exports don't", async () => {
    const { team, pdf } = await withFiles(current());
    const { organizationId, userId, email } = team.owner;
    const copy = await createDatabase();
    try {
      await load(copy.db, dump(current().db, "test"));
      const file = { organization_id: organizationId, id: pdf, storage: "database" } as const;
      const restored = await readContent(copy.db, undefined, file);

      expect(Buffer.concat((await restored.toArray()) as Buffer[]).equals(manual)).toBe(true);
    } finally {
      await copy.drop();
    }
    expect((await exportedPieces(current(), organizationId, pdf)).equals(manual)).toBe(true);
    for await (const line of exportData(current().db, { userId, email })) {
      expect(line).not.toContain('"table":"file_pieces"');
    }
  });

  test("are deleted with their organization", async () => {
    const { team, pdf } = await withFiles(current());

    await deleteOrganization(current().db, team.owner.organizationId, () => undefined);

    for (const table of ["files", "file_pieces"]) {
      const rows = await current().db.query(`SELECT FROM ${table} WHERE organization_id = $1`, [
        team.owner.organizationId,
      ]);
      expect(rows, table).toEqual([]);
    }
    expect(pdf).not.toBe("");
  });
});

describe("files in S3-compatible storage", () => {
  const database = useDatabase();
  let s3: S3Server;
  let current: TestApp;
  beforeAll(async () => {
    s3 = await startS3();
    const config = testConfig({
      files: { maxMegabytes: 10, organizationMegabytes: 100, s3: s3.settings },
    });
    const app = await startApp(config, database());
    await app.ready();
    current = { app, db: database(), config };
  });
  afterAll(async () => {
    await current.app.close();
    await s3.stop();
  });

  const keysOf = (id: string) => s3.keys().filter((key) => key.startsWith(`${id}/`));

  /** Runs the clean-up of housekeeping with objects two hours old. */
  async function cleanUpLater(): Promise<void> {
    await current.db.query("UPDATE file_objects SET created_at = app_now() - interval '2 hours'");
    const failed: unknown[] = [];
    const log = { error: (failure: unknown) => failed.push(failure) };
    const { auditSigner, files } = current.app.services;
    await cleanUp(current.db, defaultRetention, auditSigner, log, files.objects);
    expect(failed).toEqual([]);
  }

  test("GRO-12: keeps no objects of rejected or repeated uploads", async () => {
    const { team, asset, browser, files } = await withFiles(current);
    const { organizationId } = team.owner;
    const action = `/assets/${asset.id}/files`;
    const page = await browser.get(action);
    const send = () =>
      browser.sendFiles(page, action, [{ field: "file", name: "b.pdf", content: manual }]);
    const statuses = [await send(), await send()].map(({ statusCode }) => statusCode);
    const known = keysOf(organizationId);
    await current.db.query(
      `INSERT INTO files (organization_id, id, asset_id, name, type, size, storage)
       SELECT $1, 'file_' || n, $2, 'a.pdf', 'application/pdf', 1, 'database'
       FROM generate_series(1, 97) n`,
      [organizationId, asset.id],
    );
    const full = await browser.sendFiles(await browser.get(action), action, [
      { field: "file", name: "c.pdf", content: manual },
    ]);

    expect([...statuses, full.statusCode]).toEqual([303, 303, 400]);
    expect(known).toHaveLength(files.length + 1);
    expect(keysOf(organizationId)).toEqual(known);
    const rows = await current.db.query("SELECT FROM file_objects WHERE key LIKE $1 || '/%'", [
      organizationId,
    ]);
    expect(rows).toHaveLength(known.length);
  });

  test("stores content as an object, not a row, and reads, exports, and deletes it", async () => {
    const { team, browser, files, pdf } = await withFiles(current);
    const { organizationId } = team.owner;
    const pieces = await current.db.query("SELECT FROM file_pieces");
    const keys = keysOf(organizationId);

    expect(files.map(({ storage }) => storage)).toEqual(["s3", "s3"]);
    expect(pieces).toEqual([]);
    expect(keys.sort()).toEqual(files.map(({ id }) => `${organizationId}/${id}`).sort());
    const read = await browser.get(`/files/${pdf}`);
    expect(read.rawPayload.equals(manual)).toBe(true);
    expect(read.headers["content-type"]).toBe("application/pdf");
    expect((await exportedPieces(current, organizationId, pdf)).equals(manual)).toBe(true);

    await browser.submitForm(await browser.get(`/files/${pdf}/delete`), {});
    expect((await browser.get(`/files/${pdf}`)).statusCode).toBe(404);
    await cleanUpLater();
    expect(keysOf(organizationId)).toEqual(keys.filter((key) => !key.endsWith(pdf)));
  });

  test("removes orphaned objects and a deleted organization's objects, but keeps recent ones", async () => {
    const { team } = await withFiles(current);
    const other = await withFiles(current);
    const { organizationId } = team.owner;
    // Simulates a process that ended after the object was stored.
    const orphan = `${organizationId}/fil_000000000000`;
    await current.app.services.files.objects?.put(orphan, manual, "application/pdf");
    await current.db.query("INSERT INTO file_objects (key) VALUES ($1)", [orphan]);

    await cleanUp(
      current.db,
      defaultRetention,
      current.app.services.auditSigner,
      { error: () => undefined },
      current.app.services.files.objects,
    );
    expect(keysOf(organizationId)).toHaveLength(3);
    await deleteOrganization(current.db, organizationId, () => undefined);
    await cleanUpLater();

    expect(keysOf(organizationId)).toEqual([]);
    expect(keysOf(other.team.owner.organizationId)).toHaveLength(2);
  });

  test("returns 503 with a clear message and stores nothing when the storage is unavailable", async () => {
    const { browser, asset, pdf, team } = await withFiles(current);
    await s3.stop();

    const read = await browser.get(`/files/${pdf}`);
    const action = `/assets/${asset.id}/files`;
    const sent = await browser.sendFiles(await browser.get(action), action, [
      { name: "b.jpg", content: await aPhoto() },
    ]);
    const rows = await current.db.query("SELECT FROM files WHERE organization_id = $1", [
      team.owner.organizationId,
    ]);

    for (const answer of [read, sent]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.body).toContain("Photo and file storage can't be reached");
    }
    expect(rows).toHaveLength(2);
  });
});
