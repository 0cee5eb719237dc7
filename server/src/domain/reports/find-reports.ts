import type { Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { ProblemReport, type ReportStatus } from "../../db/entities/reports.js";
import type { Caller } from "../access/caller.js";
import { isOrganizationAdmin } from "../access/caller.js";
import { changeableAssetSql, visibleAssetSql, visibleTaskSql } from "../access/visibility.js";
import { findMemberCaller } from "../people/member-caller.js";
import { anywhere, createParameters, type Parameters } from "../../db/parameters.js";
import { isOpen } from "../tasks/task-states.js";
import { idKindOf } from "../shared/ids.js";
import { reportNotFound, type ReportLink } from "./report-links.js";
import { reportSiteJoins, reportSiteName } from "./report-sites.js";

export interface ReportRow extends Pick<
  ProblemReport,
  | "id"
  | "asset_id"
  | "place_id"
  | "description"
  | "still_usable"
  | "state_before"
  | "status"
  | "answer"
  | "created_at"
  | "closed_at"
> {
  /** The asset's name, or the place: its location, or the workspace. */
  site_name: string;
  /** Null for places, as the asset's state. */
  inventory_number: string | null;
  asset_state: AssetState | null;
  /** Set for a place within its workspace. */
  location: string | null;
  workspace_id: string | null;
  workspace_name: string | null;
  /** Null for people without an account who gave no name. */
  reporter: string | null;
  has_account: boolean;
  /** The resulting task. Null if there is none, or if the caller can't see it. */
  task_id: string | null;
  task_number: number | null;
  closed_by: string | null;
}

const columns = `r.id, r.asset_id, r.place_id, r.description, r.still_usable, r.state_before, r.status,
  r.answer, r.created_at, r.closed_at, ${reportSiteName} AS site_name, a.inventory_number,
  a.state AS asset_state, p.location, site.workspace_id, w.name AS workspace_name, coalesce(u.name, r.name) AS reporter,
  r.reported_by IS NOT NULL AS has_account, t.id AS task_id, t.task_number::int AS task_number,
  closer.name AS closed_by`;

function joinsFor(caller: Caller, parameters: Parameters): string {
  return `problem_reports r ${reportSiteJoins("r")}
    LEFT JOIN users u ON u.id = r.reported_by
    LEFT JOIN users closer ON closer.id = r.closed_by
    LEFT JOIN problem_reports said ON said.organization_id = r.organization_id
      AND said.id = r.merged_into
    LEFT JOIN maintenance_tasks t ON t.organization_id = r.organization_id
      AND t.id = coalesce(r.task_id, said.task_id) AND ${visibleTaskSql(caller, parameters, "t")}`;
}

/** More reports appear once these are decided. */
const maxShown = 50;

/** Open reports that the caller may decide. Unusable assets come first, then the oldest. */
export async function findOpenReports(db: Tx, caller: Caller): Promise<ReportRow[]> {
  const parameters = createParameters(caller.organizationId);
  return db.query(
    `SELECT ${columns} FROM ${joinsFor(caller, parameters)} WHERE r.organization_id = $1 AND r.status = 'open'
       AND ${changeableAssetSql(caller, parameters, "site")}
     ORDER BY r.still_usable, r.created_at, r.id LIMIT ${maxShown}`,
    parameters.values,
  );
}

export interface DecidedListing {
  /** Words of the description, or of the name or number of the asset or place. */
  query: string;
  status: Exclude<ReportStatus, "open"> | undefined;
  /** The last report of the previous page. */
  before: string | undefined;
}

/** The last decided reports first, from the one after `before`. */
export async function listDecidedReports(
  db: Tx,
  caller: Caller,
  { query, status, before }: DecidedListing,
): Promise<{ reports: ReportRow[]; next: string | undefined }> {
  const parameters = createParameters(caller.organizationId);
  const { add } = parameters;
  const searched = `concat_ws(' ', r.description, ${reportSiteName}, a.inventory_number)`;
  const words = query.split(/\s+/).filter((word) => word !== "");
  const conditions = [
    status === undefined ? "r.status <> 'open'" : `r.status = ${add(status)}`,
    ...words.map((word) => `${searched} ILIKE ${add(anywhere(word))}`),
  ];
  const older =
    before === undefined
      ? ""
      : `AND (r.closed_at, r.id) < (SELECT last.closed_at, last.id FROM problem_reports last
          ${reportSiteJoins("last")} WHERE last.organization_id = $1
            AND last.id = ${add(before)}
            AND ${changeableAssetSql(caller, parameters, "site")})`;
  const found = await db.query<ReportRow>(
    `SELECT ${columns} FROM ${joinsFor(caller, parameters)} WHERE r.organization_id = $1
       AND ${conditions.join(" AND ")} AND ${changeableAssetSql(caller, parameters, "site")} ${older}
     ORDER BY r.closed_at DESC, r.id DESC LIMIT ${maxShown + 1}`,
    parameters.values,
  );
  const reports = found.slice(0, maxShown);
  return { reports, next: found.length > maxShown ? reports.at(-1)?.id : undefined };
}

/** Open reports on an asset, or the reports behind a task. Only if the caller sees their site. */
export async function findReportsOn(
  db: Tx,
  caller: Caller,
  on: { asset_id: string } | { task_id: string },
): Promise<ReportRow[]> {
  const isOfAsset = "asset_id" in on;
  const parameters = createParameters(caller.organizationId, isOfAsset ? on.asset_id : on.task_id);
  const isOn = isOfAsset
    ? "r.asset_id = $2 AND r.status = 'open'"
    : `r.id IN (SELECT o.id FROM problem_reports o WHERE o.organization_id = $1 AND o.task_id = $2
        UNION ALL SELECT m.id FROM problem_reports o JOIN problem_reports m
          ON m.organization_id = $1 AND m.merged_into = o.id
        WHERE o.organization_id = $1 AND o.task_id = $2)`;
  return db.query(
    `SELECT ${columns} FROM ${joinsFor(caller, parameters)} WHERE r.organization_id = $1 AND ${isOn}
       AND ${visibleAssetSql(caller, parameters, "site")}
     ORDER BY r.created_at, r.id LIMIT ${maxShown}`,
    parameters.values,
  );
}

export async function findOwnReports(db: Tx, caller: Caller): Promise<ReportRow[]> {
  const parameters = createParameters(caller.organizationId, caller.userId);
  return db.query(
    `SELECT ${columns} FROM ${joinsFor(caller, parameters)} WHERE r.organization_id = $1 AND r.reported_by = $2
       AND ${visibleAssetSql(caller, parameters, "site")}
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
          `SELECT ${columns} FROM ${joinsFor(caller, parameters)} WHERE r.organization_id = $1 AND r.id = $2
             AND ${changeableAssetSql(caller, parameters, "site")}`,
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

/** The open tasks and other reports of the report's asset, or of its workspace for a place. */
export async function findMergeTargets(
  db: Tx,
  caller: Caller,
  { id, asset_id, workspace_id }: Pick<ReportRow, "id" | "asset_id" | "workspace_id">,
): Promise<MergeTargets> {
  const isOfPlace = asset_id === null;
  const site = asset_id ?? workspace_id;
  const ofTasks = createParameters(caller.organizationId, site);
  const tasks: MergeTargets["tasks"] = await db.query(
    `SELECT t.id, t.task_number::int AS task_number, t.title FROM maintenance_tasks t
     WHERE t.organization_id = $1 AND ${isOpen("t")}
       AND ${isOfPlace ? "t.workspace_id = $2 AND t.asset_id IS NULL" : "t.asset_id = $2"}
       AND ${visibleTaskSql(caller, ofTasks, "t")}
     ORDER BY t.task_number DESC LIMIT ${maxShown}`,
    ofTasks.values,
  );
  const others = createParameters(caller.organizationId, site, id);
  const reports: MergeTargets["reports"] = await db.query(
    `SELECT r.id, r.description FROM problem_reports r ${reportSiteJoins("r")}
     WHERE r.organization_id = $1 AND r.status = 'open' AND r.id <> $3
       AND ${isOfPlace ? "p.workspace_id" : "r.asset_id"} = $2
       AND ${visibleAssetSql(caller, others, "site")}
     ORDER BY r.created_at LIMIT ${maxShown}`,
    others.values,
  );
  return { tasks, reports };
}

/** Number of open reports for the caller. Undefined if the caller can't decide reports anywhere. */
export async function countOpenReports(db: Tx, caller: Caller): Promise<number | undefined> {
  const parameters = createParameters(caller.organizationId);
  const changeable = changeableAssetSql(caller, parameters, "site");
  const decides = isOrganizationAdmin(caller)
    ? "TRUE"
    : `EXISTS (SELECT 1 FROM workspace_members own WHERE own.organization_id = $1
        AND own.user_id = ${parameters.add(caller.userId)} AND own.role <> 'viewer')`;
  const row = await db.maybe<{ open: number; decides: boolean }>(
    `SELECT count(*)::int AS open, ${decides} AS decides FROM problem_reports r
     ${reportSiteJoins("r")} WHERE r.organization_id = $1 AND r.status = 'open' AND ${changeable}`,
    parameters.values,
  );
  return row?.decides === true ? row.open : undefined;
}

export interface Outcome extends Pick<
  ProblemReport,
  "asset_id" | "description" | "still_usable" | "status" | "answer" | "created_at" | "closed_at"
> {
  site_name: string;
  inventory_number: string | null;
  /** The workspace of a location. */
  workspace: string | null;
  organization: string;
  time_zone: string;
  /** True if the resulting task is completed. */
  is_done: boolean;
  photos: { id: string; name: string }[];
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
    `SELECT r.asset_id, r.description, r.still_usable, r.created_at, ${reportSiteName} AS site_name,
       a.inventory_number, CASE WHEN p.location IS NOT NULL THEN w.name::text END AS workspace, o.name AS organization, o.time_zone, said.status, said.answer, said.closed_at,
       coalesce(t.state = 'completed', FALSE) AS is_done,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name) ORDER BY f.id), '[]')
        FROM files f WHERE f.organization_id = r.organization_id AND f.report_id = r.id) AS photos
     FROM problem_reports r
     JOIN organizations o ON o.id = r.organization_id
     ${reportSiteJoins("r")}
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
  return visibleAssetSql(reporter, parameters, "site");
}
