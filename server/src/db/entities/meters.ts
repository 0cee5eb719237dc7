import { citext, decimal, instant, instantNow, text, flag, oneOf } from "../columns.js";
import { table, type Row } from "../table.js";
import { historySources } from "./history.js";

export const Meter = table(
  "meters",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    asset_id: text().references("assets", "CASCADE"),
    name: citext(),
    /** Such as km, h or cycles. */
    unit: text(),
    /** The last reading. Null before the first. */
    value: decimal(14).nullable(),
    read_at: instant().nullable(),
    /** Count of the replaced meters. Total usage is this plus `value`. */
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

export const MeterReading = table(
  "meter_readings",
  {
    organization_id: text().primary(),
    id: text().primary(),
    meter_id: text().references("meters", "CASCADE"),
    value: decimal(14),
    /** Includes the count of meters replaced until then. */
    total: decimal(16),
    read_at: instant(),
    /** True for the first reading of a new meter. */
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
