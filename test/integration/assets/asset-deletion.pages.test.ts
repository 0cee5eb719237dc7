import { describe, expect, test } from "vitest";
import { updateAsset } from "../../../server/src/domain/assets/asset-updates.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { useApp } from "../../support/app.js";
import { anAsset, aTeam, hostileTexts, readAsset } from "../../support/asset-pages.js";
import { withoutPageScript } from "../../support/browser.js";
import { aTask, toCaller } from "../../support/builders.js";
import { signIn } from "../../support/oauth.js";

describe("danger zone of an asset", () => {
  const current = useApp();

  test("lists the losses, offers retirement, and requires typing the inventory number", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    await aTask(current().db, team.owner, {
      asset_id: asset.id,
      state: "completed",
      labor_cost: 120.5,
      currency: "EUR",
    });
    await aTask(current().db, team.owner, { asset_id: asset.id });
    const browser = await signIn(current().app, team.lead);
    const page = await browser.get(`/assets/${asset.id}/delete`);
    expect(page.body).toContain("2 tasks");
    expect(page.body).toContain("1 entry");
    expect(page.body).toContain("€120.50");
    expect(page.body).toContain(`href="/assets/${asset.id}/retire"`);
    expect(await readAsset(current(), asset.id)).toBeDefined();

    const fields = { confirm_inventory_number: asset.inventory_number };
    const answer = await browser.submitForm(page, fields);
    expect(answer.headers.location).toBe("/assets");
    expect((await browser.get("/assets")).body).toContain(
      `Air compressor (${asset.inventory_number}) permanently deleted, with 2 tasks and 1 history entry.`,
    );
    expect(await readAsset(current(), asset.id)).toBeUndefined();

    const twice = await browser.submitForm(page, fields);
    expect(twice.headers.location).toBe("/assets");
    expect((await browser.get("/assets")).body).toContain("permanently deleted.");
    expect((await browser.get(`/assets/${asset.id}/delete`)).statusCode).toBe(404);
    const owner = await signIn(current().app, team.owner);
    const other = await anAsset(current(), team);
    const form = await owner.get(`/assets/${other.id}/delete`);
    const token = /name="_csrf" value="([^"]*)"/.exec(form.body)?.[1] ?? "";
    const late = await owner.post(`/assets/${asset.id}/delete`, { ...fields, _csrf: token });
    expect(late.statusCode).toBe(404);
  });

  test("deletes once when submitted twice at once, and redirects both times", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}/delete`);
    const fields = { confirm_inventory_number: asset.inventory_number };
    const answers = await Promise.all([
      browser.submitForm(page, fields),
      browser.submitForm(page, fields),
    ]);
    expect(answers.map(({ headers }) => headers.location)).toEqual(["/assets", "/assets"]);
    expect(await readAsset(current(), asset.id)).toBeUndefined();
  });

  test("rejects a number that differs by one byte and keeps the typed value", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team, { inventory_number: "Presse-1é" });
    const browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}/delete`);
    const { nul, script, rightToLeft, long } = hostileTexts;
    for (const typed of [
      "",
      "presse-1é",
      " Presse-1é",
      "Presse-1é ",
      "Presse-1e\u0301",
      asset.id,
      nul,
      script,
      rightToLeft,
      long,
    ]) {
      const answer = await browser.submitForm(page, { confirm_inventory_number: typed });
      expect([typed.slice(0, 12), answer.statusCode]).toEqual([typed.slice(0, 12), 400]);
      expect(answer.body).toContain('<a href="#confirm_inventory_number">');
      expect(answer.body).toContain("so nothing was deleted");
      expect(withoutPageScript(answer.body)).not.toContain("<script");
    }
    const kept = await browser.submitForm(page, { confirm_inventory_number: "Presse-2" });
    expect(kept.body).toContain('value="Presse-2"');
    expect(await readAsset(current(), asset.id)).toBeDefined();
  });

  test("rejects the former inventory number after it changed", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.owner);
    const page = await browser.get(`/assets/${asset.id}/delete`);
    await commit({ db: current().db, caller: null }, (tx) =>
      updateAsset(tx, toCaller(team.owner), asset.id, { inventory_number: "NEW-1" }),
    );
    const fields = { confirm_inventory_number: asset.inventory_number };
    const answer = await browser.submitForm(page, fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain("NEW-1");
    expect(await readAsset(current(), asset.id)).toBeDefined();
  });

  test("allows only workspace admins and organization admins", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const address = `/assets/${asset.id}/delete`;
    for (const [member, status] of [
      [team.viewer, 403],
      [team.member, 403],
      [team.elsewhere, 404],
      [team.stranger, 404],
    ] as const) {
      const browser = await signIn(current().app, member);
      expect([member.name, (await browser.get(address)).statusCode]).toEqual([member.name, status]);
      const { body } = await browser.get("/settings");
      const _csrf = /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "";
      const fields = { _csrf, confirm_inventory_number: asset.inventory_number };
      const answer = await browser.post(address, fields);
      expect([member.name, answer.statusCode]).toEqual([member.name, status]);
    }
    expect(await readAsset(current(), asset.id)).toBeDefined();
    const page = await (await signIn(current().app, team.owner)).get(address);
    expect(page.statusCode).toBe(200);
  });

  test("deletes nothing without a CSRF token", async () => {
    const team = await aTeam(current());
    const asset = await anAsset(current(), team);
    const browser = await signIn(current().app, team.owner);
    const fields = { confirm_inventory_number: asset.inventory_number };
    expect((await browser.post(`/assets/${asset.id}/delete`, fields)).statusCode).toBe(403);
    expect(await readAsset(current(), asset.id)).toBeDefined();
  });
});
