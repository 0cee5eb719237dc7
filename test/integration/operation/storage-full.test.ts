// @module-tag embedded

import { afterAll, beforeAll, expect, test } from "vitest";
import { toRefusal } from "../../../server/src/db/query-errors.js";
import { useApp } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

const current = useApp();
const message =
  "The server's storage is full. Nothing was changed. Ask the server's administrator to make room, then try again.";

/** The error of PostgreSQL and the embedded database if a table can't be extended. */
beforeAll(async () => {
  await current().db.query(`
    CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'could not extend file "base/5/16387": No space left on device' USING ERRCODE = 'disk_full';
    END $$;
    CREATE TRIGGER no_space BEFORE UPDATE OF location ON assets EXECUTE FUNCTION no_space();
    CREATE TRIGGER no_space BEFORE INSERT ON files EXECUTE FUNCTION no_space();`);
});
afterAll(() => current().db.query("DROP FUNCTION no_space CASCADE"));

test("tools, forms and uploads report full storage", async () => {
  const { app } = current();
  const team = await aTeam(current());
  const asset = await anAsset(current(), team);
  const owner = await connect(current(), { member: team.owner });
  const browser = await signIn(app, team.owner);

  const refusal = await owner.refused("update_asset", { asset_id: asset.id, location: "Roof" });
  const form = await browser.get(`/assets/${asset.id}/edit`);
  const fields = { inventory_number: asset.inventory_number, criticality: "medium" };
  const saved = await browser.submitForm(form, { name: "Fan", location: "Roof", ...fields });
  const page = await browser.get(`/assets/${asset.id}?tab=files`);
  const sent = await browser.sendFiles(page, `/assets/${asset.id}/files`, [
    { field: "file", name: "a.txt", content: "Oil" },
  ]);

  expect(refusal.code).toBe("unavailable");
  expect(refusal.message).toContain(message);
  for (const answer of [saved, sent]) {
    expect(answer.statusCode).toBe(503);
    expect(answer.body.replaceAll("&#39;", "'")).toContain(message);
  }
});

test("an upload too large for the disk reports it too", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  expect(toRefusal(error)).toMatchObject({ code: "unavailable", key: "storage_full" });
});
