import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { daysFromNow } from "../../support/tasks.js";

interface Created {
  asset: { id: string; inventory_number: string };
}

async function anAsset(owner: Connected, fields: Record<string, unknown> = {}) {
  return (await owner.ok<Created>("create_asset", { name: "Pump", ...fields })).asset;
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

describe("asset history", () => {
  const current = useApp();

  test("shows the person, app, action, note, and values before and after", async () => {
    const owner = await connect(current(), { workspace: "Hall", name: "Dara Novak" });
    const { id } = await anAsset(owner, { location: "Roof" });
    await owner.ok("update_asset", { asset_id: id, location: "Basement", note: "Too hot" });
    await owner.ok("update_asset", { asset_id: id, workspace_id: "Hall", supplier: "Hafen" });
    await owner.ok("update_asset", { asset_id: id, clear_fields: ["supplier"] });
    await owner.ok("update_asset_state", { asset_id: id, state: "in_use" });
    const browser = await signIn(current().app, owner.member);

    const page = await browser.get(`/assets/${id}/history`);
    const text = textOf(page.body);

    expect(page.statusCode).toBe(200);
    expect(text).toMatch(
      /Dara Novak through \S.* changed this asset Location: Roof → changed to Base/,
    );
    expect(text).toContain("Too hot");
    expect(text).toContain("Workspace: Hall");
    expect(text).toContain("Supplier: Hafen → changed to empty");
    expect(text).toContain("State: Available → changed to In use");
    expect(text).toMatch(/Today, \d+ \w+ \d{4}/);
    expect(text).not.toContain("wsp_");
    expect(text.indexOf("In use")).toBeLessThan(text.indexOf("added this asset"));
  });

  test("filters by kind and period", async () => {
    const owner = await connect(current());
    const { id } = await anAsset(owner);
    await owner.ok("update_asset_state", { asset_id: id, state: "in_use" });
    await owner.ok("update_asset", { asset_id: id, note: "Rattles" });
    await owner.ok("create_maintenance_task", { asset_id: id, title: "Oil change" });
    const browser = await signIn(current().app, owner.member);
    const found = async (query: string) =>
      textOf((await browser.get(`/assets/${id}/history?${query}`)).body);

    expect(await found("")).toContain("4 events");
    expect(await found("kind=state")).toMatch(/1 event .*changed the state/);
    expect(await found("kind=notes")).toMatch(/1 event .*Rattles/);
    expect(await found("kind=tasks")).toMatch(/1 event .*planned T-\d+ Oil change/);
    expect(await found(`from=${daysFromNow(0)}`)).toContain("4 events");
    expect(await found(`to=${daysFromNow(-2)}`)).toContain("No results");
  });

  test("paginates, and reports an invalid page or day on the page", async () => {
    const owner = await connect(current());
    const { id } = await anAsset(owner);
    for (let number = 1; number <= 52; number += 1) {
      await owner.ok("update_asset", { asset_id: id, note: `Reading ${number}` });
    }
    const browser = await signIn(current().app, owner.member);

    const first = await browser.get(`/assets/${id}/history`);
    const next = /href="([^"]*)" rel="next"/.exec(first.body)?.[1] ?? "";
    const second = await browser.get(next);

    expect(first.body).toContain("50 of 53 events");
    expect(second.body).toContain("Reading 2<");
    expect(second.body).not.toContain("Reading 3<");
    expect(second.body).toContain("Back to the first page");
    const wrong = await browser.get(`/assets/${id}/history?cursor=none`);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("doesn't belong to this list");
    const day = await browser.get(`/assets/${id}/history?from=yesterday`);
    expect(day.statusCode).toBe(400);
    expect(day.body).toContain("From isn't a date.");
    const turned = await browser.get(`/assets/${id}/history?from=2026-02-02&to=2026-01-01`);
    expect(turned.statusCode).toBe(400);
  });

  test("omits places the person can't see, and returns 404 to strangers", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Secret hall" });
    const { organization } = owner.member;
    const place = { workspace: "Yard", workspaceRole: "viewer", role: "member" } as const;
    const viewer = await signIn(app, await aMember(db, { organization, ...place }));
    const moved = await anAsset(owner, { workspace_id: "Secret hall" });
    const hidden = await anAsset(owner, { workspace_id: "Secret hall" });
    await owner.ok("update_asset", { asset_id: moved.id, workspace_id: "Yard" });
    const stranger = await signIn(app, await aMember(db));

    const page = await viewer.get(`/assets/${moved.id}/history`);

    expect(textOf(page.body)).toContain("moved this asset Workspace: Yard");
    expect(page.body).not.toContain("Secret hall");
    expect((await viewer.get(`/assets/${hidden.id}/history`)).statusCode).toBe(404);
    expect((await stranger.get(`/assets/${moved.id}/history`)).statusCode).toBe(404);
  });

  test("shows the cost of a completion and Fettle's automatic actions", async () => {
    const owner = await connect(current(), { name: "Dara Novak" });
    const { id } = await anAsset(owner);
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      ...{ asset_id: id, title: "Belt", requires_downtime: true, checklist: ["Stop", "Swap"] },
    });
    const change = { task_id: task.id };
    await owner.ok("update_maintenance_task", { ...change, state: "in_progress" });
    await owner.ok("update_maintenance_task", {
      ...{ ...change, state: "completed", labor_cost: 80, actual_minutes: 95 },
      ...{ checklist_done: [1, 2] },
    });
    const browser = await signIn(current().app, owner.member);

    const text = textOf((await browser.get(`/assets/${id}/history`)).body);

    expect(text).toContain("Labor cost: US$80.00");
    expect(text).toContain("Time spent: 1 h 35 min");
    expect(text).toContain("Checklist: steps 1, 2 done");
    expect(text).toContain(
      "Fettle (after Dara Novak worked on it) changed the state of this asset",
    );
    expect(text).not.toContain("Currency");
  });
});
