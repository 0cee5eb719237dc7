import { oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** A name that one organization has alone among all: its slug, or a domain that it verified. */
export const UniqueName = table("unique_names", {
  kind: oneOf(["slug", "domain"]).primary(),
  name: text().primary(),
  organization_id: text(),
});
export type UniqueName = Row<typeof UniqueName>;
