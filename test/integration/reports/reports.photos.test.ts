import { describe, expect, test } from "vitest";
import { cleanUpKeptPhotos } from "../../../server/src/domain/reports/kept-photos.js";
import { useApp } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { signIn } from "../../support/oauth.js";
import { aPhoto } from "../../support/pictures.js";
import { reportsIn } from "../../support/reports.js";

const current = useApp();
const { aScene, reportsOf, report } = reportsIn(current);

describe("the photo of a refused report", () => {
  test("is kept with and without an account", async () => {
    const scene = await aScene();
    const { app, db } = current();
    const path = `/q/${scene.code}/report`;
    for (const browser of [createBrowser(app), await signIn(app, scene.team.member)]) {
      const refused = await report(browser, scene, { description: "" }, await aPhoto());
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain("leak.jpg attached. Choose another photo to replace it.");
      const twice = await browser.sendFiles(refused, path, [], {
        description: "",
        still_usable: "yes",
      });
      expect(twice.body).toContain("leak.jpg attached");
      const fields = { description: "It leaks.", still_usable: "yes" };

      const sent = await browser.sendFiles(twice, path, [], fields);
      const again = await browser.sendFiles(twice, path, [], fields);

      expect([sent.statusCode, again.statusCode]).toEqual([303, 303]);
    }
    const reports = await reportsOf(scene);
    expect(reports).toHaveLength(2);
    const files = await db.query(
      "SELECT name, type, report_id FROM files WHERE organization_id = $1 ORDER BY created_at",
      [scene.team.owner.organizationId],
    );
    expect(files).toEqual(
      reports.map(({ id }) => ({ name: "leak.jpg", type: "image/jpeg", report_id: id })),
    );
  });

  test("keeps only photos, none from bots, and none longer than an hour", async () => {
    const scene = await aScene();
    const browser = createBrowser(current().app);
    const { db } = current();
    const count = async () =>
      (
        await db.query("SELECT 1 FROM kept_photos WHERE organization_id = $1", [
          scene.team.owner.organizationId,
        ])
      ).length;
    const path = `/q/${scene.code}/report`;
    const page = await browser.get(path);
    const text = { name: "a.txt", content: "words", type: "text/plain" };
    await browser.sendFiles(page, path, [text], { description: "" });
    await report(browser, scene, { description: "", website: "x" }, await aPhoto());
    await report(browser, scene, { description: "", stamp: "x" }, await aPhoto());
    expect(await count()).toBe(0);

    const refused = await report(browser, scene, { description: "" }, await aPhoto());
    await db.query("UPDATE kept_photos SET created_at = created_at - interval '61 minutes'");
    const fields = { description: "It leaks.", still_usable: "yes" };
    const late = await browser.sendFiles(refused, path, [], fields);
    expect(late.statusCode).toBe(400);
    expect(late.body).toContain("Choose the photo again.");
    expect((await browser.sendFiles(late, path, [], fields)).statusCode).toBe(303);
    await cleanUpKeptPhotos(db);
    expect(await count()).toBe(0);
  });
});
