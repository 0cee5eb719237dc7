import { z } from "zod";

/**
 * Parameters that select the columns of a list, because long lists are expensive for assistants.
 */
export function columnParameters(row: z.ZodObject) {
  const names = Object.keys(row.shape) as [string, ...string[]];
  return {
    fields: z
      .array(z.enum(names).meta({ abridged: true }))
      .max(names.length)
      .optional()
      .describe(`Only these columns: ${names.join(", ")}.`),
    include_ids: z
      .boolean()
      .default(true)
      .describe("false leaves internal ids out, which shortens the answer by a third."),
  };
}

/** Former names of column parameters. */
export const formerColumnNames = { ids: "include_ids" };

export function pickColumns<Row extends object>(
  rows: readonly Row[],
  { fields, include_ids: hasIds }: { fields?: readonly string[] | undefined; include_ids: boolean },
): readonly Partial<Row>[] {
  if (fields === undefined && hasIds) return rows;
  const isWanted = (name: string) =>
    fields === undefined ? !/(?:^|_)id$/.test(name) : fields.includes(name);
  return rows.map(
    (row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => isWanted(name))) as Partial<Row>,
  );
}
