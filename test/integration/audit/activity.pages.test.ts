import type { Database } from "../../../server/src/db/database.js";
import { describe, expect, test } from "vitest";
import { recordActivity, type Activity } from "../../../server/src/domain/audit/record-activity.js";
import { typesOf } from "../../../server/src/web/settings/activity-texts.js";
import { useApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { rewriteLog } from "../../support/database.js";
import { connect as mcpConnect } from "../../support/mcp.js";
import { ageRotation, connect, refresh, signIn } from "../../support/oauth.js";

async function record(db: Database, activity: Activity): Promise<void> {
  await recordActivity(db, activity);
}

/** Log lines as plain text, without tags and entities. */
function linesOf(html: string): string[] {
  const list = html.slice(html.indexOf('<div class="history">'));
  return [...list.matchAll(/<li[^>]*>.*?<div>(.*?)<\/div><\/li>/gs)].map(([, line = ""]) =>
    line
      .replace(/<p class="soft">/g, " ")
      .replace(/<[^>]+>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&amp;", "&"),
  );
}

interface EventPage {
  events: { changes: { to?: string }[] }[];
  next_cursor?: string;
}

async function aTeam(db: Database): Promise<{ owner: Member; member: Member }> {
  const owner = await aMember(db, { role: "owner", name: "Olga Owner" });
  const { organization } = owner;
  return { owner, member: await aMember(db, { organization, name: "Mona Member" }) };
}

describe("Activity", () => {
  const current = useApp();

  test("shows owners the organization's log, including sign-ins with address and device", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    const stranger = await aMember(db, { name: "Stella Stranger" });
    await signIn(app, stranger);
    await connect(app, member, { scope: ["mcp_read", "mcp_write"] }, { client_name: "Claude" });
    const browser = await signIn(app, owner);

    const page = await browser.get("/settings/activity");

    const lines = linesOf(page.body);
    expect(lines[0]).toContain("Olga Owner signed in. From 127.0.0.1");
    expect(lines[1]).toContain('Mona Member connected "Claude" with read and change.');
    expect(lines[2]).toContain("Mona Member signed in.");
    expect(lines).toContainEqual(
      expect.stringContaining("Mona Member joined the organization as a member."),
    );
    expect(page.body).not.toContain("Stella Stranger");
  });

  test("shows members only their own actions, whatever the URL requests", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    await signIn(app, owner);
    const browser = await signIn(app, member);

    const own = await browser.get("/settings/activity");
    const asked = await browser.get(`/settings/activity?person=${owner.userId}`);

    expect(linesOf(own.body)[0]).toContain("You signed in.");
    for (const page of [own, asked]) {
      expect(page.statusCode).toBe(200);
      expect(page.body).not.toContain("Olga Owner");
      expect(page.body).not.toContain('name="person"');
    }
  });

  test("hides a person's activity before joining and after leaving the organization", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    await signIn(app, member);
    await rewriteLog(
      db,
      `UPDATE activity_log SET ip_address = '192.0.2.1', created_at = now() - interval '1 day'
       WHERE user_id = $1 AND type = 'signed_in'`,
      [member.userId],
    );
    await db.query(
      "UPDATE organization_members SET removed_at = now() + interval '1 second' WHERE user_id = $1",
      [member.userId],
    );
    await record(db, {
      userId: member.userId,
      actorName: member.name,
      type: "signed_in",
      origin: { ipAddress: "192.0.2.2" },
    });
    await rewriteLog(
      db,
      `UPDATE activity_log SET created_at = now() + interval '1 hour'
       WHERE ip_address = '192.0.2.2'`,
    );
    const browser = await signIn(app, owner);

    const page = await browser.get("/settings/activity");

    expect(page.body).not.toContain("192.0.2.");
    expect(page.body).toContain("Mona Member joined the organization");
  });

  test("shows removed people their sign-ins but not their actions in the organization", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    const { browser } = await connect(app, member, {}, { client_name: "Claude" });
    expect((await browser.get("/settings/activity")).body).toContain(
      "connected &quot;Claude&quot;",
    );
    await db.query("UPDATE organization_members SET removed_at = now() WHERE user_id = $1", [
      member.userId,
    ]);

    const page = await browser.get("/settings/activity");

    expect(page.body).toContain("You signed in.");
    expect(page.body).not.toContain("Claude");
    expect(page.body).not.toContain(owner.organization);
  });

  test("describes every type in words, even without details", async () => {
    const { app, db } = current();
    const { owner } = await aTeam(db);
    const groups = [
      "account",
      "apps",
      "people",
      "invitations",
      "organization",
      "deletions",
    ] as const;
    const types = groups.flatMap(typesOf);
    const { organizationId, userId, name: actorName } = owner;
    for (const type of types) await record(db, { organizationId, userId, actorName, type });
    const browser = await signIn(app, owner);

    // The entries exceed one page.
    const pages = await Promise.all(
      groups.map((group) => browser.get(`/settings/activity?type=${group}`)),
    );
    const lines = pages.flatMap(({ body }) => linesOf(body));

    expect(types.length).toBeGreaterThan(25);
    expect(lines.length).toBeGreaterThanOrEqual(types.length);
    for (const line of lines) expect(line).not.toMatch(/undefined|null|NaN|\[object|_/);
  });

  test("names the affected records of security disconnections, permanent deletions, and role changes", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    const { organizationId, userId, name: actorName } = owner;
    const { client, tokens } = await connect(app, member, {}, { client_name: "Claude" });
    await refresh(app, client, tokens.refresh_token);
    await ageRotation(db, 60);
    await refresh(app, client, tokens.refresh_token);
    const entry = { organizationId, userId, actorName };
    await record(db, {
      ...entry,
      type: "asset_force_deleted",
      details: {
        asset_id: "ast_1",
        inventory_number: "FET-0012",
        asset_name: "Pump",
        client_name: "Claude",
        tasks_removed: 3,
        events_removed: 1,
      },
    });
    await record(db, {
      ...entry,
      type: "role_changed",
      details: { user_id: member.userId, name: "Mona Member", from: "member", to: "admin" },
    });
    const browser = await signIn(app, owner);

    const { body } = await browser.get("/settings/activity");
    const deletions = linesOf((await browser.get("/settings/activity?type=deletions")).body);
    const about = linesOf((await browser.get(`/settings/activity?person=${member.userId}`)).body);

    const lines = linesOf(body);
    expect(lines).toContainEqual(
      expect.stringContaining(
        '"Claude" was disconnected for safety: an old key was used a second time. It acted for Mona Member.',
      ),
    );
    const deletion =
      'Olga Owner permanently deleted the asset FET-0012 "Pump" with 3 tasks and 1 history event, through "Claude".';
    expect(lines).toContain(deletion);
    expect(deletions).toEqual([deletion]);
    const role = "Olga Owner changed Mona Member's role in the organization from member to admin.";
    expect(about).toContain(role);
    expect(about).not.toContain(deletion);
  });

  test("offers to undo an app's changes if it made any, not the connection", async () => {
    const { app, db } = current();
    const assistant = await mcpConnect(current(), { clientId: "fettle-bridge" });
    const { organizationId, userId, name: actorName } = assistant.member;
    const details = { client_id: "fettle-bridge", client_name: "Bridge" };
    await record(db, { organizationId, userId, actorName, type: "app_connected", details });
    const browser = await signIn(app, assistant.member);
    const pages = async () => ({
      log: (await browser.get("/settings/activity")).body,
      apps: (await browser.get("/settings/apps")).body,
    });
    const before = await pages();
    await assistant.ok("create_asset", { name: "Pump" });

    const after = await pages();

    expect(before.log).not.toContain("Undo the app's changes");
    for (const link of ["View changes", "Undo changes"]) {
      expect(before.apps).not.toContain(`>${link}</a>`);
      expect(after.apps).toContain(`>${link}</a>`);
    }
    expect(after.log).toContain("Undo the app's changes");
  });

  test("says that a period is empty if it ends before it begins", async () => {
    const { app, db } = current();
    const browser = await signIn(app, (await aTeam(db)).owner);
    const page = await browser.get("/settings/activity?from=2026-02-02&to=2026-02-01");
    expect(page.body).toContain("“From” is after “To”.");
    expect(page.body).toContain("Filters · 2");
  });

  test("paginates by time and type without gaps or repeats, and rejects foreign cursors", async () => {
    const { app, db } = current();
    const { owner, member } = await aTeam(db);
    const { organizationId, userId, name: actorName } = owner;
    for (let number = 1; number <= 120; number += 1) {
      await record(db, {
        organizationId,
        userId,
        actorName,
        type: "workspace_created",
        details: { name: `Hall ${number}` },
      });
    }
    // Backdated entries, as in samples and aggregated lines. Pairs share a time.
    await rewriteLog(
      db,
      `UPDATE activity_log SET created_at = date_trunc('day', now())
         - interval '1 minute' * (substr(details ->> 'name', 6)::int % 60)
       WHERE organization_id = $1 AND details ->> 'name' LIKE 'Hall %'`,
      [organizationId],
    );
    const browser = await signIn(app, owner);

    const seen: string[] = [];
    let address: string | undefined = "/settings/activity?type=organization";
    let cursor = "";
    while (address !== undefined) {
      const { body } = await browser.get(address);
      seen.push(...linesOf(body));
      address = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
      cursor = /cursor=([^"&]+)/.exec(address ?? "")?.[1] ?? cursor;
    }

    const halls = seen.filter((line) => line.includes('"Hall '));
    const numbers = halls.map((line) => Number(/"Hall (\d+)"/.exec(line)?.[1]));
    const newest = Array.from({ length: 60 }, (_, ago) =>
      ago === 0 ? [120, 60] : [ago + 60, ago],
    );
    expect(numbers).toEqual(newest.flat());
    const assistant = await mcpConnect(current(), { member: owner });
    const found: number[] = [];
    let next: string | undefined;
    do {
      const page = await assistant.ok<EventPage>("search_asset_history", {
        ...{ event_types: ["workspace_created"], query: "Hall", limit: 50, cursor: next },
      });
      found.push(...page.events.map(({ changes }) => Number(changes[0]?.to?.slice(5))));
      next = page.next_cursor;
    } while (next !== undefined);
    expect(found).toEqual(numbers);
    expect((await browser.get(`/settings/activity?cursor=${cursor}`)).statusCode).toBe(400);
    const theirs = await signIn(app, member);
    const path = `/settings/activity?type=organization&cursor=${cursor}`;
    expect((await theirs.get(path)).statusCode).toBe(400);
  });

  test("shows names that look like markup as text, and ignores invalid filters", async () => {
    const { app, db } = current();
    const { owner } = await aTeam(db);
    const name = '<img src=x onerror="alert(1)">';
    const { organizationId, userId } = owner;
    const browser = await signIn(app, owner);
    await record(db, {
      organizationId,
      userId,
      actorName: name,
      type: "app_connected",
      details: { client_name: name, scopes: ["mcp_read"] },
    });

    const page = await browser.get("/settings/activity?type=%00&person=%27%3B--&cursor=");

    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain("<img");
    expect(linesOf(page.body)[0]).toBe(
      `${name} connected "<img src=x onerror='alert(1)'>" with read.`,
    );
    expect((await browser.get("/settings/activity?cursor=nonsense")).statusCode).toBe(400);
  });

  describe("filters", () => {
    /** Three entries in the log of an organization in Auckland, at the edges of 1 May 2026. */
    async function aLog(db: Database): Promise<Member> {
      const { owner } = await aTeam(db);
      const { organizationId, userId, name: actorName } = owner;
      await db.query("UPDATE organizations SET time_zone = 'Pacific/Auckland' WHERE id = $1", [
        organizationId,
      ]);
      const times = [
        ["Before", "2026-04-30T11:59:59Z"],
        ["First", "2026-04-30T12:00:00Z"],
        ["Last", "2026-05-01T11:59:59Z"],
        ["=After()", "2026-05-01T12:00:00Z"],
      ];
      for (const [name] of times) {
        const details = { name, workspace_id: "wsp_secret" };
        await record(db, { organizationId, userId, actorName, type: "workspace_created", details });
      }
      for (const [name, at] of times) {
        await rewriteLog(
          db,
          `UPDATE activity_log SET created_at = $3
           WHERE organization_id = $1 AND details ->> 'name' = $2`,
          [organizationId, name, at],
        );
      }
      return owner;
    }

    test("limits days in the organization's time zone, and keeps the filters on the next page", async () => {
      const { app, db } = current();
      const owner = await aLog(db);
      const browser = await signIn(app, owner);

      const day = await browser.get("/settings/activity?from=2026-05-01&to=2026-05-01");
      const wrong = await browser.get("/settings/activity?from=tomorrow");

      expect(linesOf(day.body).map((line) => /"(\w+)"/.exec(line)?.[1])).toEqual(["Last", "First"]);
      expect(day.body).toContain("/settings/activity.csv?from=2026-05-01&amp;to=2026-05-01");
      expect(wrong.statusCode).toBe(400);
      expect(wrong.body).toContain("Some search filters were ignored");
    });

    test("searches names, details and sentences, but no ids", async () => {
      const { app, db } = current();
      const owner = await aLog(db);
      const browser = await signIn(app, owner);
      const search = async (q: string) => {
        const found = await browser.get(`/settings/activity?q=${encodeURIComponent(q)}`);
        return linesOf(found.body);
      };

      expect(await search("FÏRST")).toEqual([expect.stringContaining('"First"')]);
      expect(await search("olga created last")).toEqual([expect.stringContaining('"Last"')]);
      expect(await search("signed in")).toEqual([expect.stringContaining("Olga Owner signed in")]);
      for (const none of ["wsp_secret", "nobody", "%"]) expect(await search(none)).toEqual([]);
      expect((await browser.get("/settings/activity?q=%00")).statusCode).toBe(400);
    });

    test("hides sign-ins, but not failed ones", async () => {
      const { app, db } = current();
      const { owner } = await aTeam(db);
      const { userId, name: actorName } = owner;
      await record(db, { userId, actorName, type: "sign_in_failed" });
      const browser = await signIn(app, owner);

      const lines = linesOf((await browser.get("/settings/activity?type=except_sign_ins")).body);

      expect(lines.join()).not.toContain("signed in");
      expect(lines.join()).toContain("Sign-in as Olga Owner failed");
      expect(lines.join()).toContain("joined the organization");
    });

    test("downloads the filtered log as CSV, with the rights of the page", async () => {
      const { app, db } = current();
      const owner = await aLog(db);
      const { organization } = owner;
      const member = await aMember(db, { organization, name: "Mona Member" });
      const address = "/settings/activity.csv?type=organization&from=2026-05-01&to=2026-05-02";

      const file = await (await signIn(app, owner)).get(address);
      const own = await (await signIn(app, member)).get("/settings/activity.csv");
      const wrong = await (await signIn(app, owner)).get("/settings/activity.csv?to=never");

      const rows = file.body.trim().split("\r\n");
      expect(file.headers["content-type"]).toContain("text/csv");
      expect(rows).toHaveLength(4);
      expect(rows[0]).toBe("Time,Person,Action,Type,IP address,Browser");
      expect(rows[1]).toContain("2026-05-02T00:00:00+12:00,Olga Owner,");
      expect(rows[1]).toContain("workspace_created");
      expect(own.body).toContain("Mona Member");
      expect(own.body).not.toContain("Olga Owner");
      expect(wrong.statusCode).toBe(400);
    });

    test("keeps names from becoming formulas in the file", async () => {
      const { app, db } = current();
      const { owner } = await aTeam(db);
      const { organizationId, userId } = owner;
      const actorName = '=HYPERLINK("x")';
      await record(db, { organizationId, userId, actorName, type: "workspace_created" });

      const { body } = await (await signIn(app, owner)).get("/settings/activity.csv");

      expect(body).toContain("'=HYPERLINK");
      expect(body).not.toMatch(/(^|,)"?=/m);
    });
  });
});
