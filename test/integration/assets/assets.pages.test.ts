import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { withoutPageScript } from "../../support/browser.js";
import { aMember, aTask } from "../../support/builders.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { daysFromNow } from "../../support/tasks.js";

interface Created {
  asset: { id: string; inventory_number: string; name: string };
}

async function anAsset(
  owner: Connected,
  fields: Record<string, unknown> = {},
): Promise<Created["asset"]> {
  return (await owner.ok<Created>("create_asset", { name: "Pump", ...fields })).asset;
}

function namesIn(html: string): string[] {
  return [...html.matchAll(/<a class="thing" href="\/assets\/[^"]*" dir="auto">([^<]*)<\/a>/g)].map(
    ([, name = ""]) => name,
  );
}

describe("asset list", () => {
  const current = useApp();

  test("each filter narrows the list, and the count describes it in words", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    await anAsset(owner, { name: "Lamp", tags: ["glass"], criticality: "critical" });
    await anAsset(owner, { name: "Lathe", workspace_id: "Hall", category: "Machines" });
    await anAsset(owner, { name: "Press", state: "stored", assigned_to_user_id: "me" });
    await anAsset(owner, { name: "Saw", warranty_expires_on: daysFromNow(20) });
    const gone = await anAsset(owner, { name: "Old saw" });
    await owner.ok("update_asset_state", { asset_id: gone.id, state: "deleted" });
    const browser = await signIn(current().app, owner.member);
    const found = async (query: string) => namesIn((await browser.get(`/assets${query}`)).body);

    expect(await found("")).toEqual(["Lamp", "Lathe", "Press", "Saw"]);
    expect((await browser.get("/assets")).body).toContain("4 assets");
    expect(await found("?q=lat")).toEqual(["Lathe"]);
    expect(await found("?workspace_id=Hall")).toEqual(["Lathe"]);
    expect(await found("?workspace_id=none&sort=-created_at")).toEqual(["Saw", "Press", "Lamp"]);
    expect(await found("?state=stored")).toEqual(["Press"]);
    expect(await found("?state=deleted")).toEqual(["Old saw"]);
    expect(await found("?state=all")).toHaveLength(5);
    expect(await found("?category=machines")).toEqual(["Lathe"]);
    expect(await found("?criticality=critical")).toEqual(["Lamp"]);
    expect(await found("?assignee=me")).toEqual(["Press"]);
    expect(await found("?assignee=none")).toEqual(["Lamp", "Lathe", "Saw"]);
    expect(await found("?tag=glass")).toEqual(["Lamp"]);
    expect(await found(`?warranty_before=${daysFromNow(30)}`)).toEqual(["Saw"]);
    expect(await found(`?warranty_from=${daysFromNow(30)}`)).toEqual([]);
  });

  test("the breadcrumb of an asset links to the assets of its workspace", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    await anAsset(owner, { name: "Elsewhere" });
    const { id } = await anAsset(owner, { name: "Lathe", workspace_id: "Hall" });
    const browser = await signIn(current().app, owner.member);

    const { body } = await browser.get(`/assets/${id}`);

    const [, crumb = ""] = /<a href="(\/assets\?[^"]*)" dir="auto">Hall</.exec(body) ?? [];
    const list = await browser.get(crumb);
    expect(namesIn(list.body)).toEqual(["Lathe"]);
    expect(list.body).toContain("Workspace: Hall");
  });

  test("the overview of an asset has its failures and cost of a year", async () => {
    const owner = await connect(current());
    const { id } = await anAsset(owner);
    await aTask(current().db, owner.member, {
      ...{ asset_id: id, type: "corrective", state: "completed" },
      ...{ completed_at: new Date().toISOString(), labor_cost: 120, currency: "EUR" },
    });

    const { body } = await (await signIn(current().app, owner.member)).get(`/assets/${id}`);

    expect(body.replaceAll(/<[^>]*>/g, "")).toContain("Last 365 days1 failure · €120");
    expect(body).toContain(`href="/assets/${id}?tab=work#figures"`);
  });

  test("keeps the requested filters selected, also by name or as “me”", async () => {
    const owner = await connect(current(), { workspace: "Hall" });
    await anAsset(owner, { category: "Pumps" });
    const browser = await signIn(current().app, owner.member);

    const { body } = await browser.get("/assets?q=pump&workspace_id=hall&assignee=me&tag=a");

    expect(body).toContain(`value="${owner.member.workspaceId ?? ""}" selected`);
    expect(body).toContain(`value="${owner.member.userId}" selected`);
    expect(body).toContain('name="tag" value="a"');
    expect(body).toContain('name="q" value="pump"');
  });

  test("links the pages of a long list forward and back", async () => {
    const owner = await connect(current());
    for (let number = 10; number < 45; number += 1) {
      await anAsset(owner, { name: `Item ${number}` });
    }
    const browser = await signIn(current().app, owner.member);

    const first = await browser.get("/assets?q=item");
    const next = /href="([^"]*)" rel="next"/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await browser.get(next);

    expect(first.body).toContain("30 of 35 assets");
    expect(namesIn(first.body).at(-1)).toBe("Item 39");
    expect(namesIn(second.body)).toEqual([40, 41, 42, 43, 44].map((number) => `Item ${number}`));
    expect(second.body).toContain('href="/assets?q=item"');
  });

  test("the heading sorts by name in both directions and keeps the filters", async () => {
    const owner = await connect(current());
    for (let number = 10; number < 45; number += 1) {
      await anAsset(owner, { name: `Item ${number}`, criticality: number < 44 ? "high" : "low" });
    }
    const browser = await signIn(current().app, owner.member);
    const heading = /aria-sort="(\w+)"><a class="sort" href="([^"]*)"/;
    const read = (html: string) => {
      const [, sorted, href = ""] = heading.exec(html) ?? [];
      return { sorted, href: href.replaceAll("&amp;", "&") };
    };

    const usual = await browser.get("/assets?criticality=high");
    const reverse = await browser.get(read(usual.body).href);
    const next = /href="([^"]*)" rel="next"/.exec(reverse.body)?.[1]?.replaceAll("&amp;", "&");
    const rest = await browser.get(next ?? "");

    expect(read(usual.body).sorted).toBe("ascending");
    expect(read(reverse.body)).toEqual({
      sorted: "descending",
      href: "/assets?criticality=high",
    });
    expect([...namesIn(reverse.body), ...namesIn(rest.body)]).toEqual(
      Array.from({ length: 34 }, (_, index) => `Item ${43 - index}`),
    );
    expect(read((await browser.get("/assets?q=item")).body).sorted).toBeUndefined();
  });

  test("reports an invalid page or filter on the list", async () => {
    const owner = await connect(current());
    await anAsset(owner);
    const browser = await signIn(current().app, owner.member);

    const wrongPage = await browser.get("/assets?cursor=nonsense");
    const wrongState = await browser.get("/assets?state=broken&q=pump");
    const wrongPlace = await browser.get("/assets?workspace_id=Nowhere");

    expect(wrongPage.statusCode).toBe(400);
    expect(wrongPage.body).toContain("doesn't belong to this list");
    expect(wrongState.body).toContain("State: choose one from the list.");
    expect(namesIn(wrongState.body)).toEqual(["Pump"]);
    expect(wrongPlace.body).toContain("Nowhere");
    expect(wrongPlace.body).toContain("Clear all filters");
  });

  test("explains an empty list and offers adding only to people who may", async () => {
    const { app, db } = current();
    const owner = await aMember(db);
    const viewer = await aMember(db, {
      organization: owner.organization,
      role: "member",
      workspace: "Hall",
      workspaceRole: "viewer",
    });

    const forOwner = (await (await signIn(app, owner)).get("/assets")).body;
    const forViewer = (await (await signIn(app, viewer)).get("/assets")).body;

    expect(forOwner).toContain("No assets yet");
    expect(forOwner).toContain('href="/assets/new"');
    expect(forViewer).toContain("No assets yet");
    expect(forViewer).not.toContain('href="/assets/new"');
  });

  test("suggests close matches for a search without results", async () => {
    const owner = await connect(current());
    const asset = await anAsset(owner, { name: "Circulation pump", category: "Pumps" });
    const browser = await signIn(current().app, owner.member);

    const misspelt = (await browser.get("/assets?q=circulaton")).body;
    const category = (await browser.get("/assets?category=pump")).body;

    expect(misspelt).toContain("Did you mean");
    expect(misspelt).toContain(`href="/assets/${asset.inventory_number}"`);
    expect(category).toContain('href="/assets?category=Pumps"');
  });
});

