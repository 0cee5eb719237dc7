import { z } from "zod";

/** Parameters that choose what the rows of a list have: long lists cost an assistant less. */
export function columnParameters(row: z.ZodObject) {
  const names = Object.keys(row.shape) as [string, ...string[]];
  return {
    fields: z
      .array(z.enum(names).meta({ abridged: true }))
      .max(names.length)
      .optional()
      .describe("Only these columns."),
    ids: z.boolean().default(true).describe("false leaves ids out."),
  };
}

/** Rows with the columns that were asked for. */
export function pickColumns<Row extends object>(
  rows: readonly Row[],
  { fields, ids }: { fields?: readonly string[] | undefined; ids: boolean },
): readonly Partial<Row>[] {
  if (fields === undefined && ids) return rows;
  const isWanted = (name: string) =>
    fields === undefined ? !/(?:^|_)id$/.test(name) : fields.includes(name);
  return rows.map(
    (row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => isWanted(name))) as Partial<Row>,
  );
}
