import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { ProblemReport } from "../../db/entities/reports.js";
import type { Caller } from "../access/caller.js";
import { isOrganizationAdmin } from "../access/caller.js";
import { changeableAssetSql, isVisibleAssetSql, visibleAssetSql } from "../access/visibility.js";
import { findMemberCaller } from "../people/member-caller.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { isOpen } from "../tasks/task-states.js";
import { idKindOf } from "../shared/ids.js";
import { reportNotFound, type ReportLink } from "./report-links.js";

export interface ReportRow extends Pick<
  ProblemReport,
  | "id"
  | "asset_id"
  | "description"
  | "still_usable"
  | "state_before"
  | "status"
  | "answer"
  | "task_id"
  | "created_at"
> {
  asset_name: string;
  inventory_number: string;
  asset_state: AssetState;
  workspace_name: string | null;
  /** Null for people without an account who gave no name. */
  reporter: string | null;
  has_account: boolean;
  task_number: number | null;
  closed_by: string | null;
}

const columns = `r.id, r.asset_id, r.description, r.still_usable, r.state_before, r.status, r.answer,
  r.task_id, r.created_at, a.name AS asset_name, a.inventory_number, a.state AS asset_state,
  w.name AS workspace_name, coalesce(u.name, r.name) AS reporter,
  r.reported_by IS NOT NULL AS has_account, t.task_number::int AS task_number,
  closer.name AS closed_by`;

const joins = `problem_reports r
  JOIN assets a ON a.organization_id = r.organization_id AND a.id = r.asset_id
  LEFT JOIN workspaces w ON w.organization_id = a.organization_id AND w.id = a.workspace_id
  LEFT JOIN users u ON u.id = r.reported_by
  LEFT JOIN users closer ON closer.id = r.closed_by
  LEFT JOIN maintenance_tasks t ON t.organization_id = r.organization_id AND t.id = r.task_id`;

/** More reports appear once these are decided. */
const maxShown = 50;

/** Open reports that the caller may decide. Unusable assets come first, then the oldest. */
export async function findOpenReports(db: Tx, caller: Caller): Promise<ReportRow[]> {
  const parameters = createParameters(caller.organizationId);
  return db.query(
    `SELECT ${columns} FROM ${joins} WHERE r.organization_id = $1 AND r.status = 'open'
       AND ${changeableAssetSql(caller, parameters, "a")}
     ORDER BY r.still_usable, r.created_at, r.id LIMIT ${maxShown}`,
    parameters.values,
  );
}

export async function findOwnReports(db: Tx, caller: Caller): Promise<ReportRow[]> {
  const parameters = createParameters(caller.organizationId, caller.userId);
  return db.query(
    `SELECT ${columns} FROM ${joins} WHERE r.organization_id = $1 AND r.reported_by = $2
       AND ${visibleAssetSql(caller, parameters, "a")}
     ORDER BY r.created_at DESC, r.id LIMIT ${maxShown}`,
    parameters.values,
  );
}

/** Returns a report that the caller may decide. Throws not_found for all others. */
export async function getReport(db: Tx, caller: Caller, id: string): Promise<ReportRow> {
  const parameters = createParameters(caller.organizationId, id);
  const found =
    idKindOf(id) === "report"
      ? await db.maybe<ReportRow>(
          `SELECT ${columns} FROM ${joins} WHERE r.organization_id = $1 AND r.id = $2
             AND ${changeableAssetSql(caller, parameters, "a")}`,
          parameters.values,
        )
      : undefined;
  if (found === undefined) throw reportNotFound();
  return found;
}

export interface MergeTargets {
  tasks: { id: string; task_number: number; title: string }[];
  reports: { id: string; description: string }[];
}

