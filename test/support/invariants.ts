import type { Database, Tx } from "../../server/src/db/database.js";

/**
 * Rules that always hold in an organization ($1). Each query finds the rows that break the rule, as
 * a text `problem`.
 */
const rules: Record<string, string> = {
  "an asset has one open state period, of its state": `
    SELECT a.id || ' is ' || a.state || ', its open period ' || coalesce(p.state, 'is missing') AS problem
    FROM assets a LEFT JOIN asset_state_periods p ON p.organization_id = a.organization_id
      AND p.asset_id = a.id AND p.ended_at IS NULL
    WHERE a.organization_id = $1 AND p.state IS DISTINCT FROM a.state`,
  "state periods of an asset follow each other": `
    SELECT p.asset_id || ' has a gap at ' || p.started_at AS problem FROM (
      SELECT asset_id, started_at,
        lag(ended_at) OVER (PARTITION BY asset_id ORDER BY started_at, id) AS before,
        row_number() OVER (PARTITION BY asset_id ORDER BY started_at, id) AS n
      FROM asset_state_periods WHERE organization_id = $1) p
    WHERE p.n > 1 AND p.before IS DISTINCT FROM p.started_at`,
  "work is where its asset is": `
    SELECT t.id || ' differs from ' || a.id AS problem FROM maintenance_tasks t
    JOIN assets a ON a.organization_id = t.organization_id AND a.id = t.asset_id
    WHERE t.organization_id = $1 AND (t.workspace_id, t.hidden, t.criticality, t.category_id)
      IS DISTINCT FROM (a.workspace_id, a.state = 'deleted', a.criticality, a.category_id)`,
  "it is known whether an asset awaits work": `
    SELECT id AS problem FROM assets a WHERE organization_id = $1 AND awaits_work <> awaits_work(a)`,
  "in-time is counted as the days were": `
    SELECT id AS problem FROM maintenance_tasks t WHERE organization_id = $1
      AND state IN ('completed', 'cancelled') AND in_time IS DISTINCT FROM in_time(t)`,
  "events are seen where their asset or work is": `
    SELECT e.id || ' is in ' || coalesce(e.visible_in, 'null') AS problem FROM history_events e
    LEFT JOIN assets a ON a.organization_id = e.organization_id AND a.id = e.asset_id
    LEFT JOIN maintenance_tasks t ON t.organization_id = e.organization_id AND t.id = e.task_id
    WHERE e.organization_id = $1 AND e.visible_in IS DISTINCT FROM
      CASE WHEN e.asset_id IS NULL THEN coalesce(t.workspace_id, '') ELSE coalesce(a.workspace_id, '') END`,
  "the history begins with the creation": `
    SELECT x.id AS problem FROM (
      SELECT id, 'asset_created' AS type FROM assets WHERE organization_id = $1
      UNION ALL SELECT id, 'task_created' FROM maintenance_tasks WHERE organization_id = $1
        AND NOT EXISTS (SELECT FROM deletion_records WHERE organization_id = $1)) x
    WHERE NOT EXISTS (SELECT FROM history_events e WHERE e.organization_id = $1 AND e.type = x.type
      AND x.id IN (e.asset_id, e.task_id))`,
  // A duplicate gets no event if the asset it was merged into is permanently deleted.
  "the history ends with what an asset is": `${saysLast(
    "assets",
    "e.asset_id = r.id AND e.type LIKE 'asset%'",
    [
      ...["name", "state", "location", "workspace_id", "parent_asset_id", "assigned_to_user_id"],
      ...["manufacturer", "criticality", "condition", "merged_into_asset_id"],
    ],
  )} AND NOT (f.field = 'merged_into_asset_id' AND f.value IS NULL
    AND EXISTS (SELECT FROM deletion_records d WHERE d.organization_id = $1 AND d.asset_id = l.told))`,
  "the history ends with what a task is": `${saysLast(
    "maintenance_tasks",
    "e.task_id = r.id AND e.type LIKE 'task%'",
    [...["title", "state", "due_date", "priority", "type", "assigned_to_user_id", "asset_id"]],
  )} AND NOT EXISTS (SELECT FROM history_events m, jsonb_array_elements(m.changes) c
      WHERE m.organization_id = $1 AND m.task_id = r.id AND c ->> 'field' = 'asset_id'
        AND EXISTS (SELECT FROM deletion_records WHERE organization_id = $1))`,
  // An earlier task may have been reopened.
  "an active plan goes on": `
    SELECT p.id || ' ended with ' || coalesce(t.id || ', ' || t.state, 'nothing') AS problem
    FROM maintenance_plans p LEFT JOIN LATERAL (
      SELECT id, state FROM maintenance_tasks t WHERE t.organization_id = $1 AND t.plan_id = p.id
      ORDER BY t.occurrence DESC LIMIT 1) t ON true
    WHERE p.organization_id = $1 AND p.active
      AND coalesce(t.state, '') NOT IN ('scheduled', 'in_progress', 'on_hold')`,
  "work by usage is on the asset of its meter, and due at a usage": `
    SELECT t.id || ' on ' || coalesce(t.asset_id, 'a place') || ', its meter on ' || m.asset_id
      || ', due at ' || coalesce(t.due_usage::text, 'nothing') AS problem
    FROM maintenance_plans p JOIN meters m ON m.organization_id = $1 AND m.id = p.meter_id
    JOIN maintenance_tasks t ON t.organization_id = $1 AND t.plan_id = p.id
      AND t.state NOT IN ('completed', 'cancelled')
    WHERE p.organization_id = $1 AND p.active
      AND (t.asset_id IS DISTINCT FROM m.asset_id OR t.due_usage IS NULL AND m.value IS NOT NULL)`,
  "a meter shows its last reading": `
    SELECT m.id || ' shows ' || m.value || ' and not ' || r.value AS problem FROM meters m
    JOIN LATERAL (SELECT * FROM meter_readings r WHERE r.organization_id = $1 AND r.meter_id = m.id
      ORDER BY r.read_at DESC, r.id DESC LIMIT 1) r ON true
    WHERE m.organization_id = $1 AND (m.value, m.read_at, m.usage_before + m.value)
      IS DISTINCT FROM (r.value, r.read_at, r.total)`,
  "no asset is a part of itself, or merged into itself": `
    WITH RECURSIVE up AS (
      SELECT a.id AS of, l.kind, l.next, 1 AS n FROM assets a,
        LATERAL (VALUES ('part', a.parent_asset_id), ('merged', a.merged_into_asset_id)) l (kind, next)
      WHERE a.organization_id = $1 AND l.next IS NOT NULL
      UNION ALL SELECT u.of, u.kind, l.next, n + 1 FROM up u
        JOIN assets a ON a.organization_id = $1 AND a.id = u.next,
        LATERAL (VALUES ('part', a.parent_asset_id), ('merged', a.merged_into_asset_id)) l (kind, next)
      WHERE n < 50 AND l.kind = u.kind AND l.next IS NOT NULL)
    SELECT DISTINCT of AS problem FROM up WHERE next = of`,
  "a merged asset is retired": `
    SELECT id AS problem FROM assets
    WHERE organization_id = $1 AND merged_into_asset_id IS NOT NULL AND state <> 'deleted'`,
  "nobody is assigned what they do not see": `
    SELECT x.id || ' is of ' || x.person AS problem FROM (
      SELECT id, workspace_id, assigned_to_user_id AS person FROM assets
        WHERE organization_id = $1 AND state <> 'deleted'
      UNION ALL SELECT id, workspace_id, assigned_to_user_id FROM maintenance_tasks
        WHERE organization_id = $1 AND state NOT IN ('completed', 'cancelled') AND NOT hidden) x
    WHERE x.person IS NOT NULL AND NOT EXISTS (
      SELECT FROM organization_members m WHERE m.organization_id = $1 AND m.user_id = x.person
        AND m.removed_at IS NULL AND (m.role <> 'member' OR x.workspace_id IS NULL OR EXISTS (
          SELECT FROM workspace_members w WHERE w.organization_id = $1
            AND w.workspace_id = x.workspace_id AND w.user_id = x.person)))`,
  "people who left have nothing open": `
    SELECT m.user_id || ' has ' || x.what AS problem FROM organization_members m JOIN (
      SELECT user_id, 'a role in ' || workspace_id AS what FROM workspace_members WHERE organization_id = $1
      UNION ALL SELECT user_id, 'a connection' FROM oauth_connections
        WHERE organization_id = $1 AND revoked_at IS NULL
      UNION ALL SELECT user_id, 'an absence' FROM absences WHERE organization_id = $1
      UNION ALL SELECT user_id, 'a calendar' FROM calendar_feeds WHERE organization_id = $1) x
      USING (user_id) WHERE m.organization_id = $1 AND m.removed_at IS NOT NULL`,
  "an open invitation has its workspace": `
    SELECT id AS problem FROM invites WHERE organization_id = $1 AND workspace_role IS NOT NULL
      AND workspace_id IS NULL AND num_nonnulls(accepted_at, revoked_at, replaced_at) = 0`,
  "the task of a report is on its asset or was moved from it": `
    SELECT r.id || ' is ' || r.status AS problem FROM problem_reports r
    WHERE r.organization_id = $1 AND (r.status = 'open') <> (r.closed_at IS NULL)`,
  "a file has its bytes, and belongs to something": `
    SELECT f.id || ' has ' || coalesce(sum(length(p.content)), 0) || ' of ' || f.size AS problem
    FROM files f LEFT JOIN file_pieces p ON p.organization_id = f.organization_id AND p.file_id = f.id
    WHERE f.organization_id = $1 AND f.storage = 'database' GROUP BY f.organization_id, f.id
    HAVING coalesce(sum(length(p.content)), 0) <> f.size
      OR num_nonnulls(f.asset_id, f.task_id, f.report_id) = 0`,
  "a finished round has its findings": `
    SELECT f.id AS problem FROM round_findings f JOIN rounds r USING (organization_id)
    WHERE f.organization_id = $1 AND r.id = f.round_id
      AND f.outcome = 'missing' AND r.ended_at IS NULL`,
  "no set of changes hangs": `
    SELECT id || ' (' || kind || ') is ' || state AS problem FROM change_sets
    WHERE organization_id = $1 AND state IN ('reading', 'applying')`,
  "numbers go on": `
    SELECT 'T-' || max(t.task_number) AS problem FROM maintenance_tasks t
    JOIN organizations o ON o.id = t.organization_id
    WHERE o.id = $1 GROUP BY o.id, o.next_task_number HAVING max(t.task_number) >= o.next_task_number`,
  "a number that was given up is of no asset": `
    SELECT a.id AS problem FROM assets a JOIN retired_inventory_numbers r
      USING (organization_id, inventory_number) WHERE a.organization_id = $1`,
  "of what was permanently deleted nothing is left": `
    SELECT d.asset_id || ' in ' || x.what AS problem FROM deletion_records d JOIN (
      SELECT id AS asset_id, 'assets' AS what FROM assets WHERE organization_id = $1
      UNION ALL SELECT subject_id, 'change_set_rows' FROM change_set_rows WHERE organization_id = $1
      UNION ALL SELECT result #>> '{asset,id}', 'idempotency_records' FROM idempotency_records
        WHERE organization_id = $1) x USING (asset_id)
    WHERE d.organization_id = $1`,
};

