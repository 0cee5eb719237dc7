import type { Caller } from "../access/caller.js";
import { nowOf, todayOf } from "../access/clock.js";
import type { Parameters } from "../../db/parameters.js";
import { criticalities } from "../../db/entities/assets.js";
import { taskPriorities } from "../../db/entities/tasks.js";
import { failuresIn } from "../assets/reliability.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import {
  criticalityPoints,
  dueFirst,
  latePoints,
  pointsOf,
  priorityPoints,
} from "../tasks/urgency.js";
import { visibleAssetSql } from "../access/visibility.js";

/*
 * The reasons for attention, as SQL queries. Each query returns one row per matter: asset_id (null
 * for work on a place), task_id, report_id, days, failures, points and weight. $1 is the
 * organization. Queries cover only data visible to the caller, and never retired assets.
 */

export type AttentionReason =
  | "reported_unusable"
  | "out_of_service"
  | "in_maintenance"
  | "overdue"
  | "unassigned"
  | "repeated_failures"
  | "warranty_ending";

/** The reader's next step: repair, catch up, assign, or keep an eye on. */
export type AttentionBand = "broken" | "late" | "unassigned" | "watch";

/** In the order in which they matter. */
export const attentionBands: readonly AttentionBand[] = ["broken", "late", "unassigned", "watch"];

export const bandOf: Record<AttentionReason, AttentionBand> = {
  reported_unusable: "broken",
  out_of_service: "broken",
  in_maintenance: "broken",
  overdue: "late",
  unassigned: "unassigned",
  repeated_failures: "watch",
  warranty_ending: "watch",
};

/**
 * Each value exceeds the maximum of the reasons after it (120 for overdue work). Criticality only
 * decides within a reason.
 */
const brokenPoints = { reported_unusable: 200, out_of_service: 200, in_maintenance: 140 };
/** Added while no repair is planned. Puts these assets before all others. */
const unplannedPoints = 150;

/** Days ahead in which an ending warranty or unassigned work needs attention. */
const warrantyDays = 30;
const soonDays = 7;
const repeatedFailures = { failures: 3, days: 365 };

/** Everything the caller sees, or one workspace visible to them. */
export interface AttentionScope {
  caller: Caller;
  workspaceId?: string | undefined;
}

export interface ReasonQuery extends AttentionScope {
  parameters: Parameters;
  /** SQL expression for asset ids, to limit the query to these assets. */
  assetIds?: string;
  /** LIMIT for the strongest matters, per criticality or in total. */
  most: string;
}

/** Order of matters within one reason. Ties go to the older or larger matter. */
export const strongestFirst = "points DESC, weight DESC NULLS LAST, task_id, asset_id";

function ofCriticality(of: string): string {
  return pointsOf(criticalityPoints, `${of}.criticality`);
}

/**
 * One subquery per criticality `c`, because the index returns the strongest first within each.
 * Tasks have their asset's criticality.
 */
const eachCriticality = `unnest('{${criticalities.join()}}'::text[]) c (criticality)`;

type ToQuery = (query: ReasonQuery) => string;

const overdue: ToQuery = (query) => {
  const { assetIds, most } = query;
  const today = addToday(query);
  // Priority doesn't affect the points, but it is the first column of the due-date index.
  const [priorities, isOne] =
    assetIds === undefined
      ? [
          `, unnest('{${taskPriorities.join()}}'::text[]) p (priority)`,
          "AND t.priority = p.priority",
        ]
      : ["", ""];
  return `SELECT matter.* FROM ${eachCriticality}${priorities}, LATERAL (
    SELECT t.asset_id, t.id AS task_id, NULL AS report_id, ${today} - t.due_date AS days,
      NULL::int AS failures, 50 + ${latePoints("t", today)} + ${ofCriticality("c")} AS points,
      (${today} - t.due_date)::numeric AS weight
    FROM maintenance_tasks t
    WHERE t.organization_id = $1 AND t.criticality = c.criticality ${isOne}
      AND ${isOverdue("t", today)} AND ${dueFirst.expression} < ${today}
      AND ${isThere(query, "t")} ${among("t.asset_id", assetIds)}
    ORDER BY ${dueFirst.expression}, t.id LIMIT ${most}) matter`;
};

/**
 * Reports of unusable assets. They count until the report is answered or rejected, its task is
 * finished, or the asset is set to a state that isn't down.
 */
