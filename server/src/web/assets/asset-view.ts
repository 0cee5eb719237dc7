import type { Tx } from "../../db/database.js";
import { getAsset } from "../../domain/assets/asset-details.js";
import {
  findAssetPermissions,
  type AssetPermissions,
} from "../../domain/assets/asset-permissions.js";
import type { Caller } from "../../domain/access/caller.js";
import { findFilesOf, type ShownFile } from "../../domain/files/find-files.js";
import { createLabels } from "../../domain/labels/asset-labels.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import type { LabelLinkSigner } from "../../domain/labels/label-links.js";

type Details = Awaited<ReturnType<typeof getAsset>>;

export type Asset = Details["asset"];
export type Maintenance = Details["maintenance"];
export type OpenTask = Details["open_tasks"][number];

export interface Label {
  /** The code's content, as printed. */
  encodedUrl: string;
  png: string;
  svg: string;
  pdf: string;
}

export interface AssetView {
  caller: Caller;
  asset: Asset;
  maintenance: Maintenance;
  openTasks: readonly OpenTask[];
  events: Details["recent_history"];
  files: readonly ShownFile[];
  meters: readonly FoundMeter[];
  may: AssetPermissions;
  /** Undefined for a retired asset. */
  label: Label | undefined;
}

/** The asset's newest photo. */
export function toCover(files: readonly ShownFile[]): ShownFile | undefined {
  return files.find(({ width }) => width !== null);
}

/** Throws if the caller can't see the asset. `id` must be an asset id. */
export async function readAssetView(
  db: Tx,
  caller: Caller,
  id: string,
  links: LabelLinkSigner,
): Promise<AssetView> {
  const details = await getAsset(db, caller, id);
  const { asset } = details;
  const [may, files, label] = await Promise.all([
    findAssetPermissions(db, caller, asset),
    findFilesOf(db, caller, { asset_id: id }),
    asset.state === "deleted" ? undefined : createLabel(db, caller, id, links),
  ]);
  return {
    caller,
    asset,
    may,
    files,
    label,
    maintenance: details.maintenance,
    meters: details.meters,
    openTasks: details.open_tasks,
    events: details.recent_history,
  };
}

async function createLabel(
  db: Tx,
  caller: Caller,
  id: string,
  links: LabelLinkSigner,
): Promise<Label> {
  const create = (format: "png" | "svg" | "pdf_sheet") =>
    createLabels(
      db,
      caller,
      {
        asset_ids: [id],
        format,
        ...(format === "pdf_sheet" && { label_template: "single_50x25mm" as const }),
      },
      links,
    );
  const [png, svg, pdf] = await Promise.all([create("png"), create("svg"), create("pdf_sheet")]);
  return {
    encodedUrl: png.codes[0]?.encoded_url ?? "",
    png: toPath(png.codes[0]?.image_url),
    svg: toPath(svg.codes[0]?.image_url),
    pdf: toPath(pdf.sheet?.url),
  };
}

/** The path on this server, regardless of the host name used. */
function toPath(url = ""): string {
  return new URL(url).pathname;
}