export async function findMergeTargets(
  db: Tx,
  caller: Caller,
  { id, asset_id }: Pick<ReportRow, "id" | "asset_id">,
): Promise<MergeTargets> {
  const ofAsset = createParameters(caller.organizationId, asset_id);
  const tasks: MergeTargets["tasks"] = await db.query(
    `SELECT t.id, t.task_number::int AS task_number, t.title FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND t.asset_id = $2 AND ${isOpen("t")}
       AND ${isVisibleAssetSql(caller, ofAsset)}
     ORDER BY t.task_number DESC LIMIT ${maxShown}`,
    ofAsset.values,
  );
  const others = createParameters(caller.organizationId, asset_id, id);
  const reports: MergeTargets["reports"] = await db.query(
    `SELECT r.id, r.description FROM problem_reports r
     WHERE r.organization_id = $1 AND r.asset_id = $2 AND r.status = 'open' AND r.id <> $3
       AND ${isVisibleAssetSql(caller, others)}
     ORDER BY r.created_at LIMIT ${maxShown}`,
    others.values,
  );
  return { tasks, reports };
}

/** Number of open reports for the caller. Undefined if the caller can't decide reports anywhere. */
export async function countOpenReports(db: Tx, caller: Caller): Promise<number | undefined> {
  const parameters = createParameters(caller.organizationId);
  const changeable = changeableAssetSql(caller, parameters, "a");
  const decides = isOrganizationAdmin(caller)
    ? "TRUE"
    : `EXISTS (SELECT 1 FROM workspace_members own WHERE own.organization_id = $1
        AND own.user_id = ${parameters.add(caller.userId)} AND own.role <> 'viewer')`;
  const row = await db.maybe<{ open: number; decides: boolean }>(
    `SELECT count(*)::int AS open, ${decides} AS decides FROM problem_reports r
     JOIN assets a ON a.organization_id = r.organization_id AND a.id = r.asset_id
     WHERE r.organization_id = $1 AND r.status = 'open' AND ${changeable}`,
    parameters.values,
  );
  return row?.decides === true ? row.open : undefined;
}

export interface Outcome extends Pick<
  ProblemReport,
  "description" | "status" | "answer" | "created_at" | "closed_at"
> {
  asset_name: string;
  inventory_number: string;
  organization: string;
  time_zone: string;
  /** True if the resulting task is completed. */
  is_done: boolean;
}

/**
 * A member's link works while they can see the asset. Links of people without an account always
 * work.
 */
export async function findOutcome(db: Tx, baseUrl: string, link: ReportLink): Promise<Outcome> {
  const { organizationId, reportId } = link;
  const parameters = createParameters(organizationId, reportId);
  const isShown = await shownToReporterSql(db, baseUrl, link, parameters);
  const found = await db.maybe<Outcome>(
    `SELECT r.description, r.created_at, a.name AS asset_name, a.inventory_number,
       o.name AS organization, o.time_zone, said.status, said.answer, said.closed_at,
       coalesce(t.state = 'completed', FALSE) AS is_done
     FROM problem_reports r
     JOIN organizations o ON o.id = r.organization_id
     JOIN assets a ON a.organization_id = r.organization_id AND a.id = r.asset_id
     JOIN problem_reports said ON said.organization_id = r.organization_id
       AND said.id = coalesce(r.merged_into, r.id)
     LEFT JOIN maintenance_tasks t ON t.organization_id = r.organization_id
       AND t.id = said.task_id
     WHERE r.organization_id = $1 AND r.id = $2 AND ${isShown}`,
    parameters.values,
  );
  if (found === undefined) throw reportNotFound();
  return found;
}

async function shownToReporterSql(
  db: Tx,
  baseUrl: string,
  { organizationId, reportId: id }: ReportLink,
  parameters: Parameters,
): Promise<string> {
  const report = await db.findOne(ProblemReport, {
    where: { organization_id: organizationId, id },
  });
  if (report === undefined) throw reportNotFound();
  const { reported_by: userId } = report;
  if (userId === null) return "TRUE";
  const reporter = await findMemberCaller(db, baseUrl, { organizationId, userId });
  if (reporter === undefined) throw reportNotFound();
  return visibleAssetSql(reporter, parameters, "a");
}
