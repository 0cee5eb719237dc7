import { quote } from "../values/quote.js";
import type { OfField } from "./account-texts.js";

/** What refusals about meters say to every reader. */
export const meterTexts = {
  negative: ({ field }: OfField) => `${field} must not be negative.`,
  too_many_meters: ({ max }: { max: number }) => `an asset has at most ${max} meters.`,
  meter_name_taken: ({ name }: { name: string }) => `the asset has a meter ${quote(name)} already.`,
  meter_unknown: ({ name, names }: { name: string; names: readonly string[] }) =>
    `the asset has no meter ${quote(name)}${names.length === 0 ? "" : `, but ${names.join(", ")}`}. A new one is made for a reading in km, mi, h or cycles.`,
  meter_ambiguous: ({ unit, names }: { unit: string; names: readonly string[] }) =>
    `more than one meter counts ${unit}: name one of ${names.join(", ")}.`,
  meter_not_named: ({ names }: { names: readonly string[] }) =>
    names.length === 0
      ? "the asset has no meter yet. Record a reading first."
      : `name the meter, one of ${names.join(", ")}.`,
  meter_of_place: "work on a place without an asset has no meter.",
  not_positive: ({ field }: OfField) => `${field} must be more than 0.`,
  usage_reached: ({ field, name, present }: OfField & { name: string; present: string }) =>
    `${field} lies below what ${name} shows, ${present}. Give a later one.`,
  meter_not_there: ({ name }: { name: string }) =>
    `the work repeats by the meter ${quote(name)}, which the other asset does not have. Add it there, or change the repetition first.`,
  meter_in_use: ({ name, tasks }: { name: string; tasks: readonly string[] }) =>
    `open work is due by ${quote(name)}: ${tasks.join(", ")}. Finish it, or change how it repeats, first.`,
  meters_not_undone: "meters and readings are not undone. Record the right reading instead.",
  no_such_meter: "there is no such meter. It may be removed already.",
  replaced_before_last: ({ field }: OfField) =>
    `${field} lies before the last reading: a meter is replaced now, or after that.`,
};

/** What warnings about meters say to every reader. */
export const meterWarnings = {
  meter_added: ({ name, unit }: { name: string; unit: string }) =>
    `A meter was added: ${quote(name)}, in ${unit}.`,
  reading_lower: ({ name, before }: { name: string; before: string }) =>
    `${name} showed more before, ${before}: the lower reading is taken as its correction. Check it. If the meter was replaced, record the reading on the page of the asset and say so.`,
  reading_high: ({ name, more, usual }: { name: string; more: string; usual: string }) =>
    `${name} is ${more} higher than before, much more than the usual ${usual} a day. Check it.`,
  reading_over_day: ({ name, more }: { name: string; more: string }) =>
    `${name} is ${more} higher than before, more than 24 h a day. Check it.`,
  reading_between: ({ name, present, isOutOfLine }: ReadingBetween) =>
    `${name} was read later than this, so it still shows ${present}.${isOutOfLine ? " The reading does not lie between those before and after it. Check it." : ""}`,
  due_by_usage: ({ task_number, name, reached }: DueByUsage) =>
    `${task_number} is due now: ${name} reached ${reached}.`,
};

export interface ReadingBetween {
  name: string;
  present: string;
  isOutOfLine: boolean;
}

export interface DueByUsage {
  task_number: string;
  name: string;
  reached: string;
}
