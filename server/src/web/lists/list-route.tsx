import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import type { Database } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { todayOf } from "../../domain/access/clock.js";
import type { SheetRow } from "../../domain/exchange/headings.js";
import { omit } from "../../domain/shared/omit.js";
import { toFormErrors } from "../forms/form-errors.js";
import type { FormError } from "../layout/error-summary.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { ExportLinks } from "./export-links.js";
import { addExports, refuseWrongFilters } from "./export-route.js";
import { toListQuery, toPageQuery, type Values } from "./list-query.js";
import { Pager, toAddress } from "./pager.js";
import { keepColumns, readColumns } from "./column-cookie.js";

export interface ListFilters<Name extends string, Listing> {
  /** As requested, to show them again. */
  values: Record<Name, string>;
  /** Without invalid filters. */
  listing: Listing;
  errors: FormError[];
}

interface Paging {
  sort?: unknown;
  limit: number;
  cursor?: unknown;
}

interface ListRequest {
  app: FastifyInstance;
  request: FastifyRequest;
  db: Database;
  caller: Caller;
}

interface Found {
  page: { total_count: number };
}

interface ListView<Name extends string, Listing> {
  caller: Caller;
  filters: ListFilters<Name, Listing>;
  /** Kinds of columns. Empty: the usual ones. */
  chosenColumns: readonly string[];
  errors: readonly FormError[];
  /** True if there are no rows, even without filters. */
  isFirstStep: boolean;
  today: string;
}

interface ListSpec<Name extends string, Listing extends Paging, Rows, More> {
  path: string;
  /** The default filters. */
  usual?: Values;
  read: (caller: Caller, query: unknown) => ListFilters<Name, Listing>;
  find: (list: ListRequest, listing: Listing) => Promise<Rows>;
  /** The rows of a list with invalid filters. Without it, the refusal is a separate page. */
  nothing?: Rows;
  /** The number of rows that the caller sees without filters. */
  countAll?: (list: ListRequest) => Promise<number>;
  more: (list: ListRequest, filters: ListFilters<Name, Listing>) => Promise<More>;
  page: (view: ListView<Name, Listing> & Rows & More) => VNode;
  /** The list as a file. */
  columns: readonly string[];
  rows: (
    db: Database,
    caller: Caller,
    filters: Omit<Listing, "sort" | "limit" | "cursor">,
  ) => AsyncGenerator<SheetRow[]>;
}

/** A list at its address, and as a file with its filters. Needs `requireMember` before it. */
export function listRoute<
  Name extends string,
  Listing extends Paging,
  Rows extends Found,
  More extends object,
>(spec: ListSpec<Name, Listing, Rows, More>): FastifyPluginAsync {
  const { path, read, columns, rows, countAll } = spec;
  return async (app) => {
    app.get(path, async (request, reply) => {
      const caller = callerOf(request);
      const filters = read(caller, request.query);
      if (keepColumns(request, reply, path)) {
        return reply.redirect(toAddress(path, toListQuery(filters.values, spec.usual ?? {})), 303);
      }
      const list = { app, request, db: request.db, caller };
      const [{ found, errors }, more] = await Promise.all([
        findRows(spec, list, filters),
        spec.more(list, filters),
      ]);
      const isFirstStep =
        countAll !== undefined && found.page.total_count === 0 && (await countAll(list)) === 0;
      const chosenColumns = readColumns(request, path);
      const today = todayOf(caller);
      const view = { caller, filters, chosenColumns, errors, isFirstStep, today };
      const page = spec.page({ ...view, ...found, ...more });
      return sendPage(reply.code(errors.length === 0 ? 200 : 400), page);
    });
    addExports(app, {
      path,
      columns,
      find: ({ db, query }, caller) => {
        const { listing, errors } = read(caller, query);
        refuseWrongFilters(errors);
        return rows(db, caller, omit(listing, "sort", "limit", "cursor"));
      },
    });
  };
}

async function findRows<Listing extends Paging, Rows>(
  { find, nothing }: Pick<ListSpec<string, Listing, Rows, object>, "find" | "nothing">,
  list: ListRequest,
  { listing, errors }: ListFilters<string, Listing>,
): Promise<{ found: Rows; errors: FormError[] }> {
  try {
    return { found: await find(list, listing), errors };
  } catch (error) {
    if (nothing === undefined) throw error;
    return { found: nothing, errors: [...errors, ...toFormErrors(error)] };
  }
}

export function ListBody({
  path,
  values,
  usual = {},
  page: { total_count: total, next_cursor: nextCursor },
  children,
}: {
  path: string;
  values: Values;
  /** The default filters. */
  usual?: Values;
  page: { total_count: number; next_cursor?: string | undefined };
  children: ComponentChildren;
}): VNode {
  return (
    <>
      {children}
      <Pager path={path} query={toPageQuery(values, usual)} nextCursor={nextCursor} />
      {total > 0 && <ExportLinks path={path} query={toListQuery(values, usual)} />}
    </>
  );
}
