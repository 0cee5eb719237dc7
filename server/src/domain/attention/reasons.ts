import type { Caller } from "../access/caller.js";
import { nowOf, todayOf } from "../access/clock.js";
import type { Parameters } from "../sql/parameters.js";
import { failuresIn } from "../assets/reliability.js";
import { isOpen, isOverdue } from "../tasks/task-states.js";
import { visibleAssetSql, visibleTaskSql } from "../access/visibility.js";

/*
 * Why something needs attention, in SQL. Each query has a row for every matter: asset_id (null for
 * work on a place), task_id, days, failures and points. Its $1 is the organization. It is about
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
}

interface Reason {
  toQuery: (query: ReasonQuery) => string;
  /** Where points are equal. */
  order: string;
}

/** What an asset's criticality adds; work on a place counts like a medium asset. */
const criticalityPoints = `CASE a.criticality
  WHEN 'critical' THEN 40 WHEN 'high' THEN 20 WHEN 'low' THEN -10 ELSE 0 END`;

const ofAsset = "LEFT JOIN assets a ON a.organization_id = t.organization_id AND a.id = t.asset_id";

const overdue: Reason["toQuery"] = ({ caller, parameters, assetIds }) => {
  const today = addToday(caller, parameters);
  return `SELECT t.asset_id, t.id AS task_id, ${today} - t.due_date AS days, NULL::int AS failures,
      50 + least(${today} - t.due_date, 30) + ${criticalityPoints} AS points
    FROM maintenance_tasks t ${ofAsset}
    WHERE t.organization_id = $1 AND ${isOverdue("t", today)}
      AND ${visibleTaskSql(caller, parameters, "t")} ${among("t.asset_id", assetIds)}`;
};

/** What is down already is on somebody's list as soon as there is an open task for it. */
const outOfService: Reason["toQuery"] = ({ caller, parameters, assetIds }) => {
  const now = `${parameters.add(nowOf(caller))}::timestamptz`;
  return `SELECT a.id AS asset_id, NULL AS task_id,
      greatest(floor(date_part('epoch', ${now} - a.state_changed_at) / 86400), 0)::int AS days,
      NULL::int AS failures, 60 + ${criticalityPoints} AS points
    FROM assets a
    WHERE a.organization_id = $1 AND a.state = 'out_of_service'
      AND ${visibleAssetSql(caller, parameters, "a")} ${among("a.id", assetIds)}
      AND NOT EXISTS (SELECT 1 FROM maintenance_tasks t
        WHERE t.asset_id = a.id AND t.organization_id = $1 AND NOT t.hidden AND ${isOpen("t")})`;
};

/** Overdue work is listed as such, whoever is or is not responsible. */
const unassigned: Reason["toQuery"] = ({ caller, parameters, assetIds }) => {
  const today = addToday(caller, parameters);
  const isSoon = `t.due_date BETWEEN ${today} AND ${today} + ${soonDays - 1}`;
  return `SELECT t.asset_id, t.id AS task_id, t.due_date - ${today} AS days,
      NULL::int AS failures, CASE t.priority WHEN 'urgent' THEN 45 WHEN 'high' THEN 35 ELSE 25 END
        + CASE WHEN ${isSoon} THEN ${soonDays} - (t.due_date - ${today}) ELSE 0 END
        + ${criticalityPoints} AS points
    FROM maintenance_tasks t ${ofAsset}
    WHERE t.organization_id = $1 AND NOT t.hidden AND ${isOpen("t")}
      AND t.assigned_to_user_id IS NULL AND (t.due_date IS NULL OR t.due_date >= ${today})
      AND (t.priority IN ('urgent', 'high') OR ${isSoon})
      AND ${visibleTaskSql(caller, parameters, "t")} ${among("t.asset_id", assetIds)}`;
};

const repeated: Reason["toQuery"] = ({ caller, parameters, assetIds }) => {
  const begin = new Date(nowOf(caller).getTime() - repeatedFailures.days * 86_400_000);
  const isMeant = (row: string) =>
    `NOT ${row}.hidden AND ${visibleAssetSql(caller, parameters, row)}
     ${among(`${row}.asset_id`, assetIds)}`;
  const failures = failuresIn(`${parameters.add(begin)}::timestamptz`, {
    ofTask: isMeant("t"),
    ofPeriod: isMeant("p"),
  });
  return `SELECT failed.asset_id, NULL AS task_id, NULL::int AS days, failed.failures,
      20 + 2 * least(failed.failures, 10) + ${criticalityPoints} AS points
    FROM (SELECT asset_id, count(*)::int AS failures FROM (${failures}) failure
      GROUP BY asset_id HAVING count(*) >= ${repeatedFailures.failures}) failed
    JOIN assets a ON a.organization_id = $1 AND a.id = failed.asset_id`;
};

const warrantyEnding: Reason["toQuery"] = ({ caller, parameters, assetIds }) => {
  const today = addToday(caller, parameters);
  return `SELECT a.id AS asset_id, NULL AS task_id, a.warranty_expires_on - ${today} AS days,
      NULL::int AS failures, 10 + (${warrantyDays} - (a.warranty_expires_on - ${today})) / 3
        + ${criticalityPoints} AS points
    FROM assets a
    WHERE a.organization_id = $1 AND a.state <> 'deleted'
      AND a.warranty_expires_on BETWEEN ${today} AND ${today} + ${warrantyDays - 1}
      AND ${visibleAssetSql(caller, parameters, "a")} ${among("a.id", assetIds)}`;
};

const oldestFirst = "days DESC, task_id, asset_id";
const soonestFirst = "days, task_id, asset_id";

/** In the order of rank where points are equal. */
export const attentionReasons: Record<AttentionReason, Reason> = {
  out_of_service: { toQuery: outOfService, order: oldestFirst },
  overdue: { toQuery: overdue, order: oldestFirst },
  unassigned: { toQuery: unassigned, order: soonestFirst },
  repeated_failures: { toQuery: repeated, order: "failures DESC, asset_id" },
  warranty_ending: { toQuery: warrantyEnding, order: soonestFirst },
};

function addToday(caller: Caller, { add }: Parameters): string {
  return `${add(todayOf(caller))}::date`;
}

function among(assetId: string, assetIds: string | undefined): string {
  return assetIds === undefined ? "" : `AND ${assetId} = ANY (${assetIds}::text[])`;
}
