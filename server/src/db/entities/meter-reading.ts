import { decimal, flag, instant, instantNow, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import { historySources } from "./history-event.js";

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