/** Compares each column with its last value in the history. */
function saysLast(table: string, isOf: string, columns: string[]): string {
  const values = columns.map((column) => `('${column}', r.${column}::text)`).join(", ");
  return `
    SELECT r.id || ' has the ' || f.field || ' ' || coalesce(f.value, 'null') || ', its history says '
      || coalesce(l.told, 'null') AS problem
    FROM ${table} r CROSS JOIN LATERAL (VALUES ${values}) f (field, value)
    JOIN LATERAL (SELECT c ->> 'to' AS told FROM history_events e, jsonb_array_elements(e.changes) c
      WHERE e.organization_id = r.organization_id AND ${isOf} AND c ->> 'field' = f.field
      ORDER BY e.sequence DESC LIMIT 1) l ON true
    WHERE r.organization_id = $1 AND f.value IS DISTINCT FROM l.told`;
}

/** Returns all broken rules of an organization, or an empty list. */
export async function findBroken(db: Database, organizationId: string): Promise<string[]> {
  const statement = Object.entries(rules)
    .map(([rule, sql]) => `SELECT '${rule.replaceAll("'", "''")}' AS rule, problem FROM (${sql}) q`)
    .join(" UNION ALL ");
  const rows = await db.query<{ rule: string; problem: string }>(statement, [organizationId]);
  const found = rows.map(({ rule, problem }) => `${rule}: ${problem}`);
  return [...found, ...(await findMiscounted(db, organizationId))];
}

