import { beforeAll, describe, expect, test } from "vitest";
import { formatDay } from "../../../server/src/web/text/format.js";
import { useServer } from "../../support/app.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { formsOf } from "../../support/page-forms.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { daysFromNow } from "../../support/tasks.js";

interface Made {
  asset: { id: string; inventory_number: string };
}

describe("row and bulk actions", () => {
  const current = useServer();
  const chromium = useChromium();
  let owner: Connected;
  let browser: TestBrowser;
  let member: Member;
  let viewer: Member;

  const make = async (name: string, workspace?: string) =>
    (await owner.ok<Made>("create_asset", { name, ...(workspace && { workspace_id: workspace }) }))
      .asset.id;
  const plan = (asset_id: string, columns: Parameters<typeof aTask>[2]) =>
    aTask(current().db, owner.member, { asset_id, ...columns });
  const stored = async (table: "assets" | "maintenance_tasks", ids: readonly string[]) => {
    const rows = await current().db.query<Record<string, unknown>>(
      `SELECT * FROM ${table} WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
      [ids],
    );
    return rows;
  };
  /** The referrer of a filtered list, as a browser sends it. */
  const from = (address: string) => ({ referer: new URL(address, current().config.baseUrl).href });
  const choose = (path: string, ids: readonly string[], list = path) =>
    browser.get(`${path}/change?${ids.map((id) => `ids=${id}`).join("&")}`, from(list));

  beforeAll(async () => {
    owner = await connect(current(), { workspace: "Hall" });
    browser = await signIn(current().app, owner.member);
    const { organization } = owner.member;
    const place = { organization, role: "member", workspace: "Hall" } as const;
    member = await aMember(current().db, { ...place, workspaceRole: "member", name: "Mo Member" });
    viewer = await aMember(current().db, { ...place, workspaceRole: "viewer" });
  });

  test("assigns, takes, and postpones a task from its row, and returns to the row", async () => {
    const asset = await make("Lathe", "Hall");
    const task = await plan(asset, { title: "Align", due_date: daysFromNow(-3) });
    const list = "/tasks?q=Align&state=overdue";
    const page = await browser.get(list);
    const action = `/tasks/${task.id}/act`;
    const act = async (fields: Record<string, string>) => {
      const answer = await browser.submitForm(page, fields, { action, headers: from(list) });
      expect(answer.headers.location).toBe(`${list}#${task.id}`);
      const [row] = await stored("maintenance_tasks", [task.id]);
      return { row, said: (await browser.get(list)).body };
    };

    const given = await act({ person: "mo member" });
    expect(given.row).toMatchObject({ assigned_to_user_id: member.userId });
    expect(given.said).toMatch(/<div class="message" role="status">[^<]* assigned to Mo Member\./);
    const refused = await act({ person: "Nobody Knows" });
    expect(refused.row).toMatchObject({ assigned_to_user_id: member.userId });
    expect(refused.said).toMatch(/<div class="message refusal" role="alert">[^<]*Nobody Knows/);
    expect((await act({ assigned_to_user_id: "me" })).row).toMatchObject({
      assigned_to_user_id: owner.member.userId,
    });
    const later = /name="due_date" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    expect(later).toBe(daysFromNow(7));
    await act({ due_date: later, person: "Mo Member" });
    // Submitting twice sets the same day.
    const { row } = await act({ due_date: later });
    expect(row).toMatchObject({ due_date: later, assigned_to_user_id: owner.member.userId });
    for (const wrong of [{ due_date: "soon" }, { person: " " }]) {
      expect((await browser.submitForm(page, wrong, { action })).statusCode).toBe(400);
    }
  });

  test("offers to undo the last action in its message, and returns to the list", async () => {
    const asset = await make("Press", "Hall");
    const task = await plan(asset, { title: "Oil", due_date: daysFromNow(-2) });
    const list = "/tasks?q=Oil";
    const page = await browser.get(list);
    const sent = { due_date: daysFromNow(7) };
    const headers = from(list);
    await browser.submitForm(page, sent, { action: `/tasks/${task.id}/act`, headers });
    const told = await browser.get(list);
    const [, action = ""] = /action="(\/changes\/[^"]+\/undo)"/.exec(told.body) ?? [];

    const undone = await browser.submitForm(told, {}, { action, headers });

    expect(undone.headers.location).toBe(list);
    const { body } = await browser.get(list);
    expect(body).toMatch(/<div class="message" role="status">Undone\./);
    expect(body).not.toContain("/undo");
    const [row] = await stored("maintenance_tasks", [task.id]);
    expect(row).toMatchObject({ due_date: daysFromNow(-2) });
  });

  test("offers viewers no actions, and rejects them", async () => {
    const task = await plan(await make("Press", "Hall"), { title: "Oil the press" });
    const ofViewer = await signIn(current().app, viewer);
    const page = await ofViewer.get("/tasks?q=Oil");

    expect(page.body).toContain("Oil the press");
    expect(page.body).not.toMatch(/\/act"|Edit selected|name="ids"/);
    expect((await ofViewer.get("/assets?q=Press")).body).not.toContain("Edit selected");
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    const sent = { _csrf, assigned_to_user_id: "me" };
    expect((await ofViewer.post(`/tasks/${task.id}/act`, sent)).statusCode).toBe(403);
    const [row] = await stored("maintenance_tasks", [task.id]);
    expect(row).toMatchObject({ assigned_to_user_id: null });
  });

  test("rejects a viewer's bulk change and leaves no change set", async () => {
    const asset = await make("Crane", "Hall");
    const task = await plan(asset, { title: "Grease the crane" });
    const ofViewer = await signIn(current().app, viewer);
    const page = await ofViewer.get("/tasks");
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    const fields = { _csrf, assigned_to_user_id: "me" };

    const answers = [
      await ofViewer.post("/assets/change", { ...fields, ids: [asset] }),
      await ofViewer.post("/tasks/change", { ...fields, ids: [task.id] }),
    ];

    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(403);
      expect(body).toMatch(/You can view &quot;Hall&quot; but not edit (?:assets|tasks)\. Ask /);
    }
    const sets = await current().db.query(
      "SELECT 1 FROM change_sets WHERE organization_id = $1 AND user_id = $2",
      [viewer.organizationId, viewer.userId],
    );
    expect(sets).toEqual([]);
  });

  test("offers to undo each change of an asset or a task in its message", async () => {
    const asset = await make("Saw", "Hall");
    const task = await plan(asset, { title: "Sharpen" });
    await owner.ok("create_workspace", { name: "Yard" });
    const yard = (
      await current().db.one<{ id: string }>(
        "SELECT id FROM workspaces WHERE organization_id = $1 AND name = 'Yard'",
        [owner.member.organizationId],
      )
    ).id;
    const of = { assets: asset, maintenance_tasks: task.id } as const;
    const forms = [
      ["assets", "edit", { name: "Band saw" }, { name: "Saw" }],
      ["assets", "move", { workspace_id: yard }, { workspace_id: owner.member.workspaceId }],
      ["assets", "retire", { reason: "sold" }, { state: "available" }],
      ["maintenance_tasks", "edit", { title: "Grind" }, { title: "Sharpen" }],
      ["maintenance_tasks", "hold", { comment: "No part." }, { state: "scheduled" }],
      ["maintenance_tasks", "cancel", { note: "No." }, { state: "scheduled" }],
    ] as const;
    for (const [table, action, fields, before] of forms) {
      const address = `/${table === "assets" ? "assets" : "tasks"}/${of[table]}`;
      const path = `${address}/${action}`;
      const page = await browser.get(path);
      const form = formsOf(page).find((one) => one.action === path);
      await browser.post(path, { ...form?.fields, ...fields });
      const told = await browser.get(address);
      expect(await stored(table, [of[table]]), path).not.toMatchObject([before]);

      await press(browser, told, "Undo");

      expect(await stored(table, [of[table]]), path).toMatchObject([before]);
    }
  });

  test("changes many assets at once, reports refusals, and undoes everything together", async () => {
    const list = "/assets?q=Cart&sort=-created_at";
    const ids = [await make("Cart 1", "Hall"), await make("Cart 2", "Hall"), await make("Cart 3")];
    await owner.ok("update_asset_state", { asset_id: ids[2], state: "deleted" });
    await owner.ok("update_asset", { asset_id: ids[0], tags: ["old"] });
    const page = await choose("/assets", ids, list);
    expect(page.body).toContain("Edit 3 assets");

    const nothing = await browser.submitForm(page, { ids }, { action: "/assets/change" });
    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).toContain("Choose at least one change.");
    const wanted = {
      ...{ ids, assigned_to_user_id: member.userId, state: "stored" },
      ...{ add_tags: "fleet, red", remove_tags: "old" },
    };
    const done = await browser.submitForm(page, wanted, { action: "/assets/change" });

    const report = String(done.headers.location);
    expect(report).toMatch(/^\/changes\//);
    const told = await browser.get(report);
    expect(told.body).toMatch(
      /<div class="message warning" role="status">2 assets changed\. 1 refused\./,
    );
    expect(told.body).toMatch(/Not changed.*Cart 3.*retired/s);
    expect(told.body).toContain(`href="${list.replace("&", "&amp;")}"`);
    const changed = { assigned_to_user_id: member.userId, state: "stored", tags: ["fleet", "red"] };
    expect(await stored("assets", ids.slice(0, 2))).toMatchObject([changed, changed]);
    // A repeated submit is applied once.
    const again = await browser.submitForm(page, wanted, { action: "/assets/change" });
    expect(again.headers.location).toBe(report);
    const others = { ...wanted, ids: ids.slice(0, 1) };
    const other = await browser.submitForm(page, others, { action: "/assets/change" });
    expect(other.body).toContain("You already sent this form");

    await press(browser, told, "Undo");
    const before = { assigned_to_user_id: null, state: "available" };
    expect(await stored("assets", ids.slice(0, 2))).toMatchObject([
      { ...before, tags: ["old"] },
      { ...before, tags: [] },
    ]);
  });

  test("asks for confirmation before removing records from the lists", async () => {
    const ids = [await make("Old lamp 1", "Hall"), await make("Old lamp 2", "Hall")];
    const page = await choose("/assets", ids);
    const retire = { ids, state: "deleted" };

    const asked = await browser.submitForm(page, retire, { action: "/assets/change" });
    expect(asked.statusCode).toBe(400);
    expect(asked.body).toContain('name="sure"');
    expect(await stored("assets", ids)).toMatchObject([{ state: "available" }, {}]);

    const sure = { ...retire, sure: "yes" };
    const done = await browser.submitForm(asked, sure, { action: "/assets/change" });
    expect(done.headers.location).toBe("/assets");
    expect(await stored("assets", ids)).toMatchObject([{ state: "deleted" }, { state: "deleted" }]);
  });

  test("assigns many tasks, postpones each from its own date, and completes them", async () => {
    const asset = await make("Boiler", "Hall");
    const due = [daysFromNow(-10), daysFromNow(5), undefined];
    const ids: string[] = [];
    for (const due_date of due) {
      ids.push((await plan(asset, due_date === undefined ? {} : { due_date })).id);
    }
    const page = await choose("/tasks", ids, "/tasks?q=none");
    const send = (fields: Record<string, string>) =>
      browser.submitForm(page, { ids, ...fields }, { action: "/tasks/change" });

    const both = await send({ due_date: daysFromNow(3), later_by: "7" });
    expect(both.statusCode).toBe(400);
    expect(both.body).toContain('id="later_by-error"');
    expect(both.body).toContain("Fill in “Due date” or “Days later”, not both.");
    const done = await send({ assigned_to_user_id: member.userId, later_by: "7" });
    expect(done.headers.location).toBe("/tasks?q=none");
    expect(await stored("maintenance_tasks", ids)).toMatchObject([
      { due_date: daysFromNow(7), assigned_to_user_id: member.userId },
      { due_date: daysFromNow(12) },
      { due_date: daysFromNow(7) },
    ]);
    const reopened = await choose("/tasks", ids);
    const finished = { ids, state: "completed", assigned_to_user_id: "none" };
    await browser.submitForm(reopened, finished, { action: "/tasks/change" });
    expect(await stored("maintenance_tasks", ids)).toMatchObject(
      ids.map(() => ({ state: "completed", assigned_to_user_id: null })),
    );
  });

  test("says what happens to the tasks, shows their due dates, and postpones them by a button", async () => {
    const asset = await make("Chiller", "Hall");
    const due = [daysFromNow(-4), daysFromNow(2)];
    const ids: string[] = [];
    for (const due_date of due) ids.push((await plan(asset, { due_date })).id);
    const chosen = ids.map((id) => `ids=${id}`).join("&");
    const open = async (part: string) => (await browser.get(`/tasks/change?${part}${chosen}`)).body;

    const reschedule = await open("part=due&");
    expect(reschedule).toMatch(/<h1[^>]*>Reschedule 2 tasks<.*<button[^>]*>Reschedule 2 tasks</s);
    expect(reschedule).toMatch(/<input id="due_date"[^>]* autofocus/);
    for (const day of due) expect(reschedule).toContain(`Due ${formatDay(day)}`);
    const assign = await open("part=assignee&");
    expect(assign).toMatch(/<h1[^>]*>Assign 2 tasks<.*<button[^>]*>Assign 2 tasks</s);
    expect(assign).toMatch(/<select id="assigned_to_user_id"[^>]* autofocus/);
    expect(assign).not.toContain("7 days later");
    expect(await open("")).toMatch(/<h1[^>]*>Edit 2 tasks<.*<button[^>]*>Save 2 tasks</s);

    const page = await browser.get(`/tasks/change?part=due&${chosen}`);
    const action = "/tasks/change?part=due";
    const empty = await browser.submitForm(page, { ids }, { action });
    expect(empty.body).toContain("<title>Reschedule 2 tasks");
    // The button decides, whatever the field next to it says.
    const later = { ids, due_date: daysFromNow(30), later_by_days: "7" };
    await browser.submitForm(empty, later, { action });
    expect(await stored("maintenance_tasks", ids)).toMatchObject([
      { due_date: daysFromNow(7) },
      { due_date: daysFromNow(9) },
    ]);
  });

  test("excludes hidden records from the selection and leaves them unchanged", async () => {
    await owner.ok("create_workspace", { name: "Vault" });
    const hidden = await make("Hidden safe", "Vault");
    const seen = await make("Open shelf", "Hall");
    const ofMember = await signIn(current().app, member);
    const address = `/assets/change?ids=${hidden}&ids=${seen}`;

    const page = await ofMember.get(address);
    expect(page.body).toContain("Edit 1 asset<");
    expect(page.body).not.toContain("Hidden safe");
    const fields = { ids: [hidden, seen], state: "stored" };
    await ofMember.submitForm(page, fields, { action: "/assets/change" });
    expect(await stored("assets", [hidden, seen])).toMatchObject([
      { state: "available" },
      { state: "stored" },
    ]);
    const alone = await ofMember.get(`/assets/change?ids=${hidden}`, from("/assets?q=x"));
    expect(alone.headers.location).toBe("/assets?q=x");
    expect((await ofMember.get("/assets")).body).toContain("Select the assets to edit first.");
    for (const back of ["/assets?q=ü", "/assets?q=\r\nx: y", "//evil.example", "/tasks"]) {
      const sent = { ids: [seen], state: "stored", back };
      const opened = await ofMember.get(address);
      const answer = await ofMember.submitForm(opened, sent, { action: "/assets/change" });
      expect([answer.statusCode, answer.headers.location]).toEqual([303, "/assets"]);
    }
    const many = Array.from(
      { length: 101 },
      (_, index) => `ids=ast_${String(index).padStart(12, "0")}`,
    );
    for (const ids of [many.join("&"), "ids=%00&ids=tsk_000000000000", "ids=\u{DC00}"]) {
      expect((await ofMember.get(`/assets/change?${ids}`)).headers.location).toBe("/assets");
    }
  });

  test("reports a bulk change refused for all records, with the reason and next step", async () => {
    await owner.ok("create_workspace", { name: "Annexe" });
    const ids = [await make("Laptop 1", "Annexe"), await make("Laptop 2", "Annexe")];
    const page = await choose("/assets", ids);

    const sent = { ids, assigned_to_user_id: member.userId };
    const done = await browser.submitForm(page, sent, { action: "/assets/change" });

    const told = await browser.get(String(done.headers.location));
    expect(told.body).toMatch(
      /<div class="message refusal" role="alert">Nothing changed\. 2 refused\. &quot;Mo Member&quot; can't see the workspace &quot;Annexe&quot;\. Choose someone else, or have an admin add them under Settings > Members\./,
    );
    expect(told.body).not.toContain("Changes");
    const [, add = ""] =
      /href="([^"]+)">Add Mo Member to Annexe</.exec(told.body.replaceAll("&amp;", "&")) ?? [];
    expect((await browser.get(add)).body).toMatch(/<option value="wsp_\w+" selected>Annexe</);
  });

  browserTest.each(views)(
    "selects and changes rows at $width px, $colorScheme, scripts $javaScriptEnabled",
    async (view) => {
      const asset = await make(`Fan at ${String(view.width)} ${view.colorScheme}`, "Hall");
      const task = await plan(asset, {
        ...{ title: "Balance", due_date: daysFromNow(-1) },
        estimated_minutes: 90,
      });
      const opened = await openPage(chromium(), current(), owner.member, view);
      const { page } = opened;
      expect(await sweep(opened, [`/tasks/change?ids=${task.id}`, "/search?q=Fan"])).toEqual({});

      await page.goto("/tasks?q=Balance");
      const change = page.getByRole("button", { name: "Edit selected" });
      expect(await change.isVisible()).toBe(false);
      await page.locator(`#${task.id} .acting > button`).click();
      await page.locator(`#${task.id}`).getByRole("button", { name: "+7 days" }).click();
      await page.getByText("is due on").waitFor();
      await page.locator(`#${task.id} .pick label`).click();
      const count = await page.locator(".selected-count").textContent();
      expect(count).toBe(view.javaScriptEnabled ? "1 selected · 1 h 30 min" : "");
      await page.getByRole("button", { name: "Clear" }).click();
      expect(await change.isVisible()).toBe(false);
      await page.locator(`#${task.id} .pick label`).click();
      await change.click();
      await page.getByLabel("State").selectOption("On hold");
      await page.getByRole("button", { name: "Save 1 task" }).click();
      await page.getByText("1 task changed.").waitFor();
      expect(page.url()).toMatch(/\/tasks\?q=Balance$/);
      expect(opened.complaints).toEqual([]);
      await opened.close();
    },
  );
});

