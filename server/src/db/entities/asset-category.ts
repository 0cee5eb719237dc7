import { citext, instantNow, integer, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";
import { criticalities } from "./asset.js";

export const AssetCategory = table(
  "asset_categories",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    name: citext(),
    parent_id: text().nullable().references("asset_categories"),
    default_useful_life_months: integer().nullable(),
    default_criticality: oneOf(criticalities).nullable(),
    external_code: text().nullable(),
    created_at: instantNow(),
  },
  {
    uniques: [["organization_id", "name"]],
    checks: ["name"],
  },
);
export type AssetCategory = Row<typeof AssetCategory>;
