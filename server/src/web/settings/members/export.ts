import type { FastifyPluginAsync } from "fastify";
import { exportPeople } from "../../../domain/sheets/export-lists.js";
import { peopleColumns } from "../../../domain/sheets/headings.js";
import { omit } from "../../../domain/values/omit.js";
import { addExports } from "../../lists/export-route.js";
import { readListing } from "./list.js";
import { membersAddress } from "./parts.js";

/** `/settings/members.csv` and `/settings/members.xlsx`: the list with its filters as a file. */
export const memberExports: FastifyPluginAsync = async (app) => {
  addExports(app, {
    path: membersAddress,
    columns: peopleColumns,
    find: (request, caller) => {
      const filters = omit(readListing(request.query), "sort", "limit", "cursor");
      return exportPeople(request.db.manager, caller, filters);
    },
  });
};
