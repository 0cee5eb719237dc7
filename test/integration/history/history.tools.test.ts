// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Event {
  id: string;
  occurred_at: string;
  recorded_at?: string;
  type: string;
  asset_id?: string;
  inventory_number?: string;
  asset_name?: string;
  task_id?: string;
  actor: string;
  actor_user_id?: string;
  source: string;
  client?: string;
  changes?: { field: string; from?: unknown; to?: unknown }[];
  note?: string;
}

interface Found {
  events: Event[];
  total_count: number;
  total_is_minimum?: true;
  next_cursor?: string;
}

const search = (person: Connected, filters: Json = {}) =>
  person.ok<Found>("search_asset_history", filters);
const create = async (person: Connected, fields: Json) =>
  (await person.ok<{ asset: { id: string; inventory_number: string } }>("create_asset", fields))
    .asset;
const typesOf = ({ events }: Found) => events.map(({ type }) => type);
const notesOf = ({ events }: Found) => events.map(({ note }) => note);

describe("search_asset_history", () => {
  const testApp = useApp();
  let owner: Connected;
  let colleague: Connected;
  let pump: { id: string; inventory_number: string };
  let van: { id: string; inventory_number: string };

  beforeAll(async () => {
    owner = await connect(testApp(), { name: "Ana Keller" });
    const { organization } = owner.member;
    colleague = await connect(testApp(), { organization, role: "admin", name: "Bob Stone" });
    for (const name of ["Lab", "Yard"]) await owner.ok("create_workspace", { name });
    pump = await create(owner, { name: "Pump", workspace_id: "Lab" });
    van = await create(colleague, { name: "Van", workspace_id: "Yard" });
    const update = (person: Connected, id: string, fields: Json) =>
      person.ok("update_asset", { asset_id: id, ...fields });
    await update(owner, pump.id, { location: "Bay 3", note: "closer to the door" });
    await update(colleague, pump.id, { location: "Bay 4", name: "Feed pump" });
    await update(owner, van.id, { workspace_id: "Lab" });
    await update(owner, van.id, { assigned_to_user_id: colleague.member.email });
    await owner.ok("update_asset_state", { asset_id: van.id, state: "deleted", reason: "sold" });
  });

  test("returns the action, person, time, and values before and after", async () => {
    const { events, total_count } = await search(owner, { asset_id: pump.inventory_number });

    expect(total_count).toBe(3);
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^evt_/) as unknown,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
      type: "asset_updated",
      asset_id: pump.id,
      inventory_number: pump.inventory_number,
      asset_name: "Feed pump",
      actor: "Bob Stone",
      actor_user_id: colleague.member.userId,
      source: "mcp",
      client: "fettle-bridge",
      changes: expect.arrayContaining([
        { field: "location", from: "Bay 3", to: "Bay 4" },
        { field: "name", from: "Pump", to: "Feed pump" },
      ]) as unknown,
    });
    expect(events[1]).toMatchObject({ actor: "Ana Keller", note: "closer to the door" });
    expect(events[2]).toMatchObject({ type: "asset_created" });
  });

  test("returns everything newest first without filters, including deleted assets", async () => {
    const newest = await search(owner);
    const oldest = await search(owner, { order: "oldest" });

    expect(newest.total_count).toBe(7);
    expect(typesOf(newest)).toEqual([
      "asset_deleted",
      "asset_assigned",
      "asset_moved",
      "asset_updated",
      "asset_updated",
      "asset_created",
      "asset_created",
    ]);
    expect(oldest.events).toEqual(newest.events.toReversed());
  });

  test.each<[string, Json, string[]]>([
    ["a word of a note", { query: "door" }, ["asset_updated"]],
    ["a value that was", { query: '"Bay 3" "Bay 4"' }, ["asset_updated"]],
    ["an actor", { query: "bob -created -assigned" }, ["asset_updated"]],
    ["a type in words", { query: "asset moved" }, ["asset_moved"]],
    ["a type as it is written", { query: "asset_moved" }, ["asset_moved"]],
    ["a place", { query: "yard lab" }, ["asset_moved"]],
    ["a word that is nowhere", { query: "submarine" }, []],
    ["nothing but signs", { query: "&&& !" }, []],
    ["a changed field", { field: "location" }, ["asset_updated", "asset_updated"]],
    ["a field that never changed", { field: "supplier" }, []],
    [
      "types",
      { event_types: ["asset_moved", "asset_assigned"] },
      ["asset_assigned", "asset_moved"],
    ],
    ["one type without a list", { event_types: "asset_moved" }, ["asset_moved"]],
  ])("finds by %s", async (_what, filters, types) => {
    const found = await search(owner, filters);

    expect(typesOf(found)).toEqual(types);
    expect(found.total_count).toBe(types.length);
    expect(found.total_is_minimum).toBeUndefined();
  });

  test('finds by actor: id, email or "me"', async () => {
    const { userId, email } = colleague.member;

    for (const [person, actor_user_id] of [
      [owner, userId],
      [owner, email],
      [colleague, "me"],
    ] as const) {
      const found = await search(person, { actor_user_id });
      expect(typesOf(found)).toEqual(["asset_updated", "asset_created"]);
    }
  });

  test("filters by the workspace at the time of the event", async () => {
    const inYard = await search(owner, { workspace_id: "yard", asset_id: van.id });
    const inLab = await search(owner, { workspace_id: "Lab", asset_id: van.id });
    const nowhere = await search(owner, { workspace_id: "none" });

    expect(typesOf(inYard)).toEqual(["asset_created"]);
    expect(typesOf(inLab)).toEqual(["asset_deleted", "asset_assigned", "asset_moved"]);
    expect(nowhere.total_count).toBe(0);
  });

  test("pages return everything once, including events with equal times", async () => {
    const { organizationId, userId } = owner.member;
    await testApp().db.query(
      `INSERT INTO history_events (id, organization_id, asset_id, occurred_at, recorded_at, type,
         actor_user_id, actor_name, source, note)
       SELECT 'evt_same' || i, $1, $2, at, at, 'note_added', $3, 'Ana', 'web', 'twin ' || i
       FROM generate_series(1, 6) i, (SELECT timestamptz '2020-02-02 02:02:02.123456Z' AS at) moment`,
      [organizationId, pump.id, userId],
    );

    for (const order of ["newest", "oldest"]) {
      for (const filters of [{ order }, { order, query: "twin" }]) {
        const whole = await search(owner, filters);
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page: Found = await search(owner, {
            ...filters,
            limit: 2,
            ...(cursor && { cursor }),
          });
          expect(page.total_count).toBe(whole.total_count);
          seen.push(...page.events.map(({ id }) => id));
          cursor = page.next_cursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(whole.events.map(({ id }) => id));
      }
    }
  });

  test("rejects a cursor with other filters or another order", async () => {
    const { next_cursor: cursor } = await search(owner, { limit: 1 });

    for (const other of [{ order: "oldest" }, { query: "pump" }, { field: "name" }]) {
      const error = await owner.refused("search_asset_history", { limit: 1, cursor, ...other });
      expect(error.message).toContain("cursor does not belong to this list");
    }
  });

  test("a backdated event shows its entry time, and others don't", async () => {
    const { id } = await create(owner, { name: "Fan", workspace_id: "Lab" });
    await testApp().db.query(
      "UPDATE assets SET state_changed_at = state_changed_at - interval '3 days' WHERE id = $1",
      [id],
    );
    const effective_at = new Date(Date.now() - 2 * 86_400_000).toISOString();
    await owner.ok("update_asset_state", { asset_id: id, state: "in_use", effective_at });

    const { events } = await search(owner, { asset_id: id });

    expect(typesOf({ events, total_count: 2 })).toEqual(["asset_created", "asset_state_changed"]);
    expect(events[0]?.recorded_at).toBeUndefined();
    expect(events[1]?.occurred_at).toBe(effective_at.slice(0, 19) + "Z");
    expect(Date.parse(events[1]?.recorded_at ?? "")).toBeGreaterThan(Date.now() - 3_600_000);
  });

  test("task events name the task, here and in get_asset", async () => {
    const { id } = await create(owner, { name: "Lift", workspace_id: "Lab" });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      asset_id: id,
      title: "Grease the rails",
    });

    const { events } = await search(owner, { asset_id: id, event_types: ["task_created"] });
    const details = await owner.ok<{ recent_history: Event[] }>("get_asset", { asset_id: id });

    expect(events).toMatchObject([{ task_id: task.id, asset_id: id, asset_name: "Lift" }]);
    expect(details.recent_history[0]).toMatchObject({ type: "task_created", task_id: task.id });
  });

  test("stops counting at 10,000 and says so", async () => {
    const { organizationId, userId } = owner.member;
    await testApp().db.query(
      `INSERT INTO history_events (id, organization_id, asset_id, occurred_at, recorded_at, type,
         actor_user_id, actor_name, source, note)
       SELECT 'evt_many' || i, $1, $2, at, at, 'note_added', $3, 'Ana', 'web', 'hum ' || i
       FROM generate_series(1, 10001) i,
         LATERAL (SELECT timestamptz '2019-01-01Z' + i * interval '1 minute' AS at) moment`,
      [organizationId, pump.id, userId],
    );

    const frequent = await search(owner, { query: "hum", limit: 2 });
    const next = await search(owner, { query: "hum", limit: 2, cursor: frequent.next_cursor });
    const ofAsset = await search(owner, { asset_id: pump.id, limit: 1 });

    expect(frequent).toMatchObject({ total_count: 10_000, total_is_minimum: true });
    expect(notesOf(frequent)).toEqual(["hum 10001", "hum 10000"]);
    expect(notesOf(next)).toEqual(["hum 9999", "hum 9998"]);
    expect(ofAsset).toMatchObject({ total_count: 10_000, total_is_minimum: true });
  });

  test("rejects unknown records and values by name", async () => {
    const refused = (filters: Json) => owner.refused("search_asset_history", filters);

    expect(await refused({ asset_id: "434-999999" })).toMatchObject({ code: "not_found" });
    expect(await refused({ workspace_id: "Attic" })).toMatchObject({ code: "not_found" });
    expect(await refused({ actor_user_id: "nobody@example.com" })).toMatchObject({
      code: "not_found",
      field: "actor_user_id",
    });
    expect((await refused({ event_types: ["asset_sold"] })).message).toContain("is not one of:");
  });
});

