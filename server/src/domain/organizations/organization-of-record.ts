import type { Tx } from "../../db/database.js";
import { isOrganizationAdmin, type Caller } from "../access/caller.js";
import {
  changeableAssetSql,
  visibleAssetSql,
  visibleFileSql,
  visibleTaskSql,
  visibleWorkspaceSql,
} from "../access/visibility.js";
import { createParameters, type Parameters } from "../../db/parameters.js";
import { reportSiteJoins } from "../reports/report-sites.js";
import { idKindOf, type IdKind } from "../shared/ids.js";

interface RecordKind {
  table: string;
  /** SQL condition on row `r` of organization $1: the caller can see the record's page. */
  seenSql: (caller: Caller, parameters: Parameters) => string;
}

const ownSql = ({ userId }: Caller, { add }: Parameters) => `r.user_id = ${add(userId)}`;
const forAdmins = (caller: Caller) => (isOrganizationAdmin(caller) ? "TRUE" : "FALSE");

const kinds: Partial<Record<IdKind, RecordKind>> = {
  asset: { table: "assets", seenSql: (...by) => visibleAssetSql(...by, "r") },
  task: { table: "maintenance_tasks", seenSql: (...by) => visibleTaskSql(...by, "r") },
  changeSet: {
    table: "change_sets",
    seenSql: (...by) => `(${forAdmins(by[0])} OR ${ownSql(...by)})`,
  },
  comment: {
    table: "comments",
    seenSql: (...by) => `(EXISTS (SELECT FROM assets a WHERE a.organization_id = $1
        AND a.id = r.asset_id AND ${visibleAssetSql(...by, "a")})
      OR EXISTS (SELECT FROM maintenance_tasks t WHERE t.organization_id = $1
        AND t.id = r.task_id AND ${visibleTaskSql(...by, "t")}))`,
  },
  file: { table: "files", seenSql: (...by) => visibleFileSql(...by, "r") },
  report: {
    table: "problem_reports",
    seenSql: (...by) => `EXISTS (SELECT FROM problem_reports said ${reportSiteJoins("said")}
      WHERE said.organization_id = $1 AND said.id = r.id AND ${changeableAssetSql(...by, "site")})`,
  },
  confirmation: { table: "confirmations", seenSql: ownSql },
  workspace: { table: "workspaces", seenSql: (...by) => visibleWorkspaceSql(...by, "r.id") },
  procedure: { table: "procedures", seenSql: () => "TRUE" },
  webhook: { table: "webhooks", seenSql: forAdmins },
};

/** Returns the caller's organization that contains the record, if it is visible there. */
export async function findOrganizationOfRecord(
  db: Tx,
  id: string,
  callers: readonly Caller[],
): Promise<string | undefined> {
  const kindOfId = idKindOf(id);
  const kind = kindOfId && kinds[kindOfId];
  if (kind === undefined) return undefined;
  const row = await db.maybe<{ organization_id: string }>(
    `SELECT organization_id FROM ${kind.table} WHERE id = $1 AND organization_id = ANY ($2::text[])`,
    [id, callers.map(({ organizationId }) => organizationId)],
  );
  const there = callers.find(({ organizationId }) => organizationId === row?.organization_id);
  if (there === undefined || !(await isSeen(db, there, id, kind))) return undefined;
  return there.organizationId;
}

/** An invisible record is treated as missing, within the organization that the person was in. */
async function isSeen(
  db: Tx,
  caller: Caller,
  id: string,
  { table, seenSql }: RecordKind,
): Promise<boolean> {
  const parameters = createParameters(caller.organizationId, id);
  const rows = await db.query(
    `SELECT FROM ${table} r WHERE r.organization_id = $1 AND r.id = $2
       AND ${seenSql(caller, parameters)}`,
    parameters.values,
  );
  return rows.length > 0;
}
