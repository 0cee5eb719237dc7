import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import { createLabels, createPlaceSheet, type LabelRequest } from "./asset-labels.js";
import type { LabelLinkSigner, LabelSubject } from "./label-links.js";
import { labelsPerPage, labelTemplates } from "./templates.js";

const maxOfLink = 100;

export interface Sheet {
  url: string;
  /** Positions of the sheet's labels in the whole list, from 1. */
  from: number;
  to: number;
  pages: number;
}

export interface SheetRequest extends Required<
  Pick<LabelRequest, "label_template" | "skip_labels" | "label_fields">
> {
  of: LabelSubject;
  ids: readonly string[];
}

/**
 * Creates links to sheets for any number of labels. Where possible, each sheet except the last ends
 * with a full page. Otherwise the next sheet continues on its last page. Assets and places that
 * can't have a label are omitted.
 */
export async function createSheets(
  db: Tx,
  caller: Caller,
  request: SheetRequest,
  links: LabelLinkSigner,
): Promise<Sheet[]> {
  const { of, ids, label_template = "avery_l7160", label_fields } = request;
  const onPage = labelsPerPage(labelTemplates[label_template]);
  const sheets: Sheet[] = [];
  let skip_labels = request.skip_labels ?? 0;
  for (let start = 0; start < ids.length;) {
    const room = Math.floor((maxOfLink + skip_labels) / onPage) * onPage - skip_labels;
    const end = start + (room > 0 ? Math.min(room, maxOfLink) : maxOfLink);
    const asked = { label_template, skip_labels, label_fields };
    const batch = ids.slice(start, end);
    const sheet =
      of === "place"
        ? await createPlaceSheet(db, caller, { ids: batch, ...asked }, links)
        : (
            await createLabels(
              db,
              caller,
              { asset_ids: batch, format: "pdf_sheet", ...asked },
              links,
            )
          ).sheet;
    if (sheet !== undefined) {
      const { url, pages, labels } = sheet;
      sheets.push({ url, pages, from: start + 1, to: start + labels });
      skip_labels = (skip_labels + labels) % onPage;
    }
    start = end;
  }
  return sheets;
}
