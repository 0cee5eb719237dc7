import { flag, integer, json, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const rowOutcomes = ["create", "update", "same", "wrong", "conflict"] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** What becomes of a row of an imported file, or what an undo left as it was. */
export const ChangeSetRow = table(
  "change_set_rows",
  {
    organization_id: text().primary(),
    change_set_id: text().primary().references("change_sets", "CASCADE"),
    /** In the file, whose header is line 1. */
    line: integer().primary(),
    outcome: oneOf(rowOutcomes),
    /** Rows of lower levels are stored before it: its whole, the whole of that, and so on. */
    level: integer().default(0),
    /** The asset, task, workspace or invitation. */
    subject_id: text().nullable(),
    name: text(),
    details: json<object>().default({}),
    stored: flag().default(false),
  },
  {
    indexes: { outcome: ["organization_id", "change_set_id", "outcome", "line"] },
    sqlIndexes: ["subject_id", "pending"],
  },
);
export type ChangeSetRow = Row<typeof ChangeSetRow>;
