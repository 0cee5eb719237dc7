// @module-tag embedded

import type { Database } from "../../../server/src/db/database.js";
import { beforeAll, describe, expect, test } from "vitest";
import { dayIn } from "../../../server/src/domain/shared/dates.js";
import { findNextDue, type RepeatRule } from "../../../server/src/domain/tasks/next-due-date.js";
import { createSample, type Sample, type SampleRequest } from "../../../server/src/demo/seed.js";
import { sampleStories } from "../../../server/src/demo/data/stories.js";
import { useDatabase } from "../../support/database.js";

const asOf = "2026-03-31";
const timeZone = "Europe/Berlin";

const edgeDatabase = useDatabase();

describe("the sample organization on its reference day", () => {
  const db = edgeDatabase;
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
       WHERE e.organization_id = :org AND (e.occurred_at < m.joined_at OR m.last_active_at IS NULL)`,
    );
    expect(late).toEqual([]);
  });

  test("each person signed in before they were last active, at a different time", async () => {
    const rows = await read<{ active: Date; minutes: number }>(
      `SELECT m.last_active_at AS active,
         extract(epoch FROM m.last_active_at - max(a.created_at))::int / 60 AS minutes
       FROM organization_members m JOIN users u ON u.id = m.user_id
       LEFT JOIN activity_log a ON a.user_id = m.user_id AND a.type = 'signed_in'
       WHERE m.organization_id = :org AND m.last_active_at IS NOT NULL
       GROUP BY m.user_id, m.last_active_at`,
    );
    expect(rows).toHaveLength(25);
    for (const { minutes } of rows) expect(minutes).toBeGreaterThan(0);
    for (const { minutes } of rows) expect(minutes).toBeLessThan(600);
    expect(new Set(rows.map(({ active }) => active.getTime())).size).toBeGreaterThan(20);
    expect(new Set(rows.map(({ active }) => dayIn(timeZone, active))).size).toBeGreaterThan(7);
  });

  test("people act only where their role allows it", async () => {
    const refused = await read(
      `SELECT e.type, e.actor_name, w.name FROM history_events e
       JOIN organization_members m ON m.organization_id = e.organization_id
         AND m.user_id = e.actor_user_id AND m.role = 'member'
       JOIN workspaces w ON w.organization_id = e.organization_id AND w.id = e.workspace_id
       LEFT JOIN workspace_members r ON r.organization_id = e.organization_id
         AND r.workspace_id = e.workspace_id AND r.user_id = e.actor_user_id
       WHERE e.organization_id = :org AND coalesce(r.role, 'none') <> 'admin'
         AND (r.role IS NULL OR r.role = 'viewer' AND e.note NOT LIKE 'Problem reported%')`,
    );
    expect(refused).toEqual([]);
    const invited = await read(
      `SELECT i.email FROM invites i JOIN organization_members m
         ON m.organization_id = i.organization_id AND m.user_id = i.invited_by
       LEFT JOIN workspace_members r ON r.organization_id = i.organization_id
         AND r.workspace_id = i.workspace_id AND r.user_id = i.invited_by
       WHERE i.organization_id = :org AND m.role = 'member' AND r.role IS DISTINCT FROM 'admin'`,
    );
    expect(invited).toEqual([]);
    const reporters = await read<{ name: string }>(
      `SELECT r.name FROM problem_reports r JOIN users u ON r.name ILIKE u.name || '%'
       WHERE r.organization_id = :org`,
    );
    expect(reporters).toEqual([]);
  });

  test("17 workspaces on ten sites, each in use", async () => {
    const rows = await read<{ address: string; live: number }>(
      `SELECT w.address, count(a.id)::int AS live FROM workspaces w
       LEFT JOIN assets a ON a.organization_id = w.organization_id AND a.workspace_id = w.id
         AND a.state <> 'deleted'
       WHERE w.organization_id = :org GROUP BY w.organization_id, w.id`,
    );
    expect(rows).toHaveLength(17);
    expect(new Set(rows.map(({ address }) => address)).size).toBe(10);
    expect(rows.filter(({ live }) => live === 0)).toEqual([]);
  });

  test("151 assets of 20 kinds, each with a picture, three of them down", async () => {
    const where = "FROM assets WHERE organization_id = :org";
    expect(await counts(`SELECT state ${where}`)).toMatchObject({ out_of_service: 3, deleted: 7 });
    const [facts] = await read(
      `SELECT count(*)::int AS assets, count(DISTINCT category_id)::int AS kinds,
         count(DISTINCT name)::int AS names, count(*) FILTER (WHERE name ~ '^[A-Z][a-z]+ \\d+$')::int
           AS numbered, count(*) FILTER (WHERE NOT EXISTS (SELECT FROM files f
           WHERE f.organization_id = a.organization_id AND f.asset_id = a.id
             AND f.thumbnail IS NOT NULL))::int AS plain
       FROM assets a WHERE organization_id = :org`,
    );
    expect(facts).toEqual({ assets: 151, kinds: 20, names: 151, numbered: 0, plain: 0 });
  });

  test("today: seven tasks overdue, four unassigned, one person over capacity", async () => {
    const open = "organization_id = :org AND state NOT IN ('completed', 'cancelled')";
    const [today] = await read(
      `SELECT count(*) FILTER (WHERE due_date < :day)::int AS overdue,
         count(*) FILTER (WHERE assigned_to_user_id IS NULL)::int AS unassigned,
         count(*) FILTER (WHERE state = 'on_hold')::int AS on_hold,
         count(*) FILTER (WHERE due_usage IS NOT NULL)::int AS by_usage,
         count(*) FILTER (WHERE due_usage IS NOT NULL AND due_date = :day)::int AS due_by_usage
       FROM maintenance_tasks WHERE ${open}`,
    );
    expect(today).toEqual({ overdue: 7, unassigned: 4, on_hold: 3, by_usage: 8, due_by_usage: 1 });
    const [eva] = await read<{ hours: number }>(
      `SELECT round(sum(estimated_minutes) / 60.0)::int AS hours FROM maintenance_tasks t
       JOIN users u ON u.id = t.assigned_to_user_id AND u.name = 'Eva Lindqvist'
       WHERE ${open} AND due_date BETWEEN '2026-04-06' AND '2026-04-12'`,
    );
    expect(eva).toEqual({ hours: 46 });
    const held = await read(
      `SELECT t.id FROM maintenance_tasks t WHERE ${open} AND state = 'on_hold' AND NOT EXISTS (
         SELECT FROM history_events e WHERE e.organization_id = t.organization_id
           AND e.task_id = t.id AND e.type = 'task_state_changed' AND e.note IS NOT NULL)`,
    );
    expect(held).toEqual([]);
  });

  test("each repeating task is due according to its rule", async () => {
    const rows = await read<
      RepeatRule & { plan_id: string; due_date: string; ended_at: Date | null }
    >(
      `SELECT t.plan_id, t.due_date, coalesce(t.completed_at, t.cancelled_at) AS ended_at,
         p.every, p.unit, p.anchor, p.anchor_day, p.on_weekday, p.ends_on
       FROM maintenance_tasks t JOIN maintenance_plans p ON p.id = t.plan_id
       WHERE t.organization_id = :org AND p.every IS NOT NULL ORDER BY t.plan_id, t.occurrence`,
    );

    const pairs = rows.flatMap((row, index) => {
      const next = rows[index + 1];
      return next?.plan_id === row.plan_id ? [{ row, next }] : [];
    });
    expect(pairs.length).toBeGreaterThan(700);
    for (const { row, next } of pairs) {
      const doneOn = dayIn(timeZone, row.ended_at ?? undefined);
      const { due, skipped } = findNextDue(row, { dueDate: row.due_date, doneOn, today: doneOn });
      expect({ due: next.due_date, skipped }).toEqual({ due, skipped: 0 });
    }
  });

  test("costs follow from the minutes and price lists", async () => {
    const [wrong] = await read(
      `SELECT count(*)::int AS count FROM maintenance_tasks WHERE organization_id = :org
         AND state = 'completed' AND labor_cost IS DISTINCT FROM round(actual_minutes * 58 / 60.0, 2)`,
    );
    expect(wrong).toEqual({ count: 0 });
  });

  test("people act in working hours, in order, and write notes", async () => {
    const [events] = await read<Record<string, number>>(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE NOT on_time)::int AS off_hours,
         count(*) FILTER (WHERE source = 'mcp')::int AS by_app,
         count(*) FILTER (WHERE occurred_at < previous)::int AS disordered,
         count(*) FILTER (WHERE local >= :day::date + 1)::int AS outside
       FROM (SELECT *, lag(occurred_at) OVER (ORDER BY sequence) AS previous,
           actor_user_id IS NULL OR extract(isodow FROM local) < 6
             AND local::time BETWEEN '06:00' AND '16:31' AS on_time
         FROM (SELECT *, occurred_at AT TIME ZONE '${timeZone}' AS local FROM history_events
           WHERE organization_id = :org) e) e`,
    );
    expect(events?.["total"]).toBeGreaterThan(3_000);
    expect(events?.["by_app"]).toBeGreaterThan(40);
    expect(events?.["off_hours"]).toBeLessThan(60);
    expect(events).toMatchObject({ disordered: 0, outside: 0 });
    const [notes] = await read<{ count: number }>(
      `SELECT count(DISTINCT note)::int AS count FROM (
         SELECT completion_notes AS note FROM maintenance_tasks WHERE organization_id = :org
         UNION SELECT note FROM history_events WHERE organization_id = :org
         UNION SELECT answer FROM problem_reports WHERE organization_id = :org) notes`,
    );
    expect(notes?.count).toBeGreaterThan(120);
  });

  test("rounds, reports, meters, apps, webhooks and files are in use", async () => {
    const rounds = await read(
      `SELECT count(*) FILTER (WHERE f.outcome = 'seen')::int AS seen,
         count(*) FILTER (WHERE f.outcome = 'missing')::int AS missing,
         count(*) FILTER (WHERE f.outcome = 'elsewhere')::int AS elsewhere
       FROM rounds r JOIN round_findings f ON f.organization_id = r.organization_id
         AND f.round_id = r.id WHERE r.organization_id = :org AND r.ended_at IS NOT NULL
       GROUP BY r.id, r.ended_at ORDER BY r.ended_at DESC`,
    );
    expect(rounds).toHaveLength(14);
    expect(rounds[0]).toEqual({ seen: 36, missing: 2, elsewhere: 1 });
    const status = await counts("SELECT status FROM problem_reports WHERE organization_id = :org");
    expect(status).toMatchObject({ open: 5 });
    expect(status["refused"]).toBeGreaterThan(2);
    expect(status["accepted"]).toBeGreaterThan(20);
    expect(
      await read(
        `SELECT r.id FROM problem_reports r JOIN files f ON f.organization_id = r.organization_id
           AND f.report_id = r.id
         WHERE r.organization_id = :org AND NOT r.still_usable AND r.created_at::date = :day`,
      ),
    ).toHaveLength(1);
    const [used] = await read(
      `SELECT (SELECT count(*)::int FROM meters WHERE organization_id = :org) AS meters,
         (SELECT min(count)::int FROM (SELECT count(*) FROM meter_readings
           WHERE organization_id = :org GROUP BY meter_id) m) AS readings,
         (SELECT count(*)::int FROM oauth_connections WHERE organization_id = :org
           AND revoked_at IS NULL) AS apps,
         (SELECT count(*)::int FROM oauth_connections WHERE organization_id = :org
           AND revoked_at IS NOT NULL) AS ended,
         (SELECT count(*)::int FROM webhooks WHERE organization_id = :org AND busy_until > now())
           AS webhooks,
         (SELECT count(*)::int FROM files WHERE organization_id = :org
           AND type = 'application/pdf') AS documents,
         (SELECT public_reports FROM organizations WHERE id = :org) AS public`,
    );
    expect(used).toEqual({
      ...{ meters: 20, readings: 25, apps: 6, ended: 2 },
      ...{ webhooks: 2, documents: 12, public: true },
    });
  });

  test("a contractor's finished job waits for approval", async () => {
    const jobs = await read(
      `SELECT t.title, t.state, u.name AS assignee, l.contractor, l.revoked_at,
         l.expires_at > :day::date AS is_active, l.done_at < :day::date AS is_done,
         l.done_note = c.text AS is_told,
         (SELECT a.actor_name || ' ' || (a.details ->> 'contractor') FROM activity_log a
           WHERE a.organization_id = :org AND a.type = 'task_link_created'
             AND a.details ->> 'task_id' = t.id AND a.created_at = l.created_at) AS shared,
         (SELECT count(*)::int FROM files f WHERE f.organization_id = :org
           AND f.task_link_id = l.id AND f.created_by IS NULL) AS photos,
         (SELECT string_agg(coalesce(e.changes -> 0 ->> 'field', ''), ' ' ORDER BY e.sequence)
           FROM history_events e WHERE e.organization_id = :org AND e.client_id = l.id) AS events
       FROM task_links l JOIN maintenance_tasks t ON t.organization_id = :org AND t.id = l.task_id
       JOIN users u ON u.id = t.assigned_to_user_id
       JOIN comments c ON c.organization_id = :org AND c.task_link_id = l.id AND c.created_by IS NULL
       WHERE l.organization_id = :org`,
    );
    expect(jobs).toEqual([
      {
        ...{ title: "Replace guide shoes", state: "on_hold", assignee: "Pavel Dvorak" },
        ...{ contractor: "Liftwerk", revoked_at: null, is_active: true, is_done: true },
        ...{ is_told: true, photos: 1, events: "files comment contractor_done" },
        shared: "Pavel Dvorak Liftwerk",
      },
    ]);
  });

  test("figures equal a recount", async () => {
    const sum = () =>
      read(
        `SELECT kind, key, sum(n)::int AS n, round(sum(amount), 2)::text AS amount FROM figures
         WHERE organization_id = :org AND level < 2 GROUP BY kind, key
           HAVING sum(n) <> 0 ORDER BY kind, key`,
      );
    const before = await sum();
    await read("SELECT recount_figures(:org)");
    expect(before).toEqual(await sum());
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
              AND e.type LIKE 'task\\_%' AND e.type <> 'task_created'
              AND coalesce(e.changes -> 0 ->> 'field', '') NOT LIKE 'contractor\\_%'
              AND (e.source <> 'public_scan' OR e.client_id IS NULL)))::int AS task_versions,
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

  test("procedures are used by open, finished and repeating work", async () => {
    const used = await read<{ name: string; is_open: boolean }>(
      `SELECT DISTINCT p.name::text AS name, t.state <> 'completed' AS is_open
       FROM procedures p JOIN maintenance_tasks t USING (organization_id)
       WHERE p.organization_id = :org AND t.procedure_id = p.id AND t.plan_id IS NOT NULL
         AND t.state <> 'cancelled'`,
    );
    expect(used).toHaveLength(8);
    const differing = await read(
      `SELECT t.id FROM maintenance_tasks t JOIN procedure_versions v USING (organization_id)
       WHERE t.organization_id = :org AND v.procedure_id = t.procedure_id
         AND (SELECT array_agg((s ->> 'label') || (s ->> 'kind') ORDER BY place)
           FROM jsonb_array_elements(v.steps) WITH ORDINALITY AS step (s, place))
         <> (SELECT array_agg(i.label || i.kind ORDER BY i.position) FROM task_checklist_items i
           WHERE i.organization_id = :org AND i.task_id = t.id)`,
    );
    expect(differing).toEqual([]);
    const answered = await counts(
      `SELECT i.kind FROM task_checklist_items i JOIN maintenance_tasks t
         ON t.organization_id = i.organization_id AND t.id = i.task_id
       WHERE i.organization_id = :org AND t.procedure_id IS NOT NULL AND i.answer IS NOT NULL`,
    );
    const kinds = ["choice", "number", "pass_fail", "photo", "signature"];
    expect(Object.keys(answered).toSorted()).toEqual(kinds);
    expect(await findWrongAnswers(db(), sample.organizationId)).toEqual([]);
  });

  test("several managers review reports, and photos before a repair come first", async () => {
    const reviewers = await read(
      "SELECT DISTINCT closed_by FROM problem_reports WHERE organization_id = :org AND closed_by IS NOT NULL",
    );
    expect(reviewers.length).toBeGreaterThan(3);
    const wrong = await read(
      `SELECT b.id FROM files b JOIN files a ON a.organization_id = b.organization_id
         AND a.task_id = b.task_id AND a.name = 'after.jpg'
       WHERE b.organization_id = :org AND b.name = 'before.jpg' AND b.created_at >= a.created_at`,
    );
    expect(wrong).toEqual([]);
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

    const failures = await tasks([failingPump], "Replace shaft seal");
    expect(failures).toHaveLength(10);
    for (const [index, { completed_at: at }] of failures.slice(1).entries()) {
      const before = failures[index]?.completed_at;
      const days = ((at?.getTime() ?? 0) - (before?.getTime() ?? 0)) / 86_400_000;
      expect(Math.abs(days - 70)).toBeLessThan(12);
    }
    const tests = await tasks([generator], "Quarterly load test");
    expect(tests.at(-1)).toMatchObject({ due_date: "2026-03-27", state: "scheduled" });
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
});

