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
