// @module-tag embedded

import { describe, expect, inject, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aTeam, anAsset, readAsset, type Team } from "../../support/asset-pages.js";
import { aTask, type Member } from "../../support/builders.js";
import type { SentFile } from "../../support/browser.js";
import { untilOneWaits } from "../../support/database.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto, describePicture } from "../../support/pictures.js";

const current = useApp();

async function add(by: Member, assetId: string, ...files: SentFile[]) {
  const browser = await signIn(current().app, by);
  const page = await browser.get(`/assets/${assetId}?tab=files`);
  return browser.sendFiles(page, `/assets/${assetId}/files`, files);
}

const aText = (name: string): SentFile => ({ field: "file", name, content: "Oil of 5 W" });

interface StoredFile {
  id: string;
  name: string;
  size: number;
}

function filesOf(team: Team): Promise<StoredFile[]> {
  return current().db.query(
    "SELECT id, name, size FROM files WHERE organization_id = $1 ORDER BY created_at, id",
    [team.owner.organizationId],
  );
}

describe("asset photos and files", () => {
  test("stores a photo upright without its location, shown on page, list, and in apps", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);

    const answer = await add(team.member, asset.id, { name: "IMG_1.jpg", content: await aPhoto() });
    const [file] = await filesOf(team);
    const id = file?.id ?? "";
    const photo = await browser.get(`/files/${id}`);
    const thumbnail = await browser.get(`/files/${id}/thumbnail`);
    const page = (await browser.get(`/assets/${asset.id}`)).body;
    const tab = (await browser.get(`/assets/${asset.id}?tab=files`)).body;
    const list = (await browser.get("/assets")).body;
    const app = await connect(current(), { member: team.owner });
    const told = await app.ok("get_asset", { asset_id: asset.id });

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/assets/${asset.id}?tab=files`);
    expect(await describePicture(photo.rawPayload)).toEqual({
      ...{ width: 200, height: 300, format: "jpeg" },
      ...{ exif: undefined, orientation: undefined },
    });
    expect(photo.headers).toMatchObject({
      "content-type": "image/jpeg",
      "content-length": String(file?.size),
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect(photo.headers["content-disposition"]).toMatch(/^inline; filename="IMG_1.jpg"/);
    expect(await describePicture(thumbnail.rawPayload)).toMatchObject({ format: "webp" });
    expect(page).toContain(`src="/files/${id}" alt="IMG_1.jpg"`);
    expect(page).toMatch(/Latest history.*Mo Member.*IMG_1\.jpg/s);
    expect(tab).toContain(`src="/files/${id}/thumbnail" alt="IMG_1.jpg"`);
    expect(list).toContain(`class="picture" src="/files/${id}/thumbnail"`);
    expect(told["files"]).toEqual([
      { name: "IMG_1.jpg", type: "image/jpeg", url: `${current().config.baseUrl}/files/${id}` },
    ]);
  });

  test("shows each asset with its own picture in the list", async () => {
    const team = await aTeam(current());
    const assets = [await anAsset(current(), team), await anAsset(current(), team)];
    const photo = { name: "IMG_1.jpg", content: await aPhoto() };
    for (const { id } of assets) await add(team.member, id, photo);
    const files = await filesOf(team);

    const list = await (await signIn(current().app, team.member)).get("/assets");

    for (const { id } of files)
      expect(list.body).toContain(`class="picture" src="/files/${id}/thumbnail"`);
    expect(files).toHaveLength(2);
  });

  test("stores a large photo resized, in pieces, and reads files back as stored", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const content = await aPhoto({ width: 4000, height: 3000, format: "jpeg" });
    const document = Buffer.from(`%PDF-1.7\n${"x".repeat(400_000)}\n%%EOF`);

    await add(
      team.member,
      asset.id,
      { name: "large.jpg", content },
      { field: "file", name: "manual.pdf", content: document, type: "application/pdf" },
    );
    const browser = await signIn(current().app, team.viewer);
    const stored = await filesOf(team);
    const bodies = await Promise.all(stored.map(({ id }) => browser.get(`/files/${id}`)));
    const pdf = bodies.find(({ headers }) => headers["content-type"] === "application/pdf");
    const photo = bodies.find(({ headers }) => headers["content-type"] === "image/jpeg");
    const pieces = await current().db.maybe<{ count: number }>(
      "SELECT count(*)::int AS count FROM file_pieces WHERE octet_length(content) = 131072",
    );

    expect(await describePicture(photo?.rawPayload ?? Buffer.alloc(0))).toMatchObject({
      ...{ width: 2400, height: 3200 },
    });
    expect(pdf?.rawPayload.equals(document)).toBe(true);
    expect(pdf?.headers["content-disposition"]).toMatch(/^inline; /);
    expect(pieces?.count).toBeGreaterThanOrEqual(3);
  });

  test("returns 304 for a cached file but still checks access", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    await add(team.member, asset.id, { name: "a.jpg", content: await aPhoto() });
    const [file] = await filesOf(team);
    const ask = async (who: Member) =>
      (await signIn(current().app, who)).get(`/files/${file?.id ?? ""}`, {
        "if-none-match": `"${file?.id ?? ""}"`,
      });

    expect((await ask(team.viewer)).statusCode).toBe(304);
    expect((await ask(team.elsewhere)).statusCode).toBe(404);
  });

  test("shows each asset's own photo in the list", async () => {
    const team = await aTeam(current());
    const photos = new Map<string, string>();
    for (const name of ["a.jpg", "b.jpg"]) {
      const asset = await anAsset(current(), team);
      await add(team.member, asset.id, { name, content: await aPhoto() });
      const [file] = (await filesOf(team)).filter((one) => one.name === name);
      photos.set(asset.id, file?.id ?? "");
    }

    const { body } = await (await signIn(current().app, team.viewer)).get("/assets");

    for (const [asset, photo] of photos) {
      expect(body).toMatch(new RegExp(`<tr id="${asset}">(?:(?!</tr>).)*/files/${photo}/`, "s"));
    }
  });

  test("shows files with the asset, and limits changes to people with edit access", async () => {
    const { app } = current();
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    await add(team.member, asset.id, { name: "a.jpg", content: await aPhoto() });
    const [file] = await filesOf(team);
    const path = `/files/${file?.id ?? ""}`;
    const outcome = async (who: Member) => {
      const browser = await signIn(app, who);
      const page = await browser.get("/");
      const seen = [path, `${path}/thumbnail`, `${path}/delete`].map((one) => browser.get(one));
      const sent = await browser.post(`${path}/delete`, findToken(page.body));
      return [...(await Promise.all(seen)), sent].map(({ statusCode }) => statusCode);
    };

    expect(await outcome(team.viewer)).toEqual([200, 200, 200, 403]);
    expect(await outcome(team.elsewhere)).toEqual([404, 404, 404, 404]);
    expect(await outcome(team.stranger)).toEqual([404, 404, 404, 404]);
    expect((await app.inject({ url: path, headers: { accept: "text/html" } })).statusCode).toBe(
      303,
    );
    const viewer = await signIn(app, team.viewer);
    const ofViewer = await viewer.get(`/assets/${asset.id}`);
    expect(ofViewer.body).toContain(`src="${path}"`);
    const tab = await viewer.get(`/assets/${asset.id}?tab=files`);
    expect(tab.body).toContain(`${path}/thumbnail`);
    expect(tab.body).not.toContain(`action="/assets/${asset.id}/files"`);
    expect(await filesOf(team)).toHaveLength(1);
  });

  test("rejects a viewer's upload, names a contact, and stores nothing", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const member = await signIn(current().app, team.member);
    const viewer = await signIn(current().app, team.viewer);
    const page = await member.get(`/assets/${asset.id}?tab=files`);
    const own = findToken((await viewer.get("/settings")).body);

    const answer = await viewer.sendFiles(
      page,
      `/assets/${asset.id}/files`,
      [{ name: "a.jpg", content: await aPhoto() }],
      own,
    );

    expect(answer.statusCode).toBe(403);
    expect(answer.body).toMatch(/You can view &quot;.*&quot; but not add photos and files\. Ask /);
    expect(await filesOf(team)).toEqual([]);
  });

  test("asks before deleting, records it in the history, and leaves no content", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    await add(team.member, asset.id, { name: "plate.jpg", content: await aPhoto() });
    const [file] = await filesOf(team);
    const browser = await signIn(current().app, team.member);

    const question = await browser.get(`/files/${file?.id ?? ""}/delete`);
    const done = await browser.submitForm(question, {});
    const again = await browser.submitForm(question, {});
    const page = (await browser.get(`/assets/${asset.id}`)).body;
    const pieces = await current().db.query("SELECT FROM file_pieces WHERE file_id = $1", [
      file?.id,
    ]);

    expect(question.body).toContain("plate.jpg");
    expect(done.headers.location).toBe(`/assets/${asset.id}?tab=files`);
    expect(again.statusCode).toBe(404);
    expect(pieces).toEqual([]);
    expect(page).not.toContain(`/files/${file?.id ?? ""}`);
    expect(page).toMatch(/Photos and files.*plate\.jpg.*Photos and files.*plate\.jpg/s);
  });

  // The embedded database runs one transaction at a time, so nothing moves meanwhile.
  test.runIf(inject("databaseUrl") !== null)(
    "TEN-18: doesn't delete a file that meanwhile moved to a hidden asset",
    async () => {
      const { app, db } = current();
      const team = await aTeam(current());
      const [merged, kept] = [await anAsset(current(), team), await anAsset(current(), team)];
      await add(team.member, merged.id, aText("notes.txt"));
      const [file] = await filesOf(team);
      const browser = await signIn(app, team.member);
      const question = await browser.get(`/files/${file?.id ?? ""}/delete`);

      const { sent } = await db.transaction(async (tx) => {
        await tx.query("SELECT FROM assets WHERE id = $1 FOR NO KEY UPDATE", [merged.id]);
        await tx.query("UPDATE files SET asset_id = $2 WHERE asset_id = $1", [merged.id, kept.id]);
        await tx.query("UPDATE assets SET workspace_id = $2 WHERE id = $1", [
          kept.id,
          team.elsewhere.workspaceId,
        ]);
        const deleting = browser.submitForm(question, {});
        await untilOneWaits(db);
        return { sent: deleting };
      });

      expect((await sent).statusCode).toBe(404);
      expect(await filesOf(team)).toHaveLength(1);
    },
  );

  test("adds a file once when the form is sent twice, and requires a file", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.member);
    const page = await browser.get(`/assets/${asset.id}/files`);
    const action = `/assets/${asset.id}/files`;
    const photo = { name: "a.jpg", content: await aPhoto() };

    await browser.sendFiles(page, action, [photo]);
    await browser.sendFiles(page, action, [photo]);
    const empty = await browser.sendFiles(await browser.get(action), action, []);
    expect(await filesOf(team)).toHaveLength(1);
    // Phones give every new photo the same name.
    const next = { name: "a.jpg", content: await aPhoto({ width: 400 }) };
    const other = await browser.sendFiles(page, action, [next]);
    await browser.sendFiles(other, action, [next]);

    expect(other.body).toContain("You already sent this form");
    expect(await filesOf(team)).toHaveLength(2);
    expect(empty.statusCode).toBe(400);
    expect(empty.body).toContain("Choose a photo or file first.");
  });

  test("rejects a merge that would exceed the asset's file limit", async () => {
    const team = await aTeam(current());
    const [kept, twin] = [await anAsset(current(), team), await anAsset(current(), team)];
    for (const { id } of [kept, twin]) await add(team.member, id, aText("notes.txt"));
    await current().db.query(
      `INSERT INTO files (organization_id, id, asset_id, name, type, size, storage, created_by)
       SELECT organization_id, 'fil_' || lpad(n::text, 12, '0'), asset_id, name, type, size, storage, created_by
       FROM files, generate_series(1, 99) n WHERE asset_id = $1`,
      [kept.id],
    );
    const app = await connect(current(), { member: team.owner });
    const merge = { asset_id: twin.id, state: "deleted", merged_into: kept.inventory_number };

    const refusal = await app.refused("update_asset_state", merge);

    expect(refusal.code).toBe("invalid_transition");
    expect(refusal.message).toContain("more than 100 photos and files");
    const stays = { asset_id: twin.id };
    expect(await app.ok("get_asset", stays)).toMatchObject({ asset: { state: "available" } });
    await current().db.query("DELETE FROM files WHERE id = 'fil_000000000001'");
    expect(await app.ok("update_asset_state", merge)).toMatchObject({ tasks_moved: 0 });
  });

  test.each(["page", "tool"])(
    "permanent deletion by %s removes the photos of a taskless asset and its report",
    async (way) => {
      const team = await aTeam(current());
      const [asset, kept] = [await anAsset(current(), team), await anAsset(current(), team)];
      for (const { id } of [asset, kept]) {
        await add(team.member, id, { name: "a.jpg", content: await aPhoto() });
      }
      const reporter = await signIn(current().app, team.member);
      const code = String((await readAsset(current(), asset.id))?.["qr_token"]);
      await reporter.sendFiles(
        await reporter.get(`/q/${code}/report`),
        `/q/${code}/report`,
        [{ name: "leak.jpg", content: await aPhoto() }],
        { description: "It leaks", still_usable: "yes" },
      );
      expect(await filesOf(team)).toHaveLength(3);
      const confirmation = { confirm_inventory_number: asset.inventory_number };
      if (way === "page") {
        const browser = await signIn(current().app, team.owner);
        const question = await browser.get(`/assets/${asset.id}/delete`);
        expect(question.body).toContain("2 files");
        await browser.submitForm(question, confirmation);
      } else {
        const app = await connect(current(), { member: team.owner });
        const deletion = { asset_id: asset.id, ...confirmation };
        for (const given of [{ ...deletion, dry_run: true }, deletion]) {
          expect(await app.ok("force_delete_asset", given)).toMatchObject({ files_removed: 2 });
        }
      }

      expect(await readAsset(current(), asset.id)).toBeUndefined();
      expect((await filesOf(team)).map(({ name }) => name)).toEqual(["a.jpg"]);
    },
  );

  test("permanent deletion removes and counts the files of the asset and its tasks", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const task = await aTask(current().db, team.owner, { asset_id: asset.id, title: "Oil" });
    const browser = await signIn(current().app, team.owner);
    await add(team.member, asset.id, { name: "a.jpg", content: await aPhoto() });
    const action = `/tasks/${task.id}/files`;
    await browser.sendFiles(await browser.get(`/tasks/${task.id}`), action, [
      { field: "file", name: "b.txt", content: "Oil of 5 W" },
    ]);
    expect(await filesOf(team)).toHaveLength(2);
    const page = (await browser.get(`/tasks/${task.id}`)).body;

    const question = await browser.get(`/assets/${asset.id}/delete`);
    const done = await browser.submitForm(question, {
      confirm_inventory_number: asset.inventory_number,
    });
    const after = (await browser.get(String(done.headers.location))).body;

    expect(page).toContain("b.txt");
    expect(question.body).toContain("2 files");
    expect(after).toContain("2 files");
    expect(await filesOf(team)).toEqual([]);
    expect(
      await current().db.query("SELECT FROM file_pieces WHERE organization_id = $1", [
        team.owner.organizationId,
      ]),
    ).toEqual([]);
  });
});

function findToken(html: string): Record<string, string> {
  return { _csrf: /name="_csrf" value="([^"]*)"/.exec(html)?.[1] ?? "" };
}
