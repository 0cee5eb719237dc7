import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { toWindow } from "../../../server/src/web/tasks/plan/plan-window.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { createTask } from "../../../server/src/domain/tasks/create-task.js";
import { addDays } from "../../../server/src/domain/shared/dates.js";
import { useServer } from "../../support/app.js";
import { aMember, aTask, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { signIn } from "../../support/oauth.js";
import { press } from "../../support/browser.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const current = useServer();
const today = dayFromToday(0);
/** A future week, in which every day is shown. */
const ahead = toWindow("week", dayFromToday(14), today);
const [monday = "", tuesday = "", wednesday = ""] = ahead.days;
const week = `/plan?from=${monday}`;

let owner: Member;
let member: Member;
let viewer: Member;
let ids: Record<"late" | "seal" | "oil" | "hidden", string>;

beforeAll(async () => {
  const { db } = current();
  owner = await aMember(db, { role: "owner", name: "Olga Owner", workspace: "Depot" });
  const join = (name: string, workspaceRole: "member" | "viewer") =>
    aMember(db, {
      organization: owner.organization,
      role: "member",
      workspace: "Depot",
      name,
      workspaceRole,
    });
  member = await join("Mara Member", "member");
  viewer = await join("Vito Viewer", "viewer");
  const yard = await aMember(db, { organization: owner.organization, workspace: "Yard" });
  const replay = createReplay(db, owner);
  const { asset } = await replay(daysAgo(30), (tx, caller) =>
    createAsset(tx, caller, { name: "Pump", workspace_id: "Depot" }),
  );
  const of = { asset_id: asset.id };
  const late = await aTask(db, owner, { ...of, title: "Late check", due_date: dayFromToday(-3) });
  const seal = await aTask(db, owner, {
    ...of,
    title: "Change seal",
    due_date: tuesday,
    assigned_to_user_id: member.userId,
    estimated_minutes: 90,
  });
  const oil = await aTask(db, owner, { ...of, title: "Oil <b>it</b>", due_date: tuesday });
  const hidden = await aTask(db, owner, {
    title: "Sweep yard",
    due_date: tuesday,
    workspace_id: yard.workspaceId ?? "",
  });
  await replay(daysAgo(1), (tx, caller) =>
    createTask(tx, caller, {
      ...of,
      title: "Look at it daily",
      type: "inspection",
      due_date: monday,
      recurrence: { every: 2, unit: "day" },
    }),
  );
  ids = { late: late.id, seal: seal.id, oil: oil.id, hidden: hidden.id };
});

const toText = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function planFor(person: Member, address = week) {
  const browser = await signIn(current().app, person);
  const page = await browser.get(address);
  const dayOf = (day: string) =>
    (page.body.split(`aria-labelledby="day-${day}"`)[1] ?? "").split("</section>")[0] ?? "";
  const [, load = ""] = /<table>(.*?)<\/table>/s.exec(page.body) ?? [];
  return { browser, page, dayOf, load: toText(load) };
}

async function rowOf(id: string) {
  const row = await current().db.maybe<{
    due_date: string;
    assigned_to_user_id: string | null;
    version: number;
  }>(
    "SELECT due_date::text AS due_date, assigned_to_user_id, version FROM maintenance_tasks WHERE id = $1",
    [id],
  );
  return row;
}

describe("the plan", () => {
  test("shows each day's tasks, unassigned first, and forecasts recurring tasks", async () => {
    const { page, dayOf } = await planFor(owner);

    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain("<b>it</b>");
    expect(toText(dayOf(tuesday))).toMatch(
      /Oil .*Unassigned.*Change seal.*Mara Member.*1 h 30 min/,
    );
    expect(toText(dayOf(monday))).toContain("Look at it daily");
    expect(toText(dayOf(tuesday))).not.toContain("Look at it daily");
    expect(dayOf(wednesday)).toContain("foreseen");
    expect(toText(dayOf(wednesday))).toContain("Look at it daily");
    expect(dayOf(wednesday)).not.toContain("checkbox");
    expect(page.body).not.toContain("Late check");
  });

  test("shows overdue tasks before the current week and month", async () => {
    for (const address of ["/plan", "/plan?view=month"]) {
      const { page, load } = await planFor(owner, address);
      const text = toText(page.body);
      expect(text).toMatch(/Overdue 1 .*Late check.*3 days overdue/);
      expect(load).toMatch(/Overdue .* Unassigned \d tasks? 1 task/);
    }
  });

  test("adds up each person's load: time if estimated, otherwise tasks", async () => {
    const { load } = await planFor(owner);

    expect(load).toMatch(/Mara Member 1.5 h of 38 h – 1.5 h (– ){5}/);
    expect(load).toMatch(/Olga Owner 0 min of 38 h (– ){7}/);
    expect(load).toMatch(/Unassigned 3 tasks 1 task 2 tasks (– ){5}All 1.5 h \+ 3 tasks/);
    expect(load).not.toContain("Vito Viewer");
  });

  test("compares each person's work with their working time, without absent days", async () => {
    const { db } = current();
    const friday = addDays(monday, 4);
    const team = await aMember(db, { role: "owner", name: "Boss", workspace: "Hall" });
    const eva = await aMember(db, {
      ...{ organization: team.organization, role: "member", workspace: "Hall", name: "Eva" },
    });
    const give = (day: string, minutes: number) =>
      aTask(db, team, {
        ...{ title: "Work", due_date: day, estimated_minutes: minutes },
        ...{ assigned_to_user_id: eva.userId, workspace_id: team.workspaceId ?? "" },
      });
    await give(monday, 300);
    await give(tuesday, 600);
    await db.query(
      `UPDATE organization_members SET weekly_minutes = 1200, working_days = '{1,2,3,5}'
       WHERE organization_id = $1 AND user_id = $2`,
      [eva.organizationId, eva.userId],
    );
    await db.query("INSERT INTO absences VALUES ($1, $2, $3, $4)", [
      ...[eva.organizationId, eva.userId, wednesday, friday],
    ]);

    const { load, page } = await planFor(team);
    expect(load).toMatch(
      /Eva 15 h of 10 h 5 h over 5 h Over the working time: 10 h Absent Absent Absent – –/,
    );
    expect(page.body).toMatch(/<td class="span shade-3" data-day="[^"]*">5\u00A0h</);
    const month = (await planFor(team, `/plan?view=month&from=${monday}`)).load;
    expect(month).toContain("15 h of");
  });

  test("offers to undo a change as a whole", async () => {
    const { browser, page } = await planFor(owner);
    await browser.submitForm(
      page,
      { ids: [ids.seal, ids.oil], later_by_days: "1" },
      { action: week },
    );
    const moved = [await rowOf(ids.seal), await rowOf(ids.oil)].map((row) => row?.due_date);
    expect(moved).toEqual([wednesday, wednesday]);

    const [, undo = ""] = /href="(\/changes\/[^"]*)"/.exec((await browser.get(week)).body) ?? [];
    const set = await browser.get(undo);
    expect(set.body).toContain("Change to 2 tasks");
    await press(browser, set, "Undo");

    const back = [await rowOf(ids.seal), await rowOf(ids.oil)].map((row) => row?.due_date);
    expect(back).toEqual([tuesday, tuesday]);
  });

  test("shows only tasks that the person can see and the filters match", async () => {
    const seen = await planFor(viewer);
    expect(seen.page.body).not.toContain("Sweep yard");
    expect(seen.load).not.toContain("4 tasks");
    expect(seen.page.body).not.toContain('name="ids"');
    expect((await planFor(owner)).page.body).toContain("Sweep yard");

    const of = async (query: string) => (await planFor(owner, `${week}&${query}`)).page.body;
    const onlyMara = await of(`assignee=${member.userId}`);
    expect(onlyMara).toContain("Change seal");
    expect(onlyMara).not.toContain("Oil");
    expect(await of("workspace_id=Yard")).not.toContain("Change seal");
    expect(await of("type=inspection")).not.toContain("Change seal");
    const refused = (await planFor(viewer, `${week}&workspace_id=Yard`)).page;
    expect(refused.statusCode).toBe(400);
    expect(refused.body).not.toContain("Sweep yard");
    expect((await planFor(owner, "/plan?from=soon")).page.statusCode).toBe(400);
    const stranger = await planFor(await aMember(current().db, { role: "owner" }));
    expect(stranger.page.body).toContain("Nothing is due");
  });

  test("forecasts days far ahead, up to a limit", async () => {
    const far = addDays(monday, 28 * 7);
    const { dayOf } = await planFor(owner, `/plan?from=${far}`);
    const days = [0, 1, 2, 3].map((day) => dayOf(addDays(far, day)).includes("foreseen"));
    expect(days).toEqual([true, false, true, false]);

    for (const day of ["0001-01-01", "9999-12-31", addDays(monday, 500)]) {
      for (const view of ["week", "month"]) {
        const { page } = await planFor(owner, `/plan?view=${view}&from=${day}`);
        expect(page.statusCode).toBe(200);
        expect(page.body.includes("for the next 400 days")).toBe(day > monday);
      }
    }
  });

  test("moves and reassigns the selected tasks and returns to the view", async () => {
    const { browser, page } = await planFor(member, `${week}&workspace_id=Depot`);
    const action = `/plan?from=${monday}&workspace_id=Depot`;

    const answer = await browser.submitForm(
      page,
      { ids: [ids.seal, ids.oil], due_date: wednesday, assigned_to_user_id: owner.userId },
      { action },
    );

    expect(answer.headers.location).toBe(action);
    expect((await browser.get(action)).body).toContain("2 tasks moved to");
    for (const id of [ids.seal, ids.oil]) {
      expect(await rowOf(id)).toMatchObject({
        due_date: wednesday,
        assigned_to_user_id: owner.userId,
      });
    }
    const events = await current().db.query<{ source: string }>(
      "SELECT source FROM history_events WHERE task_id = $1 AND actor_user_id = $2",
      [ids.seal, member.userId],
    );
    expect(events.map(({ source }) => source)).toEqual(["web"]);
  });

  test("moves tasks by days, once per form, and removes assignees", async () => {
    const { browser, page } = await planFor(owner);
    const before = (await rowOf(ids.seal))?.due_date ?? "";
    const send = (fields: Record<string, string | string[]>) =>
      browser.submitForm(page, fields, { action: week });

    await send({ ids: [ids.seal], later_by_days: "7" });
    await send({ ids: [ids.seal], later_by_days: "7" });

    expect((await rowOf(ids.seal))?.due_date).toBe(addDays(before, 7));
    const again = await browser.get(week);
    await browser.submitForm(
      again,
      { ids: [ids.seal, ids.late], assigned_to_user_id: "none", due_date: tuesday },
      { action: week },
    );
    expect(await rowOf(ids.seal)).toMatchObject({ due_date: tuesday, assigned_to_user_id: null });
    expect(await rowOf(ids.late)).toMatchObject({ due_date: tuesday });
  });

  test("counts days from today for an overdue task", async () => {
    const late = await aTask(current().db, owner, {
      title: "Older",
      due_date: dayFromToday(-20),
      workspace_id: owner.workspaceId ?? "",
    });
    const { browser, page } = await planFor(owner, "/plan");
    await press(browser, page, "1 day later", { ids: late.id, later_by_days: "1" });

    expect((await rowOf(late.id))?.due_date).toBe(dayFromToday(1));
  });

  test("changes nothing if one task can't be changed, and keeps the input", async () => {
    const { browser, page } = await planFor(member);
    const before = await rowOf(ids.oil);
    const done = await aTask(current().db, owner, {
      title: "Done meanwhile",
      state: "completed",
      workspace_id: owner.workspaceId ?? "",
    });
    for (const [chosen, sentence] of [
      [[], "Select tasks to change them."],
      [[ids.oil, ids.hidden], "Nothing changed, because 1 of 2 can't be changed."],
      [[ids.oil, done.id], "finished by now"],
    ] as const) {
      const refused = await browser.submitForm(
        page,
        { ids: chosen, due_date: monday },
        { action: week },
      );
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain(sentence);
      expect(refused.body).toContain(`value="${monday}"`);
      expect(/<input[^>]*checked[^>]*>/.test(refused.body)).toBe(chosen.length > 0);
    }
    const empty = await browser.submitForm(page, { ids: [ids.oil] }, { action: week });
    expect(empty.body).toContain("Enter a date or choose an assignee.");
    const looking = await planFor(viewer);
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(looking.page.body)?.[1] ?? "";
    const forbidden = await looking.browser.post(week, { _csrf, ids: ids.oil, due_date: monday });
    expect([400, 403]).toContain(forbidden.statusCode);
    expect(await rowOf(ids.oil)).toEqual(before);
  });

  test("limits a crowded week and month by day, and links to the rest", async () => {
    const { db } = current();
    const busy = await aMember(db, { role: "owner", workspace: "Hall" });
    for (let count = 0; count < 125; count += 1) {
      await aTask(db, busy, {
        title: `Task of many ${count}`,
        due_date: addDays(monday, count % 7),
        workspace_id: busy.workspaceId ?? "",
      });
    }

    const { page, dayOf, load } = await planFor(busy);

    expect(dayOf(tuesday).match(/<li/g)).toHaveLength(17);
    expect(dayOf(tuesday)).toContain(`/tasks?due_from=${tuesday}&amp;due_to=${tuesday}">1 more`);
    expect(dayOf(addDays(monday, 6)).match(/<li/g)).toHaveLength(17);
    expect(load).toMatch(/Unassigned 125 tasks/);
    expect(Buffer.byteLength(page.body)).toBeLessThan(100_000);
    const month = await planFor(busy, `/plan?view=month&from=${monday}`);
    for (const day of [monday, addDays(monday, 6)]) {
      expect(month.dayOf(day).match(/<li/g)).toHaveLength(3);
      expect(month.dayOf(day)).toContain(`/plan?from=${monday}#day-${day}">`);
    }
  });

  test("shows the people with the most tasks and totals for all", async () => {
    const { db } = current();
    const large = await aMember(db, { role: "owner", workspace: "Site" });
    const first = await aTask(db, large, { title: "Check", workspace_id: large.workspaceId ?? "" });
    await db.query(
      `INSERT INTO users (id, email, name)
       SELECT 'usr_many' || i, 'many' || i || '@load.example', 'Nr ' || i || '.' FROM generate_series(1, 130) i`,
    );
    await db.query(
      `INSERT INTO organization_members (organization_id, user_id, role)
       SELECT $1, 'usr_many' || i, 'member' FROM generate_series(1, 130) i`,
      [large.organizationId],
    );
    await db.query(
      `INSERT INTO maintenance_tasks (id, organization_id, workspace_id, task_number, title, type, due_date,
         assigned_to_user_id, estimated_minutes, created_by)
       SELECT 'tsk_many' || i, $1, t.workspace_id, 1000 + i, 'Work ' || i, 'inspection', $2, 'usr_many' || i,
         60 * i, $3 FROM maintenance_tasks t, generate_series(1, 130) i WHERE t.id = $4`,
      [large.organizationId, tuesday, large.userId, first.id],
    );

    const some = await planFor(large);
    const { page, load } = await planFor(large, `${week}&load=all`);

    const shown = [...load.matchAll(/Nr (\d+)\./g)].map(([, nr]) => Number(nr));
    expect(shown).toEqual(Array.from({ length: 100 }, (_, at) => 130 - at));
    // 60 minutes times the sum of 1 to 130.
    expect(load).toMatch(/All .*8,515 h/);
    expect(toText(page.body)).toContain("130 people have work. Showing the 100 with the most.");
    expect(toText(some.page.body)).toContain("Show the 100 people with the most work");
  });
});

