import type { Tx } from "../../db/database.js";
import type { Caller } from "../access/caller.js";
import type { ChangeSetRecord } from "../history/change-sets.js";
import { listRows } from "../history/change-set-rows.js";
import { guard, toCell } from "./cell-texts.js";
import type { SheetRow } from "./headings.js";
import type { ImportSettings } from "./import-settings.js";
import type { RowDetails } from "./plan-rows.js";

/** Returns the kept cells of wrong rows, by line. */
export async function findWrongCells(
  db: Tx,
  caller: Caller,
  id: string,
  lines: readonly number[],
): Promise<Map<number, readonly string[]>> {
  const rows = await db.query<{ line: number; cells: string[] | null }>(
    `SELECT line, details -> 'cells' AS cells FROM change_set_rows
     WHERE organization_id = $1 AND change_set_id = $2 AND line = ANY ($3::int[])
       AND outcome = 'wrong'`,
    [caller.organizationId, id, lines],
  );
  return new Map(rows.flatMap(({ line, cells }) => (cells === null ? [] : [[line, cells]])));
}

/** Yields the wrong rows of an import as the file has them, with their errors in a last column. */
export async function* listWrongRows(
  db: Tx,
  caller: Caller,
  { id, settings }: Pick<ChangeSetRecord, "id" | "settings">,
  describe: (problems: RowDetails["problems"]) => string,
): AsyncGenerator<SheetRow[]> {
  const { headings, columns } = settings as ImportSettings;
  for (let after: number | undefined = 0; after !== undefined;) {
    const some = await listRows(db, caller, id, { outcome: "wrong", after, limit: 500 });
    yield some.rows.map(({ details }) => {
      const { cells, values = {}, problems } = details as RowDetails;
      const texts = headings.map((_, at) => toCell("", cells?.[at] ?? values[columns[at] ?? ""]));
      return [...texts, guard(describe(problems))];
    });
    after = some.next;
  }
}
