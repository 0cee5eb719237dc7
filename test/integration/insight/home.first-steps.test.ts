import { describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { press } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";

describe("first steps of an organization", () => {
  const current = useServer();
  const chromium = useChromium();

  const stepsOf = (html: string) =>
    [...html.matchAll(/<h3>(.*?)<\/h3>|<li><span>(.*?)<\/span>(?:<span class="actions">|<\/li>)/gs)]
      .map(([, card, line]) => card ?? line ?? "")
      .filter((text) => /Add a|Add main|Invite people|Connect your/.test(text))
      .map((text) => text.replaceAll(/<.*?>/g, "").replace("✓ ", ""));

  test.each([
    ["en", "Dara Novak", "Welcome, <bdi>Dara</bdi>"],
    ["es", "Dara Novak", "Hola, <bdi>Dara</bdi>"],
    ["de", "Dara Novak", "Guten Tag, <bdi>Dara Novak</bdi>"],
    ["de", "Novak, Dara", "Willkommen"],
    ["en", "Dr. Dara Novak", "Welcome"],
    ["en", "Novak, Dara", "Welcome"],
  ])("greets in %s the person %s", async (language, name, greeting) => {
    const { app, db } = current();
    const { userId, ...owner } = await aMember(db);
    await db.query("UPDATE users SET name = $2, locale = $3 WHERE id = $1", [
      ...[userId, name, language],
    ]);
    const browser = await signIn(app, { userId, ...owner });
    expect((await browser.get("/")).body).toContain(`<h1>${greeting}</h1>`);
  });

  test("are completed one by one, stay beside daily work, and disappear when done", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const browser = await signIn(app, owner);
    const home = async () => (await browser.get("/")).body;
    const titles = [
      ...["Add a workspace", "Add an asset", "Add maintenance plans"],
      ...["Invite people", "Connect your assistant"],
    ];
    expect(stepsOf(await home())).toEqual(titles);
    expect(await home()).toContain("0 of 5 done");
    expect(await home()).toContain('href="/import?kind=assets"');

    const assistant = await connect(current(), { member: owner });
    await assistant.ok("create_workspace", { name: "Yard" });
    expect(stepsOf(await home())).toEqual([
      "Done: Add a workspace",
      "Add an asset",
      "Add maintenance plans",
      "Invite people",
      "Done: Connect your assistant",
    ]);
    await assistant.ok("create_asset", { name: "Pump" });
    const day = await home();
    expect(day).toContain("Needs attention");
    expect(day).toContain("3 of 5 done");
    expect(stepsOf(day)).toContain("Done: Add an asset");
    expect(day).toContain('href="/settings/members/invite">Invite a person</a>');
    await assistant.ok("create_invite", { email: "new@example.com" });
    await assistant.ok("create_maintenance_task", {
      title: "Check the pump",
      workspace_id: "Yard",
      due_date: "2030-01-31",
      recurrence: { every: 1, unit: "month" },
    });

    expect(await home()).not.toContain("First steps");
  });

  test("are hidden by each owner or admin separately, and absent for members", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const { organization } = owner;
    const admin = await signIn(app, await aMember(db, { organization, role: "admin" }));
    const plain = await signIn(app, await aMember(db, { organization, role: "member" }));
    const browser = await signIn(app, owner);
    const home = await browser.get("/");
    expect(home.body).toContain("First steps for");

    const hidden = await press(browser, home, "Hide the first steps");

    expect(hidden.statusCode).toBe(303);
    const after = (await browser.get("/")).body;
    expect(after).toContain("First steps hidden.");
    expect(after).not.toContain("First steps for");
    expect(after).toContain('href="/assets/new"');
    expect((await admin.get("/")).body).toContain("First steps for");
    const own = await plain.get("/");
    expect(own.body).not.toContain("First steps");
    const token = /name="_csrf" value="([^"]*)"/.exec(own.body)?.[1] ?? "";
    expect((await plain.post("/first-steps/hide", { _csrf: token })).statusCode).toBe(403);
    expect((await admin.post("/first-steps/hide", {})).statusCode).toBe(403);
  });

  browserTest("pass the checks in every view", async () => {
    const { db } = current();
    const owner = await aMember(db);
    const assistant = await connect(current(), { member: owner });
    for (const step of ["none", "asset"]) {
      if (step === "asset") await assistant.ok("create_asset", { name: "Pump" });
      for (const view of views) {
        const opened = await openPage(chromium(), current(), owner, view);
        expect(await sweep(opened, ["/"])).toEqual({});
        await opened.close();
      }
    }
  });
});
