import { bytes, instant, instantNow, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** Whose tasks a calendar shows: the person's, or all that the person sees. */
export const calendarCoverages = ["own", "all"] as const;
export type CalendarCoverage = (typeof calendarCoverages)[number];

/** The secret address at which a person's calendar program reads the tasks of an organization. */
export const CalendarFeed = table(
  "calendar_feeds",
  {
    organization_id: text().primary(),
    user_id: text().primary().references("organization_members.user_id", "CASCADE"),
    token_hash: bytes(),
    covers: oneOf(calendarCoverages),
    created_at: instantNow(),
    last_read_at: instant().nullable(),
  },
  { uniques: [["organization_id", "token_hash"]] },
);
export type CalendarFeed = Row<typeof CalendarFeed>;
