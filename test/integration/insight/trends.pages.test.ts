import { beforeAll, describe, expect, test } from "vitest";
import { changeAssetState } from "../../../server/src/domain/assets/change-asset-state.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { getKeyFigures } from "../../../server/src/domain/insight/organization-stats.js";
import { rollUpFigures } from "../../../server/src/domain/insight/roll-up-figures.js";
import { getTrends } from "../../../server/src/domain/insight/trends.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, toCaller, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const current = useServer();

let owner: Member;
let viewer: Member;
let pump: string;
let lift: string;

beforeAll(async () => {
  const { db } = current();
  owner = await aMember(db, { role: "owner", workspace: "Depot" });
  await aMember(db, { organization: owner.organization, workspace: "Yard" });
  viewer = await aMember(db, {
    organization: owner.organization,
    role: "member",
    workspace: "Depot",
    workspaceRole: "viewer",
  });
  const replay = createReplay(db, owner);
  const anAsset = async (name: string, workspace_id: string, category: string) => {
    const made = await replay(daysAgo(300), (tx, caller) =>
      createAsset(tx, caller, { name, workspace_id, category }),
    );
    return made.asset.id;
  };
  pump = await anAsset("Pump <1>", "Depot", "Pumps");
  lift = await anAsset("Lift", "Yard", "Lifts");
  const turn = (id: string, days: number, state: "out_of_service" | "in_use") =>
    replay(daysAgo(days), (tx, caller) => changeAssetState(tx, caller, id, { state }));
  await turn(pump, 100, "out_of_service");
  await turn(pump, 40, "in_use");
  await turn(pump, 10, "out_of_service");
  await turn(pump, 9, "in_use");
  await turn(lift, 2, "out_of_service");
  const work = (asset_id: string, days: number, fields: Record<string, string | number>) =>
    aTask(db, owner, {
      asset_id,
      state: "completed",
      due_date: dayFromToday(-days),
      completed_at: daysAgo(days).toISOString(),
      ...fields,
    });
  await work(pump, 5, { labor_cost: 100, currency: "EUR" });
  await work(pump, 120, { labor_cost: 50, currency: "EUR" });
  await work(lift, 130, { type: "corrective", parts_cost: 20, currency: "USD" });
  await work(lift, 20, { due_date: dayFromToday(-60) });
});

async function pageFor(member: Member, query = "") {
  const page = await (await signIn(current().app, member)).get(`/trends${query}`);
  const text = page.body.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return { ...page, body: page.body, statusCode: page.statusCode, text };
}

