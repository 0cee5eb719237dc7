import { day, decimal, flag, instantNow, integer, oneOf, text } from "../columns.js";
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
    /** With unit and day: by the calendar; null when it repeats by usage alone. */
    every: integer().nullable(),
    unit: oneOf(repeatUnits).nullable(),
    anchor: oneOf(repeatAnchors),
    /** The day of the month to come back to after a shorter month. */
    anchor_day: integer().nullable(),
    /** Takes the place of the day of the month. */
    on_weekday: text<WeekdayOfMonth>().nullable(),
    /** Also, or alone, by what a meter of the asset counts. */
    meter_id: text().nullable().references("meters"),
    every_usage: decimal(14).nullable(),
    /** No occurrence is due after this day. */
    ends_on: day().nullable(),
    /** False: no further occurrence is made. */
    active: flag().default(true),
    created_by: text().references("users"),
    created_at: instantNow(),
  },
  {
    sqlIndexes: ["meter_id"],
    checks: ["every", "anchor_day", "on_weekday", "every_usage", "calendar", "usage", "rule"],
  },
);
export type MaintenancePlan = Row<typeof MaintenancePlan>;
