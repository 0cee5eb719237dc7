// @module-tag embedded

import type { Database } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test } from "vitest";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { findNextDue, type RepeatRule } from "../../../server/src/domain/tasks/next-due-date.js";
import { createSample, type Sample } from "../../../server/src/demo/seed.js";
import { sampleStories } from "../../../server/src/demo/data/stories.js";
import { useDatabase } from "../../support/database.js";

const asOf = "2026-03-31";
const timeZone = "Europe/Berlin";

describe("the sample organization on its reference day", () => {
  const db = useDatabase();
  let sample: Sample;

  beforeAll(async () => {
    sample = await seedDemo(db(), "Northgate Facilities");
  }, 300_000);

  const read = <Row>(text: string): Promise<Row[]> =>
    db().query(
      text.replaceAll(":org", `'${sample.organizationId}'`).replaceAll(":day", `'${asOf}'`),
    );
  const counts = async (text: string): Promise<Record<string, number>> => {
    const rows = await read<{ key: string; count: number }>(
      `SELECT key, count(*)::int AS count FROM (${text}) AS found (key) GROUP BY key`,
    );
    return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
  };

  test("26 people: four long inactive, one never active", async () => {
    expect(
      await counts("SELECT role FROM organization_members WHERE organization_id = :org"),
    ).toEqual({ owner: 1, admin: 3, member: 22 });
    const activity = `SELECT CASE WHEN last_active_at IS NULL THEN 'never'
        WHEN last_active_at < :day::date - interval '90 days' THEN 'away' ELSE 'here' END
      FROM organization_members WHERE organization_id = :org`;
    expect(await counts(activity)).toEqual({ never: 1, away: 4, here: 21 });
    const late = await read(
      `SELECT e.id FROM history_events e JOIN organization_members m
         ON m.organization_id = e.organization_id AND m.user_id = e.actor_user_id
       WHERE e.organization_id = :org
         AND (e.occurred_at > m.last_active_at OR e.occurred_at < m.joined_at
           OR m.last_active_at IS NULL)`,
    );
    expect(late).toEqual([]);
  });

  test("30 workspaces: one empty, one with retired assets only", async () => {
    const rows = await read<{ name: string; live: number; every: number }>(
      `SELECT w.name::text AS name, count(a.id) FILTER (WHERE a.state <> 'deleted')::int AS live,
         count(a.id)::int AS every
       FROM workspaces w LEFT JOIN assets a
         ON a.organization_id = w.organization_id AND a.workspace_id = w.id
       WHERE w.organization_id = :org GROUP BY w.organization_id, w.id ORDER BY live`,
    );

    expect(rows).toHaveLength(30);
    expect(rows.filter(({ every }) => every === 0).map(({ name }) => name)).toEqual(["Annex"]);
    expect(
      rows.filter(({ live, every }) => live === 0 && every > 0).map(({ name }) => name),
    ).toEqual(["Old Depot"]);
    expect(rows.at(-1)?.live).toBe(28);
    expect([rows[14]?.live, rows[15]?.live]).toEqual([6, 6]);
  });

  test("200 assets of 15 kinds in the expected states", async () => {
    const where = "FROM assets WHERE organization_id = :org";
    expect(await counts(`SELECT state ${where}`)).toEqual({
      in_use: 104,
      available: 40,
      in_maintenance: 16,
      out_of_service: 8,
      stored: 20,
      deleted: 12,
    });
    expect(await counts(`SELECT criticality ${where}`)).toEqual({
      critical: 14,
      high: 36,
      medium: 80,
      low: 70,
    });
    const [facts] = await read(
      `SELECT count(parent_asset_id)::int AS parts, count(DISTINCT category_id)::int AS kinds,
         count(DISTINCT (manufacturer, model))::int AS models ${where}`,
    );
    expect(facts).toMatchObject({ parts: 30, kinds: 15 });
    expect((facts as { models: number }).models).toBeGreaterThanOrEqual(38);
  });

  test("400 tasks in the expected states, 60 of them repeating", async () => {
    const where = "FROM maintenance_tasks WHERE organization_id = :org";
    expect(await counts(`SELECT type ${where}`)).toEqual({
      preventive: 240,
      corrective: 100,
      inspection: 40,
      calibration: 20,
    });
    const shown = `SELECT CASE WHEN state NOT IN ('completed', 'cancelled') AND due_date < :day
        THEN 'overdue' ELSE state END ${where} AND NOT hidden`;
    expect(await counts(shown)).toEqual({
      completed: 270,
      scheduled: 62,
      overdue: 36,
      in_progress: 12,
      on_hold: 4,
      cancelled: 16,
    });
    const open = await counts(
      `SELECT plan_id ${where} AND plan_id IS NOT NULL AND state NOT IN ('completed', 'cancelled')`,
    );
    expect(Object.values(open)).toEqual(Array.from({ length: 60 }, () => 1));
  });

  test("each repeating task is due according to its rule", async () => {
    const rows = await read<
      RepeatRule & { plan_id: string; due_date: string; ended_at: Date | null }
    >(
      `SELECT t.plan_id, t.due_date, coalesce(t.completed_at, t.cancelled_at) AS ended_at,
         p.every, p.unit, p.anchor, p.anchor_day, p.on_weekday, p.ends_on
       FROM maintenance_tasks t JOIN maintenance_plans p ON p.id = t.plan_id
       WHERE t.organization_id = :org ORDER BY t.plan_id, t.occurrence`,
    );

    const pairs = rows.flatMap((row, index) => {
      const next = rows[index + 1];
      return next?.plan_id === row.plan_id ? [{ row, next }] : [];
    });
    expect(pairs.length).toBe(rows.length - 60);
    for (const { row, next } of pairs) {
      const doneOn = dayIn(timeZone, row.ended_at ?? undefined);
      const { due, skipped } = findNextDue(row, { dueDate: row.due_date, doneOn, today: doneOn });
      expect({ due: next.due_date, skipped }).toEqual({ due, skipped: 0 });
    }
  });

  test("costs center around 120 with a long tail to 1,800", async () => {
    const [costs] = await read<{ median: number; high: number; missing: number }>(
      `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS median,
         percentile_cont(0.95) WITHIN GROUP (ORDER BY total) AS high,
         count(*) FILTER (WHERE total IS NULL)::int AS missing
       FROM (SELECT (labor_cost + parts_cost)::float8 AS total FROM maintenance_tasks
         WHERE organization_id = :org AND state = 'completed') finished`,
    );

    expect(costs?.median).toBeCloseTo(120, -1);
    expect(Math.abs((costs?.high ?? 0) - 1_800)).toBeLessThan(100);
    expect(costs?.missing).toBe(0);
  });

  test("about 3,000 events in the two years before, none after", async () => {
    const [events] = await read<Record<string, number>>(
      `SELECT count(*)::int AS total,
         count(*) FILTER (WHERE source = 'mcp')::int AS mcp,
         count(*) FILTER (WHERE source = 'web')::int AS web,
         count(*) FILTER (WHERE source IN ('system', 'import'))::int AS machines,
         count(*) FILTER (WHERE note IS NOT NULL)::int AS notes,
         count(*) FILTER (WHERE extract(isodow FROM local) < 6
           AND extract(hour FROM local) BETWEEN 7 AND 17)::int AS at_work,
         count(*) FILTER (WHERE source = 'mcp' AND client_name IS NULL)::int AS nameless,
         count(*) FILTER (WHERE local >= :day::date
           OR local < :day::date - interval '732 days')::int AS outside
       FROM (SELECT *, occurred_at AT TIME ZONE '${timeZone}' AS local FROM history_events
         WHERE organization_id = :org) e`,
    );
    if (events === undefined) throw new Error("no events");
    const share = (name: string) => (100 * (events[name] ?? 0)) / (events["total"] ?? 1);

    expect(events["total"]).toBeGreaterThan(2_900);
    expect(events["total"]).toBeLessThan(3_100);
    expect(Math.abs(share("mcp") - 50)).toBeLessThan(2);
    expect(Math.abs(share("web") - 25)).toBeLessThan(2);
    expect(Math.abs(share("machines") - 25)).toBeLessThan(2);
    expect(Math.abs(share("notes") - 15)).toBeLessThan(1);
    expect(share("at_work")).toBeGreaterThan(75);
    expect(events).toMatchObject({ nameless: 0, outside: 0 });
  });

  test("six invitations", async () => {
    const status = `SELECT CASE WHEN accepted_at IS NOT NULL THEN 'accepted'
        WHEN revoked_at IS NOT NULL THEN 'revoked'
        WHEN expires_at < :day::date THEN 'expired' ELSE 'pending' END
      FROM invites WHERE organization_id = :org`;
    expect(await counts(status)).toEqual({ pending: 3, expired: 1, accepted: 1, revoked: 1 });
    expect(await read("SELECT id FROM mail_outbox")).toEqual([]);
  });

  test("states, periods, versions and history are consistent", async () => {
    const [wrong] = await read(
      `WITH periods AS (
         SELECT *, lag(ended_at) OVER w AS before, row_number() OVER w AS nth
         FROM asset_state_periods WHERE organization_id = :org
         WINDOW w AS (PARTITION BY asset_id ORDER BY started_at, id))
       SELECT
         (SELECT count(*) FROM periods WHERE nth > 1 AND before IS DISTINCT FROM started_at)::int
           AS gaps,
         (SELECT count(*) FROM assets a WHERE organization_id = :org AND NOT EXISTS
           (SELECT 1 FROM periods p WHERE p.asset_id = a.id AND p.ended_at IS NULL
              AND p.state = a.state AND p.started_at = a.state_changed_at))::int AS not_open,
         (SELECT count(*) FROM periods p WHERE p.nth > 1 AND NOT EXISTS
           (SELECT 1 FROM history_events e WHERE e.asset_id = p.asset_id
              AND e.occurred_at = p.started_at
              AND e.type IN ('asset_state_changed', 'asset_deleted', 'asset_restored')
              AND e.changes -> 0 ->> 'to' = p.state))::int AS untold,
         (SELECT count(*) FROM periods WHERE nth > 1)::int
           - (SELECT count(*) FROM history_events WHERE organization_id = :org
              AND type IN ('asset_state_changed', 'asset_deleted', 'asset_restored'))::int AS surplus,
         (SELECT count(*) FROM assets a WHERE organization_id = :org AND version <> 1 +
           (SELECT count(DISTINCT request_id) FROM history_events e WHERE e.asset_id = a.id
              AND e.type LIKE 'asset\\_%' AND e.type <> 'asset_created'
              AND e.changes -> 0 ->> 'field' IS DISTINCT FROM 'files'))::int AS asset_versions,
         (SELECT count(*) FROM maintenance_tasks t WHERE organization_id = :org AND version <> 1 +
           (SELECT count(DISTINCT request_id) FROM history_events e WHERE e.task_id = t.id
              AND e.type LIKE 'task\\_%' AND e.type <> 'task_created'))::int AS task_versions,
         (SELECT count(*) FROM maintenance_tasks t JOIN assets a ON a.id = t.asset_id
           WHERE t.organization_id = :org AND t.workspace_id IS DISTINCT FROM a.workspace_id)::int
           AS elsewhere`,
    );
    expect(wrong).toEqual({
      gaps: 0,
      not_open: 0,
      untold: 0,
      surplus: 0,
      asset_versions: 0,
      task_versions: 0,
      elsewhere: 0,
    });
  });

  test("the six stories exist under their numbers", async () => {
    const events = async (number: string) => {
      const rows = await read<{ type: string }>(
        `SELECT e.type FROM history_events e JOIN assets a ON a.id = e.asset_id
         WHERE e.organization_id = :org AND a.inventory_number = '${number}' ORDER BY e.sequence`,
      );
      return rows.map(({ type }) => type);
    };
    const tasks = (numbers: readonly string[], title: string) =>
      read<{ due_date: string; state: string; completed_at: Date | null }>(
        `SELECT t.due_date, t.state, t.completed_at FROM maintenance_tasks t
         JOIN assets a ON a.id = t.asset_id
         WHERE t.organization_id = :org AND t.title = '${title}'
           AND a.inventory_number IN (${numbers.map((number) => `'${number}'`).join(", ")})
         ORDER BY t.completed_at NULLS LAST`,
      );
    const { failingPump, generator, foundLaptop, van, duplicate, extinguishers } = sampleStories;

    const failures = await tasks([failingPump], "Shaft seal leaks");
    expect(failures).toHaveLength(10);
    for (const [index, { completed_at: at }] of failures.slice(1).entries()) {
      const before = failures[index]?.completed_at;
      const days = ((at?.getTime() ?? 0) - (before?.getTime() ?? 0)) / 86_400_000;
      expect(Math.abs(days - 70)).toBeLessThan(12);
    }
    const tests = await tasks([generator], "Quarterly load test");
    expect(tests.at(-1)).toMatchObject({ due_date: "2026-03-28", state: "scheduled" });
    expect(await tasks(extinguishers, "Yearly inspection")).toSatisfy(
      (rows: { due_date: string; state: string }[]) =>
        rows.filter(({ due_date, state }) => due_date < asOf && state === "scheduled").length === 4,
    );
    expect(await events(foundLaptop)).toEqual(
      expect.arrayContaining(["asset_deleted", "asset_restored"]),
    );
    const ofVan = await events(van);
    expect(ofVan.filter((type) => type === "asset_moved")).toHaveLength(2);
    expect(ofVan.filter((type) => type === "asset_assigned").length).toBeGreaterThan(5);
    expect((await events(duplicate)).at(-1)).toBe("asset_deleted");
  });

  test("it contains the edge cases that data must survive", async () => {
    const assets = await read<Record<string, string | null>>(
      "SELECT * FROM assets WHERE organization_id = :org",
    );
    const names = assets.map(({ name }) => name ?? "");
    const numbers = assets.map(({ inventory_number: number }) => number ?? "");
    const [next] = await read<{ next: string }>(
      "SELECT '434-' || lpad(next_inventory_seq::text, 6, '0') AS next FROM organizations WHERE id = :org",
    );
    const bare = assets.find(({ name }) => name === "Ladder of unknown origin");
    const days = await read<{ due_date: string; anchor_day: number }>(
      `SELECT t.due_date, p.anchor_day FROM maintenance_tasks t JOIN maintenance_plans p
       ON p.id = t.plan_id WHERE t.organization_id = :org`,
    );

    expect(names.some((name) => Array.from(name).length === 200)).toBe(true);
    expect(names.some((name) => /\p{Script=Arabic}/u.test(name))).toBe(true);
    expect(names.some((name) => name.includes("☕"))).toBe(true);
    expect(numbers).toContain("BR-7/2");
    expect(numbers.some((number) => /^434-\d+$/.test(number) && number > (next?.next ?? ""))).toBe(
      true,
    );
    expect(bare).toMatchObject({ workspace_id: null, category_id: null, serial_number: null });
    expect(assets.some(({ description }) => description?.includes("ignore previous"))).toBe(true);
    const twins = assets.filter(({ serial_number: serial }) => serial === "GP80-5512");
    expect(twins.map(({ state }) => state)).not.toContain("deleted");
    expect(twins).toHaveLength(2);
    expect(days.some(({ due_date: due }) => due === "2028-02-29")).toBe(true);
    expect(days.filter(({ anchor_day: day }) => day === 31).length).toBeGreaterThan(11);
    expect(
      days.some(({ due_date: due, anchor_day: day }) => day === 31 && due.endsWith("-28")),
    ).toBe(true);
  });
});

function seedDemo(db: Database, organization: string): Promise<Sample> {
  return createSample(db, {
    organization,
    size: "demo",
    asOf,
    password: "correct horse battery",
    baseUrl: "http://fettle.test",
  });
}