describe("plan window", () => {
  test("covers whole weeks from Monday, and seven days from today in the current one", () => {
    const present = toWindow("week", "2026-11-25", "2026-11-25");
    expect([present.from, present.to, present.firstDay]).toEqual([
      "2026-11-23",
      "2026-12-01",
      "2026-11-25",
    ]);
    expect(present.spans.map(({ label }) => label)).toEqual([
      "Wed 25",
      "Thu 26",
      "Fri 27",
      "Sat 28",
      "Sun 29",
      "Mon 30",
      "Tue 1 Dec",
    ]);
    const saturday = toWindow("week", "2026-11-28", "2026-11-28");
    expect(saturday.spans.map(({ from }) => from).slice(2)).toEqual([
      ...["2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04"],
    ]);
    expect(saturday.after).toBe("2026-11-30");
    const month = toWindow("month", "2026-11-25", "2026-11-25");
    expect([month.begin, month.from, month.to]).toEqual(["2026-11-01", "2026-11-23", "2026-12-27"]);
    expect(month.spans.map(({ label }) => label).slice(0, 2)).toEqual([
      "25 – 29 Nov",
      "30 Nov – 6 Dec",
    ]);
    expect([month.before, month.after]).toEqual(["2026-10-01", "2026-12-01"]);
    for (const [day, after] of [
      ["2026-11-01", "2026-12-01"],
      ["2026-11-30", "2027-01-01"],
    ] as const) {
      const current = toWindow("month", day, day);
      expect([current.days.length, current.after]).toEqual([35, after]);
    }
    expect(toWindow("month", "2027-02-10", "2026-11-25")).toMatchObject({
      from: "2027-02-01",
      to: "2027-02-28",
      hasOverdue: false,
    });
    expect(toWindow("month", "9999-12-10", "2026-11-25").days.length).toBeLessThanOrEqual(42);
  });
});

