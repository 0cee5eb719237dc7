import { citext, instant, instantNow, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const User = table(
  "users",
  {
    id: text().primary(),
    email: citext(),
    name: text(),
    locale: text().default("en"),
    email_verified_at: instant().nullable(),
    last_login_at: instant().nullable(),
    created_at: instantNow(),
    /** Set: the person cannot sign in, and their tokens stop at once. */
    deactivated_at: instant().nullable(),
  },
  {
    uniques: [["email"]],
    checks: ["email", "name"],
  },
);
export type User = Row<typeof User>;
