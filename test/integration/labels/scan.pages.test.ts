import { describe, expect, test } from "vitest";
import { useServer } from "../../support/app.js";
import { createBrowser } from "../../support/browser.js";
import { aMember } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect, type Connected } from "../../support/mcp.js";
import { follow, signIn } from "../../support/oauth.js";
import { openPage, views } from "../../support/pages.js";

interface Created {
  asset: { id: string; version: number };
}

interface Code {
  codes: { encoded_url: string }[];
}

async function aLabelled(owner: Connected, fields: Record<string, unknown> = {}) {
  const { asset } = await owner.ok<Created>("create_asset", { name: "Pump", ...fields });
  const { codes } = await owner.ok<Code>("generate_asset_qr_codes", { asset_ids: [asset.id] });
  return { ...asset, path: new URL(codes[0]?.encoded_url ?? "").pathname };
}

async function sightings(owner: Connected, id: string): Promise<unknown[]> {
  const { events } = await owner.ok<{ events: unknown[] }>("search_asset_history", {
    asset_id: id,
    field: "last_seen_at",
  });
  return events;
}

describe("scanned labels", () => {
  const current = useServer();
  const chromium = useChromium();

  test("a code opens its asset in any letter case", async () => {
    const owner = await connect(current());
    const { id, path } = await aLabelled(owner);
    const browser = await signIn(current().app, owner.member);

    expect(path).toMatch(/^\/Q\/[0-9A-Z]{12}$/);
    for (const address of [path, path.toLowerCase(), path.replace("/Q/", "/q/")]) {
      const answer = await browser.get(address);
      expect(answer.statusCode, address).toBe(303);
      expect(answer.headers.location).toBe(`/assets/${id}?scanned=1`);
    }
  });

  test("a visitor signs in first and arrives at the asset", async () => {
    const owner = await connect(current());
    const { id, path } = await aLabelled(owner);
    const browser = createBrowser(current().app);

    const form = await follow(browser, await browser.get(path));
    const { email, password } = owner.member;
    const page = await follow(browser, await browser.submitForm(form, { email, password }));

    expect(page.raw.req.url).toBe(`/assets/${id}?scanned=1`);
    expect(page.body).toContain("Is the asset in front of you?");
  });

  test("a label from another of the person's organizations switches to it", async () => {
    const { app, db } = current();
    const first = await connect(current());
    const { email } = first.member;
    const second = await connect(current(), {
      member: await aMember(db, { email, organization: "Second firm of the scanner" }),
    });
    const inFirst = await aLabelled(first);
    const inSecond = await aLabelled(second, { name: "Other pump" });
    const browser = await signIn(app, first.member);

    const one = await follow(browser, await browser.get(inFirst.path));
    const other = await follow(browser, await browser.get(inSecond.path));

    expect(one.body).toContain(first.member.organization);
    expect(other.statusCode).toBe(200);
    expect(other.body).toContain("Other pump");
    expect(other.body).toContain(`name="_organization" value="${second.member.organizationId}"`);
  });

  test("answers a hidden code like an unknown one", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Hall" });
    const hidden = await aLabelled(owner, { workspace_id: "Hall" });
    const foreign = await aLabelled(await connect(current()));
    const browser = await signIn(
      app,
      await aMember(db, { organization: owner.member.organization, role: "member" }),
    );
    const withoutCode = async (path: string) => {
      const { statusCode, body } = await browser.get(path);
      const code = path.slice(3).toUpperCase();
      return {
        statusCode,
        body: body.replaceAll(code, "").replace(/name="_(csrf|person)"[^>]*/g, ""),
      };
    };

    const unknown = await withoutCode("/q/000000000000");

    expect(unknown.statusCode).toBe(404);
    expect(unknown.body).toContain("Nothing found for this label");
    expect(await withoutCode(hidden.path)).toEqual(unknown);
    expect(await withoutCode(foreign.path)).toEqual(unknown);
    expect((await browser.get("/q/%3Cscript%3E")).body).toContain("&lt;SCRIPT>");
  });

  test("records a sighting once, however often it is confirmed within a minute", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    const { id, path, version } = await aLabelled(owner);
    const browser = await signIn(app, owner.member);
    const page = await follow(browser, await browser.get(path));

    const answer = await browser.submitForm(page, {}, { action: `/assets/${id}/seen` });
    const again = await browser.submitForm(page, {}, { action: `/assets/${id}/seen` });

    expect(answer.headers.location).toBe(`/assets/${id}?scanned=seen`);
    expect(again.headers.location).toBe(`/assets/${id}?scanned=seen`);
    expect((await browser.get(`/assets/${id}`)).body).toMatch(/Last seen.*Today.*by/s);
    const { asset } = await owner.ok<{ asset: { version: number; last_seen_at: string } }>(
      "get_asset",
      { asset_id: id },
    );
    expect(asset).toMatchObject({
      version: version + 1,
      last_seen_at: expect.any(String) as string,
    });
    expect(await sightings(owner, id)).toMatchObject([
      { type: "asset_updated", source: "web", changes: [{ to: asset.last_seen_at }] },
    ]);
    await db.query("UPDATE assets SET last_seen_at = now() - interval '2 minutes' WHERE id = $1", [
      id,
    ]);
    await browser.submitForm(page, {}, { action: `/assets/${id}/seen` });
    expect(await sightings(owner, id)).toHaveLength(2);
  });

  test("records another person's sighting a moment later too", async () => {
    const { app, db } = current();
    const owner = await connect(current());
    const { id } = await aLabelled(owner);
    const { organization } = owner.member;
    for (const member of [owner.member, await aMember(db, { organization, role: "admin" })]) {
      const browser = await signIn(app, member);
      const page = await browser.get(`/assets/${id}?scanned=1`);
      await browser.submitForm(page, {}, { action: `/assets/${id}/seen` });
    }

    expect(await sightings(owner, id)).toHaveLength(2);
  });

  test("doesn't ask viewers, and rejects strangers and retired assets", async () => {
    const { app, db } = current();
    const owner = await connect(current(), { workspace: "Hall" });
    const { id, path } = await aLabelled(owner, { workspace_id: "Hall" });
    const { organization } = owner.member;
    const place = { workspace: "Hall", workspaceRole: "viewer", role: "member" } as const;
    const viewer = await signIn(app, await aMember(db, { organization, ...place }));
    const stranger = await signIn(app, await aMember(db));
    const seen = { action: `/assets/${id}/seen` };

    const page = await follow(viewer, await viewer.get(path));
    const token = /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    const home = await stranger.get("/assets");
    const strange = /name="_csrf" value="([^"]*)"/.exec(home.body)?.[1] ?? "";

    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain("Is the asset in front of you?");
    expect((await viewer.post(seen.action, { _csrf: token })).statusCode).toBe(403);
    expect((await stranger.post(seen.action, { _csrf: strange })).statusCode).toBe(404);
    const browser = await signIn(app, owner.member);
    const open = await browser.get(`/assets/${id}?scanned=1`);
    await owner.ok("update_asset_state", { asset_id: id, state: "deleted" });
    expect((await browser.submitForm(open, {}, seen)).statusCode).toBe(409);
    expect(await sightings(owner, id)).toEqual([]);
  });

  browserTest("a technician with a phone confirms a scan with one tap", async () => {
    const owner = await connect(current());
    const { id, path } = await aLabelled(owner, { name: "Pump in the corridor" });
    const opened = await openPage(chromium(), current(), owner.member, views[2]);
    const { page, complaints } = opened;

    await page.goto(path);
    const report = page.getByRole("link", { name: "Report a problem" });
    const button = page.getByRole("button", { name: "Yes, I see it here" });
    expect(await report.getAttribute("href")).toBe(`${path.toLowerCase()}/report`);
    for (const first of [report, button, page.getByRole("heading", { name: "Open tasks" })]) {
      expect((await first.boundingBox())?.y).toBeLessThan(800);
    }
    await button.click();

    await page.getByRole("status").getByText("Recorded that you saw").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/assets/${id}`);
    expect(await button.count()).toBe(0);
    expect(await report.isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    expect(await sightings(owner, id)).toHaveLength(1);
    await opened.close();
  });
});
