import { plainFields, type Fields } from "../../db/fields.js";

/** SELECT columns of the fields for `alias`, with amounts as numbers. */
export function selectFields(fields: Fields, alias: string): string {
  const columns = plainFields(fields).map(([name, { kind }]) => {
    const column = `${alias}.${name}`;
    if (kind === "amount") return `${column}::float8 AS ${name}`;
    return kind === "currency" ? `${column}::text AS ${name}` : column;
  });
  return columns.join(", ");
}
