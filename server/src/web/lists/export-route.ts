import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../../domain/access/caller.js";
import { todayOf } from "../../domain/access/clock.js";
import { toHeading, type SheetRow } from "../../domain/exchange/headings.js";
import { writeCsv } from "../../domain/exchange/write-csv.js";
import { writeXlsx } from "../../domain/exchange/write-xlsx.js";
import { AppError } from "../../errors.js";
import type { FormError } from "../layout/error-summary.js";
import { callerOf } from "../layout/reply.js";
import { inTurns, streamWhileAuthorized } from "./stream-while-authorized.js";
import { routeLimit } from "../../traffic/bounds.js";

interface Exported {
  /** The address of the list. The file uses its filters. */
  path: string;
  /** The file's name, if it differs from the address. */
  name?: string;
  columns: readonly string[];
  find: (request: FastifyRequest, caller: Caller) => AsyncGenerator<SheetRow[]>;
}

const types = {
  csv: "text/csv; charset=utf-8; header=present",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** A list as a file, with the list's filters. Needs `requireMember` before it. */
export function addExports(
  app: FastifyInstance,
  { path, name = path.slice(path.lastIndexOf("/") + 1), columns, find }: Exported,
): void {
  const headings = columns.map(toHeading);
  const config = { rateLimit: routeLimit("list-export") };
  for (const kind of ["csv", "xlsx"] as const) {
    app.get(`${path}.${kind}`, { config }, async (request, reply) => {
      const caller = callerOf(request);
      const batches = find(request, caller);
      // Errors of the filters are reported before the file begins.
      const first = await batches.next();
      const rows = streamWhileAuthorized(reply, inTurns(request, withFirst(first, batches)), 1);
      const fileName = `fettle-${name}-${todayOf(caller)}.${kind}`;
      const body = kind === "csv" ? writeCsv(headings, rows) : writeXlsx(headings, rows);
      return reply
        .type(types[kind])
        .header("content-disposition", `attachment; filename="${fileName}"`)
        .send(Readable.from(body, { objectMode: false }));
    });
  }
}

async function* withFirst(
  first: IteratorResult<SheetRow[]>,
  rest: AsyncGenerator<SheetRow[]>,
): AsyncGenerator<SheetRow[]> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** Refuses invalid filters, because a file with other rows would look correct. */
export function refuseWrongFilters(errors: readonly FormError[]): void {
  const [error] = errors;
  if (error === undefined) return;
  throw new AppError("validation_failed", "wrong_filter", { problem: error.message });
}
