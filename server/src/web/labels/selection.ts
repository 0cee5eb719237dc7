import { listAssets } from "../../domain/assets/asset-queries.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { readFilters, toQuery } from "../assets/list-filters.js";
import { readAll } from "../forms/form-fields.js";
import type { FormRequest } from "../forms/form-spec.js";
import { toAddress } from "../lists/pager.js";

/** More labels are printed for by narrower filters, one after the other. */
export const maxChosen = 1000;
const batchSize = 100;

/** The assets that labels are for: chosen one by one, or all of a list. */
export interface Selection {
  ids: readonly string[];
  /** The list that they are of. */
  back: string;
  /** There are more in the list than are printed at once. */
  isCut: boolean;
}

/** Reads the address: `ids`, or the filters of the list of assets. */
export async function readSelection({ request, db, caller, app }: FormRequest): Promise<Selection> {
  const chosen = readAll(request.query, "ids").filter((id) => idKindOf(id) === "asset");
  const { values, listing } = readFilters(request.query);
  const back = toAddress("/assets", toQuery(values));
  if (chosen.length > 0) {
    return { ids: chosen.slice(0, maxChosen), back, isCut: chosen.length > maxChosen };
  }
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...listing, limit: batchSize, cursor };
    const { assets, next_cursor } = await listAssets(db, caller, page, app.cursors);
    ids.push(...assets.map(({ id }) => id));
    cursor = next_cursor;
  } while (cursor !== undefined && ids.length < maxChosen);
  return { ids, back, isCut: cursor !== undefined };
}