test("in German on request", async () => {
  const db = edgeDatabase();
  const { organizationId } = await seedDemo(db, "Nordtor", { language: "de" });
  const words = async (table: string, column: string) => {
    const rows = await db.query<{ text: string }>(
      `SELECT DISTINCT ${column} AS text FROM ${table} WHERE organization_id = $1
         AND ${column} IS NOT NULL`,
      [organizationId],
    );
    return rows.map(({ text }) => text);
  };
  const texts = await Promise.all([
    words("asset_categories", "name"),
    words("assets", "name"),
    words("assets", "location"),
    words("workspaces", "name"),
    words("workspaces", "description"),
    words("maintenance_tasks", "title"),
    words("maintenance_tasks", "completion_notes"),
    words("task_checklist_items", "label"),
    words("problem_reports", "description"),
    words("problem_reports", "answer"),
    words("history_events", "note"),
  ]);
  const english = /\b(the|and|with|replaced?|check|floor|room|service|yearly|monthly|of)\b/i;

  expect(texts.flat().length).toBeGreaterThan(700);
  expect(texts.flat().filter((text) => english.test(text))).toEqual([]);
  expect(texts[5]).toContain("Wellendichtung tauschen");
  expect(await findWrongAnswers(db, organizationId)).toEqual([]);
}, 300_000);

