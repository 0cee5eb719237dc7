// @module-tag embedded

import { describe, expect, test } from "vitest";
import { useApp, useSecondNode } from "../../support/app.js";
import type { Member } from "../../support/builders.js";
import type { TestBrowser } from "../../support/browser.js";
import { anAsset, readAsset } from "../../support/asset-pages.js";
import { signIn } from "../../support/oauth.js";
import { aBuilding, startRound, type Building } from "../../support/rounds.js";

const current = useApp();
const node = useSecondNode(current);

interface Sent {
  id: string;
  code: string;
  seconds_ago: number;
}

const csrfOf = (body: string) => /name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? "";
let scans = 0;
const aScan = (code: string, seconds_ago = 0): Sent => {
  scans += 1;
  return { id: `scan${String(scans).padStart(20, "0")}`, code, seconds_ago };
};

async function send(
  browser: TestBrowser,
  round: string,
  list: unknown,
  person: Member,
): Promise<Awaited<ReturnType<TestBrowser["post"]>>> {
  const page = await browser.get("/rounds");
  const fields = { _csrf: csrfOf(page.body), person: person.userId, scans: JSON.stringify(list) };
  return browser.post(`${round}/queue`, fields, { accept: "application/json" });
}

async function findingsOf(round: string): Promise<[outcome: string, thing: string][]> {
  const rows = await current().db.query<{ outcome: string; thing: string }>(
    `SELECT f.outcome, coalesce(a.name, f.code) AS thing FROM round_findings f
     LEFT JOIN assets a ON a.id = f.asset_id WHERE f.round_id = $1 ORDER BY 1, 2`,
    [round.split("/").at(-1)],
  );
  return rows.map(({ outcome, thing }) => [outcome, thing]);
}

async function aRound(by: keyof Building["team"] & ("member" | "owner") = "member") {
  const building = await aBuilding(current());
  const { team } = building;
  const round = await startRound(current(), team[by], { workspace_id: team.workspaceId });
  const browser = await signIn(current().app, team[by]);
  /** Submits the page's form, as without scripts. */
  const scan = async (code: string) => {
    const page = await browser.get(round);
    return browser.submitForm(page, { code }, { action: round });
  };
  const end = async () =>
    browser.submitForm(await browser.get(`${round}/end`), {}, { action: `${round}/end` });
  return { ...building, round, browser, scan, end };
}