const reportedUnusable: ToQuery = (query) => {
  const now = addNow(query);
  return `SELECT r.asset_id, t.id AS task_id, r.id AS report_id, ${daysSince("r.created_at", now)} AS days,
      NULL::int AS failures, ${brokenPoints.reported_unusable} + ${ifUnplanned("t.id")} + ${ofCriticality("a")} AS points,
      extract(epoch FROM ${now} - r.created_at) AS weight
    FROM problem_reports r
    JOIN assets a ON a.organization_id = $1 AND a.id = r.asset_id
    JOIN problem_reports said ON said.organization_id = $1 AND said.id = coalesce(r.merged_into, r.id)
    LEFT JOIN maintenance_tasks t ON t.organization_id = $1 AND t.id = said.task_id
      AND t.asset_id = r.asset_id AND ${isOpen("t")}
    WHERE r.organization_id = $1 AND ${isPendingUnusable("r")} AND (said.status = 'open' OR t.id IS NOT NULL)
      AND a.state <> 'deleted' AND ${isThere(query, "a")} ${among("r.asset_id", query.assetIds)}
    ORDER BY ${strongestFirst} LIMIT ${query.most}`;
};

/** Must match the condition of its partial index. */
function isPendingUnusable(report: string): string {
  return `NOT ${report}.still_usable AND ${report}.usable_again_at IS NULL
    AND ${report}.status IN ('open', 'accepted', 'merged')`;
}

function downIn(state: "out_of_service" | "in_maintenance"): ToQuery {
  return (query) => {
    const now = addNow(query);
    return `SELECT down.asset_id, repair.id AS task_id, NULL AS report_id,
        ${daysSince("down.since", now)} AS days, NULL::int AS failures,
        ${brokenPoints[state]} + ${ifUnplanned("repair.id")} + ${ofCriticality("c")} AS points,
        extract(epoch FROM ${now} - down.since) AS weight
      FROM ${eachCriticality}, LATERAL (
        SELECT a.id AS asset_id, a.state_changed_at AS since FROM assets a
        WHERE a.organization_id = $1 AND a.criticality = c.criticality AND a.awaits_work
          AND a.state = '${state}' AND ${isThere(query, "a")} ${among("a.id", query.assetIds)}
        ORDER BY a.state_changed_at, a.id LIMIT ${query.most}) down
      LEFT JOIN LATERAL (
        SELECT t.id FROM maintenance_tasks t WHERE t.organization_id = $1
          AND t.asset_id = down.asset_id AND t.type = 'corrective'
          AND NOT t.hidden AND ${isOpen("t")}
        ORDER BY t.state = 'in_progress' DESC, ${dueFirst.expression}, t.id LIMIT 1) repair ON true`;
  };
}

function ifUnplanned(repair: string): string {
  return `CASE WHEN ${repair} IS NULL THEN ${unplannedPoints} ELSE 0 END`;
}

/** Excludes overdue work, which has its own reason. */
const unassigned: ToQuery = (query) => {
  const { assetIds, most } = query;
  const today = addToday(query);
  const lastSoon = `${today} + ${soonDays - 1}`;
  return `SELECT matter.* FROM ${eachCriticality},
    (VALUES ('urgent', 'infinity'::date), ('high', 'infinity'), ('medium', ${lastSoon}),
      ('low', ${lastSoon})) p (priority, last_due), LATERAL (
    SELECT t.asset_id, t.id AS task_id, NULL AS report_id, t.due_date - ${today} AS days,
      NULL::int AS failures,
      25 + ${pointsOf(priorityPoints, "p.priority")} + CASE WHEN t.due_date <= ${lastSoon} THEN ${soonDays} - (t.due_date - ${today})
        ELSE 0 END + ${ofCriticality("c")} AS points, (${today} - t.due_date)::numeric AS weight
    FROM maintenance_tasks t
    WHERE t.organization_id = $1 AND t.criticality = c.criticality AND t.priority = p.priority
      AND NOT t.hidden AND ${isOpen("t")} AND t.assigned_to_user_id IS NULL
      AND ${dueFirst.expression} BETWEEN ${today} AND p.last_due
      AND ${isThere(query, "t")} ${among("t.asset_id", assetIds)}
    ORDER BY ${dueFirst.expression}, t.id LIMIT ${most}) matter`;
};

