/** What people call the units of a recurrence, in the plain form that texts are compared in. */
export const repeatUnitSynonyms = {
  daily: "day",
  days: "day",
  weekly: "week",
  weeks: "week",
  monthly: "month",
  months: "month",
  yearly: "year",
  years: "year",
  annual: "year",
  annually: "year",
} as const;

const [aQuarter, aHalf, twoWeeks] = [
  'A quarter is every 3, unit "month".',
  'Half a year is every 6, unit "month".',
  'Two weeks are every 2, unit "week".',
];

/** What to give for units that a recurrence doesn't have. */
export const otherUnits = {
  quarter: aQuarter,
  quarters: aQuarter,
  quarterly: aQuarter,
  halfyear: aHalf,
  halfyearly: aHalf,
  semiannual: aHalf,
  semiannually: aHalf,
  fortnight: twoWeeks,
  fortnightly: twoWeeks,
  biweekly: twoWeeks,
  hour: "For hours of use, give every_usage and meter.",
  hours: "For hours of use, give every_usage and meter.",
};

/** What on_weekday can be, in place of all 35 values. */
export const weekdayWords =
  '"first monday" to "last sunday", with unit month or year. With unit week, leave it out: the weekday is that of due_date';
