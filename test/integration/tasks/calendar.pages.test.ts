import ICAL from "ical.js";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { Tx } from "../../../server/src/db/database.js";
import { setPassword } from "../../../server/src/domain/accounts/accounts.js";
import { deleteOtherSessions } from "../../../server/src/domain/accounts/sessions.js";
import { createAsset } from "../../../server/src/domain/assets/create-asset.js";
import { commit } from "../../../server/src/domain/history/transactions.js";
import { updateTask } from "../../../server/src/domain/tasks/task-updates.js";
import { writeCalendar } from "../../../server/src/web/tasks/calendar/write-calendar.js";
import { useApp, useServer } from "../../support/app.js";
import { aCalendarAddress, aMember, aTask, toCaller, type Member } from "../../support/builders.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { countWaiting } from "../../support/database.js";
import { connect } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { openPage, sweep, views } from "../../support/pages.js";
import { createReplay, dayFromToday, daysAgo } from "../../support/replay.js";

const settings = "/settings/notifications";
const form = `${settings}/calendar`;

/** The entries of a calendar as another program parses them. */
function entriesOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return calendar.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
}

const anEvent = {
  uid: "1@x",
  day: "2026-11-24",
  changedAt: new Date("2026-11-24T10:11:12.345Z"),
  sequence: 3,
  summary: "",
  description: "",
  location: undefined,
  url: "https://x.example/tasks/1",
  category: "Other",
  priority: 5,
};

const titlesOf = (text: string) => entriesOf(text).map(({ summary }) => summary);

