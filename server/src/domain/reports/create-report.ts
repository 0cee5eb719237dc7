import type { Database, Tx } from "../../db/database.js";
import type { AssetState } from "../../db/entities/assets.js";
import { Organization } from "../../db/entities/organizations.js";
import { ProblemReport } from "../../db/entities/reports.js";
import { AppError } from "../../errors.js";
import type { Actor, Caller } from "../access/caller.js";
import { momentOf } from "../access/clock.js";
import { visibleWorkspaceSql } from "../access/visibility.js";
import { createParameters } from "../../db/parameters.js";
import { findAssetRecord, type AssetRecord } from "../assets/asset-record.js";
import { storeAssetState } from "../assets/store-asset-state.js";
import { commit } from "../history/transactions.js";
import { recordEvent } from "../history/record-events.js";
import {
  placeFiles,
  storeFiles,
  storePlaced,
  type StorageQuota,
  type PlacedFile,
} from "../files/add-files.js";
import { photoField } from "../files/file-types.js";
import type { GivenFile } from "../files/prepare-file.js";
import { getAssetId } from "../shared/asset-references.js";
import { hashJson } from "../shared/canonical-json.js";
import { cleanEmail } from "../shared/emails.js";
import { noteReportForWebhooks } from "../messaging/webhook-events.js";
import { createId, createToken } from "../shared/ids.js";
import { cleanText } from "../shared/text.js";

export interface NewReport {
  description: string;
  still_usable: boolean;
  /** For people without an account. */
  name?: string | undefined;
  email?: string | undefined;
}

/** The reporter, and the asset or place. The reporter is a member, or has only the label. */
export interface Reporting {
  caller: Caller | null;
  organizationId: string;
  site: ReportedSite;
  /** Key of the form. A report submitted twice is stored once. */
  requestKey: string;
  /** Waits for a turn to store the report, after its photos are read. */
  inTurn?: <Result>(store: () => Promise<Result>) => Promise<Result>;
}

export type ReportedSite =
  { asset_id: string; place_id: null } | { asset_id: null; place_id: string };

export const maxDescription = 2000;
export const maxPhotos = 3;

/** Maximum number of open reports by strangers, or by one member. Reviewers can't handle more. */
const maxOpenOfSite = 20;
const maxOpenOfOrganization = 500;

/** Author in histories, which are in English. The given name is stored only with the report. */
export const withoutAccount = "Someone without an account";

/** From these states, an unusable asset is set to out of service. In others it is already down. */
const usable: readonly AssetState[] = ["available", "in_use", "stored"];

/**
 * Stores a report. An unusable asset is set to out of service at once, even by strangers. The next
 * person must see it before the report is reviewed.
 */
export async function createReport(
  db: Database,
  reporting: Reporting,
  room: StorageQuota,
  given: NewReport,
  photos: readonly GivenFile[],
): Promise<{ id: string }> {
  const { caller, organizationId, inTurn = (work) => work() } = reporting;
  const report = cleanReport(given, caller);
  const uploader = { organizationId, userId: caller?.userId ?? null };
  // Overrides field names of forged forms.
  const pictures = photos.map((photo) => ({ ...photo, field: photoField }));
  const placed = await placeFiles(db, uploader, room, pictures, maxPhotos);
  const key = toKey(reporting.requestKey, report, placed);
  const store = async (tx: Tx) => {
    const asset = await lockAsset(tx, reporting);
    const workspace_id = await lockPlace(tx, reporting);
    if (caller === null) await requirePublic(tx, reporting);
    const id = createId("report");
    const known = await insert(tx, { ...reporting, requestKey: key }, { id, ...report });
    if (known !== undefined) return { id: known };
    await requireFewOpen(tx, reporting);
    const actor = caller ?? strangerIn(organizationId);
    if (asset !== undefined) await tellAsset(tx, actor, asset, { id, ...report });
    const { asset_id } = reporting.site;
    const owner = { ...(asset_id !== null && { asset_id }), report_id: id };
    if (placed.length > 0) await storeFiles(tx, uploader, room, owner, placed);
    await noteReportForWebhooks(tx, actor, "report.created", { id, asset_id, workspace_id });
    return { id };
  };
  return storePlaced(db, uploader, room, placed, () => inTurn(() => commit({ db, caller }, store)));
}

type CleanReport = Pick<
  ProblemReport,
  "description" | "still_usable" | "name" | "email" | "reported_by"
>;

function cleanReport(given: NewReport, caller: Caller | null): CleanReport {
  const { description, still_usable, name = "", email = "" } = given;
  const rule = { field: "description", max: maxDescription, multiline: true };
  const person = caller === null ? { name: name.trim(), email: email.trim() } : undefined;
  return {
    description: cleanText(description, rule),
    still_usable,
    name: person?.name ? cleanText(person.name, { field: "name", max: 120 }) : null,
    email: person?.email ? cleanEmail(person.email) : null,
    reported_by: caller?.userId ?? null,
  };
}