describe("the plan in a browser", () => {
  const chromium = useChromium();

  browserTest("passes all checks in every view, and changes tasks by keyboard alone", async () => {
    await aTask(current().db, owner, {
      title: `By hand ${"W".repeat(40)}`,
      due_date: monday,
      workspace_id: owner.workspaceId ?? "",
    });
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      expect(await sweep(opened, ["/plan", week, `/plan?view=month&from=${monday}`])).toEqual({});
      const { page } = opened;
      await page.goto(week);
      await page.getByRole("checkbox", { name: /By hand/ }).focus();
      await page.keyboard.press("Space");
      await page.locator("summary", { hasText: "Reschedule" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "1 day later" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("status").getByText("1 task moved by 1 day").waitFor();
      expect(page.url()).toContain(week);
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });

  browserTest("moves tasks to other days and people by keys and by drag and drop", async () => {
    const place = { workspace_id: owner.workspaceId ?? "", estimated_minutes: 50 };
    const drive = await aTask(current().db, owner, { title: "Drive", due_date: monday, ...place });
    const brake = await aTask(current().db, owner, { title: "Brake", due_date: monday, ...place });
    const opened = await openPage(chromium(), current(), owner);
    const { page } = opened;
    await page.goto(`${week}&workspace_id=Depot`);
    const [first, second] = [/ Drive$/, / Brake$/].map((name) =>
      page.getByRole("checkbox", { name }),
    );
    const bar = page.getByRole("region", { name: "Selected" });
    expect(await bar.isVisible()).toBe(false);
    await first?.check();
    await second?.check();
    await bar.getByText("2 selected · 1 h 40 min").waitFor();

    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Escape");
    await page.getByText("Move cancelled.").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("2 tasks moved to").waitFor();
    const [one, two] = [await rowOf(drive.id), await rowOf(brake.id)];
    expect(one).toMatchObject({ due_date: tuesday });
    expect(one?.assigned_to_user_id).toMatch(/^usr_/);
    expect(two).toMatchObject({ due_date: tuesday, assigned_to_user_id: one?.assigned_to_user_id });

    const cell = page.locator(`tr[data-person="${member.userId}"] td[data-day="${wednesday}"]`);
    const drag = async (target: Locator) => {
      // The load takes its place at the top only once a drag has begun.
      await page.locator(`#${drive.id}`).hover();
      await page.mouse.down();
      await page.mouse.move(300, 300, { steps: 3 });
      await page.locator(".plan-moving").waitFor();
      await target.evaluate((element) => {
        element.scrollIntoView({ block: "end" });
      });
      const box = await target.boundingBox();
      if (box === null) throw new Error("The target is not shown.");
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
      await page.mouse.up();
    };
    await drag(page.locator(`.plan-day[data-day="${monday}"] h2`));
    await page.getByRole("status").getByText("1 task moved to").waitFor();
    expect(await rowOf(drive.id)).toMatchObject({ due_date: monday });
    await drag(cell);
    await expect
      .poll(() => rowOf(drive.id))
      .toMatchObject({ due_date: wednesday, assigned_to_user_id: member.userId });

    expect(opened.complaints).toEqual([]);
    await opened.close();
  });

  browserTest("keeps the bar of selected tasks above the navigation of a phone", async () => {
    const opened = await openPage(chromium(), current(), owner, views[0]);
    const { page } = opened;
    await page.goto(week);
    await page.locator("input[name=ids]").first().check();
    for (const words of ["Assign", "Reschedule"]) {
      await page.locator("summary", { hasText: words }).click();
    }
    const later = page.getByRole("button", { name: "7 days later" });
    await later.click({ trial: true });
    await opened.close();
  });
});
