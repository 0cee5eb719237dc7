import type { FastifyPluginAsync } from "fastify";
import { exportTasks } from "../../domain/exchange/export-lists.js";
import { taskColumns } from "../../domain/exchange/headings.js";
import { omit } from "../../domain/shared/omit.js";
import { addExports, refuseWrongFilters } from "../lists/export-route.js";
import { readFilters } from "./list-filters.js";

/** `/tasks.csv` and `/tasks.xlsx`: the list with its filters as a file. */
export const taskExports: FastifyPluginAsync = async (app) => {
  addExports(app, {
    path: "/tasks",
    columns: taskColumns,
    find: (request, caller) => {
      const { listing, errors } = readFilters(caller, request.query);
      refuseWrongFilters(errors);
      return exportTasks(request.db, caller, omit(listing, "sort", "limit", "cursor"));
    },
  });
};
