import { EntitySchema } from "typeorm";
import type { Column } from "./columns.js";

type Columns = Record<string, Column<unknown>>;

export type Row<Entity> = Entity extends EntitySchema<infer Fields> ? Fields : never;

interface TableOptions<Name> {
  uniques?: Name[][];
  /** By the middle part of their names. The migration has their conditions. */
  indexes?: Record<string, Name[]>;
  uniqueIndexes?: Record<string, Name[]>;
  /**
   * Indexes that only the migration can express: descending, on expressions, or of another kind.
   */
  sqlIndexes?: string[];
  /** Conditions declared in the migration, in addition to those of enumerations. */
  checks?: string[];
  /**
   * Columns for full-text search, maintained by a trigger and never selected. Only `search` is
   * never null.
   */
  searchable?: readonly string[];
  /** Text columns to sort by, also maintained by a trigger and never selected. */
  sortable?: readonly string[];
}

/** Defines an entity for a table. Constraints and indexes are named `table_column_kind`. */
export function table<Fields extends Columns>(
  name: string,
  columns: Fields,
  options: TableOptions<keyof Fields & string> = {},
) {
  const { uniques = [], indexes = {}, uniqueIndexes = {}, sqlIndexes = [], checks = [] } = options;
  return new EntitySchema<{ [Field in keyof Fields]: Fields[Field]["value"] }>({
    name,
    tableName: name,
    columns: toColumns(name, columns, options) as never,
    foreignKeys: toForeignKeys(name, columns),
    uniques: uniques.map((of) => ({ name: `${name}_${of.join("_")}_key`, columns: of })),
    indices: [
      ...toIndices(name, indexes),
      ...toIndices(name, uniqueIndexes, true),
      ...sqlIndexes.map((of) => ({ name: `${name}_${of}_idx`, columns: [], synchronize: false })),
    ],
    checks: [
      ...toEnumerationChecks(name, columns),
      ...checks.map((of) => ({ name: `${name}_${of}_check`, expression: "" })),
    ],
  });
}

const tablesOfAllOrganizations = ["organizations", "users", "oauth_clients", "push_subscriptions"];

function toColumns(
  table: string,
  columns: Columns,
  { searchable = [], sortable = [] }: TableOptions<string>,
) {
  const entries = Object.entries(columns).map(([name, { options }]) => {
    const key = options.primary === true && { primaryKeyConstraintName: `${table}_pkey` };
    return [name, { ...options, ...key }] as const;
  });
  const byTrigger = { select: false, insert: false, update: false };
  const toFilled = (column: string, type: "tsvector" | "text", isNeverNull: boolean) =>
    [
      column,
      { ...byTrigger, type, ...(isNeverNull ? { default: "" } : { nullable: true }) },
    ] as const;
  return Object.fromEntries<object>([
    ...entries,
    ...searchable.map((column) => toFilled(column, "tsvector", column === "search")),
    ...sortable.map((column) => toFilled(column, "text", true)),
  ]);
}

function toForeignKeys(table: string, columns: Columns) {
  return Object.entries(columns).flatMap(([column, { options }]) => {
    if (options.references === undefined) return [];
    const { target, onDelete } = options.references;
    const [targetTable = "", targetColumn = "id"] = target.split(".");
    const tenant =
      "organization_id" in columns && !tablesOfAllOrganizations.includes(targetTable)
        ? ["organization_id"]
        : [];
    return {
      name: `${table}_${column}_fkey`,
      target: targetTable,
      columnNames: [...tenant, column],
      referencedColumnNames: [...tenant, targetColumn],
      ...(onDelete !== undefined && { onDelete }),
    };
  });
}

function toEnumerationChecks(table: string, columns: Columns) {
  return Object.entries(columns).flatMap(([column, { options }]) => {
    if (options.values === undefined) return [];
    const list = options.values.map((value) => `'${value}'`).join(", ");
    return { name: `${table}_${column}_check`, expression: `${column} IN (${list})` };
  });
}

function toIndices(table: string, indexes: Record<string, string[]>, unique = false) {
  return Object.entries(indexes).map(([of, columns]) => ({
    name: `${table}_${of}_idx`,
    columns,
    unique,
  }));
}
