import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { createLabels, type LabelRequest } from "./asset-labels.js";
import type { LabelLinkSigner } from "./label-links.js";
import { labelsPerPage, labelTemplates } from "./templates.js";

const maxOfLink = 100;

export interface Sheet {
  url: string;
  /** Positions of the sheet's labels in the whole list, from 1. */
  from: number;
  to: number;
  pages: number;
}

export type SheetRequest = Required<
  Pick<LabelRequest, "asset_ids" | "label_template" | "skip_labels" | "label_fields">
>;

/**
 * Creates links to sheets for any number of labels. Where possible, each sheet except the last ends
 * with a full page. Otherwise the next sheet continues on its last page. Assets that can't have a
 * label are omitted.
 */
export async function createSheets(
  db: Tx,
  caller: Caller,
  request: SheetRequest,
  links: LabelLinkSigner,
): Promise<Sheet[]> {
  const { asset_ids, label_template = "avery_l7160", label_fields } = request;
  const onPage = labelsPerPage(labelTemplates[label_template]);
  const sheets: Sheet[] = [];
  let skip_labels = request.skip_labels ?? 0;
  for (let start = 0; start < asset_ids.length;) {
    const room = Math.floor((maxOfLink + skip_labels) / onPage) * onPage - skip_labels;
    const end = start + (room > 0 ? Math.min(room, maxOfLink) : maxOfLink);
    const { sheet } = await createLabels(
      db,
      caller,
      {
        asset_ids: asset_ids.slice(start, end),
        format: "pdf_sheet",
        label_template,
        skip_labels,
        label_fields,
      },
      links,
    );
    if (sheet !== undefined) {
      const { url, pages, labels } = sheet;
      sheets.push({ url, pages, from: start + 1, to: start + labels });
      skip_labels = (skip_labels + labels) % onPage;
    }
    start = end;
  }
  return sheets;
}
