import { describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Json } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const testApp = useServer();

/** A person who owns one organization and is a member of another. */
async function somebodyInTwo() {
  const { db } = testApp();
  const first = await aMember(db, { role: "owner", organization: `Alpha ${crypto.randomUUID()}` });
  const second = await aMember(db, {
    role: "member",
    organization: `Beta ${crypto.randomUUID()}`,
    email: first.email,
  });
  return { person: first, first, second };
}

describe("organization switcher", () => {
  test("lists the person's organizations with their role, and marks the current one", async () => {
    const { person, first, second } = await somebodyInTwo();
    const browser = await signIn(testApp().app, person);

    const { body } = await browser.get("/organizations");

    expect(body).toMatch(new RegExp(`${first.organization}</strong>.*?Owner.*?Current`, "s"));
    expect(body).toMatch(new RegExp(`${second.organization}</strong>.*?Member.*?Switch`, "s"));
  });

  test("switches the organization of all pages, and confirms it once", async () => {
    const { person, second } = await somebodyInTwo();
    const browser = await signIn(testApp().app, person);
    const choose = async () =>
      browser.submitForm(await browser.get("/organizations"), {
        organization_id: second.organizationId,
      });

    const answer = await choose();

    expect([answer.statusCode, answer.headers.location]).toEqual([303, "/"]);
    expect((await browser.get("/")).body).toContain(`You're now in ${second.organization}.`);
    const again = (await browser.get("/")).body;
    expect(again).not.toContain("You're now in");
    expect(again).toContain(`${second.organization}: switch organization`);
    expect((await browser.get("/workspaces")).body).toContain(second.organization);
  });

  test("submitted twice, ends on the same page", async () => {
    const { person, second } = await somebodyInTwo();
    const browser = await signIn(testApp().app, person);
    const page = await browser.get("/organizations");
    const fields = { organization_id: second.organizationId };

    const [one, other] = [
      await browser.submitForm(page, fields),
      await browser.submitForm(page, fields),
    ];

    expect([one.headers.location, other.headers.location]).toEqual(["/", "/"]);
    expect((await browser.get("/")).body).toContain(second.organization);
  });

  test("rejects organizations without a current membership", async () => {
    const { person, first, second } = await somebodyInTwo();
    const stranger = await aMember(testApp().db, { role: "owner" });
    const browser = await signIn(testApp().app, person);
    const page = await browser.get("/organizations");
    await testApp().db.query(
      "UPDATE organization_members SET removed_at = now() WHERE organization_id = $1",
      [second.organizationId],
    );

    for (const id of [stranger.organizationId, second.organizationId, "", "<b>org</b>"]) {
      const answer = await browser.submitForm(page, { organization_id: id });
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain(stranger.organization);
    }
    expect((await browser.get("/")).body).toContain(first.organization);
  });

  test("TEN-20 isn't switched by the URL of a hidden record in another organization", async () => {
    const { app, db } = testApp();
    const { person, first, second } = await somebodyInTwo();
    const { organizationId, organization } = second;
    const owner = await aMember(db, { role: "owner", organization, workspace: "Vault" });
    const tools = await connect(testApp(), { member: owner });
    const make = async (tool: string, given: Json) =>
      Object.values(await tools.ok<Record<string, { id: string }>>(tool, given))[0]?.id ?? "";
    const workspace_id = owner.workspaceId ?? "";
    const asset_id = await make("create_asset", { name: "Safe", workspace_id });
    const task_id = await make("create_maintenance_task", { title: "Oil it", asset_id });
    const owners = await signIn(app, owner);
    const asset = `/assets/${asset_id}`;
    const files = [{ field: "file", name: "plan.txt", content: "plan", type: "text/plain" }];
    await owners.sendFiles(await owners.get(`${asset}?tab=files`), `${asset}/files`, files);
    await owners.submitForm(await owners.get("/settings/webhooks/new"), {
      ...{ url: "https://hook.example/", "task.created": "yes" },
    });
    const change = await owners.get(`/assets/change?ids=${asset_id}`);
    await owners.submitForm(change, { ids: asset_id, add_tags: "x" });
    const rows = await db.query<{ table: string; id: string }>(
      ["files", "webhooks", "change_sets"]
        .map((table) => `SELECT '${table}' AS table, id FROM ${table} WHERE organization_id = $1`)
        .join(" UNION ALL "),
      [organizationId],
    );
    const byTable = Object.fromEntries(rows.map(({ table, id }) => [table, id]));
    const addresses = [
      ...[asset, `${asset}/edit`, `/tasks/${task_id}`, `/workspaces/${workspace_id}`],
      `/files/${byTable["files"]}`,
      `/settings/webhooks/${byTable["webhooks"]}`,
      `/changes/${byTable["change_sets"]}`,
    ];
    const browser = await signIn(app, person);
    const look = async (address: string) => {
      const { statusCode, body } = await browser.get(address);
      return [statusCode, body.includes(`${first.organization}: switch organization`)];
    };

    for (const address of addresses) {
      expect([address, ...(await look(address))]).toEqual([address, 404, true]);
      expect([address, (await owners.get(address)).statusCode]).toEqual([address, 200]);
    }
    await aMember(db, { organization, role: "member", workspace: "Vault", email: person.email });
    for (const address of addresses.slice(0, 3)) {
      const choice = await browser.get("/organizations");
      await browser.submitForm(choice, { organization_id: first.organizationId });
      expect([address, ...(await look(address))]).toEqual([address, 200, false]);
    }
  });

  test("requires sign-in", async () => {
    const answer = await testApp().app.inject({
      url: "/organizations",
      headers: { accept: "text/html" },
    });
    expect(answer.headers.location).toMatch(/^\/signin/);
  });

  describe("in a browser", () => {
    const chromium = useChromium();

    browserTest("has no faults in any view, and leads from the header back home", async () => {
      const { person, second } = await somebodyInTwo();
      for (const view of views) {
        const opened = await openPage(chromium(), testApp(), person, view);
        expect(await sweep(opened, ["/organizations"])).toEqual({});
        await opened.close();
      }
      const { page, complaints, close } = await openPage(chromium(), testApp(), person);
      await page.goto("/");
      await page.getByRole("link", { name: /switch organization$/ }).click();
      await page.getByRole("button", { name: `Switch (${second.organization})` }).click();
      await page.waitForURL((url) => url.pathname === "/");
      expect(await page.getByRole("status").textContent()).toContain(second.organization);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
