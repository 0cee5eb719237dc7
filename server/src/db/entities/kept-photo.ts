import { bytes, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** A photo that came with a refused report, until the report is sent again. */
export const KeptPhoto = table(
  "kept_photos",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    name: text(),
    content: bytes(),
    created_at: instantNow(),
  },
  { indexes: { created_at: ["created_at"] } },
);
export type KeptPhoto = Row<typeof KeptPhoto>;
