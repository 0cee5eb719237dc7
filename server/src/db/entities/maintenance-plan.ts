import { day, flag, instantNow, integer, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

export const repeatUnits = ["day", "week", "month", "year"] as const;
export type RepeatUnit = (typeof repeatUnits)[number];
export const repeatAnchors = ["due_date", "completion_date"] as const;
export type RepeatAnchor = (typeof repeatAnchors)[number];
export const weekdayPlaces = ["first", "second", "third", "fourth", "last"] as const;
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
/** Which of a month, such as `second tuesday`. */
export type WeekdayOfMonth = `${(typeof weekdayPlaces)[number]} ${(typeof weekdays)[number]}`;
export const weekdaysOfMonth: readonly WeekdayOfMonth[] = weekdayPlaces.flatMap((place) =>
  weekdays.map((weekday) => `${place} ${weekday}` as const),
);

/** A repeat rule; its tasks are its occurrences. */
export const MaintenancePlan = table(
  "maintenance_plans",
  {
    organization_id: text().primary().references("organizations", "CASCADE"),
    id: text().primary(),
    every: integer(),
    unit: oneOf(repeatUnits),
    anchor: oneOf(repeatAnchors),
    /** The day of the month to come back to after a shorter month. */
    anchor_day: integer(),
    /** Takes the place of the day of the month. */
    on_weekday: text<WeekdayOfMonth>().nullable(),
    /** No occurrence is due after this day. */
    ends_on: day().nullable(),
    /** False: no further occurrence is made. */
    active: flag().default(true),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  {
    checks: ["every", "anchor_day", "on_weekday"],
  },
);
export type MaintenancePlan = Row<typeof MaintenancePlan>;