describe("calendar address", () => {
  const current = useApp();
  let owner: Member;
  let member: Member;
  let own: { id: string };

  beforeAll(async () => {
    const { db } = current();
    owner = await aMember(db, { role: "owner", workspace: "Depot" });
    member = await aMember(db, {
      organization: owner.organization,
      role: "member",
      workspace: "Depot",
    });
    const { asset } = await createReplay(db, owner)(daysAgo(1), (tx, caller) =>
      createAsset(tx, caller, { name: "Pump, big; \\ one", workspace_id: "Depot" }),
    );
    const of = { asset_id: asset.id };
    own = await aTask(db, owner, {
      ...of,
      title: `Seal 🔧 ${"ü".repeat(90)}`,
      due_date: dayFromToday(3),
      assigned_to_user_id: member.userId,
      estimated_minutes: 90,
    });
    await aTask(db, owner, { ...of, title: "Late", due_date: dayFromToday(-5) });
    await aTask(db, owner, { ...of, title: "Undated" });
    await aTask(db, owner, { ...of, title: "Done", due_date: dayFromToday(1), state: "completed" });
    const elsewhere = await aMember(db, { organization: owner.organization, workspace: "Yard" });
    await aTask(db, owner, {
      title: "Hidden",
      due_date: dayFromToday(1),
      workspace_id: elsewhere.workspaceId ?? "",
    });
  });

  async function makeAddress(of: Member, covers: "own" | "all"): Promise<string> {
    const browser = await signIn(current().app, of);
    const made = await browser.submitForm(await browser.get(form), { covers });
    expect(made.statusCode).toBe(200);
    const [, address = ""] = /value="([^"]*\/calendar\/[^"]*\.ics)"/.exec(made.body) ?? [];
    return new URL(address).pathname;
  }

  const read = (url: string, headers: Record<string, string> = {}) =>
    current().app.inject({ url, headers });

  test("returns the person's own tasks or all visible tasks in a readable format", async () => {
    const mine = await read(await makeAddress(member, "own"));
    const all = await read(await makeAddress(member, "all"));
    const everything = await read(await makeAddress(owner, "all"));

    expect(mine.headers["content-type"]).toBe("text/calendar; charset=utf-8");
    const [event] = entriesOf(mine.body);
    expect(titlesOf(mine.body)).toEqual([`Seal 🔧 ${"ü".repeat(90)} · Pump, big; \\ one`]);
    expect(event?.startDate.toString()).toBe(dayFromToday(3));
    expect(event?.startDate.isDate).toBe(true);
    expect(event?.endDate.toString()).toBe(dayFromToday(4));
    expect(event?.location).toBe("Depot");
    expect(event?.description).toContain(`Assigned to ${member.name}\nEstimated: 1 h 30 min`);
    expect(event?.uid).toBe(`${own.id}@localhost`);
    expect(titlesOf(all.body)).toEqual(["Late · Pump, big; \\ one", event?.summary]);
    expect(titlesOf(everything.body)).toContain("Hidden");
    const lines = mine.body.split("\r\n");
    expect(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line))).toBe(true);
  });

  test("is shown once, and only its hash is stored", async () => {
    const address = await makeAddress(member, "own");
    const secret = address.slice("/calendar/".length, -".ics".length);
    const page = await (await signIn(current().app, member)).get(settings);

    expect(page.body).toContain("Create a new address");
    expect(page.body).not.toContain(secret);
    const rows = await current().db.query<{ row: string }>(
      "SELECT to_jsonb(t)::text AS row FROM calendar_feeds t UNION ALL SELECT to_jsonb(l)::text FROM activity_log l",
    );
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  });

  test("returns 304 until a task changes", async () => {
    const address = await makeAddress(member, "own");
    const first = await read(address);
    const tag = String(first.headers.etag);

    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await read(address, { "if-none-match": known });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", tag]);
    }
    await current().db.transaction((tx) =>
      updateTask(tx, toCaller(owner), own.id, { due_date: dayFromToday(4) }),
    );
    const changed = await read(address, { "if-none-match": tag });
    expect(changed.statusCode).toBe(200);
    expect(entriesOf(changed.body)[0]?.startDate.toString()).toBe(dayFromToday(4));
  });

  test("stops working when renewed or revoked, and invalid addresses are not found", async () => {
    const { app } = current();
    const first = await makeAddress(member, "own");
    const second = await makeAddress(member, "own");
    expect((await read(first)).statusCode).toBe(404);
    expect((await read(second)).statusCode).toBe(200);

    const browser = await signIn(app, member);
    const question = await browser.get(`${form}/revoke`);
    expect((await read(second)).statusCode).toBe(200);
    await browser.submitForm(question, {});

    expect((await browser.get(settings)).body).toContain("Calendar address revoked.");
    const wrong = [second, "/calendar/x.ics", `${second.slice(0, -5)}A.ics`, "/calendar/.ics"];
    for (const address of wrong) expect((await read(address)).statusCode, address).toBe(404);
  });

  test("follows the person's access and ends with their account or membership", async () => {
    const { app, db } = current();
    const organization = owner.organization;
    const guest = await aMember(db, { organization, role: "member", workspace: "Depot" });
    const address = await makeAddress(guest, "all");
    expect(titlesOf((await read(address)).body)).toHaveLength(2);

    await db.query("DELETE FROM workspace_members WHERE organization_id = $1 AND user_id = $2", [
      guest.organizationId,
      guest.userId,
    ]);
    expect(titlesOf((await read(address)).body)).toEqual([]);
    await db.query("UPDATE users SET deactivated_at = now() WHERE id = $1", [guest.userId]);
    expect((await read(address)).statusCode).toBe(404);
    await db.query("UPDATE users SET deactivated_at = NULL WHERE id = $1", [guest.userId]);
    expect((await read(address)).statusCode).toBe(200);
    const boss = await connect(current(), { member: owner });
    await boss.ok("remove_user", { user_id: guest.userId, from_organization: true });
    expect((await read(address)).statusCode).toBe(404);
    // Returning members need a new address.
    await aMember(db, { organization, role: "member", email: guest.email });
    expect((await read(address)).statusCode).toBe(404);
    expect((await (await signIn(app, guest)).get(settings)).body).toContain(
      "Create a calendar address",
    );
  });

  test.each(["another password", "the end of all other sessions", "a reset"])(
    "revokes only the person's own address after %s",
    async (end) => {
      const { app, db } = current();
      const person = await aMember(db, { role: "owner" });
      const theirs = await makeAddress(owner, "own");
      const address = await makeAddress(person, "own");
      const { password } = person;
      expect((await read(address)).statusCode).toBe(200);
      const browser = await signIn(app, person);

      if (end === "a reset") {
        await commit({ db, caller: null }, (tx) =>
          setPassword(tx, person.userId, `${password} new`),
        );
      } else if (end === "change your password") {
        const typed = { current_password: password, password: `${password} new` };
        await browser.submitForm(await browser.get("/settings/password"), typed);
      } else {
        await signIn(app, person);
        await browser.submitForm(await browser.get("/settings/sessions/others/end"), {});
      }

      expect((await read(address)).statusCode).toBe(404);
      expect((await read(theirs)).statusCode).toBe(200);
      const isReset = end === "a reset";
      const changed = { ...person, password: `${password} new` };
      const reader = isReset ? await signIn(app, changed) : browser;
      const log = await reader.get("/settings/activity");
      expect(log.body).toContain(
        `The calendar address of ${person.name} was revoked with the sign-out`,
      );
    },
  );

  // The embedded database runs one transaction at a time.
  const onServer = test.runIf(inject("databaseUrl") !== null);

  onServer("is not made once the session has ended that it was asked for in", async () => {
    const { db } = current();
    const person = await aMember(db, { role: "owner" });
    const browser = await signIn(current().app, person);
    const asked = await browser.get(form);
    const untilOneWaits = () =>
      vi.waitFor(async () => {
        expect(await countWaiting(db)).toBe(1);
      }, 60_000);
    const ending = db.source.createQueryRunner();
    await ending.startTransaction();
    await deleteOtherSessions(new Tx(ending.manager), person.userId, "");

    const making = browser.submitForm(asked, { covers: "own" });
    await Promise.race([making, untilOneWaits()]);
    await ending.commitTransaction();
    await ending.release();

    expect((await making).statusCode).toBe(403);
    expect(
      await db.query("SELECT 1 FROM calendar_feeds WHERE user_id = $1", [person.userId]),
    ).toEqual([]);
  });

  test("belongs to one person in one organization", async () => {
    const stranger = await aMember(current().db, { role: "owner" });

    const address = await makeAddress(stranger, "all");

    expect(titlesOf((await read(address)).body)).toEqual([]);
    // The hash is only looked up in the organization of the address.
    const ofOwner = await makeAddress(owner, "all");
    const mixed = `/calendar/${stranger.organizationId.slice(4)}${ofOwner.slice("/calendar/".length + 12)}`;
    expect((await read(mixed)).statusCode).toBe(404);
  });
});

