import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import { assetNotFound } from "../shared/asset-references.js";
import type { Caller } from "../access/caller.js";
import { nowOf } from "../access/clock.js";
import { toTimestamp } from "../shared/dates.js";
import { idKindOf } from "../shared/ids.js";
import { createParameters } from "../../db/parameters.js";
import { visibleAssetSql } from "../access/visibility.js";
import { rejectWrongKindOfId } from "../shared/wrong-kind-of-id.js";
import { selectLabelAssets, type LabelAsset } from "./label-assets.js";
import {
  defaultLabelFields,
  type ImageFormat,
  type LabelField,
  type LabelLink,
  type LabelLinkSigner,
  type SheetDrawing,
} from "./label-links.js";
import { selectLabelPlaces } from "./place-labels.js";
import { toEncodedUrl } from "./qr-codes.js";
import { countPages } from "./sheet.js";
import { labelsPerPage, labelTemplates, type LabelTemplateName } from "./templates.js";

export interface LabelRequest {
  /** Ids or exact inventory numbers, in print order. */
  asset_ids: readonly string[];
  format: ImageFormat | "pdf_sheet";
  label_template?: LabelTemplateName | undefined;
  skip_labels?: number | undefined;
  label_fields?: LabelField[] | undefined;
}

export interface LabelCode {
  asset_id: string;
  inventory_number: string;
  name: string;
  encoded_url: string;
  image_url?: string;
}

interface Skipped {
  asset: string;
  reason: "missing" | "deleted";
}

export interface LabelAnswer {
  codes: LabelCode[];
  sheet?: { url: string; pages: number; labels: number; template: string };
  expires_at: string;
  skipped: Skipped[];
}

const linkLifeMs = 3_600_000;
const sheetArguments = ["label_template", "skip_labels", "label_fields"] as const;
/**
 * Creates links to codes or to a label sheet. Assets that can't have a label are skipped with a
 * reason.
 */
export async function createLabels(
  db: Tx,
  caller: Caller,
  request: LabelRequest,
  links: LabelLinkSigner,
): Promise<LabelAnswer> {
  const drawing = toDrawing(request);
  const { assets, skipped } = await resolveAssets(db, caller, request.asset_ids);
  const expiresAt = new Date(nowOf(caller).getTime() + linkLifeMs);
  const toUrl = (linked: string[]) =>
    writeLink(caller, links, { of: "asset", ids: linked, expiresAt, drawing });
  const ids = assets.map(({ id }) => id);
  const isSheet = drawing.format === "pdf_sheet";
  return {
    codes: assets.map((asset) => ({
      asset_id: asset.id,
      inventory_number: asset.inventory_number,
      name: asset.name,
      encoded_url: toEncodedUrl(caller.baseUrl, asset.qr_token),
      ...(!isSheet && { image_url: toUrl([asset.id]) }),
    })),
    ...(isSheet && { sheet: { url: toUrl(ids), ...describeSheet(drawing, assets.length) } }),
    expires_at: toTimestamp(expiresAt),
    skipped,
  };
}

/** Creates a link to a sheet of place labels. Revoked ones are omitted. */
export async function createPlaceSheet(
  db: Tx,
  caller: Caller,
  { ids, ...request }: Omit<LabelRequest, "asset_ids" | "format"> & { ids: readonly string[] },
  links: LabelLinkSigner,
): Promise<LabelAnswer["sheet"]> {
  const drawing = toDrawing({ ...request, asset_ids: [], format: "pdf_sheet" });
  const places = await selectLabelPlaces(db, caller, ids);
  if (drawing.format !== "pdf_sheet" || places.length === 0) return undefined;
  const expiresAt = new Date(nowOf(caller).getTime() + linkLifeMs);
  const link = { of: "place", ids: places.map(({ id }) => id), expiresAt, drawing } as const;
  return { url: writeLink(caller, links, link), ...describeSheet(drawing, places.length) };
}

function writeLink(
  { baseUrl, organizationId, userId: madeBy }: Caller,
  links: LabelLinkSigner,
  link: Omit<LabelLink, "organizationId" | "madeBy">,
): string {
  return `${baseUrl}/labels/${links.write({ ...link, organizationId, madeBy })}`;
}

function describeSheet({ template, skip }: SheetDrawing, labels: number) {
  return {
    pages: countPages({ template: labelTemplates[template], skip, labels }),
    labels,
    template,
  };
}

function toDrawing(request: LabelRequest): LabelLink["drawing"] {
  const { format, label_template: template = "avery_l7160", skip_labels: skip = 0 } = request;
  if (format !== "pdf_sheet") {
    const given = sheetArguments.find((argument) => request[argument] !== undefined);
    if (given === undefined) return { format };
    throw new AppError("validation_failed", "only_for_sheets", { field: given });
  }
  const most = labelsPerPage(labelTemplates[template]);
  if (skip >= most) {
    const details = { field: "skip_labels", most, template };
    throw new AppError("validation_failed", "too_many_skipped", details);
  }
  const fields = [...new Set(request.label_fields ?? defaultLabelFields)];
  return { format, template, skip, fields };
}

/** Uses one statement. Duplicates are kept. */
async function resolveAssets(
  db: Tx,
  caller: Caller,
  references: readonly string[],
): Promise<{ assets: LabelAsset[]; skipped: Skipped[] }> {
  for (const reference of references) {
    rejectWrongKindOfId(reference, "asset", "asset_ids");
  }
  const isId = (reference: string) => idKindOf(reference) === "asset";
  const parameters = createParameters(
    caller.organizationId,
    references.filter(isId),
    references.filter((reference) => !isId(reference)),
  );
  const found = await selectLabelAssets(
    db,
    `(a.id = ANY ($2) OR a.inventory_number = ANY ($3)) AND ${visibleAssetSql(caller, parameters, "a")}`,
    parameters.values,
  );
  const byId = new Map(found.map((asset) => [asset.id, asset]));
  const byNumber = new Map(found.map((asset) => [asset.inventory_number, asset]));
  const assets: LabelAsset[] = [];
  const skipped: Skipped[] = [];
  for (const reference of references) {
    const asset = (isId(reference) ? byId : byNumber).get(reference);
    if (asset === undefined) skipped.push({ asset: reference, reason: "missing" });
    else if (asset.state === "deleted") skipped.push({ asset: reference, reason: "deleted" });
    else assets.push(asset);
  }
  if (assets.length === 0) throw await nothingToPrint(db, caller, references, found);
  return { assets, skipped };
}

async function nothingToPrint(
  db: Tx,
  caller: Caller,
  references: readonly string[],
  deleted: readonly LabelAsset[],
): Promise<AppError> {
  const known = new Set(deleted.flatMap(({ id, inventory_number }) => [id, inventory_number]));
  const missing = references.find((reference) => !known.has(reference));
  if (missing !== undefined) return assetNotFound(db, caller, missing, "asset_ids");
  const names = deleted.map(({ name }) => name);
  const details = { field: "asset_ids", names };
  return new AppError("invalid_transition", "retired_without_labels", details);
}