const repeated: ToQuery = (query) => {
  const { caller, parameters, assetIds, most } = query;
  const isMeant = (row: string) =>
    `NOT ${row}.hidden AND ${isThere(query, row)}
     ${among(`${row}.asset_id`, assetIds)}`;
  const failures = failuresIn(`${parameters.add(beginOfFailures(caller))}::timestamptz`, {
    ofTask: isMeant("t"),
    ofPeriod: isMeant("p"),
  });
  return `SELECT failed.asset_id, NULL AS task_id, NULL AS report_id, NULL::int AS days, failed.failures,
      ${failurePoints("failed.failures", "a")} AS points,
      failed.failures::numeric AS weight
    FROM (SELECT asset_id, count(*)::int AS failures FROM (${failures}) failure
      GROUP BY asset_id HAVING count(*) >= ${repeatedFailures.failures}) failed
    JOIN assets a ON a.organization_id = $1 AND a.id = failed.asset_id
    ORDER BY ${strongestFirst} LIMIT ${most}`;
};

function failurePoints(failures: string, asset: string): string {
  return `20 + 2 * least(${failures}, 10) + ${ofCriticality(asset)}`;
}

/** More failures than any asset has. Combines points and failures into one sort key. */
export const manyFailures = 1_000_000;

/** Query of failure peaks, strongest first. `amount` is the upper bound of points and failures. */
export const failurePeaks: ToQuery = (query) => {
  const { caller, parameters, most } = query;
  const year = parameters.add(String(beginOfFailures(caller).getUTCFullYear()));
  const amount = `(${failurePoints("peak.amount", "c")}) * ${manyFailures} + peak.amount`;
  return `SELECT peak.asset_id, (${amount})::float8 AS amount FROM ${eachCriticality}, LATERAL (
      SELECT p.asset_id, p.amount FROM asset_peaks p
      WHERE p.organization_id = $1 AND p.begins_in = ${year} AND p.criticality = c.criticality
        AND p.kind = 'failures' AND p.amount >= ${repeatedFailures.failures}
        AND ${isThere(query, "p")}
      ORDER BY p.amount DESC, p.asset_id LIMIT ${most}) peak
    ORDER BY ${amount} DESC, peak.asset_id LIMIT ${most}`;
};

const warrantyEnding: ToQuery = (query) => {
  const today = addToday(query);
  return `SELECT a.id AS asset_id, NULL AS task_id, NULL AS report_id, a.warranty_expires_on - ${today} AS days,
      NULL::int AS failures, 10 + (${warrantyDays} - (a.warranty_expires_on - ${today})) / 3
        + ${ofCriticality("a")} AS points, (${today} - a.warranty_expires_on)::numeric AS weight
    FROM assets a
    WHERE a.organization_id = $1 AND a.state <> 'deleted'
      AND a.warranty_expires_on BETWEEN ${today} AND ${today} + ${warrantyDays - 1}
      AND ${isThere(query, "a")} ${among("a.id", query.assetIds)}
    ORDER BY ${strongestFirst} LIMIT ${query.most}`;
};

/** Order of the reasons when points are equal. */
export const attentionReasons: Record<AttentionReason, ToQuery> = {
  reported_unusable: reportedUnusable,
  out_of_service: downIn("out_of_service"),
  in_maintenance: downIn("in_maintenance"),
  overdue,
  unassigned,
  repeated_failures: repeated,
  warranty_ending: warrantyEnding,
};

function beginOfFailures(caller: Caller): Date {
  return new Date(nowOf(caller).getTime() - repeatedFailures.days * 86_400_000);
}

function isThere({ caller, parameters, workspaceId }: ReasonQuery, row: string): string {
  return workspaceId === undefined
    ? visibleAssetSql(caller, parameters, row)
    : `${row}.workspace_id = ${parameters.add(workspaceId)}`;
}

function addToday({ caller, parameters }: ReasonQuery): string {
  return `${parameters.add(todayOf(caller))}::date`;
}

function addNow({ caller, parameters }: ReasonQuery): string {
  return `${parameters.add(nowOf(caller))}::timestamptz`;
}

function daysSince(instant: string, now: string): string {
  return `greatest(floor(date_part('epoch', ${now} - ${instant}) / 86400), 0)::int`;
}

function among(assetId: string, assetIds: string | undefined): string {
  return assetIds === undefined ? "" : `AND ${assetId} = ANY (${assetIds}::text[])`;
}