describe("asset page", () => {
  const current = useApp();

  test("shows facts, open tasks, parts, and figures, and omits empty ones", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Hall" });
    const asset = await anAsset(owner, {
      workspace_id: "Hall",
      manufacturer: "Duremont",
      purchase_cost: 1249.9,
      currency: "EUR",
    });
    const part = await anAsset(owner, { name: "Motor", parent_asset_id: asset.id });
    await aTask(db, owner.member, { asset_id: asset.id, title: "Oil", due_date: daysFromNow(-3) });
    await aTask(db, owner.member, {
      ...{ asset_id: asset.id, type: "corrective", state: "completed" },
      ...{ downtime_minutes: 90, labor_cost: 50, currency: "EUR" },
    });
    const browser = await signIn(app, owner.member);

    const { body } = await browser.get(`/assets/${asset.id}`);
    const work = (await browser.get(`/assets/${asset.id}?tab=work`)).body;
    const ofPart = (await browser.get(`/assets/${part.id}`)).body;

    expect(body).toContain("Duremont");
    expect(body).toContain("€1,249.90");
    expect(body).not.toContain("Serial number");
    expect(body).toContain(`<a href="/assets/${asset.id}/edit">Add details</a>`);
    expect(body).toMatch(/3 days overdue/);
    expect(work).toMatch(/Oil.*3 days overdue.*Completed tasks/s);
    expect(work).toContain("1 h 30 min on average over 1 repair");
    expect(work).toContain("Needs at least two failures");
    expect(body).toContain(`href="/assets/${part.id}"`);
    expect(ofPart).toMatch(new RegExp(`Part of.*href="/assets/${asset.id}">Pump`, "s"));
  });

  test("redirects an inventory number with special characters to the asset page", async () => {
    const owner = await connect(current());
    const asset = await anAsset(owner, { inventory_number: "A/7 b" });
    const browser = await signIn(current().app, owner.member);

    const answer = await browser.get("/assets/A%2F7%20b");

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`/assets/${asset.id}`);
  });

  test("offers only actions the role allows", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Hall" });
    const asset = await anAsset(owner, { workspace_id: "Hall" });
    const offered = async (workspaceRole: "viewer" | "member" | "admin") => {
      const { organization } = owner.member;
      const options = { organization, role: "member", workspace: "Hall", workspaceRole } as const;
      const { body } = await (
        await signIn(app, await aMember(db, options))
      ).get(`/assets/${asset.id}`);
      return ["edit", "state", "move", "retire", "delete"].filter((action) =>
        body.includes(`href="/assets/${asset.id}/${action}"`),
      );
    };

    expect(await offered("viewer")).toEqual([]);
    expect(await offered("member")).toEqual(["edit", "state", "move", "retire"]);
    expect(await offered("admin")).toEqual(["edit", "state", "move", "retire", "delete"]);
  });

  test("shows the date and reason of retirement and the way to restore", async () => {
    const owner = await connect(current());
    const asset = await anAsset(owner);
    await owner.ok("update_asset_state", {
      ...{ asset_id: asset.id, state: "deleted", reason: "sold", note: "To the neighbours" },
    });
    const browser = await signIn(current().app, owner.member);

    const { body } = await browser.get(`/assets/${asset.id}?scanned=1`);

    expect(body).toContain("This asset is retired");
    expect(body).toMatch(/Since.*today.*Reason: sold/s);
    expect(body).toContain("<p>To the neighbours</p>");
    expect(body).toContain(`href="/assets/${asset.id}/restore"`);
    expect(body).not.toContain(`href="/assets/${asset.id}/retire"`);
    expect(body).not.toContain(`/assets/${asset.id}/seen`);
  });

  test("returns 404 for hidden assets and omits hidden parts", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Hall" });
    const place = { workspace: "Yard", workspaceRole: "viewer", role: "member" } as const;
    const viewer = await aMember(db, { organization: owner.member.organization, ...place });
    const hidden = await anAsset(owner, { name: "Secret motor", workspace_id: "Hall" });
    const seen = await anAsset(owner, { workspace_id: "Yard" });
    await owner.ok("update_asset", { asset_id: hidden.id, parent_asset_id: seen.id });
    const foreign = await anAsset(await connect(current()), { name: "Foreign pump" });
    const browser = await signIn(app, viewer);

    for (const id of [hidden.id, hidden.inventory_number, foreign.id, "ast_000000000000", "T-1"]) {
      const answer = await browser.get(`/assets/${id}`);
      expect(answer.statusCode, id).toBe(404);
      expect(answer.body).not.toContain("Secret motor");
    }
    const page = await browser.get(`/assets/${seen.id}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain("Secret motor");
    expect((await browser.get("/assets")).body).not.toContain("Secret motor");
  });

  test("shows hostile text as text", async () => {
    const owner = await connect(current());
    const text = `<script>alert("x")</script><img src=x onerror=alert(1)>`;
    const asset = await anAsset(owner, { name: text, location: text, description: text });
    await owner.ok("update_asset", { asset_id: asset.id, note: text, tags: ["<b>bold</b>"] });
    const browser = await signIn(current().app, owner.member);

    for (const address of ["/assets", `/assets/${asset.id}`, `/assets/${asset.id}/history`]) {
      const { body } = await browser.get(address);
      expect(body).toContain("&lt;script>");
      expect(withoutPageScript(body)).not.toMatch(/<script|<img src=x|<b>bold/);
    }
    const { body: found } = await browser.get(`/assets?q=${encodeURIComponent(text)}`);
    expect(withoutPageScript(found)).not.toMatch(/<script|<img src=x/);
  });
});