describe("trends", () => {
  test("match each month's downtime to the state periods, before and after rollup", async () => {
    const { db } = current();
    const recount = async (workspace: string | undefined) => {
      const { months } = await getTrends(db, toCaller(owner), { workspace });
      const rows = await db.query<{ month: string; hours: number }>(
        `SELECT to_char(m, 'YYYY-MM') AS month, coalesce(sum(extract(epoch FROM
             least(coalesce(p.ended_at, now()), m + interval '1 month', now()) - greatest(p.started_at, m))
           ) FILTER (WHERE p.started_at < m + interval '1 month' AND coalesce(p.ended_at, now()) > m), 0)
           ::float8 / 3600 AS hours
         FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '11 months',
           date_trunc('month', now() AT TIME ZONE 'UTC'), '1 month') s (utc),
           LATERAL (SELECT s.utc AT TIME ZONE 'UTC' AS m) month
         LEFT JOIN asset_state_periods p ON p.organization_id = $1
           AND p.state IN ('in_maintenance', 'out_of_service')
           AND ($2::text IS NULL OR p.workspace_id = (SELECT id FROM workspaces WHERE organization_id = $1 AND name = $2))
         GROUP BY 1, m ORDER BY m`,
        [owner.organizationId, workspace ?? null],
      );
      expect(months.map(({ month }) => month)).toEqual(rows.map(({ month }) => month));
      for (const [index, { down_hours: hours }] of months.entries()) {
        expect(hours).toBeCloseTo(rows[index]?.hours ?? -1, 0);
      }
      return months.reduce((total, { down_hours: hours }) => total + hours, 0);
    };
    const all = await recount(undefined);
    expect(all).toBeCloseTo((60 + 1 + 2) * 24, 0);
    expect(await recount("Yard")).toBeCloseTo(48, 0);
    await rollUpFigures(db);
    expect(await recount(undefined)).toBeCloseTo(all, 0);
  });

  test("name the assets with most failures, longest downtime, and highest cost", async () => {
    const { failing, down, costly } = await getTrends(current().db, toCaller(owner), {
      workspace: undefined,
    });

    expect(failing.map(({ name, failures }) => [name, failures])).toEqual(
      expect.arrayContaining([
        ["Pump <1>", 2],
        ["Lift", 2],
      ]),
    );
    expect(down.map(({ asset_id: id }) => id)).toEqual([pump, lift]);
    expect(down[0]?.hours).toBeCloseTo(61 * 24, 0);
    expect(costly.map(({ cost }) => cost)).toEqual([{ EUR: 150 }, { USD: 20 }]);
  });

  test("have the home page's figures of 90 days, compared with the 90 days before", async () => {
    const { db } = current();
    const person = await aMember(db);
    const replay = createReplay(db, person);
    const fan = await replay(daysAgo(300), (tx, caller) =>
      createAsset(tx, caller, { name: "Fan" }),
    );
    const repair = (days: number, fields: Record<string, string | number> = {}) =>
      aTask(db, person, {
        ...{ asset_id: fan.asset.id, type: "corrective", state: "completed" },
        ...{ completed_at: daysAgo(days).toISOString(), labor_cost: 100, currency: "EUR" },
        ...fields,
      });
    const inspect = (days: number, due: number) =>
      repair(days, { type: "inspection", due_date: dayFromToday(-due) });
    for (const days of [0, 20, 89, 91, 100, 200]) await repair(days);
    await Promise.all([inspect(5, 5), inspect(10, 80), inspect(120, 120)]);
    const charts = async () => (await pageFor(person)).text.split("All figures by month")[0] ?? "";

    const text = await charts();
    const home = (await (await signIn(current().app, person)).get("/")).body;
    const figures = home.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

    expect(text).toMatch(/ Failures 3 up 50% vs the previous 90 days Last 90 days · 6 over/);
    expect(text).toMatch(/ Planned work on time, % 50% down 50 points vs the previous 90 days/);
    expect(text).toMatch(
      / Maintenance cost, EUR €500 up 67% vs the previous 90 days Last 90 days /,
    );
    expect(figures).toMatch(/Last 90 days .*Planned work on time 50% .*Maintenance cost €500 /);
    expect(figures).toMatch(/ 3 failures /);
    await Promise.all([repair(95), repair(50), repair(95)]);
    await repair(96);
    expect(await charts()).toMatch(/ Failures 4 down 20% vs/);
    await repair(49);
    expect(await charts()).toContain("No change vs the previous 90 days");
  });

  test("link each bar to exactly what it counts", async () => {
    const { db } = current();
    const person = await aMember(db, { role: "owner", workspace: "Plant" });
    await aMember(db, { organization: person.organization, workspace: "Lab" });
    const replay = createReplay(db, person);
    const anAsset = async (name: string, workspace_id: string) => {
      const make = { name, workspace_id };
      return (await replay(daysAgo(80), (tx, caller) => createAsset(tx, caller, make))).asset.id;
    };
    const [mixer, oven] = [await anAsset("Mixer", "Plant"), await anAsset("Oven", "Lab")];
    const at = daysAgo(40);
    const month = at.toISOString().slice(0, 7);
    const stop = (id: string, state: "out_of_service" | "in_use", when: Date) =>
      replay(when, (tx, caller) => changeAssetState(tx, caller, id, { state }));
    await stop(mixer, "out_of_service", at);
    await stop(mixer, "in_use", new Date(at.getTime() + 60_000 * 90));
    const work = (asset_id: string, fields: Record<string, string>) =>
      aTask(db, person, {
        asset_id,
        state: "completed",
        completed_at: at.toISOString(),
        ...fields,
      });
    const due_date = at.toISOString().slice(0, 10);
    const created_at = daysAgo(39).toISOString();
    await work(oven, { type: "corrective", title: "Replace door", created_at });
    await work(oven, { type: "inspection", due_date });
    const off = { state: "cancelled", cancelled_at: daysAgo(60).toISOString() };
    await aTask(db, person, { asset_id: oven, type: "inspection", due_date, ...off });
    const browser = await signIn(current().app, person);
    const text = async (address: string) =>
      (await browser.get(address)).body.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    const { body } = await browser.get("/trends");
    const hrefs = [...body.matchAll(/<a href="([^"]+)" aria-label="[^"]*: ([^"]+)"/g)]
      .filter(([, href = ""]) => href.includes(month))
      .map(([, href = "", words]) => [words, href.replaceAll("&amp;", "&")]);

    expect(hrefs.slice(0, 3)).toEqual([
      ["100% of 1 due", expect.stringContaining("/tasks?")],
      ["2 failures", `/trends/${month}#failures`],
      ["2 h", `/trends/${month}#downtime`],
    ]);
    expect(await text(hrefs[0]?.[1] ?? "")).toContain(" 1 task, ");
    const all = await text(`/trends/${month}`);
    expect(all).toMatch(/ Failures 2 .*Mixer .*Out of service .*Downtime 2 h .*Mixer .* 2 h /);
    expect(all).toMatch(/ Oven [^<]* Replace door /);
    const lab = await text(`/trends/${month}?workspace_id=Lab`);
    expect(lab).toMatch(/ Lab Failures 1 .*Replace door .*Downtime 0 h None\. /);
    expect(lab).not.toContain("Mixer");
    for (const other of ["2999-01", "2026-13", "x"]) {
      expect((await browser.get(`/trends/${other}`)).statusCode).toBe(404);
    }
  });

  test("name the cause of most of a figure, and link each month to its tasks", async () => {
    const { db } = current();
    const person = await aMember(db);
    const replay = createReplay(db, person);
    const now = new Date();
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
    const month = lastMonth.toISOString().slice(0, 7);
    const anAsset = async (category: string) => {
      const at = new Date(lastMonth.getTime() - 86_400_000);
      const made = await replay(at, (tx, caller) =>
        createAsset(tx, caller, { name: `${category} 1`, category }),
      );
      return made.asset.id;
    };
    const [boiler, fan] = [await anAsset("Boilers"), await anAsset("Fans")];
    // The boiler has three of four late tasks, and most of the cost. One task is on time.
    for (const [asset_id, days, labor_cost] of [
      [boiler, 9, 300],
      [boiler, 9, 300],
      [boiler, 9, 300],
      [fan, 9, 100],
      [fan, 0, 100],
    ] as const) {
      const completed_at = new Date(lastMonth.getTime() + days * 86_400_000).toISOString();
      const due_date = `${month}-01`;
      const work = { asset_id, due_date, completed_at, labor_cost, currency: "EUR" };
      await aTask(db, person, { ...work, state: "completed", title: `Service ${days}` });
    }
    const browser = await signIn(current().app, person);
    const { body } = await browser.get("/trends");
    const text = body.replaceAll(/<[^>]*>/g, "");
    const hrefs = [...body.matchAll(/<a href="([^"]+)" aria-label="[^"]*?: 20% of 5 due"/g)];
    const href = hrefs[0]?.[1]?.replaceAll("&amp;", "&") ?? "";

    expect(text).toContain("Why: 3 of 4 late tasks were in Boilers.");
    expect(text).toContain("Why: €900 of €1,100 went into Boilers.");
    expect(text).not.toMatch(/Why: [^.]* failures|Most failures: /);
    expect(hrefs).toHaveLength(1);
    expect(href).toMatch(new RegExp(`^/tasks\\?.*due_from=${month}-01&due_to=${month}-\\d\\d$`));
    expect((await browser.get(href)).body).toMatch(/5 tasks/);
    const costs = `/tasks?state=completed&completed_from=${month}-01&completed_to=${month}-05`;
    expect((await browser.get(costs)).body).toMatch(/>1 task</);
  });

  test("name the asset with the most failures if no category explains them", async () => {
    const { db } = current();
    const person = await aMember(db);
    const replay = createReplay(db, person);
    for (const [name, failures] of [
      ["Lift G", 2],
      ["Fan", 1],
      ["Pump", 1],
      ["Door", 1],
      ["Gate", 1],
    ] as const) {
      const made = await replay(daysAgo(300), (tx, caller) =>
        createAsset(tx, caller, { name, category: `${name}s` }),
      );
      const repair = { asset_id: made.asset.id, type: "corrective", state: "completed" };
      for (let day = 1; day <= failures; day += 1) {
        await aTask(db, person, { ...repair, completed_at: daysAgo(day).toISOString() });
      }
    }

    const { body } = await pageFor(person);

    expect(body.replaceAll(/<[^>]*>/g, "")).toContain("Most failures: Lift G, 2 of 6.");
  });

  test("list the group with the most overdue tasks first, and unnamed ones last", async () => {
    const { db } = current();
    const person = await aMember(db);
    const replay = createReplay(db, person);
    const anAsset = async (name: string, category?: string) => {
      const made = await replay(daysAgo(300), (tx, caller) =>
        createAsset(tx, caller, { name, ...(category !== undefined && { category }) }),
      );
      return made.asset.id;
    };
    const [lamp, fan, box] = [
      await anAsset("Lamp", "Lamps"),
      await anAsset("Fan", "Fans"),
      await anAsset("Box"),
    ];
    const done = { state: "completed", completed_at: daysAgo(5).toISOString() };
    for (const asset_id of [lamp, lamp, box]) await aTask(db, person, { asset_id, ...done });
    for (const asset_id of [fan, box, box]) {
      await aTask(db, person, { asset_id, due_date: dayFromToday(-3) });
    }

    const { text } = await pageFor(person);

    expect(text).toMatch(
      /By category Most overdue tasks first.* Fans .* Lamps .* Without a category /,
    );
  });

  test("show charts on a page with their figures", async () => {
    const { body, text } = await pageFor(owner);

    for (const [id, title] of [
      ["on-time", "Planned work on time, %"],
      ["failures", "Failures"],
      ["downtime", "Downtime, hours"],
      ["cost", "Maintenance cost, USD"],
      ["cost-EUR", "Maintenance cost, EUR"],
    ] as const) {
      expect(body).toContain(`<h2 id="${id}">${title}</h2>`);
      const [, chart = ""] = body.split(`aria-label="${title} by month"`);
      const [plot = ""] = chart.split("</svg>");
      expect(plot.match(/<a href="\/t(?:asks|rends)[^"]+" aria-label="[^"]+: /g)).toHaveLength(12);
    }
    expect(body.match(/<tr><th scope="row">[A-Z][a-z]+ \d{4}/g)).toHaveLength(12);
    expect(text).toMatch(/By workspace .* Yard .* Depot /);
    expect(text).toMatch(/By category .* Lifts .* Pumps |By category .* Pumps .* Lifts /);
    expect(body).toContain("Pump &lt;1>");
    expect(body).not.toContain("Pump <1>");
  });

  test("cover visible records or one workspace", async () => {
    const seen = await pageFor(viewer);
    expect(seen.text).toContain("Your workspaces in");
    expect(seen.body).not.toContain("Lift");
    const yard = await pageFor(owner, "?workspace_id=Yard");
    expect(yard.text).toMatch(/Yard , 1 /);
    expect(yard.body).not.toContain("Pump &lt;1>");
    expect(yard.body).not.toContain("By workspace");
    expect((await pageFor(viewer, "?workspace_id=Yard")).statusCode).toBe(404);
    const stranger = await aMember(current().db, { role: "owner" });
    expect((await pageFor(stranger)).body).toContain("Nothing to compare yet");
  });

  test("report key figures of the previous period as they were then", async () => {
    const days = 90;
    const { period, before } = await getKeyFigures(current().db, toCaller(owner), { days });

    expect([period.completed_tasks, before.completed_tasks]).toEqual([2, 2]);
    expect([period.pm_compliance_percent, before.pm_compliance_percent]).toEqual([50, 100]);
    expect([period.failures, before.failures]).toEqual([2, 2]);
    expect([period.cost, before.cost]).toMatchObject([
      { EUR: { preventive: 100 } },
      { EUR: { preventive: 50 }, USD: { corrective: 20 } },
    ]);
    // The pump was down for ten of ninety days.
    expect(before.availability_percent).toBeCloseTo((170 / 180) * 100, 0);
  });

  test("have no availability before the first asset", async () => {
    const fresh = await connect(current());
    for (const state of ["in_use", "out_of_service"]) {
      const { asset } = await fresh.ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
      await fresh.ok("update_asset_state", { asset_id: asset.id, state });
    }
    for (let second = 0; second < 20; second += 1) {
      const caller = { ...toCaller(fresh.member), at: new Date(Date.now() + second * 1037) };
      const { before } = await getKeyFigures(current().db, caller, { days: 90 });
      expect(before.availability_percent).toBeNull();
    }
  });

  test("are linked from the figures of the home page", async () => {
    const { body } = await (await signIn(current().app, owner)).get("/");

    for (const id of ["on-time", "cost", "downtime"])
      expect(body).toContain(`href="/trends#${id}"`);
    expect(body.replaceAll(/<[^>]*>/g, "")).toMatch(/down 50 points vs the previous 90 days/);
  });
});

describe("trends in a browser", () => {
  const chromium = useChromium();

  browserTest("pass the checks in every view", async () => {
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      const month = `/trends/${dayFromToday(0).slice(0, 7)}`;
      expect(await sweep(opened, [month, "/trends"])).toEqual({});
      await opened.page.getByText("All figures by month").click();
      expect(await opened.page.getByRole("row").count()).toBeGreaterThan(12);
      await opened.close();
    }
  });
});