describe("a round", () => {
  test("lists found, missing, misplaced and unknown items; ending twice keeps the result", async () => {
    const { team, round, browser, scan, end, pump, fan, hidden } = await aRound("owner");
    const begun = (await browser.get(round)).body;

    for (const code of [
      `http://x.example/q/${pump.code}`,
      hidden.number,
      "ABC 1",
      "ABC 1",
      pump.number,
    ]) {
      expect((await scan(code)).statusCode).toBe(303);
    }
    const running = (await browser.get(round)).body;
    await end();
    const ended = (await browser.get(round)).body;
    const again = await browser.post(`${round}/end`, { _csrf: csrfOf(ended) });
    const list = (await browser.get("/rounds")).body;

    expect(begun).toMatch(/Not seen yet.*Pit 1.*Roof/s);
    expect(running).toMatch(/<strong>1 of 2<\/strong> seen/);
    expect(running).toMatch(
      /Not seen yet.*Fan.*(?:belongs elsewhere|wrong place).*Safe.*Vault.*Unknown codes.*ABC 1.*Pump/s,
    );
    expect(again.statusCode).toBe(303);
    expect(await findingsOf(round)).toEqual([
      ["elsewhere", "Safe"],
      ["missing", "Fan"],
      ["seen", "Pump"],
      ["unknown", "ABC 1"],
    ]);
    expect(ended).toMatch(/<strong>1<\/strong> not seen/);
    expect(list).toMatch(
      new RegExp(`${round}".*Plant.*Olga Owner.*Ended.*1 of 2.*1</strong> not seen`, "s"),
    );
    expect(await readAsset(current(), pump.id)).toMatchObject({ last_seen_by: team.owner.userId });
    expect((await readAsset(current(), fan.id))?.["last_seen_at"]).toBeNull();
    const sightings = await current().db.query(
      `SELECT FROM history_events WHERE asset_id = $1 AND changes::text LIKE '%last_seen_at%'`,
      [pump.id],
    );
    expect(sightings).toHaveLength(1);
  });

  test("ending asks about assets not seen, and a round reopens for a day", async () => {
    const { round, browser, scan, end, pump, fan } = await aRound();
    await scan(pump.code);
    const running = (await browser.get(round)).body;
    const question = (await browser.get(`${round}/end`)).body;
    expect(running).toContain(`href="${round}/end"`);
    expect(running).not.toContain(`action="${round}/end"`);
    expect(question).toMatch(/1 of 2 not seen\..*End anyway.*Keep scanning/s);

    await end();
    expect((await browser.get(`${round}/end`)).headers.location).toBe(round);
    const reopen = async () => browser.post(`${round}/reopen`, { _csrf: csrfOf(running) });
    await reopen();
    expect((await browser.get(round)).body).toMatch(/Round reopened.*Not seen yet.*Fan/s);
    expect(await findingsOf(round)).toEqual([["seen", "Pump"]]);

    await scan(fan.code);
    expect((await browser.get(round)).body).toContain(`action="${round}/end"`);
    await end();
    await current().db.query("UPDATE rounds SET ended_at = ended_at - interval '25 hours'");
    expect((await browser.get(round)).body).not.toContain("/reopen");
    await reopen();
    expect((await browser.get(round)).body).toMatch(/ended over a day ago.*Ended/s);
  });

  test("LIM-65 postpones the end after a day's limit of rows per asset and in total", async () => {
    const { team, round, browser, end } = await aRound();
    const { db } = current();
    await db.query(
      `INSERT INTO rounds (organization_id, id, workspace_id, started_by, ended_by, ended_at)
       SELECT $1, 'rnd_' || n, $2, $3, $3, app_now() - interval '23 hours'
       FROM generate_series(1, 5021) n`,
      [team.owner.organizationId, team.workspaceId, team.member.userId],
    );
    await db.query(
      `INSERT INTO round_findings (organization_id, round_id, id, outcome, asset_id, found_at)
       SELECT $1, r.id, a.id, 'missing', a.id, app_now()
       FROM rounds r JOIN assets a ON a.workspace_id = r.workspace_id
       WHERE r.organization_id = $1 AND r.ended_at IS NOT NULL`,
      [team.owner.organizationId],
    );

    const refused = await end();
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain("Scan what's here, and end this round later.");
    expect(await findingsOf(round)).toEqual([]);

    await db.query("UPDATE rounds SET ended_at = ended_at - interval '2 hours'");
    expect((await end()).statusCode).toBe(303);
    expect((await browser.get(round)).body).toMatch(/<strong>2<\/strong> not seen/);
  });

  test("a button at the end moves only the selected misplaced assets", async () => {
    const { team, round, browser, scan, end, hidden, lamp } = await aRound("owner");
    await scan(hidden.number);
    await scan(lamp.number);
    expect((await browser.get(round)).body).not.toContain("Move selected assets");
    await end();
    const page = await browser.get(round);

    const nothing = await browser.submitForm(page, {}, { action: `${round}/move` });
    const moved = await browser.submitForm(page, { ids: [lamp.id] }, { action: `${round}/move` });

    expect(nothing.statusCode).toBe(400);
    expect(nothing.body).toContain("Select the assets that belong here first.");
    expect(moved.statusCode).toBe(303);
    expect((await readAsset(current(), lamp.id))?.["workspace_id"]).toBe(team.workspaceId);
    expect((await readAsset(current(), hidden.id))?.["workspace_id"]).not.toBe(team.workspaceId);
    const after = (await browser.get(round)).body;
    expect(after).toContain("1 asset moved here.");
    expect(after).toMatch(/Lamp.*Moved here/s);
  });

  test("counts and lists a retired asset as retired, not as misplaced", async () => {
    const { round, browser, scan, end, pump, lamp } = await aRound("owner");
    for (const { id } of [pump, lamp]) {
      await current().db.query(
        `UPDATE assets SET state = 'deleted', deleted_at = now(), deletion_reason = 'sold',
           state_before_deletion = 'available' WHERE id = $1`,
        [id],
      );
    }
    await scan(pump.number);
    await scan(lamp.number);
    await end();

    const { body } = await browser.get(round);
    const file = (await browser.get(`${round}/findings.csv`)).body;
    const list = (await browser.get("/rounds")).body;

    expect(body).toContain("<strong>2</strong> retired");
    expect(body).toMatch(/Here, but retired.*Lamp.*Office.*Pump.*Pit 1/s);
    expect(body).not.toMatch(/elsewhere|Moved here|Move selected assets/);
    expect(file.match(/^Retired,/gm)).toHaveLength(2);
    expect(list).toContain("<strong>2</strong> retired");
  });

  test("a round at a location expects only its assets and treats others as misplaced", async () => {
    const { team, pump, fan } = await aBuilding(current());
    const browser = await signIn(current().app, team.member);
    const chosen = await browser.get(`/rounds/new?code=${pump.code}`);
    const place = { workspace_id: team.workspaceId, location: "pit 1" };
    const round = await startRound(current(), team.member, place);
    const wrong = await browser.submitForm(
      chosen,
      { ...place, location: "Pit 9" },
      { action: "/rounds/new" },
    );

    await send(browser, round, [aScan(pump.number), aScan(fan.number)], team.member);

    expect(chosen.body).toMatch(/value="Pit 1"/);
    expect(chosen.body).toMatch(/<option value="wsp_[^"]*" selected[^>]*>Plant/);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain("no asset in this workspace has that location");
    expect(await findingsOf(round)).toEqual([
      ["elsewhere", "Fan"],
      ["seen", "Pump"],
    ]);
  });

  test("assigns an unknown code to the asset once it exists", async () => {
    const { team, round, scan } = await aRound();
    await scan("T-77");
    await anAsset(current(), team, { name: "Tank", inventory_number: "T-77" });
    await scan("T-77");

    expect(await findingsOf(round)).toEqual([["seen", "Tank"]]);
  });

  test("exports all findings as a file without formulas", async () => {
    const { round, browser, scan, end } = await aRound();
    await scan("=1+1");
    await end();

    const file = await browser.get(`${round}/findings.csv`);

    expect(file.headers["content-disposition"]).toMatch(/filename="fettle-round-[\d-]+\.csv"/);
    expect(file.body).toContain("Outcome");
    expect(file.body).toMatch(/Unknown code,.*'=1\+1/);
    expect(file.body.match(/Not seen/g)).toHaveLength(2);
  });
});

describe("queued scans", () => {
  test("are stored once, even when sent repeatedly through several nodes", async () => {
    const { team, round, browser, pump, fan, lamp } = await aRound();
    const other = await signIn(node(), team.member);
    // The first form of a session sets its token.
    for (const by of [browser, other]) await by.get("/rounds");
    const list = [pump.number, fan.code, "Unknown 1", "SN-Pump-7", lamp.number, "Unknown 1"].map(
      (code) => aScan(code),
    );

    const answers = await Promise.all(
      [browser, other, browser, other].map((by) => send(by, round, list, team.member)),
    );

    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      const { stored, refused } = answer.json<{ stored: { id: string }[]; refused: unknown[] }>();
      expect(stored.map(({ id }) => id)).toEqual(list.map(({ id }) => id));
      expect(refused).toEqual([]);
    }
    // Mo is only in this workspace, so the number of another workspace's lamp is unknown.
    expect(await findingsOf(round)).toEqual([
      ["seen", "Fan"],
      ["seen", "Pump"],
      ["unknown", lamp.number],
      ["unknown", "Unknown 1"],
    ]);
  });

  test("count at their scan time, between the start and now, even after the end", async () => {
    const { team, round, browser, end, pump, fan } = await aRound();
    await current().db.query("UPDATE rounds SET started_at = now() - interval '2 hours'");
    await end();
    expect(await findingsOf(round)).toEqual([
      ["missing", "Fan"],
      ["missing", "Pump"],
    ]);

    await send(browser, round, [aScan(pump.number, 3600), aScan(fan.number, 1e9)], team.member);

    expect(await findingsOf(round)).toEqual([
      ["seen", "Fan"],
      ["seen", "Pump"],
    ]);
    const hoursAgo = async (id: string) =>
      Math.round((Date.now() - Number((await readAsset(current(), id))?.["last_seen_at"])) / 3.6e6);
    expect([await hoursAgo(pump.id), await hoursAgo(fan.id)]).toEqual([1, 2]);
    // The asset was seen after the time of this late scan.
    await current().db.query("UPDATE assets SET last_seen_at = now() WHERE id = $1", [pump.id]);
    const second = await startRound(current(), team.member, { workspace_id: team.workspaceId });
    await current().db.query("UPDATE rounds SET started_at = now() - interval '2 hours'");
    await send(browser, second, [aScan(pump.number, 3600)], team.member);
    expect(await hoursAgo(pump.id)).toBe(0);
  });

  test("rejects scans from another person or without permission completely, and invalid scans individually", async () => {
    const { team, round, browser, pump } = await aRound();
    const as = async (who: Member) =>
      send(await signIn(current().app, who), round, [aScan(pump.number)], who);

    const foreign = await send(browser, round, [aScan(pump.number)], team.owner);
    const statuses = [await as(team.viewer), await as(team.elsewhere), await as(team.stranger)];
    const wrong = [aScan("a\u0000b"), aScan("https://maker.example/".padEnd(2000, "x"))];
    const mixed = await send(browser, round, [...wrong, aScan(pump.number)], team.member);
    const broken = [
      await send(browser, round, "x", team.member),
      await send(browser, round, [{ ...aScan("a"), id: "../x" }], team.member),
      await send(
        browser,
        round,
        Array.from({ length: 21 }, () => aScan("a")),
        team.member,
      ),
    ];

    expect(foreign.statusCode).toBe(403);
    expect(foreign.json()).toMatchObject({
      message: expect.stringContaining("Someone else") as string,
    });
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([403, 404, 404]);
    expect(broken.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect(mixed.json()).toMatchObject({ stored: [{ text: "Pump is here." }], refused: [{}, {}] });
    expect(await findingsOf(round)).toEqual([["seen", "Pump"]]);
  });
});

test("rejects a scan resent with another code, and accepts the original one", async () => {
  const { team, round, browser, end, pump, fan } = await aRound();
  const first = aScan(pump.number);
  await send(browser, round, [first], team.member);
  await end();

  const again = [fan.number, "Unknown 7", pump.number].map((code) => ({ ...first, code }));
  const answer = await send(browser, round, again, team.member);

  expect(answer.json()).toMatchObject({ stored: [{ id: first.id }], refused: [{}, {}] });
  expect(await findingsOf(round)).toEqual([
    ["missing", "Fan"],
    ["seen", "Pump"],
  ]);
});

test("a round limits unknown codes but not known ones", async () => {
  const { team, round, browser, pump } = await aRound();
  await current().db.query(
    `INSERT INTO round_findings
       (organization_id, round_id, id, outcome, code, found_by, found_at)
     SELECT r.organization_id, r.id, 'many' || n, 'unknown', 'C-' || n, r.started_by, now()
     FROM rounds r, generate_series(1, 2000) n WHERE r.id = $1`,
    [round.split("/").at(-1)],
  );

  const answer = await send(
    browser,
    round,
    ["C-7", "C-x", pump.number].map((code) => aScan(code)),
    team.member,
  );

  expect(answer.json()).toMatchObject({
    stored: [{ text: expect.stringContaining("C-7") as string }, { text: "Pump is here." }],
    refused: [{ text: expect.stringContaining("2000 unknown codes") as string }],
  });
});

describe("visibility of a round", () => {
  test("follows its workspace, and hides other assets in lists, counts and files", async () => {
    const { team, round, browser, scan, end, hidden } = await aRound("owner");
    await scan(hidden.number);
    await end();
    const workspace_id = String((await readAsset(current(), hidden.id))?.["workspace_id"]);
    const later = await startRound(current(), team.owner, { workspace_id });
    const read = async (who: Member) => {
      const theirs = await signIn(current().app, who);
      const page = await theirs.get(round);
      const list = await theirs.get("/rounds");
      const file = await theirs.get(`${round}/findings.csv`);
      return [
        page.statusCode,
        list.body.includes(round),
        [page, list, file].some(({ body }) =>
          /Safe|<\/strong> belong|Belongs elsewhere/.test(body),
        ),
      ];
    };

    expect(await read(team.owner)).toEqual([200, true, true]);
    expect(await read(team.viewer)).toEqual([200, true, false]);
    expect(await read(team.elsewhere)).toEqual([404, false, false]);
    expect(await read(team.stranger)).toEqual([404, false, false]);
    const before = `/rounds?before=${later.replace(/.*\//, "")}`;
    expect((await browser.get(before)).body).toContain(round);
    expect((await (await signIn(current().app, team.viewer)).get(before)).body).not.toContain(
      round,
    );
  });

  test("viewers can view rounds but not start, scan or end them", async () => {
    const { team, round, pump } = await aRound();
    const viewer = await signIn(current().app, team.viewer);
    const page = await viewer.get(round);
    const _csrf = csrfOf(page.body);
    const start = { _csrf, workspace_id: team.workspaceId };

    expect(page.body).not.toContain(">Add<");
    expect(page.body).not.toContain("End the round");
    expect((await viewer.get("/rounds")).body).not.toContain("Start a round");
    expect((await viewer.get("/rounds/new")).statusCode).toBe(403);
    expect((await viewer.get(`${round}/end`)).headers.location).toBe(round);
    for (const [path, fields] of [
      [round, { _csrf, code: pump.number }],
      [`${round}/end`, { _csrf }],
      [`${round}/reopen`, { _csrf }],
      [`${round}/move`, { _csrf, ids: pump.id }],
      ["/rounds/new", start],
    ] as const) {
      expect((await viewer.post(path, fields)).statusCode, path).toBe(403);
    }
    expect(await findingsOf(round)).toEqual([]);
  });

  test("clears the browser's round owner mark on the first response to another person", async () => {
    const { team, round, browser } = await aRound();
    const marks = async (by: TestBrowser, url: string) => {
      const { cookies } = await by.get(url);
      return cookies
        .filter(({ name }) => name === "__Host-fettle-offline")
        .map(({ value }) => value);
    };

    const owner = `${team.member.userId}.${team.member.organizationId}`;
    expect(await marks(browser, round)).toEqual([owner]);
    expect(await marks(browser, "/assets")).toEqual([]);
    const next = await signIn(current().app, team.owner);
    next.cookies.set("__Host-fettle-offline", `${team.member.userId}.org`);
    expect(await marks(next, "/assets")).toEqual([""]);
    const page = await browser.get("/");
    await browser.submitForm(page, {}, { action: "/signout" });
    expect(browser.cookies.has("__Host-fettle-offline")).toBe(true);
    await browser.get("/signin");
    expect(browser.cookies.has("__Host-fettle-offline")).toBe(false);
  });
});
