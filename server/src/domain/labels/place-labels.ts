import { IsNull, type Tx } from "../../db/database.js";
import { PlaceLabel } from "../../db/entities/reports.js";
import { createParameters } from "../../db/parameters.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { requireRoleIn } from "../access/roles.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { recordCallerActivity } from "../audit/record-activity.js";
import { createId, createToken } from "../shared/ids.js";
import { cleanText } from "../shared/text.js";
import { getWorkspace } from "../shared/workspace-references.js";
import type { LabelAsset } from "./label-assets.js";

export interface PlaceLabelRow extends Pick<PlaceLabel, "id" | "workspace_id" | "location"> {
  /** The location, or the workspace. */
  name: string;
  workspace: string;
  /** The workspace of a location. Null if the name is the workspace. */
  within: string | null;
  qr_token: string;
  organization: string;
}

const columns = `p.id, p.workspace_id, p.location, coalesce(p.location, w.name::text) AS name,
  w.name::text AS workspace, CASE WHEN p.location IS NOT NULL THEN w.name::text END AS within, p.qr_token, o.name AS organization`;

const joins = `place_labels p
  JOIN organizations o ON o.id = p.organization_id
  JOIN workspaces w ON w.organization_id = p.organization_id AND w.id = p.workspace_id`;

const maxAtOnce = 100;

/**
 * Adds a label for each location, or for the whole workspace. A place that has a label keeps it.
 * Returns the number of added labels.
 */
export async function addPlaceLabels(
  tx: Tx,
  caller: Caller,
  reference: string,
  locations: readonly string[],
): Promise<{ added: number }> {
  const { id, name } = await getWorkspace(tx, caller, reference, "workspace_id", { lock: true });
  await requireRoleIn(tx, caller, { id, name }, "member", "add place labels");
  const field = "locations";
  if (locations.length > maxAtOnce) {
    const details = { field, max: maxAtOnce, of: "entries" } as const;
    throw new AppError("validation_failed", "too_many_entries", details);
  }
  const cleaned = locations.map((location) => cleanText(location, { field, max: 200 }));
  let added = 0;
  for (const location of cleaned.length === 0 ? [null] : cleaned) {
    const rows = await tx.query(
      `INSERT INTO place_labels (organization_id, id, workspace_id, location, qr_token, created_by)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [caller.organizationId, createId("place"), id, location, createToken(), caller.userId],
    );
    added += rows.length;
  }
  if (added > 0) {
    const details = { workspace_id: id, workspace: name };
    await recordCallerActivity(tx, caller, "place_labels_added", details);
  }
  return { added };
}

/** The labels of a workspace that can be printed. The whole workspace comes first. */
export async function listPlaceLabels(
  db: Tx,
  caller: Caller,
  workspaceId: string,
): Promise<PlaceLabelRow[]> {
  return findPlaceLabels(db, caller, "p.workspace_id = $2", [workspaceId]);
}

export async function getPlaceLabel(db: Tx, caller: Caller, id: string): Promise<PlaceLabelRow> {
  const [label] = await findPlaceLabels(db, caller, "p.id = $2", [id]);
  if (label === undefined) throw new AppError("not_found", "place_label_not_found");
  return label;
}

/** Ends a label: its code leads nowhere. Reports that came with it stay. */
export async function revokePlaceLabel(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { workspace_id, workspace, name } = await getPlaceLabel(tx, caller, id);
  const site = { id: workspace_id, name: workspace };
  await requireRoleIn(tx, caller, site, "member", "revoke place labels");
  const { organizationId: organization_id } = caller;
  const where = { organization_id, id, revoked_at: IsNull() };
  const affected = await tx.update(PlaceLabel, where, { revoked_at: () => "app_now()" });
  if (affected === 0) return;
  await recordCallerActivity(tx, caller, "place_label_revoked", { workspace_id, workspace, name });
}

/** Returns the place with a label code, in any letter case, if the caller sees its workspace. */
export async function findPlaceOfCode(
  db: Tx,
  caller: Caller,
  code: string,
): Promise<PlaceLabelRow | undefined> {
  const [label] = await findPlaceLabels(db, caller, "p.qr_token = $2", [code.toLowerCase()]);
  return label;
}

/** The places of a sheet as its labels, in their order. */
export async function selectLabelPlaces(
  db: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<LabelAsset[]> {
  const rows = await findPlaceLabels(db, caller, "p.id = ANY ($2)", [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const nothing = { inventory_number: "", serial_number: null, state: "available" } as const;
    return [{ ...row, ...nothing, workspace: row.within, location: null }];
  });
}

async function findPlaceLabels(
  db: Tx,
  caller: Caller,
  condition: string,
  values: readonly unknown[],
): Promise<PlaceLabelRow[]> {
  const parameters = createParameters(caller.organizationId, ...values);
  return db.query(
    `SELECT ${columns} FROM ${joins} WHERE p.organization_id = $1 AND p.revoked_at IS NULL
       AND ${condition} AND ${visibleWorkspaceSql(caller, parameters, "p.workspace_id")}
     ORDER BY p.location IS NOT NULL, lower(p.location), p.id`,
    parameters.values,
  );
}
