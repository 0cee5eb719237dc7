import type { Caller } from "../access/caller.js";
import { nowOf, todayOf } from "../access/clock.js";
import type { Parameters } from "../sql/parameters.js";
import { criticalities } from "../../db/entities/asset.js";
import { taskPriorities } from "../../db/entities/maintenance-task.js";
import { failuresIn } from "../assets/reliability.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import {
  criticalityPoints,
  dueFirst,
  latePoints,
  pointsOf,
  priorityPoints,
} from "../tasks/urgency.js";
import { visibleAssetSql, visibleTaskSql } from "../access/visibility.js";

/*
 * Why something needs attention, in SQL. Each query has a row for every matter: asset_id (null for
 * work on a place), task_id, days, failures, points and weight. Its $1 is the organization. It is about
 * what the caller sees, and never about retired assets.
 */

export type AttentionReason =
  "overdue" | "out_of_service" | "unassigned" | "repeated_failures" | "warranty_ending";

/** Days ahead in which a warranty that ends, and work without anybody, is a matter. */
const warrantyDays = 30;
const soonDays = 7;
/** So many failures in so many days are repeated ones. */
const repeatedFailures = { failures: 3, days: 365 };

export interface ReasonQuery {
  caller: Caller;
  parameters: Parameters;
  /** A parameter with ids, when it is only about these assets. */
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

const overdue: ToQuery = ({ caller, parameters, assetIds, most }) => {
  const today = addToday(caller, parameters);
  // Priority counts for nothing here, but the index of what is due first begins with it.
  const [priorities, isOne] =
    assetIds === undefined
      ? [
          `, unnest('{${taskPriorities.join()}}'::text[]) p (priority)`,
          "AND t.priority = p.priority",
        ]
      : ["", ""];
  return `SELECT matter.* FROM ${eachCriticality}${priorities}, LATERAL (
    SELECT t.asset_id, t.id AS task_id, ${today} - t.due_date AS days, NULL::int AS failures,
      50 + ${latePoints("t", today)} + ${ofCriticality("c")} AS points,
      (${today} - t.due_date)::numeric AS weight
    FROM maintenance_tasks t
    WHERE t.organization_id = $1 AND t.criticality = c.criticality ${isOne}
      AND ${isOverdue("t", today)} AND ${dueFirst.expression} < ${today}
      AND ${visibleTaskSql(caller, parameters, "t")} ${among("t.asset_id", assetIds)}
    ORDER BY ${dueFirst.expression}, t.id LIMIT ${most}) matter`;
};

/** What is down already is on somebody's list as soon as there is an open task for it. */
const outOfService: ToQuery = ({ caller, parameters, assetIds, most }) => {
  const now = `${parameters.add(nowOf(caller))}::timestamptz`;
  return `SELECT matter.* FROM ${eachCriticality}, LATERAL (
    SELECT a.id AS asset_id, NULL AS task_id,
      greatest(floor(date_part('epoch', ${now} - a.state_changed_at) / 86400), 0)::int AS days,
      NULL::int AS failures, 60 + ${ofCriticality("c")} AS points,
      extract(epoch FROM ${now} - a.state_changed_at) AS weight
    FROM assets a
    WHERE a.organization_id = $1 AND a.criticality = c.criticality AND a.awaits_work
      AND ${visibleAssetSql(caller, parameters, "a")} ${among("a.id", assetIds)}
    ORDER BY a.state_changed_at, a.id LIMIT ${most}) matter`;
};

/** Overdue work is listed as such, whoever is or is not responsible. */
const unassigned: ToQuery = ({ caller, parameters, assetIds, most }) => {
  const today = addToday(caller, parameters);
  const lastSoon = `${today} + ${soonDays - 1}`;
  return `SELECT matter.* FROM ${eachCriticality},
    (VALUES ('urgent', 'infinity'::date), ('high', 'infinity'), ('medium', ${lastSoon}),
      ('low', ${lastSoon})) p (priority, last_due), LATERAL (
    SELECT t.asset_id, t.id AS task_id, t.due_date - ${today} AS days, NULL::int AS failures,
      25 + ${pointsOf(priorityPoints, "p.priority")} + CASE WHEN t.due_date <= ${lastSoon} THEN ${soonDays} - (t.due_date - ${today})
        ELSE 0 END + ${ofCriticality("c")} AS points, (${today} - t.due_date)::numeric AS weight
    FROM maintenance_tasks t
    WHERE t.organization_id = $1 AND t.criticality = c.criticality AND t.priority = p.priority
      AND NOT t.hidden AND ${isOpen("t")} AND t.assigned_to_user_id IS NULL
      AND ${dueFirst.expression} BETWEEN ${today} AND p.last_due
      AND ${visibleTaskSql(caller, parameters, "t")} ${among("t.asset_id", assetIds)}
    ORDER BY ${dueFirst.expression}, t.id LIMIT ${most}) matter`;
};

const repeated: ToQuery = ({ caller, parameters, assetIds, most }) => {
  const isMeant = (row: string) =>
    `NOT ${row}.hidden AND ${visibleAssetSql(caller, parameters, row)}
     ${among(`${row}.asset_id`, assetIds)}`;
  const failures = failuresIn(`${parameters.add(beginOfFailures(caller))}::timestamptz`, {
    ofTask: isMeant("t"),
    ofPeriod: isMeant("p"),
  });
  return `SELECT failed.asset_id, NULL AS task_id, NULL::int AS days, failed.failures,
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
export const failurePeaks: ToQuery = ({ caller, parameters, most }) => {
  const year = parameters.add(String(beginOfFailures(caller).getUTCFullYear()));
  const amount = `(${failurePoints("peak.amount", "c")}) * ${manyFailures} + peak.amount`;
  return `SELECT peak.asset_id, (${amount})::float8 AS amount FROM ${eachCriticality}, LATERAL (
      SELECT p.asset_id, p.amount FROM asset_peaks p
      WHERE p.organization_id = $1 AND p.begins_in = ${year} AND p.criticality = c.criticality
        AND p.kind = 'failures' AND p.amount >= ${repeatedFailures.failures}
        AND ${visibleAssetSql(caller, parameters, "p")}
      ORDER BY p.amount DESC, p.asset_id LIMIT ${most}) peak
    ORDER BY ${amount} DESC, peak.asset_id LIMIT ${most}`;
};

const warrantyEnding: ToQuery = ({ caller, parameters, assetIds, most }) => {
  const today = addToday(caller, parameters);
  return `SELECT a.id AS asset_id, NULL AS task_id, a.warranty_expires_on - ${today} AS days,
      NULL::int AS failures, 10 + (${warrantyDays} - (a.warranty_expires_on - ${today})) / 3
        + ${ofCriticality("a")} AS points, (${today} - a.warranty_expires_on)::numeric AS weight
    FROM assets a
    WHERE a.organization_id = $1 AND a.state <> 'deleted'
      AND a.warranty_expires_on BETWEEN ${today} AND ${today} + ${warrantyDays - 1}
      AND ${visibleAssetSql(caller, parameters, "a")} ${among("a.id", assetIds)}
    ORDER BY ${strongestFirst} LIMIT ${most}`;
};

/** In the order of rank where points are equal. */
export const attentionReasons: Record<AttentionReason, ToQuery> = {
  out_of_service: outOfService,
  overdue,
  unassigned,
  repeated_failures: repeated,
  warranty_ending: warrantyEnding,
};

function beginOfFailures(caller: Caller): Date {
  return new Date(nowOf(caller).getTime() - repeatedFailures.days * 86_400_000);
}

function addToday(caller: Caller, { add }: Parameters): string {
  return `${add(todayOf(caller))}::date`;
}

function among(assetId: string, assetIds: string | undefined): string {
  return assetIds === undefined ? "" : `AND ${assetId} = ANY (${assetIds}::text[])`;
}
