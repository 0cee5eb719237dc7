import type { FastifyPluginAsync } from "fastify";
import { exportPeople } from "../../../domain/exchange/export-lists.js";
import { peopleColumns } from "../../../domain/exchange/headings.js";
import { omit } from "../../../domain/shared/omit.js";
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
      return exportPeople(request.db, caller, filters);
    },
  });
};
