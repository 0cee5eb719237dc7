import { bigint, day, integer, numeric, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** Written by triggers: see `functions/figures_of.*.sql`. */
export const Figure = table(
  "figures",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    level: integer().primary().default(0),
    kind: text().primary(),
    workspace_id: text().primary().default(""),
    day: day().primary(),
    key: text().primary(),
    written: bigint().primary().generated(),
    n: bigint(),
    amount: numeric(),
  },
  { indexes: { nothing: ["organization_id"] }, checks: ["level"] },
);
export type Figure = Row<typeof Figure>;