describe("global search", () => {
  const current = useServer();

  test("finds visible records of each kind, links to all results, and opens exact numbers", async () => {
    const owner = await connect(current(), { workspace: "Boiler room", name: "Bo Iler" });
    const ids: string[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const fields = { name: `Boiler ${number}`, workspace_id: "Boiler room" };
      ids.push((await owner.ok<Made>("create_asset", fields)).asset.id);
    }
    await owner.ok("create_workspace", { name: "Vault" });
    const vaulted = { name: "Boiler of the vault", inventory_number: "V 1", workspace_id: "Vault" };
    const { asset } = await owner.ok<Made>("create_asset", vaulted);
    const on = { asset_id: ids[0] ?? "", title: "Boiler test" };
    const task = await aTask(current().db, owner.member, on);
    const browser = await signIn(current().app, owner.member);
    const place = { role: "member", workspace: "Boiler room", workspaceRole: "viewer" } as const;
    const { organization } = owner.member;
    const viewer = await signIn(
      current().app,
      await aMember(current().db, { organization, ...place }),
    );

    const { body } = await browser.get("/search?q=boiler");
    expect(body).toContain("All 7 assets in the list");
    expect(body).toContain('href="/assets?q=boiler&amp;state=all"');
    expect(body).toContain("Boiler test");
    expect(body).toContain(`href="/workspaces/${owner.member.workspaceId ?? ""}"`);
    expect((await browser.get("/search?q=Iler")).body).toContain("Bo Iler");
    const ofViewer = (await viewer.get("/search?q=boiler")).body;
    expect(ofViewer).toContain("All 6 assets in the list");
    expect(ofViewer).not.toContain("vault");

    const { task_number: number } = (
      await owner.ok<{ task: { task_number: string } }>("get_maintenance_task", {
        task_id: task.id,
      })
    ).task;
    const goes = async (who: TestBrowser, q: string) =>
      (await who.get(`/search?q=${encodeURIComponent(q)}`)).headers.location;
    expect(await goes(browser, number.toLowerCase())).toBe(`/tasks/${task.id}`);
    expect(await goes(browser, "V 1")).toBe(`/assets/${asset.id}`);
    expect(await goes(viewer, "V 1")).toBeUndefined();
    expect((await browser.get("/search?q=boilr")).body).toContain("Did you mean");
    expect((await browser.get(`/search?q=${"a".repeat(300)}`)).statusCode).toBe(400);
    expect((await browser.get("/search?q=T-999999")).body).toContain("No results");
  });

  test("accepts words for an asset in a form and offers the matches", async () => {
    const owner = await connect(current());
    const number = async (name: string) =>
      (await owner.ok<Made>("create_asset", { name })).asset.inventory_number;
    const [first, second] = [await number("Standby generator 4"), await number("Generator 5")];
    const browser = await signIn(current().app, owner.member);
    const page = await browser.get("/tasks/new");
    const task = { title: "Load test", asset_id: "generator" };

    const asked = await browser.submitForm(page, task);
    expect(asked.statusCode).toBe(400);
    expect(asked.body).toContain("Which one is it?");
    for (const found of [first, second]) {
      expect(asked.body).toContain(`name="found_asset_id" value="${found}"`);
    }
    const done = await browser.submitForm(asked, { ...task, found_asset_id: second });
    const made = await browser.get(String(done.headers.location));
    expect(made.body).toContain("Generator 5");
    const misspelt = await browser.submitForm(page, { ...task, asset_id: "standby genrator" });
    expect(misspelt.body).toContain(`name="found_asset_id" value="${first}"`);
  });
});