class NothingIsKept extends Error {}

/** Returns figures that differ from a recount. The recount is rolled back. */
async function findMiscounted(db: Database, organizationId: string): Promise<string[]> {
  const found: string[] = [];
  const recount = db.transaction(async (tx) => {
    const before = await readFigures(tx, organizationId);
    await tx.query("SELECT recount_figures($1)", [organizationId]);
    const after = await readFigures(tx, organizationId);
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [kept, counted] = [before.get(key) ?? "nothing", after.get(key) ?? "nothing"];
      if (kept !== counted) found.push(`figures: ${key} is ${kept}, recounted ${counted}`);
    }
    throw new NothingIsKept();
  });
  await recount.catch((error: unknown) => {
    if (!(error instanceof NothingIsKept)) throw error;
  });
  return found;
}

async function readFigures(tx: Tx, id: string): Promise<Map<string, string>> {
  const rows = await tx.query<{ key: string; value: string }>(
    `SELECT concat_ws(' ', kind, workspace_id, day, key) AS key,
       sum(n) || ' ' || trim_scale(sum(amount)) AS value
     FROM figures WHERE organization_id = $1 AND level IN (0, 1)
     GROUP BY kind, workspace_id, day, key HAVING sum(n) <> 0 OR sum(amount) <> 0
     UNION ALL SELECT concat_ws(' ', 'all', kind, day, key), sum(n) || ' ' || trim_scale(sum(amount))
     FROM figures WHERE organization_id = $1 AND level IN (0, 2)
     GROUP BY kind, day, key HAVING sum(n) <> 0 OR sum(amount) <> 0
     UNION ALL SELECT concat_ws(' ', 'peak', asset_id, workspace_id, criticality, begins_in, kind),
       trim_scale(amount)::text
     FROM asset_peaks WHERE organization_id = $1 AND amount <> 0`,
    [id],
  );
  return new Map(rows.map(({ key, value }) => [key, value]));
}