test("edge cases are added on request", async () => {
  const db = edgeDatabase();
  const { organizationId } = await seedDemo(db, "Edges", { edgeCases: true });
  const assets = await db.query<Record<string, string | null>>(
    "SELECT * FROM assets WHERE organization_id = $1",
    [organizationId],
  );
  const names = assets.map(({ name }) => name ?? "");
  const numbers = assets.map(({ inventory_number: number }) => number ?? "");
  const bare = assets.find(({ name }) => name === "Ladder of unknown origin");

  expect(assets).toHaveLength(160);
  expect(names.some((name) => Array.from(name).length === 200)).toBe(true);
  expect(names.some((name) => /\p{Script=Arabic}/u.test(name))).toBe(true);
  expect(names.some((name) => name.includes("☕"))).toBe(true);
  expect(numbers).toEqual(expect.arrayContaining(["BR-7/2", "434-000990"]));
  expect(bare).toMatchObject({ workspace_id: null, category_id: null, serial_number: null });
  expect(assets.some(({ description }) => description?.includes("ignore previous"))).toBe(true);
  expect(assets.filter(({ serial_number: serial }) => serial === "GP80-5512")).toHaveLength(2);
}, 300_000);

function seedDemo(
  db: Database,
  organization: string,
  more: Partial<SampleRequest> = {},
): Promise<Sample> {
  return createSample(db, {
    organization,
    size: "demo",
    asOf,
    password: "correct horse battery",
    baseUrl: "http://fettle.test",
    ...more,
  });
}

/** Steps whose answer doesn't fit, or that finished work lacks. */
function findWrongAnswers(db: Database, organizationId: string) {
  return db.query(
    `SELECT i.label, i.answer FROM task_checklist_items i JOIN maintenance_tasks t
       ON t.organization_id = i.organization_id AND t.id = i.task_id
     WHERE i.organization_id = $1 AND (i.answer <> ALL (i.options)
       OR i.required AND t.state = 'completed' AND i.answer IS NULL
       OR i.kind = 'number' AND (i.answer::numeric < i.min OR i.answer::numeric > i.max)
       OR i.kind = 'photo' AND i.answer IS NOT NULL AND NOT EXISTS (SELECT FROM files f
         WHERE f.organization_id = $1 AND f.id = i.answer AND f.task_id = t.id))`,
    [organizationId],
  );
}
