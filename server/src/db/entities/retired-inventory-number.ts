import { instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const RetiredInventoryNumber = table("retired_inventory_numbers", {
  organization_id: text().primary().references("organizations", "CASCADE"),
  inventory_number: text().primary(),
  retired_at: instantNow(),
});
export type RetiredInventoryNumber = Row<typeof RetiredInventoryNumber>;
