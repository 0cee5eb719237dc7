import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import type { TestBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";

const tabs = (body: string) =>
  [
    ...(/<nav class="quick-views.*?<\/nav>/s.exec(body)?.[0].matchAll(/<a [^>]*>([^<]*)</g) ?? []),
  ].map(([, label]) => label);

const submit = async (browser: TestBrowser, address: string, fields: Record<string, string>) =>
  browser.submitForm(await browser.get(address), fields);

describe("saved views", () => {
  const current = useApp();

  test("are tabs of the list, can be renamed and deleted, and belong to one person", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    await owner.ok("create_asset", { name: "Pump", workspace_id: "Hall", criticality: "high" });
    const browser = await signIn(current().app, owner.member);

    const filtered = await browser.get("/assets?criticality=high");
    expect(tabs(filtered.body)).toEqual(["All", "Save view"]);
    const query = encodeURIComponent("criticality=high");
    await submit(browser, `/assets/view?query=${query}`, { name: "Critical ones" });
    const saved = await browser.get("/assets?criticality=high");
    expect(tabs(saved.body)).toEqual(["All", "Critical ones", "Edit view"]);
    expect(tabs((await browser.get("/assets")).body)).toEqual(["All", "Critical ones"]);

    await submit(browser, "/assets/view?view=Critical%20ones", { name: "First" });
    expect(tabs((await browser.get("/assets")).body)).toEqual(["All", "First"]);

    const { organization } = owner.member;
    const colleague = await aMember(current().db, { organization, role: "admin" });
    const other = await signIn(current().app, colleague);
    expect(tabs((await other.get("/assets")).body)).toEqual(["All"]);
    expect((await other.get("/assets/view?view=First")).statusCode).toBe(404);

    await submit(browser, "/assets/view?view=First", { name: "First", deleted: "yes" });
    expect(tabs((await browser.get("/assets")).body)).toEqual(["All"]);
  });

  test("need a name, and are limited in number", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    const browser = await signIn(current().app, owner.member);

    const empty = await submit(browser, "/tasks/view?query=state%3Doverdue", { name: " " });
    expect(empty.body).toContain("Enter a name.");
    for (let number = 1; number <= 20; number += 1) {
      await submit(browser, "/tasks/view?query=state%3Doverdue", { name: `View ${number}` });
    }
    const refused = await submit(browser, "/tasks/view?query=state%3Dall", { name: "One more" });
    expect(refused.body).toContain("You have 20 views. Delete one first.");
  });
});

describe("columns of lists", () => {
  const current = useApp();
  const heads = (body: string) =>
    [...body.matchAll(/<th scope="col" class="(\w+)/g)].map(([, kind]) => kind);

  test("show what tells rows apart, or what the reader chose", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    const assets = [
      { name: "Pump", workspace_id: "Hall", criticality: "high" },
      { name: "Saw", workspace_id: "Hall", state: "stored" },
      { name: "Van" },
    ];
    await owner.ok("create_asset", { assets });
    const browser = await signIn(current().app, owner.member);
    const columns = async (query: string) =>
      heads((await browser.get(`/assets?${query}`)).body).filter((kind) => kind !== "pick");

    expect(await columns("")).toEqual(["what", "state", "rank", "where"]);
    expect(await columns("workspace_id=Hall")).toEqual(["what", "state", "rank"]);

    const chosen = await browser.get("/assets?q=&sort=name&columns=&columns=who&columns=due");
    expect(chosen.headers.location).toBe("/assets");
    expect(await columns("")).toEqual(["what", "who", "due"]);
    const { body } = await browser.get("/assets?q=Van");
    expect(body).toMatch(/<input [^>]*name="columns"[^>]*value="who"[^>]*checked/);
    expect(body).not.toMatch(/<input [^>]*name="columns"[^>]*value="state"[^>]*checked/);

    const again = await browser.get("/assets?q=Pump&columns=&columns=%22");
    expect(again.headers.location).toBe("/assets?q=Pump");
    expect(await columns("")).toEqual(["what", "state", "rank", "where"]);
  });

  test("name the state of begun tasks below their title", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    for (const title of ["Paint", "Sweep"]) {
      await owner.ok("create_maintenance_task", { title, workspace_id: "Hall" });
    }
    await owner.ok("update_maintenance_task", { task_id: "T-2", state: "in_progress" });
    const browser = await signIn(current().app, owner.member);

    const { body } = await browser.get("/tasks");

    expect(heads(body)).not.toContain("state");
    expect(body).toMatch(/Sweep.*In progress.*T-2/s);
    expect(body).not.toContain("Scheduled</span>");
  });
});
