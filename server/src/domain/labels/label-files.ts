import type { Tx } from "../../db/database.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { visibleAssetSql } from "../access/visibility.js";
import { findMemberCaller } from "../people/member-caller.js";
import { createParameters } from "../../db/parameters.js";
import { selectLabelAssets, type LabelAsset } from "./label-assets.js";
import { unknownLink, type LabelLink } from "./label-links.js";
import { selectLabelPlaces } from "./place-labels.js";
import { createQrCode, toEncodedUrl, toPng, toSvg } from "./qr-codes.js";
import type { SheetThread } from "./sheet-thread.js";

export interface LabelFile {
  fileName: string;
  type: string;
  draw: () => Promise<string | Uint8Array>;
}

/**
 * Resolves a link with current names and the maker's current permissions. Permanently deleted
 * assets and revoked place labels are omitted. Retired assets stay, so the sheet keeps its page count.
 */
export async function findLabelFile(
  db: Tx,
  sheets: SheetThread,
  baseUrl: string,
  link: LabelLink,
): Promise<LabelFile> {
  const { organizationId, madeBy: userId } = link;
  const maker = await findMemberCaller(db, baseUrl, { organizationId, userId });
  if (maker === undefined) throw unknownLink();
  const select = link.of === "asset" ? selectAssets : selectLabelPlaces;
  const assets = await select(db, maker, link.ids);
  const [first] = assets;
  if (first === undefined) throw nothingLeft();
  const { drawing } = link;
  if (drawing.format === "pdf_sheet") {
    return {
      fileName: "labels.pdf",
      type: "application/pdf",
      draw: () =>
        sheets.draw(link.organizationId, {
          baseUrl,
          organization: first.organization,
          assets,
          drawing,
        }),
    };
  }
  const { format } = drawing;
  const [type, toImage] = images[format];
  return {
    fileName: `${toFileName(first)}.${format}`,
    type,
    draw: async () => toImage(createQrCode(toEncodedUrl(baseUrl, first.qr_token))),
  };
}

async function selectAssets(db: Tx, maker: Caller, ids: readonly string[]): Promise<LabelAsset[]> {
  const parameters = createParameters(maker.organizationId, ids);
  const found = await selectLabelAssets(
    db,
    `a.id = ANY ($2) AND ${visibleAssetSql(maker, parameters, "a")}`,
    parameters.values,
  );
  const byId = new Map(found.map((asset) => [asset.id, asset]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const images = { svg: ["image/svg+xml", toSvg], png: ["image/png", toPng] } as const;

function nothingLeft(): AppError {
  return new AppError("not_found", "labels_of_deleted");
}

/** The inventory number, reduced to characters that every file system accepts. */
function toFileName({ id, inventory_number }: LabelAsset): string {
  const safe = inventory_number.replace(/[^A-Za-z0-9._-]+/g, "_").replace(/^[._]+/, "");
  return safe === "" ? id : safe;
}
