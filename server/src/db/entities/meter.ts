import { citext, decimal, instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** Counts what an asset has run, worked or done. */
export const Meter = table(
  "meters",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().references("assets", "CASCADE"),
    name: citext(),
    /** Such as km, h or cycles. */
    unit: text(),
    /** What it showed last; null before its first reading. */
    value: decimal(14).nullable(),
    read_at: instant().nullable(),
    /** What the meters before it had counted when they were replaced: with the value, all usage. */
    usage_before: decimal(16).default(0),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  {
    uniques: [["organization_id", "asset_id", "name"]],
    checks: ["name", "unit", "value", "usage_before", "read"],
  },
);
export type Meter = Row<typeof Meter>;
