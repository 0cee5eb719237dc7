import { citext, instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const User = table(
  "users",
  {
    id: text().primary(),
    /** Null: the person was erased, and others' rows still refer to the id. */
    email: citext().nullable(),
    name: text(),
    /** Language and formats, as BCP 47 names them. */
    locale: text().default("en-GB"),
    /** Null: their clock goes as the organization's. */
    time_zone: text().nullable(),
    email_verified_at: instant().nullable(),
    last_login_at: instant().nullable(),
    created_at: instantNow(),
    /** Set: the person cannot sign in, and their tokens stop at once. */
    deactivated_at: instant().nullable(),
  },
  {
    uniques: [["email"]],
    checks: ["email", "name", "erased"],
  },
);
export type User = Row<typeof User>;
