import type { EntitySchema } from "typeorm";

/** What the check has to know of a table. `test/integration/operation/schema.test.ts` holds entities to the database. */
export interface Table {
  name: string;
  columns: Set<string>;
  /** The column that names the organization of a row, in tables whose rows have one. */
  organization: string | undefined;
  /** A row without an organization is nobody's. */
  isOrganizationOptional: boolean;
  /** Of a column that names a row of one organization: the table where that row is. */
  names: Map<string, string>;
  /** Unique columns by the name of their constraint. */
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
