import type { FastifyPluginAsync } from "fastify";
import { exportAssets } from "../../domain/exchange/export-lists.js";
import { assetColumns } from "../../domain/exchange/headings.js";
import { omit } from "../../domain/shared/omit.js";
import { addExports, refuseWrongFilters } from "../lists/export-route.js";
import { readFilters } from "./list-filters.js";

/** `/assets.csv` and `/assets.xlsx`: the list with its filters as a file. */
export const assetExports: FastifyPluginAsync = async (app) => {
  addExports(app, {
    path: "/assets",
    columns: assetColumns,
    find: (request, caller) => {
      const { listing, errors } = readFilters(request.query);
      refuseWrongFilters(errors);
      return exportAssets(request.db, caller, omit(listing, "sort", "limit", "cursor"));
    },
  });
};