describe("calendar over the rate limit", () => {
  const current = useApp({ rateLimit: true });

  test("returns 429 with the time to wait", async () => {
    const { app, db } = current();
    const browser = await signIn(app, await aMember(db, { role: "owner" }));
    const made = await browser.submitForm(await browser.get(form), { covers: "own" });
    const [, address = ""] = /value="[^"]*(\/calendar\/[^"]*\.ics)"/.exec(made.body) ?? [];
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await app.inject({ url: address })).statusCode);
    }

    expect([statuses[19], statuses[20]]).toEqual([200, 429]);
  });

  test("LIM-80 shares the limit across the person, the organization and its samples", async () => {
    const { app, db } = current();
    const statusesOf = async (of: Member, times: number) => {
      const url = await aCalendarAddress(db, of);
      const statuses = new Set<number>();
      for (let count = 0; count < times; count += 1) {
        statuses.add((await app.inject({ url, remoteAddress: "203.0.113.7" })).statusCode);
      }
      return [...statuses];
    };
    const organization = "Readers";
    const first = await aMember(db, { organization });
    const ofSample = await aMember(db, { organization: "Sample of readers" });
    await db.query("UPDATE organizations SET sample_from = $1 WHERE id = $2", [
      first.organizationId,
      ofSample.organizationId,
    ]);
    expect(await statusesOf(first, 20)).toEqual([200]);
    expect(await statusesOf(first, 1)).toEqual([429]);
    for (let count = 0; count < 5; count += 1) {
      expect(await statusesOf(await aMember(db, { organization }), 20)).toEqual([200]);
    }

    expect(await statusesOf(await aMember(db, { organization }), 1)).toEqual([429]);
    expect(await statusesOf(ofSample, 1)).toEqual([429]);
    expect(await statusesOf(await aMember(db), 1)).toEqual([200]);
  });
});

test("LIM-80 keeps the earliest due tasks of an oversized calendar within one MiB", () => {
  const events = Array.from({ length: 1000 }, (_, number) => ({
    ...anEvent,
    uid: `${String(number)}@x`,
    summary: "🔧".repeat(500),
    description: "🔧".repeat(500),
  }));
  const short = events.map((event) => ({ ...event, description: "x".repeat(300), summary: "S" }));

  const text = writeCalendar({ name: "N", description: "", events });
  const kept = entriesOf(text).map(({ uid }) => uid);

  expect(Buffer.byteLength(text)).toBeLessThan(1_050_000);
  expect(Buffer.byteLength(text)).toBeGreaterThan(1_040_000);
  expect(kept).toEqual(events.slice(0, kept.length).map(({ uid }) => uid));
  expect(entriesOf(writeCalendar({ name: "N", description: "", events: short }))).toHaveLength(
    1000,
  );
});

test("a calendar keeps any text within its lines", () => {
  const summary = `A\r\nEND:VEVENT\n\tB\u0007 ${"🔧".repeat(40)}`;
  const text = writeCalendar({
    name: "N; x, y",
    description: "",
    events: [{ ...anEvent, summary }],
  });

  const [event] = entriesOf(text);
  expect(event?.summary).toBe(`A\nEND:VEVENT\n B  ${"🔧".repeat(40)}`);
  expect(text).toContain("DTSTAMP:20261124T101112Z\r\n");
  expect(text).not.toContain("�");
});

describe("the calendar in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest("is created and revoked in every view", async () => {
    const owner = await aMember(current().db, { role: "owner" });
    for (const view of views) {
      const opened = await openPage(chromium(), current(), owner, view);
      const { page } = opened;
      expect(await sweep(opened, [settings, form, `${form}/revoke`])).toEqual({});
      await page.goto(settings);
      await page.getByRole("link", { name: "Create a calendar address" }).click();
      await page.getByLabel("All tasks I can see").check();
      await page.getByRole("button", { name: "Create address" }).click();
      expect(await page.getByLabel("Address", { exact: true }).inputValue()).toMatch(/\.ics$/);
      await page.getByRole("link", { name: "I've saved it, continue" }).click();
      expect(await sweep(opened, [settings])).toEqual({});
      await page.getByRole("link", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("status").getByText("revoked").waitFor();
      expect(opened.complaints).toEqual([]);
      await opened.close();
    }
  });
});
