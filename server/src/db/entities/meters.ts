import { citext, decimal, instant, instantNow, text, flag, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";
import { historySources } from "./history.js";

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

/** What a meter showed at a moment. */
export const MeterReading = table(
  "meter_readings",
  {
    organization_id: text().primary(),
    id: text().primary(),
    meter_id: text().references("meters", "CASCADE"),
    value: decimal(14),
    /** With what replaced meters had counted by then. */
    total: decimal(16),
    read_at: instant(),
    /** It is the first of a new meter. */
    replaced: flag(),
    source: oneOf(historySources),
    recorded_by: text().references("users"),
    recorded_at: instantNow(),
  },
  {
    indexes: { read_at: ["organization_id", "meter_id", "read_at"] },
    checks: ["value"],
  },
);
export type MeterReading = Row<typeof MeterReading>;
