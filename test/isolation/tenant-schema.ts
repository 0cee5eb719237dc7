import type { EntitySchema } from "typeorm";

/**
 * Table metadata for the check. `test/integration/operation/schema.test.ts` compares entities with
 * the database.
 */
export interface Table {
  name: string;
  columns: Set<string>;
  /** The column with the organization's id, if the table has one. */
  organization: string | undefined;
  /** True if rows may have no organization. */
  isOrganizationOptional: boolean;
  /** For each column that references a row of one organization: the referenced table. */
  names: Map<string, string>;
  /** Unique columns by constraint name. */
  keys: Map<string, string[]>;
}

const organizations = "organizations";

export function readSchema(entities: EntitySchema[]): Map<string, Table> {
  return new Map(entities.map((entity) => [entity.options.name, toTable(entity)]));
}

function toTable({ options }: EntitySchema): Table {
  const columns = Object.entries(options.columns).map(([name, column]) => ({ name, ...column }));
  const organization =
    options.name === organizations ? "id" : columns.find(({ name }) => name === "organization_id");
  const column = typeof organization === "object" ? organization.name : organization;
  const primary = columns.filter((each) => each.primary === true).map(({ name }) => name);
  const keys = new Map([[`${options.name}_pkey`, primary]]);
  for (const { name = "", columns: of } of options.uniques ?? []) keys.set(name, of as string[]);
  const names = new Map<string, string>();
  if (column !== undefined && primary.length === 1) names.set(primary[0] ?? "", options.name);
  if (column !== undefined) names.set(column, organizations);
  return {
    name: options.name,
    columns: new Set(columns.map(({ name }) => name)),
    organization: column,
    isOrganizationOptional: typeof organization === "object" && organization.nullable === true,
    names,
    keys,
  };
}