describe("from and to", () => {
  const testApp = useApp();
  let owner: Connected;

  beforeAll(async () => {
    owner = await connect(testApp());
    const { organizationId, userId } = owner.member;
    const { db } = testApp();
    await db.query("UPDATE organizations SET time_zone = 'Europe/Berlin' WHERE id = $1", [
      organizationId,
    ]);
    const { id } = await create(owner, { name: "Clock" });
    // Berlin leaves summer time on 2025-10-26: that day has 25 hours.
    for (const [name, at] of [
      ["before", "2025-10-25T21:59:59.999999Z"],
      ["first", "2025-10-25T22:00:00Z"],
      ["noon", "2025-10-26T11:00:00.500Z"],
      ["last", "2025-10-26T22:59:59.999999Z"],
      ["after", "2025-10-26T23:00:00Z"],
    ]) {
      await db.query(
        `INSERT INTO history_events (id, organization_id, asset_id, occurred_at, recorded_at, type,
           actor_user_id, actor_name, source, note)
         VALUES ('evt_' || $1, $2, $3, $4, $4, 'note_added', $5, 'Ana', 'web', $1)`,
        [name, organizationId, id, at, userId],
      );
    }
  });

  test.each<[string, Json, string[]]>([
    [
      "a day is all of it in the time zone",
      { from: "2025-10-26", to: "2025-10-26" },
      ["last", "noon", "first"],
    ],
    ["from alone", { from: "2025-10-27", to: "2026-01-01" }, ["after"]],
    ["to alone", { to: "2025-10-25" }, ["before"]],
    [
      "instants of any offset, both included",
      { from: "2025-10-26T00:00:00+02:00", to: "2025-10-26T12:00:00+01:00" },
      ["noon", "first"],
    ],
    [
      "an instant with a fraction is exact",
      { from: "2025-10-26T11:00:00.5Z", to: "2025-10-26T11:00:00.500Z" },
      ["noon"],
    ],
    [
      "less than an event's fraction is before it",
      { from: "2025-10-26", to: "2025-10-26T11:00:00.4Z" },
      ["first"],
    ],
    ["a day and an instant", { from: "2025-10-26", to: "2025-10-26T10:00:00Z" }, ["first"]],
    ["the ends of all time", { from: "0001-01-01", to: "9999-12-31", query: "noon" }, ["noon"]],
  ])("%s", async (_what, range, notes) => {
    expect(notesOf(await search(owner, range))).toEqual(notes);
  });

  test.each<[string, Json, string]>([
    [
      "days in the wrong order",
      { from: "2025-10-27", to: "2025-10-26" },
      'from "2025-10-27" is after to "2025-10-26".',
    ],
    [
      "instants in the wrong order",
      { from: "2025-10-26T11:00:00Z", to: "2025-10-26T11:00:00+01:00" },
      "is after to",
    ],
    ["an instant after the day", { from: "2025-10-26T23:00:00Z", to: "2025-10-26" }, "is after to"],
    [
      "a day of another calendar",
      { from: "26.10.2025" },
      'from "26.10.2025" is not a date or time. Use YYYY-MM-DD or RFC 3339',
    ],
    ["a time that does not exist", { to: "2025-10-26T31:00:00" }, "is not a date or time"],
    ["a day that does not exist", { to: "2025-02-30" }, "is not a date or time"],
  ])("rejects %s", async (_what, range, message) => {
    const error = await owner.refused("search_asset_history", range);

    expect(error).toMatchObject({ code: "validation_failed" });
    expect(error.message).toContain(`Validation failed: `);
    expect(error.message).toContain(message);
  });
});
