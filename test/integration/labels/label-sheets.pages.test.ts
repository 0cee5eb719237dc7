import { describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { aTeam, anAsset } from "../../support/asset-pages.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const current = useServer();

describe("label sheets for a selection or a list", () => {
  test("prints selected assets with the template, text, and skipped labels", async () => {
    const team = await aTeam(current());
    const assets = [await anAsset(current(), team), await anAsset(current(), team)];
    const browser = await signIn(current().app, team.viewer);
    const query = assets.map(({ id }) => `ids=${id}`).join("&");

    const form = await browser.get(`/labels/new?${query}`);
    const wrong = await browser.submitForm(form, {
      ...{ label_template: "avery_l7160", skip_labels: "21", label_fields: "location" },
    });
    const made = await browser.submitForm(form, {
      ...{ label_template: "avery_l7163", skip_labels: "13" },
      label_fields: ["name", "workspace"],
    });
    const pdf = await browser.get(String(made.headers.location));

    expect(form.body).toContain("2 labels");
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("must be less than 21");
    expect(wrong.body).toMatch(/value="location"[^>]*checked/);
    expect(made.statusCode).toBe(303);
    expect(made.headers.location).toMatch(/^\/labels\/[\w-]+$/);
    expect(pdf.headers["content-type"]).toBe("application/pdf");
    // The first sheet fills the started page, the second starts a new page.
    expect(pdf.rawPayload.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(2);
  });

  test("prints a filtered list, a hundred per link, with the next on the page", async () => {
    const team = await aTeam(current());
    await current().db.query(
      `INSERT INTO assets (id, organization_id, workspace_id, inventory_number, name, qr_token, created_by)
       SELECT 'ast_' || lpad(n::text, 12, '0'), $1, $2, 'N-' || n, 'Pump ' || n,
         lpad(n::text, 12, 'q'), $3 FROM generate_series(1, 120) n`,
      [team.owner.organizationId, team.workspaceId, team.owner.userId],
    );
    await anAsset(current(), team, { name: "Lathe" });
    const browser = await signIn(current().app, team.member);
    const list = (await browser.get("/assets?q=pump")).body;

    const form = await browser.get("/labels/new?q=pump");
    const made = await browser.submitForm(form, {
      label_template: "avery_l7160",
      skip_labels: "1",
    });
    const links = [...made.body.matchAll(/href="(\/labels\/[\w-]+)"/g)].map(([, link]) => link);

    expect(list).toContain('href="/labels/new?q=pump"');
    expect(list).toMatch(/<input type="checkbox"[^>]*name="ids"[^>]*value="ast_/);
    expect(form.body).toContain("120 labels");
    expect(made.statusCode).toBe(200);
    expect(made.body).toContain("Labels 1 to 83");
    expect(made.body).toContain("Labels 84 to 120");
    expect(links).toHaveLength(2);
  });

  test("omits hidden assets, and explains an empty selection", async () => {
    const team = await aTeam(current());
    const hidden = await anAsset(current(), team);
    const browser = await signIn(current().app, team.elsewhere);

    const form = await browser.get(`/labels/new?ids=${hidden.id}`);
    const refused = await browser.submitForm(form, { label_template: "avery_l7160" });
    const empty = await browser.get("/labels/new?q=nothing-like-that");

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("No asset you can see");
    expect(refused.body).not.toContain(hidden.name);
    expect(empty.body).toContain("No assets selected");
  });

  const chromium = useChromium();

  browserTest.each(views)("prints rows selected in the list: %o", async (view) => {
    const team = await aTeam(current());
    for (const name of ["Pump 1", "Pump 2", "Pump 10"]) await anAsset(current(), team, { name });
    const opened = await openPage(chromium(), current(), team.member, view);
    const { page } = opened;

    await page.goto("/assets");
    await page.getByLabel("Select Pump 2").check();
    await page.getByLabel("Select Pump 10").check();
    await page.getByRole("button", { name: "Print selected labels" }).click();
    await page.getByText("2 labels, in list order.").waitFor();

    expect(await sweep(opened, ["/assets", "/labels/new"])).toEqual({});
    await opened.close();
  });
});
