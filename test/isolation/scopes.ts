import type { Alias } from "@pgsql/types";
import type { Table } from "./tenant-schema.js";

export interface Relation {
  alias: string;
  /** Set for a stored table. Otherwise `columns` has the columns of a query or function. */
  table?: Table;
  columns?: Columns;
  isBound: boolean;
}

export type Term = { relation: Relation; column: string } | "value";
/** Undefined if unknown. Several if a column comes from one of several queries. */
export type Terms = Term[] | undefined;
export type Columns = Map<string, () => Terms>;

export interface Scope {
  parent: Scope | undefined;
  relations: Relation[];
  queries: Map<string, Columns>;
}

/** Key for unknown columns: a function whose type defines them, or `*`, whose order is unknown. */
export const anyColumn = "*";

export function open(parent: Scope | undefined): Scope {
  return { parent, relations: [], queries: new Map() };
}

export function add(scope: Scope, alias: Alias | undefined, columns?: Columns): Relation {
  const relation: Relation = { alias: alias?.aliasname ?? "", isBound: false };
  if (columns !== undefined) relation.columns = columns;
  scope.relations.push(relation);
  return relation;
}

export function findQuery(scope: Scope | undefined, name: string): Columns | undefined {
  return scope && (scope.queries.get(name) ?? findQuery(scope.parent, name));
}

/** Resolves a column in the nearest scope that has it. */
export function findColumn(names: string[], scope: Scope | undefined): Terms {
  if (scope === undefined || names.length > 2) return undefined;
  const column = names.at(-1) ?? "";
  const alias = names.length === 2 ? names[0] : undefined;
  const found = scope.relations.find((relation) =>
    alias === undefined ? columnsOf(relation).has(column) : relation.alias === alias,
  );
  if (found !== undefined) return columnsOf(found).get(column)?.();
  if (scope.relations.some(({ columns }) => columns?.has(anyColumn) === true)) return undefined;
  return findColumn(names, scope.parent);
}

export function columnsOf(relation: Relation): Columns {
  const own = [...(relation.table?.columns ?? [])];
  return (
    relation.columns ??
    new Map(own.map((column) => [column, (): Terms => [{ relation, column }]] as const))
  );
}

export function rename(columns: Columns, names: string[]): Columns {
  if (names.length > 0 && columns.has(anyColumn)) return new Map();
  return new Map([...columns].map(([name, term], index) => [names[index] ?? name, term]));
}

export function join(one: Terms, other: Terms): Terms {
  return one && other && [...one, ...other];
}

/** Guards against recursion: a recursive column adds nothing to its starting terms. */
export function once(find: () => Terms): () => Terms {
  let isAsked = false;
  return () => {
    if (isAsked) return [];
    isAsked = true;
    try {
      return find();
    } finally {
      isAsked = false;
    }
  };
}