async function lockAsset(
  tx: Tx,
  { caller, organizationId, site: { asset_id: assetId } }: Reporting,
): Promise<AssetRecord | undefined> {
  if (assetId === null) return undefined;
  const its = [organizationId, assetId];
  // While photos are read, the asset may move out of the member's view.
  if (caller !== null) await getAssetId(tx, caller, assetId, { lock: true });
  else {
    await tx.query(
      "SELECT 1 FROM assets WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE",
      its,
    );
  }
  const asset = await findAssetRecord(tx, "a.id = $2", its);
  if (asset === undefined) throw new AppError("not_found", "report_of_nothing");
  if (asset.state === "deleted") {
    throw new AppError("invalid_transition", "retired_without_reports");
  }
  return asset;
}

/** Returns the workspace of the place. Throws if its label is revoked meanwhile. */
async function lockPlace(
  tx: Tx,
  { caller, organizationId, site: { place_id: placeId } }: Reporting,
): Promise<string | null> {
  if (placeId === null) return null;
  const parameters = createParameters(organizationId, placeId);
  const isVisible =
    caller === null ? "TRUE" : visibleWorkspaceSql(caller, parameters, "p.workspace_id");
  const place = await tx.maybe<{ workspace_id: string }>(
    `SELECT p.workspace_id FROM place_labels p WHERE p.organization_id = $1 AND p.id = $2
       AND p.revoked_at IS NULL AND ${isVisible} FOR NO KEY UPDATE`,
    parameters.values,
  );
  if (place === undefined) throw new AppError("not_found", "report_of_nothing");
  return place.workspace_id;
}

/** Checks again if people without an account may report. The setting was read before the photos. */
async function requirePublic(tx: Tx, { organizationId }: Reporting): Promise<void> {
  const isPublic = await tx.exists(Organization, { id: organizationId, public_reports: true });
  if (!isPublic) throw new AppError("not_found", "report_of_nothing");
}

/**
 * Includes the report just stored. A duplicate submission returns earlier, so the first one doesn't
 * block it.
 */
async function requireFewOpen(tx: Tx, { organizationId, site, caller }: Reporting): Promise<void> {
  const row = await tx.maybe<{ of_site: number; of_all: number }>(
    `SELECT count(*) FILTER (WHERE coalesce(asset_id, place_id) = $2)::int AS of_site,
       count(*)::int AS of_all
     FROM problem_reports
     WHERE organization_id = $1 AND status = 'open' AND reported_by IS NOT DISTINCT FROM $3`,
    [organizationId, site.asset_id ?? site.place_id, caller?.userId ?? null],
  );
  const { of_site = 0, of_all = 0 } = row ?? {};
  if (of_site <= maxOpenOfSite && of_all <= maxOpenOfOrganization) return;
  throw new AppError("conflict", "too_many_reports");
}

/** Includes the contents: after pressing Back, a different report reuses the form's key. */
function toKey(key: string, report: CleanReport, photos: readonly PlacedFile[]): string {
  const sent = [key, report, photos.map(({ name, size }) => [name, size])];
  return hashJson(sent).toString("base64url");
}

/** Returns the id of an earlier report from this form, if any. */
async function insert(
  tx: Tx,
  { organizationId, site, requestKey }: Reporting,
  { id, description, still_usable, name, email, reported_by }: CleanReport & { id: string },
): Promise<string | undefined> {
  const added = await tx.query(
    `INSERT INTO problem_reports (organization_id, id, asset_id, place_id, request_key, description,
       still_usable, name, email, reported_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (organization_id, request_key) DO NOTHING RETURNING id`,
    [
      ...[organizationId, id, site.asset_id, site.place_id, requestKey, description],
      ...[still_usable, name, email, reported_by],
    ],
  );
  if (added.length > 0) return undefined;
  const where = { organization_id: organizationId, request_key: requestKey };
  return (await tx.findOneOrFail(ProblemReport, { where })).id;
}

async function tellAsset(
  tx: Tx,
  actor: Actor,
  asset: AssetRecord,
  { id, description, still_usable }: CleanReport & { id: string },
): Promise<void> {
  const at = await momentOf(tx);
  await recordEvent(tx, actor, {
    type: "note_added",
    assetId: asset.id,
    workspaceId: asset.workspace_id,
    occurredAt: at,
    recordedAt: at,
    note: `Problem reported: ${Array.from(description).slice(0, 900).join("")}`,
  });
  if (still_usable || !usable.includes(asset.state)) return;
  await storeAssetState(tx, actor, asset, { state: "out_of_service" });
  const where = { organization_id: actor.organizationId, id };
  await tx.update(ProblemReport, where, { state_before: asset.state });
}

function strangerIn(organizationId: string): Actor {
  return {
    organizationId,
    userId: null,
    userName: withoutAccount,
    source: "public_scan",
    requestId: `req_${createToken()}`,
  };
}
