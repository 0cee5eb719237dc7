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
 * Why something needs attention, in SQL. Each query has a row for every matter: asset_id (null for
 * work on a place), task_id, report_id, days, failures, points and weight. Its $1 is the organization.
 * It is about what the caller sees, and never about retired assets.
 */

export type AttentionReason =
  | "reported_unusable"
  | "out_of_service"
  | "in_maintenance"
  | "overdue"
  | "unassigned"
  | "repeated_failures"
  | "warranty_ending";

/** Each more than what follows has at most, and late work 120: criticality decides within them alone. */
const brokenPoints = { reported_unusable: 200, out_of_service: 200, in_maintenance: 140 };

/** Days ahead in which a warranty that ends, and work without anybody, is a matter. */
const warrantyDays = 30;
const soonDays = 7;
/** So many failures in so many days are repeated ones. */
const repeatedFailures = { failures: 3, days: 365 };

/** Whose matters, and where: everything that the caller sees, or one workspace that they see. */
export interface AttentionScope {
  caller: Caller;
  workspaceId?: string | undefined;
}

export interface ReasonQuery extends AttentionScope {
  parameters: Parameters;
  /** An SQL expression with ids, when it is only about these assets. */
  assetIds?: string;
  /** What follows LIMIT: so many of the strongest are enough, of each criticality or of all. */
  most: string;
}

/** In which order matters of one reason come; the older or larger ones where points are equal. */
export const strongestFirst = "points DESC, weight DESC NULLS LAST, task_id, asset_id";

/** What an asset's criticality adds. */
function ofCriticality(of: string): string {
  return pointsOf(criticalityPoints, `${of}.criticality`);
}

/** For each criticality `c`, a query whose index gives its strongest first. Work has that of its asset. */
const eachCriticality = `unnest('{${criticalities.join()}}'::text[]) c (criticality)`;

type ToQuery = (query: ReasonQuery) => string;

const overdue: ToQuery = (query) => {
  const { assetIds, most } = query;
  const today = addToday(query);
  // Priority counts for nothing here, but the index of what is due first begins with it.
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
 * What was reported as unusable, until the report is answered or refused, the work that came of it is
 * finished, or somebody sets the asset to a state in which it is not down.
 */
const reportedUnusable: ToQuery = (query) => {
  const now = addNow(query);
  return `SELECT r.asset_id, t.id AS task_id, r.id AS report_id, ${daysSince("r.created_at", now)} AS days,
      NULL::int AS failures, ${brokenPoints.reported_unusable} + ${ofCriticality("a")} AS points,
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

/** In the words of its index. */
function isPendingUnusable(report: string): string {
  return `NOT ${report}.still_usable AND ${report}.usable_again_at IS NULL
    AND ${report}.status IN ('open', 'accepted', 'merged')`;
}

/** What is down, whatever work there is on it. */
function downIn(state: "out_of_service" | "in_maintenance"): ToQuery {
  return (query) => {
    const now = addNow(query);
    return `SELECT matter.* FROM ${eachCriticality}, LATERAL (
      SELECT a.id AS asset_id, NULL AS task_id, NULL AS report_id,
        ${daysSince("a.state_changed_at", now)} AS days, NULL::int AS failures,
        ${brokenPoints[state]} + ${ofCriticality("c")} AS points,
        extract(epoch FROM ${now} - a.state_changed_at) AS weight
      FROM assets a
      WHERE a.organization_id = $1 AND a.criticality = c.criticality AND a.awaits_work
        AND a.state = '${state}' AND ${isThere(query, "a")} ${among("a.id", query.assetIds)}
      ORDER BY a.state_changed_at, a.id LIMIT ${query.most}) matter`;
  };
}

/** The id of the repair that is planned for an asset, for what is down. */
export function repairOf(asset: string): string {
  return `(SELECT t.id FROM maintenance_tasks t WHERE t.organization_id = $1
      AND t.asset_id = ${asset} AND t.type = 'corrective' AND ${isOpen("t")}
      ORDER BY t.state = 'in_progress' DESC, ${dueFirst.expression}, t.id LIMIT 1)`;
}

/** Overdue work is listed as such, whoever is or is not responsible. */
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

/** Of so many failures, an SQL expression. */
function failurePoints(failures: string, asset: string): string {
  return `20 + 2 * least(${failures}, 10) + ${ofCriticality(asset)}`;
}

/** More than an asset has: points and failures make one number to sort by. */
export const manyFailures = 1_000_000;

/** A query of peaks, strongest first: asset_id, and as amount what points and failures are at most. */
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

/** In the order of rank where points are equal. */
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

/** A condition on the alias of a row with a workspace. */
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
