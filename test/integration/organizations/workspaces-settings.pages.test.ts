import { describe, expect, test } from "vitest";
import { useApp, useServer } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

const all = "/workspaces";
const list = "/settings/workspaces";

describe("workspace settings", () => {
  const current = useApp();

  async function workspacesOf({ organizationId }: Member) {
    const rows = await current().db.query<{
      id: string;
      name: string;
      description: string | null;
      version: number;
    }>(
      `SELECT id, name::text AS name, description, version FROM workspaces
         WHERE organization_id = $1 ORDER BY name`,
      [organizationId],
    );
    return rows;
  }

  test("an admin creates a workspace; submitting twice creates one", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    expect((await browser.get(all)).body).toContain("No workspaces yet");
    const form = await browser.get(`${list}/new`);
    const fields = { name: "Lab", description: "<b>Bold</b>\r\nsecond line", address: "" };

    const answers = [
      await browser.submitForm(form, fields),
      await browser.submitForm(form, fields),
    ];

    const [lab] = await workspacesOf(owner);
    expect(lab).toMatchObject({ name: "Lab", description: "<b>Bold</b>\nsecond line" });
    const its = `${all}/${lab?.id ?? ""}`;
    expect(answers.map(({ headers }) => headers.location)).toEqual([its, its]);
    expect(await workspacesOf(owner)).toHaveLength(1);
    const page = await browser.get(its);
    expect(page.body).toContain("Workspace Lab added.");
    expect(page.body).toContain("No assets here yet.");
    expect(page.body).not.toContain("<b>Bold");
  });

  test("rejects a missing, too long or taken name at its field", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const browser = await signIn(app, owner);
    const form = await browser.get(`${list}/new`);

    for (const [name, sentence] of [
      ["", "Enter a name."],
      ["x".repeat(101), "at most 100 characters"],
      ["LAB", "has already been taken (by &quot;Lab&quot;)"],
    ] as const) {
      const answer = await browser.submitForm(form, { name, description: "Kept as typed" });
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain(sentence);
      expect(answer.body).toContain(`id="name-error"`);
      expect(answer.body).toContain("Kept as typed");
    }
    expect(await workspacesOf(owner)).toHaveLength(1);
  });

  test("an outdated form names the other editor and changes, and can be resubmitted", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab", name: "Olga Owner" });
    const admin = await aMember(db, { organization: owner.organization, role: "admin" });
    const [first, second] = [await signIn(app, owner), await signIn(app, admin)];
    const address = `${list}/${owner.workspaceId ?? ""}`;
    const stale = await second.get(address);
    const fresh = await first.get(address);
    await first.submitForm(fresh, { name: "Laboratory", description: "Ground floor" });
    expect(
      (await first.submitForm(fresh, { name: "Laboratory", description: "Ground floor" }))
        .statusCode,
    ).toBe(303);

    const refused = await second.submitForm(stale, { name: "Workshop", description: "" });

    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Olga Owner changed “Name”, “Description”");
    expect(refused.body).toContain(`value="Workshop"`);
    expect(await workspacesOf(owner)).toMatchObject([{ name: "Laboratory", version: 2 }]);
    await second.submitForm(refused, { name: "Workshop", description: "" });
    expect(await workspacesOf(owner)).toMatchObject([{ name: "Workshop", description: null }]);
  });

  test("a non-empty workspace isn't deleted: the page lists its contents with links", async () => {
    const { app } = current();
    const owner = await connect(current(), { workspace: "Lab" });
    const id = owner.member.workspaceId ?? "";
    const pump = { name: "Pump", workspace_id: id };
    const { asset } = await owner.ok<{ asset: { id: string } }>("create_asset", pump);
    await owner.ok("create_maintenance_task", { title: "Sweep", workspace_id: id });
    const browser = await signIn(app, owner.member);

    const page = await browser.get(`${list}/${id}/delete`);
    expect(page.body).toContain("This workspace isn't empty");
    expect(page.body).toContain(`<a href="/assets?workspace_id=${id}&amp;state=all">1 asset</a>`);
    expect(page.body).toContain(`>1 task without an asset</a>`);
    expect(page.body).not.toContain("Delete workspace</button>");
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    const refused = await browser.post(`${list}/${id}/delete`, { _csrf });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("This workspace isn't empty");
    expect((await browser.get(`/assets?workspace_id=${id}&state=all`)).body).toContain(asset.id);
  });

  test("deletes an empty workspace after confirmation; submitting twice ends on the same page", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const browser = await signIn(app, owner);
    const question = await browser.get(`${list}/${owner.workspaceId ?? ""}/delete`);
    expect(question.body).toContain("1 member stays in the organization.");
    expect(await workspacesOf(owner)).toHaveLength(1);

    const answers = [
      await browser.submitForm(question, {}),
      await browser.submitForm(question, {}),
    ];

    expect(answers.map(({ headers }) => headers.location)).toEqual([all, all]);
    expect(await workspacesOf(owner)).toEqual([]);
    expect((await browser.get(`${list}/${owner.workspaceId ?? ""}`)).statusCode).toBe(404);
  });

  test("workspace admins edit only their workspace; members and strangers edit and delete nothing", async () => {
    const { app, db } = current();
    const owner = await aMember(db, { workspace: "Lab" });
    const { organization } = owner;
    const join = (workspaceRole: "admin" | "member") =>
      aMember(db, { organization, role: "member", workspace: "Lab", workspaceRole });
    const other = await aMember(db, { organization, role: "member", workspace: "Yard" });
    const [boss, member] = [
      await signIn(app, await join("admin")),
      await signIn(app, await join("member")),
    ];
    const stranger = await signIn(app, await aMember(db));
    const address = `${list}/${owner.workspaceId ?? ""}`;

    const form = await boss.get(address);
    expect(form.body).not.toContain("Delete this workspace");
    expect((await boss.submitForm(form, { name: "Laboratory" })).statusCode).toBe(303);
    expect((await boss.get(`${address}/delete`)).statusCode).toBe(403);
    expect((await boss.get(`${list}/new`)).statusCode).toBe(403);
    expect((await boss.get(`${list}/${other.workspaceId ?? ""}`)).statusCode).toBe(404);
    expect((await member.get(all)).body).not.toContain("place-edit");
    expect((await member.get(address)).statusCode).toBe(403);
    const tokens = [await member.get(all), await stranger.get(all)].map(
      ({ body }) => /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "",
    );
    const post = async (below: string) => [
      (await member.post(address + below, { _csrf: tokens[0] ?? "", name: "Mine" })).statusCode,
      (await stranger.post(address + below, { _csrf: tokens[1] ?? "", name: "Mine" })).statusCode,
    ];
    expect(await post("")).toEqual([403, 404]);
    expect(await post("/delete")).toEqual([403, 404]);
    expect((await workspacesOf(owner)).map(({ name }) => name)).toEqual(["Laboratory", "Yard"]);
  });
});

describe("workspace settings in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("creates, changes and deletes a workspace", async () => {
    const owner = await connect(current(), { workspace: "Full" });
    await owner.ok("create_asset", { name: "Pump", workspace_id: "Full" });
    const full = `${list}/${owner.member.workspaceId ?? ""}`;
    for (const [index, view] of views.entries()) {
      const opened = await openPage(chromium(), current(), owner.member, view);
      expect(await sweep(opened, [`${list}/new`, full, `${full}/delete`])).toEqual({});
      const { page } = opened;
      const name = `${"Long".repeat(22)} ${index}`;
      await page.goto(all);
      await page.getByRole("link", { name: "Add a workspace" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Add workspace" }).click();
      await page.getByRole("link", { name: `Edit ${name}` }).click();
      await page.getByLabel("Description").fill("Unbroken".repeat(30));
      await page.getByRole("button", { name: "Save workspace" }).click();
      await page.getByRole("status").waitFor();
      expect(await sweep(opened, [all, page.url()])).toEqual({});
      await page.getByRole("link", { name: `Edit ${name}` }).click();
      await page.getByRole("link", { name: `Delete ${name}` }).click();
      await page.getByRole("button", { name: "Delete workspace" }).click();
      await page.getByRole("status").getByText("deleted").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
